// The symmetries of a connection game, numbered: 0 is the identity, then come those that leave each
// player his edges, then those that exchange the players, so that what one wins the other wins
// there. They are a group: one after the other is one of them, and each is undone by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "games/core/cell_set.h"
#include "games/core/connection.h"
#include "games/core/error.h"
#include "games/core/game.h"
#include "games/core/symmetry.h"

namespace playproof {

template <ConnectionGame G>
class BoardMaps {
 public:
  using Cells = CellSet<Connection<G>::kWords>;
  using Map = std::uint32_t;  // its number
  static constexpr Map kIdentity = 0;

  explicit BoardMaps(const typename G::Rules& rules)
      : cells_(Connection<G>::cells(rules)),
        symmetries_(SymmetryOf<G>::all(rules)),
        exchanges_(Connection<G>::exchanges(rules)) {
    for (Map first = 0; first < size(); ++first) {
      for (Map then = 0; then < size(); ++then) {
        joined_.push_back(find(exchanges(first) != exchanges(then),
                               [&](int cell) { return turned(then, turned(first, cell)); }));
        if (joined_.back() == kIdentity) inverses_.push_back(then);
      }
    }
  }

  Map size() const { return static_cast<Map>(1 + symmetries_.size() + exchanges_.size()); }
  bool exchanges(Map map) const { return map > symmetries_.size(); }
  Player turned(Map map, Player player) const { return exchanges(map) ? opponent(player) : player; }
  Cells turned(Map map, Cells cells) const {
    if (map == kIdentity) return cells;
    const std::size_t i = map - 1;
    if (exchanges(map)) {
      exchanges_[i - symmetries_.size()].apply(cells.words);
    } else {
      symmetries_[i].apply(cells.words);
    }
    return cells;
  }
  // Where a cell goes.
  int turned(Map map, int cell) const {
    if (map == kIdentity) return cell;
    const std::size_t i = map - 1;
    return exchanges(map) ? exchanges_[i - symmetries_.size()].image(cell)
                          : symmetries_[i].image(cell);
  }

  // `first`, then `then`.
  Map joined(Map first, Map then) const { return joined_[first * size() + then]; }
  Map inverse(Map map) const { return inverses_[map]; }

 private:
  // The one that takes each cell to to(cell), and exchanges the players or does not.
  Map find(bool exchanged, const auto& to) const {
    for (Map map = 0; map < size(); ++map) {
      bool same = exchanges(map) == exchanged;
      for (int cell = 0; cell < cells_ && same; ++cell) same = turned(map, cell) == to(cell);
      if (same) return map;
    }
    throw Error(ErrorCode::kInternal, "the symmetries of the game are no group");
  }

  int cells_;
  decltype(SymmetryOf<G>::all({})) symmetries_;
  decltype(Connection<G>::exchanges({})) exchanges_;
  std::vector<Map> joined_;  // by the first, then by the second
  std::vector<Map> inverses_;
};

}  // namespace playproof
