// How searches on turns go to and fro, recomputed from the steps that they take, and table 3.1 of
// the thesis: what Deep df-pn is at the ends of its parameters.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "games/connect/rzop.h"
#include "games/pgame/rules.h"
#include "host/solve/turn_numbers.h"
#include "host/table/depth_first.h"
#include "tests/games/race_support.h"
#include "tests/host/support.h"
#include "tests/host/trees.h"

namespace playproof::turn_counts_test {
namespace {

// A step of a descent.
struct Taken {
  std::uint32_t from;
  std::uint32_t to;
  std::size_t depth;  // of `from`
};

// Numbers that say which steps a search takes: whoever gives a child its threshold goes there.
struct Told {
  using Label = TurnProofNumbers::Label;
  struct Threshold {
    TurnProofNumbers::Threshold own;
    std::uint32_t node = 0;  // the root is the first one
    std::size_t depth = 0;
  };
  TurnProofNumbers numbers;
  std::shared_ptr<std::vector<Taken>> steps = std::make_shared<std::vector<Taken>>();

  int playouts() const { return 0; }
  Label won() const { return numbers.won(); }
  Label failed() const { return numbers.failed(); }
  bool needs_windows() const { return numbers.needs_windows(); }
  Label first(int depth, const TurnLeafValue& value) const { return numbers.first(depth, value); }
  Label waiting(const Label& first, bool beside) const { return numbers.waiting(first, beside); }
  template <class Children>
  Label back_up(bool attacks, const Children& children) const {
    return numbers.back_up(attacks, children);
  }
  template <class Children>
  int choose(bool attacks, const Children& children, int last) const {
    return numbers.choose(attacks, children, last);
  }
  bool has_thresholds() const { return numbers.has_thresholds(); }
  Threshold of_root() const { return {numbers.of_root()}; }
  Threshold of_root_again(const Label& label) const { return {numbers.of_root_again(label)}; }
  bool met(const Threshold& threshold, bool attacks, const Label& label) const {
    return numbers.met(threshold.own, attacks, label);
  }
  template <class Children>
  Threshold of_child(const Threshold& threshold, bool attacks, const Label& label,
                     const Children& children, int chosen) const {
    const std::uint32_t to = children.ids[static_cast<std::size_t>(chosen)];
    steps->push_back({threshold.node, to, threshold.depth});
    return {numbers.of_child(threshold.own, attacks, label, children, chosen), to,
            threshold.depth + 1};
  }
};

using Search = Rzop<6, Told>;
using Ways = Search::Ways;

// What the steps amount to.
Ways recount(const std::vector<Taken>& steps) {
  Ways ways;
  std::set<std::uint32_t> entered;
  std::map<std::uint32_t, std::vector<std::uint32_t>> choices;  // of each node, without repeats
  for (const Taken& step : steps) {
    ++ways.entries;
    ways.re_entries += !entered.insert(step.to).second;
    std::vector<std::uint32_t>& chosen = choices[step.from];
    if (!chosen.empty() && chosen.back() == step.to) continue;
    if (!chosen.empty()) {
      ways.root += step.depth == 0;
      ways.shallow += step.depth <= 2;
    }
    chosen.push_back(step.to);
    ways.branch += chosen.size() > 2 && chosen[chosen.size() - 3] == step.to;
  }
  return ways;
}

struct Made {
  VcdtAnswer answer;
  Ways ways;
  std::vector<Taken> steps;
};

class OnTurns : public testing::Test {
 protected:
  // Of an opening that threats alone do not win, with the attacker's best five turns.
  Made run(const std::string& opening, const TurnProofNumbers& numbers, bool lazy = true,
           std::uint64_t work = 3'000'000) {
    const Race<6> race = RaceLine(opening).race();
    const ConnectThreats<6> position(windows_, race.state);
    Search::Settings settings{{}, {numbers}, nullptr};
    settings.width = 5;
    settings.lazy = lazy;
    settings.work = work;
    search_->begin(position, race.attacker, 2, settings);
    while (!search_->advance(1'000'000)) {
    }
    return {search_->answer(), search_->ways(), *settings.numbers.steps};
  }
  Made deep(std::uint64_t base, std::uint32_t depth) {
    return run(opening_, {LeafNumbers::deep(base, depth), ThresholdRule{}});
  }
  Made df_pn() { return run(opening_, {{}, ThresholdRule{}}); }
  static void expect_same(const Made& one, const Made& other) {
    EXPECT_EQ(one.answer.calls, other.answer.calls);
    EXPECT_EQ(one.answer.work, other.answer.work);
    EXPECT_EQ(one.answer.nodes, other.answer.nodes);
    ASSERT_EQ(one.steps.size(), other.steps.size());
    EXPECT_TRUE(std::ranges::equal(one.steps, other.steps, {}, &Taken::to, &Taken::to));
    EXPECT_EQ(one.ways.re_entries, other.ways.re_entries);
  }

