// The two rule sets of one game (games/core/reference_of.h).
#pragma once

#include <cstddef>

#include "games/core/reference_of.h"
#include "games/graph/file.h"
#include "games/graph/reference.h"
#include "games/graph/rules.h"

namespace playproof {

template <>
struct ReferenceOf<Graph> {
  using Type = RefGraph;
  static Type::Rules rules(const Graph::Rules& r) {
    Type::Rules rules;
    for (std::size_t i = 0; i < r.file->lines(); ++i) {
      RefGraph::add_line(&rules, ref_split(r.file->line(i), " "));
    }
    return rules;
  }
  static Type::State state(const Graph::Rules& r, const Graph::State& s) {
    return {std::string(r.file->node_name(s.node))};
  }
};

}  // namespace playproof
