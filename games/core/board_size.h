// Options of games on boards of rows x columns cells: their sizes, and the type that holds them.
#pragma once

#include <utility>
#include <vector>

#include "games/core/spec.h"

namespace playproof {

struct BoardSize {
  int rows = 0;
  int columns = 0;
  bool fits_one_word() const { return rows * columns <= 64; }
};
// The options size, rows and columns, each 2..19; `default_size` is that of size.
std::vector<OptionInfo> board_size_options(const char* default_size);
// From size=, or rows= and columns=. Throws Error(kUsage) if they contradict.
BoardSize board_size(const Options& options);

// Calls f.template operator()<G>() with the type of Board whose words hold the cells.
template <template <int> class Board, class F>
decltype(auto) visit_board(const Options& options, F&& f) {
  return board_size(options).fits_one_word() ? std::forward<F>(f).template operator()<Board<1>>()
                                             : std::forward<F>(f).template operator()<Board<6>>();
}

}  // namespace playproof
