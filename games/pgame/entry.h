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
  template <class F>
  static decltype(auto) visit(const Options& /*options*/, F&& f) {
    return std::forward<F>(f).template operator()<PGame>();
  }
};

}  // namespace playproof
