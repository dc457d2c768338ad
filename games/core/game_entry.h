// What the list of games (games/list.h) knows of each game. A game may be several types: a board
// that fits one word is another type than a larger one.
#pragma once

#include "games/core/spec.h"

namespace playproof {

template <class... G>
struct GameTypes {
  // Calls f.template operator()<G>() for every type.
  template <class F>
  static void for_each(F&& f) {
    (f.template operator()<G>(), ...);
  }
};

// struct HexEntry {
//   using Types = GameTypes<Hex<1>, Hex<6>>;   on one line: the build reads it too
//   static CatalogueEntry info();              name, summary, options
//   static constexpr const char* kSmall = "hex:rows=2,columns=3";   tests solve it from the
//   position static constexpr const char* kPosition = "";                    kPosition by
//   exhaustive search template <class F>                         f.template operator()<G>() with
//   the type G that the static decltype(auto) visit(const Options& options, F&& f);       options
//   choose
// };

}  // namespace playproof
