// Graphs in the list of games (games/list.h).
#pragma once

#include <utility>

#include "games/core/game_entry.h"
#include "games/graph/conversion.h"
#include "games/graph/identity.h"
#include "games/graph/reference_of.h"
#include "games/graph/rules.h"
#include "games/graph/text.h"

namespace playproof {

struct GraphEntry {
  using Types = GameTypes<Graph>;
  static CatalogueEntry info();
  static constexpr const char* kSmall = "graph";
  static constexpr const char* kPosition = "";
  template <class F>
  static decltype(auto) visit(const Options& /*options*/, F&& f) {
    return std::forward<F>(f).template operator()<Graph>();
  }
};

}  // namespace playproof
