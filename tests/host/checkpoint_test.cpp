// Files that were damaged, and files that were made up: nothing crashes, nothing is believed.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "games/core/error.h"
#include "host/tree/tree.h"
#include "saved.h"
#include "support.h"

namespace playproof::checkpoint_test {
namespace {

std::string in_chunks(const std::string& question, const std::string& state) {
  StringSink file;
  ChunkWriter writer(file);
  writer.begin(ChunkKind::kQuestion);
  writer.write(question);
  writer.begin(ChunkKind::kState);
  writer.write(state);
  writer.finish();
  return file.text;
}

// Reads a file of in_chunks() whose parts have these lengths.
void read_chunks(const std::string& content, std::string* question, std::string* state) {
  const File file = file_of(content);
  ChunkReader reader(file.get(), "run.ckpt");
  reader.begin(ChunkKind::kQuestion);
  reader.read(question->data(), question->size());
  reader.begin(ChunkKind::kState);
  reader.read(state->data(), state->size());
  reader.finish();
}

std::string error_of(const std::string& content, std::size_t question, std::size_t state) {
  std::string a(question, '\0');
  std::string b(state, '\0');
  try {
    read_chunks(content, &a, &b);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kData);
    return error.what();
  }
  return "";
}

// Bytes without pattern.
std::string noise(std::size_t size) {
  std::string bytes;
  std::uint64_t draw = size;
  while (bytes.size() < size) bytes += static_cast<char>(draw = mix64(draw));
  return bytes;
}

TEST(Chunks, RoundTrip) {
  constexpr std::size_t kMiB = 1 << 20;
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, kMiB - 1, kMiB,
                                 kMiB + 1, 3 * kMiB + 7}) {
    const std::string question = "who wins?";
    const std::string state = noise(size);
    std::string a(question.size(), '\0');
    std::string b(state.size(), '\0');
    const std::string content = in_chunks(question, state);
    read_chunks(content, &a, &b);
    EXPECT_EQ(a, question);
    EXPECT_EQ(b, state);
    EXPECT_LE(content.size(), 23 + question.size() + size + 16 * (size / kMiB + 3));
  }
}

TEST(Chunks, ManySmallWritesAreOneChunk) {
  StringSink file;
  ChunkWriter writer(file);
  writer.begin(ChunkKind::kState);
  for (int i = 0; i < 1000; ++i) writer.write("12345678");
  writer.finish();
  EXPECT_EQ(file.text.size(), 23u + 8000 + 2 * 16);
}

TEST(Chunks, TruncatedAnywhere) {
  const std::string content = in_chunks("question", noise(300));
  for (std::size_t size = 0; size < content.size(); ++size) {
    const std::string error = error_of(content.substr(0, size), 8, 300);
    ASSERT_NE(error, "") << size;
    EXPECT_TRUE(error.starts_with("run.ckpt: ")) << error;
    EXPECT_NE(error.find(", at offset "), std::string::npos) << error;
  }
  EXPECT_NE(error_of(content + '\n', 8, 300).find("something follows"), std::string::npos);
}

TEST(Chunks, EveryBitFlipped) {
  const std::string content = in_chunks("question", noise(300));
  EXPECT_EQ(error_of(content, 8, 300), "");
  for (std::size_t i = 0; i < content.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = content;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      ASSERT_NE(error_of(damaged, 8, 300), "") << "byte " << i << " bit " << bit;
    }
  }
}

TEST(Chunks, WrongVersionsAndFiles) {
  std::string content = in_chunks("question", "state");
  content[21] = '1';
  EXPECT_NE(error_of(content, 8, 5).find("another version than 9"), std::string::npos);
  EXPECT_NE(error_of("playproof-certificate 1\ngame hex\n", 8, 5).find("not a checkpoint"),
            std::string::npos);
  EXPECT_NE(error_of("", 8, 5).find("not a checkpoint"), std::string::npos);
  EXPECT_NE(error_of(std::string(1000, '\0'), 8, 5).find("not a checkpoint"), std::string::npos);
}

