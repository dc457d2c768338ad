// Accelerators, on machines with and without one.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "kernels/device_info.h"
#include "kernels/pgame_device.h"
#include "kernels/reference_playouts.h"
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

TEST(Devices, OpenOnlyIfListed) {
  const int count = static_cast<int>(list_devices().size());
  for (const int ordinal : {-1, 0, count, count + 1}) {
    std::unique_ptr<PGameDevice> device;
    const DeviceError error = open_pgame_device(ordinal, PGame::Rules{}, 1, &device);
    const bool listed = ordinal >= 0 && ordinal < count;
    EXPECT_EQ(static_cast<bool>(error), !listed) << ordinal;
    EXPECT_EQ(device != nullptr, listed) << ordinal;
    EXPECT_EQ(error.code == 0, *error.text == '\0');
    EXPECT_EQ(error.code == DeviceError::kNotBuilt, !cuda_built());
  }
}

TEST(Devices, PGamesEqualReference) {
  if (list_devices().empty()) GTEST_SKIP() << "no device on this machine";
  for (const int branching : {2, 3, 8, 64}) {
    PGame::Rules rules;
    rules.branching = static_cast<std::uint8_t>(branching);
    std::unique_ptr<PGameDevice> device;
    ASSERT_FALSE(open_pgame_device(0, rules, 3, &device));
    std::vector<std::size_t> slots;
    std::vector<std::vector<LeafRequest<PGame>>> batches;
    for (const std::size_t size : {0u, 1u, 31u, 32u, 33u, 64u, 65u, 1023u, 1024u, 1025u}) {
      std::vector<LeafRequest<PGame>> batch;
      for (std::size_t i = 0; i < size; ++i) {
        const auto state = random_position<PGame>(rules, static_cast<int>(i % 20), i);
        const auto n = static_cast<std::uint32_t>(i == 40 ? 10000 : 1 + i % 100);
        batch.push_back(request_of<PGame>(rules, state, 32 * static_cast<std::uint32_t>(i), n));
      }
      slots.emplace_back();
      ASSERT_FALSE(device->submit(batch, &slots.back()));
      batches.push_back(batch);
    }
    for (std::size_t b = batches.size(); b-- > 0;) {  // all were on their way at once
      std::vector<Tally> tallies(batches[b].size());
      ASSERT_FALSE(device->collect(slots[b], tallies));
      for (std::size_t i = 0; i < tallies.size(); ++i) {
        ASSERT_EQ(tallies[i], reference_playouts<PGame>(rules, 3, batches[b][i])) << i;
      }
    }
  }
}

}  // namespace
}  // namespace playproof
