#include "src/bench/device_bound.h"

#include <type_traits>

#include "games/list.h"
#include "games/pgame/rules.h"

namespace playproof {
namespace {

constexpr double kPerCycle = 64;  // integer instructions a cycle and multiprocessor, sm_80 to sm_90

// Counted in compiled kernels of the designs that we use, a playout:
constexpr double kHex11 = 90;           // 2,872 for 32 boards of 11 x 11 cells
constexpr double kOthelloPly = 82.5;    // 2,639 for 32 boards of 8 x 8 squares
constexpr double kOthelloPlies = 66.5;  // until the last of 1,024 games ends
constexpr double kPGamePly = 17;        // the hash of the path alone

std::optional<double> instructions(const std::string& game) {
  if (game == "hex:size=11") return kHex11;
  if (game == "othello:size=8") return kOthelloPly * kOthelloPlies;
  std::optional<double> found;
  visit_game(game, [&]<class G>(const typename G::Rules& rules) {
    if constexpr (std::is_same_v<G, PGame>) found = kPGamePly * rules.depth;
  });
  return found;
}

}  // namespace

std::optional<DeviceInfo> find_device(const std::string& name) {
  for (const DeviceInfo& device : list_devices()) {
    if (device.name == name) return device;
  }
  return std::nullopt;
}

std::optional<double> playout_bound(const std::string& game, const DeviceInfo& device) {
  const std::optional<double> needed = instructions(game);
  if (!needed) return std::nullopt;
  return kPerCycle * device.multiprocessors * device.clock_khz * 1e3 / *needed;
}

}  // namespace playproof
