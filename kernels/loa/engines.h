// The engines of Lines of Action.
#pragma once

#include <cstdint>

#include "games/loa/reference_of.h"
#include "games/loa/rules.h"
#include "kernels/common/cpu_playouts.h"
#include "kernels/common/endless_play.h"
#include "kernels/common/own_playouts.h"
#include "kernels/common/reference_playouts.h"
#include "kernels/common/scalar_playouts.h"
#include "kernels/loa/rays.h"

namespace playproof {

template <>
inline constexpr bool kOwnPlayouts<Loa> = true;
template <>
inline constexpr std::uint32_t kLongestPlayout<Loa> = kLoaLongestPlayout;
template <>
inline constexpr PlyCost kPlyCost<Loa> = {.cpu = 5, .scalar = 50};

template <>
GameEnd reference_playout<RefLoa>(const RefLoa::Rules& rules, RefLoa::State s, PlayoutPlace place);

}  // namespace playproof
