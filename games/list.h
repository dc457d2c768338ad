// All games: the only place that lists them. To add one: docs/add-a-game.md.
#pragma once

#include <string>
#include <utility>

#include "games/catalogue.h"
#include "games/connect/entry.h"
#include "games/core/spec.h"
#include "games/hex/entry.h"
#include "games/nim/entry.h"
#include "games/othello/entry.h"
#include "games/pgame/entry.h"

namespace playproof {

template <class... Entry>
struct GameList {
  static Catalogue catalogue() { return {"game", {Entry::info()...}}; }
  // Calls f.template operator()<G>(), G being the type that the spec names.
  template <class First, class... Rest, class F>
  static decltype(auto) visit_from(const Spec& spec, const Options& options, F&& f) {
    if constexpr (sizeof...(Rest) > 0) {
      if (spec.name != First::info().name) {
        return visit_from<Rest...>(spec, options, std::forward<F>(f));
      }
    }
    return First::visit(options, std::forward<F>(f));
  }
  template <class F>
  static decltype(auto) visit(const Spec& spec, const Options& options, F&& f) {
    return visit_from<Entry...>(spec, options, std::forward<F>(f));
  }
  // Calls f.template operator()<Entry>() for every game.
  template <class F>
  static void for_each(F&& f) {
    (f.template operator()<Entry>(), ...);
  }
};

using AllGames = GameList<PGameEntry, HexEntry, OthelloEntry, ConnectEntry, NimEntry>;

// Calls f.template operator()<G>(rules) with the game type and the rules that the spec names, e.g.
// "hex:size=5"; every call must return the same type. Throws Error(kUsage).
template <class F>
decltype(auto) visit_game(const std::string& game_spec, F&& f) {
  const Spec spec = parse_spec(game_spec);
  const Options options(game_catalogue().find(spec.name), spec);
  return AllGames::visit(spec, options, [&]<class G>() -> decltype(auto) {
    return std::forward<F>(f).template operator()<G>(GameText<G>::rules(options));
  });
}

}  // namespace playproof
