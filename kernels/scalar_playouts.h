// The engine `scalar`: random games one by one, as they are written when there are no vectors of
// games: bitboards, a game ends as soon as it is won, random numbers from a stream of its own. It
// is the baseline that the other engines are measured against. Its playouts are other ones than
// those of games/PLAYOUTS.md, from the same distribution; tests/kernels compares them.
#pragma once

#include <cstdint>

#include "kernels/playout.h"

namespace playproof {

// The tally of one request; first a multiple of 32, first + playouts at most 2^32. A pure function
// of (seed, stream, state) and the numbers of the playouts. Defined for PGame, Hex<1>, Hex<6>,
// Othello, Connect<1> and Connect<6>.
template <class G>
Tally scalar_playouts(const typename G::Rules& rules, std::uint64_t seed,
                      const LeafRequest<G>& request);

}  // namespace playproof
