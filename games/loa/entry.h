// Lines of Action in the list of games (games/list.h).
#pragma once

#include <utility>

#include "games/core/game_entry.h"
#include "games/loa/conversion.h"
#include "games/loa/identity.h"
#include "games/loa/look.h"
#include "games/loa/reference_of.h"
#include "games/loa/rules.h"
#include "games/loa/text.h"

namespace playproof {

struct LoaEntry {
  using Types = GameTypes<Loa>;
  static CatalogueEntry info();
  static constexpr const char* kSmall = "loa:size=4";
  static constexpr const char* kPosition = "-O-X-----X--X--O X";
  template <class F>
  static decltype(auto) visit(const Options& /*options*/, F&& f) {
    return std::forward<F>(f).template operator()<Loa>();
  }
};

}  // namespace playproof
