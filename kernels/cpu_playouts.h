// The engine `cpu`: the playouts of games/PLAYOUTS.md on one core, at the speed that plain code
// has. It must agree with the engine `reference` in every count.
#pragma once

#include <cstdint>
#include <type_traits>

#include "games/connect.h"
#include "games/hex.h"
#include "games/othello.h"
#include "games/pgame.h"
#include "kernels/playout.h"
#include "kernels/simd.h"

namespace playproof {

// The tally of one request; any playouts first .. first + playouts - 1 up to 2^32, first a multiple
// of 32. Defined for the games above, Hex and Connect of 1 and 6 words.
template <class G>
Tally cpu_playouts(const typename G::Rules& rules, std::uint64_t seed,
                   const LeafRequest<G>& request);

// Whether the engine of a game has builds for several instruction sets (and takes the best one).
template <class G>
inline constexpr bool kCpuEngineHasSimd = std::is_same_v<G, PGame> || std::is_same_v<G, Othello>;

// The same with the instructions of one level, which the machine must have.
Tally cpu_pgame_playouts(SimdLevel level, const PGame::Rules& rules, std::uint64_t seed,
                         const LeafRequest<PGame>& request);

Tally cpu_othello_playouts(SimdLevel level, const Othello::Rules& rules, std::uint64_t seed,
                           const LeafRequest<Othello>& request);

}  // namespace playproof
