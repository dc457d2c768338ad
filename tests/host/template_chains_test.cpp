// Chains of bridges that end in edge templates (games/hex/edge_templates.h): against exhaustive
// search; in searches, which are checked and certified, and need fewer nodes for it.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "certified.h"
#include "games/core/random_position.h"
#include "host/solve/solver.h"
#include "tests/nightly.h"
#include "zone_truth.h"

namespace playproof::template_chains_test {
namespace {

using Board = SmallHex::Board;
using State = SmallHex::State;
using Cells = SmallHex::Cells;

Cells stones(const State& state, Player player) { return Connection<Board>::stones(state, player); }

struct Seen {
  int chains = 0;
  int by_templates = 0;
  int weakened = 0;  // lost once the opponent has a cell of a template and moves
};
void expect_true(SmallHex& truth, const State& state, Seen* seen) {
  for (const Player owner : {Player::kFirst, Player::kSecond}) {
    HexBridges<1> pairs(truth.rules(), static_cast<int>(owner));
    const Cells own = stones(state, owner);
    const Cells other = stones(state, opponent(owner));
    HexBridges<1>::Chain chain;
    HexBridges<1>::Chain plain;
    const bool without = pairs.find(own, other, &plain);
    if (!pairs.find(own, other, &chain, true)) {
      EXPECT_FALSE(without);
      continue;
    }
    ++seen->chains;
    EXPECT_EQ(truth.winner(state), owner);
    EXPECT_TRUE((chain.zone() & other).empty());
    EXPECT_TRUE(chain.stones.within(own));
    EXPECT_TRUE(plain.templates.empty());
    if (chain.templates.empty()) continue;
    ++seen->by_templates;
    for (std::uint64_t draw = 0; draw < 3; ++draw) {
      State match;
      const Player mover = Board::to_move(truth.rules(), state);
      if (!truth.draw_match(owner, chain.stones, chain.zone(), mover, mix64(own.words[0] + draw),
                            &match)) {
        continue;
      }
      EXPECT_EQ(truth.winner(match), owner);
    }
    // What a template leaves out matters: somebody else may have it.
    if (Board::to_move(truth.rules(), state) == owner) continue;
    for_each_cell(chain.templates, [&](int cell) {
      State next = state;
      Board::play(truth.rules(), next, static_cast<Move>(cell));
      HexBridges<1>::Chain after;
      const bool still = pairs.find(own, other | Cells::one(cell), &after, true);
      EXPECT_EQ(truth.winner(next), owner);
      seen->weakened += !still;
    });
  }
}

TEST(TemplateChains, AreTrue) {
  Seen seen;
  for (const auto& [rows, columns] : {std::pair{3, 4}, {4, 3}}) {
    SmallHex truth(rows, columns);
    for (const State& state : truth.positions()) expect_true(truth, state, &seen);
    if (HasFailure()) return;
  }
  for (const auto& [rows, columns] : {std::pair{3, 5}, {5, 3}, {4, 4}}) {
    SmallHex truth(rows, columns);
    for (std::uint64_t draw = 0; draw < (nightly() ? 1500 : 500); ++draw) {
      const auto plies = static_cast<int>(3 + draw % 8);
      const State state = random_position<Board>(truth.rules(), plies, draw);
      expect_true(truth, state, &seen);
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(seen.chains, 1000);
  EXPECT_GT(seen.by_templates, 100);
  EXPECT_GT(seen.weakened, 0);
}

std::uint64_t nodes_of(const std::string& algorithm, const std::string& game,
                       const std::string& position) {
  SolveRequest request;
  request.game = game;
  request.position = position;
  request.algorithm = algorithm;
  request.certificate = true;
  const std::unique_ptr<Solver> solver = make_solver(request);
  while (solver->step(100'000) == StopReason::kRunning) continue;
  const SolveResult result = solver->result();
  solver->self_check();
  expect_certified(*solver, request, result);
  return result.counters.nodes_created;
}

TEST(TemplateChains, SpareNodes) {
  for (const std::string algorithm : {"pn", "deeppn", "dfpn:leaf=unit"}) {
    std::uint64_t with = 0;
    std::uint64_t without = 0;
    const std::string separator = algorithm.find(':') == std::string::npos ? ":" : ",";
    for (const std::string position : {"a1", "b2", "c1", "d2"}) {
      SCOPED_TRACE(algorithm + " " + position);
      with += nodes_of(algorithm + separator + "probe=templates", "hex:size=4", position);
      without += nodes_of(algorithm + separator + "probe=bridges", "hex:size=4", position);
    }
    EXPECT_LT(with, without) << algorithm;
  }
}

}  // namespace
}  // namespace playproof::template_chains_test
