// The engines of Hex.
#pragma once

#include <cstdint>

#include "games/hex/reference_of.h"
#include "games/hex/rules.h"
#include "kernels/common/cpu_playouts.h"
#include "kernels/common/own_playouts.h"
#include "kernels/common/reference_playouts.h"
#include "kernels/common/scalar_playouts.h"

namespace playproof {

template <int W>
inline constexpr bool kOwnPlayouts<Hex<W>> = true;
template <int W>
inline constexpr bool kFixedLength<Hex<W>> = true;
template <int W>
inline constexpr PlyCost kPlyCost<Hex<W>> = {.cpu = 0.05, .scalar = 5};

template <>
GameEnd reference_playout<RefHex>(const RefHex::Rules& rules, RefHex::State s, PlayoutPlace place);

// p = cell: the lanes in which Black has the cell at the end.
template <int W>
PlayoutTrace cpu_hex_boards(SimdLevel level, const typename Hex<W>::Rules& rules,
                            const LeafRequest<Hex<W>>& request);

}  // namespace playproof
