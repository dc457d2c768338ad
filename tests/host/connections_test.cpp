// Virtual connections as a probe of searches with a table and, beside bridges, of trees: how far
// they go, and certificates of what they decide. That they are right: zones_table_test.cpp,
// zones_tree_test.cpp, agreement_test.cpp and tests/games/links_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "certified.h"
#include "support.h"

namespace playproof::connections_test {
namespace {

struct Decided {
  SolveResult result;
  check::Report report;
};

Decided decide(const std::string& game, const std::string& algorithm,
               const std::string& position = "") {
  SolveRequest request = ask(game, algorithm, position);
  request.certificate = true;
  const auto solver = make_solver(request);
  Decided decided;
  decided.result = finish(*solver);
  decided.report = expect_certified(*solver, request, decided.result);
  return decided;
}

constexpr const char* kSearch = "dfpn:patterns=1024,probe=connections";
constexpr const char* kTuned =
    "dfpn:A=1000000,playouts=256,epsilon=0.25,patterns=1024,probe=connections";
constexpr const char* kFilled =
    "dfpn:A=1000000,playouts=256,epsilon=0.25,patterns=1024,probe=connections,fill=full";

constexpr const char* kOrdered = "dfpn:leaf=unit,epsilon=1,patterns=1024,probe=connections";

// The figures of README.md and docs/certificate.md.
TEST(Connections, DecideEmptyBoards) {
  const struct {
    int size;
    std::uint64_t calls;
    std::uint64_t listed;
  } boards[] = {{4, 2, 0}, {5, 1, 31}, {6, 24, 608}};
  for (const auto& board : boards) {
    SCOPED_TRACE(board.size);
    const auto [result, report] = decide("hex:size=" + std::to_string(board.size), kSearch);
    EXPECT_EQ(result.verdict, Verdict::kProved);
    EXPECT_EQ(result.counters.iterations, board.calls);
    EXPECT_GE(result.counters.links, 1u);
    if (board.listed != 0) {
      EXPECT_EQ(report.counts.listed, board.listed);
    }
  }
}

TEST(Connections, DecideSevenBySeven) {
  const auto [result, report] = decide("hex:size=7", kTuned);
  EXPECT_EQ(result.verdict, Verdict::kProved);
  EXPECT_EQ(result.counters.iterations, 2247u);
}

// With leaf numbers 1 and 1: without an order, in that of resistance, with widening too.
TEST(Connections, OrderSevenBySeven) {
  const struct {
    const char* more;
    std::uint64_t calls;
  } kinds[] = {{"", 1659}, {",order=resistance", 1175}, {",widening=0.25", 610}};
  for (const auto& kind : kinds) {
    if (kind.calls > 1000 && !nightly()) continue;
    SCOPED_TRACE(kind.more);
    const auto [result, report] = decide("hex:size=7", std::string(kOrdered) + kind.more);
    EXPECT_EQ(result.verdict, Verdict::kProved);
    EXPECT_EQ(result.counters.iterations, kind.calls);
  }
}

// With first numbers from the must-play.
TEST(Connections, MustPlayDecidesSevenBySeven) {
  const auto [result, report] =
      decide("hex:size=7", "dfpn:leaf=mustplay,epsilon=0.25,patterns=1024,widening=0.25,fill=full");
  EXPECT_EQ(result.verdict, Verdict::kProved);
  EXPECT_EQ(result.counters.iterations, 157u);
}

// Boards of more than 64 cells, and long ones.
TEST(Connections, DecideWideBoards) {
  for (const char* game :
       {"hex:rows=4,columns=18", "hex:rows=18,columns=4", "hex:rows=5,columns=14"}) {
    SCOPED_TRACE(game);
    for (const std::string& name : table_algorithms()) {
      SCOPED_TRACE(name);
      const auto [result, report] = decide(game, name + ":patterns=64,probe=connections");
      EXPECT_NE(result.verdict, Verdict::kUnknown);
      EXPECT_GE(result.counters.links, 1u);
    }
  }
}

// The empty board and openings in trees, against searches with a table that know neither.
TEST(Connections, DecideInTrees) {
  std::size_t turn = 0;
  const std::pair<const char*, std::vector<const char*>> boards[] = {
      {"hex:size=4", {"", "a1", "b1", "d1", "a2", "b2", "c3"}},
      {"hex:size=5", {"", "a1", "b2", "c3", "e1"}}};
  for (const auto& [game, openings] : boards) {
    for (const char* opening : openings) {
      const Verdict right = decide(game, "dfpn:patterns=1024", opening).result.verdict;
      for (const char* name : {"pn", "deeppn", "wpns", "mcpn", "ppn", "ews"}) {
        for (const char* probe : {":probe=connections", ":probe=bridges"}) {
          const bool bridges = std::string(probe) == ":probe=bridges";
          const bool small = std::string(game) == "hex:size=4";
          if (bridges && !small && std::string(name) != "ppn") continue;
          if (++turn % 7 != 0 && !nightly()) continue;
          SCOPED_TRACE(std::string(game) + ' ' + opening + ' ' + name + probe);
          const auto [result, report] = decide(game, std::string(name) + probe, opening);
          EXPECT_EQ(result.verdict, right);
          EXPECT_GE(bridges ? result.counters.bridges : result.counters.links, 1u);
        }
      }
    }
  }
}

// The winners that the data files name: those that take long only at night.
TEST(Connections, DecideOpenings) {
  const struct {
    int size;
    const char* algorithm;
    const char* file;
    std::vector<std::string> quick;
  } boards[] = {{6, kTuned, "hex-6x6-openings.txt", {"a1", "c1", "d1", "e1", "c4", "e4"}},
                {6, kFilled, "hex-6x6-openings.txt", {"a1", "b2", "d2", "c4"}},
                {7, kFilled, "hex-7x7-openings.txt", {"d4", "e5"}}};
  for (const auto& board : boards) {
    std::size_t looked_at = 0;
    for (const std::string& line : data_lines(board.file)) {
      const auto words = words_of(line);
      const bool quick =
          std::find(board.quick.begin(), board.quick.end(), words[0]) != board.quick.end();
      if (!quick && !nightly()) continue;
      SCOPED_TRACE(line);
      ++looked_at;
      const auto [result, report] =
          decide("hex:size=" + std::to_string(board.size), board.algorithm, words[0]);
      // White is to move.
      EXPECT_EQ(result.verdict, words[1] == "W" ? Verdict::kProved : Verdict::kDisproved);
    }
    EXPECT_GE(looked_at, board.quick.size());
  }
}

}  // namespace
}  // namespace playproof::connections_test
