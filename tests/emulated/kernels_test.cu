// The kernels themselves on the emulated device, bit for bit the engine `reference`: every kernel
// and shape of launch, in several orders of threads, blocks and streams.
#include <gtest/gtest.h>

#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "games/loa/rules.h"
#include "games/nim/reference_of.h"
#include "games/nim/rules.h"
#include "games/othello/rules.h"
#include "games/pgame/rules.h"
#include "kernels/common/reference_playouts.h"
#include "kernels/generic/device.cuh"
#include "kernels/list.h"
#include "tests/emulated/block.h"
#include "tests/kernels/device_boards.h"
#include "tests/kernels/positions.h"
#include "tests/nightly.h"

namespace playproof {
namespace {

std::uint64_t orders() { return nightly() ? 25 : 2; }

template <Game G>
using Batch = std::vector<LeafRequest<G>>;
template <Game G>
using Device = std::unique_ptr<PlayoutDevice<G>>;
template <Game G>
using Open = DeviceError (*)(int, const typename G::Rules&, Device<G>*);

// Batches that are on their way together: nothing, a lane, and what fills blocks and warps only in
// part, from all stages of the game, within groups of words, across them and at the end of the
// list. One request has more words than a block has threads.
template <Game G>
std::vector<Batch<G>> make_batches_of(const typename G::Rules& rules, std::uint32_t large) {
  const auto states = any_positions<G>(rules, 12, 5);
  const auto last = [](std::uint32_t n) {
    return static_cast<std::uint32_t>(0 - (n + 31) / 32 * 32);
  };
  std::vector<Batch<G>> batches(3);
  batches[1] = {request_of<G>(rules, states[1], 96, 1)};
  for (std::uint32_t i = 0; i < 25; ++i) {
    constexpr std::uint32_t kPlayouts[] = {1, 31, 64, 33, 0, 100, 161};
    const std::uint32_t n = i == 14 ? large : kPlayouts[i % 7];
    const std::uint32_t firsts[] = {0, 160, 512, last(n)};
    batches[2].push_back(request_of<G>(rules, states[i % 12], firsts[i % 4], n, i / 2));
  }
  return batches;
}

template <Game G>
std::vector<std::vector<Tally>> wanted_of(const typename G::Rules& rules,
                                          const std::vector<Batch<G>>& batches) {
  std::vector<std::vector<Tally>> wanted;
  for (const Batch<G>& batch : batches) {
    wanted.emplace_back();
    for (const LeafRequest<G>& request : batch) {
      wanted.back().push_back(reference_playouts<G>(rules, request));
    }
  }
  return wanted;
}

// Some devices, each with all batches on its way, collected backwards.
template <Game G>
void expect_tallies(const typename G::Rules& rules, const std::vector<Batch<G>>& batches,
                    const std::vector<std::vector<Tally>>& wanted, Open<G> open,
                    std::size_t count = 2, std::optional<BatchWay> way = {}) {
  std::vector<Device<G>> devices(count);
  std::vector<std::size_t> slots;
  for (Device<G>& device : devices) {
    ASSERT_FALSE(open(0, rules, &device));
    device->go(way);
    for (const Batch<G>& batch : batches) {
      slots.emplace_back();
      const DeviceError error = device->submit(batch, &slots.back());
      ASSERT_FALSE(error) << error.call << ": " << error.text;
    }
  }
  for (std::size_t i = slots.size(); i-- > 0;) {
    const std::size_t b = i % batches.size();
    std::vector<Tally> tallies(batches[b].size());
    const DeviceError error = devices[i / batches.size()]->collect(slots[i], tallies);
    ASSERT_FALSE(error) << error.call << ": " << error.text;
    ASSERT_EQ(tallies, wanted[b]) << "batch " << b;
  }
}

template <Game G>
void expect_reference(const typename G::Rules& rules, std::uint32_t large = 1000,
                      Open<G> open = open_playout_device<G>) {
  const auto batches = make_batches_of<G>(rules, large);
  const auto wanted = wanted_of<G>(rules, batches);
  const std::optional<BatchWay> ways[] = {BatchWay::kMapped, {}};
  for (std::uint64_t order = 1; order <= orders(); ++order) {
    SCOPED_TRACE("order " + std::to_string(order));
    emulated::set_seed(order);
    expect_tallies<G>(rules, batches, wanted, open, 2, ways[order % 2]);
  }
}

TEST(EmulatedKernels, Hex) {
  each_hex_board([]<class G>(const auto& rules) {
    expect_reference<G>(rules, rules.rows == rules.columns ? 1000 : 5000);
  });
}

TEST(EmulatedKernels, Othello) {
  for (const int side : {4, 6, 8}) expect_reference<Othello>(Othello::make_rules(side), 5000);
  expect_reference<Othello>(Othello::make_rules(8), 33);  // few words: eight threads each
}

TEST(EmulatedKernels, Loa) {
  expect_reference<Loa>(Loa::make_rules(8, PathRule::kThirdDraws, false), 100);
  expect_reference<Loa>(Loa::make_rules(5, PathRule::kThirdDraws, true), 300);
}

TEST(EmulatedKernels, Connect) {
  each_connect_board([]<class G>(const auto& rules) {
    expect_reference<G>(rules, rules.rows == 3 ? 5000 : 1000);
  });
}

PGame::Rules pgame(int branching, int depth) {
  PGame::Rules rules;
  rules.branching = static_cast<std::uint8_t>(branching);
  rules.depth = static_cast<std::uint8_t>(depth);
  return rules;
}

TEST(EmulatedKernels, PGames) {
  for (const int branching : {2, 3, 4, 8, 63}) expect_reference<PGame>(pgame(branching, 20));
  expect_reference<PGame>(pgame(64, 64));
  expect_reference<PGame>(pgame(2, 63));
}

// So many words that a warp plays two of them, also of different requests.
TEST(EmulatedKernels, PGamesInRuns) {
  const PGame::Rules rules = pgame(2, 3);
  const auto states = random_positions<PGame>(rules, 3, 5);
  std::vector<Batch<PGame>> batches(1);
  for (const std::uint32_t n : {2'000'001u, 0u, 31u, 1'500'000u, 64u, 65u, 900'000u}) {
    batches[0].push_back(request_of<PGame>(rules, states[batches[0].size() % 3], 64, n));
  }
  emulated::set_seed(1);
  expect_tallies<PGame>(rules, batches, wanted_of<PGame>(rules, batches),
                        open_playout_device<PGame>, 1);
}

// What a batch asks of the driver: two events and a launch, to wait for it, and two times. If its
// requests are parameters, there is a launch that puts them where they are read; if they are
// copied, there are two copies, zeroes for the counts, and a copy back.
std::uint64_t calls_of(BatchWay way) {
  return way == BatchWay::kMapped ? 6 : way == BatchWay::kParameters ? 7 : 10;
}

// Batches of these sizes in one slot, in turn: `way` is the one that is taken for each.
void expect_ways(std::optional<BatchWay> wanted, std::uint32_t playouts,
                 const std::vector<std::pair<std::size_t, BatchWay>>& sizes) {
  const auto rules = Hex<1>::make_rules(4, 4);
  const auto states = random_positions<Hex<1>>(rules, 10, 1);
  Device<Hex<1>> device;
  ASSERT_FALSE(open_playout_device<Hex<1>>(0, rules, &device));
  device->go(wanted);
  for (const auto& [size, way] : sizes) {
    Batch<Hex<1>> batch;
    for (std::size_t i = 0; i < size; ++i) {
      batch.push_back(request_of<Hex<1>>(rules, states[i % 10], 0, playouts, i));
    }
    std::vector<Tally> tallies(size);
    const auto play = [&] {
      std::size_t slot = 0;
      ASSERT_FALSE(device->submit(batch, &slot));
      ASSERT_FALSE(device->collect(slot, tallies));
    };
    play();  // memory is allocated, events are made, and the clock is set, once
    play();
    const std::uint64_t before = emulated::host_calls();
    play();
    EXPECT_EQ(emulated::host_calls() - before, calls_of(way)) << size;
    for (std::size_t i = 0; i < size; ++i) {
      ASSERT_EQ(tallies[i], reference_playouts<Hex<1>>(rules, batch[i])) << i;
    }
  }
}

// 571 requests of 48 bytes, each with 8 more for the words up to it, are 31,976.
constexpr std::size_t kMostParameters = 32000 / (sizeof(LeafRequest<Hex<1>>) + 8);

TEST(EmulatedKernels, BatchesGoByTheirSize) {
  using enum BatchWay;
  expect_ways({}, 64,
              {{1000, kMapped},
               {1, kParameters},
               {kMostParameters, kParameters},
               {1001, kCopied},
               {kMostParameters + 1, kMapped},
               {30, kParameters},
               {125, kParameters},
               {2, kParameters},
               {1001, kCopied}});
  expect_ways({}, 16384 * 32, {{1, kParameters}});
  expect_ways({}, 16384 * 32 + 1, {{1, kCopied}});
}

TEST(EmulatedKernels, BatchesGoAsTheyAreTold) {
  using enum BatchWay;
  expect_ways(kMapped, 64, {{1, kMapped}, {1000, kMapped}, {1001, kCopied}});
  expect_ways(kParameters, 64,
              {{1, kParameters}, {kMostParameters + 1, kCopied}, {31, kParameters}});
  expect_ways(kCopied, 64, {{1, kCopied}, {300, kCopied}, {1001, kCopied}});
  expect_ways(kMapped, 16384 * 32 + 1, {{1, kMapped}});
  expect_ways(kParameters, 16384 * 32 + 1, {{1, kParameters}});
}

TEST(EmulatedKernels, AnyGame) {
  expect_reference<Nim>({}, 5000);
  expect_reference<Nim>({4, {1, 5, 7, 15}});
}

// A kernel that plays any game, on one that ends early in some lanes: the engine `cpu` of such
// games.
TEST(EmulatedKernels, AnyGameWithDraws) {
  const auto rules = Othello::make_rules(4);
  const auto batches = make_batches_of<Othello>(rules, 300);
  std::vector<std::vector<Tally>> wanted;
  for (const auto& batch : batches) {
    wanted.emplace_back();
    for (const auto& request : batch) {
      wanted.back().push_back(generic_playouts<Othello>(rules, request).tally);
    }
  }
  for (std::uint64_t order = 1; order <= orders(); ++order) {
    emulated::set_seed(order);
    expect_tallies<Othello>(rules, batches, wanted, open_generic_device<Othello>);
  }
}

// Batches that grow, in one slot, and threads with a device each.
TEST(EmulatedKernels, ThreadsWithBatchesThatGrow) {
  const auto rules = Hex<1>::make_rules(4, 4);
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&rules, &wrong, t] {
      const auto states = random_positions<Hex<1>>(rules, 10, t);
      Device<Hex<1>> device;
      if (open_playout_device<Hex<1>>(0, rules, &device)) ++wrong[t];
      for (std::size_t size = 1; size < 1500; size = 3 * size + t) {
        Batch<Hex<1>> batch;
        for (std::size_t i = 0; i < size; ++i) {
          batch.push_back(request_of<Hex<1>>(rules, states[i % 10], 0, 32));
        }
        std::size_t slot = 0;
        std::vector<Tally> tallies(size);
        if (device->submit(batch, &slot) || device->collect(slot, tallies)) ++wrong[t];
        for (std::size_t i = 0; i < size; ++i) {
          const auto tally = reference_playouts<Hex<1>>(rules, batch[i]);
          wrong[t] += tallies[i] == tally ? 0 : 1;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4));
}

}  // namespace
}  // namespace playproof
