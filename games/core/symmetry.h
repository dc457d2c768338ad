// Positions up to the symmetries of their game: boards that are the same after a turn or a
// reflection have the same value, so a table holds one of them. Which ones a game has stands in its
// identity.h.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "games/core/bitboard.h"
#include "games/core/game.h"
#include "games/core/identity.h"

namespace playproof {

// Where the cells of a board of up to 64 W cells go.
template <int W>
class CellPermutation {
 public:
  // to(cell) is where a cell goes.
  template <class To>
  CellPermutation(int cells, const To& to) {
    for (int cell = 0; cell < cells; ++cell)
      images_.push_back(static_cast<std::uint16_t>(to(cell)));
    for (std::size_t byte = 0; byte < bytes_.size(); ++byte) {
      for (int i = 0; i < 8 && 8 * byte + i < images_.size(); ++i) {
        const std::uint64_t image = std::uint64_t{1} << images_[8 * byte + i];
        for (std::size_t set = 0; set < 256; ++set) {
          if (((set >> i) & 1) != 0) bytes_[byte][set] |= image;
        }
      }
    }
  }
  int image(int cell) const { return images_[static_cast<std::size_t>(cell)]; }
  // Turns a set of cells, W words.
  void apply(std::uint64_t* words) const {
    std::uint64_t image[W] = {};
    if constexpr (W == 1) {
      std::size_t byte = 0;
      for (std::uint64_t rest = words[0]; rest != 0; rest >>= 8) {
        image[0] |= bytes_[byte++][rest & 255];
      }
    } else {
      for (int i = 0; i < W; ++i) {
        for (std::uint64_t rest = words[i]; rest != 0; rest &= rest - 1) {
          add_cell(image, images_[static_cast<std::size_t>(64 * i + lowest_bit64(rest))]);
        }
      }
    }
    std::copy_n(image, W, words);
  }

 private:
  std::vector<std::uint16_t> images_;
  std::array<std::array<std::uint64_t, 256>, W == 1 ? 8 : 0> bytes_{};
};

// The half turn of a board: cell i goes to cells - 1 - i, so the bits of a set are reversed.
template <int W>
class HalfTurn {
 public:
  explicit HalfTurn(int cells) : cells_(cells) {}
  int image(int cell) const { return cells_ - 1 - cell; }
  void apply(std::uint64_t* words) const {
    std::uint64_t image[W + 1] = {};
    for (int i = 0; i < W; ++i) image[i] = reversed(words[W - 1 - i]);
    const int beyond = 64 * W - cells_;  // the lowest bits now
    for (int i = 0; i < W; ++i) {
      const int from = i + beyond / 64;
      const std::uint64_t low = from < W ? image[from] : 0;
      const std::uint64_t high = from + 1 < W ? image[from + 1] : 0;
      words[i] = low >> beyond % 64 | high << 1 << (63 - beyond % 64);
    }
  }

 private:
  static std::uint64_t reversed(std::uint64_t word) {
    word = (word >> 1 & 0x5555555555555555) | (word & 0x5555555555555555) << 1;
    word = (word >> 2 & 0x3333333333333333) | (word & 0x3333333333333333) << 2;
    word = (word >> 4 & 0x0f0f0f0f0f0f0f0f) | (word & 0x0f0f0f0f0f0f0f0f) << 4;
    return __builtin_bswap64(word);
  }
  int cells_;
};

// The symmetries of a board of rows x columns without the identity: reflections, and on square
// boards their products with the transposition.
template <int W>
std::vector<CellPermutation<W>> board_symmetries(int rows, int columns) {
  std::vector<CellPermutation<W>> all;
  for (int i = 1; i < (rows == columns ? 8 : 4); ++i) {
    all.emplace_back(rows * columns, [=](int cell) {
      int row = cell / columns;
      int column = cell % columns;
      if ((i & 1) != 0) row = rows - 1 - row;
      if ((i & 2) != 0) column = columns - 1 - column;
      return (i & 4) != 0 ? column * columns + row : row * columns + column;
    });
  }
  return all;
}

// The symmetries of a game under its rules, and what one of them makes of a position. In games of
// stones a move adds one, so the images of a position follow from those of the one before it.
template <class P>
struct StoneSymmetry {
  using Permutation = P;
  static constexpr bool kAddsStones = true;
  static void turn(const Permutation& to, auto& state) {
    for (auto& stones : state.stones) to.apply(stones);
  }
};
template <class G>
struct SymmetryOf {                    // none
  static constexpr bool kNone = true;  // of this one alone
  using Permutation = CellPermutation<1>;
  static constexpr bool kAddsStones = false;
  static std::vector<Permutation> all(const auto& /*rules*/) { return {}; }
  static void turn(const Permutation& /*to*/, auto& /*state*/) {}
};
template <class G>
inline constexpr bool kHasSymmetries = !requires {
  SymmetryOf<G>::kNone;
};
template <class G>
class Symmetry {
 public:
  using State = typename G::State;

