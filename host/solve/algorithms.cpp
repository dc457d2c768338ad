#include "host/solve/algorithms.h"

#include "host/solve/make_solver.h"
#include "host/solve/solver.h"

namespace playproof {

const Catalogue& algorithm_catalogue() {
  static const Catalogue catalogue = [] {
    Catalogue algorithms{"algorithm", {}};
    AllAlgorithms::for_each([&]<class A>() { algorithms.entries.push_back(A::info()); });
    return algorithms;
  }();
  return catalogue;
}

Options algorithm_options(const std::string& text) {
  const Spec spec = parse_spec(text);
  const CatalogueEntry& entry = algorithm_catalogue().find(spec.name);
  Options options(entry, spec);
  AllAlgorithms::visit(algorithm_catalogue().index(entry), [&]<class A>() {
    if constexpr (requires { A::complete(options); }) A::complete(options);
  });
  return options;
}

}  // namespace playproof
