// The engines of P-games.
#pragma once

#include <cstdint>

#include "games/pgame/reference_of.h"
#include "games/pgame/rules.h"
#include "kernels/common/cpu_playouts.h"
#include "kernels/common/own_playouts.h"
#include "kernels/common/reference_playouts.h"
#include "kernels/common/scalar_playouts.h"

namespace playproof {

template <>
inline constexpr bool kOwnPlayouts<PGame> = true;
template <>
inline constexpr bool kFixedLength<PGame> = true;
template <>
inline constexpr PlyCost kPlyCost<PGame> = {.cpu = 0.5, .scalar = 5};

template <>
GameEnd reference_playout<RefPGame>(const RefPGame::Rules& rules, RefPGame::State s,
                                    PlayoutPlace place);

}  // namespace playproof
