// `cuda`: an NVIDIA GPU, or all of them.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "host/playouts/backend.h"
#include "host/playouts/device_error.h"
#include "host/playouts/function.h"
#include "kernels/device/playout_device.h"
#include "kernels/device/several_devices.h"

namespace playproof {

template <class G>
class CudaEvaluator final : public PlayoutEvaluator<G> {
 public:
  using typename PlayoutEvaluator<G>::Ticket;

  CudaEvaluator(std::unique_ptr<PlayoutDevice<G>> device, std::string name)
      : device_(std::move(device)), name_(std::move(name)) {}

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

  bool begin_search() override { return in_flight_.empty(); }
  bool overlaps() const override { return true; }
  std::string name() const override { return name_; }
  std::string device() const override { return device_->name(); }
  double busy_seconds() const override { return device_->busy_seconds(); }

 private:
  struct Batch {
    std::size_t slot = 0;
    std::size_t requests = 0;
  };
  std::unique_ptr<PlayoutDevice<G>> device_;
  std::string name_;
  Ticket serial_ = 0;
  std::map<Ticket, Batch> in_flight_;
};

struct CudaBackend {
  static BackendInfo info() {
    OptionInfo device = integer_option("device", "0", 0, 63, "which one, as `devices` lists them");
    OptionInfo devices = {"devices",
                          OptionType::kWord,
                          "one",
                          0,
                          0,
                          {"one", "all"},
                          "a batch goes to this one, or to the one that has the least to do"};
    device.neutral = device.default_text;
    devices.neutral = devices.default_text;
    BackendInfo info = {{"cuda", "an NVIDIA GPU", {device, devices}}};
    info.on_device = true;
    info.many_searches = true;
    return info;
  }
  template <Game G>
  static std::unique_ptr<PlayoutEvaluator<G>> make(const BackendParts<G>& parts) {
    if constexpr (!AcyclicGame<G> && !kOwnPlayouts<G>) {  // no kernel would cut a game off
      throw Error(
          ErrorCode::kUnavailable,
          "backend cuda: no playouts of this game, in which positions can come again; cpu has "
          "them");
    }
    const Options& options = parts.options;
    const bool all = options.word("devices") == "all";
    if (all && options.given("device")) {
      throw Error(ErrorCode::kUsage, "backend cuda: device= is of devices=one");
    }
    return std::make_unique<CudaEvaluator<G>>(
        all ? open_all(parts) : open(parts, static_cast<int>(options.integer("device"))),
        options.canonical());
  }

 private:
  template <Game G>
  static std::unique_ptr<PlayoutDevice<G>> open(const BackendParts<G>& parts, int ordinal) {
    std::unique_ptr<PlayoutDevice<G>> device;
    throw_device_error(open_playout_device<G>(ordinal, parts.rules, &device));
    return device;
  }
  // Opens those that `devices` lists; if there are none, throws the error that says so.
  template <Game G>
  static std::unique_ptr<PlayoutDevice<G>> open_all(const BackendParts<G>& parts) {
    std::vector<std::unique_ptr<PlayoutDevice<G>>> devices;
    for (const DeviceInfo& info : list_devices()) devices.push_back(open(parts, info.ordinal));
    if (devices.empty()) return open(parts, 0);
    return std::make_unique<SeveralDevices<G>>(std::move(devices));
  }
};

}  // namespace playproof
