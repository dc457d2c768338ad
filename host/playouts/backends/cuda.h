// `cuda`: an NVIDIA GPU.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "host/playouts/backend.h"
#include "host/playouts/function.h"
#include "kernels/device/playout_device.h"

namespace playproof {

// Throws Error(kUnavailable) if there is one.
void throw_device_error(const DeviceError& error);

template <class G>
class CudaEvaluator final : public PlayoutEvaluator<G> {
 public:
  using typename PlayoutEvaluator<G>::Ticket;

  explicit CudaEvaluator(std::unique_ptr<PlayoutDevice<G>> device) : device_(std::move(device)) {}

  Ticket submit(std::span<const LeafRequest<G>> requests) override {
    for (const LeafRequest<G>& request : requests) {
      check_request(request.first, request.playouts);
    }
    std::size_t slot = 0;
    throw_device_error(device_->submit(requests, &slot));
    in_flight_[serial_] = {slot, requests.size()};
    return serial_++;
  }

  void collect(Ticket ticket, std::span<Tally> tallies) override {
    const auto found = in_flight_.find(ticket);
    const bool known = found != in_flight_.end();
    check_collect(known, known ? found->second.requests : 0, tallies.size());
    const std::size_t slot = found->second.slot;
    in_flight_.erase(found);
    throw_device_error(device_->collect(slot, tallies));
  }

  bool overlaps() const override { return true; }
  std::string name() const override { return "cuda"; }
  std::string device() const override { return device_->name(); }

 private:
  struct Batch {
    std::size_t slot = 0;
    std::size_t requests = 0;
  };
  std::unique_ptr<PlayoutDevice<G>> device_;
  Ticket serial_ = 0;
  std::map<Ticket, Batch> in_flight_;
};

struct CudaBackend {
  static BackendInfo info() {
    BackendInfo info = {{"cuda", "an NVIDIA GPU", {}}};
    info.on_device = true;
    return info;
  }
  // On the first device.
  template <Game G>
  static std::unique_ptr<PlayoutEvaluator<G>> make(const BackendParts<G>& parts) {
    std::unique_ptr<PlayoutDevice<G>> device;
    throw_device_error(open_playout_device<G>(0, parts.rules, parts.seed, &device));
    return std::make_unique<CudaEvaluator<G>>(std::move(device));
  }
};

}  // namespace playproof
