// The playouts of a leaf of Hex on a board of up to 64 cells by one thread: games/PLAYOUTS.md,
// "Hex", a word with a bit a board.
#pragma once

#include <cstdint>

#include "kernels/hex/device.h"
#include "kernels/hex/engines.h"
#include "kernels/search/leaf_playouts.h"

namespace playproof {

template <>
struct LeafPlayouts<Hex<1>> {
  PP_HD static Tally play(const Hex<1>::Rules& rules, const Hex<1>::State& leaf,
                          const RandomKey& key, std::uint32_t playouts) {
    const LeafRequest<Hex<1>> request = {leaf, key, 0, playouts};
    std::uint32_t planes[Hex<1>::kMaxCells];
    const bool small = rules.rows <= kRegisterSide && rules.columns <= kRegisterSide;
    return play_words(playouts, [&](std::uint32_t word, std::uint32_t lanes) -> WordOutcome {
      return {small ? hex_play<1, kRegisterSide>(rules, request, word, lanes, planes)
                    : play_in_memory(rules, request, word, lanes, planes)};
    });
  }

 private:
  static constexpr int kRegisterSide = 5;  // of boards whose cells are in registers

  // The lanes that Black wins: as hex_play(), the cells in memory.
  PP_HD static std::uint32_t play_in_memory(const Hex<1>::Rules& rules,
                                            const LeafRequest<Hex<1>>& leaf, std::uint32_t word,
                                            std::uint32_t lanes, std::uint32_t* planes) {
    const HexWord w = hex_word<1>(rules, leaf, word, lanes);
    hex_fill(w, planes);
    std::uint32_t cells[Hex<1>::kMaxCells];
    std::uint32_t empty = 0;
    for (int cell = 0; cell < rules.cells; ++cell) {
      const bool black = has_cell(leaf.state.stones[0], cell);
      const bool white = has_cell(leaf.state.stones[1], cell);
      cells[cell] = black || white ? all_lanes(black) ^ w.whites : planes[empty++];
    }
    const int columns = rules.columns;
#pragma unroll 1
    for (int layer = rules.rows + columns - 2; layer > 0; --layer) {
#pragma unroll 1
      for (int row = 0; row < rules.rows && row < layer; ++row) {
        const int end = columns < layer - row ? columns : layer - row;
#pragma unroll 1
        for (int column = 0; column < end; ++column) {
          const int at = row * columns + column;
          const std::uint32_t below = row + 1 < rules.rows ? cells[at + columns] : ~w.whites;
          const std::uint32_t right = column + 1 < columns ? cells[at + 1] : w.whites;
          cells[at] = majority(cells[at], below, right);
        }
      }
    }
    return (cells[0] ^ w.whites) & lanes;
  }
};

}  // namespace playproof
