// What a backend of the registry (host/playouts/backends.h) is made of.
//
// struct CpuBackend {
//   static BackendInfo info();
//   template <Game G>
//   static std::unique_ptr<PlayoutEvaluator<G>> make(const BackendParts<G>& parts);
// };
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "games/core/game.h"
#include "games/core/spec.h"
#include "host/playouts/evaluator.h"

namespace playproof {

struct BackendInfo {
  CatalogueEntry entry;
  // Whose tallies it gives: "" for those of games/PLAYOUTS.md, which many engines play bit for bit,
  // else its name. A wrapper (`engine` false) gives those of the backend that its option `of`
  // names.
  std::string own_tallies = {};
  bool engine = true;
  bool plays = true;            // random games
  bool on_device = false;       // an accelerator
  bool many_searches = false;   // only many searches at a time keep it busy
  std::string stands_for = {};  // the backend that is made in its place
};

template <Game G>
struct BackendParts {
  const typename G::Rules& rules;
  const Options& options;
  int threads = 1;

  // Another backend under the same rules and threads.
  std::unique_ptr<PlayoutEvaluator<G>> make(const std::string& backend) const {
    return make_evaluator<G>(rules, backend, threads);
  }
};

// An option of a wrapper that names an engine: its words are filled in from the registry.
OptionInfo engine_option(const std::string& name, const std::string& otherwise,
                         const std::string& help);

}  // namespace playproof
