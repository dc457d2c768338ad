// The order of the children of a node that is entered, apart from their numbers: in Hex by the
// current through their cells in the circuit of who waits, whose links were looked for there
// (games/hex/resistance.h). Of equal numbers the first in this order is taken; with widening F only
// the first 1 + ceil(F m) of m open children are looked at (benzene's dynamic widening, but that
// the sum of all is the number of their parent).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "games/core/connection.h"
#include "games/core/game.h"

namespace playproof {

template <Game G>
class ChildOrder {
 public:
  // widening: F; 0 looks at all.
  ChildOrder(bool on, double widening) : on_(on && HasLinks<G>), widening_(on_ ? widening : 0) {}

  // It is never on in games without an order.
  bool on() const { return on_; }

  // Gives those children that open(child) names their ranks, from 0 on: the greatest of currents()
  // first, of equal ones as they are; those that are put_off(child) come last.
  template <class Child>
  void rank(std::span<Child> children, auto&& open, auto&& put_off, auto&& currents) {
    if (!on()) return;
    ranked_.clear();
    for (Child& child : children) {
      if (open(child)) ranked_.push_back({child.move, put_off(child), 0, &child.rank});
    }
    if (ranked_.size() > 1) sort(currents());
    std::uint16_t next = 0;
    for (const Ranked& one : ranked_) *one.rank = next++;
  }
  // Ranks below this one are looked at, where so many children are open(child).
  template <class Child, class F>
  std::uint32_t end_of_look(std::span<const Child> children, F&& open) const {
    if (widening_ == 0) return kAll;
    bool at_rank[G::kMaxMoves];
    std::fill_n(at_rank, children.size(), false);
    std::uint32_t count = 0;
    for (const Child& child : children) {
      if (!open(child)) continue;
      count += at_rank[child.rank] ? 0 : 1;  // a file may give one rank twice
      at_rank[child.rank] = true;
    }
    const std::uint32_t look = 1 + static_cast<std::uint32_t>(std::ceil(widening_ * count));
    if (look >= count) return kAll;
    std::uint32_t end = 0;
    for (std::uint32_t seen = 0; seen < look; ++end) seen += at_rank[end] ? 1 : 0;
    return end;
  }

 private:
  static constexpr std::uint32_t kAll = ~std::uint32_t{0};
  struct Ranked {
    Move move;
    bool put_off;
    double current;
    std::uint16_t* rank;
  };

  void sort(const std::vector<double>& currents) {
    for (Ranked& one : ranked_) one.current = currents[one.move];
    std::stable_sort(ranked_.begin(), ranked_.end(), [](const Ranked& a, const Ranked& b) {
      return a.put_off != b.put_off ? b.put_off : a.current > b.current;
    });
  }

  bool on_;
  double widening_;
  std::vector<Ranked> ranked_;
};

}  // namespace playproof
