// A win of a race by threats as a tree of turns: what a search hands over and a walk checks
// (games/connect/race_zone.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "games/connect/threats.h"

namespace playproof {

// How the attacker goes on in one position.
struct RaceNode {
  enum class Kind : std::uint8_t {
    kCompletes,  // his turn completes a line
    kWins,       // it leaves more threats than a turn hits
    kForces,     // it leaves p: one child for each set of cells that hits all, in the order of
                 // hitting_replies
    kMacro,      // as kForces, with one child, where all these cells are the other side's at once
    kQuiet,      // it leaves fewer: one child for each of its RaceProof::replies, which may have
                 // fewer stones than a turn; the others are free (games/connect/race_zone.h)
    kLast = kQuiet
  };
  Kind kind = Kind::kCompletes;
  ConnectTurn turn;               // kCompletes: none
  std::uint32_t first_child = 0;  // in RaceProof::children, as many as the kind has
  std::uint32_t children = 0;
};

struct RaceProof {
  std::vector<RaceNode> nodes;  // the last one is the root
  std::vector<std::uint32_t> children;
  std::vector<ConnectTurn> replies;  // before each of them, of kQuiet; else none

  const RaceNode& root() const { return nodes.back(); }
  // Appends another proof; the number of its root.
  std::uint32_t append(const RaceProof& other) {
    const auto node = static_cast<std::uint32_t>(nodes.size());
    const auto child = static_cast<std::uint32_t>(children.size());
    nodes.insert(nodes.end(), other.nodes.begin(), other.nodes.end());
    for (std::size_t i = node; i < nodes.size(); ++i) nodes[i].first_child += child;
    for (const std::uint32_t each : other.children) children.push_back(node + each);
    replies.insert(replies.end(), other.replies.begin(), other.replies.end());
    return static_cast<std::uint32_t>(nodes.size() - 1);
  }
  // Turns of the attacker on the longest path, the one that completes a line included.
  int turns() const { return nodes.empty() ? 0 : turns_of(root()); }
  // The same of what follows a reply of a node.
  int turns_below(const RaceNode& node, std::uint32_t reply) const {
    return turns_of(nodes[children[node.first_child + reply]]);
  }

 private:
  int turns_of(const RaceNode& node) const {
    if (node.kind == RaceNode::Kind::kCompletes) return 1;
    int longest = 1;  // after kWins a line is completed
    for (std::uint32_t i = 0; i < node.children; ++i) {
      const int turns = turns_of(nodes[children[node.first_child + i]]);
      if (turns > longest) longest = turns;
    }
    return longest + 1;
  }
};

}  // namespace playproof
