// Hex as a connection game: a winning set joins the two edges of its player.
#pragma once

#include <cstdint>
#include <vector>

#include "games/core/connection.h"
#include "games/core/symmetry.h"
#include "games/hex/bridges.h"
#include "games/hex/fill.h"
#include "games/hex/link_proof.h"
#include "games/hex/neighbours.h"
#include "games/hex/rules.h"

namespace playproof {

template <int W>
struct Connection<Hex<W>> {
  static constexpr int kWords = W;
  using Cells = CellSet<W>;
  using Rules = typename Hex<W>::Rules;
  using State = typename Hex<W>::State;

  static int cells(const Rules& rules) { return rules.cells; }
  static Cells stones(const State& s, Player player) {
    return Cells::of(s.stones[static_cast<int>(player)]);
  }
  // The cells of a shortest chain from edge to edge; of several, the one that a breadth-first walk
  // over ascending cells finds first.
  static Cells winning_set(const Rules& rules, const State& s) {
    const int player = s.winner - 1;
    Cells left = Cells::of(s.stones[player]);  // not reached yet
    Steps steps;
    const int stride = player == 0 ? 1 : rules.columns;  // along the first edge
    const int end = player == 0 ? rules.columns : rules.cells;
    for (int cell = 0; cell < end; cell += stride) steps.reach(cell, -1, left);
    for (int at = 0; at < steps.count; ++at) {
      const int cell = steps.cells[at];
      if (place(rules, player, cell) == rules.length[player] - 1) return steps.back(at);
      for_each_hex_neighbour<W>(rules, cell, [&](int next) { steps.reach(next, at, left); });
    }
    return {};  // nobody has won
  }
  // Turns of the board that make each player's edges the other's: on square boards the reflections
  // in the two diagonals.
  static std::vector<CellPermutation<W>> exchanges(const Rules& rules) {
    if (rules.rows != rules.columns) return {};
    const int n = rules.rows;
    const auto mirror = [n](int cell) { return cell % n * n + cell / n; };
    return {CellPermutation<W>(n * n, mirror),
            CellPermutation<W>(n * n, [&](int cell) { return n * n - 1 - mirror(cell); })};
  }
  // Cells in pairs by which a player wins whoever moves (games/hex/bridges.h).
  using Bridges = HexBridges<W>;
  // Virtual connections of a player (games/hex/links.h).
  using Links = LinkSearch<W>;
  // Inferior cells as a player sees them (games/hex/fill.h).
  using Fill = HexFill<W>;

  // The row (of Black) or column (of White): how far it is from the player's first edge.
  static int place(const Rules& rules, int player, int cell) {
    const int row = rules.by_columns.quotient(cell);
    return player == 0 ? row : cell - row * rules.columns;
  }

 private:
  // How far a walk over stones has come.
  struct Steps {
    int count = 0;
    std::int16_t cells[64 * W];
    std::int16_t before[64 * W];  // the number of a step; -1: at the first edge

    void reach(int cell, int from, Cells& left) {
      if (!left.has(cell)) return;
      left.remove(cell);
      cells[count] = static_cast<std::int16_t>(cell);
      before[count++] = static_cast<std::int16_t>(from);
    }
    Cells back(int at) const {
      Cells chain;
      for (; at >= 0; at = before[at]) chain.add(cells[at]);
      return chain;
    }
  };
};
static_assert(ConnectionGame<Hex<1>> && ConnectionGame<Hex<2>> && ConnectionGame<Hex<6>>);

// What is known of positions is compiled once a width (connection.cpp).
extern template class HexBridges<1>;
extern template class HexBridges<2>;
extern template class HexBridges<6>;
extern template class HexFill<1>;
extern template class HexFill<2>;
extern template class HexFill<6>;
extern template class HexLinks<1>;
extern template class HexLinks<2>;
extern template class HexLinks<6>;
extern template class LinkProofs<1>;
extern template class LinkProofs<2>;
extern template class LinkProofs<6>;
extern template class LinkSearch<1>;
extern template class LinkSearch<2>;
extern template class LinkSearch<6>;

}  // namespace playproof
