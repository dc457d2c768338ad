#include "src/commands/window_options.h"

#include <fmt/format.h>

#include "games/core/spec.h"
#include "host/playouts/evaluator.h"
#include "src/io/machine.h"

namespace playproof {

void add_engine_options(CLI::App& command, ThinkingOptions* options) {
  add_text(command, "--algorithm", &options->algorithm,
           fmt::format("What searches (see `algorithms`; default: {})", options->algorithm),
           "ALGO");
  const auto set_backend = [options](const std::string& text) {
    const Spec spec = parse_spec(text);
    options->backend = Options(backend_catalogue().find(spec.name), spec).canonical();
  };
  add_text(command, "--backend", set_backend,
           "What plays the playouts (see `version`; default: auto)", "BACKEND");
  add_integer(command, "--seed", &options->seed, 0, kNoBound,
              "Of playouts and of choices among equals (default: 1)");
  options->threads = all_cores();
  add_threads(command, &options->threads,
              "Threads of the playouts; changes no count (default: all cores)");
  add_workers(command, &options->workers);
  add_size(command, "--max-memory", &options->max_memory,
           "Stop when the search needs more (default: 4/5 of what there is)");
}

void add_thinking_options(CLI::App& command, ThinkingOptions* options) {
  add_positive_real(command, "--seconds", &options->seconds,
                    "How long to search for a proof of a move (default: 5)");
  const auto set_playouts = [options](std::uint64_t n) {
    options->playouts = static_cast<std::uint32_t>(n);
  };
  add_integer(
      command, "--playouts", set_playouts, 32, 1 << 20,
      "Random games a move where nothing is proven, more of the best; at least 32 (default: 256)");
  add_engine_options(command, options);
}

}  // namespace playproof
