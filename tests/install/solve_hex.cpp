// A solve through the installed library: who wins the empty 3x3 Hex board?
#include <cstdio>
#include <limits>

#include "games/core/error.h"
#include "host/solve/solver.h"

int main() try {
  playproof::SolveRequest request;
  request.game = "hex:size=3";
  request.algorithm = "ppn:playouts=32";
  request.backend = "cpu";
  const auto solver = playproof::make_solver(request);
  solver->step(std::numeric_limits<std::uint64_t>::max());
  const playproof::SolveResult result = solver->result();
  std::printf("%s: %s, best move %s\n", solver->game().c_str(),
              playproof::to_string(result.verdict), result.best_move.value_or("none").c_str());
} catch (const playproof::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return error.exit_status();
}
