// Several devices as one: a batch goes to the one that has the fewest playouts of ours to do; if
// some have as few, to the next of them in turn. Others that use the same devices begin elsewhere.
// Tallies are the same on all of them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kernels/device/playout_device.h"

namespace playproof {

template <class G>
class SeveralDevices final : public PlayoutDevice<G> {
 public:
  // Takes at least one device. `first` (mod their number) is the one that goes first.
  explicit SeveralDevices(std::vector<std::unique_ptr<PlayoutDevice<G>>> devices,
                          std::size_t first = number_of_ours())
      : devices_(std::move(devices)), waiting_(devices_.size()), next_(first % devices_.size()) {}

  DeviceError submit(std::span<const LeafRequest<G>> requests, std::size_t* slot) override {
    const std::size_t which = least();
    Batch batch = {which, 0, 0};
    for (const LeafRequest<G>& request : requests) batch.playouts += request.playouts;
    const DeviceError error = devices_[which]->submit(requests, &batch.slot);
    if (error) return error;
    waiting_[which] += batch.playouts;
    next_ = (which + 1) % devices_.size();
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
  void go(std::optional<BatchWay> way) override {
    for (const auto& device : devices_) device->go(way);
  }

 private:
  struct Batch {
    std::size_t device = 0;
    std::size_t slot = 0;  // of the device
    std::uint64_t playouts = 0;
  };

  // How many of this type there were before, in the whole process.
  static std::size_t number_of_ours() {
    static std::atomic<std::size_t> made = 0;
    return made++;
  }
  std::size_t least() const {
    std::size_t best = next_;
    for (std::size_t i = 1; i < devices_.size(); ++i) {
      const std::size_t other = (next_ + i) % devices_.size();
      if (waiting_[other] < waiting_[best]) best = other;
    }
    return best;
  }

  std::vector<std::unique_ptr<PlayoutDevice<G>>> devices_;
  std::vector<std::uint64_t> waiting_;  // playouts at each of them
  std::size_t next_;                    // the device after the last one, which goes first
  std::vector<Batch> batches_;
  std::vector<std::size_t> free_;
};

}  // namespace playproof
