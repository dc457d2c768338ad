#include "kernels/generic/bounded_playouts.h"
#include "kernels/loa/engines.h"

namespace playproof {

// From a list of all moves, on the fast rules.
template <>
Tally scalar_playouts<Loa>(const Loa::Rules& rules, const LeafRequest<Loa>& request) {
  return bounded_scalar_playouts<Loa>(rules, request);
}

}  // namespace playproof
