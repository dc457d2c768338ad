#include "host/solve/algorithms.h"

#include <algorithm>
#include <string>

#include "games/core/error.h"
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

void check_workers(const SolveRequest& request, const Options& algorithm, bool repeats) {
  if (request.workers < 1 || request.workers > kMostWorkers) {
    throw Error(ErrorCode::kUsage, "workers must be 1.." + std::to_string(kMostWorkers));
  }
  rows::check_several(algorithm, has_workers(request));
  if (!has_workers(request)) return;
  const std::string& name = algorithm.entry().name;
  if (!algorithm.has("searchers")) {
    std::string others;
    for (const CatalogueEntry& entry : algorithm_catalogue().entries) {
      const bool has = std::ranges::any_of(
          entry.options, [](const OptionInfo& option) { return option.name == "searchers"; });
      if (has) others += (others.empty() ? "" : ", ") + entry.name;
    }
    throw Error(ErrorCode::kUsage, "--workers: " + name + " has one; several have " + others);
  }
  if (repeats) {
    throw Error(ErrorCode::kUsage, "--workers: " + name +
                                       " has one where positions can come again, and in this game "
                                       "they can");
  }
  if (algorithm.integer("searchers") > 1) {
    throw Error(ErrorCode::kUsage, "--workers: the searchers of " + algorithm.canonical() +
                                       " take turns in one thread; ask for one or the other");
  }
}

void check_without_quads(const Options& algorithm) {
  if (!algorithm.has("leaf") || algorithm.word("leaf") != "quads") return;
  throw Error(ErrorCode::kUsage, algorithm.entry().name +
                                     ": leaf=quads needs a game whose stones are to be one group "
                                     "(loa), which this one is not");
}

Options algorithm_options(const std::string& text, bool has_zones, bool repeats, bool has_races) {
  const Spec spec = parse_spec(text);
  const CatalogueEntry& entry = algorithm_catalogue().find(spec.name);
  Options options(entry, spec);
  if (!has_zones) rows::without_zones(options);
  if (repeats) rows::on_paths(options);
  AllAlgorithms::visit(algorithm_catalogue().index(entry), [&]<class A>() {
    if constexpr (requires { A::complete(options); }) A::complete(options);
  });
  rows::check_turns(options, has_races);
  return options;
}

}  // namespace playproof
