// Zones of games with draws and races (games/core/zoned.h): three in a row, solved by every engine,
// checked, certified, and each zone held against exhaustive search.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "certified.h"
#include "games/core/random_position.h"
#include "host/solve/make_solver_impl.h"
#include "host/solve/make_table_solver_impl.h"
#include "host/table/check.h"
#include "host/table/depth_first.h"
#include "host/tree/check.h"
#include "kernels/schemes/pn.h"
#include "three_in_a_row.h"
#include "trees.h"

namespace playproof {

template <>
std::unique_ptr<PlayoutEvaluator<ThreeInARow>> make_evaluator<ThreeInARow>(
    const ThreeInARow::Rules& /*rules*/, const std::string& /*backend*/, int /*threads*/) {
  return std::make_unique<HashedEvaluator<ThreeInARow>>(1);
}

namespace zoned_race_test {
namespace {

using Rules = ThreeInARow::Rules;
using State = ThreeInARow::State;

// On 3x4.
Rules race_rules() { return ThreeInARow::make_rules(3, 4, 3, 1); }

int value_for_mover(RowTruth& truth, const Rules& rules, const State& state) {
  const int value = truth.value(CellSet<1>::of(state.stones[0]), CellSet<1>::of(state.stones[1]));
  return ThreeInARow::to_move(rules, state) == Player::kFirst ? value : -value;
}

// Positions with so many stones at least, some of each value for the side to move.
std::vector<State> positions_of_each_value(RowTruth& truth, const Rules& rules, int stones,
                                           int of_each) {
  std::vector<State> positions;
  int wanted[3] = {of_each, of_each, of_each};
  for (std::uint64_t draw = 1; draw < 2000; ++draw) {
    const int plies = stones + static_cast<int>(draw % 3);
    const State state = random_position<ThreeInARow>(rules, plies, draw);
    int& left = wanted[1 + value_for_mover(truth, rules, state)];
    if (state.count != plies || left == 0) continue;
    --left;
    positions.push_back(state);
  }
  EXPECT_EQ(positions.size(), 3u * static_cast<std::size_t>(of_each));
  return positions;
}

struct Solved {
  int draws = 0;
  std::uint64_t nodes = 0;
};
void expect_solved(RowTruth& truth, const std::string& algorithm, const State& position,
                   const std::string& goal, Solved* solved) {
  const Rules rules = race_rules();
  SolveRequest request;
  request.game = CertificateText<ThreeInARow>::game(rules);
  request.position = GameText<ThreeInARow>::format(rules, position);
  request.algorithm = algorithm;
  request.goal = goal;
  request.certificate = true;
  const auto read = read_request<ThreeInARow>(rules, request);
  const auto make = [&](int threshold) {
    return make_claim_solver<ThreeInARow>(rules, position, threshold, read.algorithm, request,
                                          read.names);
  };
  const bool both = read.goal.kind != Goal::Kind::kThreshold;
  const std::unique_ptr<Solver> solver =
      both ? make_two_claim_solver(
                 read.goal, -1, 1, Bracket::kBinary, request,
                 [&](int threshold, const SearchLimits&) { return make(threshold); })
           : make(read.goal.threshold);
  while (solver->step(10'000) == StopReason::kRunning) continue;
  const SolveResult result = solver->result();
  const int value = value_for_mover(truth, rules, position);
  solved->draws += value == 0;
  solved->nodes += result.counters.nodes_created;
  if (both) {
    EXPECT_EQ(result.lower, value);
    EXPECT_EQ(result.upper, value);
  } else {
    EXPECT_EQ(result.verdict,
              value >= read.goal.threshold ? Verdict::kProved : Verdict::kDisproved);
  }
  if (algorithm != "minimax") solver->self_check();
  expect_certified(*solver, request, result);
}

TEST(ZonedRace, EveryEngineSolvesIt) {
  const Rules rules = race_rules();
  RowTruth truth(rules);
  const std::vector<State> positions = positions_of_each_value(truth, rules, 3, 3);
  for (const CatalogueEntry& entry : algorithm_catalogue().entries) {
    if (!entry.game.empty()) continue;  // of one other game
    Solved solved;
    for (const State& position : positions) {
      for (const std::string goal : {"win", "draw", "value"}) {
        SCOPED_TRACE(entry.name + " " + goal + " " +
                     GameText<ThreeInARow>::format(rules, position));
        expect_solved(truth, entry.name, position, goal, &solved);
        if (HasFailure()) return;
      }
    }
    EXPECT_GT(solved.draws, 0);
  }
}

TEST(ZonedRace, ZonesSpareReplies) {
  const Rules rules = race_rules();
  RowTruth truth(rules);
  for (const std::string algorithm : {"pn", "dfpn"}) {
    Solved with;
    Solved without;
    for (const State& position : positions_of_each_value(truth, rules, 2, 2)) {
      for (const std::string goal : {"win", "draw"}) {
        expect_solved(truth, algorithm + ":zones=on", position, goal, &with);
        expect_solved(truth, algorithm + ":zones=off", position, goal, &without);
      }
    }
    EXPECT_LT(with.nodes, without.nodes) << algorithm;
  }
}

// Positions of a search whose zones claim what is not so; how many were asked about.
struct Claims {
  int asked = 0;
  int false_ones = 0;
};
template <class G>
void check_claim(RowTruth& truth, const State& state, const Claim& claim, const Bounds& bounds,
                 const CellSet<1>& zone, Claims* claims) {
  const bool proved = bounds.proves(claim.threshold);
  const Player winner = proved ? claim.attacker : opponent(claim.attacker);
  ++claims->asked;
  claims->false_ones += !truth.is_true(state, winner, zone, [&](int value) {
    return (value_for(claim.attacker, static_cast<Value>(value)) >= claim.threshold) == proved;
  });
}
template <class G>
Claims claims_of_tree(RowTruth& truth, const Rules& rules, const State& position,
                      const Claim& claim) {
  SearchOptions options;
  options.zones = true;
  BestFirst<G, Pn> search(rules, position, claim, Pn{}, {options});
  drive<G>(search, kToTheEnd);
  Claims claims;
  std::uint64_t i = 0;
  walk<G>(search.tree(), rules, position, [&](NodeIndex index, auto& node, const State& state) {
    if (!node.decided || ++i % 2 != 0 || claims.asked >= 150) return;
    check_claim<G>(truth, state, claim, node.bounds, search.zones().zone(index), &claims);
  });
  return claims;
}
template <class G>
Claims claims_of_table(RowTruth& truth, const Rules& rules, const State& position,
                       const Claim& claim) {
  DepthFirstOptions options;
  options.zones = options.table.beside = true;
  DepthFirst<G> search(rules, position, claim, options);
  drive<G>(search, kToTheEnd, 64);
  Claims claims;
  std::uint64_t i = 0;
  for (std::uint64_t place = 0; place < search.table().size(); ++place) {
    const auto& entry = search.table().entry(place);
    if (!entry.used() || !entry.bounds().decides(claim.threshold)) continue;
    if (++i % 2 != 0 || claims.asked >= 150) continue;
    State state;
    state.stones[0][0] = entry.id().words[0];
    state.stones[1][0] = entry.id().words[1];
    state.count = static_cast<std::uint16_t>(
        (CellSet<1>::of(state.stones[0]) | CellSet<1>::of(state.stones[1])).size());
    check_claim<G>(truth, state, claim, entry.bounds(), search.table().beside(place), &claims);
  }
  return claims;
}
template <class G>
Claims claims_of(bool tree) {
  const Rules rules = race_rules();
  RowTruth truth(rules);
  Claims all;
  for (const State& position : positions_of_each_value(truth, rules, 2, 3)) {
    for (const int threshold : {0, 1}) {
      const Claim claim{G::to_move(rules, position), static_cast<Value>(threshold)};
      const Claims more = tree ? claims_of_tree<G>(truth, rules, position, claim)
                               : claims_of_table<G>(truth, rules, position, claim);
      all.asked += more.asked;
      all.false_ones += more.false_ones;
    }
  }
  return all;
}

TEST(ZonedRace, ZonesClaimWhatIsTrue) {
  for (const bool tree : {false, true}) {
    const Claims claims = claims_of<ThreeInARow>(tree);
    EXPECT_GT(claims.asked, 300);
    EXPECT_EQ(claims.false_ones, 0);
  }
}
TEST(ZonedRace, AZoneThatForgetsTheOtherSideIsFound) {
  for (const bool tree : {false, true}) EXPECT_GT(claims_of<CarelessRow>(tree).false_ones, 0);
}

}  // namespace
}  // namespace zoned_race_test
}  // namespace playproof
