// Speed of the playouts on an accelerator, after a comparison with the CPU's engine: playouts a
// second end to end, two batches on their way at a time; by the device's own clock alone; and how
// long a lone batch takes. Without a device it prints no number. Needs nothing but the kernels: see
// bench/device_kit.
//
//   device_bench [--json] [--list] [--case NAME] [--seconds X] [--ways]
//   device_bench --hold     opens the first device and keeps it until the end of stdin, so that the
//                           driver need not start again for each program beside it
//
// With --ways lone batches of up to 1,000 leaves go each way that they fit, in turn: the one that
// takes the least time is what kernels/device/batch_ways.h should choose.
//
// With --json one object a line. The device's clock runs from before a batch to after it, so with
// its copies where there are any (kernels/device/batch_ways.h).
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "games/connect/entry.h"
#include "games/core/board_size.h"
#include "games/core/random_position.h"
#include "games/hex/entry.h"
#include "games/othello/rules.h"
#include "games/pgame/rules.h"
#include "kernels/device/device_info.h"
#include "kernels/device/playout_device.h"
#include "kernels/list.h"

namespace playproof {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr double kWarmSeconds = 0.05;
constexpr std::size_t kLeaves[] = {1, 10, 100, 1000, 4096, 65536};
constexpr std::size_t kMostLeaves = 65536;
constexpr std::uint32_t kPlayouts[] = {32, 64, 512};  // a leaf
constexpr std::size_t kMostLone = 201;                // batches whose times are kept

struct Options {
  bool json = false;
  bool list = false;
  bool hold = false;
  bool ways = false;
  std::string only;      // the case; all if empty
  double seconds = 0.3;  // a measurement
};

// What one size of batch reached.
struct Measured {
  std::uint64_t batches = 0;
  double rate = 0;         // playouts a second, end to end
  double device_rate = 0;  // and of the time that the device was busy with lone batches
  double lone = 0;         // median seconds of a lone batch, from submit to its tallies
  double lone_device = 0;  // mean seconds of the same batches on the device
};

// Leaves around ply `plies`; the start of the game if that is 0. Streams differ in any case.
template <Game G>
std::vector<LeafRequest<G>> make_leaves(const typename G::Rules& rules, int plies,
                                        std::size_t count, std::uint32_t playouts) {
  std::vector<LeafRequest<G>> leaves(count);
  for (std::size_t i = 0; i < count; ++i) {
    leaves[i].state = random_position<G>(rules, plies, i % 4096);
    leaves[i].key = {kSeed, mix64(G::key(rules, leaves[i].state) + i)};
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
  cpu_playouts<G>(best_simd_level(), rules, leaves, wanted.data());
  return tallies == wanted;
}

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// One batch after the other, none beside it. False if the device failed.
template <Game G>
bool play_alone(PlayoutDevice<G>& device, const std::vector<LeafRequest<G>>& leaves, double limit,
                Measured* measured) {
  std::vector<Tally> tallies(leaves.size());
  std::vector<double> times;
  const double busy = device.busy_seconds();
  const auto begin = Clock::now();
  do {
    const auto start = Clock::now();
    std::size_t slot = 0;
    if (failed(device.submit(leaves, &slot)) || failed(device.collect(slot, tallies))) return false;
    times.push_back(seconds_since(start));
  } while (seconds_since(begin) < limit && times.size() < kMostLone);
  const auto batches = static_cast<double>(times.size());
  measured->lone_device = (device.busy_seconds() - busy) / batches;
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  measured->lone = *middle;
  return true;
}

// Two batches on their way at any time. False if the device failed.
template <Game G>
bool play_in_turn(PlayoutDevice<G>& device, const std::vector<LeafRequest<G>>& leaves, double limit,
                  Measured* measured) {
  std::vector<Tally> tallies(leaves.size());
  std::size_t slots[2] = {};
  const auto begin = Clock::now();
  double seconds = 0;
  std::uint64_t batches = 0;
  if (failed(device.submit(leaves, &slots[0]))) return false;
  for (; seconds < limit || batches == 0; ++batches) {
    if (failed(device.submit(leaves, &slots[(batches + 1) % 2]))) return false;
    if (failed(device.collect(slots[batches % 2], tallies))) return false;
    seconds = seconds_since(begin);
  }
  if (failed(device.collect(slots[batches % 2], tallies))) return false;
  measured->batches = batches;
  measured->rate = static_cast<double>(leaves.size()) * leaves[0].playouts *
                   static_cast<double>(batches) / seconds;
  return true;
}

template <Game G>
bool measure(PlayoutDevice<G>& device, const std::vector<LeafRequest<G>>& leaves, double seconds,
             Measured* measured) {
  if (!play_alone<G>(device, leaves, kWarmSeconds, measured) ||
      !play_alone<G>(device, leaves, seconds, measured) ||
      !play_in_turn<G>(device, leaves, seconds, measured)) {
    return false;
  }
  if (measured->lone_device > 0) {
    measured->device_rate =
        static_cast<double>(leaves.size()) * leaves[0].playouts / measured->lone_device;
  }
  return true;
}

void print(const Options& options, const std::string& name, const std::string& device, int plies,
           std::size_t leaves, std::uint32_t playouts, const Measured& measured) {
  if (!options.json) {
    std::printf(
        "%-15s ply %3d %6zu x %3u playouts %10.4g/s, device alone %10.4g/s, lone batch %9.2f us, "
        "device %9.2f us\n",
        name.c_str(), plies, leaves, playouts, measured.rate, measured.device_rate,
        measured.lone * 1e6, measured.lone_device * 1e6);
  } else {
    std::printf(
        "{\"case\":\"%s\",\"ply\":%d,\"device\":\"%s\",\"leaves\":%zu,\"playouts_per_leaf\":%u,"
        "\"batches\":%llu,\"playouts_per_second\":%.6g,\"device_playouts_per_second\":%.6g,"
        "\"lone_seconds\":%.6g,\"lone_device_seconds\":%.6g}\n",
        name.c_str(), plies, device.c_str(), leaves, playouts,
        static_cast<unsigned long long>(measured.batches), measured.rate, measured.device_rate,
        measured.lone, measured.lone_device);
  }
  std::fflush(stdout);
}

struct NamedWay {
  BatchWay way;
  const char* name;
};
constexpr NamedWay kWays[] = {{BatchWay::kMapped, "mapped"},
                              {BatchWay::kParameters, "parameters"},
                              {BatchWay::kCopied, "copied"}};
// 230, 440, 570 and 660 are a little less than what one game or another has room for in parameters.
constexpr std::size_t kFewLeaves[] = {1, 10, 30, 100, 200, 230, 440, 570, 660, 1000};
constexpr std::uint32_t kFewPlayouts[] = {32, 512};

void print_way(const Options& options, const std::string& name, const std::string& device,
               std::size_t leaves, std::uint32_t playouts, const char* way,
               const Measured& measured) {
  if (!options.json) {
    std::printf("%-15s %6zu x %3u playouts, %-10s: lone batch %9.2f us, device %9.2f us\n",
                name.c_str(), leaves, playouts, way, measured.lone * 1e6,
                measured.lone_device * 1e6);
  } else {
    std::printf(
        "{\"case\":\"%s\",\"device\":\"%s\",\"leaves\":%zu,\"playouts_per_leaf\":%u,\"way\":\"%s\","
        "\"lone_seconds\":%.6g,\"lone_device_seconds\":%.6g}\n",
        name.c_str(), device.c_str(), leaves, playouts, way, measured.lone, measured.lone_device);
  }
}

// Lone batches by each way, in rounds, so that a clock that changes changes it for all.
template <Game G>
bool compare_ways(const Options& options, const std::string& name, PlayoutDevice<G>& device,
                  const std::vector<LeafRequest<G>>& leaves) {
  constexpr int kRounds = 3;
  constexpr std::size_t kCount = std::size(kWays);
  std::vector<Measured> found[kCount];
  for (int round = 0; round <= kRounds; ++round) {
    for (std::size_t w = 0; w < kCount; ++w) {
      if (!fits<G>(kWays[w].way, leaves.size())) continue;
      device.go(kWays[w].way);
      Measured measured;
      if (!play_alone<G>(device, leaves, options.seconds / kRounds, &measured)) return false;
      if (round > 0) found[w].push_back(measured);  // the first one warms up
    }
  }
  device.go({});
  for (std::size_t w = 0; w < kCount; ++w) {
    if (found[w].empty()) continue;
    std::sort(found[w].begin(), found[w].end(),
              [](const Measured& a, const Measured& b) { return a.lone < b.lone; });
    const Measured& middle = found[w][kRounds / 2];
    print_way(options, name, device.name(), leaves.size(), leaves[0].playouts, kWays[w].name,
              middle);
  }
  std::fflush(stdout);
  return true;
}

template <Game G>
bool bench_ways(const Options& options, const std::string& name, const typename G::Rules& rules,
                int plies, PlayoutDevice<G>& device) {
  for (const std::uint32_t playouts : kFewPlayouts) {
    for (const std::size_t count : kFewLeaves) {
      const auto leaves = make_leaves<G>(rules, plies, count, playouts);
      if (!compare_ways<G>(options, name, device, leaves)) return false;
    }
  }
  return true;
}

template <Game G>
bool bench(const Options& options, const std::string& name, const typename G::Rules& rules,
           int plies = 0) {
  if (options.list) std::printf("%s\n", name.c_str());
  if (options.list || (!options.only.empty() && options.only != name)) return true;
  std::unique_ptr<PlayoutDevice<G>> device;
  if (failed(open_playout_device<G>(0, rules, &device))) return false;
  if (!equals_cpu<G>(*device, rules, make_leaves<G>(rules, plies, 300, 100))) {
    std::printf("%s: the device's tallies are not those of the CPU\n", name.c_str());
    return false;
  }
  // Batches are so large here that a warp plays several words, as it does in what is timed below.
  if (std::is_same_v<G, PGame> &&
      !equals_cpu<G>(*device, rules, make_leaves<G>(rules, plies, 4096, 4096))) {
    std::printf("%s: the tallies of large batches are not those of the CPU\n", name.c_str());
    return false;
  }
  if (options.ways) return bench_ways<G>(options, name, rules, plies, *device);
  for (const std::uint32_t playouts : kPlayouts) {
    const auto all = make_leaves<G>(rules, plies, kMostLeaves, playouts);
    for (const std::size_t count : kLeaves) {
      const std::vector<LeafRequest<G>> leaves(all.begin(),
                                               all.begin() + static_cast<std::ptrdiff_t>(count));
      Measured measured;
      if (!measure<G>(*device, leaves, options.seconds, &measured)) return false;
      print(options, name, device->name(), plies, count, playouts, measured);
    }
  }
  return true;
}

// The list of games chooses the kernel that plays such boards.
bool bench_hex(const Options& options, const std::string& name, int side, int plies = 0) {
  return HexEntry::visit(BoardSize{side, side}, [&]<class G>() {
    return bench<G>(options, name, G::make_rules(side, side), plies);
  });
}

bool bench_all(const Options& options) {
  const auto othello = Othello::make_rules(8);
  const auto connect6 = Connect<6>::make_rules(19, 19, 6, 2);
  PGame::Rules wide;
  wide.branching = 8;
  wide.depth = 8;
  return bench<PGame>(options, "pgame-2x20", {}) && bench<PGame>(options, "pgame-8x8", wide) &&
         bench_hex(options, "hex-8", 8) && bench_hex(options, "hex-11", 11) &&
         bench_hex(options, "hex-11-ply-40", 11, 40) && bench_hex(options, "hex-13", 13) &&
         bench_hex(options, "hex-14", 14) && bench_hex(options, "hex-19", 19) &&
         bench<Othello>(options, "othello-8", othello) &&
         bench<Othello>(options, "othello-8-ply-30", othello, 30) &&
         bench<Connect<6>>(options, "connect6-19", connect6) &&
         bench<Connect<6>>(options, "connect6-19-ply-61", connect6, 61);
}

// Why there is nothing to measure; null if there is.
const char* reason_not_to(const std::vector<DeviceInfo>& devices) {
  if (devices.empty()) return "no device on this machine";
  // The tests' stand-in for a device has no speed worth a number.
  if (devices[0].name == kEmulatedDevice) return "the device is emulated";
  return nullptr;
}

bool read_options(int count, char** words, Options* options) {
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--json") {
      options->json = true;
    } else if (word == "--list") {
      options->list = true;
    } else if (word == "--hold") {
      options->hold = true;
    } else if (word == "--ways") {
      options->ways = true;
    } else if (word == "--case" && i + 1 < count) {
      options->only = words[++i];
    } else if (word == "--seconds" && i + 1 < count) {
      options->seconds = std::atof(words[++i]);
    } else {
      std::fprintf(stderr,
                   "usage: device_bench [--json] [--list] [--case NAME] [--seconds X] [--ways] | "
                   "--hold\n");
      return false;
    }
  }
  return true;
}

int hold() {
  std::unique_ptr<PlayoutDevice<PGame>> device;
  if (failed(open_playout_device<PGame>(0, PGame::Rules{}, &device))) return 69;
  while (std::getchar() != EOF) continue;
  return 0;
}

int run(int count, char** words) {
  Options options;
  if (!read_options(count, words, &options)) return 64;
  if (options.hold) return hold();
  if (options.list) return bench_all(options) ? 0 : 1;
  const std::vector<DeviceInfo> devices = list_devices();
  const char* reason = reason_not_to(devices);
  if (reason != nullptr) {
    std::printf(
        options.json ? "{\"measured\":false,\"reason\":\"%s\"}\n" : "%s: nothing is measured\n",
        reason);
    return 0;
  }
  if (!options.json) {
    std::printf("%s, %d multiprocessors, %d MHz at most\n", devices[0].name.c_str(),
                devices[0].multiprocessors, devices[0].clock_khz / 1000);
  }
  return bench_all(options) ? 0 : 1;
}

}  // namespace
}  // namespace playproof

int main(int count, char** words) { return playproof::run(count, words); }
