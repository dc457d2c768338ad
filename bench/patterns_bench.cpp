// What it takes to ask about a position among many patterns (host/zone/patterns.h): nanoseconds a
// look-up, the median of many groups. Patterns and positions are drawn: stones of both on a share
// of the board that is drawn, too, a pattern's zone about a third of the cells of one such
// position, half of its stones needed.
//
// usage: patterns_bench   (cmake --build build --target patterns_bench)
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <vector>

#include "host/zone/patterns.h"

namespace playproof {
namespace {

constexpr int kPositions = 256;
constexpr int kGroups = 101;

struct Position {
  CellSet<1> own, other;
};

class Draw {
 public:
  explicit Draw(int cells) : cells_(cells) {}
  Position position() {
    Position drawn;
    const unsigned stones = 64 + random_() % 128;  // of 256 cells
    for (int c = 0; c < cells_; ++c) {
      if (random_() % 256 >= stones) continue;
      (random_() % 2 == 0 ? drawn.own : drawn.other).add(c);
    }
    return drawn;
  }
  CellSet<1> half(const CellSet<1>& of) {
    CellSet<1> some;
    for_each_cell(of, [&](int c) {
      if (random_() % 2 == 0) some.add(c);
    });
    return some;
  }

 private:
  int cells_;
  std::mt19937 random_{1};
};

void measure(std::size_t patterns, int cells, int short_of) {
  Draw draw(cells);
  PatternRing<1> ring(patterns, cells);
  const CellSet<1> board = CellSet<1>::all(cells);
  for (std::size_t i = 0; i < patterns; ++i) {
    const Position at = draw.position();
    const CellSet<1> needed = draw.half(at.own);
    ring.add(needed, needed | draw.half(board - at.own - at.other));
  }
  std::vector<Position> positions;
  positions.reserve(kPositions);
  for (int i = 0; i < kPositions; ++i) positions.push_back(draw.position());
  std::vector<double> times;
  std::size_t matches = 0;
  for (int group = 0; group < kGroups; ++group) {
    const auto begin = std::chrono::steady_clock::now();
    for (const Position& at : positions) {
      ring.for_each_match(at.own, at.other, short_of, [&](std::size_t) {
        ++matches;
        return false;
      });
    }
    const std::chrono::duration<double, std::nano> elapsed =
        std::chrono::steady_clock::now() - begin;
    times.push_back(elapsed.count() / kPositions);
  }
  std::nth_element(times.begin(), times.begin() + kGroups / 2, times.end());
  std::printf("%8zu %6d %9d %9.1f %9.3f\n", patterns, cells, short_of, times[kGroups / 2],
              static_cast<double>(matches) / kGroups / kPositions);
}

}  // namespace
}  // namespace playproof

int main() {
  std::printf("patterns  cells  short of        ns   matches\n");
  for (const int cells : {25, 36, 49, 64}) {
    for (const std::size_t patterns : {64, 1024, 16384}) {
      for (const int short_of : {0, 1}) playproof::measure(patterns, cells, short_of);
    }
  }
}
