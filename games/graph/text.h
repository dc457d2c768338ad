// Graphs as text (games/core/text.h): a position is the name of a node, move 1 the first arrow of
// the node.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "games/core/text.h"
#include "games/graph/file.h"
#include "games/graph/rules.h"

namespace playproof {

template <>
struct GameText<Graph> {
  static Graph::Rules rules(const Options& options);
  static std::shared_ptr<const void> keep(const Graph::Rules& rules);
  static std::uint64_t fingerprint(const Graph::Rules& rules) { return rules.file->fingerprint(); }
  static std::string canonical(const Graph::Rules& rules);
  static Graph::State parse(const Graph::Rules& rules, std::string_view text);
  static std::string format(const Graph::Rules& rules, const Graph::State& state);
  static std::string move_text(const Graph::Rules& rules, Move move);
  static Move parse_move(const Graph::Rules& rules, std::string_view text);
};

// A certificate has the whole graph in it, line by line.
template <>
struct CertificateText<Graph> {
  static std::string game(const Graph::Rules& /*rules*/) { return "graph"; }
  // Calls f(line) with each line of what the rules are beside their name.
  template <class F>
  static void for_each_line(const Graph::Rules& rules, F&& f) {
    for (std::size_t i = 0; i < rules.file->lines(); ++i) f("graph " + rules.file->line(i));
  }
  static void append(const Graph::Rules& rules, const Graph::State& state, std::string* out) {
    *out += GameText<Graph>::format(rules, state);
  }
};

}  // namespace playproof
