// `bench fleet`: the same searches on the cores, on a device leaf by leaf, and as a whole there.
#pragma once

#include "src/bench/search.h"

namespace playproof {

// Prints a row a way and returns the exit status. Counts must be the same in all: throws
// Error(kInternal) where they are not; kUnavailable if there is no such device, before anything is
// timed; kUsage as the searches do.
int bench_fleet_ways(const BenchSearchOptions& options);

}  // namespace playproof
