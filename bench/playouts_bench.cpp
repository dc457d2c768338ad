// Speed of the CPU's playout engines, in CPU time of one core, median of several runs: nanoseconds
// a leaf and playouts a second. `playouts_bench` prints a table; see bench/README.md.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "kernels/list.h"

namespace playproof {
namespace {

constexpr double kRunSeconds = 0.1;
constexpr int kRuns = 7;

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Median seconds of a call; the argument counts the calls.
double time_of(const std::function<void(std::uint64_t)>& call) {
  std::uint64_t calls = 1;
  std::uint64_t number = 0;
  std::vector<double> runs;
  while (runs.size() < kRuns) {
    const double begin = cpu_seconds();
    for (std::uint64_t i = 0; i < calls; ++i) call(number++);
    const double seconds = cpu_seconds() - begin;
    if (seconds < kRunSeconds / 2) {
      calls *= 2;
    } else {
      runs.push_back(seconds / static_cast<double>(calls));
    }
  }
  std::nth_element(runs.begin(), runs.begin() + kRuns / 2, runs.end());
  return runs[kRuns / 2];
}

template <Game G>
using Engine = std::function<Tally(const typename G::Rules&, const LeafRequest<G>&)>;

template <Game G>
void measure(const std::string& name, const typename G::Rules& rules,
             const typename G::State& state, const Engine<G>& engine) {
  for (const std::uint32_t playouts : {10u, 32u, 512u}) {
    std::uint64_t wins = 0;  // printed, so that no call can be left out
    std::uint64_t leaves = 0;
    const double seconds = time_of([&](std::uint64_t number) {
      LeafRequest<G> request;
      request.state = state;
      request.key = {1, mix64(number)};
      request.playouts = playouts;
      wins += engine(rules, request).wins;
      ++leaves;
    });
    std::printf("%-28s %5u playouts %12.1f ns/leaf %9.3f M playouts/s  wins %.4f\n", name.c_str(),
                playouts, seconds * 1e9, playouts / seconds / 1e6,
                static_cast<double>(wins) / static_cast<double>(leaves * playouts));
    std::fflush(stdout);
  }
}

// The engine `cpu` at every level of instructions, then `scalar`.
template <Game G>
void measure(const std::string& name, const typename G::Rules& rules,
             const typename G::State& state) {
  for (const SimdLevel level : simd_levels()) {
    measure<G>(name + ", " + to_string(level), rules, state,
               [level](const typename G::Rules& r, const LeafRequest<G>& request) {
                 Tally tally;
                 cpu_playouts<G>(level, r, std::span(&request, 1), &tally);
                 return tally;
               });
  }
  measure<G>(name + ", scalar", rules, state, scalar_playouts<G>);
}

template <Game G>
void measure(const std::string& name, const typename G::Rules& rules) {
  measure<G>(name, rules, G::initial(rules));
}

// Plays from the node after branches 0 0 0 ..., `plies` above the end.
void measure_pgame(int branching, int depth, int plies) {
  PGame::Rules rules;
  rules.branching = static_cast<std::uint8_t>(branching);
  rules.depth = static_cast<std::uint8_t>(depth);
  PGame::State state = PGame::initial(rules);
  while (PGame::max_plies_left(rules, state) > plies) PGame::play(rules, state, 0);
  const std::string name =
      std::string("pgame B=") + std::to_string(branching) + ", " + std::to_string(plies) + " plies";
  measure<PGame>(name, rules, state);
}

void measure_all() {
  measure_pgame(2, 20, 20);
  measure_pgame(2, 20, 10);
  measure_pgame(8, 8, 4);
  measure_pgame(5, 8, 4);
  measure<Hex<1>>("hex 4x4", Hex<1>::make_rules(4, 4));
  measure<Hex<2>>("hex 11x11", Hex<2>::make_rules(11, 11));
  measure<Hex<6>>("hex 19x19", Hex<6>::make_rules(19, 19));
  measure<Othello>("othello 8x8", Othello::make_rules(8));
  measure<Loa>("loa 8x8", Loa::make_rules(8, PathRule::kThirdDraws, false));
  measure<Connect<6>>("connect6 19x19", Connect<6>::make_rules(19, 19, 6, 2));
}

}  // namespace
}  // namespace playproof

int main() { playproof::measure_all(); }
