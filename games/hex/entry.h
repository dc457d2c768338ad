// Hex in the list of games (games/list.h).
#pragma once

#include <utility>

#include "games/core/board_size.h"
#include "games/core/game_entry.h"
#include "games/hex/identity.h"
#include "games/hex/reference_of.h"
#include "games/hex/rules.h"
#include "games/hex/text.h"

namespace playproof {

struct HexEntry {
  using Types = GameTypes<Hex<1>, Hex<2>, Hex<6>>;
  static CatalogueEntry info();
  static constexpr const char* kSmall = "hex:rows=2,columns=3";
  static constexpr const char* kPosition = "";
  template <class F>
  static decltype(auto) visit(const Options& options, F&& f) {
    return visit(board_size(options), std::forward<F>(f));
  }
  // Calls f.template operator()<G>() with the type of boards of this size.
  template <class F>
  static decltype(auto) visit(const BoardSize& size, F&& f) {
    return visit_board<Hex, 1, 2, 6>(size, std::forward<F>(f));
  }
};

}  // namespace playproof
