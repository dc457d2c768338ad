// Nim in the list of games (games/list.h).
#pragma once

#include <utility>

#include "games/core/game_entry.h"
#include "games/nim/identity.h"
#include "games/nim/reference_of.h"
#include "games/nim/rules.h"
#include "games/nim/text.h"

namespace playproof {

struct NimEntry {
  using Types = GameTypes<Nim>;
  static CatalogueEntry info();
  static constexpr const char* kSmall = "nim:heaps=1.2.3";
  static constexpr const char* kPosition = "";
  template <class F>
  static decltype(auto) visit(const Options& /*options*/, F&& f) {
    return std::forward<F>(f).template operator()<Nim>();
  }
};

}  // namespace playproof
