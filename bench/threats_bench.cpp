// Victory by continuous double threats on positions with known shortest wins: seconds of the
// processor by length, best of some repeats, pairs of stones tested a second, and the walk of the
// proofs with their zones. Ends with status 1 if a length differs from the file's.
//
// usage: threats_bench tests/data/connect6-vcdt-win.txt [repeats]
//        (cmake --build build --target threats_bench)
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "games/connect/race_zone.h"
#include "games/connect/text.h"
#include "games/connect/vcdt.h"

namespace playproof {
namespace {

using Game = Connect<6>;

double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Times {
  std::vector<double> searches;
  std::vector<double> walks;
};

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

template <class F>
double best_of(int repeats, F&& f) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repeats; ++i) {
    const double begin = cpu_seconds();
    f();
    best = std::min(best, cpu_seconds() - begin);
  }
  return best;
}

int run(const char* file, int repeats) {
  const auto rules = Game::make_rules(19, 19, 6, 2);
  const auto windows = std::make_unique<ConnectWindows<6>>(rules);
  const auto search = std::make_unique<Vcdt<6>>(*windows);
  VcdtOptions options;
  options.shortest = true;
  options.turns = 12;
  options.work = std::numeric_limits<std::uint64_t>::max() / 2;
  std::map<int, Times> by_turns;
  double seconds = 0;
  std::uint64_t pairs = 0;
  int wrong = 0;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t bar = line.find(" | ");  // stones | side | turns
    const auto state = GameText<Game>::parse(rules, line.substr(0, bar));
    const int turns = std::atoi(line.c_str() + bar + 7);
    const int attacker = static_cast<int>(Game::to_move(rules, state));
    const ConnectThreats<6> position(*windows, state);
    VcdtAnswer answer;
    const double took =
        best_of(repeats, [&] { answer = search->solve(position, attacker, 2, options); });
    const RaceProof proof = search->proof();
    RaceWalk<6> walk;
    bool walked = false;
    const double walking =
        best_of(repeats, [&] { walked = walk.walk(position, attacker, 2, proof).has_value(); });
    by_turns[turns].searches.push_back(took);
    by_turns[turns].walks.push_back(walking);
    seconds += took;
    pairs += answer.work;
    if (answer.turns != turns || !walked) {
      ++wrong;
      std::printf("wrong: %s\n", line.c_str());
    }
  }
  for (const auto& [turns, times] : by_turns) {
    std::printf("%d turns: median %.3f ms, most %.3f ms; walk with zones %.4f ms\n", turns,
                1e3 * median(times.searches), 1e3 * std::ranges::max(times.searches),
                1e3 * median(times.walks));
  }
  if (seconds > 0) {
    std::printf("all: %.4f s, %.1f million pairs a second\n", seconds,
                1e-6 * static_cast<double>(pairs) / seconds);
  }
  return wrong == 0 && !by_turns.empty() ? 0 : 1;
}

}  // namespace
}  // namespace playproof

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: threats_bench FILE [repeats]\n");
    return 2;
  }
  return playproof::run(argv[1], argc > 2 ? std::atoi(argv[2]) : 5);
}
