// How a depth-first search is set up: leaf numbers, thresholds, table.
#pragma once

#include "games/spec.h"
#include "host/schemes/leaf_numbers.h"
#include "host/schemes/thresholds.h"
#include "host/search_common.h"
#include "host/table_options.h"

namespace playproof {

struct DepthFirstOptions : SearchOptions {
  LeafNumbers leaf;
  ThresholdRule rule;
  TableOptions table;
  bool symmetry = true;  // one entry for all images of a position
  PhiDelta edge = 0;     // df-pn+: cost of a move (Nagai 1999), here the same for all
  int endings = 0;       // positions up to this distance from the end are left to Ending<G>
};

// What the options say of leaf numbers, of any algorithm that has such.
LeafNumbers leaf_numbers(const Options& algorithm);

// What the options of dfpn, pds or pnstar say. Throws Error(kUsage).
DepthFirstOptions depth_first_options(const Options& algorithm, const SearchOptions& search);

}  // namespace playproof
