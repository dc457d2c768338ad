// A game and its positions as pages have them.
#pragma once

#include <string>
#include <vector>

#include "host/solve/position.h"
#include "src/io/json.h"

namespace playproof {

// {"shape": "hexagons", "columns": ["a", ...], "rows": ["1", ...]}; null of a game without a board.
// A cell is called by its column and its row.
Json board_json(const AnyPosition& position);
// Cells by rows: X the first player's, O the second one's, else '.'; empty without a board.
std::string cells_of(const AnyPosition& position);
// What the cells are called, by rows.
std::vector<std::string> cell_names(const AnyPosition& position);
// What the players are called.
Json players_json(const AnyPosition& position);

}  // namespace playproof
