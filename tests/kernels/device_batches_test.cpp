// The way of batches to a device and back, with a CPU in the place of the device.
#include "kernels/device/device_batches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "games/connect/rules.h"
#include "games/hex/rules.h"
#include "games/othello/rules.h"
#include "games/pgame/rules.h"
#include "kernels/connect/device.h"
#include "kernels/device/several_devices.h"
#include "kernels/list.h"
#include "tests/kernels/positions.h"

namespace playproof::device_batches_test {
namespace {

// What the pretended device can do and has done.
struct Events {
  std::size_t room = 1000;  // requests that fit
  int failing_start = -1;   // the number of the start that fails
  bool failing_finish = false;
  int starts = 0;
  int in_flight = 0;
  int most_in_flight = 0;
  int drained = 0;
  double clock = 0;                           // of the device: each batch takes a second
  std::vector<std::optional<BatchWay>> ways;  // of the starts
};

DeviceError failure(bool out_of_memory) {
  DeviceError error;
  error.code = 2;
  error.call = "pretended";
  error.text = "pretended failure";
  error.out_of_memory = out_of_memory;
  return error;
}

// Does at finish() what the kernels do: the layout of words, then word by word.
template <class G>
class PretendedSlot {
 public:
  PretendedSlot(const typename G::Rules& rules, Events* events) : rules_(rules), events_(events) {}

  DeviceError reserve(std::size_t requests) {
    EXPECT_FALSE(reading_);
    if (requests > events_->room) return failure(true);
    requests_.resize(requests);
    ends_.resize(requests);
    return {};
  }
  LeafRequest<G>* requests() { return requests_.data(); }
  std::uint64_t* ends() { return ends_.data(); }

  DeviceError start(std::size_t count, std::uint64_t words, std::optional<BatchWay> way) {
    events_->ways.push_back(way);
    EXPECT_FALSE(reading_);
    reading_ = true;
    if (events_->starts++ == events_->failing_start) return failure(false);
    ++events_->in_flight;
    events_->most_in_flight = std::max(events_->most_in_flight, events_->in_flight);
    counts_.assign(count, {});
    batch_ = {.requests = requests_.data(),
              .ends = ends_.data(),
              .counts = counts_.data(),
              .size = static_cast<std::uint32_t>(count),
              .words = words};
    return {};
  }
  DeviceError finish(BatchTime* time) {
    --events_->in_flight;
    reading_ = false;
    *time = {events_->clock, events_->clock + 1};
    events_->clock += 1;
    if (events_->failing_finish) return failure(false);
    EXPECT_EQ(ends_[batch_.size - 1], batch_.words);
    for (std::uint64_t i = 0; i < (batch_.words + 31) / 32 * 32; ++i) play(i);
    return {};
  }
  const WordCounts* counts() const { return counts_.data(); }
  void drain() {
    events_->drained += reading_ ? 1 : 0;
    reading_ = false;
  }

 private:
  void play(std::uint64_t i) {
    const std::uint64_t at = std::min(i, batch_.words - 1);
    const auto found =
        std::upper_bound(ends_.begin(), ends_.begin() + batch_.size, at) - ends_.begin();
    const WorkItem item = work_item(batch_, static_cast<std::uint32_t>(found), i);
    ASSERT_EQ(item.lanes == 0, i >= batch_.words);
    LeafRequest<G> word = requests_[item.request];
    word.first = item.word * kLanes;
    word.playouts = static_cast<std::uint32_t>(popcount64(item.lanes));
    const Tally tally = cpu_playouts<G>(rules_, word);
    counts_[item.request].wins += tally.wins;
    counts_[item.request].draws += tally.draws;
  }

