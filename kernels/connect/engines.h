// The engines of Connect6 and its family.
#pragma once

#include <cstdint>

#include "games/connect/reference_of.h"
#include "games/connect/rules.h"
#include "kernels/common/cpu_playouts.h"
#include "kernels/common/own_playouts.h"
#include "kernels/common/reference_playouts.h"
#include "kernels/common/scalar_playouts.h"

namespace playproof {

template <int W>
inline constexpr bool kOwnPlayouts<Connect<W>> = true;
template <int W>
inline constexpr PlyCost kPlyCost<Connect<W>> = {.cpu = 0.05, .scalar = 5};

template <>
GameEnd reference_playout<RefConnect>(const RefConnect::Rules& rules, RefConnect::State s,
                                      PlayoutPlace place);

}  // namespace playproof
