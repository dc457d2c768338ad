// What the list of games (games/list.h) knows of each game: its entry, as games/hex/entry.h has
// one.
//   using Types          GameTypes<Hex<1>, Hex<2>, Hex<6>>, on one line: the build compiles once a
//                        type. A board that fits one word is another type than a larger one.
//   info()               name, summary, options
//   kSmall, kPosition    a game, and a position in it, that tests solve by exhaustive search
//   visit(options, f)    calls f.template operator()<G>() with the type G that the options choose
#pragma once

#include "games/core/spec.h"

namespace playproof {

template <class... G>
struct GameTypes {};

}  // namespace playproof
