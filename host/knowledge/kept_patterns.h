// The patterns that a search keeps (host/zone/patterns.h), if it is to keep any. Unlike all else
// that is known of a position they come from the search itself: so it has them, and asks them
// itself. The only place where they are made.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "games/core/connection.h"
#include "host/question/knowledge_options.h"
#include "host/zone/patterns.h"

namespace playproof {

// A game without patterns has none.
template <class G>
struct PatternsOf {
  using Type = NoZone<G>;
};
template <ConnectionGame G>
struct PatternsOf<G> {
  using Type = Patterns<G>;
};

template <class G>
std::optional<typename PatternsOf<G>::Type> kept_patterns(const typename G::Rules& rules,
                                                          const KnowledgeOptions& options) {
  if constexpr (ConnectionGame<G>) {
    if (options.zones && options.patterns > 0) {
      return std::optional<Patterns<G>>(std::in_place, rules,
                                        static_cast<std::size_t>(options.patterns));
    }
  }
  return std::nullopt;
}

}  // namespace playproof