TEST(Chunks, OrderKindAndLengthMatter) {
  const std::string content = in_chunks("question", "state");
  EXPECT_NE(error_of(content, 7, 5), "");  // bytes left in a part
  EXPECT_NE(error_of(content, 9, 5), "");  // a part too short
  EXPECT_NE(error_of(content, 8, 6), "");
  const std::size_t head = 23;
  const std::size_t first = 8 + 8 + 8;
  const std::size_t second = 8 + 5 + 8;
  const std::string swapped = content.substr(0, head) + content.substr(head + first, second) +
                              content.substr(head, first) + content.substr(head + first + second);
  EXPECT_NE(error_of(swapped, 5, 8), "");
  const std::string twice = content.substr(0, head + first + second) + content.substr(head + first);
  EXPECT_NE(error_of(twice, 8, 10), "");
}

// A length that no chunk has is refused before memory is taken for it.
TEST(Chunks, HostileLength) {
  std::string content = in_chunks("question", "state");
  content.replace(23 + 4, 4, "\xff\xff\xff\xff");
  EXPECT_NE(error_of(content, 8, 5).find("impossible length"), std::string::npos);
}

// States without the chunks around them: what a forger can write who knows the checksum.

SolveRequest question(const std::string& algorithm) {
  SolveRequest request = ask("hex:size=3", algorithm, "a1");
  request.limits.max_nodes = 100000;
  return request;
}
const std::vector<std::string>& algorithms() {
  static const std::vector<std::string> all = {"pn",
                                               "pn:ties=path,stop=one",
                                               "pn:leaf=mobility,order=random",
                                               "deeppn",
                                               "mcpn",
                                               "ppn:playouts=5",
                                               "ppn:playouts=5,zones=off",
                                               "ppn:playouts=5,patterns=20",
                                               "pn:patterns=20",
                                               "ews:playouts=5",
                                               "mcts",
                                               "uct",
                                               "uct:reward=sign",
                                               "uct:zones=off",
                                               "dfpn:playouts=5",
                                               "dfpn:playouts=5,zones=off",
                                               "dfpn:leaf=unit,zones=off,table=1KiB",
                                               "dfpn:leaf=unit,table=1KiB",
                                               "dfpn:leaf=unit,patterns=20",
                                               "dfppn:playouts=5,zones=off",
                                               "dfppn:playouts=5",
                                               "dfppn:playouts=5,zones=off,table=1KiB",
                                               "dfews:playouts=5,zones=off",
                                               "dfews:playouts=5",
                                               "dfews:playouts=5,zones=off,table=1KiB"};
  return all;
}
// What rules cannot tell of a table are the numbers of its unsolved positions.
bool is_table_search(const std::string& algorithm) { return algorithm.starts_with("df"); }
// Nor its zones: they are held against the moves of the proof, before there is a verdict.
bool has_a_table_of_zones(const std::string& algorithm) {
  return is_table_search(algorithm) && algorithm != without_zones(algorithm);
}

std::string state_after(const SolveRequest& request, std::uint64_t iterations) {
  const auto solver = make_solver(request);
  solver->step(iterations);
  return saved(*solver);
}

// Loads and finishes; an Error is an answer too.
bool accepted(const SolveRequest& request, const std::string& state, Verdict right) {
  try {
    const auto solver = resumed(request, state);
    const SolveResult result = finish(*solver);
    if (result.reason == StopReason::kDecided) {
      EXPECT_EQ(result.verdict, right);
    }
    if (!has_a_table_of_zones(request.algorithm)) solver->self_check();
    return true;
  } catch (const Error& error) {
    EXPECT_TRUE(error.code() == ErrorCode::kData || error.code() == ErrorCode::kUsage)
        << error.what();
    return false;
  }
}

TEST(States, TruncatedAnywhere) {
  for (const std::string& algorithm : algorithms()) {
    const SolveRequest request = question(algorithm);
    const std::string state = state_after(request, 5);
    for (std::size_t size = 0; size < state.size(); size += nightly() ? 1 : 1 + size / 60) {
      EXPECT_THROW(resumed(request, state.substr(0, size)), Error);
    }
    EXPECT_THROW(resumed(request, state + 'x'), Error);
  }
}

TEST(States, EveryByteReplaced) {
  int refused = 0;
  int taken = 0;
  for (const std::string& algorithm : algorithms()) {
    const SolveRequest request = question(algorithm);
    const Verdict right = solve(request).verdict;
    for (const std::uint64_t iterations : {0, 4}) {
      const std::string state = state_after(request, iterations);
      for (std::size_t i = 0; i < state.size(); i += nightly() ? 1 : 19) {
        for (const int other : {1, 0x80}) {
          if ((other == 1) == (i % 2 == 0) && !nightly()) continue;  // by day one of them
          std::string forged = state;
          forged[i] = static_cast<char>(forged[i] ^ other);
          const bool good = accepted(request, forged, right);
          if (is_table_search(algorithm)) continue;
          refused += !good;
          taken += good;
        }
      }
    }
  }
  // What is taken: counts, times, padding, and estimates.
  EXPECT_GT(3 * refused, 5 * taken);
}

