// Depth-first search as the papers have it: thresholds, leaf numbers, the order of PN, Deep df-pn.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "games/othello/rules.h"
#include "games/pgame/rules.h"
#include "host/table/depth_first.h"
#include "kernels/schemes/pn.h"
#include "plain_search.h"
#include "support.h"
#include "trees.h"

namespace playproof::depth_first_test {
namespace {

using Kind = ThresholdRule::Kind;
constexpr PhiDelta kInf = kPhiDeltaInfinity;

// Survey S2, figure 4: A (OR) -> B, C; B (AND) -> D, E. phi and delta are those of the side to
// move.
TEST(Thresholds, Figure4) {
  const ThresholdRule df_pn;
  // pn(B) = 2, dn(B) = 1; pn(C) = 3. pt(B) = pn(C) + 1; dt(B) stays infinite.
  const PhiDeltaPair b =
      df_pn.of_child({kInf, kInf}, {.node = {2, 2}, .child = {1, 2}, .second = 3});
  EXPECT_EQ(b, (PhiDeltaPair{kInf, 4}));
  // pn(D) = dn(D) = pn(E) = 1, dn(E) = 2. pt(D) = pt(B) - pn(E), dt(D) = dn(E) + 1.
  const PhiDeltaPair d = df_pn.of_child(
      b, {.node = {1, 2}, .child = {1, 1}, .second = 2, .average = 1, .attackers = false});
  EXPECT_EQ(d, (PhiDeltaPair{3, 3}));
  EXPECT_FALSE(df_pn.met(d, {2, 2}));
  EXPECT_TRUE(df_pn.met(d, {3, 1}));
  EXPECT_TRUE(df_pn.met(d, {1, 3}));
}

TEST(Thresholds, HowFarBeyondTheSecond) {
  const auto beyond = [](const ThresholdRule& rule, PhiDelta second, PhiDelta average) {
    const Choice choice{.node = {1, 1}, .child = {1, 1}, .second = second, .average = average};
    return rule.of_child({kInf, kInf}, choice).delta;
  };
  EXPECT_EQ(beyond({}, 10, 4), 11u);
  EXPECT_EQ(beyond({.kind = Kind::kConstant, .increment = 7}, 10, 4), 17u);
  EXPECT_EQ(beyond({.kind = Kind::kAverage}, 10, 4), 14u);
  EXPECT_EQ(beyond({.kind = Kind::kAverage}, 10, 0), 11u);
  const ThresholdRule quarter{.kind = Kind::kEpsilon, .epsilon = 0.25};
  EXPECT_EQ(beyond(quarter, 10, 4), 13u);  // ceil(12.5)
  EXPECT_EQ(beyond(quarter, 12, 4), 15u);
  EXPECT_EQ(beyond(quarter, 1, 4), 2u);
  EXPECT_EQ(beyond(quarter, 0, 4), 1u);
  EXPECT_EQ(beyond(quarter, kPhiDeltaCap, 4), kInf);  // nothing reaches it (E8)
  EXPECT_EQ(beyond(quarter, kInf, 4), kInf);
  // The parent's own threshold is the limit.
  EXPECT_EQ(quarter.of_child({12, 50}, {.node = {9, 30}, .child = {4, 9}, .second = 10}),
            (PhiDeltaPair{24, 12}));
}

TEST(Thresholds, PdsRaisesTheLesserNumber) {
  const ThresholdRule pds{.kind = Kind::kPds};
  EXPECT_EQ(pds.of_root(), (PhiDeltaPair{1, 1}));
  EXPECT_EQ(pds.of_root_again({3, 5}), (PhiDeltaPair{4, 5}));
  EXPECT_EQ(pds.of_root_again({6, 5}), (PhiDeltaPair{6, 6}));
  EXPECT_FALSE(pds.met({3, 3}, {3, 2}));
  EXPECT_TRUE(pds.met({3, 3}, {3, 4}));
  // phi(n) = delta(c1) is the lesser and below its threshold; then it is not; then not below.
  const Choice choice{.node = {2, 4}, .child = {3, 2}};
  EXPECT_EQ(pds.of_child({3, 5}, choice), (PhiDeltaPair{3, 3}));
  EXPECT_EQ(pds.of_child({3, 5}, {.node = {4, 2}, .child = {1, 4}}), (PhiDeltaPair{2, 4}));
  EXPECT_EQ(pds.of_child({2, 5}, choice), (PhiDeltaPair{4, 2}));
}

// deepen=child: the lesser number of the child, whatever the parent's are; phi of equal ones.
TEST(Thresholds, PdsOfTheChildRaisesItsLesserNumber) {
  const ThresholdRule pds{.kind = Kind::kPds, .by_child = true};
  EXPECT_EQ(pds.of_child({3, 5}, {.node = {2, 4}, .child = {3, 2}}), (PhiDeltaPair{3, 3}));
  EXPECT_EQ(pds.of_child({2, 5}, {.node = {2, 4}, .child = {3, 2}}), (PhiDeltaPair{3, 3}));
  EXPECT_EQ(pds.of_child({9, 9}, {.node = {1, 4}, .child = {1, 4}}), (PhiDeltaPair{2, 4}));
  EXPECT_EQ(pds.of_child({9, 9}, {.node = {2, 4}, .child = {2, 2}}), (PhiDeltaPair{3, 2}));
}

TEST(Thresholds, PnStarKnowsProofNumbersAlone) {
  const ThresholdRule pn_star{.kind = Kind::kPnStar};
  EXPECT_EQ(pn_star.of_root(), (PhiDeltaPair{1, kInf}));
  EXPECT_EQ(pn_star.of_root_again({3, 1}), (PhiDeltaPair{4, kInf}));
  // OR: delta of a child is its proof number. AND: the sum of proof numbers is delta.
  const Choice at_or{.node = {2, 9}, .child = {5, 2}, .second = 3};
  EXPECT_EQ(pn_star.of_child({4, kInf}, at_or), (PhiDeltaPair{kInf, 4}));
  const Choice at_and{
      .node = {2, 6}, .child = {4, 2}, .second = 3, .average = 1, .attackers = false};
  EXPECT_EQ(pn_star.of_child({kInf, 8}, at_and), (PhiDeltaPair{6, kInf}));
}

TEST(LeafNumbers, FormsOfAWinRate) {
  constexpr int kPlayouts = 64;
  for (int wins = 0; wins <= kPlayouts; ++wins) {
    const double rate = (wins + 0.5) / (kPlayouts + 1);
    const auto expect = [&](const RateForm& form, double phi, double delta) {
      const auto leaf = LeafNumbers::from_playouts(kPlayouts, form, false);
      EXPECT_NEAR(static_cast<double>(leaf(3, 0, wins).phi), std::max(phi, 1.0), 0.501);
      EXPECT_NEAR(static_cast<double>(leaf(3, 0, wins).delta), std::max(delta, 1.0), 0.501);
      const auto times = LeafNumbers::from_playouts(kPlayouts, form, true);
      EXPECT_EQ(times(3, 7, wins).phi, leaf(3, 0, wins).phi);
      EXPECT_EQ(times(3, 7, wins).delta, 7 * leaf(3, 0, wins).delta);
    };
    expect({RateForm::Kind::kPower, 4096}, std::pow(4096, 1 - rate), std::pow(4096, rate));
    expect({RateForm::Kind::kLog, 100}, -100 * std::log(rate), -100 * std::log(1 - rate));
    expect({RateForm::Kind::kLinear, 50}, 1 + 50 * (1 - rate), 1 + 50 * rate);
  }
  EXPECT_EQ(LeafNumbers::unit()(5, 9, 0), (PhiDeltaPair{1, 1}));
  EXPECT_EQ(LeafNumbers::mobility()(5, 9, 0), (PhiDeltaPair{1, 9}));
}

// phi = 100 m^e, delta = 100; of as many replies as a game may have.
TEST(LeafNumbers, OfTheMustPlay) {
  for (const double exponent : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const auto leaf = LeafNumbers::must_play(exponent);
    EXPECT_TRUE(leaf.needs_replies());
    for (const int m : {0, 1, 2, 3, 10, 63, 399, 400, 401, 5000}) {
      const PhiDeltaPair pair = leaf(3, 9, 0, m);
      EXPECT_NEAR(static_cast<double>(pair.phi), 100 * std::pow(std::max(m, 1), exponent), 0.501);
      EXPECT_EQ(pair.delta, leaf.unit_number());
    }
  }
  EXPECT_EQ(LeafNumbers::must_play(0.5)(1, 0, 0, 4), (PhiDeltaPair{200, 100}));
  EXPECT_FALSE(LeafNumbers::unit().needs_replies());
  EXPECT_EQ(LeafNumbers::unit().unit_number(), 1u);
}

// What a tree that was read from a file may claim of its leaves.
TEST(LeafNumbers, Possible) {
  for (const RateForm& form : {RateForm{RateForm::Kind::kPower, 1},
                               {RateForm::Kind::kPower, 3},
                               {RateForm::Kind::kPower, 1e12},
                               {RateForm::Kind::kLog, 40},
                               {RateForm::Kind::kLinear, 7}}) {
    for (const bool times_mobility : {false, true}) {
      const auto leaf = LeafNumbers::from_playouts(20, form, times_mobility);
      std::set<std::pair<PhiDelta, PhiDelta>> possible;
      for (int wins = 0; wins <= 20; ++wins) {
        const PhiDeltaPair pair = leaf(3, 5, wins);
        EXPECT_TRUE(leaf.possible(5, pair));
        possible.emplace(pair.phi, pair.delta);
      }
      for (const auto& [phi, delta] : possible) {
        for (const auto& [other_phi, other] : possible) {
          EXPECT_EQ(leaf.possible(5, {phi, other}), possible.contains({phi, other}));
        }
        EXPECT_EQ(leaf.possible(5, {phi + 1, delta}), possible.contains({phi + 1, delta}));
        EXPECT_EQ(leaf.possible(5, {phi, delta - 1}), possible.contains({phi, delta - 1}));
      }
      EXPECT_FALSE(leaf.possible(5, kMoverWins));
    }
  }
}

TEST(LeafNumbers, Deep) {
  const auto deep = LeafNumbers::deep(3, 4);
  for (std::uint32_t depth = 0; depth < 8; ++depth) {
    const auto expected = depth < 4 ? static_cast<PhiDelta>(std::pow(3, 4 - depth)) : 1;
    EXPECT_EQ(deep(depth, 5, 0), (PhiDeltaPair{expected, expected}));
  }
  EXPECT_EQ(LeafNumbers::deep(0, 4)(1, 5, 0), (PhiDeltaPair{0, 0}));
  EXPECT_EQ(LeafNumbers::deep(20, 15)(0, 5, 0), (PhiDeltaPair{kPhiDeltaCap, kPhiDeltaCap}));
}

// Theorem 1 of the thesis as the one step that it is (E21): with k <= E children and depth < D, the
// first expansion of a leaf raises neither of its numbers; with more children it does.
TEST(LeafNumbers, TheoremOne) {
  for (std::uint64_t base = 1; base <= 12; ++base) {
    const auto leaf = LeafNumbers::deep(base, 7);
    for (std::uint32_t depth = 0; depth < 7; ++depth) {
      const PhiDeltaPair child = leaf(depth + 1, 0, 0);
      for (std::uint64_t k = 1; k <= 15; ++k) {
        const PhiDeltaPair expanded = {child.delta, k * child.phi};
        EXPECT_LE(expanded.phi, leaf(depth, 0, 0).phi);
        EXPECT_EQ(expanded.delta <= leaf(depth, 0, 0).delta, k <= base);
      }
    }
  }
}

PGame::Rules pgame(std::uint64_t tree, int branching, int depth) {
  return {tree, static_cast<std::uint8_t>(branching), static_cast<std::uint8_t>(depth)};
}
DepthFirstOptions options_of(const LeafNumbers& leaf, bool early_break = true) {
  DepthFirstOptions options;
  options.leaf = leaf;
  options.early_break = early_break;
  return options;
}

// Where the search is, as the choices that lead there.
std::string path_of(const DepthFirst<PGame>& search) {
  std::string path;
  for (std::size_t depth = 0; depth < search.stack().size(); ++depth) {
    path += std::to_string(search.stack().frame(depth).chosen) + ' ';
  }
  return path;
}

// The nodes that are entered for the first time, in order.
std::vector<std::string> first_entries(const PGame::Rules& rules, const DepthFirstOptions& options,
                                       std::size_t limit) {
  DepthFirst<PGame> search(rules, PGame::initial(rules), {Player::kFirst, 1}, options);
  std::vector<std::string> order;
  while (order.size() < limit && search.stopped() == StopReason::kRunning) {
    const std::uint64_t before = search.counters().nodes_expanded;
    const std::string path = path_of(search);
    drive<PGame>(search, 1);
    if (search.counters().nodes_expanded > before) order.push_back(path);
  }
  EXPECT_FALSE(search.table().counters().lost_any());
  return order;
}

// On trees, with a table that loses nothing: every node that df-pn expands is a most-proving node
// of the tree with all numbers up to date, and the order is that of PN with ties=path (E7).
TEST(DepthFirst, ExpandsInTheOrderOfPn) {
  constexpr std::size_t kLimit = 150;
  const std::uint64_t trees = nightly() ? 400 : 120;
  std::uint64_t left_most_too = 0;
  for (std::uint64_t tree = 0; tree < trees; ++tree) {
    const auto rules =
        pgame(1000 + tree, 2 + static_cast<int>(tree % 5), 4 + static_cast<int>(tree / 5 % 5));
    PlainSearch::Options plain;
    plain.ties = PlainSearch::Ties::kPath;
    plain.mobility = (tree & 1) != 0;
    plain.early_break = (tree & 2) != 0;
    const auto options = options_of(plain.mobility ? LeafNumbers::mobility() : LeafNumbers::unit(),
                                    plain.early_break);
    const auto order = first_entries(rules, options, kLimit);
    PlainSearch pn({rules.tree, rules.branching, rules.depth}, plain);
    ASSERT_EQ(order, pn.run(kLimit)) << "tree " << rules.tree;
    PlainSearch shadow({rules.tree, rules.branching, rules.depth}, plain);
    EXPECT_TRUE(shadow.follow(order)) << "tree " << rules.tree;
    plain.ties = PlainSearch::Ties::kLeft;
    PlainSearch left({rules.tree, rules.branching, rules.depth}, plain);
    left_most_too += order == left.run(kLimit);
  }
  EXPECT_LT(left_most_too, trees / 2);
}

// The same with numbers from playouts, against the tree search that has them too.
TEST(DepthFirst, ExpandsInTheOrderOfPnWithPlayouts) {
  constexpr std::size_t kLimit = 300;
  for (std::uint64_t tree = 0; tree < 200; ++tree) {
    const auto rules =
        pgame(2000 + tree, 2 + static_cast<int>(tree % 5), 4 + static_cast<int>(tree / 5 % 5));
    const RateForm form{static_cast<RateForm::Kind>(tree % 3), tree % 2 == 0 ? 5.0 : 3000.0};
    const auto leaf = LeafNumbers::from_playouts(12, form, (tree & 4) != 0);
    const bool early_break = (tree & 8) != 0;
    using Engine = BestFirst<PGame, PlayoutPn>;
    Engine::Options options;
    options.stay_on_path = true;
    options.early_break = early_break;
    Engine pn(rules, PGame::initial(rules), {Player::kFirst, 1}, PlayoutPn{leaf}, options);
    Expansions expansions;
    pn.listen(&expansions);
    drive<PGame>(pn, kLimit);
    const auto order = first_entries(rules, options_of(leaf, early_break), kLimit);
    ASSERT_EQ(order, expansions.paths(pn.tree())) << "tree " << rules.tree;
  }
}

// Whoever listens hears of every first entry, every decision, and all that the table lost; and a
// search that is heard is the search that is not.
TEST(DepthFirst, TellsWhatItDoes) {
  struct Heard final : SearchListener {
    std::uint64_t expansions = 0;
    std::uint64_t evictions = 0;
    std::map<std::uint64_t, Bounds> decisions;
    void on_expanded(std::uint64_t /*node*/) override { ++expansions; }
    void on_decided(std::uint64_t node, const Bounds& bounds) override {
      EXPECT_TRUE(bounds.decides(1));
      decisions.insert_or_assign(node, bounds);
    }
    void on_evicted(std::uint64_t /*node*/) override { ++evictions; }
  };
  std::uint64_t evictions = 0;
  for (std::uint64_t tree = 0; tree < (nightly() ? 60u : 24u); ++tree) {
    const auto rules = pgame(900 + tree, 2 + static_cast<int>(tree % 4), 8);
    auto options = options_of(LeafNumbers::unit());
    // The smallest tables replace, or collect garbage.
    if (tree % 3 > 0) options.table = {1 << 10, 4, tree % 3 == 1 ? 0.0 : 0.3};
    const Claim claim{Player::kFirst, 1};
    DepthFirst<PGame> alone(rules, PGame::initial(rules), claim, options);
    DepthFirst<PGame> told(rules, PGame::initial(rules), claim, options);
    Heard heard;
    told.listen(&heard);
    drive<PGame>(alone, kToTheEnd);
    drive<PGame>(told, kToTheEnd);
    expect_same_counters(alone.counters(), told.counters());
    const Counters counters = told.counters();
    EXPECT_EQ(heard.expansions, counters.nodes_expanded);
    EXPECT_EQ(heard.evictions, counters.table_replaced + counters.table_discarded);
    evictions += heard.evictions;
    const auto root = heard.decisions.find(position_id(PGame{}, PGame::initial(rules)).hash());
    ASSERT_NE(root, heard.decisions.end());
    EXPECT_EQ(root->second, told.bounds());
    for (std::uint64_t i = 0; i < told.table().size(); ++i) {
      const auto& entry = told.table().entry(i);
      if (!entry.used() || !entry.bounds().decides(1)) continue;
      EXPECT_TRUE(heard.decisions.contains(entry.id().hash())) << "nobody was told";
    }
  }
  EXPECT_GT(evictions, 100u);
}

// Call by call.
TEST(DepthFirst, DeepWithBaseOneIsDfPn) {
  for (std::uint64_t tree = 0; tree < 40; ++tree) {
    const auto rules = pgame(300 + tree, 2 + static_cast<int>(tree % 4), 7);
    DepthFirst<PGame> df_pn(rules, PGame::initial(rules), {Player::kFirst, 1},
                            options_of(LeafNumbers::unit()));
    DepthFirst<PGame> deep(rules, PGame::initial(rules), {Player::kFirst, 1},
                           options_of(LeafNumbers::deep(1, 9)));
    std::vector<LeafRequest<PGame>> none;
    while (df_pn.stopped() == StopReason::kRunning) {
      df_pn.propose(1, none);
      deep.propose(1, none);
      ASSERT_EQ(path_of(df_pn), path_of(deep));
    }
    EXPECT_EQ(deep.stopped(), StopReason::kDecided);
    expect_same_counters(df_pn.counters(), deep.counters());
  }
}

// E = 0 is depth-first search: of the moves of a node the left-most unsolved one is entered, and
// left when it is solved.
TEST(DepthFirst, DeepWithBaseZeroIsDepthFirst) {
  for (std::uint64_t tree = 0; tree < 40; ++tree) {
    const auto rules = pgame(500 + tree, 2 + static_cast<int>(tree % 4), 6);
    const auto order = first_entries(rules, options_of(LeafNumbers::deep(0, 5)), 100000);
    for (std::size_t i = 1; i < order.size(); ++i) EXPECT_LT(order[i - 1], order[i]);
  }
}

// df-pn+: what the moves cost is in the parent's numbers, and not in the child's thresholds.
TEST(DepthFirst, EdgeCosts) {
  const EdgeCost constant{3, false};
  const EdgeCost moves{3, true};
  EXPECT_EQ(constant(7), 3u);
  EXPECT_EQ(moves(7), 18u);
  EXPECT_EQ(moves(1), 0u);
  EXPECT_EQ((EdgeCost{0, true})(7), 0u);
  const Othello::Rules rules = Othello::make_rules(4);
  for (const EdgeCost& edge : {constant, moves}) {
    DepthFirstOptions options = options_of(LeafNumbers::unit());
    options.edge = edge;
    DepthFirst<Othello> search(rules, Othello::initial(rules), {Player::kFirst, 1}, options);
    std::vector<LeafRequest<Othello>> none;
    search.propose(1, none);
    const auto& stack = search.stack();
    const auto children = stack.children_of(stack.root());
    ASSERT_EQ(children.size(), 1u) << "the four are images of each other";
    EXPECT_EQ(children[0].cost, edge(3));
    EXPECT_EQ(children[0].numbers, (PhiDeltaPair{1, 1}));
    search.propose(1, none);
    ASSERT_EQ(stack.size(), 2u);
    EXPECT_EQ(stack.children_of(stack.frame(1)).size(), 3u);
    for (const auto& child : stack.children_of(stack.frame(1))) {
      Move replies[Othello::kMaxMoves];
      EXPECT_EQ(child.cost, edge(Othello::moves(rules, child.state, replies)));
    }
  }
}

// E25: a leaf has the depth of the path on which it is met, and the table keeps only the numbers of
// nodes that were entered: asked from one ply further down, leaves have another number.
TEST(DepthFirst, LeavesAreNumberedWhereTheyAreMet) {
  const auto rules = pgame(7, 3, 9);  // E children: no number grows (E21), the search stays below
  const auto start = PGame::initial(rules);
  const auto leaf = LeafNumbers::deep(3, 6);
  DepthFirst<PGame> search(rules, start, {Player::kFirst, 1}, options_of(leaf));
  std::vector<LeafRequest<PGame>> none;
  for (int i = 0; i < 3; ++i) search.propose(1, none);
  ASSERT_GE(search.stack().size(), 2u);
  const auto child = search.stack().frame(1).state;
  const auto expect_numbers = [&](std::size_t frame) {
    std::size_t leaves = 0;
    for (const auto& c : search.stack().children_of(search.stack().frame(frame))) {
      if (c.entered || c.finished) continue;
      EXPECT_EQ(c.numbers, leaf(static_cast<std::uint32_t>(frame + 1), 0, 0));
      ++leaves;
    }
    EXPECT_GE(leaves, 2u);
  };
  expect_numbers(1);
  search.begin(child, {Player::kFirst, 1});
  search.propose(1, none);
  expect_numbers(0);
}

// PN* has no threshold for the disproof number, so it takes no notice of it: where the opponent
// moves it goes on with the open child that has the greatest proof number.
TEST(DepthFirst, PnStarChoosesByProofNumbers) {
  const auto rules = pgame(11, 5, 9);
  DepthFirstOptions options = options_of(LeafNumbers::unit());
  options.rule = {.kind = Kind::kPnStar};
  DepthFirst<PGame> search(rules, PGame::initial(rules), {Player::kFirst, 1}, options);
  std::vector<LeafRequest<PGame>> none;
  int other_disproof = 0;
  for (int i = 0; i < 20000 && search.stopped() == StopReason::kRunning; ++i) {
    search.propose(1, none);
    const auto& frame = search.stack().top();
    if (frame.attackers || frame.chosen < 0) continue;
    const auto& chosen = search.stack().chosen_child(frame);
    for (const auto& child : search.stack().children_of(frame)) {
      if (!child.numbers.open()) continue;
      EXPECT_LE(child.numbers.phi, chosen.numbers.phi);
      other_disproof += child.numbers.delta < chosen.numbers.delta;
    }
  }
  EXPECT_GT(other_disproof, 0);
}

// increment=0: the mean of the first numbers of the open children. On a tree whose nodes all have
// the same branching, mobility numbers are (1, b) for every leaf: the mean stays b, whatever the
// table has and however many children are solved.
TEST(DepthFirst, AverageIncrementIsOfFirstNumbers) {
  const auto rules = pgame(21, 3, 9);
  for (const bool small : {false, true}) {
    DepthFirstOptions options = options_of(LeafNumbers::mobility());
    options.rule = {.kind = Kind::kAverage};
    if (small) options.table.bytes = 1 << 10;
    DepthFirst<PGame> search(rules, PGame::initial(rules), {Player::kFirst, 1}, options);
    std::vector<LeafRequest<PGame>> none;
    int known = 0;
    for (int i = 0; i < 20000 && search.stopped() == StopReason::kRunning; ++i) {
      search.propose(1, none);
      const auto& frame = search.stack().top();
      bool open = false;
      for (const auto& child : search.stack().children_of(frame)) {
        open |= !child.finished && child.numbers.open();
        known += child.numbered;
      }
      EXPECT_TRUE(!open || frame.average == 3u) << frame.average;
    }
    EXPECT_EQ(search.stopped(), StopReason::kDecided);
    EXPECT_GT(known, 0);
  }
}

// With playouts, those of children in the table are played again and leave their numbers alone.
TEST(DepthFirst, AverageIncrementWithPlayouts) {
  const auto rules = pgame(22, 3, 8);
  const auto leaf = LeafNumbers::from_playouts(16, {RateForm::Kind::kLinear, 40}, false);
  DepthFirstOptions options = options_of(leaf);
  options.rule = {.kind = Kind::kAverage};
  DepthFirst<PGame> search(rules, PGame::initial(rules), {Player::kFirst, 1}, options);
  // Every tally is half a win: every first number is (21, 21).
  const Tally half{.wins = 8, .losses = 8};
  int kept = 0;
  while (search.stopped() == StopReason::kRunning) {
    std::vector<LeafRequest<PGame>> requests;
    search.propose(1, requests);
    if (!search.waiting()) continue;
    const std::size_t depth = search.stack().size();
    std::vector<PhiDeltaPair> before;
    for (const auto& child : search.stack().children_of(search.stack().top())) {
      before.push_back(child.numbers);
    }
    search.absorb(std::vector<Tally>(requests.size(), half));
    if (search.stack().size() != depth) continue;
    const auto& top = search.stack().top();
    EXPECT_EQ(top.average, 21u);
    const auto children = search.stack().children_of(top);
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (!children[i].numbered) continue;
      EXPECT_EQ(children[i].numbers, before[i]);
      kept += before[i] != PhiDeltaPair{21, 21};
    }
  }
  EXPECT_GT(kept, 0);
}

// leaf=mustplay: a node that is entered has 100 and 100 m^(1 + e), m: its replies that are open.
TEST(DepthFirst, BeginsWithItsMustPlay) {
  using Board = Hex<1>;
  const auto rules = Board::make_rules(4, 4);
  const Claim claim{Player::kFirst, 1};
  for (const bool zones : {false, true}) {
    for (const double exponent : {0.0, 0.5, 1.0}) {
      DepthFirstOptions options;
      options.leaf = LeafNumbers::must_play(exponent);
      options.zones = zones;
      options.table.beside = zones;
      options.symmetry = false;
      DepthFirst<Board> search(rules, Board::initial(rules), claim, options);
      std::vector<LeafRequest<Board>> requests;
      search.propose(1, requests);
      ASSERT_TRUE(requests.empty());
      const auto phi = static_cast<PhiDelta>(std::llround(100 * std::pow(16, exponent)));
      EXPECT_EQ(search.root_numbers(), (PhiDeltaPair{100, 16 * phi}));
    }
  }
}

// The numbers of playouts lead the search: far fewer calls than without.
TEST(DepthFirst, PlayoutsLead) {
  const auto plain = solve(ask("hex:size=4", "dfpn:leaf=unit,zones=off"));
  const auto led = solve(ask("hex:size=4", "dfpn:leaf=playouts,zones=off"));
  EXPECT_EQ(plain.verdict, led.verdict);
  EXPECT_LT(8 * led.counters.iterations, plain.counters.iterations);
}

// Numbers that would overflow stop at the cap, and no verdict comes of them (E8, E23).
TEST(DepthFirst, HugeNumbersProveNothing) {
  for (const char* algorithm :
       {"dfpn:E=20,D=15", "dfpn:E=1000,D=1000", "dfpn:playouts=5,A=1e12", "dfpn:leaf=both,A=1e12",
        "dfpn:leaf=unit,edge=1000000000", "dfpn:leaf=unit,edge=1000000000,edges=moves",
        "pnstar:edge=1000000000,edges=moves", "pds:E=1000,D=1000", "pnstar:E=20,D=15"}) {
    for (const char* cell : {"a1", "b2"}) {
      const std::string game = "hex:size=3";
      expect_right(ask(game, algorithm, cell), truth(game, cell));
    }
  }
}

}  // namespace
}  // namespace playproof::depth_first_test
