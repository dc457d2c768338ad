// The games that have engines of their own. For any other the engines of kernels/generic/ are made.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/connect/engines.h"
#include "kernels/generic/bounded_playouts.h"
#include "kernels/generic/playouts.h"
#include "kernels/hex/engines.h"
#include "kernels/loa/engines.h"
#include "kernels/othello/engines.h"
#include "kernels/pgame/engines.h"
#include "kernels/pgame/exact_search.h"

namespace playproof {

// The engine `cpu` of any game: the tallies of a batch, one a request.
template <Game G>
void play_on_cpu(SimdLevel level, const typename G::Rules& rules,
                 std::span<const LeafRequest<G>> requests, Tally* tallies) {
  if constexpr (kOwnPlayouts<G>) {
    cpu_playouts<G>(level, rules, requests, tallies);
  } else if constexpr (!AcyclicGame<G>) {
    for (const LeafRequest<G>& request : requests) *tallies++ = bounded_playouts<G>(rules, request);
  } else {
    for (const LeafRequest<G>& request : requests) {
      *tallies++ = generic_playouts<G>(rules, request).tally;
    }
  }
}

}  // namespace playproof
