// Graphs for tests (docs/graphs.md): those of tests/data/graphs, and random ones.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "games/graph/file.h"
#include "tests/conformance.h"

namespace playproof {

inline constexpr std::array kAllRules = {"infinite win", "infinite draw", "infinite loss",
                                         "second draw",  "third draw",    "repeater loses"};

// So many nodes, each with one to three arrows, or an end with probability 1/4; n0 is none.
inline std::string random_graph(Draws& draws, const std::string& rule, int nodes) {
  std::string text = "rule: " + rule + "\n";
  for (int node = 0; node < nodes; ++node) {
    text += "n" + std::to_string(node);
    if (node > 0 && draws.below(4) == 0) {
      text += std::array{" win\n", " draw\n", " loss\n"}[static_cast<std::size_t>(draws.below(3))];
      continue;
    }
    text += draws.below(2) == 0 ? " or" : " and";
    std::vector<bool> there(static_cast<std::size_t>(nodes));
    for (int arrows = 1 + draws.below(3); arrows > 0; --arrows) {
      const int to = draws.below(nodes);
      if (there[static_cast<std::size_t>(to)]) continue;
      there[static_cast<std::size_t>(to)] = true;
      text += " n" + std::to_string(to);
    }
    text += "\n";
  }
  return text;
}

inline std::shared_ptr<const GraphFile> graph_of(const std::string& text) {
  return std::make_shared<const GraphFile>("graph", text);
}
// One of tests/data/graphs.
inline std::shared_ptr<const GraphFile> graph_named(const std::string& name) {
  return GraphFile::open(std::string(PLAYPROOF_TEST_DATA) + "/graphs/" + name + ".graph");
}

}  // namespace playproof
