// Inferior cells in searches with a table (games/hex/fill.h): how far they go, certificates of what
// they decide, and that nothing else changes a count. That they are right: zones_table_test.cpp,
// agreement_test.cpp and tests/games/fill_test.cpp.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "certified.h"
#include "support.h"

namespace playproof::inferior_cells_test {
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

// The figures of README.md and docs/hex.md.
TEST(InferiorCells, DecideEmptyBoards) {
  const std::string tuned = "dfpn:A=1000000,playouts=256,epsilon=0.25,patterns=1024,";
  const struct {
    int size;
    std::string algorithm;
    std::uint64_t calls;
  } boards[] = {{5, "dfpn:patterns=1024,fill=off", 10006},
                {5, "dfpn:patterns=1024,fill=dead", 9876},
                {5, "dfpn:patterns=1024,fill=captured", 241},
                {5, "dfpn:patterns=1024,fill=full", 140},
                {6, tuned + "fill=captured", 19181},
                {6, tuned + "fill=full", 8815},
                {7, tuned + "probe=connections,fill=full", 784}};
  for (const auto& board : boards) {
    SCOPED_TRACE(board.algorithm);
    const auto [result, report] = decide("hex:size=" + std::to_string(board.size), board.algorithm);
    EXPECT_EQ(result.verdict, Verdict::kProved);
    EXPECT_EQ(result.counters.iterations, board.calls);
  }
}

TEST(InferiorCells, OfAllTableSearches) {
  for (const char* game : {"hex:size=4", "hex:rows=4,columns=6", "hex:rows=4,columns=18"}) {
    SCOPED_TRACE(game);
    for (const std::string& name : table_algorithms()) {
      SCOPED_TRACE(name);
      for (const char* level : {"dead", "captured", "full"}) {
        const std::string algorithm = name + ":patterns=64,probe=connections,fill=" + level;
        const auto [result, report] = decide(game, algorithm);
        EXPECT_NE(result.verdict, Verdict::kUnknown);
      }
    }
  }
}

// The proof is in the terms of the level: cells that are filled are listed.
TEST(InferiorCells, CertificatesSayWhatIsNeeded) {
  const auto version = [](const std::string& algorithm) {
    SolveRequest request = ask("hex:size=4", algorithm, "b3");
    request.certificate = true;
    const auto solver = make_solver(request);
    finish(*solver);
    TextSink text;
    solver->write_certificate(text);
    return text.text();
  };
  EXPECT_TRUE(version("dfpn:fill=off").starts_with("playproof-certificate 2\n"));
  EXPECT_TRUE(version("dfpn:fill=dead").starts_with("playproof-certificate 2\n"));
  for (const char* level : {"captured", "full"}) {
    const std::string text = version(std::string("dfpn:fill=") + level);
    EXPECT_TRUE(text.starts_with("playproof-certificate 4\n"));
    EXPECT_NE(text.find("\ncard-fill "), std::string::npos) << text;
  }
}

// Games without such cells have none.
TEST(InferiorCells, ElsewhereNothingChanges) {
  for (const char* game : {"othello:size=4", "nim:heaps=3.4.5", "pgame:branching=3,depth=6"}) {
    SCOPED_TRACE(game);
    const auto plain = finish(*make_solver(ask(game, "dfpn:leaf=unit")));
    const auto filled = finish(*make_solver(ask(game, "dfpn:leaf=unit,fill=full")));
    EXPECT_EQ(plain.verdict, filled.verdict);
    EXPECT_EQ(plain.counters.iterations, filled.counters.iterations);
  }
}

}  // namespace
}  // namespace playproof::inferior_cells_test
