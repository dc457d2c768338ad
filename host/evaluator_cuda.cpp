#include "host/evaluator_cuda.h"

#include <map>
#include <string>
#include <utility>

#include "games/error.h"
#include "host/evaluator_function.h"
#include "kernels/pgame_device.h"

namespace playproof {
namespace {

void throw_if(const DeviceError& error) {
  if (!error) return;
  std::string text = error.text;
  if (error.code > 0)
    text += " (" + std::string(error.call) + ", " + std::to_string(error.code) + ")";
  if (error.absent && cuda_built()) text = "no CUDA device on this machine: " + text;
  throw Error(ErrorCode::kUnavailable, "backend cuda: " + text);
}

class CudaEvaluator final : public PlayoutEvaluator<PGame> {
 public:
  explicit CudaEvaluator(std::unique_ptr<PGameDevice> device) : device_(std::move(device)) {}

  Ticket submit(std::span<const LeafRequest<PGame>> requests) override {
    for (const LeafRequest<PGame>& request : requests) {
      check_request(request.first, request.playouts);
    }
    std::size_t slot = 0;
    throw_if(device_->submit(requests, &slot));
    in_flight_[serial_] = {slot, requests.size()};
    return serial_++;
  }

  void collect(Ticket ticket, std::span<Tally> tallies) override {
    const auto found = in_flight_.find(ticket);
    const bool known = found != in_flight_.end();
    check_collect(known, known ? found->second.requests : 0, tallies.size());
    const std::size_t slot = found->second.slot;
    in_flight_.erase(found);
    throw_if(device_->collect(slot, tallies));
  }

  std::string name() const override { return "cuda"; }
  std::string device() const override { return device_->name(); }

 private:
  struct Batch {
    std::size_t slot = 0;
    std::size_t requests = 0;
  };
  std::unique_ptr<PGameDevice> device_;
  Ticket serial_ = 0;
  std::map<Ticket, Batch> in_flight_;
};

}  // namespace

std::unique_ptr<PlayoutEvaluator<PGame>> make_cuda_pgame(const PGame::Rules& rules,
                                                         std::uint64_t seed) {
  std::unique_ptr<PGameDevice> device;
  throw_if(open_pgame_device(0, rules, seed, &device));
  return std::make_unique<CudaEvaluator>(std::move(device));
}

}  // namespace playproof