  const std::string opening_ = data_lines("connect6-openings.txt")[0];
  ConnectWindows<6> windows_{Connect<6>::make_rules(19, 19, 6, 2)};
  std::unique_ptr<Search> search_ = std::make_unique<Search>(windows_);
};

TEST_F(OnTurns, CountsAreThoseOfTheSteps) {
  using Kind = ThresholdRule::Kind;
  const std::vector<TurnProofNumbers> all = {
      {},
      {{}, ThresholdRule{}},
      {{}, ThresholdRule{.kind = Kind::kEpsilon, .epsilon = 0.25}},
      {{}, ThresholdRule{.kind = Kind::kPds}},
      {LeafNumbers::deep(5, 4), ThresholdRule{}}};
  Ways sum;
  for (const std::size_t line : {0, 3, 4}) {
    const std::string opening = data_lines("connect6-openings.txt")[line];
    for (const TurnProofNumbers& numbers : all) {
      for (const bool lazy : {true, false}) {
        const Made made = run(opening, numbers, lazy, 400'000);
        const Ways ways = recount(made.steps);
        EXPECT_EQ(made.ways.entries, ways.entries);
        EXPECT_EQ(made.ways.re_entries, ways.re_entries);
        EXPECT_EQ(made.ways.branch, ways.branch);
        EXPECT_EQ(made.ways.root, ways.root);
        EXPECT_EQ(made.ways.shallow, ways.shallow);
        sum.re_entries += ways.re_entries;
        sum.branch += ways.branch;
        sum.root += ways.root;
        sum.shallow += ways.shallow - ways.root;
      }
    }
  }
  EXPECT_GT(sum.re_entries, 200U);
  EXPECT_GT(sum.branch, 20U);
  EXPECT_GT(sum.root, 10U);
  EXPECT_GT(sum.shallow, 10U);
}

// What an answer tells, and the thesis' number of nodes: those of its searches by double threats,
// and each one that was gone to, as often as that was.
TEST_F(OnTurns, AnswersHaveThem) {
  SolveRequest request =
      ask("connect6", "dfpn:turns=5,leaf=unit", opening_.substr(0, opening_.find(' ')));
  request.limits.max_nodes = 1000;
  const SolveResult result = solve(request);
  const Counters& counters = result.counters;
  ASSERT_TRUE(result.threats);
  EXPECT_EQ(counters.nodes_created, 1000U);
  EXPECT_EQ(counters.nodes_expanded,
            result.threats->macro_nodes + result.threats->reply_nodes + counters.node_visits);
  EXPECT_GT(counters.re_entries, 10U);
  EXPECT_LT(counters.re_entries, counters.node_visits);
  EXPECT_GT(counters.branch_switches, 0U);
  EXPECT_GT(counters.root_switches, 0U);
  EXPECT_GT(counters.shallow_switches, counters.root_switches);
}

// Table 3.1, a test a cell. D = 0 and 1 leave every number of a leaf below the root 1.
class Table31OnTurns : public OnTurns {};

// Whoever is left is decided: no step leads back to a node, and each begins on the path.
void expect_depth_first(const Made& made) {
  EXPECT_EQ(made.ways.re_entries, 0U);
  std::vector<std::uint32_t> path = {0};
  for (const Taken& step : made.steps) {
    while (path.size() > 1 && path.back() != step.from) path.pop_back();
    ASSERT_EQ(path.back(), step.from);
    path.push_back(step.to);
  }
  EXPECT_GT(made.steps.size(), 50U);
}
TEST_F(Table31OnTurns, BaseZeroDepthZeroIsDepthFirst) { expect_depth_first(deep(0, 0)); }
TEST_F(Table31OnTurns, BaseZeroDepthOneIsDepthFirst) {
  expect_depth_first(deep(0, 1));
  expect_same(deep(0, 1), deep(0, 0));
}
TEST_F(Table31OnTurns, BaseZeroDeeperIsDepthFirst) {
  expect_depth_first(deep(0, 4));
  expect_same(deep(0, 4), deep(0, 0));
}
TEST_F(Table31OnTurns, BaseOneDepthZeroIsDfPn) { expect_same(deep(1, 0), df_pn()); }
TEST_F(Table31OnTurns, BaseOneDepthOneIsDfPn) { expect_same(deep(1, 1), df_pn()); }
TEST_F(Table31OnTurns, BaseOneDeeperIsDfPn) { expect_same(deep(1, 4), df_pn()); }
TEST_F(Table31OnTurns, BaseAboveOneDepthZeroIsDfPn) { expect_same(deep(5, 0), df_pn()); }
TEST_F(Table31OnTurns, BaseAboveOneDepthOneIsDfPn) { expect_same(deep(5, 1), df_pn()); }
TEST_F(Table31OnTurns, BaseAboveOneDeeperIsBetween) {
  const Made between = deep(5, 4);
  EXPECT_GT(between.ways.re_entries, 0U);
  EXPECT_LT(between.ways.re_entries, df_pn().ways.re_entries);
}

// The same on trees with a table that loses nothing: two branches everywhere, as in the thesis'
// picture of the seesaw (figure 3-2), so that E = 2 is the largest number of children.
class Table31OnTrees : public testing::Test {
 protected:
  static constexpr std::uint64_t kTrees = 40;
  struct Sums {
    std::uint64_t entries = 0, re_entries = 0, switches = 0;
    bool operator==(const Sums&) const = default;
  };
  static Sums sums(const LeafNumbers& leaf) {
    Sums sums;
    for (std::uint64_t tree = 0; tree < kTrees; ++tree) {
      const PGame::Rules rules{tree, 2, 10};
      DepthFirstOptions options;
      options.leaf = leaf;
      DepthFirst<PGame> search(rules, PGame::initial(rules), {Player::kFirst, 1}, options);
      drive<PGame>(search, kToTheEnd);
      EXPECT_EQ(search.stopped(), StopReason::kDecided);
      const Counters counters = search.counters();
      sums.entries += counters.iterations;
      sums.re_entries += counters.re_entries;
      sums.switches += counters.branch_switches;
    }
    return sums;
  }
  static Sums deep(std::uint64_t base, std::uint32_t depth) {
    return sums(LeafNumbers::deep(base, depth));
  }
  const Sums df_pn_ = sums(LeafNumbers::unit());
};

TEST_F(Table31OnTrees, BaseZeroIsDepthFirstAtAnyDepth) {
  const Sums depth_first = deep(0, 0);
  EXPECT_EQ(depth_first.re_entries, 0U);
  EXPECT_EQ(depth_first.switches, 0U);
  EXPECT_EQ(deep(0, 1), depth_first);
  EXPECT_EQ(deep(0, 10), depth_first);
}
TEST_F(Table31OnTrees, BaseOneIsDfPnAtAnyDepth) {
  EXPECT_GT(df_pn_.re_entries, 0U);
  EXPECT_EQ(deep(1, 0), df_pn_);
  EXPECT_EQ(deep(1, 1), df_pn_);
  EXPECT_EQ(deep(1, 10), df_pn_);
}
TEST_F(Table31OnTrees, DepthZeroAndOneAreDfPnWithAnyBase) {
  EXPECT_EQ(deep(2, 0), df_pn_);
  EXPECT_EQ(deep(2, 1), df_pn_);
  EXPECT_EQ(deep(20, 0), df_pn_);
  EXPECT_EQ(deep(20, 1), df_pn_);
}
// The deeper E = 2 reaches, the less is entered again: from df-pn, entry by entry, to depth-first
// search. Where it reaches all leaves no number ever grows, as theorem 1 says of one expansion.
TEST_F(Table31OnTrees, BaseTwoIsBetween) {
  std::uint64_t last = df_pn_.re_entries;
  for (const std::uint32_t depth : {3, 5, 7}) {
    const std::uint64_t now = deep(2, depth).re_entries;
    EXPECT_GT(now, 0U) << depth;
    EXPECT_LT(now, last) << depth;
    last = now;
  }
  EXPECT_EQ(deep(2, 10).re_entries, 0U);
}

}  // namespace
}  // namespace playproof::turn_counts_test
