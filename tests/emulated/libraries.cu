// What Thrust does for kernels/ on a device, done plainly.
#include "kernels/device/device_launch.cuh"
#include "kernels/pgame/search.h"
#include "kernels/pgame/values.h"

namespace playproof {

DeviceError pgame_values(int ordinal, const PGame::Rules& rules,
                         std::span<const PGame::State> positions, Value* values, std::size_t) {
  for (const PGame::State& position : positions) {
    PGameSearch search(rules, position, -1, 1);
    search.run(~std::uint64_t{0});
    *values++ = search.value();
  }
  return make_current(ordinal);
}

}  // namespace playproof
