// Every sentence of the concept TreeEngine (host/tree/tree_engine.h) that a compiler cannot check,
// on random positions of several games. A new engine joins by one line in one of the tests that
// include this.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "games/hex/connection.h"
#include "games/hex/rules.h"
#include "games/nim/rules.h"
#include "games/pgame/rules.h"
#include "host/tree/check.h"
#include "host/tree/tree_engine.h"
#include "tests/conformance.h"
#include "trees.h"

namespace playproof {
struct Heard final : SearchListener {
  std::map<std::uint64_t, int> expansions;
  std::map<std::uint64_t, Bounds> decisions;
  void on_expanded(std::uint64_t node) override { ++expansions[node]; }
  void on_decided(std::uint64_t node, const Bounds& bounds) override {
    EXPECT_TRUE(decisions.emplace(node, bounds).second) << "decided twice";
  }
  void on_evicted(std::uint64_t /*node*/) override { ADD_FAILURE() << "a tree forgets nothing"; }
};

template <Game G, TreeEngine<G> Engine>
class EngineConformance {
  using State = typename G::State;
  using Rules = typename G::Rules;

 public:
  EngineConformance(const Rules& rules, const State& position, const auto& rule,
                    const auto& options)
      : rules_(rules),
        position_(position),
        claim_{G::to_move(rules, position), 1},
        whole_(rules, position, claim_, rule, options),
        parts_(rules, position, claim_, rule, options) {}

  // The same search in whole batches and in parts, with a listener and without.
  void check(std::uint32_t batch, Draws* draws) {
    whole_.listen(&heard_);
    for (int stroke = 0; stroke < 400 && !::testing::Test::HasFailure(); ++stroke) {
      const bool running = whole_.stopped() == StopReason::kRunning;
      const std::uint32_t taken = take_batch(whole_, batch, batch, nullptr);
      ASSERT_TRUE(running || taken == 0) << "a search that has stopped goes on";
      ASSERT_TRUE(taken > 0 || whole_.stopped() != StopReason::kRunning);
      take_batch(parts_, batch, 1 + static_cast<std::uint32_t>(draws->below(3)), draws);
      check_between();
      if (!running) break;
    }
    TreeCheck<G>(rules_, claim_, SeenEngine<G, Engine>(whole_)).run(position_);
    expect_same_tree();
    check_events();
  }

 private:
  // Returns the leaves taken.
  std::uint32_t take_batch(Engine& engine, std::uint32_t batch, std::uint32_t part, Draws* draws) {
    std::vector<LeafRequest<G>> requests;
    std::uint32_t taken = 0;
    do {
      const std::uint32_t now = engine.propose(batch, requests, part);
      EXPECT_LE(now, part);
      taken += now;
      if (draws != nullptr) part = 1 + static_cast<std::uint32_t>(draws->below(5));
    } while (engine.may_go_on(batch));
    EXPECT_LE(taken, batch);
    std::vector<Tally> tallies;
    for (const auto& request : requests) {
      tallies.push_back(hashed_tally(7, request.key.stream, request.playouts));
    }
    engine.absorb(tallies);
    EXPECT_FALSE(engine.may_go_on(batch)) << "a batch that was absorbed goes on";
    return taken;
  }

  void check_between() {
    ASSERT_EQ(whole_.stopped(), parts_.stopped());
    ASSERT_EQ(whole_.bounds(), whole_.tree().node(0).bounds);
    ASSERT_EQ(whole_.stopped() == StopReason::kDecided, whole_.bounds().decides(1));
    std::vector<int> ties;
    whole_.root_ties(ties);
    const auto children = whole_.tree().children(whole_.tree().node(0));
    ASSERT_TRUE(std::ranges::is_sorted(ties));
    for (const int i : ties) {
      ASSERT_TRUE(0 <= i && i < children.size());
      ASSERT_FALSE(children.created(i) && children[i].decided &&
                   whole_.stopped() == StopReason::kRunning &&
                   std::ranges::any_of(
                       ties, [&](int j) { return !children.created(j) || !children[j].decided; }))
          << "a decided move beside an open one";
    }
    const int preferred = whole_.preferred_child(0, true);
    if (preferred >= 0) {
      ASSERT_TRUE(children.created(preferred) && children[preferred].open());
    }
  }

  void expect_same_tree() {
    const auto& a = whole_.tree();
    const auto& b = parts_.tree();
    ASSERT_EQ(a.nodes(), b.nodes());
    for (NodeIndex i = 0; i < a.nodes(); ++i) {
      ASSERT_TRUE(a.node(i).label == b.node(i).label) << "parts change node " << i;
      ASSERT_EQ(a.node(i).bounds, b.node(i).bounds);
      ASSERT_EQ(a.node(i).edges, b.node(i).edges);
      ASSERT_FALSE(a.node(i).pending);
    }
    for (const CounterField& field : kCounterFields) {
      if (field.value == &Counters::peak_bytes) continue;
      ASSERT_EQ(whole_.counters().*field.value, parts_.counters().*field.value) << field.name;
    }
  }

  void check_events() {
    const auto& tree = whole_.tree();
    Counters of_tree = whole_.counters();
    if constexpr (requires { whole_.tree_counters(); }) of_tree = whole_.tree_counters();
    ASSERT_EQ(heard_.expansions.size(), of_tree.nodes_expanded);
    for (const auto& [node, times] : heard_.expansions) {
      ASSERT_EQ(times, 1) << "expanded more than once";
      ASSERT_GT(tree.node(static_cast<NodeIndex>(node)).edges, 0u);
    }
    std::size_t decided = 0;
    for (NodeIndex i = 0; i < tree.nodes(); ++i) {
      if (!tree.node(i).decided) continue;
      ++decided;
      const auto found = heard_.decisions.find(i);
      ASSERT_NE(found, heard_.decisions.end()) << "nobody was told of node " << i;
      ASSERT_TRUE(found->second.decides(1));
      ASSERT_EQ(found->second.proves(1), tree.node(i).bounds.proves(1));
    }
    ASSERT_EQ(heard_.decisions.size(), decided);
  }

