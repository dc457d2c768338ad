// Has a game a search of its own for exact values? Then kernels/<game>/exact_search.h, which
// kernels/list.h names, says so by a specialisation:
//
//   using Search = ...;     made of rules, a position and two bounds; run(moves), value()
//   static bool is_for_device(rules, position);   is the tree large enough for an accelerator?
//   static DeviceError values_on_device(ordinal, rules, positions, values);
//
// Any other game is asked by the oracle that remembers what it saw (host/solve/minimax.h).
#pragma once

namespace playproof {

template <class G>
struct ExactSearch {
  using Search = void;
};

}  // namespace playproof
