// The engine `reference`: the playouts of games/PLAYOUTS.md one by one on the reference rules,
// written to be read beside that page. Every other engine must agree with it in every count.
#pragma once

#include <cstdint>

#include "kernels/playout.h"

namespace playproof {

// The tally of one request; first a multiple of 32, first + playouts at most 2^32. Defined for
// PGame, Hex<1>, Hex<6>, Othello, Connect<1> and Connect<6>.
template <class G>
Tally reference_playouts(const typename G::Rules& rules, std::uint64_t seed,
                         const LeafRequest<G>& request);

// Stones or discs laid in all playouts of a request together; passes do not count. Defined for
// Othello, Connect<1> and Connect<6>.
template <class G>
std::uint64_t reference_playout_plies(const typename G::Rules& rules, std::uint64_t seed,
                                      const LeafRequest<G>& request);

}  // namespace playproof
