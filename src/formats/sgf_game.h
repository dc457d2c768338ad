// SGF of Hex, Othello and Connect6: what its properties say of a position.
#pragma once

#include <vector>

#include "src/formats/game_tree.h"
#include "src/formats/record.h"

namespace playproof {

// The position at the end of the main line. `place` is where the game begins. Throws RecordError.
Record read_sgf(const AskedGame& asked, const std::vector<TreeNode>& nodes, const Place& place);

}  // namespace playproof
