// Accelerators, on machines with and without one.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "games/othello/rules.h"
#include "games/pgame/rules.h"
#include "kernels/common/cpu_playouts.h"
#include "kernels/common/reference_playouts.h"
#include "kernels/device/device_info.h"
#include "kernels/device/playout_device.h"
#include "kernels/list.h"
#include "kernels/pgame/values.h"
#include "tests/kernels/device_boards.h"
#include "tests/kernels/positions.h"

namespace playproof::device_test {
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
    const DeviceError error = open_playout_device<G>(ordinal, rules, &device);
    const bool listed = ordinal >= 0 && ordinal < count;
    EXPECT_EQ(static_cast<bool>(error), !listed) << ordinal;
    EXPECT_EQ(device != nullptr, listed) << ordinal;
    EXPECT_EQ(error.code == 0, *error.text == '\0');
    EXPECT_EQ(error.code == DeviceError::kNotBuilt, !cuda_built());
  }
}

TEST(Devices, OpenOnlyIfListed) {
  expect_opens_only_if_listed<PGame>({});
  each_hex_board([]<class G>(const auto& rules) { expect_opens_only_if_listed<G>(rules); });
  expect_opens_only_if_listed<Othello>(Othello::make_rules(8));
  each_connect_board([]<class G>(const auto& rules) { expect_opens_only_if_listed<G>(rules); });
}

// Batches of many sizes, by their size and read in the host's memory in turn, all on their way at
// once, and collected backwards.
template <Game G>
void expect_device(const typename G::Rules& rules) {
  std::unique_ptr<PlayoutDevice<G>> device;
  ASSERT_FALSE(open_playout_device<G>(0, rules, &device));
  const auto states = any_positions<G>(rules, 40, 8);
  std::vector<std::size_t> slots;
  std::vector<std::vector<LeafRequest<G>>> batches;
  for (const std::uint32_t size : {0u, 1u, 31u, 32u, 33u, 65u, 1024u}) {
    std::vector<LeafRequest<G>> batch;
    for (std::uint32_t i = 0; i < size; ++i) {
      const std::uint32_t n = i == 20 ? 10000 : i % 7 == 3 ? 512 : i % 100;
      batch.push_back(request_of<G>(rules, states[i % 40], 32 * i, n, i / 3));
    }
    device->go(batches.size() % 2 == 0 ? std::optional<BatchWay>() : BatchWay::kMapped);
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
      ASSERT_EQ(tallies[i], cpu_playouts<G>(rules, batches[b][i])) << i;
      if (b != 2) continue;
      ASSERT_EQ(tallies[i], reference_playouts<G>(rules, batches[b][i])) << i;
    }
  }
}

// One large batch: 270,000 words where `playouts` is 4100. P-games play several words a warp from
// 131,072 words on; Othello a word a thread where an SM has more than 48 of them.
template <Game G>
void expect_large_batch(const typename G::Rules& rules, std::uint32_t playouts = 4100) {
  std::unique_ptr<PlayoutDevice<G>> device;
  ASSERT_FALSE(open_playout_device<G>(0, rules, &device));
  const auto states = any_positions<G>(rules, 40, 8);
  std::vector<LeafRequest<G>> batch;
  for (std::uint32_t i = 0; i < 2100; ++i) {
    batch.push_back(request_of<G>(rules, states[i % 40], 32 * i, i % 11 == 5 ? 40 : playouts));
  }
  std::size_t slot = 0;
  std::vector<Tally> tallies(batch.size());
  ASSERT_FALSE(device->submit(batch, &slot));
  ASSERT_FALSE(device->collect(slot, tallies));
  for (std::size_t i = 0; i < batch.size(); ++i) {
    ASSERT_EQ(tallies[i], cpu_playouts<G>(rules, batch[i])) << i;
  }
  EXPECT_GT(device->busy_seconds(), 0);
}

