#include <algorithm>
#include <utility>

#include "games/connect/rules.h"
#include "kernels/common/scalar_playouts.h"
#include "kernels/connect/engines.h"
#include "kernels/connect/lines.h"

namespace playproof {
namespace {

template <int W>
class ConnectLeaf {
 public:
  using G = Connect<W>;
  ConnectLeaf(const typename G::Rules& rules, const typename G::State& state)
      : lines_(ConnectLines::of(rules.rows, rules.columns, rules.connect)),
        stones_(rules.stones),
        left_(G::stones_left_in_turn(rules, state)),
        player_(static_cast<int>(G::to_move(rules, state))) {
    for (int cell = 0; cell < rules.cells; ++cell) {
      const bool black = has_cell(state.stones[0], cell);
      if (black || has_cell(state.stones[1], cell)) {
        taken_[black ? 0 : 1].add(lines_, cell);
      } else {
        empty_[m_++] = static_cast<std::uint16_t>(cell);
      }
    }
  }
  int play(Xoshiro& random) const {
    TakenCells taken[2] = {taken_[0], taken_[1]};
    std::uint16_t cells[G::kMaxCells];
    std::copy_n(empty_, m_, cells);
    int player = player_;
    int left = left_;
    for (std::uint32_t i = 0; i < m_; ++i) {
      std::swap(cells[i], cells[i + random.below(m_ - i)]);
      taken[player].add(lines_, cells[i]);
      if (taken[player].completes_line(lines_, cells[i])) return player == 0 ? 1 : -1;
      if (--left == 0) {
        player ^= 1;
        left = stones_;
      }
    }
    return 0;
  }

 private:
  ConnectLines lines_;
  TakenCells taken_[2];
  int stones_;
  int left_;
  int player_;
  std::uint32_t m_ = 0;
  std::uint16_t empty_[G::kMaxCells];
};

}  // namespace

template <>
Tally scalar_playouts<Connect<1>>(const Connect<1>::Rules& rules,
                                  const LeafRequest<Connect<1>>& request) {
  return play_scalar<Connect<1>, ConnectLeaf<1>>(rules, request);
}

template <>
Tally scalar_playouts<Connect<6>>(const Connect<6>::Rules& rules,
                                  const LeafRequest<Connect<6>>& request) {
  return play_scalar<Connect<6>, ConnectLeaf<6>>(rules, request);
}

}  // namespace playproof
