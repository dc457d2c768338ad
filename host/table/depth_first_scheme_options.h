// How a depth-first search by a scheme's labels is set up (host/table/depth_first_scheme.h).
#pragma once

#include "host/question/search_options.h"
#include "host/table/table_options.h"

namespace playproof {

template <class S>
struct DepthFirstSchemeOptions : SearchOptions {
  S scheme;
  double epsilon = 0;  // a child is left when another one is more than 1 + epsilon times as good
  TableOptions table;
  bool symmetry = true;  // one entry for all images of a position
};

}  // namespace playproof
