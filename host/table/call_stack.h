// The explicit stack of depth-first search: the positions from the root to where the search is,
// each with all its children. Children keep their numbers here while their parent is on the stack,
// so the search makes progress however small the table is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "games/core/connection.h"
#include "games/core/game.h"
#include "kernels/numbers/bounds.h"
#include "kernels/numbers/phi_delta.h"

namespace playproof {

// What every search has of a child; its numbers are added to it.
template <Game G>
struct AnyCallChild {
  AnyCallChild(const typename G::State& s, Move m, const Bounds& b)
      : state(s), move(m), bounds(b) {}

  typename G::State state;
  std::uint64_t hash = 0;  // of its position id; stays 0 if finished
  Move move;
  bool finished = false;
  bool symmetric = false;  // its moves have twins (games/core/symmetry.h)
  bool needs_playouts = false;
  Bounds bounds;
  bool entered = false;  // before, as far as the table knows
};
template <Game G>
struct AnyCallFrame {
  typename G::State state;
  std::uint64_t hash;       // of its position id
  bool attackers = true;    // the attacker is to move
  bool symmetric = false;   // moves have twins
  std::uint32_t first = 0;  // of its children
  std::uint32_t count = 0;
  std::int32_t chosen = -1;  // the child that was entered last, and another one before that
  std::int32_t before = -1;
  bool broke = false;  // later moves have no child: the last one decides (early break)
  std::uint64_t work = 1;
};

// A frame of searches by proof numbers (host/table/depth_first.h).
template <Game G>
struct CallChild : AnyCallChild<G> {
  using AnyCallChild<G>::AnyCallChild;

  bool same_mover = false;  // the side to move is that of the parent (not if finished)
  bool numbered = false;    // by the table, when its parent was entered
  // The numbers as the parent's opponent sees them, whoever is to move: those of the side to move,
  // turned if that is the same as in the parent.
  PhiDeltaPair numbers;
  PhiDelta cost = 0;       // of the move (df-pn+)
  std::uint16_t rank = 0;  // in the order of its parent (host/table/child_order.h)

  PhiDeltaPair turned_for_parent(const PhiDeltaPair& own) const {
    return same_mover ? own.turned() : own;
  }
};

template <Game G>
struct CallFrame : AnyCallFrame<G> {
  PhiDeltaPair threshold;
  PhiDelta average = 1;  // of the open children's first deltas
};

template <Game G, class C = CallChild<G>, class F = CallFrame<G>>
class CallStack {
 public:
  using Child = C;
  using Frame = F;

  bool empty() const { return frames_.empty(); }
  std::size_t size() const { return frames_.size(); }
  Frame& top() { return frames_.back(); }
  const Frame& top() const { return frames_.back(); }
  const Frame& root() const { return frames_.front(); }
  std::span<Child> children_of(const Frame& frame) {
    return {children_.data() + frame.first, frame.count};
  }
  std::span<const Child> children_of(const Frame& frame) const {
    return {children_.data() + frame.first, frame.count};
  }
  Child& chosen_child(const Frame& frame) {
    return children_[frame.first + static_cast<std::size_t>(frame.chosen)];
  }
  const Child& chosen_child(const Frame& frame) const {
    return children_[frame.first + static_cast<std::size_t>(frame.chosen)];
  }
  // `depth` is that below the root.
  Frame& frame(std::size_t depth) { return frames_[depth]; }
  const Frame& frame(std::size_t depth) const { return frames_[depth]; }

  // Calls f(child) with the children of all positions, from the root on.
  void for_each_child(auto&& f) const {
    for (const Child& child : children_) f(child);
  }

  // From now on children have zones once they are decided; the stack must be empty.
  void keep_zones() { keeps_zones_ = true; }
  bool keeps_zones() const { return keeps_zones_; }
  // The zone of one of its children that is decided, as its parent's board lies.
  Zone<G>& zone_of(const Child& child) {
    return zones_[static_cast<std::size_t>(&child - children_.data())];
  }
  const Zone<G>& zone_of(const Child& child) const {
    return zones_[static_cast<std::size_t>(&child - children_.data())];
  }

  // A position without children yet.
  Frame& push(const typename G::State& state, std::uint64_t hash) {
    Frame& frame = frames_.emplace_back();
    frame.state = state;
    frame.hash = hash;
    frame.first = static_cast<std::uint32_t>(children_.size());
    return frame;
  }
  // Room for the zones of the next so many children, if it keeps them.
  void make_zones(std::size_t count) {
    const std::size_t size = children_.size() + count;
    if (keeps_zones_ && zones_.size() < size) zones_.resize(size);
  }
  void drop_last_child() {
    --frames_.back().count;
    children_.pop_back();
  }
  // One more child of the top.
  Child& add_child(const typename G::State& state, Move move, const Bounds& bounds) {
    ++frames_.back().count;
    return children_.emplace_back(state, move, bounds);
  }
  void pop() {
    children_.erase(children_.begin() + frames_.back().first, children_.end());
    frames_.pop_back();
  }
  void clear() {
    frames_.clear();
    children_.clear();
    zones_.clear();
  }
  // Gives back the memory of what was popped.
  void shrink() {
    frames_.shrink_to_fit();
    children_.shrink_to_fit();
    if (keeps_zones_) zones_.resize(children_.size());
    zones_.shrink_to_fit();
  }
  // What the longest stack that there can be takes, with all children.
  static std::uint64_t most_bytes() requires AcyclicGame<G> {
    constexpr std::uint64_t kChildren = G::kMaxMoves;
    return (G::kMaxPlies + 1u) * (sizeof(Frame) + kChildren * (sizeof(Child) + sizeof(Zone<G>)));
  }
  std::uint64_t bytes() const {
    return frames_.size() * sizeof(Frame) + children_.size() * sizeof(Child) +
           (keeps_zones_ ? children_.size() * sizeof(Zone<G>) : 0);
  }

 private:
  std::vector<Frame> frames_;
  std::vector<Child> children_;  // of the frames, one after the other
  std::vector<Zone<G>> zones_;   // of the children, and maybe more; if it keeps them
  bool keeps_zones_ = false;
};

}  // namespace playproof
