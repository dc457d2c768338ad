// Inferior cells of Hex: empty cells that may be filled without a change of who wins (Hayward and
// van Rijswijck 2006, "Hex and combinatorics", Discrete Mathematics 306), as seen by one player,
// the owner, whose win is to be proved.
//   dead      however the cells around it are filled, those of each player hang together without
//             it: it is on no shortest way of either
//   captured  two cells that touch: when the opponent takes one of them the owner takes the other
//             one, and what the opponent took is dead
// What the opponent has captured and what is dead is filled for him, and needs no reason: a proof
// of the owner's win that makes do without a cell may give it away. What the owner has captured
// rests on stones of his, and joins the zone of a proof together with them. Nothing else makes it
// captured but what he captured before: so it stays where the opponent has all cells outside the
// zone.
//
// Of the opponent's moves some need not be tried while others are open. No proof rests on that: if
// all others are lost, their zones tell whether these are (host/zone/zone.h).
//   worthless   the cell is dead, or he has captured it
//   dominated   another move of his makes the cell so
//   reversible  a move of the owner's makes it dead
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "games/core/cell_set.h"
#include "games/core/fill_level.h"
#include "games/hex/neighbours.h"
#include "games/hex/rules.h"

namespace playproof {

// The six places around a cell in turn, each of them free, the owner's or the opponent's, as a
// number of six digits to the base of 3.
class HexRings {
 public:
  static constexpr int kFree = 0;
  static constexpr int kOwners = 1;
  static constexpr int kOpponents = 2;

  static constexpr bool is_dead(int ring) { return kDead.dead[static_cast<std::size_t>(ring)]; }

 private:
  static constexpr int kRings = 729;
  // Do the owner's hang together where no place is free? Then so do the opponent's.
  static constexpr bool hangs_together(int ring) {
    int digits[6] = {};
    for (int& digit : digits) {
      digit = ring % 3;
      ring /= 3;
    }
    int arcs = 0;
    for (int i = 0; i < 6; ++i) {
      arcs += digits[i] == kOwners && digits[(i + 5) % 6] != kOwners ? 1 : 0;
    }
    return arcs <= 1;
  }
  struct Table {
    std::array<bool, kRings> dead{};
    constexpr Table() {
      for (int ring = kRings; ring-- > 0;) {  // those with fewer free places come first
        int place = 1;
        while (place < kRings && ring / place % 3 != kFree) place *= 3;
        dead[static_cast<std::size_t>(ring)] =
            place == kRings ? hangs_together(ring)
                            : dead[static_cast<std::size_t>(ring + place * kOwners)] &&
                                  dead[static_cast<std::size_t>(ring + place * kOpponents)];
      }
    }
  };
  static const Table kDead;
};
inline constexpr HexRings::Table HexRings::kDead{};

template <int W>
class HexFill {
 public:
  using Cells = CellSet<W>;
  using Rules = typename Hex<W>::Rules;

  // Cells that the owner has captured, and those stones of his that they rest on; some of these may
  // be cells that he captured before.
  struct Captured {
    Cells cells;
    Cells stones;
  };
  // A position with inferior cells filled in.
  struct Filling {
    Cells own;
    Cells other;
    Cells captured;              // of `own`: filled
    std::vector<Captured> sets;  // what is filled for the owner, in this order
    Cells left_out;              // replies of the opponent that need no search: all but one at most
    Cells put_off;               // replies of his that need not be tried first
  };

  HexFill(const Rules& rules, int owner, FillLevel level)
      : rules_(rules),
        level_(level),
        edges_{hex_edge<W>(rules, owner, 0), hex_edge<W>(rules, owner, 1)},
        other_edges_(hex_edge<W>(rules, 1 - owner, 0) | hex_edge<W>(rules, 1 - owner, 1)) {
    make_rings(owner);
  }

