#include "host/table/depth_first_options.h"

#include "games/core/error.h"

namespace playproof {

LeafNumbers leaf_numbers(const Options& algorithm) {
  const std::string& leaf = algorithm.word("leaf");
  if (leaf == "unit") return LeafNumbers::unit();
  if (leaf == "mobility") return LeafNumbers::mobility();
  if (leaf == "quads") return LeafNumbers::quads();
  if (leaf == "mustplay") return LeafNumbers::must_play(algorithm.real("exponent"));
  if (leaf == "deep") {
    return LeafNumbers::deep(static_cast<std::uint64_t>(algorithm.integer("E")),
                             static_cast<std::uint32_t>(algorithm.integer("D")));
  }
  RateForm form{RateForm::Kind::kPower, algorithm.real("A")};
  if (algorithm.word("form") != "power") {
    const bool log = algorithm.word("form") == "log";
    form = {log ? RateForm::Kind::kLog : RateForm::Kind::kLinear, algorithm.real("S")};
  }
  if (leaf == "lines") return LeafNumbers::windows(form);
  return LeafNumbers::from_playouts(static_cast<int>(algorithm.integer("playouts")), form,
                                    leaf == "both");
}

namespace {

ThresholdRule threshold_rule(const Options& options) {
  using Kind = ThresholdRule::Kind;
  const std::string& name = options.entry().name;
  if (name == "pds") {
    return {.kind = Kind::kPds, .by_child = options.word("deepen") == "child"};
  }
  if (name == "pnstar") return {.kind = Kind::kPnStar};
  if (name == "alphabeta") return {.kind = Kind::kNone};
  const std::int64_t increment = options.integer("increment");
  const double epsilon = options.real("epsilon");
  if (epsilon > 0 && increment != 1) {  // 1 is the default: names in full say it too
    throw Error(ErrorCode::kUsage, name + ": increment and epsilon exclude each other");
  }
  if (epsilon > 0) return {.kind = Kind::kEpsilon, .epsilon = epsilon};
  if (increment == 0) return {.kind = Kind::kAverage};
  return {.kind = Kind::kConstant, .increment = static_cast<PhiDelta>(increment)};
}

EdgeCost edge_cost(const Options& options) {
  return {.edge = static_cast<PhiDelta>(options.integer("edge")),
          .moves = options.word("edges") == "moves"};
}

}  // namespace

FillLevel fill_level(const Options& algorithm) {
  const std::string& word = algorithm.word("fill");
  if (algorithm.word("zones") != "on" || word == "off") return FillLevel::kOff;
  if (word == "dead") return FillLevel::kDead;
  return word == "captured" ? FillLevel::kCaptured : FillLevel::kFull;
}

TableOptions table_options(const Options& algorithm) {
  TableOptions table;
  table.bytes = parse_size(algorithm.entry().name + ": table", algorithm.text("table"));
  table.probe = static_cast<std::uint32_t>(algorithm.integer("places"));
  table.gc = algorithm.real("gc");
  return table;
}

DepthFirstOptions depth_first_options(const Options& algorithm, const SearchOptions& search) {
  DepthFirstOptions options;
  static_cast<SearchOptions&>(options) = search;
  options.leaf = leaf_numbers(algorithm);
  options.rule = threshold_rule(algorithm);
  options.table = table_options(algorithm);
  options.table.beside = search.zones;
  options.table.locks = algorithm.word("tablelock") == "on";
  options.symmetry = algorithm.word("symmetry") == "on";
  if (options.rule.kind != ThresholdRule::Kind::kNone) options.edge = edge_cost(algorithm);
  options.by_resistance = search.links && algorithm.word("order") == "resistance";
  options.widening = algorithm.real("widening");
  options.searchers = static_cast<int>(algorithm.integer("searchers"));
  options.policy = algorithm.word("policy");
  options.job_depth = static_cast<std::uint32_t>(algorithm.integer("jobdepth"));
  return options;
}

}  // namespace playproof
