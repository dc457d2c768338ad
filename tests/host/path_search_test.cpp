// Searches of games whose positions can come again (host/table/path_search.h) against every path
// and against retrograde analysis (host/path/exhaustive.h), on random graphs and those of
// tests/data/graphs: every rule, every way to deal with history and loops, tiny tables.
#include "host/table/path_search.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "games/graph/identity.h"
#include "host/path/exhaustive.h"
#include "tests/graphs.h"
#include "tests/nightly.h"

namespace playproof::path_search_test {
namespace {

constexpr std::uint64_t kTiny = 600;  // bytes
constexpr std::uint64_t kRoomy = std::uint64_t{1} << 16;
constexpr HistoryRule kSafe[] = {HistoryRule::kTwins, HistoryRule::kBaseTwin};
constexpr LoopRule kLoops[] = {LoopRule::kTca, LoopRule::kDfpnR, LoopRule::kPatience,
                               LoopRule::kNone};
constexpr ThresholdRule::Kind kKinds[] = {ThresholdRule::Kind::kConstant,
                                          ThresholdRule::Kind::kEpsilon, ThresholdRule::Kind::kPds,
                                          ThresholdRule::Kind::kPnStar, ThresholdRule::Kind::kNone};

PathSearchOptions options_of(HistoryRule history, LoopRule loops, ThresholdRule::Kind kind,
                             std::uint64_t bytes) {
  PathSearchOptions options;
  options.history = history;
  options.loops = loops;
  options.patience = 20;
  options.rule.kind = kind;
  options.rule.epsilon = 0.25;
  options.table_bytes = bytes;
  options.search.max_nodes = 20'000;
  return options;
}

// By every path, if that does not take too long; retrograde analysis must agree.
std::optional<bool> truth_of(const Graph::Rules& rules, const Claim& claim,
                             const Graph::State& at) {
  EveryPath<Graph> paths(rules, claim);
  paths.begin(at, {});
  if (!paths.run(200'000)) return std::nullopt;
  if (!blames_mover(rules.rule)) {
    Retrograde<Graph> retrograde(rules, claim);
    EXPECT_TRUE(retrograde.run(at, ~std::uint64_t{0}));
    EXPECT_EQ(retrograde.reached(at), paths.answer());
  }
  return paths.answer();
}

struct Tally {
  int questions = 0;
  int searches = 0;
  int wrong = 0;
  int undecided = 0;
  std::uint64_t across = 0;
};
void ask(const Graph::Rules& rules, const Claim& claim, const Graph::State& at, bool truth,
         const PathSearchOptions& options, Tally* tally) {
  PathSearch<Graph> search(rules, claim, options);
  search.begin(at);
  ++tally->searches;
  if (search.run(~std::uint64_t{0}) != StopReason::kDecided) {
    ++tally->undecided;
    return;
  }
  tally->wrong += static_cast<int>(search.proved() != truth);
  tally->across += search.counters().path_hits;
}
// Calls f(rules, claim, position, truth) with positions of random graphs.
template <class F>
void for_each_question(int graphs, std::uint64_t seed, F&& f) {
  Draws draws(seed);
  for (int i = 0; i < graphs; ++i) {
    const std::string rule = kAllRules[static_cast<std::size_t>(i) % kAllRules.size()];
    const auto graph = graph_of(random_graph(draws, rule, 4 + draws.below(7)));
    const Graph::Rules& rules = graph->rules();
    for (std::uint32_t node = 0; node < graph->nodes(); node += 2) {
      const Graph::State at{node};
      if (Graph::finished(rules, at)) continue;
      const Claim claim{Graph::to_move(rules, at), static_cast<Value>(node / 2 % 2)};
      const std::optional<bool> truth = truth_of(rules, claim, at);
      if (truth) f(rules, claim, at, *truth);
      if (::testing::Test::HasFailure()) return;
    }
  }
}

TEST(PathSearch, AgreesWithTheOracleOnRandomGraphs) {
  Tally roomy;
  Tally tiny;
  const int graphs = nightly() ? 20'000 : 1'500;
  for_each_question(
      graphs, 1, [&](const auto& rules, const Claim& claim, const auto& at, bool truth) {
        for (const HistoryRule history : kSafe) {
          for (const LoopRule loops : kLoops) {
            for (const ThresholdRule::Kind kind : kKinds) {
              ask(rules, claim, at, truth, options_of(history, loops, kind, kRoomy), &roomy);
              ask(rules, claim, at, truth, options_of(history, loops, kind, kTiny), &tiny);
            }
          }
        }
      });
  EXPECT_GT(roomy.searches, 10 * graphs);
  EXPECT_EQ(roomy.wrong, 0);
  EXPECT_EQ(tiny.wrong, 0);
  EXPECT_GT(roomy.across, static_cast<std::uint64_t>(graphs / 20));
  EXPECT_LT(tiny.undecided, tiny.searches / 100);
}

// TCA is complete on finite graphs (Franz et al. 2022), and so is patience here.
TEST(PathSearch, TcaAndPatienceEnd) {
  Tally tally;
  for_each_question(
      1500, 2, [&](const auto& rules, const Claim& claim, const auto& at, bool truth) {
        for (const HistoryRule history : kSafe) {
          for (const LoopRule loops : {LoopRule::kTca, LoopRule::kPatience}) {
            ask(rules, claim, at, truth,
                options_of(history, loops, ThresholdRule::Kind::kConstant, kRoomy), &tally);
          }
        }
      });
  EXPECT_EQ(tally.undecided, 0);
  EXPECT_EQ(tally.wrong, 0);
}

// What is labelled unsafe is: a table that takes what rests on one path for more.
TEST(PathSearch, WithoutHistoryItIsWrongSometimes) {
  Tally tally;
  for_each_question(
      1500, 3, [&](const auto& rules, const Claim& claim, const auto& at, bool truth) {
        PathSearchOptions options =
            options_of(HistoryRule::kNone, LoopRule::kTca, ThresholdRule::Kind::kConstant, kRoomy);
        EXPECT_FALSE(PathSearch<Graph>(rules, claim, options).is_safe());
        ask(rules, claim, at, truth, options, &tally);
      });
  EXPECT_GT(tally.wrong, 5);
  EXPECT_LT(tally.wrong, tally.searches / 20);
}

// After a path with a past, too: by every path with the same positions before.
TEST(PathSearch, APastCounts) {
  Draws draws(4);
  int differ = 0;
  for (int i = 0; i < 1500; ++i) {
    const auto graph = graph_of(random_graph(draws, "repeater loses", 5 + draws.below(4)));
    const Graph::Rules& rules = graph->rules();
    std::vector<Graph::State> before = {Graph::initial(rules)};
    Graph::State at = before.back();
    Graph::play(rules, at, 0);
    if (Graph::finished(rules, at) || at == before.back()) continue;
    const Claim claim{Graph::to_move(rules, at), 1};
    EveryPath<Graph> paths(rules, claim);
    paths.begin(at, before);
    if (!paths.run(100'000)) continue;
    const bool truth = paths.answer();
    paths.begin(at, {});
    if (!paths.run(100'000)) continue;
    differ += static_cast<int>(paths.answer() != truth);
    for (const HistoryRule history : kSafe) {
      PathSearch<Graph> search(
          rules, claim,
          options_of(history, LoopRule::kTca, ThresholdRule::Kind::kConstant, kRoomy));
      for (int again = 0; again < 2; ++again) {  // with what the table knows of the other past
        search.begin(at, before);
        ASSERT_EQ(search.run(~std::uint64_t{0}), StopReason::kDecided);
        EXPECT_EQ(search.proved(), truth);
        search.begin(at);
        ASSERT_EQ(search.run(~std::uint64_t{0}), StopReason::kDecided);
        EXPECT_EQ(search.proved(), paths.answer());
      }
    }
  }
  EXPECT_GT(differ, 10);
}

// The figures of the survey, the sample tree and one game for each rule: what the first player can
// have at the start.
TEST(PathSearch, NamedGraphs) {
  for (const auto& [name, value] : std::vector<std::pair<std::string, int>>{{"figure-7", 1},
                                                                            {"figure-8", 1},
                                                                            {"figure-9", 1},
                                                                            {"sample-tree", 1},
                                                                            {"incomplete", 0},
                                                                            {"goals", 1},
                                                                            {"to-and-fro", 0},
                                                                            {"pursuit", 1},
                                                                            {"perpetual", 0},
                                                                            {"repeater", 1}}) {
    const auto graph = graph_named(name);
    const Graph::Rules& rules = graph->rules();
    const Graph::State at = Graph::initial(rules);
    const Player attacker = Graph::to_move(rules, at);
    const int of_attacker = value_for(attacker, static_cast<Value>(value));
    for (const Value threshold : {Value{0}, Value{1}}) {
      const Claim claim{attacker, threshold};
      const std::optional<bool> truth = truth_of(rules, claim, at);
      ASSERT_TRUE(truth) << name;
      EXPECT_EQ(*truth, of_attacker >= threshold) << name;
      Tally tally;
      for (const HistoryRule history : kSafe) {
        ask(rules, claim, at, *truth,
            options_of(history, LoopRule::kTca, ThresholdRule::Kind::kConstant, kRoomy), &tally);
      }
      EXPECT_EQ(tally.wrong + tally.undecided, 0) << name;
    }
  }
}

TEST(PathSearch, WithoutARuleAgainstLoopsItMayNeverEnd) {
  const auto graph = graph_named("incomplete");
  const Graph::Rules& rules = graph->rules();
  const Graph::State at = Graph::initial(rules);
  const auto run = [&](LoopRule loops) {
    PathSearch<Graph> search(
        rules, {Graph::to_move(rules, at), 0},
        options_of(HistoryRule::kTwins, loops, ThresholdRule::Kind::kConstant, kRoomy));
    search.begin(at);
    return search.run(~std::uint64_t{0});
  };
  EXPECT_EQ(run(LoopRule::kNone), StopReason::kNodes);
  EXPECT_EQ(run(LoopRule::kTca), StopReason::kDecided);
  EXPECT_EQ(run(LoopRule::kPatience), StopReason::kDecided);
}

TEST(PathSearch, PathsKnowTheirPlaces) {
  Path<Graph> path;
  std::vector<Graph::State> all;
  Draws draws(5);
  for (int step = 0; step < 20'000; ++step) {
    if (!all.empty() && draws.below(5) < 2) {
      path.pop();
      all.pop_back();
    } else {
      const Graph::State state{static_cast<std::uint32_t>(draws.below(1 << 20))};
      if (path.find(state) != Path<Graph>::kNowhere) continue;
      path.push(state);
      all.push_back(state);
    }
    ASSERT_EQ(path.size(), static_cast<std::int32_t>(all.size()));
    if (all.empty()) continue;
    const int place = draws.below(static_cast<int>(all.size()));
    ASSERT_EQ(path.find(all[static_cast<std::size_t>(place)]), place);
  }
}

}  // namespace
}  // namespace playproof::path_search_test
