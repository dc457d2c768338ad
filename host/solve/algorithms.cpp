#include "host/solve/algorithms.h"

#include "host/solve/make_solver.h"
#include "host/solve/solver.h"

namespace playproof {

const Catalogue& algorithm_catalogue() {
  static const Catalogue catalogue = AllAlgorithms::catalogue();
  return catalogue;
}

Options algorithm_options(const std::string& text) {
  const Spec spec = parse_spec(text);
  Options options(algorithm_catalogue().find(spec.name), spec);
  AllAlgorithms::visit(spec.name, [&]<class A>() {
    if constexpr (requires { A::complete(options); }) A::complete(options);
  });
  return options;
}

}  // namespace playproof
