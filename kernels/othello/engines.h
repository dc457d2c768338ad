// The engines of Othello.
#pragma once

#include <cstdint>

#include "games/othello/reference_of.h"
#include "games/othello/rules.h"
#include "kernels/common/cpu_playouts.h"
#include "kernels/common/own_playouts.h"
#include "kernels/common/reference_playouts.h"
#include "kernels/common/scalar_playouts.h"

namespace playproof {

template <>
inline constexpr bool kOwnPlayouts<Othello> = true;
template <>
inline constexpr PlyCost kPlyCost<Othello> = {.cpu = 2, .scalar = 30};

template <>
GameEnd reference_playout<RefOthello>(const RefOthello::Rules& rules, RefOthello::State s,
                                      PlayoutPlace place);

// p = ply * size^2 + square: the lanes in which the side to move takes the square.
PlayoutTrace cpu_othello_moves(SimdLevel level, const Othello::Rules& rules,
                               const LeafRequest<Othello>& request);

}  // namespace playproof
