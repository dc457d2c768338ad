#include "src/io/drive.h"

#include <chrono>

#include "src/io/interrupt.h"

namespace playproof {
namespace {

constexpr double kShortStep = 0.01;  // seconds
constexpr double kLongStep = 0.05;
constexpr std::uint64_t kMostBatches = 1 << 20;

}  // namespace

StopReason drive(Solver& solver, std::uint32_t batch, const std::function<bool()>& stopped,
                 const std::function<void(double)>& between) {
  using Clock = std::chrono::steady_clock;
  const auto seconds_since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  const Clock::time_point begin = Clock::now();
  std::uint64_t batches = 1;
  while (!stopped || !stopped()) {
    const Clock::time_point step_begin = Clock::now();
    const StopReason reason = solver.step(batches * batch);
    if (reason != StopReason::kRunning) return reason;
    const double step_seconds = seconds_since(step_begin);
    if (step_seconds < kShortStep && batches < kMostBatches) batches *= 2;
    if (step_seconds > kLongStep && batches > 1) batches /= 2;
    if (between) between(seconds_since(begin));
  }
  return StopReason::kStopped;
}

StopReason drive(Solver& solver, std::uint32_t batch, Progress& progress,
                 const std::function<void()>& between) {
  return drive(solver, batch, interrupted, [&](double elapsed) {
    progress.update(solver, elapsed);
    if (between) between();
  });
}

}  // namespace playproof
