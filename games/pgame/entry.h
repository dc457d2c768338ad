// P-games in the list of games (games/list.h).
#pragma once

#include <utility>

#include "games/core/game_entry.h"
#include "games/pgame/identity.h"
#include "games/pgame/reference_of.h"
#include "games/pgame/rules.h"
#include "games/pgame/text.h"

namespace playproof {

struct PGameEntry {
  using Types = GameTypes<PGame>;
  static CatalogueEntry info();
  static constexpr const char* kSmall = "pgame:branching=2,depth=5,tree=3";
  static constexpr const char* kPosition = "";
  template <class F>
  static decltype(auto) visit(const Options& /*options*/, F&& f) {
    return std::forward<F>(f).template operator()<PGame>();
  }
};

}  // namespace playproof
