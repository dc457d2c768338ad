// Every sentence of the concept LeafProbe (host/probe/leaf_probe.h) that a compiler cannot check,
// on positions of random play. A new probe joins by one test.
#include <gtest/gtest.h>

#include <string>

#include "games/list.h"
#include "host/probe/endings.h"
#include "host/probe/leaf_probe.h"
#include "host/probe/tree_probes.h"
#include "host/solve/solver.h"
#include "host/tree/second_level.h"
#include "support.h"
#include "tests/conformance.h"

namespace playproof::probe_conformance_test {
namespace {

template <Game G, LeafProbe<G> Probe>
class ProbeConformance {
 public:
  using State = typename G::State;

  ProbeConformance(const typename G::Rules& rules, Probe& probe) : rules_(rules), probe_(probe) {}

  // Asks about the positions of a random game from `state` on; returns how many were decided.
  int play(State state, std::uint64_t seed) {
    Draws draws(seed);
    while (!G::finished(rules_, state)) {
      if (probe_.applies_to(state)) check(state);
      Move moves[G::kMaxMoves];
      G::play(rules_, state, moves[draws.below(G::moves(rules_, state, moves))]);
    }
    return decided_;
  }

 private:
  void check(const State& state) {
    for (const Player attacker : {Player::kFirst, Player::kSecond}) {
      for (const int threshold : {-2, 0, 1, 3}) {
        const Claim claim{attacker, static_cast<Value>(threshold)};
        const Bounds any = unknown_bounds<G>(rules_, attacker);
        if (any.decides(claim.threshold)) continue;
        const ProbeAnswer<G> answer = ask(probe_, state, claim);
        EXPECT_GE(answer.bounds.lower(), any.lower());
        EXPECT_LE(answer.bounds.upper(), any.upper());
        EXPECT_LE(answer.bounds.lower(), answer.bounds.upper());
        if (answer.bounds.decides(claim.threshold)) {
          ++decided_;
          EXPECT_FALSE(answer.numbers.given()) << "numbers are of open positions";
          EXPECT_EQ(answer.bounds.proves(claim.threshold), reaches(state, claim));
        }
        check_again(state, claim, answer);
      }
    }
  }
  // In slices, and after another question: the same answer at the same cost.
  void check_again(const State& state, const Claim& claim, const ProbeAnswer<G>& answer) {
    Counters once;
    Counters twice;
    probe_.count(once);
    ask(probe_, state, {opponent(claim.attacker), claim.threshold});
    probe_.begin(state, claim);
    int slices = 1;
    while (!probe_.run(3)) ++slices;
    most_slices_ = std::max(most_slices_, slices);
    probe_.count(twice);
    const ProbeAnswer<G> again = probe_.answer();
    EXPECT_EQ(again.bounds, answer.bounds);
    EXPECT_EQ(again.numbers.pn, answer.numbers.pn);
    EXPECT_EQ(again.numbers.dn, answer.numbers.dn);
    expect_same_counters(once, twice);
  }
  bool reaches(const State& state, const Claim& claim) const {
    int value = 0;
    visit_moves(state, &value, claim.attacker);
    return value >= claim.threshold;
  }
  // Plain minimax.
  void visit_moves(const State& state, int* value, Player attacker) const {
    if (G::finished(rules_, state)) {
      *value = value_for(attacker, G::value(rules_, state));
      return;
    }
    const bool best = G::to_move(rules_, state) == attacker;
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, state, moves);
    for (int i = 0; i < count; ++i) {
      State child = state;
      G::play(rules_, child, moves[i]);
      int next = 0;
      visit_moves(child, &next, attacker);
      if (i == 0 || (best ? next > *value : next < *value)) *value = next;
    }
  }

  typename G::Rules rules_;
  Probe& probe_;
  int decided_ = 0;
  int most_slices_ = 0;
};

TEST(ProbeConformance, Endings) {
  const auto rules = Othello::make_rules(6);
  SearchOptions options;
  options.endings = 5;
  EndingProbe<Othello> probe(rules, options);
  int decided = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    decided += ProbeConformance<Othello, EndingProbe<Othello>>(rules, probe)
                   .play(Othello::initial(rules), seed);
  }
  EXPECT_GT(decided, 100);
  EXPECT_FALSE((EndingProbe<Hex<1>>(Hex<1>::make_rules(3, 3), options).on()));
  options.endings = 0;
  EXPECT_FALSE((EndingProbe<Othello>(rules, options).on()));
}

// Bridges and virtual connections of either player, and the exact ending among the probes of a
// tree.
TEST(ProbeConformance, LeafProbesOfTrees) {
  const auto rules = Hex<1>::make_rules(3, 3);
  for (const bool links : {false, true}) {
    SearchOptions options;
    options.zones = true;
    options.bridges = !links;
    options.links = links;
    TreeProbes<Hex<1>> probe(rules, options);
    int decided = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      auto opening = Hex<1>::initial(rules);
      Hex<1>::play(rules, opening, static_cast<Move>(seed % 9));
      decided += ProbeConformance<Hex<1>, TreeProbes<Hex<1>>>(rules, probe).play(opening, seed);
    }
    EXPECT_GT(decided, 20);
    options.zones = false;
    EXPECT_FALSE(TreeProbes<Hex<1>>(rules, options).applies_to(Hex<1>::initial(rules)));
  }
  const auto squares = Othello::make_rules(6);
  SearchOptions options;
  options.endings = 5;
  TreeProbes<Othello> probe(squares, options);
  EXPECT_TRUE(probe.has_endings());
  const int decided = ProbeConformance<Othello, TreeProbes<Othello>>(squares, probe)
                          .play(Othello::initial(squares), 1);
  EXPECT_GT(decided, 5);
}

// Of a small tree, so that it decides some positions and gives numbers of the others.
TEST(ProbeConformance, SecondLevel) {
  const auto rules = Othello::make_rules(4);
  const auto start = GameText<Othello>::parse(rules, random_othello(4, 7, 2));
  const Claim claim{Player::kFirst, 1};
  SearchOptions options;
  options.max_bytes = 1 << 24;
  SecondLevel<Othello> probe(rules, start, claim, Pn{}, options);
  probe.give_room({.nodes = 40, .max_bytes = 1 << 24});
  int decided = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    decided += ProbeConformance<Othello, SecondLevel<Othello>>(rules, probe).play(start, seed);
  }
  EXPECT_GT(decided, 50);
}

}  // namespace
}  // namespace playproof::probe_conformance_test
