// `latency`: a simulated device: tallies of another backend, ready when a device would have them.
// Batches run one after the other, each for playouts / rate seconds, and none begins before its
// launch latency is over; launches overlap what runs. Its clock is the CPU time of the thread that
// calls, without what it spends in the other backend, and jumps to the end of a batch that is
// waited for: what a search takes is its own work and its waits, whatever else the machine does,
// and no core spins. What looking at that clock takes is known, and in no time.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <map>
#include <memory>
#include <string>
#include <thread>
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
  // Makes it one of so many clocks whose batches share a device from now on.
  void share_among(int clocks) { rate_ /= clocks; }
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
  void share_among(int evaluators) override {
    clock_.share_among(evaluators);
    of_->share_among(evaluators);
  }
  Ticket submit(std::span<const LeafRequest<G>> requests) override {
    std::uint64_t playouts = 0;
    for (const LeafRequest<G>& request : requests) playouts += request.playouts;
    if (batches_++ % kBatchesBetween == 0) measure_look();
    const double begin = cpu();
    const double end = clock_.submit(at(begin), playouts);
    const Ticket ticket = of_->submit(requests);
    add_other(begin, cpu());
    ends_.emplace(ticket, end);
    return ticket;
  }

  void collect(Ticket ticket, std::span<Tally> tallies) override {
    const double begin = cpu();
    of_->collect(ticket, tallies);
    const double end = cpu();
    add_other(begin, end);
    waited_ += std::max(0.0, ends_.extract(ticket).mapped() - at(end));
  }

  bool begin_search() override { return ends_.empty() && of_->begin_search(); }
  double busy_seconds() const override { return clock_.busy(); }
  double simulation_seconds() const override {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    return passed.count() - at(cpu());
  }
  double simulation_cpu_seconds() const override { return looking_; }
  std::string name() const override { return name_; }
  std::string device() const override { return "simulated"; }

 private:
  static constexpr std::uint64_t kBatchesBetween = 64;  // that a look is measured

  // The clock when cpu() says so.
  double at(double cpu) const { return cpu - other_ - looking_ + waited_; }
  // A call of the other backend lies between two looks, and as much as one of them takes is in its
  // time: the rest of the first and the beginning of the second.
  void add_other(double begin, double end) { other_ += end - begin - look_seconds_; }
  // What the threads that call have used, each from its first call on after another one's.
  double cpu() const {
    const double seconds = look();
    const std::thread::id caller = std::this_thread::get_id();
    if (caller == caller_) cpu_ += seconds - last_;
    caller_ = caller;
    last_ = seconds;
    return cpu_;
  }
  double look() const {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    looking_ += look_seconds_;
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
  // What a look takes, which may be half as much again from one moment to the next.
  void measure_look() {
    const double first = look();
    const double second = look();
    look_seconds_ = std::min(second - first, look() - second);
  }

  std::unique_ptr<PlayoutEvaluator<G>> of_;
  DeviceClock clock_;
  std::string name_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double other_ = 0;   // CPU time in the other backend, without looks
  double waited_ = 0;  // for batches, by the clock
  mutable std::thread::id caller_;
  mutable double last_ = 0;  // its CPU time when it called
  mutable double cpu_ = 0;
  double look_seconds_ = 0;
  mutable double looking_ = 0;  // CPU time of all looks
  std::uint64_t batches_ = 0;
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
