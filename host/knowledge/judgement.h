// What knowledge says of one position (host/knowledge/knowledge.h), as plain values.
#pragma once

#include <cstdint>

#include "games/core/game.h"
#include "games/core/zoned.h"
#include "host/question/counters.h"
#include "kernels/numbers/bounds.h"

namespace playproof {

// Why a position is decided without a search.
enum class Evidence : std::uint8_t {
  kNone,      // it is not, or no zone goes with it
  kBridges,   // a chain of bridges
  kFill,      // a chain over inferior cells that are filled in
  kLinks,     // virtual connections
  kMustPlay,  // every reply is refuted by a threat or captured
};

template <class G>
struct Judgement {
  Player winner = Player::kFirst;
  Bounds bounds;  // of the value for the attacker
  [[no_unique_address]] Zone<G> zone = {};
  Move move = kNoMove;  // where the winner is to move: by this one; kNoMove: by any
  Evidence evidence = Evidence::kNone;
};

// Adds one position that is decided so.
inline void count_evidence(Evidence evidence, Counters& counters) {
  counters.bridges += evidence == Evidence::kBridges;
  counters.links += evidence == Evidence::kLinks;
}

}  // namespace playproof
