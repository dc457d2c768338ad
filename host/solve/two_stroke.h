// A search seen as its two strokes, for drivers that own the evaluator: one of many searches that
// share it (host/solve/fleet.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "host/solve/solver.h"
#include "kernels/common/playout.h"

namespace playproof {

inline constexpr int kPrefetchSteps = 4;

template <class G>
class TwoStroke {
 public:
  virtual ~TwoStroke() = default;
  // Selects and expands leaves until playouts are needed or the search stops; appends what must be
  // evaluated. Nothing is appended exactly when the search has stopped.
  virtual void propose(std::vector<LeafRequest<G>>& requests) = 0;
  // Takes the tallies of the last propose(), in its order. kRunning if the search can go on.
  virtual StopReason absorb(std::span<const Tally> tallies) = 0;
  // Has the caches fetch what the next absorb() will touch: steps 0 .. kPrefetchSteps - 1 one by
  // one, some time apart, since each reads what the one before has fetched. Changes nothing.
  virtual void prefetch(int /*step*/) const {}
};

}  // namespace playproof
