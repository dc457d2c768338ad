// Several devices as one: a batch goes to the one that has the least to do. Tallies are the same on
// all of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kernels/device/playout_device.h"

namespace playproof {

template <class G>
class SeveralDevices final : public PlayoutDevice<G> {
 public:
  // At least one.
  explicit SeveralDevices(std::vector<std::unique_ptr<PlayoutDevice<G>>> devices)
      : devices_(std::move(devices)), waiting_(devices_.size()) {}

  DeviceError submit(std::span<const LeafRequest<G>> requests, std::size_t* slot) override {
    const auto least = std::ranges::min_element(waiting_);
    const auto which = static_cast<std::size_t>(least - waiting_.begin());
    Batch batch = {which, 0, 0};
    for (const LeafRequest<G>& request : requests) batch.playouts += request.playouts;
    const DeviceError error = devices_[which]->submit(requests, &batch.slot);
    if (error) return error;
    *least += batch.playouts;
    if (free_.empty()) {
      free_.push_back(batches_.size());
      batches_.emplace_back();
    }
    *slot = free_.back();
    free_.pop_back();
    batches_[*slot] = batch;
    return {};
  }
  DeviceError collect(std::size_t slot, std::span<Tally> tallies) override {
    const Batch& batch = batches_[slot];
    free_.push_back(slot);
    waiting_[batch.device] -= batch.playouts;
    return devices_[batch.device]->collect(batch.slot, tallies);
  }
  // "A, A, B"
  std::string name() const override {
    std::string names;
    for (const auto& device : devices_) names += (names.empty() ? "" : ", ") + device->name();
    return names;
  }
  // The mean of the devices.
  double busy_seconds() const override {
    double sum = 0;
    for (const auto& device : devices_) sum += device->busy_seconds();
    return sum / static_cast<double>(devices_.size());
  }

 private:
  struct Batch {
    std::size_t device = 0;
    std::size_t slot = 0;  // of the device
    std::uint64_t playouts = 0;
  };

  std::vector<std::unique_ptr<PlayoutDevice<G>>> devices_;
  std::vector<std::uint64_t> waiting_;  // playouts at each of them
  std::vector<Batch> batches_;
  std::vector<std::size_t> free_;
};

}  // namespace playproof
