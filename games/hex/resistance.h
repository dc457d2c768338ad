// Electrical resistance of Hex (Anshelevich 2002, "A hierarchical approach to computer Hex"): the
// board as a circuit of one player, from one of his edges to the other. Its nodes are the ends of
// his links (games/hex/links.h), its wires his full links: those of two ends, which share n cells,
// conduct together 1 / (1 + n) between two empty cells, twice that between an empty cell and stones
// or an edge, and nothing between stones (as benzene's circuits do). What a cell is worth to him is
// the current through it.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "games/core/cell_set.h"
#include "games/hex/links.h"
#include "games/hex/rules.h"

namespace playproof {

template <int W>
class HexResistance {
 public:
  using Cells = CellSet<W>;
  using Links = HexLinks<W>;

  // The currents of the position whose links these are, by cells, for one unit that flows from edge
  // to edge; 0 where there is a stone. Until the next call. The same bits on every machine.
  const std::vector<double>& currents(const Links& links) {
    make_wires(links);
    solve(links.ends());
    by_cells_.assign(links.rules().cells, 0.0);
    for (const Wire& wire : wires_) {
      const double current = wire.conductance * std::abs(volts_[wire.a] - volts_[wire.b]);
      for (const std::size_t end : {wire.a, wire.b}) {
        const auto name = static_cast<typename Links::End>(end);
        if (!links.is_cell(name)) continue;
        by_cells_[static_cast<std::size_t>(links.cells(name).lowest())] += current;
      }
    }
    return by_cells_;
  }

 private:
  using End = typename Links::End;
  static constexpr std::size_t kSource = 0;
  static constexpr std::size_t kGround = 1;
  // Leads from each node to the ground: none is cut off from it, whatever the other player has.
  static constexpr double kLeak = 1e-9;

  struct Wire {
    std::size_t a;
    std::size_t b;
    double conductance;
  };

  void make_wires(const Links& links) {
    wires_.clear();
    links.for_each_joined([&](End a, End b, const Cells& common) {
      const int cells = int{links.is_cell(a)} + int{links.is_cell(b)};
      if (cells == 0) return;
      wires_.push_back({a, b, (cells == 2 ? 1.0 : 2.0) / (1 + common.size())});
    });
  }
  // Solves by Gauss without pivots: the matrix is symmetric and positive definite.
  void solve(std::size_t n) {
    matrix_.assign(n * n, 0.0);
    volts_.assign(n, 0.0);
    const auto at = [&](std::size_t i, std::size_t j) -> double& { return matrix_[i * n + j]; };
    for (std::size_t i = 0; i < n; ++i) at(i, i) = i == kGround ? 1.0 : kLeak;
    for (const Wire& wire : wires_) {
      if (wire.a != kGround) at(wire.a, wire.a) += wire.conductance;
      if (wire.b != kGround) at(wire.b, wire.b) += wire.conductance;
      if (wire.a != kGround && wire.b != kGround) at(wire.a, wire.b) -= wire.conductance;
    }
    volts_[kSource] = 1;
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t i = k + 1; i < n; ++i) {
        const double share = at(k, i) / at(k, k);
        if (share == 0) continue;
        for (std::size_t j = i; j < n; ++j) at(i, j) -= share * at(k, j);
        volts_[i] -= share * volts_[k];
      }
    }
    for (std::size_t k = n; k-- > 0;) {
      for (std::size_t j = k + 1; j < n; ++j) volts_[k] -= at(k, j) * volts_[j];
      volts_[k] /= at(k, k);
    }
  }

  std::vector<Wire> wires_;
  std::vector<double> matrix_;  // by ends; what lies below its diagonal is not used
  std::vector<double> volts_;   // by ends
  std::vector<double> by_cells_;
};

}  // namespace playproof
