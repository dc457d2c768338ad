// Proof zones in the searches that keep a tree, with each rule of host/zone/zone.h broken in turn:
// verdicts, the check of trees and the claims of zones tell.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>

#include "broken_hex.h"
#include "kernels/schemes/pn.h"
#include "zones_tree.h"

namespace playproof::zones_tree_broken_test {
namespace {

// Each rule broken: how often verdicts, the check of trees and the claims of zones tell.
struct Told {
  int verdicts = 0;
  int checks = 0;
  int claims = 0;
};
Told told_by(Broken rule, Knows knows = kNothing) {
  Told told;
  Draws draws(3);
  using G = BrokenHex;
  broken_rule = rule;
  const auto check = [&](const auto& rules, auto& all, const auto& position, auto i) {
    const bool attacker = Board::to_move(rules, position) == Player::kFirst;
    const bool reached = all.black_wins(position) == attacker;
    const auto look_at = [&](auto& driven, const auto& engine) {
      driven.drive(kToTheEnd, 1, i);
      const std::string fault = fault_of<G>(engine, rules, position, reached);
      told.verdicts += fault == "verdict";
      told.checks += fault.starts_with("node ");
      bool sound = true;
      walk<G>(engine.tree(), rules, position, [&](NodeIndex index, auto& node, auto& state) {
        sound = sound && (!node.decided || claim_holds<G>(engine, rules, state, index, all, draws));
      });
      told.claims += !sound;
    };
    const Claim claim{G::to_move(rules, position), 1};
    const SearchOptions options = with_zones(i, knows);
    using Engine = BestFirst<G, Pn>;
    with_engine<G, Engine>(look_at, rules, position, claim, Pn{},
                           Engine::Options{options, StopRule::kOwn});
    if (knows.bridges || knows.links || knows.patterns > 0) return;  // which that engine does not
    const MctsRule pure{5, MctsRule::Form::kPure, 0};
    with_engine<G, Mcts<G>>(look_at, rules, position, claim, pure, options);
  };
  for_some(3, 3, 19, check);
  return told;
}
TEST(ZonesTree, EachBrokenRuleIsFound) {
  const std::array<std::pair<const char*, Told>, 4> all = {
      {{"a winning set without a cell", told_by(Broken::kFinished)},
       {"the zone of the child without a cell", told_by(Broken::kWon)},
       {"a union without a reply", told_by(Broken::kLost)},
       {"siblings inside the zone", told_by(Broken::kOutside)}}};
  for (const auto& [what, told] : all) {
    EXPECT_GT(told.verdicts, 0) << what;
    EXPECT_GT(told.checks, 0) << what;
    EXPECT_GT(told.claims, 0) << what;
  }
  // What a probe says wrongly the check of trees asks again, and hears the same.
  const std::array<std::pair<const char*, Told>, 2> probes = {
      {{"a chain without a pair", told_by(Broken::kChain, kBridges)},
       {"a carrier without a cell", told_by(Broken::kCarrier, kLinks)}}};
  for (const auto& [what, told] : probes) {
    EXPECT_GT(told.verdicts, 0) << what;
    EXPECT_GT(told.claims, 0) << what;
  }
  const std::array<std::pair<const char*, Told>, 4> patterns = {
      {{"a stone of the loser in a pattern", told_by(Broken::kPatternZone, kPatterns)},
       {"a needed stone is not there", told_by(Broken::kPatternStones, kPatterns)},
       {"whoever moves", told_by(Broken::kPatternMover, kPatterns)},
       {"mirrored, and the players are not", told_by(Broken::kPatternMirror, kPatterns)}}};
  for (const auto& [what, told] : patterns) {
    EXPECT_GT(told.verdicts, 0) << what;
    EXPECT_GT(told.checks, 0) << what;
    EXPECT_GT(told.claims, 0) << what;
  }
}

}  // namespace
}  // namespace playproof::zones_tree_broken_test
