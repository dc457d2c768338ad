// Accelerators, on machines with and without one.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "games/connect/rules.h"
#include "games/hex/rules.h"
#include "games/othello/rules.h"
#include "games/pgame/rules.h"
#include "kernels/common/cpu_playouts.h"
#include "kernels/common/reference_playouts.h"
#include "kernels/device/device_info.h"
#include "kernels/device/playout_device.h"
#include "kernels/list.h"
#include "kernels/pgame/values.h"
#include "tests/kernels/positions.h"

namespace playproof {
namespace {

TEST(Devices, AreListedWithoutFail) {
  const std::vector<DeviceInfo> devices = list_devices();
  EXPECT_TRUE(cuda_built() || devices.empty());
  for (const DeviceInfo& device : devices) {
    EXPECT_FALSE(device.name.empty());
    EXPECT_GE(device.major, 7);
    EXPECT_GT(device.multiprocessors, 0);
    EXPECT_GT(device.memory_bytes, 1u << 30);
  }
}

template <Game G>
void expect_opens_only_if_listed(const typename G::Rules& rules) {
  const int count = static_cast<int>(list_devices().size());
  for (const int ordinal : {-1, 0, count, count + 1}) {
    std::unique_ptr<PlayoutDevice<G>> device;
    const DeviceError error = open_playout_device<G>(ordinal, rules, 1, &device);
    const bool listed = ordinal >= 0 && ordinal < count;
    EXPECT_EQ(static_cast<bool>(error), !listed) << ordinal;
    EXPECT_EQ(device != nullptr, listed) << ordinal;
    EXPECT_EQ(error.code == 0, *error.text == '\0');
    EXPECT_EQ(error.code == DeviceError::kNotBuilt, !cuda_built());
  }
}

TEST(Devices, OpenOnlyIfListed) {
  expect_opens_only_if_listed<PGame>({});
  expect_opens_only_if_listed<Hex<1>>(Hex<1>::make_rules(4, 4));
  expect_opens_only_if_listed<Hex<6>>(Hex<6>::make_rules(11, 11));
  expect_opens_only_if_listed<Othello>(Othello::make_rules(8));
  expect_opens_only_if_listed<Connect<1>>(Connect<1>::make_rules(7, 7, 4, 1));
  expect_opens_only_if_listed<Connect<6>>(Connect<6>::make_rules(19, 19, 6, 2));
}

// Batches of many sizes, all on their way at once, and collected backwards.
template <Game G>
void expect_device(const typename G::Rules& rules) {
  constexpr std::uint64_t kSeed = 3;
  std::unique_ptr<PlayoutDevice<G>> device;
  ASSERT_FALSE(open_playout_device<G>(0, rules, kSeed, &device));
  const auto states = random_positions<G>(rules, 40, 8);
  std::vector<std::size_t> slots;
  std::vector<std::vector<LeafRequest<G>>> batches;
  for (const std::uint32_t size : {0u, 1u, 31u, 32u, 33u, 65u, 1024u}) {
    std::vector<LeafRequest<G>> batch;
    for (std::uint32_t i = 0; i < size; ++i) {
      const std::uint32_t n = i == 20 ? 10000 : i % 7 == 3 ? 512 : i % 100;
      batch.push_back(request_of<G>(rules, states[i % 40], 32 * i, n));
    }
    slots.emplace_back();
    const DeviceError error = device->submit(batch, &slots.back());
    ASSERT_FALSE(error) << error.text;
    batches.push_back(batch);
  }
  for (std::size_t b = batches.size(); b-- > 0;) {
    std::vector<Tally> tallies(batches[b].size());
    const DeviceError error = device->collect(slots[b], tallies);
    ASSERT_FALSE(error) << error.text;
    for (std::size_t i = 0; i < tallies.size(); ++i) {
      ASSERT_EQ(tallies[i], cpu_playouts<G>(rules, kSeed, batches[b][i])) << i;
      if (b != 2) continue;
      ASSERT_EQ(tallies[i], reference_playouts<G>(rules, kSeed, batches[b][i])) << i;
    }
  }
}

constexpr const char* kNoDevice = "no device on this machine";

TEST(Devices, PGamesEqualReference) {
  if (list_devices().empty()) GTEST_SKIP() << kNoDevice;
  for (const int branching : {2, 3, 4, 8, 64, 63}) {
    PGame::Rules rules;
    rules.branching = static_cast<std::uint8_t>(branching);
    rules.depth = branching == 64 ? 64 : 20;
    expect_device<PGame>(rules);
  }
}

TEST(Devices, HexEqualsReference) {
  if (list_devices().empty()) GTEST_SKIP() << kNoDevice;
  for (int side = 2; side <= 8; ++side) expect_device<Hex<1>>(Hex<1>::make_rules(side, side));
  for (int side = 9; side <= 19; ++side) expect_device<Hex<6>>(Hex<6>::make_rules(side, side));
  expect_device<Hex<1>>(Hex<1>::make_rules(3, 19));
  expect_device<Hex<1>>(Hex<1>::make_rules(4, 6));
  expect_device<Hex<6>>(Hex<6>::make_rules(17, 5));
  expect_device<Hex<6>>(Hex<6>::make_rules(9, 12));
}

TEST(Devices, OthelloEqualsReference) {
  if (list_devices().empty()) GTEST_SKIP() << kNoDevice;
  for (const int side : {4, 6, 8}) expect_device<Othello>(Othello::make_rules(side));
}

TEST(Devices, ConnectEqualsReference) {
  if (list_devices().empty()) GTEST_SKIP() << kNoDevice;
  expect_device<Connect<1>>(Connect<1>::make_rules(3, 3, 3, 8));
  expect_device<Connect<1>>(Connect<1>::make_rules(7, 7, 4, 2));
  expect_device<Connect<1>>(Connect<1>::make_rules(2, 19, 2, 5));
  expect_device<Connect<6>>(Connect<6>::make_rules(9, 13, 6, 2));
  expect_device<Connect<6>>(Connect<6>::make_rules(19, 19, 6, 2));
}

// The value of a position by plain recursion.
Value plain_value(const PGame::Rules& rules, const PGame::State& state) {
  if (PGame::finished(rules, state)) return PGame::value(rules, state);
  const bool max_moves = PGame::to_move(rules, state) == Player::kFirst;
  Value best = max_moves ? -1 : 1;
  for (Move branch = 0; branch < rules.branching; ++branch) {
    PGame::State child = state;
    PGame::play(rules, child, branch);
    const Value value = plain_value(rules, child);
    best = max_moves ? std::max(best, value) : std::min(best, value);
  }
  return best;
}

TEST(Devices, PGameValuesAreExact) {
  if (list_devices().empty()) GTEST_SKIP() << kNoDevice;
  for (std::uint64_t tree = 1; tree <= 20; ++tree) {
    PGame::Rules rules;
    rules.tree = tree;
    rules.depth = 14;
    const PGame::State root = PGame::initial(rules);
    for (const std::size_t width : {kPGameWidth, std::size_t{100}}) {
      Value value = 0;
      const DeviceError error = pgame_values(0, rules, {&root, 1}, &value, width);
      ASSERT_FALSE(error) << error.text;
      EXPECT_EQ(value, plain_value(rules, root)) << tree;
    }
  }
}

}  // namespace
}  // namespace playproof
