// The formulas of the schemes: leaf rules, back-up rules, preferences. Numbers are those of the
// thesis' figures 5-1 to 5-6 (their text), of the survey's rules, and worked out by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <vector>

#include "host/tree/mcts.h"
#include "kernels/schemes/deep_pn.h"
#include "kernels/schemes/ews.h"
#include "kernels/schemes/mcpn.h"
#include "kernels/schemes/pn.h"
#include "kernels/schemes/ppn.h"
#include "kernels/schemes/wpns.h"
#include "tests/conformance.h"

namespace playproof::rules_test {
namespace {

// Children as the engine shows them to a scheme.
template <class Label>
class Family {
 public:
  struct Child {
    Label label;
    bool decided = false;
    bool open() const { return !decided; }
  };
  void add(const Label& label, bool solved) { children_.push_back({label, solved}); }
  int size() const { return static_cast<int>(children_.size()); }
  const Child& operator[](int i) const { return children_[static_cast<std::size_t>(i)]; }

 private:
  std::vector<Child> children_;
};

template <class Scheme>
typename Scheme::Label back_up(const Scheme& scheme, bool or_node,
                               std::initializer_list<typename Scheme::Label> labels) {
  using Label = typename Scheme::Label;
  Family<Label> family;
  for (const Label& label : labels) {
    family.add(label, label == scheme.proved() || label == scheme.disproved());
  }
  Label result{};
  scheme.back_up(or_node, family, result);
  return result;
}

constexpr bool kOr = true;
constexpr bool kAnd = false;

Leaf leaf_with(double reached, double playouts) {
  Leaf leaf;
  leaf.reached = reached;
  leaf.playouts = playouts;
  return leaf;
}

// --- PN ------------------------------------------------------------------------------------------

TEST(PnRules, MinAndSum) {
  const Pn pn;
  EXPECT_EQ(back_up(pn, kOr, {{3, 2}, {1, 4}, {2, 7}}), (PnLabel{1, 13}));
  EXPECT_EQ(back_up(pn, kAnd, {{3, 2}, {1, 4}, {2, 7}}), (PnLabel{6, 2}));
}

TEST(PnRules, SolvedChildrenCountAsNothingOrInfinity) {
  const Pn pn;
  EXPECT_EQ(pn.proved(), (PnLabel{0, kInfinity}));
  EXPECT_EQ(pn.disproved(), (PnLabel{kInfinity, 0}));
  EXPECT_EQ(back_up(pn, kOr, {pn.disproved(), {4, 5}}), (PnLabel{4, 5}));
  EXPECT_EQ(back_up(pn, kAnd, {pn.proved(), {4, 5}}), (PnLabel{4, 5}));
}

// Survey, figure 2: an OR root over AND nodes whose leaves are unknown (1, 1) or terminal wins;
// a child of two terminal wins and one unknown leaf needs one leaf to be proved.
TEST(PnRules, TwoTerminalWins) {
  const Pn pn;
  const PnLabel unknown = pn.leaf({});
  EXPECT_EQ(unknown, (PnLabel{1, 1}));
  const PnLabel b = back_up(pn, kAnd, {unknown, unknown, unknown});
  const PnLabel c = back_up(pn, kAnd, {pn.proved(), pn.proved(), unknown});
  EXPECT_EQ(b, (PnLabel{3, 1}));
  EXPECT_EQ(c, (PnLabel{1, 1}));
  EXPECT_EQ(back_up(pn, kOr, {b, c}), (PnLabel{1, 2}));
  EXPECT_TRUE(pn.prefers(kOr, c, b));
  EXPECT_FALSE(pn.prefers(kOr, b, c));
  EXPECT_FALSE(pn.prefers(kAnd, b, c) || pn.prefers(kAnd, c, b));
}

// S4's sample tree, from Allis' thesis. The text names the leaves E, F, I, L, M, N, P (unknown), K
// (true), O (false), the AND nodes B, D, G, H, J and the OR nodes A, C; by the order of the letters
// A has the children B C D, B has E F, C has G H, D has I J, G has K L, H has M N, J has O P.
TEST(PnRules, SampleTreeOfAllis) {
  const Pn pn;
  const PnLabel unknown = pn.leaf({});
  const PnLabel g = back_up(pn, kAnd, {pn.proved(), unknown});
  const PnLabel h = back_up(pn, kAnd, {unknown, unknown});
  // J and D are false: their bounds say so, and infinity is theirs; a mere sum stops at the cap
  // (E8).
  const PnLabel j = pn.disproved();
  const PnLabel d = pn.disproved();
  EXPECT_EQ(back_up(pn, kAnd, {pn.disproved(), unknown}), (PnLabel{kProofNumberCap, 0}));
  EXPECT_EQ(back_up(pn, kAnd, {unknown, j}), (PnLabel{kProofNumberCap, 0}));
  const PnLabel b = back_up(pn, kAnd, {unknown, unknown});
  const PnLabel c = back_up(pn, kOr, {g, h});
  EXPECT_EQ(g, (PnLabel{1, 1}));  // L
  EXPECT_EQ(h, (PnLabel{2, 1}));
  EXPECT_EQ(b, (PnLabel{2, 1}));
  EXPECT_EQ(c, (PnLabel{1, 2}));
  EXPECT_EQ(back_up(pn, kOr, {b, c, d}), (PnLabel{1, 3}));
  // The smallest proof set {L} and the smallest disproof sets, such as {E, L, M}, have L in common:
  // the most-proving node, A C G L (K is solved).
  EXPECT_TRUE(pn.prefers(kOr, c, b));
  EXPECT_TRUE(pn.prefers(kOr, c, d));
  EXPECT_TRUE(pn.prefers(kOr, g, h));
}

TEST(PnRules, LargeSumsOfUnsolvedNodesStopAtTheCap) {
  const Pn pn;
  const PnLabel big{kProofNumberCap - 1, kProofNumberCap - 1};
  EXPECT_EQ(back_up(pn, kOr, {big, big}), (PnLabel{kProofNumberCap - 1, kProofNumberCap}));
  EXPECT_EQ(back_up(pn, kAnd, {big, big}), (PnLabel{kProofNumberCap, kProofNumberCap - 1}));
}

TEST(PnRules, MobilityLeafShowsTheNumbersOfOneExtraPly) {
  const Pn mobility{true};
  const Pn unit;
  Leaf leaf;
  leaf.mobility = 3;
  const std::initializer_list<PnLabel> children = {unit.leaf({}), unit.leaf({}), unit.leaf({})};
  leaf.or_node = kOr;
  EXPECT_EQ(mobility.leaf(leaf), back_up(unit, kOr, children));
  leaf.or_node = kAnd;
  EXPECT_EQ(mobility.leaf(leaf), back_up(unit, kAnd, children));
}

TEST(DeepestRules, TiesGoToTheDeepestMostProvingNode) {
  const DeepestPn deepest;
  EXPECT_TRUE(deepest.prefers(kOr, {2, 1, 7}, {2, 1, 4}));
  EXPECT_FALSE(deepest.prefers(kOr, {3, 1, 7}, {2, 1, 4}));
  EXPECT_TRUE(deepest.prefers(kAnd, {9, 1, 5}, {2, 1, 4}));
  EXPECT_EQ(back_up(deepest, kOr, {{2, 1, 4}, {2, 1, 7}, {3, 1, 9}}), (DeepestPn::Label{2, 3, 7}));
}

// --- WPNS ---------------------------------------------------------------------------------------

TEST(WpnsRules, TheHeaviestChildAndOneForEachOther) {
  const Wpns wpns;
  EXPECT_EQ(back_up(wpns, kOr, {{3, 2}, {1, 4}, {2, 7}}), (PnLabel{1, 9}));
  EXPECT_EQ(back_up(wpns, kAnd, {{3, 2}, {1, 4}, {2, 7}}), (PnLabel{5, 2}));
}

// E3: solved children are not among the k.
TEST(WpnsRules, OnlyUnsolvedChildrenCount) {
  const Wpns wpns;
  EXPECT_EQ(back_up(wpns, kOr, {wpns.disproved(), {4, 5}}), (PnLabel{4, 5}));
  EXPECT_EQ(back_up(wpns, kAnd, {wpns.proved(), {4, 5}, wpns.proved(), {2, 3}}), (PnLabel{5, 3}));
}

// Survey, figure 7: of an AND node two children lead to one leaf D, which PN counts twice.
TEST(WpnsRules, CountsATranspositionLess) {
  const PnLabel d{20, 1};
  EXPECT_EQ(back_up(Pn{}, kAnd, {d, d}).pn, 40u);
  EXPECT_EQ(back_up(Wpns{}, kAnd, {d, d}).pn, 21u);
}

TEST(WpnsRules, LargeNumbersStopAtTheCap) {
  const PnLabel big{kProofNumberCap, kProofNumberCap};
  EXPECT_EQ(back_up(Wpns{}, kOr, {big, big}), (PnLabel{kProofNumberCap, kProofNumberCap}));
}

// --- DeepPN --------------------------------------------------------------------------------------

TEST(DeepPnRules, BothNormsWithTheChildsDelta) {
  const DeepPn inv{0.6, false};
  const DeepPn inv1{0.6, true};
  const DeepPnLabel child{4, 5, 8};
  EXPECT_DOUBLE_EQ(inv.dpn(kOr, child), (1 - 1.0 / 4) * 0.6 + 0.4 / 8);
  EXPECT_DOUBLE_EQ(inv.dpn(kAnd, child), (1 - 1.0 / 5) * 0.6 + 0.4 / 8);
  EXPECT_DOUBLE_EQ(inv1.dpn(kOr, child), (1 - 1.0 / 5) * 0.6 + 0.4 / 8);
  EXPECT_DOUBLE_EQ(inv1.dpn(kAnd, child), (1 - 1.0 / 6) * 0.6 + 0.4 / 8);
}

// E35: the root is depth 0 and its deep is 1; a child of the root has deep 1/1.
TEST(DeepPnRules, DeepOfALeafIsOneOverItsDepth) {
  const DeepPn deep;
  Leaf leaf;
  for (const std::uint32_t depth : {0u, 1u, 2u, 9u}) {
    leaf.depth = depth;
    EXPECT_EQ(deep.leaf(leaf), (DeepPnLabel{1, 1, depth == 0 ? 1 : depth}));
  }
}

TEST(DeepPnRules, DeepIsInheritedFromTheUnsolvedChildWithLeastDpn) {
  const DeepPn deep{0.5, false};
  // DPN: 0.5 * (1 - 1/2) + 0.5/2 = 0.5; 0.5 * (1 - 1/4) + 0.5/10 = 0.425.
  EXPECT_EQ(back_up(deep, kOr, {{2, 1, 2}, {4, 1, 10}}), (DeepPnLabel{2, 2, 10}));
  EXPECT_EQ(back_up(deep, kOr, {{2, 1, 2}, deep.disproved()}), (DeepPnLabel{2, 1, 2}));
}

TEST(DeepPnRules, LimitsOfR) {
  const DeepPn best_first{1, false};
  EXPECT_TRUE(best_first.prefers(kOr, {2, 1, 1}, {3, 1, 99}));
  EXPECT_FALSE(best_first.prefers(kOr, {2, 1, 99}, {2, 1, 1}));
  const DeepPn depth_first{0, false};
  EXPECT_TRUE(depth_first.prefers(kOr, {50, 1, 3}, {1, 1, 2}));
  EXPECT_FALSE(depth_first.prefers(kOr, {1, 1, 2}, {50, 1, 2}));
}

// --- leaves of the Monte-Carlo schemes
// -------------------------------------------------------------

// E15: the thesis prints the case R = 1 twice. theta keeps pn + dn = 1 and neither number at 0.
TEST(McpnRules, LeafIsOneMinusR) {
  const Mcpn mcpn{10, {false, 0.01}};
  EXPECT_EQ(mcpn.leaf(leaf_with(3, 10)), (McpnLabel{1 - 0.3, 0.3}));
  EXPECT_EQ(mcpn.leaf(leaf_with(10, 10)), (McpnLabel{1 - (1 - 0.01), 1 - 0.01}));
  EXPECT_EQ(mcpn.leaf(leaf_with(0, 10)), (McpnLabel{1 - 0.01, 0.01}));
}

// E18: below 1/(2n) theta changes no leaf but those with R = 0 or 1, and never their order.
TEST(LeafRules, ThetaOnlyMovesTheEnds) {
  for (const int n : {1, 2, 10, 60, 1000}) {
    for (const double theta : {0.25 / n, 0.4999 / n, 1e-9}) {
      const WinRateRule clamp{false, theta};
      for (int w = 0; w <= n; ++w) {
        const double p = clamp(leaf_with(w, n));
        EXPECT_GT(p, 0);
        EXPECT_LT(p, 1);
        if (w == 0) continue;
        EXPECT_GT(p, clamp(leaf_with(w - 1, n)));
        if (w < n) {
          EXPECT_EQ(p, static_cast<double>(w) / n);
        }
      }
      EXPECT_EQ(clamp(leaf_with(0, n)), theta);
      EXPECT_EQ(clamp(leaf_with(n, n)), 1 - theta);
    }
  }
}

TEST(LeafRules, BetaIsThePosteriorMean) {
  const WinRateRule beta{true, 0};
  EXPECT_DOUBLE_EQ(beta(leaf_with(0, 10)), 0.5 / 11);
  EXPECT_DOUBLE_EQ(beta(leaf_with(7, 10)), 7.5 / 11);
  EXPECT_DOUBLE_EQ(beta(leaf_with(10, 10)), 10.5 / 11);
}

// --- the thesis' figures
// -----------------------------------------------------------------------------

McpnLabel pn_of(double pn) { return {pn, 1 - pn}; }
Probability ppn_of(double p) { return Probability::from(p); }

// Figures 5-1, 5-2: under MIN both trees show 0.2, though (a) has only small numbers (0.2, 0.2,
// 0.3); under (5.1) (a) is worth more.
TEST(ThesisFigures, OrNode) {
  const Mcpn mcpn;
  EXPECT_EQ(back_up(mcpn, kOr, {pn_of(0.2), pn_of(0.2), pn_of(0.3)}).pn, 0.2);
  EXPECT_EQ(back_up(mcpn, kOr, {pn_of(0.2), pn_of(0.8), pn_of(0.9)}).pn, 0.2);
  const Ppn ppn;
  const auto a = back_up(ppn, kOr, {ppn_of(0.8), ppn_of(0.8), ppn_of(0.7)});
  const auto b = back_up(ppn, kOr, {ppn_of(0.8), ppn_of(0.2), ppn_of(0.1)});
  EXPECT_NEAR(a.value(), 1 - 0.2 * 0.2 * 0.3, 1e-15);
  EXPECT_NEAR(b.value(), 1 - 0.2 * 0.8 * 0.9, 1e-15);
  EXPECT_TRUE(b < a);
}

// Figures 5-3, 5-4: one leaf of 0.8 makes (b) likely to fail; SUM does not see it, (5.2) does.
TEST(ThesisFigures, AndNode) {
  const Mcpn mcpn;
  const auto sum_a = back_up(mcpn, kAnd, {pn_of(0.25), pn_of(0.25), pn_of(0.5)});
  const auto sum_b = back_up(mcpn, kAnd, {pn_of(0.125), pn_of(0.075), pn_of(0.8)});
  EXPECT_DOUBLE_EQ(sum_a.pn, 1);
  EXPECT_DOUBLE_EQ(sum_b.pn, 1);
  EXPECT_EQ(sum_a.dn, 0.5);
  const Ppn ppn;
  const auto a = back_up(ppn, kAnd, {ppn_of(0.75), ppn_of(0.75), ppn_of(0.5)});
  const auto b = back_up(ppn, kAnd, {ppn_of(0.875), ppn_of(0.925), ppn_of(0.2)});
  EXPECT_NEAR(a.value(), 0.28125, 1e-15);
  EXPECT_NEAR(b.value(), 0.161875, 1e-15);
  EXPECT_TRUE(b < a);
}

// Figures 5-5, 5-6: equal means, but one child of 0.9 makes (b) likelier to be proved.
TEST(ThesisFigures, MeanAgainstOrRule) {
  const Ppn ppn;
  const auto a = back_up(ppn, kOr, {ppn_of(0.5), ppn_of(0.5), ppn_of(0.5)});
  const auto b = back_up(ppn, kOr, {ppn_of(0.9), ppn_of(0.3), ppn_of(0.3)});
  EXPECT_NEAR(a.value(), 0.875, 1e-15);
  EXPECT_NEAR(b.value(), 0.951, 1e-15);
  EXPECT_TRUE(a < b);
}

// E16: MCPN backs up by MIN and SUM, although (3) of the thesis speaks of probabilities.
TEST(McpnRules, MinAndSumWithSolvedChildren) {
  const Mcpn mcpn;
  EXPECT_EQ(back_up(mcpn, kOr, {mcpn.disproved(), pn_of(0.75)}), (McpnLabel{0.75, 0.25}));
  EXPECT_EQ(back_up(mcpn, kAnd, {mcpn.proved(), pn_of(0.75)}), (McpnLabel{0.75, 0.25}));
  EXPECT_TRUE(mcpn.prefers(kOr, pn_of(0.2), pn_of(0.3)));
  EXPECT_TRUE(mcpn.prefers(kAnd, pn_of(0.3), pn_of(0.2)));
}

// E17: 1 - prod(1 - p), not 1 - (prod 1 - p). E20: the greatest at OR, the least at AND.
TEST(PpnRules, SolvedChildrenAndPreference) {
  const Ppn ppn;
  EXPECT_EQ(back_up(ppn, kOr, {ppn.disproved(), ppn_of(0.25)}), ppn_of(0.25));
  EXPECT_EQ(back_up(ppn, kAnd, {ppn.proved(), ppn_of(0.25)}), ppn_of(0.25));
  EXPECT_EQ(back_up(ppn, kOr, {ppn_of(0.5), ppn_of(0.5)}), ppn_of(0.75));
  EXPECT_EQ(back_up(ppn, kAnd, {ppn_of(0.5), ppn_of(0.5)}), ppn_of(0.25));
  EXPECT_TRUE(ppn.prefers(kOr, ppn_of(0.6), ppn_of(0.5)));
  EXPECT_TRUE(ppn.prefers(kAnd, ppn_of(0.5), ppn_of(0.6)));
}

// --- EWS ----------------------------------------------------------------------------------------

// 3 and 8 to be proved with win rates of 3/4 and 1/2 (2 wins of 2 visits, none of none and one in
// two beside them): 3 / (3/4) = 4 comes before 8 / (1/2) = 16, and 8 is needed once in four times.
TEST(EwsRules, WorkUntilOneChildDecides) {
  const Ews ews;
  const EwsLabel a{3, 5, 2, 2};
  const EwsLabel b{8, 7, 0, 0};
  EXPECT_EQ(back_up(ews, kOr, {a, b}), (EwsLabel{3 + 8 * 0.25, 5 + 7, 2, 2}));
  EXPECT_EQ(back_up(ews, kOr, {b, a}), back_up(ews, kOr, {a, b}));
  EXPECT_TRUE(ews.prefers(kOr, a, b));
  EXPECT_DOUBLE_EQ(ews.cost(kOr, a), 4);
  EXPECT_DOUBLE_EQ(ews.cost(kOr, b), 16);
  // Disproofs: 5 / (1/4) = 20 comes after 7 / (1/2) = 14.
  EXPECT_EQ(back_up(ews, kAnd, {a, b}), (EwsLabel{3 + 8, 7 + 5 * 0.5, 2, 2}));
  EXPECT_TRUE(ews.prefers(kAnd, b, a));
}

// The least work is not the best first try, nor is the greatest chance.
TEST(EwsRules, OrderIsByWorkOverChance) {
  const Ews ews;
  const EwsLabel cheap{2, 1, 0, 14};     // 2 / (1/16) = 32
  const EwsLabel likely{60, 1, 14, 14};  // 60 / (15/16) = 64
  const EwsLabel between{10, 1, 7, 14};  // 10 / (1/2) = 20
  EXPECT_TRUE(ews.prefers(kOr, between, cheap) && ews.prefers(kOr, cheap, likely));
  EXPECT_DOUBLE_EQ(back_up(ews, kOr, {likely, cheap, between}).proof,
                   10 + 0.5 * (2 + 15.0 / 16 * 60));
}

TEST(EwsRules, SolvedChildrenDropOut) {
  const Ews ews;
  const EwsLabel open{4, 6, 3, 10};
  EXPECT_EQ(back_up(ews, kOr, {ews.disproved(), open, ews.disproved()}), open);
  EXPECT_EQ(back_up(ews, kAnd, {open, ews.proved()}), open);
}

// What the children cost in this order, until one decides the node.
double work_in_order(bool or_node, const std::vector<EwsLabel>& children) {
  double work = 0;
  double none = 1;
  for (const EwsLabel& c : children) {
    work += none * (or_node ? c.proof : c.disproof);
    none *= or_node ? c.loss_rate() : c.win_rate();
  }
  return work;
}

TEST(EwsRules, NoOrderCostsLess) {
  const Ews ews;
  Draws draws(1);
  for (int i = 0; i < 300; ++i) {
    const bool or_node = i % 2 == 0;
    std::vector<EwsLabel> children;
    Family<EwsLabel> family;
    for (int left = 1 + i % 6; left > 0; --left) {
      const int visits = draws.below(40);
      const int wins = draws.below(visits + 1);
      children.push_back({1.0 + draws.below(1000), 1.0 + draws.below(1000),
                          static_cast<double>(wins), static_cast<double>(visits)});
      family.add(children.back(), false);
    }
    EwsLabel label;
    ews.back_up(or_node, family, label);
    std::vector<int> order(children.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<int>(k);
    double least = Ews::kInf;
    do {
      std::vector<EwsLabel> tried;
      for (const int k : order) tried.push_back(children[static_cast<std::size_t>(k)]);
      least = std::min(least, work_in_order(or_node, tried));
    } while (std::next_permutation(order.begin(), order.end()));
    const double work = or_node ? label.proof : label.disproof;
    EXPECT_NEAR(work, least, 1e-12 * least);
    // The descent begins where the order does.
    const int first = best_open_child(ews, or_node, family);
    for (const EwsLabel& c : children) {
      EXPECT_LE(ews.cost(or_node, family[first].label), ews.cost(or_node, c));
    }
  }
}

TEST(EwsRules, RatesAreNeverZeroOrOne) {
  for (const double n : {1.0, 32.0, 1e6, 0x1p52}) {
    for (const EwsLabel& label : {EwsLabel{1, 1, 0, n}, EwsLabel{1, 1, n, n}}) {
      EXPECT_GT(label.win_rate(), 0);
      EXPECT_GT(label.loss_rate(), 0);
      EXPECT_LT(label.win_rate(), 1);
      EXPECT_LT(label.loss_rate(), 1);
    }
  }
  EXPECT_EQ((EwsLabel{1, 1, 0, 0}.win_rate()), 0.5);
}

// Where lines meet again and again, numbers stay numbers.
TEST(EwsRules, NumbersDoNotOutgrowTheirRange) {
  const Ews ews;
  EwsLabel label{2, 3, 1, 4};
  for (int ply = 0; ply < 3000; ++ply) {
    const bool or_node = ply % 2 == 0;
    Family<EwsLabel> family;
    for (int i = 0; i < 8; ++i) family.add(label, false);
    ews.back_up(or_node, family, label);
    ASSERT_TRUE(label.valid());
    ASSERT_NEAR(label.wins / label.visits, 0.25, 1e-9);
  }
  EXPECT_GT(label.visits, EwsLabel::kMostVisits / 16);
  EXPECT_EQ(label.disproof, EwsLabel::kMostWork);
}

// Seen by the side to move; the label is the attacker's.
TEST(EwsRules, LeavesByMovesAndPliesLeft) {
  Leaf leaf = leaf_with(3, 4);
  leaf.mobility = 5;
  leaf.plies_left = 7;
  const Ews unit{4, EwsLeafWork::unit()};
  const Ews rollout{4, EwsLeafWork::rollout()};
  const Ews both{4, EwsLeafWork::both(4, 1024, 2)};
  const auto f = [](double rate) { return std::round(std::pow(1024, 1 - rate)); };
  EXPECT_EQ(unit.leaf(leaf), (EwsLabel{1, 1, 3, 4}));
  EXPECT_EQ(rollout.leaf(leaf), (EwsLabel{35, 35, 3, 4}));
  EXPECT_EQ(both.leaf(leaf), (EwsLabel{f(0.7) * 49, f(0.3) * 5 * 49, 3, 4}));
  leaf.or_node = kAnd;
  EXPECT_EQ(rollout.leaf(leaf), (EwsLabel{35, 35, 3, 4}));
  EXPECT_EQ(both.leaf(leaf), (EwsLabel{f(0.7) * 5 * 49, f(0.3) * 49, 3, 4}));
}

TEST(EwsRules, NoOtherNumbersArePossible) {
  const Ews ews{4, EwsLeafWork::both(4, 1024, 2)};
  Leaf leaf = leaf_with(3, 4);
  leaf.mobility = 5;
  leaf.plies_left = 7;
  const EwsLabel label = ews.leaf(leaf);
  EXPECT_TRUE(ews.possible(label, leaf_with(0, 0)) == false);  // other moves
  leaf.reached = leaf.playouts = 0;
  EXPECT_TRUE(ews.possible(label, leaf));
  for (double EwsLabel::*number :
       {&EwsLabel::proof, &EwsLabel::disproof, &EwsLabel::wins, &EwsLabel::visits}) {
    for (const double wrong :
         {-1.0, 0.0, 1e300, std::nan(""), label.*number + 1, label.*number + 0.5}) {
      EwsLabel other = label;
      other.*number = wrong;
      EXPECT_FALSE(ews.possible(other, leaf)) << wrong;
    }
  }
  for (const EwsLabel& wrong :
       {EwsLabel{0, 0, 0, 0}, EwsLabel{0, 5, 0, 0}, EwsLabel{2, 3, 5, 4}, EwsLabel{2, 3, 1, 1e17},
        EwsLabel{0.5, 3, 1, 2}, EwsLabel{std::nan(""), 3, 1, 2}, EwsLabel{2, 3, 1, std::nan("")}}) {
    EXPECT_FALSE(wrong.valid());
  }
}

// --- MCTS ----------------------------------------------------------------------------------------

TEST(MctsRules, ScoresOfBothForms) {
  const MctsLabel child{33, 4, 0};  // 33 of 4 * 10 playouts
  const double v = 33.0 / 40;
  const double log_parent = std::log(17.0);
  const auto score = [&](MctsRule::Form form, double C, bool or_node) {
    return MctsRule{10, form, C}.score(or_node, log_parent, child);
  };
  using Form = MctsRule::Form;
  EXPECT_DOUBLE_EQ(score(Form::kPure, 2, kOr), v);
  EXPECT_DOUBLE_EQ(score(Form::kPure, 2, kAnd), 1 - v);
  EXPECT_DOUBLE_EQ(score(Form::kInside, 2, kOr), v + std::sqrt(2 * log_parent / 4));
  EXPECT_DOUBLE_EQ(score(Form::kInside, 2, kAnd), 1 - v + std::sqrt(2 * log_parent / 4));
  EXPECT_DOUBLE_EQ(score(Form::kOutside, 3, kOr), v + 3 * std::sqrt(log_parent / 4));
  // E31: sqrt(2) outside the root is 2 inside.
  EXPECT_NEAR(score(Form::kOutside, std::sqrt(2.0), kOr), score(Form::kInside, 2, kOr), 1e-15);
  EXPECT_DOUBLE_EQ((MctsRule{10, Form::kInside, 2}.interim(child)), v + 0.5);
  EXPECT_DOUBLE_EQ((MctsRule{10, Form::kInside, 2, MctsRule::Reward::kUnit, 3}.interim(child)),
                   v + 1.5);
}

// Rewards 1, 0, -1: a score is (the printed one + 1) / 2.
TEST(MctsRules, RewardsWithASign) {
  using Form = MctsRule::Form;
  MctsRule rule{10, Form::kInside, 2, MctsRule::Reward::kSign, 3};
  const Claim claim{Player::kSecond, 1};
  const Tally tally{2, 3, 5, 0};  // of the first player
  EXPECT_EQ(rule.of(tally, claim), 5u * 2 + 3);
  EXPECT_EQ(rule.of(tally, {Player::kFirst, 0}), 2u * 2 + 3);  // a draw is 0 for every goal
  EXPECT_EQ(rule.of(Bounds::exact(1), claim), 20u);
  EXPECT_EQ(rule.of(Bounds::exact(0), claim), 10u);
  EXPECT_EQ(rule.of(Bounds::exact(-1), claim), 0u);
  EXPECT_EQ(rule.of(Bounds::exact(7), {Player::kFirst, 9}), 20u);  // a win, though not by 9
  EXPECT_EQ(rule.of(Bounds::both(Bounds::unknown(-9, 9), Bounds::unknown(2, 64)), claim), 20u);
  EXPECT_EQ(rule.of(Bounds::unknown(-9, 0), claim), 0u);  // a draw or a loss, not a win
  const MctsLabel child{33, 4, 0};                        // 33 - 40 of 4 * 10 playouts
  const double v = -7.0 / 40;
  const double log_parent = std::log(17.0);
  const auto score = [&](bool or_node) { return 2 * rule.score(or_node, log_parent, child) - 1; };
  EXPECT_DOUBLE_EQ(score(kOr), v + std::sqrt(2 * log_parent / 4));
  EXPECT_DOUBLE_EQ(score(kAnd), -v + std::sqrt(2 * log_parent / 4));
  rule.form = Form::kOutside;
  EXPECT_DOUBLE_EQ(score(kAnd), -v + 2 * std::sqrt(log_parent / 4));
  rule.form = Form::kPure;
  EXPECT_DOUBLE_EQ(score(kAnd), -v);
  EXPECT_DOUBLE_EQ(2 * rule.interim(child) - 1, v + 3 / std::sqrt(4.0));
}

}  // namespace
}  // namespace playproof::rules_test
