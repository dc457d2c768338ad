// Does a game have engines of its own? Then kernels/<game>/engines.h, which kernels/list.h names,
// says so by a specialisation, and cpu_playouts(), scalar_playouts(), reference_playout() and
// open_playout_device() are defined beside it. Any other game is played ply by ply
// (kernels/generic/).
#pragma once

namespace playproof {

template <class G>
inline constexpr bool kOwnPlayouts = false;

// Are all playouts of a leaf as long as a game can be? Hex fills the board.
template <class G>
inline constexpr bool kFixedLength = false;

// What a ply of a playout costs, roughly, in nanoseconds on a core of 2024. Only the choice between
// the caller's thread and a pool of threads looks at it.
struct PlyCost {
  double cpu = 50;
  double scalar = 50;
};
template <class G>
inline constexpr PlyCost kPlyCost;

}  // namespace playproof
