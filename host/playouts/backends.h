// All backends: the only place that lists them. What one is made of: host/playouts/backend.h.
#pragma once

#include "games/core/named_types.h"
#include "host/playouts/backends/check.h"
#include "host/playouts/backends/cpu.h"
#include "host/playouts/backends/cuda.h"
#include "host/playouts/backends/fake.h"
#include "host/playouts/backends/latency.h"
#include "host/playouts/backends/reference.h"
#include "host/playouts/backends/scalar.h"

namespace playproof {

using AllBackends = NamedTypes<AutoBackend, CpuBackend, ScalarBackend, ReferenceBackend,
                               CudaBackend, FakeBackend, CheckBackend, LatencyBackend>;

}  // namespace playproof
