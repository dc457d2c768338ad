// From the name of a game to its type: the only place that lists all game types.
#pragma once

#include <string>
#include <utility>

#include "games/game_text.h"
#include "games/spec.h"

namespace playproof {

// Calls f.template operator()<G>(rules) with the game type and the rules that the spec names, e.g.
// "hex:size=5"; every call must return the same type. Throws Error(kUsage).
template <class F>
decltype(auto) visit_game(const std::string& game_spec, F&& f) {
  const Spec spec = parse_spec(game_spec);
  const Options options(game_catalogue().find(spec.name), spec);
  const auto call = [&]<class G>() -> decltype(auto) {
    return std::forward<F>(f).template operator()<G>(GameText<G>::rules(options));
  };
  if (spec.name == "pgame") return call.template operator()<PGame>();
  if (spec.name == "othello") return call.template operator()<Othello>();
  const bool one_word = board_size(options).fits_one_word();
  if (spec.name == "hex") {
    return one_word ? call.template operator()<Hex<1>>() : call.template operator()<Hex<6>>();
  }
  return one_word ? call.template operator()<Connect<1>>() : call.template operator()<Connect<6>>();
}

}  // namespace playproof
