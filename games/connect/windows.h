// The windows of a board of the Connect family: all segments of k cells in a line. Who fills one
// with his stones wins, so threats, races and what a proof rests on are facts about windows (Wu and
// Lin 2010; thesis, 3.3.2). Connect6 on 19 x 19 has 924.
#pragma once

#include <algorithm>
#include <cstdint>

#include "games/connect/rules.h"
#include "games/core/bitboard.h"
#include "games/core/cell_set.h"

namespace playproof {

// A set of windows: window w is bit w mod 64 of word w div 64. Windows of one line are neighbours
// in one word, so not every number below 64 * words is a window.
template <int W>
struct WindowSet {
  // Enough for every board and k: rows of 19 with k = 2 have 18 windows, three of them fill a word.
  static constexpr int kWords = W == 1 ? 8 : 28;
  std::uint64_t words[kWords] = {};

  bool has(int window) const { return ((words[window >> 6] >> (window & 63)) & 1) != 0; }
  int size() const {
    int windows = 0;
    for (const std::uint64_t word : words) windows += popcount64(word);
    return windows;
  }
};

// Where the windows of one board lie; made once, then read by all positions of it.
template <int W>
struct ConnectWindows {
  using Game = Connect<W>;
  static constexpr int kWords = WindowSet<W>::kWords;
  static constexpr int kDirections = 4;

  // The windows through one cell in one direction: bits of one word, none if the line is short.
  struct Line {
    std::uint64_t windows = 0;
    std::uint32_t word = 0;
  };

  typename Game::Rules rules;
  int words = 0;                    // that hold windows
  int count = 0;                    // windows
  std::uint64_t used[kWords] = {};  // the bits that are windows
  Line lines[Game::kMaxCells][kDirections];
  // The numbers of a cell's four lines, a byte each: two cells have windows in common only if a
  // byte is the same (lines_meet).
  std::uint32_t line_numbers[Game::kMaxCells] = {};
  // The cells of a window are first[w] + i * step[w], i = 0 .. k - 1.
  Move first[64 * kWords] = {};
  std::uint8_t step[64 * kWords] = {};
  // What a stone of either player on a cell adds to a position's two 64-bit keys.
  std::uint64_t keys[2][Game::kMaxCells][2] = {};

  explicit ConnectWindows(const typename Game::Rules& r) : rules(r) {
    constexpr int kDown[kDirections] = {0, 1, 1, 1};
    constexpr int kRight[kDirections] = {1, 0, 1, -1};
    Packer packer;
    for (int d = 0; d < kDirections; ++d) {
      for (int cell = 0; cell < rules.cells; ++cell)
        add_line(cell, d, kDown[d], kRight[d], &packer);
    }
    words = packer.bit == 0 ? packer.word : packer.word + 1;
    for (int i = 0; i < 4 * rules.cells; ++i) {
      keys[i & 1][i >> 2][(i >> 1) & 1] = mix64(static_cast<std::uint64_t>(i) * kGoldenGamma);
    }
  }

  // The cells of a window.
  CellSet<W> cells(int window) const {
    CellSet<W> set;
    for (int i = 0; i < rules.connect; ++i) set.add(first[window] + i * step[window]);
    return set;
  }

  // Returns whether one line of at least k cells holds both.
  bool lines_meet(int a, int b) const {
    const std::uint32_t differ = line_numbers[a] ^ line_numbers[b];
    return ((differ - 0x01010101u) & ~differ & 0x80808080u) != 0;  // a byte is zero
  }

 private:
  struct Packer {  // the next free bit
    int word = 0;
    int bit = 0;
    std::uint32_t line = 1;  // number of the next line; boards have at most 112
  };

  bool on_board(int row, int column) const {
    return row >= 0 && row < rules.rows && column >= 0 && column < rules.columns;
  }

  // Numbers the windows of the line that begins at `cell`, if one does.
  void add_line(int cell, int direction, int down, int right, Packer* packer) {
    const int row = cell / rules.columns;
    const int column = cell % rules.columns;
    if (on_board(row - down, column - right)) return;
    int length = 1;
    while (on_board(row + length * down, column + length * right)) ++length;
    const std::uint32_t number = packer->line++ << (8 * direction);
    const int windows = length - rules.connect + 1;
    const int next = down * rules.columns + right;
    for (int i = 0; i < length; ++i) line_numbers[cell + i * next] |= number;
    if (windows <= 0) return;
    if (packer->bit + windows > 64) {
      ++packer->word;
      packer->bit = 0;
    }
    for (int i = 0; i < windows; ++i) {
      const int window = 64 * packer->word + packer->bit + i;
      used[packer->word] |= std::uint64_t{1} << (packer->bit + i);
      first[window] = static_cast<Move>(cell + i * next);
      step[window] = static_cast<std::uint8_t>(next);
      for (int j = 0; j < rules.connect; ++j) {
        Line& line = lines[cell + (i + j) * next][direction];
        line.word = static_cast<std::uint32_t>(packer->word);
        line.windows |= std::uint64_t{1} << (packer->bit + i);
      }
    }
    packer->bit += windows;
    count += windows;
  }
};

// Calls f(window) with the windows of a set in ascending order.
template <int W, class F>
void for_each_window(const ConnectWindows<W>& board, const WindowSet<W>& set, F&& f) {
  for (int i = 0; i < board.words; ++i) {
    for (std::uint64_t rest = set.words[i]; rest != 0; rest &= rest - 1) {
      f(64 * i + lowest_bit64(rest));
    }
  }
}

// Those of some cells that lie in windows of a set. Of many windows it looks at the cells.
template <int W>
CellSet<W> cells_within(const ConnectWindows<W>& board, const WindowSet<W>& set,
                        const CellSet<W>& among) {
  CellSet<W> cells;
  int windows = 0;
  for (int i = 0; i < board.words; ++i) windows += popcount64(set.words[i]);
  if (2 * windows < among.size()) {
    for_each_window(board, set, [&](int window) { cells |= board.cells(window); });
    return cells & among;
  }
  for_each_cell(among, [&](int cell) {
    const bool within = std::ranges::any_of(board.lines[cell], [&](const auto& line) {
      return (line.windows & set.words[line.word]) != 0;
    });
    if (within) cells.add(cell);
  });
  return cells;
}

}  // namespace playproof
