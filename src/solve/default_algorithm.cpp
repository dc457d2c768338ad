#include "src/solve/default_algorithm.h"

#include <string_view>

namespace playproof {
namespace {

constexpr std::string_view kTable = "dfpn";

struct Default {
  std::string_view game;
  std::string_view algorithm;
};

// bench/results/README.md, "Which search, for which game"; a test holds these against the store.
constexpr Default kDefaults[] = {
    {"hex", "dfpn:leaf=mustplay,epsilon=0.25,patterns=1024,widening=0.25,fill=full"},
    {"othello", "ppn:playouts=16,probe=endings,endings=10"},
    {"connect6", "dfpn:leaf=mustplay,epsilon=0.25"},
    {"pgame", "ppn:playouts=16"},
};

}  // namespace

std::string default_algorithm(const std::string& game, bool table) {
  const std::string name = game.substr(0, game.find(':'));
  for (const Default& entry : kDefaults) {
    const bool has_table = entry.algorithm.starts_with(kTable);
    if (entry.game == name && (has_table || !table)) return std::string(entry.algorithm);
  }
  return std::string(kTable);
}

}  // namespace playproof
