// Options of games on boards of rows x columns cells: their sizes, and the type that holds them.
#pragma once

#include <utility>
#include <vector>

#include "games/core/spec.h"

namespace playproof {

struct BoardSize {
  int rows = 0;
  int columns = 0;
  int cells() const { return rows * columns; }
};
// The options size, rows and columns, each 2..19; `default_size` is that of size.
std::vector<OptionInfo> board_size_options(const char* default_size);
// Reads size=, or rows= and columns=. Throws Error(kUsage) if they contradict.
BoardSize board_size(const Options& options);

// Calls f.template operator()<Board<W>>() with the first W, of ascending ones, whose words hold the
// cells; the last one holds them all.
template <template <int> class Board, int W, int... kMore, class F>
decltype(auto) visit_board(const BoardSize& size, F&& f) {
  if constexpr (sizeof...(kMore) == 0) {
    return std::forward<F>(f).template operator()<Board<W>>();
  } else {
    return size.cells() <= 64 * W ? std::forward<F>(f).template operator()<Board<W>>()
                                  : visit_board<Board, kMore...>(size, std::forward<F>(f));
  }
}

}  // namespace playproof