  // The position is not finished; the answer stays until the next call.
  const Filling& fill(const Cells& own, const Cells& other) {
    if (known_ && own_ == own && other_ == other) return filling_;
    known_ = true;
    own_ = own;
    other_ = other;
    filling_.own = own;
    filling_.other = other;
    filling_.captured = {};
    filling_.sets.clear();
    if (level_ >= FillLevel::kCaptured) capture();
    filling_.left_out = filling_.captured;
    const Cells left = empty();
    if (left.empty()) filling_.left_out.remove(filling_.captured.lowest());
    give_away();
    filling_.put_off = filling_.other - other;
    if (level_ >= FillLevel::kFull) put_off_more();
    return filling_;
  }
  // `used` cells that the owner has captured in the last position, and all that they rest on.
  Cells rests_on(Cells used) const {
    for (std::size_t i = filling_.sets.size(); i-- > 0;) {
      const Captured& set = filling_.sets[i];
      if (!(set.cells & used).empty()) used |= set.cells | set.stones;
    }
    return used;
  }
  // A shortest chain of the owner's over what is filled for him in the last position; empty if
  // there is none.
  Cells chain() const {
    std::vector<Cells> layers = {edges_[0] & filling_.own};
    for (Cells reached; !layers.back().empty();) {
      if (!(layers.back() & edges_[1]).empty()) return way_back(layers);
      reached |= layers.back();
      layers.push_back((hex_neighbours<W>(rules_, layers.back()) & filling_.own) - reached);
    }
    return {};
  }

