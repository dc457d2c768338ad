// No file makes the checker large or slow: what it keeps, decompresses and searches is bounded, and
// it ends soon after the first error. Measured in counts, not in seconds.
#include <gtest/gtest.h>
#include <zstd.h>

#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "games/hex/reference.h"
#include "games/othello/reference.h"
#include "games/pgame/reference.h"
#include "src/check/proof.h"
#include "tests/certificates/mutants.h"
#include "tests/certificates/support.h"
#include "tests/host/saved.h"

namespace playproof::bounds_test {
namespace {

std::string run_of(std::size_t count, char c) {
  std::string run;
  run.assign(count, c);
  return run;
}

struct Checked {
  check::Report report;
  std::uint64_t read = 0;  // bytes of the file
};
Checked check_bytes(const std::string& bytes, bool compressed, const check::Limits& limits = {}) {
  const File file = file_of(bytes);
  Checked checked;
  checked.report = check::check(file.get(), compressed, {}, limits);
  checked.read = static_cast<std::uint64_t>(std::ftell(file.get()));
  return checked;
}
std::string compressed(const std::string& text) {
  std::string frame(ZSTD_compressBound(text.size()), '\0');
  frame.resize(ZSTD_compress(frame.data(), frame.size(), text.data(), text.size(), 3));
  return frame;
}

std::vector<std::string> header(const std::string& game) {
  return {"playproof-certificate 1", "game " + game,    "rules 1", "position", "goal win",
          "attacker first",          "claim >=1 proved"};
}

// Leaves that are never freed.
std::string many_leaves(int count) {
  std::vector<std::string> lines = header("hex:rows=2,columns=2");
  for (int id = 1; id <= count; ++id) lines.push_back("leaf " + std::to_string(id) + " WBB.");
  return sealed(lines);
}

TEST(Bounds, NodesThatLiveTakeLittleMemory) {
  constexpr int kCount = 10'000;
  check::Limits limits;
  limits.max_memory = 1 << 20;
  const check::Report enough = check_bytes(many_leaves(kCount), false, limits).report;
  EXPECT_EQ(enough.counts.most_live, static_cast<std::uint64_t>(kCount));
  EXPECT_NE(enough.error.find("claim has no line 'root'"), std::string::npos) << enough.error;
  const check::Report refused = check_bytes(many_leaves(2 * kCount), false, limits).report;
  EXPECT_EQ(refused.status, check::kUnreadable);
  EXPECT_EQ(refused.error, "its nodes that live take more than 1 MiB; --max-memory allows more");
  EXPECT_GT(refused.line_number, static_cast<std::uint64_t>(kCount));
  EXPECT_LT(refused.line_number, static_cast<std::uint64_t>(2 * kCount));
}

std::vector<std::string> header_of_graph(int nodes) {
  std::vector<std::string> lines = {"playproof-certificate 7", "game graph", "rules 1",
                                    "graph rule: infinite draw"};
  for (int i = 0; i < nodes; ++i) lines.push_back("graph n" + std::to_string(i) + " win");
  lines.insert(lines.end(), {"position", "goal win", "attacker first", "claim >=2 disproved"});
  return lines;
}

TEST(Bounds, LinesOfAGraphCount) {
  check::Limits limits;
  limits.max_memory = 1 << 20;
  const check::Report enough = check_bytes(sealed(header_of_graph(3'000)), false, limits).report;
  EXPECT_NE(enough.error.find("claim has no line 'root'"), std::string::npos) << enough.error;
  const check::Report refused = check_bytes(sealed(header_of_graph(5'000)), false, limits).report;
  EXPECT_EQ(refused.status, check::kUnreadable);
  EXPECT_EQ(refused.error, "the rules up to here take more than 1 MiB; --max-memory allows more");
}

// What its values say is known once: a line that needs it does not go through all nodes.
TEST(Bounds, ManyBoundsOnALargeGraph) {
  constexpr int kNodes = 50'000;
  std::vector<std::string> lines = header_of_graph(kNodes);
  for (int id = 1; id <= kNodes; ++id) lines.push_back("bound " + std::to_string(id) + " n0");
  lines.push_back("root " + std::to_string(kNodes));
  const check::Report report = check_bytes(sealed(lines), false, {}).report;
  EXPECT_EQ(report.error, "the claim does not belong to the goal");
}

// A name that the product's reader would cut or refuse is none.
TEST(Bounds, NamesOfNodes) {
  const std::vector<std::string> names = {
      "#n", "a#", "a:b", "a=b", "!a", "a,b", std::string(65, 'a')};
  for (const std::string& name : names) {
    std::vector<std::string> lines = header_of_graph(1);
    lines.insert(lines.begin() + 4, "graph " + name + " loss");
    const check::Report report = check_bytes(sealed(lines), false, {}).report;
    EXPECT_EQ(report.error, "not a line of the rules") << name;
    EXPECT_EQ(report.line_number, 5u);
  }
}

// Two bits a cell, whatever the board.
TEST(Bounds, BytesAPosition) {
  EXPECT_EQ(RefHex::packed(RefHex::initial(RefHex::make_rules({19, 19}))).size(), 91u);
  EXPECT_EQ(RefOthello::packed(RefOthello::initial(RefOthello::make_rules({8}))).size(), 17u);
}
// Different positions have different texts.
TEST(Bounds, PackedPositionsDiffer) {
  std::set<std::string> texts;
  RefHex::State hex{std::vector<char>(8, '.')};
  for (int number = 0; number < 6561; ++number) {
    for (int i = 0, rest = number; i < 8; ++i, rest /= 3) {
      hex.cells[static_cast<std::size_t>(i)] = ".BW"[rest % 3];
    }
    texts.insert(RefHex::packed(hex));
  }
  EXPECT_EQ(texts.size(), 6561u);
  texts.clear();
  RefOthello::State othello{std::vector<char>(4, '-')};
  for (int number = 0; number < 162; ++number) {
    for (int i = 0, rest = number / 2; i < 4; ++i, rest /= 3) {
      othello.squares[static_cast<std::size_t>(i)] = "-XO"[rest % 3];
    }
    othello.mover = "XO"[number % 2];
    texts.insert(RefOthello::packed(othello));
  }
  EXPECT_EQ(texts.size(), 162u);
  texts.clear();
  for (const std::uint64_t node : {0ull, 1ull, 12ull, ~0ull}) {
    for (int sum = -300; sum <= 300; ++sum) {
      for (int ply = 0; ply <= 64; ++ply)
        texts.insert(RefPGame::packed(RefPGame::State{node, sum, ply}));
    }
  }
  EXPECT_EQ(texts.size(), 4u * 601 * 65);
}

// Freed nodes do not count for long.
TEST(Bounds, FreedNodesMakeRoom) {
  std::vector<std::string> lines = header("hex:rows=2,columns=2");
  for (int id = 1; id <= 300'000; ++id) {
    lines.push_back("leaf " + std::to_string(id) + " WBB.");
    if (id > 100) lines.push_back("free " + std::to_string(id - 100));
  }
  check::Limits limits;
  limits.max_memory = 1 << 16;
  const check::Report report = check_bytes(sealed(lines), false, limits).report;
  EXPECT_EQ(report.counts.listed, 300'000u) << report.error;
  EXPECT_EQ(report.counts.most_live, 101u);
}

// After a line that is no proof it looks for damage, but not for long.
TEST(Bounds, EndsSoonAfterTheFirstError) {
  std::vector<std::string> lines = header("hex:rows=2,columns=2");
  lines.emplace_back("leaf 1 WWWW");
  for (int i = 0; i < 640; ++i) lines.emplace_back(60'000, 'x');
  for (const bool cut : {false, true}) {
    std::string text = sealed(lines);
    if (cut) text.pop_back();
    const Checked checked = check_bytes(text, false);
    EXPECT_EQ(checked.report.status, check::kNotProof);
    EXPECT_EQ(checked.report.line_number, 8u);
    EXPECT_LT(checked.read, 17u << 20);
  }
  lines.resize(100);
  EXPECT_EQ(check_bytes(sealed(lines), false).report.status, check::kNotProof);
  std::string damaged = sealed(lines);
  damaged[1'000'000] = 'y';
  EXPECT_EQ(check_bytes(damaged, false).report.status, check::kUnreadable);
}

// A file that grows beyond all measure is refused where it begins to: after a line that is no
// proof, in the middle of a line, in lines that say nothing.
TEST(Bounds, CompressedDataMayNotGrowWithoutEnd) {
  std::string lines;
  for (const std::string& line : header("pgame:branching=2,depth=3,tree=5")) {
    lines += line + '\n';
  }
  std::string dots;
  for (int id = 1; id <= 200; ++id) {
    dots += "leaf " + std::to_string(id) + " 0.0" + std::string(60'000, '.') + "0\n";
  }
  struct Case {
    std::string text;
    const char* error;
  };
  const std::vector<Case> cases = {
      {lines + "leaf 1 -\n" + run_of(100'000'000, '\n'), "blank too many"},
      {lines + "leaf 1 -\n" + run_of(50'000'000, 'x'), "too long"},
      {lines + "leaf 1 -\n" + dots + dots + dots + dots, "grows beyond 256 times"},
      {lines + run_of(50'000'000, 'x'), "too long"},
  };
  for (const Case& one : cases) {
    const check::Report report = check_bytes(compressed(one.text), true).report;
    EXPECT_EQ(report.status, check::kUnreadable);
    EXPECT_NE(report.error.find(one.error), std::string::npos) << report.error;
  }
}

// Certificates of this project are far from every limit.
TEST(Bounds, CertificatesAreFarBelow) {
  struct Case {
    const char* game;
    const char* algorithm;
    std::string position;
    const char* goal;
  };
  const std::vector<Case> cases = {
      {"hex:size=4", "dfpn", "", "win"},
      {"hex:size=4", "dfpn:zones=off", "", "win"},
      {"hex:size=4", "pn:zones=off", "b2", "win"},
      {"pgame:branching=3,depth=10,tree=1", "minimax", "", "value"},
      {"connect6:rows=4,columns=4,connect=3,stones=2", "pn", "", "value"},
      {"othello", "dfpn", random_othello(8, 12, 1), "score"},
      {"othello", "dfpn", random_othello(8, 11, 2), "score"},
      {"othello", "dfpn", random_othello(8, 10, 3), "win"},
      {"othello:size=6", "dfpn", random_othello(6, 10, 4), "score"}};
  for (const Case& one : cases) {
    check::Report report;
    const std::string text =
        certificate_of(ask(one.game, one.algorithm, one.position, one.goal), &report);
    EXPECT_LT(text.size(), 60 * compressed(text).size()) << one.game;
    EXPECT_LE(report.counts.brute_forced, 6 * text.size()) << one.game << ' ' << one.position;
    EXPECT_LT(report.counts.most_live, 66'000u);
  }
}

// Eight empty squares are searched for little text: the positions that may be looked at are a
// multiple of it.
TEST(Bounds, SearchesOfRecheckNodes) {
  const std::string root = random_othello(8, 9, 1);
  check::Report full;
  const std::string text = certificate_of(ask("othello", "dfpn", root, "score"), &full);
  ASSERT_GT(full.counts.brute_forced, 100u);
  check::Limits limits;
  limits.max_search = full.counts.brute_forced;
  EXPECT_EQ(check_bytes(text, false, limits).report.status, check::kValid);
  limits.max_search -= 1;
  const check::Report refused = check_bytes(text, false, limits).report;
  EXPECT_EQ(refused.status, check::kUnreadable);
  EXPECT_EQ(refused.error, "its recheck nodes and pairs need a search of more than " +
                               std::to_string(limits.max_search) +
                               " positions; --max-search allows more");
  // The same node again and again: as many as 1,000,000 positions and 16 a byte.
  const std::vector<std::string> lines = lines_of(text);
  std::vector<std::string> many(lines.begin(), lines.begin() + 7);
  std::string dearest;
  std::uint64_t most = 0;
  for (const std::string& line : lines) {
    if (!line.starts_with("recheck ") || line.find(" 8 ") == std::string::npos) continue;
    std::vector<std::string> one(lines.begin(), lines.begin() + 7);
    one.push_back(line);
    const check::Report report = check_bytes(sealed(one), false).report;
    const bool confirmed = report.error.find("no line 'root'") != std::string::npos;
    if (!confirmed || report.counts.brute_forced <= most) continue;
    most = report.counts.brute_forced;
    dearest = line.substr(line.find(" 8 "));
  }
  ASSERT_GT(most, 16u * 100);
  std::cout << "dearest recheck node of this proof: " << most << " positions\n";
  for (int id = 1; id <= 3000; ++id) {
    many.push_back("recheck " + std::to_string(id) + dearest);
  }
  const Checked again = check_bytes(sealed(many), false);
  EXPECT_NE(again.report.error.find("--max-search"), std::string::npos) << again.report.error;
  EXPECT_LE(again.report.counts.brute_forced, 1'000'001 + 16 * sealed(many).size());
}

}  // namespace
}  // namespace playproof::bounds_test
