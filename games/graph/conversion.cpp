#include "games/graph/conversion.h"

#include <algorithm>

namespace playproof {
namespace {

// A node whose arrows are being followed.
struct Visit {
  std::uint32_t node;
  std::uint32_t next;  // its arrow to be followed
};

}  // namespace

// Tarjan (1972), with a stack of its own: a path may be as long as the graph is large.
Conversions<Graph>::Conversions(const Graph::Rules& rules) : component_(rules.file->nodes()) {
  std::vector<std::uint32_t> number(component_.size());  // in the order of visits, from 1
  std::vector<std::uint32_t> least(component_.size());   // of what can be reached and is open
  std::vector<bool> open(component_.size());
  std::vector<std::uint32_t> stack;  // nodes of components that are not complete
  std::vector<Visit> visits;
  std::uint32_t visited = 0;
  const auto enter = [&](std::uint32_t node) {
    number[node] = least[node] = ++visited;
    open[node] = true;
    stack.push_back(node);
    visits.push_back({node, 0});
  };
  for (std::uint32_t start = 0; start < component_.size(); ++start) {
    if (number[start] == 0) enter(start);
    while (!visits.empty()) {
      Visit& visit = visits.back();
      const std::uint32_t node = visit.node;
      const GraphNode& of = rules.nodes[node];
      if (visit.next < of.arrows) {
        const std::uint32_t to = rules.arrows[of.first_arrow + visit.next++];
        if (number[to] == 0) {
          enter(to);
        } else if (open[to]) {
          least[node] = std::min(least[node], number[to]);
        }
        continue;
      }
      visits.pop_back();
      if (!visits.empty()) {
        least[visits.back().node] = std::min(least[visits.back().node], least[node]);
      }
      if (least[node] != number[node]) continue;
      for (bool more = true; more; stack.pop_back()) {
        const std::uint32_t member = stack.back();
        component_[member] = node;
        open[member] = false;
        more = member != node;
      }
    }
  }
}

}  // namespace playproof
