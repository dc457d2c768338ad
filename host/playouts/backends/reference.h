// `reference`: the definition, read aloud.
#pragma once

#include <memory>

#include "host/playouts/backend.h"
#include "host/playouts/function.h"
#include "kernels/list.h"

namespace playproof {

struct ReferenceBackend {
  static BackendInfo info() {
    return {{"reference", "one playout after the other on the reference rules; slow", {}}};
  }
  template <Game G>
  static std::unique_ptr<PlayoutEvaluator<G>> make(const BackendParts<G>& parts) {
    constexpr double kPlyNs = 2000;
    return make_function_evaluator(parts,
                                   {"reference", one_by_one<G>(reference_playouts<G>), kPlyNs});
  }
};

}  // namespace playproof
