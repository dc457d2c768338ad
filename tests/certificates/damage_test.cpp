// Files that are damaged, or are no certificates: the checker says so, with the line.
#include <gtest/gtest.h>
#include <zstd.h>

#include <iostream>
#include <string>
#include <vector>

#include "tests/certificates/card_support.h"
#include "tests/certificates/link_support.h"
#include "tests/certificates/mutants.h"
#include "tests/certificates/support.h"

namespace playproof::damage_test {
namespace {

std::vector<std::string> samples() {
  return {certificate_of(ask("hex:size=2", "pn:zones=off")),
          certificate_of(ask("pgame:branching=2,depth=3,tree=5", "ppn", "", "value")),
          certificate_of(ask("othello:size=4", "uct", random_othello(4, 3, 2), "score")),
          hex_certificate<1>(Hex<1>::make_rules(2, 3), {}, true),
          text_of(link_sheet({2, 3}, {"b1", "a1"}, {.as_card = true}))};
}

void expect_unreadable(const std::string& text, const std::string& trace) {
  const check::Report report = check_text(text);
  EXPECT_EQ(report.status, check::kUnreadable) << trace << ": " << report.error;
  EXPECT_FALSE(report.error.empty());
}

TEST(Damage, CutAnywhere) {
  std::size_t count = 0;
  for (const std::string& text : samples()) {
    ASSERT_EQ(check_text(text).status, check::kValid);
    for (std::size_t size = 0; size < text.size(); ++size) {
      expect_unreadable(text.substr(0, size), "cut to " + std::to_string(size));
    }
    count += text.size();
  }
  std::cout << count << " certificates cut short\n";
}

TEST(Damage, AnyBitFlipped) {
  std::size_t count = 0;
  for (const std::string& text : samples()) {
    for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
      std::string damaged = text;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
      expect_unreadable(damaged, "bit " + std::to_string(bit));
    }
    count += 8 * text.size();
  }
  std::cout << count << " certificates with one bit flipped\n";
}

// Larger ones, cut and flipped at random.
TEST(Damage, LargerOnes) {
  const std::vector<std::string> texts = {
      certificate_of(ask("hex:size=4", "mcts:zones=off", "b2")),
      certificate_of(ask("connect6:rows=4,columns=4,connect=3,stones=2", "pn", "", "value")),
      certificate_of(ask("othello:size=8", "ppn:playouts=8", random_othello(8, 9, 1), "score")),
      certificate_of(ask("pgame:branching=4,depth=8,tree=3", "uct", "", "value"))};
  Draw draw(1);
  std::size_t bytes = 0;
  const int count = nightly() ? 4000 : 500;
  for (int i = 0; i < count; ++i) {
    std::string damaged = texts[draw.below(texts.size())];
    bytes += damaged.size();
    if (i % 2 == 0) {
      damaged.resize(draw.below(damaged.size()));
    } else {
      char& c = damaged[draw.below(damaged.size())];
      c = static_cast<char>(c ^ (1 << draw.below(8)));
    }
    expect_unreadable(damaged, "larger one " + std::to_string(i));
  }
  std::cout << count << " damaged certificates of " << bytes / count << " bytes on average\n";
}

// Bytes that no certificate has, also where the checksum is good.
TEST(Damage, StrangeBytes) {
  const std::string good = samples()[0];
  const std::vector<std::string> lines = lines_of(good);
  const std::vector<std::string> strange = {
      "\r", std::string(1, '\0'), "\t", "\xff", "\xc3\xa9", " ", "\x7f", "\n", " \xe2\x82"};
  for (const std::string& bytes : strange) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      for (const bool front : {false, true}) {
        std::vector<std::string> changed = lines;
        changed[i] = front ? bytes + changed[i] : changed[i] + bytes;
        const check::Report report = check_text(sealed(changed));
        EXPECT_EQ(report.status, check::kUnreadable) << i << ": " << changed[i];
        EXPECT_GE(report.line_number, i + 1);
        EXPECT_LE(report.line_number, i + 2);
      }
    }
    expect_unreadable(good + bytes, "after the end");
    expect_unreadable(bytes + good, "before the start");
  }
}