 private:
  void make_rings(int owner) {
    constexpr int kDown[6] = {-1, -1, 0, 1, 1, 0};
    constexpr int kRight[6] = {0, 1, 1, 0, -1, -1};
    for (int cell = 0; cell < rules_.cells; ++cell) {
      const int row = cell / rules_.columns;
      const int column = cell % rules_.columns;
      for (int i = 0; i < 6; ++i) {
        const int r = row + kDown[i];
        const int c = column + kRight[i];
        // A corner lies between edges of both players, and may be either's.
        const bool blacks = r < 0 || r >= rules_.rows;
        const bool inside = !blacks && c >= 0 && c < rules_.columns;
        around_.push_back(inside ? static_cast<std::int16_t>(r * rules_.columns + c)
                          : (blacks ? 0 : 1) == owner ? kOwnersEdge
                                                      : kOpponentsEdge);
      }
    }
  }
  Cells empty() const { return Cells::all(rules_.cells) - filling_.own - filling_.other; }
  bool is_dead(int cell, const Cells& own, const Cells& other) const {
    const std::int16_t* around = &around_[6 * static_cast<std::size_t>(cell)];
    int ring = 0;
    for (int i = 0; i < 6; ++i) {
      const int next = around[i];
      const bool owners = next >= 0 ? own.has(next) : next == kOwnersEdge;
      const bool opponents = next >= 0 ? other.has(next) : next == kOpponentsEdge;
      ring = 3 * ring + (owners ? HexRings::kOwners : opponents ? HexRings::kOpponents : 0);
    }
    return HexRings::is_dead(ring);
  }
  static Cells with(Cells cells, int cell) {
    cells.add(cell);
    return cells;
  }
  // Calls f(a, b) with pairs of empty cells that touch, one of them near `stones` or `edges`.
  template <class F>
  void for_each_pair(const Cells& stones, const Cells& edges, F&& f) const {
    const Cells free = empty();
    const Cells near = free & (hex_neighbours<W>(rules_, stones) | edges);
    for_each_cell(near, [&](int a) {
      for_each_cell(hex_neighbours<W>(rules_, Cells::one(a)) & free, [&](int b) {
        if (a < b || !near.has(b)) f(a, b);
      });
    });
  }
  // Captures pairs for the owner.
  void capture() {
    const auto holds = [this](int a, int b, const Cells& own) {
      return is_dead(a, with(own, b), filling_.other) && is_dead(b, with(own, a), filling_.other);
    };
    for (bool more = true; more;) {
      more = false;
      for_each_pair(filling_.own, edges_[0] | edges_[1], [&](int a, int b) {
        if (filling_.own.has(a) || filling_.own.has(b) || !holds(a, b, filling_.own)) return;
        const Cells pair = with(Cells::one(a), b);
        Cells stones = hex_neighbours<W>(rules_, pair) & filling_.own;
        for_each_cell(Cells(stones), [&](int stone) {
          Cells fewer = stones;
          fewer.remove(stone);
          if (holds(a, b, fewer)) stones = fewer;
        });
        filling_.sets.push_back({pair, stones});
        filling_.own |= pair;
        filling_.captured |= pair;
        more = true;
      });
    }
  }
  // Gives away dead cells, and pairs of the opponent.
  void give_away() {
    for (bool more = true; more;) {
      more = false;
      const auto give = [&](const Cells& cells) {
        filling_.other |= cells;
        more = true;
      };
      for_each_cell(empty(), [&](int cell) {
        if (is_dead(cell, filling_.own, filling_.other)) give(Cells::one(cell));
      });
      if (level_ < FillLevel::kCaptured) continue;
      for_each_pair(filling_.other, other_edges_, [&](int a, int b) {
        if (filling_.other.has(a) || filling_.other.has(b)) return;
        if (!is_dead(a, filling_.own, with(filling_.other, b))) return;
        if (is_dead(b, filling_.own, with(filling_.other, a))) give(with(Cells::one(a), b));
      });
    }
  }
  // Puts off the opponent's dominated moves (one of two that kill each other), and reversible ones.
  void put_off_more() {
    const Cells free = empty();
    killers_.clear();
    for_each_cell(free, [&](int cell) {
      const Cells killed = killed_by(cell, free);
      if (!killed.empty()) killers_.push_back({cell, killed.size(), killed});
    });
    std::stable_sort(killers_.begin(), killers_.end(),
                     [](const Killer& a, const Killer& b) { return a.size > b.size; });
    Cells kept;  // for others that they dominate
    for (const Killer& killer : killers_) {
      if (filling_.put_off.has(killer.cell)) continue;
      filling_.put_off |= killer.killed;
      kept.add(killer.cell);
    }
    for_each_cell(free - filling_.put_off - kept, [&](int cell) {
      for_each_cell(hex_neighbours<W>(rules_, Cells::one(cell)) & free, [&](int answer) {
        if (is_dead(cell, with(filling_.own, answer), filling_.other)) filling_.put_off.add(cell);
      });
    });
  }
  // Free cells that are dead, or captured by the opponent, once he has moved there.
  Cells killed_by(int move, const Cells& free) const {
    Cells other = with(filling_.other, move);
    Cells killed;
    for (Cells news = Cells::one(move); !news.empty();) {
      const Cells before = killed;
      for_each_cell(hex_neighbours<W>(rules_, news) & (free - other), [&](int a) {
        const Cells dead = killed_with(a, free - other, other);
        killed |= dead;
        other |= dead;
      });
      news = killed - before;
    }
    return killed;
  }
  // The cell if it is dead, or with another one if the opponent has captured both.
  Cells killed_with(int a, const Cells& free, const Cells& other) const {
    if (!free.has(a)) return {};
    if (is_dead(a, filling_.own, other)) return Cells::one(a);
    Cells pair;
    for_each_cell(hex_neighbours<W>(rules_, Cells::one(a)) & free, [&](int b) {
      const bool captured = pair.empty() && is_dead(a, filling_.own, with(other, b)) &&
                            is_dead(b, filling_.own, with(other, a));
      if (captured) pair = with(Cells::one(a), b);
    });
    return pair;
  }
  // Goes back through layers by their distances from the first edge; the last reaches the second.
  Cells way_back(const std::vector<Cells>& layers) const {
    Cells chain;
    Cells next = layers.back() & edges_[1];
    for (std::size_t i = layers.size(); i-- > 0;) {
      const Cells step = Cells::one((layers[i] & next).lowest());
      chain |= step;
      next = hex_neighbours<W>(rules_, step);
    }
    return chain;
  }

  struct Killer {
    int cell;
    int size;
    Cells killed;
  };

  static constexpr std::int16_t kOwnersEdge = -1;
  static constexpr std::int16_t kOpponentsEdge = -2;

  Rules rules_;
  FillLevel level_;
  Cells edges_[2];
  Cells other_edges_;
  std::vector<std::int16_t> around_;  // six of each cell: a cell, or whose edge
  bool known_ = false;
  Cells own_;  // of the last position
  Cells other_;
  Filling filling_;
  std::vector<Killer> killers_;
};

}  // namespace playproof
