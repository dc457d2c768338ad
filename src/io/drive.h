// The loop that drives a search: steps, progress, signals. Limits are the solver's.
#pragma once

#include <cstdint>
#include <functional>

#include "host/solve/solver.h"
#include "src/io/progress.h"

namespace playproof {

// Steps `solver` until it stops by itself, or a signal came (src/io/interrupt.h): kStopped. Steps
// are whole batches and last some hundredths of a second, so a signal is answered at once and no
// count depends on how the run was cut. `between` is called after each step that leaves the search
// running.
StopReason drive(Solver& solver, std::uint32_t batch, Progress& progress,
                 const std::function<void()>& between = {});

}  // namespace playproof
