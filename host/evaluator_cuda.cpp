#include "host/evaluator_cuda.h"

#include <map>
#include <string>
#include <utility>

#include "games/connect.h"
#include "games/error.h"
#include "games/hex.h"
#include "games/othello.h"
#include "games/pgame.h"
#include "host/evaluator_function.h"
#include "kernels/playout_device.h"

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
  std::unique_ptr<PlayoutDevice<G>> device_;
  Ticket serial_ = 0;
  std::map<Ticket, Batch> in_flight_;
};

}  // namespace

template <class G>
std::unique_ptr<PlayoutEvaluator<G>> make_cuda_evaluator(const typename G::Rules& rules,
                                                         std::uint64_t seed) {
  std::unique_ptr<PlayoutDevice<G>> device;
  throw_if(open_playout_device<G>(0, rules, seed, &device));
  return std::make_unique<CudaEvaluator<G>>(std::move(device));
}

template std::unique_ptr<PlayoutEvaluator<PGame>> make_cuda_evaluator<PGame>(const PGame::Rules&,
                                                                             std::uint64_t);
template std::unique_ptr<PlayoutEvaluator<Hex<1>>> make_cuda_evaluator<Hex<1>>(const Hex<1>::Rules&,
                                                                               std::uint64_t);
template std::unique_ptr<PlayoutEvaluator<Hex<6>>> make_cuda_evaluator<Hex<6>>(const Hex<6>::Rules&,
                                                                               std::uint64_t);
template std::unique_ptr<PlayoutEvaluator<Othello>> make_cuda_evaluator<Othello>(
    const Othello::Rules&, std::uint64_t);
template std::unique_ptr<PlayoutEvaluator<Connect<1>>> make_cuda_evaluator<Connect<1>>(
    const Connect<1>::Rules&, std::uint64_t);
template std::unique_ptr<PlayoutEvaluator<Connect<6>>> make_cuda_evaluator<Connect<6>>(
    const Connect<6>::Rules&, std::uint64_t);

}  // namespace playproof