// Small batches are parameters of a launch or read in the host's memory, large ones are copied: one
// slot, in turn.
template <Game G>
void expect_slot_used_again(const typename G::Rules& rules, std::optional<BatchWay> way = {}) {
  std::unique_ptr<PlayoutDevice<G>> device;
  ASSERT_FALSE(open_playout_device<G>(0, rules, &device));
  device->go(way);
  const auto states = any_positions<G>(rules, 40, 8);
  for (const std::uint32_t size : {900u, 1500u, 3u, 40u, 1500u, 170u, 1u, 1000u, 1001u}) {
    std::vector<LeafRequest<G>> batch;
    for (std::uint32_t i = 0; i < size; ++i) {
      batch.push_back(
          request_of<G>(rules, states[(i + size) % 40], 32 * i, i % 3 == 0 ? 0 : 40, size + i % 2));
    }
    std::size_t slot = 0;
    std::vector<Tally> tallies(batch.size());
    ASSERT_FALSE(device->submit(batch, &slot));
    ASSERT_FALSE(device->collect(slot, tallies));
    for (std::size_t i = 0; i < batch.size(); ++i) {
      ASSERT_EQ(tallies[i], cpu_playouts<G>(rules, batch[i])) << size << ' ' << i;
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
  expect_large_batch<PGame>({});
}

TEST(Devices, SlotsAreUsedAgain) {
  if (list_devices().empty()) GTEST_SKIP() << kNoDevice;
  expect_slot_used_again<PGame>({});
  expect_slot_used_again<Hex<1>>(Hex<1>::make_rules(5, 5));
  expect_slot_used_again<Connect<1>>(Connect<1>::make_rules(5, 5, 4, 2));
}

// Which way was taken the emulated device knows: tests/emulated/kernels_test.cu.
TEST(Devices, TalliesAreTheSameByEveryWay) {
  if (list_devices().empty()) GTEST_SKIP() << kNoDevice;
  for (const BatchWay way : {BatchWay::kMapped, BatchWay::kParameters, BatchWay::kCopied}) {
    expect_slot_used_again<PGame>({}, way);
    expect_slot_used_again<Othello>(Othello::make_rules(6), way);
    expect_slot_used_again<Hex<2>>(Hex<2>::make_rules(11, 11), way);
  }
}

// Fleets reserve 2^46 bytes of addresses for their trees; CUDA has its own way with addresses.
TEST(Devices, PlayBesideReservedAddresses) {
  if (list_devices().empty()) GTEST_SKIP() << kNoDevice;
  constexpr std::size_t kBytes = std::size_t{1} << 46;
  const auto reserve = [] {
    return mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  };
  expect_device<PGame>({});
  void* const later = reserve();
  ASSERT_NE(later, MAP_FAILED);
  expect_device<PGame>({});
  expect_device<Hex<1>>(Hex<1>::make_rules(5, 5));
  munmap(later, kBytes);
}

TEST(Devices, HexEqualsReference) {
  if (list_devices().empty()) GTEST_SKIP() << kNoDevice;
  each_hex_board([]<class G>(const auto& rules) { expect_device<G>(rules); });
}

TEST(Devices, OthelloEqualsReference) {
  if (list_devices().empty()) GTEST_SKIP() << kNoDevice;
  for (const int side : {4, 6, 8}) expect_device<Othello>(Othello::make_rules(side));
  for (const DeviceInfo& device : list_devices()) ASSERT_LT(device.multiprocessors, 600);
  expect_large_batch<Othello>(Othello::make_rules(8), 512);  // 30,800 words
}

TEST(Devices, ConnectEqualsReference) {
  if (list_devices().empty()) GTEST_SKIP() << kNoDevice;
  each_connect_board([]<class G>(const auto& rules) { expect_device<G>(rules); });
}

// What a block may have of an SM's memory is set for a whole process, and differs most between
// batches of Connect: a thread must not lower what another one launches with.
TEST(Devices, AreOpenedByManyThreads) {
  if (list_devices().empty()) GTEST_SKIP() << kNoDevice;
  const auto play = [](int thread) {
    for (int round = 0; round < 3; ++round) {
      const int side = 9 + 5 * ((thread + round) % 3);
      const auto rules = Connect<6>::make_rules(side, side, 6, 2);
      std::unique_ptr<PlayoutDevice<Connect<6>>> device;
      ASSERT_FALSE(open_playout_device<Connect<6>>(0, rules, &device));
      const auto states = random_positions<Connect<6>>(rules, 12, 8);
      const std::uint32_t playouts = round == 0 ? 512 : 32;  // few units a block, or many
      std::vector<LeafRequest<Connect<6>>> batch;
      for (const auto& state : states) {
        batch.push_back(request_of<Connect<6>>(rules, state, 0, playouts));
      }
      std::size_t slot = 0;
      std::vector<Tally> tallies(batch.size());
      ASSERT_FALSE(device->submit(batch, &slot));
      ASSERT_FALSE(device->collect(slot, tallies));
      for (std::size_t i = 0; i < batch.size(); ++i) {
        ASSERT_EQ(tallies[i], cpu_playouts<Connect<6>>(rules, batch[i])) << i;
      }
    }
  };
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(play, i);
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
}  // namespace playproof::device_test
