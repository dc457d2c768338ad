// Looking into the trees of the engines: driving one without the solver around it, the order of
// expansion, walks over all nodes with their positions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "host/drive/driver.h"
#include "host/playouts/evaluator.h"
#include "host/tree/best_first.h"
#include "host/tree/mcts.h"

namespace playproof {

// Playouts by hash: tallies that are a pure function of (seed, stream), with all shares of wins
// from none to all, and as little to do with the value of a position as can be.
inline Tally hashed_tally(std::uint64_t seed, std::uint64_t stream, std::uint32_t playouts) {
  const std::uint64_t draw = mix64(mix64(seed) ^ stream);
  const auto below = [](std::uint64_t x, std::uint32_t n) {
    return static_cast<std::uint32_t>(((x & 0xffffffff) * n) >> 32);
  };
  Tally tally;
  tally.wins = below(draw, playouts + 1);
  tally.draws = below(draw >> 32, playouts - tally.wins + 1) / 4;
  tally.losses = playouts - tally.wins - tally.draws;
  return tally;
}

template <class G>
class HashedEvaluator final : public PlayoutEvaluator<G> {
 public:
  using typename PlayoutEvaluator<G>::Ticket;
  explicit HashedEvaluator(std::uint64_t seed) : seed_(seed) {}
  Ticket submit(std::span<const LeafRequest<G>> requests) override {
    tallies_.clear();
    for (const LeafRequest<G>& request : requests) {
      tallies_.push_back(hashed_tally(seed_, request.key.stream, request.playouts));
    }
    return 0;
  }
  void collect(Ticket /*ticket*/, std::span<Tally> tallies) override {
    std::copy(tallies_.begin(), tallies_.end(), tallies.begin());
  }
  std::string name() const override { return "hashed"; }

 private:
  std::uint64_t seed_;
  std::vector<Tally> tallies_;
};

// Drives an engine for up to `strokes` strokes of `batch` leaves.
template <class G, class Engine>
void drive_with(PlayoutEvaluator<G>& evaluator, Engine& engine, std::uint64_t strokes,
                std::uint32_t batch = 1) {
  struct Strokes {
    std::uint64_t left;
    std::uint64_t most() const { return 1; }  // one stroke a turn, whatever it takes
    bool pause(const Turn& /*turn*/) { return --left == 0; }
  };
  if (strokes == 0 || engine.stopped() != StopReason::kRunning) return;
  EngineSearch<G, Engine> search(engine, batch);
  Driver<G>(search, &evaluator).run(Strokes{strokes});
}
template <class G, class Engine>
void drive(Engine& engine, std::uint64_t strokes, std::uint32_t batch = 1, std::uint64_t seed = 1) {
  HashedEvaluator<G> evaluator(seed);
  drive_with<G>(evaluator, engine, strokes, batch);
}
inline constexpr std::uint64_t kToTheEnd = ~std::uint64_t{0};

// Calls visit(index, node, state) for every node that exists, parents before children.
template <class G, class Visit>
void walk(const auto& tree, const typename G::Rules& rules, const typename G::State& position,
          Visit&& visit) {
  std::vector<std::pair<NodeIndex, typename G::State>> waiting = {{0, position}};
  while (!waiting.empty()) {
    const auto [index, state] = waiting.back();
    waiting.pop_back();
    const auto& node = tree.node(index);
    visit(index, node, state);
    const auto children = tree.children(node);
    for (int i = 0; i < children.size(); ++i) {
      if (!children.created(i)) continue;
      auto child = state;
      G::play(rules, child, children.edge(i).move);
      waiting.emplace_back(children.edge(i).node, child);
    }
  }
}

// The expanded nodes in the order of their expansion.
class Expansions final : public SearchListener {
 public:
  void on_expanded(std::uint64_t node) override { nodes_.push_back(static_cast<NodeIndex>(node)); }

  // Each as its path from the root ("0 3 1 ").
  template <class Label>
  std::vector<std::string> paths(const Tree<Label>& tree) const {
    std::map<NodeIndex, std::string> path_of;
    std::vector<std::pair<NodeIndex, std::string>> waiting = {{0, ""}};
    while (!waiting.empty()) {
      const auto [index, path] = std::move(waiting.back());
      waiting.pop_back();
      const auto children = tree.children(tree.node(index));
      for (int i = 0; i < children.size(); ++i) {
        waiting.emplace_back(children.edge(i).node,
                             path + std::to_string(children.edge(i).move) + ' ');
      }
      path_of.emplace(index, path);
    }
    std::vector<std::string> paths;
    paths.reserve(nodes_.size());
    for (const NodeIndex node : nodes_) paths.push_back(path_of.at(node));
    return paths;
  }

 private:
  std::vector<NodeIndex> nodes_;
};

}  // namespace playproof
