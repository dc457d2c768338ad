// All games: the only place that lists them. To add one: docs/add-a-game.md.
#pragma once

#include <string>
#include <utility>

#include "games/catalogue.h"
#include "games/connect/entry.h"
#include "games/core/named_types.h"
#include "games/core/rules_owner.h"
#include "games/core/spec.h"
#include "games/graph/entry.h"
#include "games/hex/entry.h"
#include "games/loa/entry.h"
#include "games/nim/entry.h"
#include "games/othello/entry.h"
#include "games/pgame/entry.h"

namespace playproof {

using AllGames =
    NamedTypes<PGameEntry, HexEntry, OthelloEntry, ConnectEntry, NimEntry, GraphEntry, LoaEntry>;

// Calls f.template operator()<G>(rules) with the game type and the rules that the spec names, e.g.
// "hex:size=5"; every call must return the same type. Throws Error(kUsage).
template <class F>
decltype(auto) visit_game(const std::string& game_spec, F&& f) {
  const Spec spec = parse_spec(game_spec);
  const CatalogueEntry& entry = game_catalogue().find(spec.name);
  const Options options(entry, spec);
  return AllGames::visit(game_catalogue().index(entry), [&]<class Entry>() -> decltype(auto) {
    return Entry::visit(options, [&]<class G>() -> decltype(auto) {
      const typename G::Rules rules = GameText<G>::rules(options);
      [[maybe_unused]] const RulesOwner<G> owner(rules);
      return std::forward<F>(f).template operator()<G>(rules);
    });
  });
}

}  // namespace playproof
