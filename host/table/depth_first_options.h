// How a depth-first search is set up: leaf numbers, thresholds, table.
#pragma once

#include <cstdint>
#include <string>

#include "games/core/fill_level.h"
#include "games/core/spec.h"
#include "host/question/search_options.h"
#include "host/table/table_options.h"
#include "host/table/thresholds.h"
#include "kernels/numbers/leaf_numbers.h"

namespace playproof {

// df-pn+ (Nagai and Imai 1999; survey S2 section 7.3): the numbers of an unsolved child count in
// its parent with the cost of the move that leads to it,
//   phi(n) = min (delta(c) + cost(n, c)), delta(n) = sum (phi(c) + cost(n, c))
// while leaf numbers are the heuristic h of the papers. What the cost of a move was there came from
// an evaluation of its game; here it is a function of the position that the move leads to:
//   constant   edge
//   moves      edge (m - 1), m: the legal moves of that position; a move that leaves one answer is
//              free
struct EdgeCost {
  PhiDelta edge = 0;
  bool moves = false;

  bool needs_moves() const { return moves && edge > 0; }
  // `m` is the number of the child's legal moves, if they are needed.
  PhiDelta operator()(int m) const {
    return needs_moves() ? capped(edge * static_cast<PhiDelta>(m - 1)) : edge;
  }
};

struct DepthFirstOptions : SearchOptions {
  LeafNumbers leaf;
  ThresholdRule rule;
  TableOptions table;
  bool symmetry = true;        // one entry for all images of a position
  EdgeCost edge;               // df-pn+
  bool by_resistance = false;  // with links: the order of children (host/table/child_order.h)
  double widening = 0;         // with that: the share of the open children that is looked at
  int searchers = 1;           // of one question (host/jobs/shared_search.h), which take turns or
  bool threads = false;        // have a thread each
  bool alone_before = true;    // with threads: what may be loaded was saved by one without
  std::string policy = "likely";  // of several: who takes which job (host/jobs/policy.h)
  std::uint32_t job_depth = 2;    // policy=depth: of the jobs
};

// What the options say of leaf numbers, of any algorithm that has such.
LeafNumbers leaf_numbers(const Options& algorithm);

// What the options say of inferior cells; none without zones.
FillLevel fill_level(const Options& algorithm);

// What the options say of the table, of any algorithm that has one. Throws Error(kUsage).
TableOptions table_options(const Options& algorithm);

// What the options of dfpn, pds, pnstar or alphabeta say. Throws Error(kUsage).
DepthFirstOptions depth_first_options(const Options& algorithm, const SearchOptions& search);

}  // namespace playproof
