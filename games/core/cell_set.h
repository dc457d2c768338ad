// A set of cells of a board as a value: W words, cell i is bit i mod 64 of word i div 64
// (games/core/bitboard.h).
#pragma once

#include <bit>
#include <cstdint>

#include "games/core/bitboard.h"

namespace playproof {

template <int W>
struct CellSet {
  std::uint64_t words[W] = {};

  static CellSet of(const std::uint64_t (&cells)[W]) {
    CellSet set;
    for (int i = 0; i < W; ++i) set.words[i] = cells[i];
    return set;
  }
  static CellSet all(int cells) {
    CellSet set;
    for (int i = 0; i < W; ++i) set.words[i] = board_word(cells, i);
    return set;
  }

  static CellSet one(int cell) {
    CellSet set;
    set.add(cell);
    return set;
  }

  bool has(int cell) const { return has_cell(words, cell); }
  void add(int cell) { add_cell(words, cell); }
  void remove(int cell) { words[cell >> 6] &= ~(std::uint64_t{1} << (cell & 63)); }
  bool empty() const {
    std::uint64_t any = 0;
    for (const std::uint64_t word : words) any |= word;
    return any == 0;
  }
  int size() const {
    int cells = 0;
    for (const std::uint64_t word : words) cells += std::popcount(word);
    return cells;
  }
  // The least cell; -1 if it is empty.
  int lowest() const {
    for (int i = 0; i < W; ++i) {
      if (words[i] != 0) return 64 * i + lowest_bit64(words[i]);
    }
    return -1;
  }
  bool within(const CellSet& other) const { return (*this - other).empty(); }

  bool operator==(const CellSet&) const = default;
  friend CellSet operator&(CellSet a, const CellSet& b) {
    for (int i = 0; i < W; ++i) a.words[i] &= b.words[i];
    return a;
  }
  friend CellSet operator|(CellSet a, const CellSet& b) {
    for (int i = 0; i < W; ++i) a.words[i] |= b.words[i];
    return a;
  }
  friend CellSet operator-(CellSet a, const CellSet& b) {
    for (int i = 0; i < W; ++i) a.words[i] &= ~b.words[i];
    return a;
  }
  CellSet& operator&=(const CellSet& other) { return *this = *this & other; }
  CellSet& operator|=(const CellSet& other) { return *this = *this | other; }
};

// Calls f(cell) with the cells of a set in ascending order.
template <int W, class F>
void for_each_cell(const CellSet<W>& set, F&& f) {
  for (int i = 0; i < W; ++i) {
    for (std::uint64_t rest = set.words[i]; rest != 0; rest &= rest - 1) {
      f(64 * i + lowest_bit64(rest));
    }
  }
}

}  // namespace playproof
