// Small helpers for numbers that host and device compute alike: those of the standard library are
// functions of the host alone.
#pragma once

#include "games/core/game.h"

namespace playproof {

template <class T>
PP_HD constexpr T lesser(T a, T b) {
  return b < a ? b : a;
}
template <class T>
PP_HD constexpr T greater(T a, T b) {
  return a < b ? b : a;
}
// The bits of an object as one of another type of the same size.
template <class To, class From>
PP_HD constexpr To bits_as(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}

}  // namespace playproof