  Rules rules_;
  State position_;
  Claim claim_;
  Engine whole_;
  Engine parts_;
  Heard heard_;
};

// A search with several batches out, proposed and absorbed in turn.
template <Game G, TreeEngine<G> Engine>
class InTurn {
 public:
  InTurn(const typename G::Rules& rules, const typename G::State& position, const auto& rule,
         const auto& options)
      : rules_(rules),
        position_(position),
        claim_{G::to_move(rules, position), 1},
        engine_(rules, position, claim_, rule, options) {}

  void check(std::uint32_t batch, std::uint32_t pipeline) {
    for (int stroke = 0; stroke < 300 && !::testing::Test::HasFailure(); ++stroke) {
      if (out_.size() == pipeline) absorb();
      if (engine_.stopped() == StopReason::kRunning) propose(batch);
      expect_asked_again();
      expect_waiting();
      TreeCheck<G>(rules_, claim_, SeenEngine<G, Engine>(engine_)).run(position_);
      if (engine_.stopped() != StopReason::kRunning) break;
    }
    EXPECT_TRUE(engine_.resumable() || engine_.stopped() == StopReason::kMemory);
  }

 private:
  void absorb() {
    std::vector<Tally> tallies;
    for (const auto& request : out_.front()) {
      tallies.push_back(hashed_tally(7, request.key.stream, request.playouts));
    }
    out_.erase(out_.begin());
    engine_.absorb(tallies);
    EXPECT_EQ(engine_.out(), out_.size());
  }
  // Until a batch is out, or none is free.
  void propose(std::uint32_t batch) {
    std::vector<LeafRequest<G>> requests;
    std::uint32_t taken = 1;
    while (requests.empty() && taken > 0) {
      taken = engine_.propose(batch, requests);
      EXPECT_LE(taken, batch);
      if (engine_.stopped() != StopReason::kRunning) {
        cut_ = requests;
        return;
      }
      engine_.send();
      EXPECT_FALSE(engine_.may_go_on(batch)) << "a batch that is out goes on";
    }
    out_.push_back(requests);
    EXPECT_EQ(engine_.out(), out_.size());
  }
  void expect_asked_again() {
    for (std::size_t i = 0; i <= out_.size(); ++i) {
      const auto& first = i < out_.size() ? out_[i] : cut_;
      std::vector<LeafRequest<G>> again;
      engine_.ask_again(i, again);
      ASSERT_EQ(again.size(), first.size());
      for (std::size_t j = 0; j < again.size(); ++j) {
        ASSERT_EQ(again[j].key.stream, first[j].key.stream);
        ASSERT_EQ(again[j].playouts, first[j].playouts);
        ASSERT_TRUE(again[j].state == first[j].state);
      }
    }
  }
  void expect_waiting() {
    const auto waiting = engine_.waiting();
    ASSERT_TRUE(std::ranges::is_sorted(waiting));
    for (NodeIndex i = 0; i < engine_.tree().nodes(); ++i) {
      const auto& node = engine_.tree().node(i);
      const bool waits = std::ranges::binary_search(waiting, i);
      ASSERT_EQ(node.pending, waits || (!node.decided && engine_.closed(i))) << "node " << i;
    }
  }

  typename G::Rules rules_;
  typename G::State position_;
  Claim claim_;
  Engine engine_;
  std::vector<std::vector<LeafRequest<G>>> out_;
  std::vector<LeafRequest<G>> cut_;  // of a batch that the end has cut short
};

// Of a few random positions of the game.
template <Game G, template <class> class EngineOf>
void conforms_on(const typename G::Rules& rules, int most_plies, const auto& rule,
                 const auto& set_options) {
  Draws draws(11);
  for (int game = 0; game < 6; ++game) {
    auto position = G::initial(rules);
    for (int ply = draws.below(most_plies + 1); ply > 0; --ply) {
      auto next = position;
      Move moves[G::kMaxMoves];
      G::play(rules, next, moves[draws.below(G::moves(rules, position, moves))]);
      if (G::finished(rules, next)) break;
      position = next;
    }
    for (const std::uint32_t batch : {1u, 2u, 7u, 50u}) {
      using Engine = EngineOf<G>;
      typename Engine::Options options;
      options.random_order = game % 2 == 1;
      if (game == 4) options.max_nodes = 60;
      set_options(options);
      EngineConformance<G, Engine>(rules, position, rule, options).check(batch, &draws);
      options.pipeline = 2 + batch % 3;
      InTurn<G, Engine>(rules, position, rule, options).check(batch, options.pipeline);
    }
  }
}

template <template <class> class EngineOf>
void conforms(const auto& rule, const auto& set_options) {
  conforms_on<PGame, EngineOf>({5, 3, 7}, 3, rule, set_options);
  const auto hex =
      GameText<Hex<1>>::rules(Options(game_catalogue().find("hex"), parse_spec("hex:size=3")));
  conforms_on<Hex<1>, EngineOf>(hex, 4, rule, set_options);
  conforms_on<Nim, EngineOf>(
      GameText<Nim>::rules(Options(game_catalogue().find("nim"), parse_spec("nim:heaps=2.3"))), 2,
      rule, set_options);
}

template <Scheme S>
struct With {
  template <class G>
  using Engine = BestFirst<G, S>;
};
inline constexpr auto kAsTheyAre = [](auto& /*options*/) {};

}  // namespace playproof
