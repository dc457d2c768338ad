// Speed of the exact endings: nanoseconds, nodes and nanoseconds a node for one question ("does the
// side to move win?") by the number of empty squares, over positions of random play. In CPU time of
// one core; the least of several passes. `endings_bench` prints a table; see bench/README.md.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <vector>

#include "games/othello/ending.h"

namespace playproof {
namespace {

constexpr int kPasses = 5;
constexpr double kPassSeconds = 0.05;

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// A position with this many empty squares where the side to move has a move.
Othello::State played(const Othello::Rules& rules, int empty, std::uint64_t seed) {
  std::uint64_t draw = seed;
  while (true) {
    Othello::State state = Othello::initial(rules);
    while (state.finished == 0) {
      if (Ending<Othello>::distance(rules, state) == empty && state.legal != 0) return state;
      Move moves[Othello::kMaxMoves];
      const auto count = static_cast<std::uint64_t>(Othello::moves(rules, state, moves));
      draw = mix64(draw);
      Othello::play(rules, state, moves[(draw >> 32) * count >> 32]);
    }
  }
}

struct Pass {
  double seconds = 0;
  std::uint64_t nodes = 0;
  std::uint64_t wins = 0;
};

Pass ask_all(const Othello::Rules& rules, const std::vector<Othello::State>& states) {
  Pass pass;
  const double begin = cpu_seconds();
  for (const Othello::State& state : states) {
    const EndingAnswer answer =
        Ending<Othello>::solve(rules, state, Othello::to_move(rules, state), 1);
    pass.nodes += answer.nodes;
    pass.wins += answer.lower >= 1;
  }
  pass.seconds = cpu_seconds() - begin;
  return pass;
}

void measure(int empty) {
  const Othello::Rules rules = Othello::make_rules(8);
  std::vector<Othello::State> states;
  Pass best;
  // A pass has as many positions as make it long enough for the clock, 100 at least.
  for (std::size_t wanted = 100; states.empty() || best.seconds < kPassSeconds; wanted *= 2) {
    for (std::uint64_t seed = states.size() + 1; seed <= wanted; ++seed) {
      states.push_back(played(rules, empty, mix64(seed)));
    }
    best = ask_all(rules, states);
  }
  for (int i = 1; i < kPasses; ++i)
    best.seconds = std::min(best.seconds, ask_all(rules, states).seconds);
  const auto positions = static_cast<double>(states.size());
  const auto nodes = static_cast<double>(best.nodes);
  std::printf("%2d empty %12.0f ns/position %10.1f nodes/position %6.1f ns/node  won %.3f of %zu\n",
              empty, best.seconds / positions * 1e9, nodes / positions, best.seconds / nodes * 1e9,
              static_cast<double>(best.wins) / positions, states.size());
  std::fflush(stdout);
}

}  // namespace
}  // namespace playproof

int main() {
  for (int empty = 2; empty <= 16; ++empty) playproof::measure(empty);
}
