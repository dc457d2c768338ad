// The symmetries of a connection game, numbered: 0 is the identity, then come those that leave each
// player his edges, then those that exchange the players, so that what one wins the other wins
// there. They are a group: one after the other is one of them, and each is undone by one.
#pragma once

#include <algorithm>
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
        exchanges_(Connection<G>::exchanges(rules)) {}

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
  Map joined(Map first, Map then) const {
    return find([&](int cell) { return turned(then, turned(first, cell)); });
  }
  Map inverse(Map map) const {
    std::vector<int> from(static_cast<std::size_t>(cells_));
    for (int cell = 0; cell < cells_; ++cell) {
      from[static_cast<std::size_t>(turned(map, cell))] = cell;
    }
    return find([&](int cell) { return from[static_cast<std::size_t>(cell)]; });
  }

 private:
  // The one that takes each cell to to(cell).
  Map find(const auto& to) const {
    for (Map map = 0; map < size(); ++map) {
      bool same = true;
      for (int cell = 0; cell < cells_ && same; ++cell) same = turned(map, cell) == to(cell);
      if (same) return map;
    }
    throw Error(ErrorCode::kInternal, "the symmetries of the game are no group");
  }

  int cells_;
  decltype(SymmetryOf<G>::all({})) symmetries_;
  decltype(Connection<G>::exchanges({})) exchanges_;
};

}  // namespace playproof
