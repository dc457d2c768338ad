// A way down a tree and back up: nodes, choices and positions from the root to where it is. Several
// descents may be under way in one tree; the nodes of one that waits for playouts may be
// pending (host/tree/waiting.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "games/core/game.h"
#include "host/tree/tree.h"

namespace playproof {

// What an engine keeps of each node on its way.
template <Game G>
struct Step {
  NodeIndex node;
  int child;  // the index of the child chosen here; -1 if none yet
  bool or_node;
  typename G::State state;
};

// StepType: a Step<G>, or the same without `child` if the engine does not keep the choice.
template <Game G, class StepType>
class Descent {
 public:
  using Step = StepType;

  explicit Descent(const Step& root) : steps_(1, root) {}

  std::uint32_t depth() const { return depth_; }
  Step& end() { return steps_[depth_]; }
  const Step& end() const { return steps_[depth_]; }
  // The step d plies below the root. Those beyond depth() are of earlier descents.
  Step& operator[](std::uint32_t d) { return steps_[d]; }
  const Step& operator[](std::uint32_t d) const { return steps_[d]; }
  std::span<const Step> steps() const { return {steps_.data(), depth_ + std::size_t{1}}; }
  // Down to here, or to the step above where they part, the way is that of the last iteration.
  std::uint32_t previous() const { return previous_; }
  std::uint64_t bytes() const { return steps_.capacity() * sizeof(Step); }

  // Goes one step down; if the game is over there, or_node says nothing. A state that is still
  // there from before need not be replayed. Inlined but for the move: PPN on P-games takes 4 to 9 %
  // longer if the move is inlined, too, or if all of this is a call.
  [[gnu::always_inline]] void enter(const typename G::Rules& rules, Player attacker,
                                    const Edge& edge) {
    ++depth_;
    if (depth_ == steps_.size()) add_step();
    Step& step = steps_[depth_];
    if (step.node == edge.node) return;
    previous_ = std::min(previous_, depth_);
    step = steps_[depth_ - 1];
    step.node = edge.node;
    if constexpr (requires { step.child; }) step.child = -1;
    play(rules, step.state, edge.move);
    step.or_node = G::to_move(rules, step.state) == attacker;
  }
  void up() { --depth_; }
  void up_to(std::uint32_t depth) { depth_ = depth; }
  void to_root() { depth_ = 0; }
  // The last iteration ended here.
  void end_iteration() { previous_ = depth_; }

  // Becomes the way of another descent; what lies beyond it stays.
  void follow(const Descent& other) {
    while (steps_.size() <= other.depth_) add_step();
    std::copy(other.steps_.begin(), other.steps_.begin() + other.depth_ + 1, steps_.begin());
    depth_ = other.depth_;
    previous_ = other.depth_;
  }

  // Its nodes no longer wait.
  void reopen(TreeStructure& tree) const {
    for (const Step& step : steps()) tree.node(step.node).pending = false;
  }

  // A descent that is saved tells how many steps it ever had (memory counts), and where it stood.
  std::uint32_t entries() const { return static_cast<std::uint32_t>(steps_.size()); }
  void restore(std::uint32_t entries, std::uint32_t depth, std::uint32_t previous) {
    while (steps_.size() < entries) add_step();
    depth_ = depth;
    previous_ = previous;
  }

 private:
  [[gnu::noinline]] static void play(const typename G::Rules& rules, typename G::State& state,
                                     Move move) {
    G::play(rules, state, move);
  }
  void add_step() {
    steps_.push_back(steps_[0]);
    steps_.back().node = kNoNode;
  }

  std::vector<Step> steps_;
  std::uint32_t depth_ = 0;
  std::uint32_t previous_ = 0;
};

}  // namespace playproof
