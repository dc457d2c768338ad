// First numbers of a leaf, seen by the side to move. n: legal moves of the leaf; R: the share of
// its N playouts that the side to move wins, smoothed: (w + 1/2) / (N + 1).
//   unit        phi = 1, delta = 1
//   mobility    phi = 1, delta = n            one more ply of unit (survey S2 section 7.1)
//   playouts    phi = f(R), delta = f(1 - R)  with one of
//     power       f(R) = A^(1 - R)
//     log         f(R) = -S ln R              a sum of it is that of a product of rates (as in PPN)
//     linear      f(R) = 1 + S (1 - R)
//   both        phi = f(R), delta = f(1 - R) n
//   mustplay    phi = u m^e, delta = u        m: the replies of its parent that are left to try,
//               which so has delta = u m^(1 + e); u = 100, a unit in which powers are whole numbers
//   lines       as playouts, R being a side's share of what live windows are worth, in Connect6 on
//               turns (games/connect/window_value.h)
//   quads       by the groups of either side (kernels/numbers/quad_numbers.h), in games with quads
//   deep        phi = delta = E^(D - depth) above depth D, else 1 (thesis 3.2; capped, E23)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/numbers/phi_delta.h"

namespace playproof {

// x^y for x >= 1 and 0 <= y <= 1, the same bits on every machine: square roots and products only.
double power(double x, double y);

// How a win rate becomes a number.
struct RateForm {
  enum class Kind : std::uint8_t { kPower, kLog, kLinear };
  Kind kind = Kind::kPower;
  double parameter = 1;  // A >= 1, or S >= 0

  // f((w + 1/2) / (N + 1)), rounded, at least 1.
  PhiDelta operator()(int wins, int playouts) const;
};

// The numbers of unit, mobility, playouts and both for host and device: a view of LeafNumbers.
struct TalliedNumbers {
  const PhiDelta* by_wins = nullptr;  // f for 0 .. playouts wins
  int playouts = 0;                   // a leaf; 0: phi = 1, delta = 1
  bool times_mobility = false;

  PP_HD PhiDeltaPair operator()(std::uint32_t /*depth*/, int moves, double wins) const {
    PhiDeltaPair pair;
    if (playouts > 0) {
      const auto won = static_cast<std::uint32_t>(wins);
      pair.phi = by_wins[won];
      pair.delta = by_wins[static_cast<std::uint32_t>(playouts) - won];
    }
    if (times_mobility) pair.delta = capped(pair.delta * static_cast<PhiDelta>(moves));
    return pair;
  }
};

class LeafNumbers {
 public:
  static LeafNumbers unit() { return {}; }
  static LeafNumbers mobility();
  static LeafNumbers quads();
  // exponent: e, 0 .. 1.
  static LeafNumbers must_play(double exponent);
  static LeafNumbers windows(const RateForm& form);
  static LeafNumbers from_playouts(int playouts, const RateForm& form, bool times_mobility);
  // base >= 0: E; depth: D. E = 0 is depth-first search: unknown leaves have 0 (E22).
  static LeafNumbers deep(std::uint64_t base, std::uint32_t depth);

  int playouts() const { return playouts_; }  // a leaf; 0: none
  bool needs_mobility() const { return mobility_; }
  // Then it knows none itself: quad_numbers() are those of a leaf.
  bool needs_quads() const { return quads_; }
  bool needs_replies() const { return must_play_; }
  // Then it knows them by of_values() alone.
  bool needs_windows() const { return windows_; }

  // depth: plies below the root. wins: playouts that the side to move won. replies: m of mustplay.
  PhiDeltaPair operator()(std::uint32_t depth, int moves, double wins, int replies = 1) const;
  // windows: what those of the side to move are worth, and those of the other side.
  PhiDeltaPair of_values(int own, int other) const {
    return {form_(own, own + other), form_(other, own + other)};
  }
  // Those that know neither depth nor replies: what their view looks up, wherever a copy of it is.
  std::span<const PhiDelta> table() const { return numbers_; }
  TalliedNumbers tallied(const PhiDelta* table) const { return {table, playouts_, mobility_}; }
  // What counts as 1: u of mustplay.
  PhiDelta unit_number() const { return must_play_ ? kMustPlayUnit : 1; }
  // Could any number of wins give this? Asked where playouts give numbers.
  bool possible(int moves, const PhiDeltaPair& pair) const;

 private:
  static constexpr PhiDelta kMustPlayUnit = 100;
  PhiDelta must_play_phi(int replies) const;

  int playouts_ = 0;
  bool mobility_ = false;
  bool quads_ = false;
  bool deep_ = false;
  bool must_play_ = false;
  bool windows_ = false;
  RateForm form_;  // windows
  double exponent_ = 0;
  std::vector<PhiDelta> numbers_;  // playouts: f for 0 .. N wins; deep: powers of E; mustplay:
                                   // phi for the first m
};

}  // namespace playproof