// Four bytes that say of an edge that its child does not exist: of PN at every place, for its
// numbers are taken from all children.
TEST(States, ChildrenThatDoNotExist) {
  const std::string no_node(sizeof kNoNode, '\xff');  // its bytes: all are ones
  static_assert(kNoNode == ~NodeIndex{0});
  for (const std::string& algorithm : algorithms()) {
    const SolveRequest request = question(algorithm);
    const Verdict right = solve(request).verdict;
    const std::string state = state_after(request, 4);
    const std::size_t stride = nightly() || algorithm == "pn" ? 1 : 37;
    for (std::size_t i = 0; i + no_node.size() <= state.size(); i += stride) {
      accepted(request, std::string(state).replace(i, no_node.size(), no_node), right);
    }
  }
}

TEST(States, RunsOfBytesReplaced) {
  for (const std::string& algorithm : algorithms()) {
    const SolveRequest request = question(algorithm);
    const Verdict right = solve(request).verdict;
    const std::string state = state_after(request, 40);
    std::uint64_t draw = 1;
    for (int round = 0; round < (nightly() ? 1500 : 120); ++round) {
      std::string forged = state;
      draw = mix64(draw);
      const std::size_t at = draw % state.size();
      const std::size_t length = 1 + (draw >> 32) % 24;
      const std::size_t from = mix64(draw) % state.size();
      for (std::size_t i = 0; i < length && at + i < forged.size() && from + i < state.size();
           ++i) {
        forged[at + i] = state[from + i];
      }
      accepted(request, forged, right);
    }
  }
}

TEST(States, OfAnotherSearchAreRefused) {
  for (const std::string& algorithm : algorithms()) {
    const SolveRequest request = question(algorithm);
    const std::string state = state_after(request, 30);
    SolveRequest other = request;
    other.position = "b2";
    EXPECT_THROW(resumed(other, state), Error) << algorithm;
    other.position = "a1";
    other.game = "hex:size=4";
    EXPECT_THROW(resumed(other, state), Error) << algorithm;
  }
}

TEST(States, HostileCounts) {
  const SolveRequest request = question("pn");
  const std::string state = state_after(request, 30);
  // reason, seconds, CPU seconds, no news; then sizes of node and edge, and the number of nodes.
  const std::size_t count = 1 + 8 + 8 + 1 + 4 + 4;
  std::uint64_t nodes = 0;
  std::memcpy(&nodes, state.data() + count, sizeof nodes);
  ASSERT_EQ(nodes, resumed(request, state)->result().counters.nodes_created);
  for (const std::uint64_t wrong :
       {std::uint64_t{0}, nodes - 1, nodes + 1, std::uint64_t{1} << 32, ~std::uint64_t{0}}) {
    std::string forged = state;
    std::memcpy(forged.data() + count, &wrong, sizeof wrong);
    try {
      resumed(request, forged);
      ADD_FAILURE() << wrong;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kData) << error.what();
    }
  }
}

// Of two-claim goals what is said of the earlier claim is believed, but nothing crashes.
TEST(States, TwoClaims) {
  for (const char* algorithm : {"pn", "ppn:playouts=5", "uct"}) {
    SolveRequest request = ask("othello:size=4", algorithm, "-XXX-XXXOOXX-OX- X", "score");
    request.limits.max_nodes = 20000;
    for (const bool proofs : {false, true}) {
      request.certificate = proofs;
      const std::string state = state_after(request, 12);
      for (std::size_t i = 0; i < state.size(); i += 1 + i / (nightly() ? 100 : 40)) {
        std::string forged = state;
        forged[i] = static_cast<char>(forged[i] ^ (1 << (i % 8)));
        try {
          finish(*resumed(request, forged));
        } catch (const Error& error) {
          EXPECT_NE(error.code(), ErrorCode::kOutput) << error.what();
        }
      }
    }
  }
}

}  // namespace
}  // namespace playproof::checkpoint_test
