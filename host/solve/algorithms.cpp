#include "host/solve/algorithms.h"

#include "host/solve/make_solver.h"
#include "host/solve/option_rows.h"
#include "host/solve/solver.h"

namespace playproof {

const Catalogue& algorithm_catalogue() {
  static const Catalogue catalogue = [] {
    Catalogue algorithms{"algorithm", {}};
    AllAlgorithms::for_each(
        [&]<class A>() { algorithms.entries.push_back(rows::with_knowledge(A::info())); });
    return algorithms;
  }();
  return catalogue;
}

bool keeps_table(const std::string& algorithm) {
  const CatalogueEntry& entry = algorithm_catalogue().find(parse_spec(algorithm).name);
  bool keeps = false;
  AllAlgorithms::visit(algorithm_catalogue().index(entry),
                       [&]<class A>() { keeps = kHasTable<A>; });
  return keeps;
}

std::string algorithm_as_stored(const std::string& stored) {
  const Spec spec = parse_spec(stored);
  const CatalogueEntry& entry = algorithm_catalogue().find(spec.name);
  const Options options(entry, spec);
  std::string name = stored;
  for (const OptionInfo& option : entry.options) {
    if (options.given(option.name) || option.neutral.empty()) continue;
    if (option.neutral == option.default_text) continue;
    name += (name.find(':') == std::string::npos ? ':' : ',') + option.name + "=" + option.neutral;
  }
  return name;
}

std::string stored_algorithm(const std::string& canonical) {
  const Spec spec = parse_spec(algorithm_as_stored(canonical));
  return Options(algorithm_catalogue().find(spec.name), spec).stored_name();
}

Options algorithm_options(const std::string& text, bool has_zones, bool repeats) {
  const Spec spec = parse_spec(text);
  const CatalogueEntry& entry = algorithm_catalogue().find(spec.name);
  Options options(entry, spec);
  if (!has_zones) rows::without_zones(options);
  if (repeats) rows::on_paths(options);
  AllAlgorithms::visit(algorithm_catalogue().index(entry), [&]<class A>() {
    if constexpr (requires { A::complete(options); }) A::complete(options);
  });
  return options;
}

}  // namespace playproof
