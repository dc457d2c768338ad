// What the searches of the module share.
#pragma once

#include "host/solve/solver.h"
#include "src/python/bindings.h"

namespace playproof::python {

// What a progress callback is told, with the interpreter's lock.
inline nb::dict progress_of(const Solver& solver, double seconds) {
  const Counters counters = solver.result().counters;
  nb::dict told;
  told["seconds"] = seconds;
  told["iterations"] = counters.iterations;
  told["nodes_created"] = counters.nodes_created;
  told["playouts"] = counters.playouts;
  told["peak_bytes"] = counters.peak_bytes;
  return told;
}

}  // namespace playproof::python
