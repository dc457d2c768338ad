// The loop that drives a search: steps, progress, signals. Limits are the solver's.
#pragma once

#include <cstdint>
#include <functional>

#include "host/solve/solver.h"
#include "src/io/progress.h"

namespace playproof {

// Steps `solver` until it stops by itself, or `stopped` says so: kStopped. Steps are whole batches
// and last some hundredths of a second, so that is asked often and no count depends on how the run
// was cut. `between` is called after each step that leaves the search running, with the seconds
// since the first one.
StopReason drive(Solver& solver, std::uint32_t batch, const std::function<bool()>& stopped,
                 const std::function<void(double)>& between = {});

// The same until a signal comes (src/io/interrupt.h), and with progress.
StopReason drive(Solver& solver, std::uint32_t batch, Progress& progress,
                 const std::function<void()>& between = {});

}  // namespace playproof
