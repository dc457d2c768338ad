// A game of Hex in a file, as the stones that it has brought onto the board: `loadsgf`.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "src/windows/hex_board.h"

namespace playproof {

// The board after the main line of the first SGF in a file, or before its move of that number, from
// 1 (no such move: after all). Its stones can be taken back one by one. Throws Error(kData) naming
// file, line and offset.
HexBoard load_hex_game(const std::string& path, std::optional<std::size_t> before);

}  // namespace playproof
