// The moves of a graph that cannot be taken back: those that leave a strongly connected component.
#pragma once

#include <cstdint>
#include <vector>

#include "games/core/conversion.h"
#include "games/graph/file.h"
#include "games/graph/rules.h"

namespace playproof {

template <>
class Conversions<Graph> {
 public:
  // Time and memory grow with the nodes and arrows of the graph.
  explicit Conversions(const Graph::Rules& rules);
  bool converts(const Graph::State& from, const Graph::State& to) const {
    return component_[from.node] != component_[to.node];
  }

 private:
  std::vector<std::uint32_t> component_;  // that a node belongs to
};

}  // namespace playproof
