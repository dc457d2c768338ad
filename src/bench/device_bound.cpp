#include "src/bench/device_bound.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "games/core/spec.h"
#include "games/list.h"
#include "games/loa/rules.h"
#include "games/pgame/rules.h"
#include "kernels/common/random_words.h"

namespace playproof {
namespace {

constexpr double kPerCycle = 64;  // integer instructions a cycle and multiprocessor, sm_80 to sm_90

// Integer instructions of our kernels, from tests/golden/device-resources.txt (sm_90): a test
// compares.
constexpr double kHex11Word = 3320;     // HexCore<2,11>, word of empty boards
constexpr double kOthelloPly = 2711;    // OthelloCore<8>, ply of a word
constexpr double kPGameWord = 413;      // play_pgame, word of 20 plies
constexpr double kPGamePlies = 60;      // play_pgame, 4 plies
constexpr double kLoaBytes = 2533;      // play_loa, 16 bytes
constexpr double kOthelloPlies = 66.5;  // until the last of 1,024 games ends

constexpr double kIssued = 4;  // instructions of warps a cycle and multiprocessor

// Instructions of a warp for an iteration of each of its 32 trees, P-games of 2 branches and 20
// plies, from tests/golden/search-resources.txt (sm_90, "of a warp"): a test compares.
constexpr double kPnTurn = 2216;
constexpr double kPpnTurn = 13687;  // 10 playouts

// A lane's playout of so many plies: the plies, and what a word takes besides, once for each 32
// random bits.
double pgame_instructions(std::uint32_t branching, std::uint32_t depth) {
  const std::uint32_t plies = kLanes / static_cast<std::uint32_t>(std::bit_width(branching - 1));
  const std::uint32_t words = (depth + plies - 1) / plies;
  return words * (kPGameWord - 20 * kPGamePlies / 4) + depth * kPGamePlies / 4;
}

// Blocks of bytes until the last of a warp's 32 games from the start of Lines of Action ends.
constexpr double kLoaBlocks = 49.7;

// The instructions of a playout from the start.
std::optional<double> instructions(const std::string& game) {
  if (game == "hex:size=11") return kHex11Word / kLanes;
  if (game == "othello:size=8") return kOthelloPly * kOthelloPlies / kLanes;
  std::optional<double> found;
  visit_game(game, [&]<class G>(const typename G::Rules& rules) {
    if constexpr (std::is_same_v<G, Loa>) {
      if (rules.size == Loa::kMaxSize) found = kLoaBlocks * kLoaBytes;
    }
    if constexpr (std::is_same_v<G, PGame>) {
      // Others take random words of their own, which were not counted.
      if (std::has_single_bit(rules.branching)) {
        found = pgame_instructions(rules.branching, rules.depth);
      }
    }
  });
  return found;
}

std::optional<double> search_instructions(const std::string& game, const Spec& algorithm) {
  bool counted = false;
  visit_game(game, [&]<class G>(const typename G::Rules& rules) {
    if constexpr (std::is_same_v<G, PGame>) counted = rules.branching == 2 && rules.depth == 20;
  });
  if (!counted) return std::nullopt;
  const auto is = [&](const char* key, const char* value) {
    return std::ranges::find(algorithm.options, std::pair<std::string, std::string>(key, value)) !=
           algorithm.options.end();
  };
  if (algorithm.name == "pn" && is("leaf", "unit")) return kPnTurn;
  if (algorithm.name == "ppn" && is("playouts", "10")) return kPpnTurn;
  return std::nullopt;
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

std::optional<double> search_bound(const std::string& game, const std::string& algorithm,
                                   const DeviceInfo& device) {
  const std::optional<double> needed = search_instructions(game, parse_spec(algorithm));
  if (!needed) return std::nullopt;
  return kIssued * device.multiprocessors * device.clock_khz * 1e3 * kLanes / *needed;
}

}  // namespace playproof
