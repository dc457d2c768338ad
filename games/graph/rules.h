// Graphs that people write down (docs/graphs.md): a token goes from node to node along arrows, and
// each node says who moves it on, or what the game is worth that ends there. A node may come again:
// what the game is then a file says, too (PathRule). So AND/OR trees, graphs and cycles of papers
// are games, and so are goals and subgoals without any players.
//
// The graph itself lies beside the rules, which point to it: they stay a plain value, and whoever
// asks a question keeps the graph (GraphFile, games/graph/file.h) for as long as it is asked.
#pragma once

#include <cstdint>

#include "games/core/game.h"

namespace playproof {

class GraphFile;

struct GraphNode {
  std::uint32_t first_arrow = 0;
  std::uint16_t arrows = 0;  // 0: the game ends here
  std::uint8_t to_move = 0;
  Value value = 0;  // of an end, to the first player
};

struct Graph {
  struct Rules {
    const GraphNode* nodes = nullptr;
    const std::uint32_t* arrows = nullptr;  // nodes that they lead to
    const GraphFile* file = nullptr;        // that these are of
    std::uint32_t start = 0;
    PathRule rule = PathRule::kInfiniteDraw;
    Value most = 1;  // no end is worth more, or less than its negative
  };
  struct State {
    std::uint32_t node = 0;
    bool operator==(const State&) const = default;
  };

  static constexpr int kMaxMoves = 256;
  static constexpr PathRule kPaths = PathRule::kOfRules;
  PP_HD static PathRule path_rule(const Rules& r) { return r.rule; }

  PP_HD static State initial(const Rules& r) { return {r.start}; }
  PP_HD static bool finished(const Rules& r, const State& s) { return r.nodes[s.node].arrows == 0; }
  PP_HD static Value value(const Rules& r, const State& s) { return r.nodes[s.node].value; }
  PP_HD static Value min_value(const Rules& r) { return static_cast<Value>(-r.most); }
  PP_HD static Value max_value(const Rules& r) { return r.most; }
  PP_HD static Player to_move(const Rules& r, const State& s) {
    return static_cast<Player>(r.nodes[s.node].to_move);
  }
  // Move i goes along arrow i of the node, as they are written.
  PP_HD static int moves(const Rules& r, const State& s, Move* out) {
    const int count = r.nodes[s.node].arrows;
    for (int i = 0; i < count; ++i) out[i] = static_cast<Move>(i);
    return count;
  }
  PP_HD static void play(const Rules& r, State& s, Move move) {
    s.node = r.arrows[r.nodes[s.node].first_arrow + move];
  }
  PP_HD static std::uint64_t key(const Rules&, const State& s) { return mix64(s.node); }
};
static_assert(Game<Graph>);

}  // namespace playproof
