#include "kernels/scalar_playouts.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "games/connect.h"
#include "games/hex.h"
#include "games/othello.h"
#include "games/pgame.h"
#include "kernels/connect_lines.h"
#include "kernels/random_words.h"

namespace playproof {
namespace {

// xoshiro256** (Blackman, Vigna 2018). Each word of 32 playouts has a stream of its own, so that
// requests can be split.
class Xoshiro {
 public:
  Xoshiro(const RandomKey& key, std::uint32_t word) {
    std::uint64_t x = mix64(mix64(key.seed) ^ key.stream) + word;
    for (std::uint64_t& state : state_) state = x = mix64(x);
  }
  std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }
  // A number below n, all equally likely (Lemire 2019).
  std::uint32_t below(std::uint32_t n) {
    std::uint64_t product = (next() >> 32) * n;
    if (static_cast<std::uint32_t>(product) < n) {
      const std::uint32_t rejected = (0 - n) % n;  // 2^32 mod n
      while (static_cast<std::uint32_t>(product) < rejected) product = (next() >> 32) * n;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

 private:
  std::uint64_t state_[4];
};

// Each leaf type below has a constructor from rules and state, and play(random): the value of one
// random game, its sign alone.

class PGameLeaf {
 public:
  PGameLeaf(const PGame::Rules& rules, const PGame::State& state)
      : rules_(rules), state_(state), plies_(PGame::max_plies_left(rules, state)) {}
  int play(Xoshiro& random) const {
    PGame::State state = state_;
    for (int ply = 0; ply < plies_; ++ply) {
      PGame::play(rules_, state,
                  static_cast<Move>(((random.next() >> 32) * rules_.branching) >> 32));
    }
    return PGame::value(rules_, state);
  }

 private:
  PGame::Rules rules_;
  PGame::State state_;
  int plies_;
};

// Fair bits for the empty cells, flips at random cells until the numbers are right, then the
// reduction of the game of Y (cpu_hex.inc), on rows of 16 or 32 bits.
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

class OthelloLeaf {
 public:
  OthelloLeaf(const Othello::Rules& rules, const Othello::State& state)
      : size_(rules.size), state_(state) {}
  int play(Xoshiro& random) const {
    return size_ == 8 ? play_on<8>(random) : size_ == 6 ? play_on<6>(random) : play_on<4>(random);
  }

 private:
  // With the size known the compiler shifts by constants.
  template <int kSide>
  int play_on(Xoshiro& random) const {
    const Othello::Rules rules = Othello::make_rules(kSide);
    Othello::State state = state_;
    while (!Othello::finished(rules, state)) {
      Move move = Othello::kPass;
      if (state.legal != 0) {
        std::uint64_t moves = state.legal;
        const auto n = static_cast<std::uint32_t>(popcount64(moves));
        for (std::uint32_t skip = random.below(n); skip > 0; --skip) moves &= moves - 1;
        move = static_cast<Move>(lowest_bit64(moves));
      }
      Othello::play(rules, state, move);
    }
    return Othello::value(rules, state);
  }

  int size_;
  Othello::State state_;
};

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

template <class G, class Leaf>
Tally play(const typename G::Rules& rules, std::uint64_t seed, const LeafRequest<G>& request) {
  if (G::finished(rules, request.state)) {
    return certain_tally(G::value(rules, request.state), request.playouts);
  }
  const Leaf leaf(rules, request.state);
  Tally tally;
  for_each_word(request.first, request.playouts, [&](std::uint32_t word, std::uint32_t lanes) {
    Xoshiro random({seed, request.stream}, word);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      const int value = leaf.play(random);
      tally.wins += value > 0 ? 1 : 0;
      tally.draws += value == 0 ? 1 : 0;
    }
  });
  tally.losses = request.playouts - tally.wins - tally.draws;
  return tally;
}

}  // namespace

template <>
Tally scalar_playouts<PGame>(const PGame::Rules& rules, std::uint64_t seed,
                             const LeafRequest<PGame>& request) {
  return play<PGame, PGameLeaf>(rules, seed, request);
}
template <>
Tally scalar_playouts<Hex<1>>(const Hex<1>::Rules& rules, std::uint64_t seed,
                              const LeafRequest<Hex<1>>& request) {
  return play<Hex<1>, HexLeaf<1>>(rules, seed, request);
}
template <>
Tally scalar_playouts<Hex<6>>(const Hex<6>::Rules& rules, std::uint64_t seed,
                              const LeafRequest<Hex<6>>& request) {
  return play<Hex<6>, HexLeaf<6>>(rules, seed, request);
}
template <>
Tally scalar_playouts<Othello>(const Othello::Rules& rules, std::uint64_t seed,
                               const LeafRequest<Othello>& request) {
  return play<Othello, OthelloLeaf>(rules, seed, request);
}
template <>
Tally scalar_playouts<Connect<1>>(const Connect<1>::Rules& rules, std::uint64_t seed,
                                  const LeafRequest<Connect<1>>& request) {
  return play<Connect<1>, ConnectLeaf<1>>(rules, seed, request);
}
template <>
Tally scalar_playouts<Connect<6>>(const Connect<6>::Rules& rules, std::uint64_t seed,
                                  const LeafRequest<Connect<6>>& request) {
  return play<Connect<6>, ConnectLeaf<6>>(rules, seed, request);
}

}  // namespace playproof
