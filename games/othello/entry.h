// Othello in the list of games (games/list.h).
#pragma once

#include <utility>

#include "games/core/game_entry.h"
#include "games/othello/ending.h"
#include "games/othello/identity.h"
#include "games/othello/reference_of.h"
#include "games/othello/rules.h"
#include "games/othello/text.h"

namespace playproof {

struct OthelloEntry {
  using Types = GameTypes<Othello>;
  static CatalogueEntry info();
  static constexpr const char* kSmall = "othello:size=4";
  static constexpr const char* kPosition = "OOOXXOXXXOOOXO-- X";
  template <class F>
  static decltype(auto) visit(const Options& /*options*/, F&& f) {
    return std::forward<F>(f).template operator()<Othello>();
  }
};

}  // namespace playproof
