// `latency`: a simulated device: tallies of another backend, ready when a device would have them.
// Batches run one after the other, each for playouts / rate seconds, and none begins before its
// launch latency is over; launches overlap what runs. Its clock stands still while the other
// backend is called, and jumps to the end of a batch that is waited for: no core spins, so that the
// CPU time of a search is that of its own work and of the other backend.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "host/playouts/backend.h"

namespace playproof {

// When the batches of a device begin and end, in seconds of one clock.
class DeviceClock {
 public:
  DeviceClock(double latency, double rate) : latency_(latency), rate_(rate) {}

  // The end of a batch that is submitted at `now`; calls come in the order of time.
  double submit(double now, std::uint64_t playouts) {
    const double begin = std::max(now + latency_, end_);
    busy_ += begin - std::max(now, std::min(end_, begin));
    end_ = begin + static_cast<double>(playouts) / rate_;
    busy_ += end_ - begin;
    return end_;
  }
  // From now on it is one of so many whose batches share a device.
  void share(int clocks) { rate_ /= clocks; }
  // Time with at least one batch submitted and not ended, all batches so far.
  double busy() const { return busy_; }

 private:
  double latency_;
  double rate_;
  double end_ = 0;  // of the last batch
  double busy_ = 0;
};

template <class G>
class LatencyEvaluator final : public PlayoutEvaluator<G> {
 public:
  using typename PlayoutEvaluator<G>::Ticket;

  LatencyEvaluator(std::unique_ptr<PlayoutEvaluator<G>> of, double microseconds, double rate,
                   std::string name)
      : of_(std::move(of)), clock_(1e-6 * microseconds, rate), name_(std::move(name)) {}

  bool overlaps() const override { return true; }
  void share(int evaluators) override {
    clock_.share(evaluators);
    of_->share(evaluators);
  }
  Ticket submit(std::span<const LeafRequest<G>> requests) override {
    std::uint64_t playouts = 0;
    for (const LeafRequest<G>& request : requests) playouts += request.playouts;
    const double end = clock_.submit(now(), playouts);
    const double begin = wall();
    const Ticket ticket = of_->submit(requests);
    simulation_ += wall() - begin;
    ends_.emplace(ticket, end);
    return ticket;
  }

  void collect(Ticket ticket, std::span<Tally> tallies) override {
    const double begin = wall();
    of_->collect(ticket, tallies);
    simulation_ += wall() - begin;
    simulation_ -= std::max(0.0, ends_.extract(ticket).mapped() - now());
  }

  bool begin_search() override { return ends_.empty() && of_->begin_search(); }
  double busy_seconds() const override { return clock_.busy(); }
  double simulation_seconds() const override { return simulation_; }
  std::string name() const override { return name_; }
  std::string device() const override { return "simulated"; }

 private:
  double wall() const {
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start_;
    return time.count();
  }
  double now() const { return wall() - simulation_; }

  std::unique_ptr<PlayoutEvaluator<G>> of_;
  DeviceClock clock_;
  std::string name_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double simulation_ = 0;  // in the other backend, without what was not waited for
  std::map<Ticket, double> ends_;
};

struct LatencyBackend {
  static BackendInfo info() {
    BackendInfo info{
        {"latency",
         "a simulated device, to tune the pipeline",
         {engine_option("of", "cpu", "the backend whose tallies are used"),
          {"us", OptionType::kReal, "20", 0, 1e6, {}, "microseconds until a batch starts"},
          {"rate", OptionType::kReal, "6e10", 1, 1e15, {}, "playouts a second"}}}};
    info.engine = false;
    info.many_searches = true;
    return info;
  }
  template <Game G>
  static std::unique_ptr<PlayoutEvaluator<G>> make(const BackendParts<G>& parts) {
    const Options& options = parts.options;
    return std::make_unique<LatencyEvaluator<G>>(parts.make(options.word("of")), options.real("us"),
                                                 options.real("rate"), options.canonical());
  }
};

}  // namespace playproof