  typename G::Rules rules_;
  Events* events_;
  bool reading_ = false;  // the device may be at requests_ and ends_
  std::vector<LeafRequest<G>> requests_;
  std::vector<std::uint64_t> ends_;
  std::vector<WordCounts> counts_;
  DeviceBatch<G> batch_;
};

template <class G>
std::unique_ptr<PlayoutDevice<G>> make_device(const typename G::Rules& rules, Events* events) {
  using Slot = PretendedSlot<G>;
  return std::make_unique<DeviceBatches<G, Slot>>(
      rules, "pretended", [rules, events] { return std::make_unique<Slot>(rules, events); });
}

// Requests of all kinds, finished positions and empty ones among them.
template <class G>
std::vector<LeafRequest<G>> mixed_requests(const typename G::Rules& rules, int count) {
  constexpr std::uint32_t kSizes[] = {64, 1, 0, 33, 128, 32, 10, 512, 31, 200};
  std::vector<LeafRequest<G>> requests;
  for (const auto& state : random_positions<G>(rules, count, 5)) {
    const auto i = static_cast<std::uint32_t>(requests.size());
    requests.push_back(
        request_of<G>(rules, state, 32 * (i % 3 == 0 ? 0 : i), kSizes[i % 10], i / 2));
    if (i % 5 != 4) continue;
    auto& end = requests.back().state;
    Move moves[G::kMaxMoves];
    while (!G::finished(rules, end)) {
      const int n = G::moves(rules, end, moves);
      G::play(rules, end, moves[i % static_cast<std::uint32_t>(n)]);
    }
  }
  return requests;
}

template <class G>
void expect_tallies(PlayoutDevice<G>& device, const typename G::Rules& rules,
                    const std::vector<LeafRequest<G>>& requests) {
  std::size_t slot = 0;
  ASSERT_FALSE(device.submit(requests, &slot));
  std::vector<Tally> tallies(requests.size());
  ASSERT_FALSE(device.collect(slot, tallies));
  for (std::size_t i = 0; i < requests.size(); ++i) {
    ASSERT_EQ(tallies[i], cpu_playouts<G>(rules, requests[i])) << i;
  }
}

template <class G>
void expect_batches(const typename G::Rules& rules) {
  for (const std::size_t room : {1000u, 30u, 29u, 7u, 1u}) {
    Events events;
    events.room = room;
    const auto device = make_device<G>(rules, &events);
    const auto requests = mixed_requests<G>(rules, 30);
    expect_tallies<G>(*device, rules, requests);
    EXPECT_EQ(events.in_flight, 0);
    // 29: 15 and 15; 7: 4 at a time; 1: one by one, but for 6 finished and 3 empty ones at most.
    EXPECT_GE(events.starts, room >= 30 ? 1 : room == 29 ? 2 : room == 7 ? 8 : 21);
    EXPECT_LE(events.starts, room >= 30 ? 1 : room == 29 ? 2 : room == 7 ? 8 : 27);
    expect_tallies<G>(*device, rules, {});
    expect_tallies<G>(*device, rules, {requests[2]});  // no playouts
    expect_tallies<G>(*device, rules, {requests[4]});  // finished
  }
}

TEST(DeviceBatches, AreEveryGamesPlayouts) {
  expect_batches<PGame>(PGame::Rules{});
  expect_batches<Hex<1>>(Hex<1>::make_rules(4, 4));
  expect_batches<Hex<2>>(Hex<2>::make_rules(9, 9));
  expect_batches<Hex<6>>(Hex<6>::make_rules(12, 12));
  expect_batches<Othello>(Othello::make_rules(6));
  expect_batches<Connect<1>>(Connect<1>::make_rules(7, 7, 4, 2));
  expect_batches<Connect<6>>(Connect<6>::make_rules(9, 13, 6, 2));
}

TEST(DeviceBatches, AreCollectedInAnyOrder) {
  const PGame::Rules rules;
  Events events;
  const auto device = make_device<PGame>(rules, &events);
  for (int round = 0; round < 3; ++round) {
    std::vector<std::size_t> slots;
    std::vector<std::vector<LeafRequest<PGame>>> batches;
    for (int b = 0; b < 5; ++b) {
      batches.push_back(mixed_requests<PGame>(rules, 4 + 7 * b));
      slots.emplace_back();
      ASSERT_FALSE(device->submit(batches.back(), &slots.back()));
    }
    EXPECT_EQ(events.in_flight, 5);
    for (const std::size_t b : {3u, 0u, 4u, 1u, 2u}) {
      std::vector<Tally> tallies(batches[b].size());
      ASSERT_FALSE(device->collect(slots[b], tallies));
      for (std::size_t i = 0; i < tallies.size(); ++i) {
        ASSERT_EQ(tallies[i], cpu_playouts<PGame>(rules, batches[b][i]));
      }
    }
  }
  EXPECT_EQ(events.most_in_flight, 5);
}

// 40 bytes a request, so an odd number of them is filled up to 16 before the words.
static_assert(sizeof(LeafRequest<PGame>) == 40);
static_assert(fits<PGame>(BatchWay::kParameters, 666) && !fits<PGame>(BatchWay::kParameters, 667));
static_assert(fits<PGame>(BatchWay::kMapped, 1000) && !fits<PGame>(BatchWay::kMapped, 1001));
static_assert(way_of<PGame>(666, 1 << 14, {}) == BatchWay::kParameters);
static_assert(way_of<PGame>(667, 1 << 14, {}) == BatchWay::kMapped);
static_assert(way_of<PGame>(1001, 1001, {}) == BatchWay::kCopied);
static_assert(way_of<PGame>(1, (1 << 14) + 1, {}) == BatchWay::kCopied);
static_assert(way_of<PGame>(667, 667, BatchWay::kParameters) == BatchWay::kCopied);

TEST(DeviceBatches, GoAsTheyAreTold) {
  const PGame::Rules rules;
  Events events;
  const auto requests = mixed_requests<PGame>(rules, 20);
  std::vector<std::unique_ptr<PlayoutDevice<PGame>>> devices;
  devices.push_back(make_device<PGame>(rules, &events));
  devices.push_back(make_device<PGame>(rules, &events));
  SeveralDevices<PGame> several(std::move(devices), 0);
  const std::optional<BatchWay> ways[] = {{}, BatchWay::kParameters, BatchWay::kCopied, {}};
  for (const auto& way : ways) {
    several.go(way);
    events.ways.clear();
    expect_tallies<PGame>(several, rules, requests);  // on one device after the other
    expect_tallies<PGame>(several, rules, requests);
    EXPECT_EQ(events.ways, (std::vector<std::optional<BatchWay>>{way, way}));
  }
}

TEST(DeviceBatches, FailuresAreReportedOnce) {
  const Hex<1>::Rules rules = Hex<1>::make_rules(4, 4);
  const auto requests = mixed_requests<Hex<1>>(rules, 20);
  Events events;
  const auto device = make_device<Hex<1>>(rules, &events);
  std::size_t slot = 0;
  events.room = 0;  // not even one request
  EXPECT_TRUE(device->submit(requests, &slot).out_of_memory);
  events.room = 5;
  events.failing_start = events.starts + 1;  // the second piece
  EXPECT_EQ(device->submit(requests, &slot).code, 2);
  EXPECT_EQ(events.drained, 1);
  events.room = 1000;
  ASSERT_FALSE(device->submit(requests, &slot));
  events.failing_finish = true;
  std::vector<Tally> tallies(requests.size());
  EXPECT_EQ(device->collect(slot, tallies).code, 2);
  events.failing_finish = false;
  expect_tallies<Hex<1>>(*device, rules, requests);  // and the device goes on
}

TEST(DeviceBatches, AreTimed) {
  const PGame::Rules rules;
  Events events;
  const auto device = make_device<PGame>(rules, &events);
  EXPECT_EQ(device->busy_seconds(), 0);
  expect_tallies<PGame>(*device, rules, mixed_requests<PGame>(rules, 10));
  EXPECT_EQ(device->busy_seconds(), 1);
  events.clock += 5;
  events.room = 4;  // three pieces
  expect_tallies<PGame>(*device, rules, mixed_requests<PGame>(rules, 11));
  EXPECT_EQ(device->busy_seconds(), events.clock - 5);
}

TEST(BusyTime, IsTheLengthOfTheUnion) {
  std::uint64_t random = 1;
  const auto draw = [&](std::uint64_t below) { return (random = mix64(random)) % below; };
  for (int trial = 0; trial < 300; ++trial) {
    BusyTime busy;
    std::vector<bool> covered(1000);
    const std::uint64_t most = 1 + draw(20);
    for (std::uint64_t i = 0; i < BusyTime::kGaps; ++i) {
      const std::uint64_t begin = draw(1000 - most);
      const std::uint64_t end = begin + draw(most + 1);
      for (std::uint64_t at = begin; at < end; ++at) covered[at] = true;
      busy.add({static_cast<double>(begin), static_cast<double>(end)});
      ASSERT_EQ(busy.seconds(), std::count(covered.begin(), covered.end(), true)) << trial;
    }
  }
}

TEST(BusyTime, OfManyBatchesIsExactWhereTheyAreNearlyInOrder) {
  BusyTime busy;
  for (int i = 0; i < 100000; ++i) {
    const double begin = 3.0 * (i ^ 15);
    busy.add({begin, begin + 2});
  }
  EXPECT_EQ(busy.seconds(), 200000);
  busy.add({0, 1});  // far too late
  EXPECT_EQ(busy.seconds(), 200000);
}

std::vector<std::unique_ptr<PlayoutDevice<Hex<1>>>> three_devices(const Hex<1>::Rules& rules,
                                                                  Events* events) {
  std::vector<std::unique_ptr<PlayoutDevice<Hex<1>>>> devices;
  for (int i = 0; i < 3; ++i) devices.push_back(make_device<Hex<1>>(rules, events + i));
  return devices;
}

TEST(SeveralDevices, BeginWithOneAfterTheOther) {
  const Hex<1>::Rules rules = Hex<1>::make_rules(4, 4);
  Events events[3];
  const auto requests = mixed_requests<Hex<1>>(rules, 5);
  for (int i = 0; i < 6; ++i) {
    SeveralDevices<Hex<1>> all(three_devices(rules, events));
    expect_tallies<Hex<1>>(all, rules, requests);
  }
  for (const Events& of : events) EXPECT_EQ(of.starts, 2);
}

TEST(SeveralDevices, TakeTurnsAndGiveTheSameTallies) {
  const Hex<1>::Rules rules = Hex<1>::make_rules(4, 4);
  Events events[3];
  SeveralDevices<Hex<1>> all(three_devices(rules, events), 3);
  EXPECT_EQ(all.name(), "pretended, pretended, pretended");
  const auto requests = mixed_requests<Hex<1>>(rules, 20);
  std::size_t slots[7];
  for (std::size_t& slot : slots) ASSERT_FALSE(all.submit(requests, &slot));
  EXPECT_EQ(events[0].in_flight, 3);
  EXPECT_EQ(events[1].in_flight, 2);
  EXPECT_EQ(events[2].in_flight, 2);
  std::vector<Tally> tallies(requests.size());
  for (const int i : {1, 4}) ASSERT_FALSE(all.collect(slots[i], tallies));  // those of device 1
  EXPECT_EQ(events[1].in_flight, 0);
  expect_tallies<Hex<1>>(all, rules, requests);
  EXPECT_EQ(events[1].starts, 3);
  for (const int i : {6, 0, 5, 2, 3}) {
    ASSERT_FALSE(all.collect(slots[i], tallies));
    for (std::size_t k = 0; k < requests.size(); ++k) {
      ASSERT_EQ(tallies[k], cpu_playouts<Hex<1>>(rules, requests[k]));
    }
  }
  EXPECT_EQ(all.busy_seconds(), 8.0 / 3);
  events[2].room = 0;
  EXPECT_TRUE(all.submit(requests, slots).out_of_memory);
  events[2].room = 1000;
}

// Counted word by word.
unsigned plain_units(const std::vector<ConnectRun>& runs) {
  std::uint64_t at = 0;
  unsigned units = 0;
  unsigned most = 0;
  for (const ConnectRun& run : runs) {
    for (std::uint64_t i = 0; i < run.words; ++i, ++at) {
      const bool warp = at % kConnectWarpWords == 0;
      if (warp) units = 0;
      if (warp || i == 0 || (run.first + i) % kConnectGroupWords == 0) ++units;
      most = std::max(most, units);
    }
  }
  return most;
}

TEST(DeviceBatches, UnitsOfConnectAreCounted) {
  std::uint64_t random = 1;
  const auto draw = [&](std::uint64_t below) { return (random = mix64(random)) % below; };
  for (int trial = 0; trial < 3000; ++trial) {
    std::vector<ConnectRun> runs(1 + draw(6));
    for (ConnectRun& run : runs) {
      constexpr std::uint64_t kMost[] = {2, 20, 40, 300};
      run = {static_cast<std::uint32_t>(draw(40)), draw(kMost[draw(4)])};
    }
    ASSERT_EQ(most_connect_units(runs.size(), [&](std::size_t i) { return runs[i]; }),
              plain_units(runs))
        << trial;
  }
  const ConnectRun all = {0, 1u << 27};
  EXPECT_EQ(most_connect_units(1, [&](std::size_t) { return all; }), 1u);
  const ConnectRun shifted = {4, 1u << 20};
  EXPECT_EQ(most_connect_units(1, [&](std::size_t) { return shifted; }), 2u);
}

}  // namespace
}  // namespace playproof::device_batches_test
