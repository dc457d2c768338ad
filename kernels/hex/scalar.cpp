#include "games/hex/rules.h"
#include "kernels/common/scalar_playouts.h"
#include "kernels/hex/engines.h"

namespace playproof {
namespace {

// Draws fair bits for the empty cells, flips random cells until the numbers are right, then makes
// the reduction of the game of Y (kernels/hex/reduction.inc), on rows of 16 or 32 bits.
template <int W>
class HexLeaf {
 public:
  HexLeaf(const typename Hex<W>::Rules& rules, const typename Hex<W>::State& state)
      : row_bits_(rules.columns < 16 ? 16 : 32),  // a column of White's or more is on the right
        rows_a_word_(64 / row_bits_),
        words_((rules.rows + rows_a_word_ - 1) / rows_a_word_),
        layers_(rules.rows + rules.columns - 2) {
    for (int cell = 0; cell < rules.cells; ++cell) {
      const int row = cell / rules.columns;
      const int bit = row % rows_a_word_ * row_bits_ + cell % rules.columns;
      const Cell at = {static_cast<std::uint8_t>(row / rows_a_word_),
                       static_cast<std::uint8_t>(bit)};
      if (has_cell(state.stones[0], cell)) black_[at.word] |= std::uint64_t{1} << bit;
      if (has_cell(state.stones[0], cell) || has_cell(state.stones[1], cell)) continue;
      empty_[at.word] |= std::uint64_t{1} << bit;
      cells_[m_++] = at;
    }
    // What is below the board is Black's.
    const std::uint64_t row_of_black = (std::uint64_t{1} << rules.columns) - 1;
    for (int row = rules.rows; row < (words_ + 1) * rows_a_word_; ++row) {
      black_[row / rows_a_word_] |= row_of_black << row % rows_a_word_ * row_bits_;
    }
    const bool black_moves = Hex<W>::to_move(rules, state) == Player::kFirst;
    wanted_ = (static_cast<int>(m_) + (black_moves ? 1 : 0)) / 2;
  }
  int play(Xoshiro& random) const {
    std::uint64_t fill[kMaxWords];
    int excess = -wanted_;
    for (int i = 0; i < words_; ++i) {
      fill[i] = random.next() & empty_[i];
      excess += popcount64(fill[i]);
    }
    while (excess != 0) {
      const Cell cell = cells_[random.below(m_)];
      const std::uint64_t black = (fill[cell.word] >> cell.bit) & 1;
      const bool flips = black == (excess > 0 ? 1 : 0);
      fill[cell.word] ^= std::uint64_t{flips} << cell.bit;
      excess += flips ? (black == 1 ? -1 : 1) : 0;
    }
    for (int i = 0; i < words_; ++i) fill[i] |= black_[i];
    fill[words_] = black_[words_];
    return black_wins(fill) ? 1 : -1;
  }

 private:
  static constexpr int kMaxWords = 11;
  struct Cell {
    std::uint8_t word = 0;
    std::uint8_t bit = 0;
  };

  bool black_wins(std::uint64_t* rows) const {
    const int row_bits = row_bits_;
    for (int layer = 0; layer < layers_; ++layer) {
      for (int i = 0; i < words_; ++i) {
        const std::uint64_t here = rows[i];
        const std::uint64_t below = here >> row_bits | rows[i + 1] << (64 - row_bits);
        const std::uint64_t right = here >> 1;
        rows[i] = ((here ^ below) & (right ^ below)) ^ below;
      }
    }
    return (rows[0] & 1) != 0;
  }

  int row_bits_;
  int rows_a_word_;
  int words_;
  int layers_;
  int wanted_ = 0;
  std::uint32_t m_ = 0;
  std::uint64_t black_[kMaxWords] = {};
  std::uint64_t empty_[kMaxWords] = {};
  Cell cells_[Hex<W>::kMaxCells];
};

}  // namespace

template <>
Tally scalar_playouts<Hex<1>>(const Hex<1>::Rules& rules, const LeafRequest<Hex<1>>& request) {
  return play_scalar<Hex<1>, HexLeaf<1>>(rules, request);
}

template <>
Tally scalar_playouts<Hex<2>>(const Hex<2>::Rules& rules, const LeafRequest<Hex<2>>& request) {
  return play_scalar<Hex<2>, HexLeaf<2>>(rules, request);
}

template <>
Tally scalar_playouts<Hex<6>>(const Hex<6>::Rules& rules, const LeafRequest<Hex<6>>& request) {
  return play_scalar<Hex<6>, HexLeaf<6>>(rules, request);
}

}  // namespace playproof
