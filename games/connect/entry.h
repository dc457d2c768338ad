// Connect6 and its family in the list of games (games/list.h).
#pragma once

#include <utility>

#include "games/connect/identity.h"
#include "games/connect/races.h"
#include "games/connect/reference_of.h"
#include "games/connect/rules.h"
#include "games/connect/text.h"
#include "games/core/board_size.h"
#include "games/core/game_entry.h"

namespace playproof {

struct ConnectEntry {
  using Types = GameTypes<Connect<1>, Connect<6>>;
  static CatalogueEntry info();
  static constexpr const char* kSmall = "connect6:rows=3,columns=2,connect=2,stones=1";
  static constexpr const char* kPosition = "";
  template <class F>
  static decltype(auto) visit(const Options& options, F&& f) {
    return visit(board_size(options), std::forward<F>(f));
  }
  // Calls f.template operator()<G>() with the type of boards of this size.
  template <class F>
  static decltype(auto) visit(const BoardSize& size, F&& f) {
    return visit_board<Connect, 1, 6>(size, std::forward<F>(f));
  }
};

}  // namespace playproof
