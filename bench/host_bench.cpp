// The host's time a batch, without a device: what a feeder does from the requests of its searches
// to their tallies, over a device that does nothing. The least it can be: calls of the driver are
// not in it, nor is memory that the caches do not have.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "games/connect/rules.h"
#include "games/hex/rules.h"
#include "games/othello/rules.h"
#include "games/pgame/rules.h"
#include "host/playouts/backends/cuda.h"
#include "kernels/device/device_batches.h"
#include "tests/kernels/positions.h"

namespace playproof {
namespace {

// A slot with memory of the host, and no playout won.
template <class G>
class IdleSlot {
 public:
  DeviceError reserve(std::size_t requests) {
    if (requests > requests_.size()) {
      requests_.resize(requests);
      ends_.resize(requests);
      counts_.resize(requests);
    }
    return {};
  }
  LeafRequest<G>* requests() { return requests_.data(); }
  std::uint64_t* ends() { return ends_.data(); }
  DeviceError start(std::size_t, std::uint64_t) { return {}; }
  DeviceError finish(BatchTime* time) {
    *time = {};
    return {};
  }
  const WordCounts* counts() const { return counts_.data(); }
  void drain() {}

 private:
  std::vector<LeafRequest<G>> requests_;
  std::vector<std::uint64_t> ends_;
  std::vector<WordCounts> counts_;
};

// Seconds of one call; the median of many groups.
template <class Work>
double time_of(const Work& work) {
  using Clock = std::chrono::steady_clock;
  constexpr int kGroups = 101;
  std::vector<double> times;
  for (int group = 0; group < kGroups; ++group) {
    int calls = 0;
    std::chrono::duration<double> elapsed{};
    const auto begin = Clock::now();
    do {
      for (int i = 0; i < 16; ++i) work();
      calls += 16;
      elapsed = Clock::now() - begin;
    } while (elapsed.count() < 1e-3);
    times.push_back(elapsed.count() / calls);
  }
  std::nth_element(times.begin(), times.begin() + kGroups / 2, times.end());
  return times[kGroups / 2];
}

template <Game G>
void measure(const std::string& name, const typename G::Rules& rules) {
  const auto states = random_positions<G>(rules, 64, 3);
  for (const std::size_t size : {1u, 10u, 100u, 1000u}) {
    std::vector<LeafRequest<G>> leaves;
    for (std::size_t i = 0; i < size; ++i) {
      leaves.push_back(request_of<G>(rules, states[i % 64], 0, 64, i));
    }
    auto slot = [] { return std::make_unique<IdleSlot<G>>(); };
    CudaEvaluator<G> evaluator(
        std::make_unique<DeviceBatches<G, IdleSlot<G>>>(rules, "nothing", slot), "nothing");
    std::vector<Tally> tallies(size);
    const double whole = time_of([&] { evaluator.collect(evaluator.submit(leaves), tallies); });
    std::vector<LeafRequest<G>> staged(size);
    const double staging = time_of([&] {
      std::copy(leaves.begin(), leaves.end(), staged.begin());
      asm volatile("" : : "r"(staged.data()) : "memory");
    });
    std::printf("%-12s %5zu leaves x 64 %8.2f us/batch %8.2f us to copy the requests alone\n",
                name.c_str(), size, 1e6 * whole, 1e6 * staging);
    std::fflush(stdout);
  }
}

void measure_all() {
  measure<Hex<2>>("hex 11x11", Hex<2>::make_rules(11, 11));
  measure<Othello>("othello 8x8", Othello::make_rules(8));
  measure<Connect<6>>("connect6", Connect<6>::make_rules(19, 19, 6, 2));
  measure<PGame>("p-game 2x20", PGame::Rules{});
}

}  // namespace
}  // namespace playproof

int main() {
  playproof::measure_all();
  return 0;
}