TEST(Damage, NumbersWithoutMeasure) {
  const std::vector<std::string> lines = lines_of(samples()[0]);
  for (const char* number : {"18446744073709551616", "-1", "01", "+1", "1e9", "0x1", "",
                             "99999999999999999999999999999999999999999999999999"}) {
    const std::string n = number;
    for (const std::string& line :
         {"leaf " + n + " WBB.", "free " + n, "root " + n, "one 1 WB.. a2 " + n,
          "one 1 WB.. a" + n + " 1", "recheck 1 " + n + " WBB.", "all 2 .B.. a1 2 a2 4 b2 " + n,
          "claim >=" + n + " proved", "game hex:rows=" + n + ",columns=2"}) {
      for (std::size_t i = 1; i < lines.size(); ++i) {
        std::vector<std::string> changed = lines;
        changed[i] = line;
        const check::Report report = check_text(sealed(changed));
        EXPECT_NE(report.status, check::kValid) << i << ": " << line;
        EXPECT_GE(report.line_number, 2u);
      }
    }
  }
}

TEST(Damage, LinesWithoutEnd) {
  expect_unreadable(std::string(1 << 22, 'x'), "no line end");
  expect_unreadable(samples()[0] + std::string(1 << 22, 'x'), "no line end after the checksum");
  std::vector<std::string> lines = lines_of(samples()[0]);
  for (std::string& line : lines) line += std::string(1 << 17, 'x');
  EXPECT_EQ(check_text(sealed(lines)).line_number, 1u);
  for (std::string& line : lines) {
    line = "free";
    for (int i = 0; i < 20000; ++i) line += " 1";
  }
  expect_unreadable(sealed(lines), "many words");
}

TEST(Damage, LinesLeftOutOrTwice) {
  for (const std::string& text : samples()) {
    const std::vector<std::string> lines = lines_of(text);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      std::vector<std::string> shorter = lines;
      shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(i));
      const check::Report report = check_text(sealed(shorter));
      EXPECT_TRUE(report.status != check::kValid || is_true(report)) << "without " << lines[i];
      std::vector<std::string> longer = lines;
      longer.insert(longer.begin() + static_cast<std::ptrdiff_t>(i), lines[i]);
      EXPECT_NE(check_text(sealed(longer)).status, check::kValid) << "twice " << lines[i];
    }
  }
}

// Frames of other writers: without a checksum of zstd's own the end of the input does not mean that
// everything was handed out.
TEST(Damage, FramesOfAnyShape) {
  std::string text = samples()[2];
  for (int depth = 4; depth <= 14; ++depth) {
    text = certificate_of(
        ask("pgame:branching=3,depth=" + std::to_string(depth) + ",tree=1", "minimax"));
    for (const int level : {1, 19}) {
      std::string frame(ZSTD_compressBound(text.size()), '\0');
      frame.resize(ZSTD_compress(frame.data(), frame.size(), text.data(), text.size(), level));
      const check::Report report = check_text(frame, {}, true);
      EXPECT_EQ(report.status, check::kValid) << text.size() << " bytes: " << report.error;
      frame.pop_back();
      EXPECT_EQ(check_text(frame, {}, true).status, check::kUnreadable);
    }
  }
  EXPECT_GT(text.size(), 200000u);
}

// Some bits of a frame mean nothing (reserved ones, weights of letters that do not occur): a
// changed one is refused, or the text behind it is the one that was written.
TEST(Damage, EveryBitOfACompressedFile) {
  std::size_t same = 0;
  for (const std::string& text : samples()) {
    std::string frame(ZSTD_compressBound(text.size()), '\0');
    frame.resize(ZSTD_compress(frame.data(), frame.size(), text.data(), text.size(), 3));
    std::string behind(text.size() + 1, '\0');
    for (std::size_t i = 0; i < 8 * frame.size(); ++i) {
      std::string changed = frame;
      changed[i / 8] = static_cast<char>(changed[i / 8] ^ (1 << (i % 8)));
      const check::Report report = check_text(changed, {}, true);
      if (report.status == check::kUnreadable) continue;
      const std::size_t size =
          ZSTD_decompress(behind.data(), behind.size(), changed.data(), changed.size());
      ASSERT_TRUE(!ZSTD_isError(size) && behind.substr(0, size) == text) << i << report.error;
      EXPECT_EQ(report.status, check::kValid);
      ++same;
    }
    for (std::size_t size = 0; size < frame.size(); ++size) {
      EXPECT_EQ(check_text(frame.substr(0, size), {}, true).status, check::kUnreadable);
    }
  }
  EXPECT_GT(same, 0u);
}

TEST(Damage, ChecksumIsTheKnownOne) {
  Crc64 crc;
  crc.add("12345");
  crc.add("6789");
  EXPECT_EQ(crc.value(), 0x995dc9bbdf1939faull);
}

}  // namespace
}  // namespace playproof::damage_test
