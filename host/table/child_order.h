// The order of the children of a node that is entered, apart from their numbers: in Hex by the
// current through their cells in the circuit of who moves (games/hex/resistance.h). Of equal
// numbers the first in this order is taken; with widening F only the first 1 + ceil(F m) of m open
// children are looked at (benzene's dynamic widening, but that the sum of all is the number of
// their parent).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "games/core/connection.h"
#include "games/core/game.h"

namespace playproof {

template <Game G>
inline constexpr bool kHasResistance = requires {
  typename Connection<G>::Resistance;
};

template <Game G>
class ChildOrder {
 public:
  // widening: F; 0 looks at all.
  ChildOrder(const typename G::Rules& rules, bool on, double widening) : rules_(rules) {
    if constexpr (kHasResistance<G>) {
      for (int player = 0; player < 2 && on; ++player) circuits_.emplace_back(rules, player);
    }
    if (this->on()) widening_ = widening;
  }

  // Not in games without an order.
  bool on() const { return !circuits_.empty(); }

  // Gives the children of this position that open(child) names their ranks, from 0 on; those that
  // are put_off(child) come last.
  template <class Child>
  void rank(const typename G::State& state, std::span<Child> children, auto&& open,
            auto&& put_off) {
    if constexpr (kHasResistance<G>) {
      if (!on()) return;
      ranked_.clear();
      for (Child& child : children) {
        if (open(child)) ranked_.push_back({child.move, put_off(child), 0, &child.rank});
      }
      if (ranked_.size() > 1) weigh(state);
      std::uint16_t next = 0;
      for (const Ranked& one : ranked_) *one.rank = next++;
    }
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
  struct NoCircuit {};
  using Circuit = typename decltype([] {
    if constexpr (kHasResistance<G>) {
      return std::type_identity<typename Connection<G>::Resistance>{};
    } else {
      return std::type_identity<NoCircuit>{};
    }
  }())::type;

  // Sorts ranked_: the greatest current first, of equal ones as they were; those put off at the
  // end.
  void weigh(const typename G::State& state) {
    const Player mover = G::to_move(rules_, state);
    const auto own = Connection<G>::stones(state, mover);
    const auto other = Connection<G>::stones(state, opponent(mover));
    const std::vector<double>& currents =
        circuits_[static_cast<std::size_t>(mover)].currents(own, other);
    for (Ranked& one : ranked_) one.current = currents[one.move];
    std::stable_sort(ranked_.begin(), ranked_.end(), [](const Ranked& a, const Ranked& b) {
      return a.put_off != b.put_off ? b.put_off : a.current > b.current;
    });
  }

  typename G::Rules rules_;
  double widening_ = 0;
  std::vector<Circuit> circuits_;  // of each player
  std::vector<Ranked> ranked_;
};

}  // namespace playproof
