// All backends: the only place that lists them. What one is made of: host/playouts/backend.h.
#pragma once

#include <string_view>
#include <vector>

#include "host/playouts/backends/check.h"
#include "host/playouts/backends/cpu.h"
#include "host/playouts/backends/cuda.h"
#include "host/playouts/backends/fake.h"
#include "host/playouts/backends/latency.h"
#include "host/playouts/backends/reference.h"
#include "host/playouts/backends/scalar.h"

namespace playproof {

template <class... Backend>
struct BackendList {
  static std::vector<BackendInfo> infos() { return {Backend::info()...}; }
  // Calls f.template operator()<B>() with the backend of that name; one of them has it.
  template <class F>
  static void visit(std::string_view name, const F& f) {
    (void)((name == Backend::info().entry.name && (f.template operator()<Backend>(), true)) || ...);
  }
};

using AllBackends = BackendList<AutoBackend, CpuBackend, ScalarBackend, ReferenceBackend,
                                CudaBackend, FakeBackend, CheckBackend, LatencyBackend>;

}  // namespace playproof
