#include "src/solve/default_algorithm.h"

#include <string_view>

namespace playproof {
namespace {

struct Default {
  std::string_view game;
  std::string_view algorithm;
};

// See bench/results/README.md, "Which search, for which game": bench/plans/which-equal.toml has
// claims about these on positions that chose none. That of Lines of Action was chosen on
// tests/data/loa-endgames.txt and the last 40 of loa-500.txt.
constexpr Default kDefaults[] = {
    {"hex", "dfpn:leaf=mustplay,epsilon=0.25,patterns=1024,widening=0.25,fill=full"},
    {"othello", "alphabeta:probe=endings,endings=10"},
    {"connect6", "dfpn:leaf=mobility"},
    {"loa", "dfpn:leaf=quads,probe=look1"},
    {"pgame", "alphabeta"},
};

}  // namespace

std::string default_algorithm(const std::string& game) {
  const std::string name = game.substr(0, game.find(':'));
  for (const Default& entry : kDefaults) {
    if (entry.game == name) return std::string(entry.algorithm);
  }
  return "dfpn";
}

}  // namespace playproof
