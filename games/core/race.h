// Races: games where a player may win by threats alone, turns that leave the other side no choice
// but among few replies. A game may offer a search of its own for such wins, that finds them far
// deeper than a general search can. It is optional: a game says so by naming itself as WithRaces,
// and specialises Races<G> in games/<game>/races.h; whoever searches it must have included that.
#pragma once

#include <concepts>
#include <cstdint>

#include "games/core/game.h"

namespace playproof {

// Which wins by threats a search looks for at its leaves, and how far.
struct RaceOptions {
  enum class Threats : std::uint8_t {
    kNone,
    kDouble,  // turns that leave the other side no free stone
    kSingle,  // some of them may leave it one
  };
  Threats threats = Threats::kNone;
  int turns = 8;                      // of the winner, the one that completes a line included
  std::uint64_t vcdt_work = 300'000;  // pairs of stones of a search by double threats, about
  std::uint64_t work = 3'000'000;     // kSingle: pairs in all
  int singles = 2;                    // kSingle: turns of a line that leave one stone free

  bool on() const { return threats != Threats::kNone; }
};

// What a search for one position says.
struct RaceAnswer {
  bool won = false;         // who is to move wins; else nothing is known
  std::uint64_t nodes = 0;  // positions that were looked at
};

template <class G>
struct Races;

// Is true of such a game, and not of what is derived from one.
template <class G>
concept HasRaces = std::same_as<typename G::WithRaces, G>;

}  // namespace playproof
