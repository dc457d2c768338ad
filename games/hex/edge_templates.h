// The edge template of the third row of Hex, the ziggurat: a stone two rows from an edge of its
// owner is joined to it, whoever moves, while the cells between are empty (HexWiki, "Edge
// templates"; in rows from that of the stone, and with left and right exchanged):
//     B-         -B
//    ---        ---
//   ----       ----
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "games/core/cell_set.h"
#include "games/hex/rules.h"

namespace playproof {

template <int W>
class HexEdgeTemplates {  // of one player
 public:
  using Cells = CellSet<W>;
  using Rules = typename Hex<W>::Rules;

  HexEdgeTemplates(const Rules& rules, int player) {
    const int length = rules.length[player];     // from edge to edge
    const int width = rules.length[1 - player];  // along an edge
    for (int which = 0; which < 2; ++which) {
      for (int place = 0; place < width && length >= 3; ++place) {
        for (const bool mirrored : {false, true}) {
          Carrier carrier;
          bool fits = true;
          for (const auto& [down, right] : kZiggurat) {
            // The half turn of the board exchanges the edges.
            const int along = (mirrored ? -right - down : right) * (which == 0 ? -1 : 1) + place;
            const int from = which == 0 ? 2 - down : length - 3 + down;
            fits = fits && 0 <= along && along < width;
            if (!fits) break;
            const int cell =
                player == 0 ? from * rules.columns + along : along * rules.columns + from;
            if (down == 0 && right == 0) {
              carrier.stone = cell;
            } else {
              carrier.cells.add(cell);
            }
          }
          if (fits) carriers_[which].push_back(carrier);
        }
      }
    }
  }

  // Cells of one that joins a stone of the set to the player's first or second edge (`which`), all
  // in `empty`; none if there is none.
  Cells find(int which, const Cells& stones, const Cells& empty) const {
    for (const Carrier& carrier : carriers_[which]) {
      if (stones.has(carrier.stone) && carrier.cells.within(empty)) return carrier.cells;
    }
    return {};
  }

 private:
  // Rows towards the edge and places along it, from the stone.
  static constexpr std::pair<int, int> kZiggurat[] = {{0, 0},  {0, 1},  {1, -1}, {1, 0}, {1, 1},
                                                      {2, -2}, {2, -1}, {2, 0},  {2, 1}};
  struct Carrier {
    int stone = 0;
    Cells cells;
  };
  std::vector<Carrier> carriers_[2];
};

}  // namespace playproof