  explicit Symmetry(const typename G::Rules& rules) : permutations_(SymmetryOf<G>::all(rules)) {}
  Symmetry() = default;  // no symmetry but the identity

  // Turns a position into the image that stands for all. True if it is its own image under another
  // symmetry than the identity: then moves have twins that lead to the same position.
  bool to_canonical(State& state) const {
    const State original = state;
    return to_least(state, [&](std::size_t i) {
      State image = original;
      SymmetryOf<G>::turn(permutations_[i], image);
      return image;
    });
  }

  // The cells that are to `to` what `cells` are to `from`, one of its images.
  template <class Cells>
  Cells turned(const State& from, const State& to, Cells cells) const {
    if (from == to) return cells;
    for (const auto& permutation : permutations_) {
      if (turned_by(permutation, from) == to) {
        permutation.apply(cells.words);
        break;
      }
    }
    return cells;
  }
  // Calls f(image) with what `cells` are turned to by each symmetry, but the identity, of the
  // position itself.
  template <class Cells, class F>
  void for_each_twin(const State& state, const Cells& cells, F&& f) const {
    for (const auto& permutation : permutations_) {
      if (!(turned_by(permutation, state) == state)) continue;
      Cells image = cells;
      permutation.apply(image.words);
      f(image);
    }
  }

  // The images of a position, for to_canonical() of what its moves lead to.
  std::vector<State> images(const State& state) const {
    std::vector<State> images;
    if constexpr (SymmetryOf<G>::kAddsStones) {
      images.assign(permutations_.size(), state);
      for (std::size_t i = 0; i < images.size(); ++i) {
        SymmetryOf<G>::turn(permutations_[i], images[i]);
      }
    }
    return images;
  }
  // The same of the position that `mover` reached by `move` from one with these images.
  bool to_canonical(State& state, const std::vector<State>& before, Player mover, Move move) const {
    if constexpr (!SymmetryOf<G>::kAddsStones) {
      return to_canonical(state);
    } else {
      const State original = state;
      return to_least(state, [&](std::size_t i) {
        State image = original;
        std::memcpy(image.stones, before[i].stones, sizeof image.stones);
        add_cell(image.stones[static_cast<int>(mover)], permutations_[i].image(move));
        return image;
      });
    }
  }

 private:
  static State turned_by(const typename SymmetryOf<G>::Permutation& permutation, State state) {
    SymmetryOf<G>::turn(permutation, state);
    return state;
  }
  // image(i) is the image under permutation i.
  template <class Image>
  bool to_least(State& state, const Image& image) const {
    bool symmetric = false;
    const PositionId<G> own = position_id(G{}, state);
    PositionId<G> least =
        position_id(G{}, state);  // no copy: that waits until all of `own` is in memory
    for (std::size_t i = 0; i < permutations_.size(); ++i) {
      const State turned = image(i);
      const PositionId<G> id = position_id(G{}, turned);
      symmetric = symmetric || id == own;
      if (!(id < least)) continue;
      least = id;
      state = turned;
    }
    return symmetric;
  }

  std::vector<typename SymmetryOf<G>::Permutation> permutations_;
};

}  // namespace playproof
