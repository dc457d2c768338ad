// The counters of E24, recomputed from the paths that the searches took, and those of the table.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "games/pgame/rules.h"
#include "host/table/depth_first.h"
#include "kernels/schemes/pn.h"
#include "support.h"
#include "trees.h"

namespace playproof::seesaw_test {
namespace {

using Path = std::vector<int>;

// What the choices of one node after the other, each named by the path to it, amount to.
class Seesaw {
 public:
  void choose(const Path& node, int child) {
    auto& [last, before] = choices_.try_emplace(node, -1, -1).first->second;
    if (last == child) return;
    if (last >= 0) {
      root_ += node.empty();
      shallow_ += node.size() <= 2;
      branch_ += before == child;
    }
    before = last;
    last = child;
  }
  std::uint64_t root() const { return root_; }
  std::uint64_t shallow() const { return shallow_; }
  std::uint64_t branch() const { return branch_; }

 private:
  std::map<Path, std::pair<int, int>> choices_;  // the last one and another before that
  std::uint64_t root_ = 0;
  std::uint64_t shallow_ = 0;
  std::uint64_t branch_ = 0;
};

Path numbers_of(const std::string& text) {
  Path path;
  for (const std::string& word : words_of(text)) path.push_back(std::stoi(word));
  return path;
}
PGame::Rules pgame(std::uint64_t tree) {
  return {tree, static_cast<std::uint8_t>(2 + tree % 4), static_cast<std::uint8_t>(5 + tree % 3)};
}

TEST(Seesaw, OfTrees) {
  std::uint64_t switches = 0;
  for (std::uint64_t tree = 0; tree < 40; ++tree) {
    using Engine = BestFirst<PGame, Pn>;
    Engine::Options options;
    options.stop = StopRule::kNone;  // every descent begins at the root
    const auto rules = pgame(tree);
    Engine engine(rules, PGame::initial(rules), {Player::kFirst, 1}, Pn{}, options);
    Expansions expansions;
    engine.listen(&expansions);
    drive<PGame>(engine, kToTheEnd);
    Seesaw seesaw;
    std::uint64_t re_entries = 0;
    for (const std::string& text : expansions.paths(engine.tree())) {
      const Path path = numbers_of(text);
      re_entries += path.empty() ? 0 : path.size() - 1;
      for (std::size_t depth = 0; depth < path.size(); ++depth) {
        const auto end = path.begin() + static_cast<std::ptrdiff_t>(depth);
        seesaw.choose({path.begin(), end}, path[depth]);
      }
    }
    const Counters counters = engine.counters();
    EXPECT_EQ(counters.re_entries, re_entries);
    EXPECT_EQ(counters.branch_switches, seesaw.branch());
    EXPECT_EQ(counters.root_switches, seesaw.root());
    EXPECT_EQ(counters.shallow_switches, seesaw.shallow());
    switches += counters.shallow_switches - counters.root_switches;
  }
  EXPECT_GT(switches, 1000u);
}

// A node forgets its choices when it is left, but near the root they are kept.
TEST(Seesaw, OfDepthFirstSearch) {
  std::uint64_t switches = 0;
  for (std::uint64_t tree = 0; tree < 40; ++tree) {
    const auto rules = pgame(tree);
    DepthFirst<PGame> search(rules, PGame::initial(rules), {Player::kFirst, 1}, {});
    Seesaw seesaw;
    while (search.stopped() == StopReason::kRunning) {
      Path path;  // the last choice is the one to be followed now
      for (std::size_t depth = 0; depth < search.stack().size(); ++depth) {
        path.push_back(search.stack().frame(depth).chosen);
      }
      if (!path.empty()) seesaw.choose({path.begin(), path.end() - 1}, path.back());
      drive<PGame>(search, 1);
    }
    EXPECT_EQ(search.counters().root_switches, seesaw.root());
    EXPECT_EQ(search.counters().shallow_switches, seesaw.shallow());
    EXPECT_LE(search.counters().branch_switches, seesaw.branch());
    switches += seesaw.shallow() - seesaw.root();
  }
  EXPECT_GT(switches, 100u);
}

TEST(Seesaw, OfAlgorithms) {
  for (const std::string& algorithm : plain_algorithms()) {
    const Counters counters = solve(ask("hex:size=3", algorithm, "b2")).counters;
    SCOPED_TRACE(algorithm);
    EXPECT_LE(counters.root_switches, counters.shallow_switches);
    EXPECT_EQ(counters.re_entries > 0, algorithm != "minimax" && algorithm != "alphabeta");
    EXPECT_EQ(counters.root_switches > 0, algorithm != "minimax");
    EXPECT_EQ(counters.table_lookups > 0, has_table(algorithm));
  }
}

TEST(TableCounts, WhatHitsAreWorth) {
  const auto counters = [](const std::string& game, const std::string& algorithm) {
    return solve(ask(game, algorithm)).counters;
  };
  // Every node is entered once and no position comes twice: nothing is found.
  const Counters once = counters("pgame:branching=3,depth=6,tree=5", "dfpn:E=0");
  EXPECT_GT(once.table_lookups, once.nodes_expanded);
  EXPECT_EQ(once.table_hits, 0u);
  EXPECT_EQ(once.re_entries, 0u);
  // No position comes twice, but nodes are entered again and find their children.
  const Counters tree = counters("pgame:branching=3,depth=6,tree=5", "dfpn:leaf=unit");
  EXPECT_GT(tree.re_entries, 0u);
  EXPECT_GT(tree.table_useful_hits, 0u);
  const Counters hex = counters("hex:size=4", "dfpn:leaf=unit,zones=off");
  EXPECT_LT(hex.table_useful_hits, hex.table_hits);
  EXPECT_LT(hex.table_hits, hex.table_lookups);
  EXPECT_EQ(hex.table_replaced + hex.table_discarded, 0u);
  EXPECT_GT(hex.table_stored, 0u);
  EXPECT_GT(counters("hex:size=4", "dfpn:leaf=unit,zones=off,table=64KiB").table_replaced, 1000u);
  EXPECT_GT(counters("hex:size=4", "dfpn:leaf=unit,zones=off,table=64KiB,gc=0.3").table_discarded,
            1000u);
  // Claims are added up.
  const auto claim = [](const char* goal) {
    return solve(ask("othello:size=4", "dfpn:leaf=unit,endings=0", "", goal)).counters;
  };
  EXPECT_GT(claim("score").table_lookups, claim("win").table_lookups);
}

}  // namespace
}  // namespace playproof::seesaw_test
