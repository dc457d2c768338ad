// Speed of the playouts on an accelerator: playouts a second over the size of the batches, two of
// them on their way at a time, after a comparison with the CPU's engine. Prints a table; without a
// device it says so. Needs nothing but the kernels: see bench/device_kit.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "games/connect/rules.h"
#include "games/core/random_position.h"
#include "games/hex/rules.h"
#include "games/othello/rules.h"
#include "games/pgame/rules.h"
#include "kernels/device/device_info.h"
#include "kernels/device/playout_device.h"
#include "kernels/list.h"

namespace playproof {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr double kRunSeconds = 0.3;
constexpr std::uint32_t kPlayouts[] = {32, 512, 32768};  // a leaf
constexpr std::size_t kMostLeaves = std::size_t{1} << 16;
constexpr std::uint64_t kMostPlayouts = std::uint64_t{1} << 27;  // a batch

// Leaves around ply `plies`; the start of the game if that is 0. Streams differ in any case.
template <Game G>
std::vector<LeafRequest<G>> make_leaves(const typename G::Rules& rules, int plies,
                                        std::size_t count, std::uint32_t playouts) {
  std::vector<LeafRequest<G>> leaves(count);
  for (std::size_t i = 0; i < count; ++i) {
    leaves[i].state = random_position<G>(rules, plies, i % 4096);
    leaves[i].stream = mix64(G::key(rules, leaves[i].state) + i);
    leaves[i].playouts = playouts;
  }
  return leaves;
}

[[nodiscard]] bool failed(const DeviceError& error) {
  if (error) std::printf("%s: %s (%d)\n", error.call, error.text, error.code);
  return static_cast<bool>(error);
}

template <Game G>
bool equals_cpu(PlayoutDevice<G>& device, const typename G::Rules& rules,
                const std::vector<LeafRequest<G>>& leaves) {
  std::size_t slot = 0;
  std::vector<Tally> tallies(leaves.size());
  std::vector<Tally> wanted(leaves.size());
  if (failed(device.submit(leaves, &slot)) || failed(device.collect(slot, tallies))) return false;
  cpu_playouts<G>(best_simd_level(), rules, kSeed, leaves, wanted.data());
  return tallies == wanted;
}

// Playouts a second; 0 if the device failed.
template <Game G>
double measure(PlayoutDevice<G>& device, const std::vector<LeafRequest<G>>& leaves) {
  using Clock = std::chrono::steady_clock;
  std::vector<Tally> tallies(leaves.size());
  std::size_t slots[2] = {};
  if (failed(device.submit(leaves, &slots[0])) || failed(device.collect(slots[0], tallies))) {
    return 0;
  }
  const auto begin = Clock::now();
  double seconds = 0;
  std::uint64_t batches = 0;
  if (failed(device.submit(leaves, &slots[0]))) return 0;
  for (; seconds < kRunSeconds; ++batches) {
    if (failed(device.submit(leaves, &slots[(batches + 1) % 2]))) return 0;
    if (failed(device.collect(slots[batches % 2], tallies))) return 0;
    seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  }
  if (failed(device.collect(slots[batches % 2], tallies))) return 0;
  const auto playouts = static_cast<double>(leaves.size()) * leaves[0].playouts;
  return playouts * static_cast<double>(batches) / seconds;
}

template <Game G>
bool bench(const std::string& name, const typename G::Rules& rules, int plies) {
  std::unique_ptr<PlayoutDevice<G>> device;
  if (failed(open_playout_device<G>(0, rules, kSeed, &device))) return false;
  if (!equals_cpu<G>(*device, rules, make_leaves<G>(rules, plies, 300, 100))) {
    std::printf("%s: the device's tallies are not those of the CPU\n", name.c_str());
    return false;
  }
  // So large that a warp plays several words, as it does in what is timed below.
  if (std::is_same_v<G, PGame> &&
      !equals_cpu<G>(*device, rules, make_leaves<G>(rules, plies, 4096, 4096))) {
    std::printf("%s: the tallies of large batches are not those of the CPU\n", name.c_str());
    return false;
  }
  for (const std::uint32_t playouts : kPlayouts) {
    const auto all = make_leaves<G>(rules, plies, kMostLeaves, playouts);
    for (std::size_t count = 16; count <= kMostLeaves && count * playouts <= kMostPlayouts;
         count *= 8) {
      const std::vector<LeafRequest<G>> leaves(all.begin(),
                                               all.begin() + static_cast<std::ptrdiff_t>(count));
      const double rate = measure<G>(*device, leaves);
      if (rate == 0) return false;
      std::printf("%-20s ply %3d %6zu leaves x %3u playouts %12.4g playouts/s\n", name.c_str(),
                  plies, count, playouts, rate);
    }
  }
  return true;
}

bool bench_all() {
  const auto hex11 = Hex<6>::make_rules(11, 11);
  const auto othello = Othello::make_rules(8);
  const auto connect6 = Connect<6>::make_rules(19, 19, 6, 2);
  return bench<PGame>("pgame 2 x 20", {}, 0) && bench<Hex<6>>("hex 11x11", hex11, 0) &&
         bench<Hex<6>>("hex 11x11", hex11, 40) &&
         bench<Hex<1>>("hex 8x8", Hex<1>::make_rules(8, 8), 0) &&
         bench<Hex<6>>("hex 19x19", Hex<6>::make_rules(19, 19), 0) &&
         bench<Othello>("othello 8x8", othello, 0) && bench<Othello>("othello 8x8", othello, 30) &&
         bench<Connect<6>>("connect6 19x19", connect6, 0) &&
         bench<Connect<6>>("connect6 19x19", connect6, 61);
}

}  // namespace
}  // namespace playproof

int main() {
  const std::vector<playproof::DeviceInfo> devices = playproof::list_devices();
  if (devices.empty() || devices[0].name == playproof::kEmulatedDevice) {
    std::printf("no device on this machine: nothing is measured\n");
    return 0;
  }
  std::printf("%s, %d multiprocessors, %d MHz at most\n", devices[0].name.c_str(),
              devices[0].multiprocessors, devices[0].clock_khz / 1000);
  return playproof::bench_all() ? 0 : 1;
}
