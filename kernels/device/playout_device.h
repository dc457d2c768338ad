// Playouts of any game on an accelerator. Plain C++: the device code is behind it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "kernels/common/playout.h"
#include "kernels/device/batch_ways.h"
#include "kernels/device/device_info.h"

namespace playproof {

// Several batches may be on their way; each has a slot of its own. For one caller at a time.
template <class G>
class PlayoutDevice {
 public:
  virtual ~PlayoutDevice() = default;
  // Starts a batch and returns at once; the requests are copied. `slot` names the batch. If memory
  // is short the batch is cut in pieces, of which all but the last are played before this returns.
  virtual DeviceError submit(std::span<const LeafRequest<G>> requests, std::size_t* slot) = 0;
  // Waits for the batch in `slot`, writes one tally a request and frees the slot, also if it fails.
  virtual DeviceError collect(std::size_t slot, std::span<Tally> tallies) = 0;
  virtual std::string name() const = 0;
  // Seconds with at least one of its batches on the device, by the device's clock; of those that
  // were collected.
  virtual double busy_seconds() const = 0;
  // Batches go this way from now on, and are copied where they do not fit; by their size if none is
  // told, as at first. For measurements: tallies are the same.
  virtual void go(std::optional<BatchWay> way) = 0;
};

// Opens device `ordinal`; *device is null exactly if there is an error. Defined for every
// game type of games/list.h.
template <class G>
DeviceError open_playout_device(int ordinal, const typename G::Rules& rules,
                                std::unique_ptr<PlayoutDevice<G>>* device);

}  // namespace playproof
