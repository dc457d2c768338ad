// P-game playouts on an accelerator. Plain C++: the device code is behind it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "games/pgame.h"
#include "kernels/device_info.h"
#include "kernels/playout.h"

namespace playproof {

// Several batches may be on their way; each has a slot of its own. For one caller at a time.
class PGameDevice {
 public:
  virtual ~PGameDevice() = default;
  // Starts a batch and returns at once; the requests are copied. `slot` names the batch.
  virtual DeviceError submit(std::span<const LeafRequest<PGame>> requests, std::size_t* slot) = 0;
  // Waits for the batch in `slot`, writes one tally a request and frees the slot, also if it fails.
  virtual DeviceError collect(std::size_t slot, std::span<Tally> tallies) = 0;
  virtual std::string name() const = 0;
};

// Opens device `ordinal`; *device is null exactly if there is an error.
DeviceError open_pgame_device(int ordinal, const PGame::Rules& rules, std::uint64_t seed,
                              std::unique_ptr<PGameDevice>* device);

}  // namespace playproof
