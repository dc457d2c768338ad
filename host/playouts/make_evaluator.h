// The body of make_evaluator(), for the translation units that instantiate it.
#pragma once

#include <memory>
#include <string>

#include "games/core/error.h"
#include "host/playouts/backends.h"

namespace playproof {

template <class G>
std::unique_ptr<PlayoutEvaluator<G>> make_evaluator(const typename G::Rules& rules,
                                                    const std::string& backend, int threads) {
  if (threads < 1) {
    throw Error(ErrorCode::kUsage, "threads must be at least 1, not " + std::to_string(threads));
  }
  const Spec spec = parse_spec(backend);
  const Options options(backend_catalogue().find(spec.name), spec);
  std::unique_ptr<PlayoutEvaluator<G>> evaluator;
  AllBackends::visit(backend_catalogue().index(options.entry()), [&]<class B>() {
    evaluator = B::template make<G>(BackendParts<G>{rules, options, threads});
  });
  return evaluator;
}

}  // namespace playproof
