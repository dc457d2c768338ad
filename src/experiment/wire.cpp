#include "src/experiment/wire.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "games/core/error.h"
#include "games/core/printable.h"
#include "host/question/question.h"
#include "src/io/json.h"
#include "src/store/foreign.h"

namespace playproof {
namespace {

using Json = nlohmann::ordered_json;  // written: fields in their order
using Found = nlohmann::json;         // read: fields are looked up by name

// What is read or written: the fields of a type, each with its name.
template <class Run, class Visit>
void visit_run(Run& run, const Visit& visit) {
  visit("key", run.key);
  visit("plan", run.plan);
  visit("series", run.series);
  visit("problem", run.problem);
  visit("game", run.game);
  visit("position", run.position);
  visit("goal", run.goal);
  visit("algorithm", run.algorithm);
  visit("spec", run.spec);
  visit("repetition", run.repetition);
  visit("seed", run.seed);
  visit("batch", run.batch);
  visit("pipeline", run.pipeline);
  visit("workers", run.workers);
  visit("max_nodes", run.max_nodes);
  visit("max_memory", run.max_memory);
  visit("max_cpu_seconds", run.max_cpu_seconds);
  visit("iteration_divisor", run.iteration_divisor);
  visit("backend", run.backend);
  visit("expected", run.expected);
  visit("ask_oracle", run.ask_oracle);
  visit("error_curve", run.error_curve);
  visit("shares_playouts", run.shares_playouts);
  visit("question", run.question);
  visit("instance", run.instance);
}

// What came out; of what was asked, which who reads it knows, only the key.
template <class Row, class Visit>
void visit_row(Row& row, const Visit& visit) {
  visit("key", row.key);
  visit("backend", row.backend);
  visit("device", row.device);
  visit("outcome", row.outcome);
  visit("verdict", row.verdict);
  visit("reason", row.reason);
  visit("expected", row.expected);
  visit("expected_source", row.expected_source);
  visit("best_move", row.best_move);
  visit("lower", row.lower);
  visit("upper", row.upper);
  visit("iterations", row.iterations);
  visit("iterations_normalised", row.iterations_normalised);
  visit("nodes_created", row.nodes_created);
  visit("nodes_expanded", row.nodes_expanded);
  visit("evaluations", row.evaluations);
  visit("playouts", row.playouts);
  visit("max_depth", row.max_depth);
  visit("node_visits", row.node_visits);
  visit("re_entries", row.re_entries);
  visit("branch_switches", row.branch_switches);
  visit("root_switches", row.root_switches);
  visit("peak_bytes", row.peak_bytes);
  for (std::size_t i = 0; i < kMoreCounters.size(); ++i) visit(kMoreCounters[i], row.more[i]);
  visit("counters", row.counters);
  visit("curve", row.curve);
  visit("seconds", row.seconds);
  visit("cpu_seconds", row.cpu_seconds);
  visit("invocation", row.invocation);
  visit("version", row.version);
  visit("revision", row.revision);
  visit("compiler", row.compiler);
  visit("host", row.host);
  visit("cpu_model", row.cpu_model);
  visit("started", row.started);
  visit("finished", row.finished);
}

constexpr std::array kStates = {"result", "stopped", "memory", "failed"};

// ---- writing ----------------------------------------------------------------------------------

Json written(const std::string& value) { return valid_utf8(value); }
template <class Number>
requires std::is_arithmetic_v<Number> Json written(Number value) { return value; }
Json written(const std::optional<std::string>& value) {
  return value ? written(*value) : Json(nullptr);
}
Json written(const std::optional<ErrorCurve>& value) {
  if (!value) return nullptr;
  Json points = Json::array();
  for (const auto& [iteration, error] : *value) points.push_back({iteration, error});
  return points;
}

// ---- reading ----------------------------------------------------------------------------------

constexpr std::size_t kMostText = std::size_t{1} << 16;  // bytes of a text in an answer
constexpr std::size_t kMostShown = 100;

// Is meant for messages. What is nested is not written out: it may be nested deeper than the stack
// is.
std::string shown(const Found& json) {
  if (json.is_structured()) return json.is_array() ? "an array" : "an object";
  if (!json.is_string()) return json.dump();
  const auto& text = json.get_ref<const std::string&>();
  const bool cut = text.size() > kMostShown;
  const Found part = cut ? text.substr(0, kMostShown) + "..." : text;
  return part.dump(-1, ' ', false, Found::error_handler_t::replace);
}

std::string shown_text(const std::optional<std::string>& text) {
  return text ? shown(Found(*text)) : "null";
}

class Reader {
 public:
  Reader(const char* what, const Found& object) : what_(what), object_(object) {
    if (!object.is_object()) fail("it is no object");
  }
  template <class Value>
  void operator()(const char* name, Value& value) const {
    const auto found = object_.find(name);
    if (found == object_.end()) fail(fmt::format("it lacks '{}'", name));
    ++read_;
    if (!read(*found, &value)) {
      fail(fmt::format("'{}' must be {}, not {}", name, kind(value), shown(*found)));
    }
  }
  void check_all_read() const {
    if (read_ != object_.size()) fail(fmt::format("{} fields, not {}", object_.size(), read_));
  }
  [[noreturn]] void fail(const std::string& text) const {
    throw Error(ErrorCode::kData, fmt::format("{} as text: {}", what_, text));
  }

 private:
  static bool read(const Found& json, std::string* value) {
    if (!json.is_string()) return false;
    *value = json.get_ref<const std::string&>();
    return true;
  }
  static bool read(const Found& json, bool* value) {
    if (!json.is_boolean()) return false;
    *value = json.get<bool>();
    return true;
  }
  static bool read(const Found& json, double* value) {
    if (!json.is_number()) return false;
    *value = json.get<double>();
    return std::isfinite(*value);
  }
  template <class Integer>
  requires std::is_integral_v<Integer>
  static bool read(const Found& json, Integer* value) {
    if (!json.is_number_integer()) return false;
    const bool fits = json.is_number_unsigned() ? std::in_range<Integer>(json.get<std::uint64_t>())
                                                : std::in_range<Integer>(json.get<std::int64_t>());
    if (fits) *value = json.get<Integer>();
    return fits;
  }
  static bool read(const Found& json, std::optional<std::string>* value) {
    return json.is_null() || read(json, &value->emplace());
  }
  static bool read(const Found& json, std::optional<ErrorCurve>* value) {
    if (json.is_null()) return true;
    if (!json.is_array()) return false;
    ErrorCurve& curve = value->emplace();
    for (const Found& point : json) {
      if (!point.is_array() || point.size() != 2) return false;
      auto& [iteration, error] = curve.emplace_back();
      if (!read(point[0], &iteration) || !read(point[1], &error)) return false;
    }
    return true;
  }

  static const char* kind(const std::string& /*value*/) { return "a text"; }
  static const char* kind(bool /*value*/) { return "true or false"; }
  static const char* kind(double /*value*/) { return "a number"; }
  template <class Integer>
  requires std::is_integral_v<Integer>
  static std::string kind(Integer /*value*/) {
    return fmt::format("an integer {}..{}", std::numeric_limits<Integer>::min(),
                       std::numeric_limits<Integer>::max());
  }
  static const char* kind(const std::optional<std::string>& /*value*/) { return "a text or null"; }
  static const char* kind(const std::optional<ErrorCurve>& /*value*/) {
    return "pairs of an integer and a number, or null";
  }

  const char* what_;
  const Found& object_;
  mutable std::size_t read_ = 0;
};

Found parse(const char* what, std::string_view text) {
  constexpr int kDeepest = 8;  // a point of an error curve of a row is the fourth level
  if (nests_deeper(text, kDeepest)) {
    throw Error(ErrorCode::kData,
                fmt::format("{} as text: lists and objects more than {} deep", what, kDeepest));
  }
  try {
    return Found::parse(text);
  } catch (const Found::parse_error& error) {
    throw Error(ErrorCode::kData,
                fmt::format("{} as text: no JSON at byte {} of {}", what, error.byte, text.size()));
  } catch (const Found::exception& error) {  // a number that is too large
    throw Error(ErrorCode::kData, fmt::format("{} as text: {}", what, error.what()));
  }
}

constexpr const char* kRun = "a run";
constexpr const char* kMade = "what became of a run";

template <class Value>
Json fields_of(const Value& value, const auto& visit_all) {
  Json::object_t fields;  // of names that differ: json[name] would look through those before
  visit_all(value, [&](const char* name, const auto& field) {
    fields.Container::emplace_back(name, written(field));
  });
  return fields;
}

[[noreturn]] void refuse(const PlannedRun& asked, const char* name, const std::string& text) {
  throw Error(ErrorCode::kData, fmt::format("a row of run '{}': {} is {}", asked.key, name, text));
}

// Bounds are values of the game, which may be negative; nothing else is.
void check_numbers(const RunRow& row, const PlannedRun& asked) {
  visit_row(row, [&](const char* name, const auto& value) {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_arithmetic_v<Value>) {
      const std::string_view column = name;
      const bool any = column == "lower" || column == "upper" || column == "iterations_normalised";
      if (!any && value < 0) refuse(asked, name, fmt::format("{}, less than 0", value));
    }
  });
  const double normalised =
      static_cast<double>(row.iterations) / static_cast<double>(asked.iteration_divisor);
  if (row.iterations_normalised != normalised) {
    refuse(asked, "iterations_normalised",
           fmt::format("{}, not {}", row.iterations_normalised, normalised));
  }
}

void check_texts(const RunRow& row, const PlannedRun& asked) {
  const auto check = [&](const char* name, const std::string& text) {
    if (text.size() <= kMostText) return;
    refuse(asked, name, fmt::format("a text of {} bytes, not {} at most", text.size(), kMostText));
  };
  visit_row(row, [&](const char* name, const auto& value) {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, std::string>) check(name, value);
    if constexpr (std::is_same_v<Value, std::optional<std::string>>) {
      check(name, value.value_or(""));
    }
  });
}

bool is_verdict(const std::string& text) {
  return text == to_string(Verdict::kProved) || text == to_string(Verdict::kDisproved);
}

// What a verdict is held against: of the plan, if that says it; else of exhaustive search, if that
// was wanted.
void check_expected(const RunRow& row, const PlannedRun& asked) {
  if (!is_verdict(row.verdict) && !row.expected && !row.expected_source) return;
  std::optional<std::string> source;
  bool right = row.expected == asked.expected;
  if (asked.expected) {
    source = "plan";
  } else if (needs_oracle(asked)) {
    source = "oracle";
    right = row.expected && is_verdict(*row.expected);
  }
  if (!right) refuse(asked, "expected", shown_text(row.expected));
  if (row.expected_source != source) {
    refuse(asked, "expected_source", shown_text(row.expected_source));
  }
}

// Throws Error(kData), naming the column, for a row that cannot be what became of the run.
void check_answer(const RunRow& row, const PlannedRun& asked) {
  if (row.key != asked.key) refuse(asked, "key", shown_text(row.key));
  const bool decided = is_verdict(row.verdict);
  if (!decided && row.verdict != to_string(Verdict::kUnknown)) {
    refuse(asked, "verdict", shown_text(row.verdict));
  }
  if (decided ? row.outcome != row.verdict : row.outcome != "budget" && row.outcome != "memory") {
    refuse(asked, "outcome", shown_text(row.outcome));
  }
  if (!is_result(row)) refuse(asked, "outcome", "that of no result");
  if (row.curve.has_value() != asked.error_curve) {
    refuse(asked, "curve", row.curve ? "there" : "not there");
  }
  if (row.curve && !is_curve(*row.curve)) {
    refuse(asked, "curve", "none of iterations and errors");
  }
  check_expected(row, asked);
  check_numbers(row, asked);
  if (const char* column = wrong_column(row)) refuse(asked, column, "one that no run has");
  check_texts(row, asked);
}

}  // namespace

const char* state_name(MadeRun::State state) { return kStates.at(static_cast<std::size_t>(state)); }

std::string to_text(const PlannedRun& run) {
  return fields_of(run, [](const auto& r, const auto& visit) { visit_run(r, visit); }).dump();
}

std::string to_text(const MadeRun& made) {
  Json json = {{"state", state_name(made.state)}, {"text", written(made.text)}};
  if (made.state == MadeRun::State::kResult) {
    json["row"] =
        fields_of(made.row, [](const auto& r, const auto& visit) { visit_row(r, visit); });
  }
  return json.dump();
}

PlannedRun read_planned_run(std::string_view text) {
  const Found json = parse(kRun, text);
  const Reader reader(kRun, json);
  PlannedRun run;
  visit_run(run, reader);
  reader.check_all_read();
  return run;
}

MadeRun read_made_run(std::string_view text, const PlannedRun& asked) {
  const Found json = parse(kMade, text);
  const Reader reader(kMade, json);
  MadeRun made;
  std::string state;
  reader("state", state);
  reader("text", made.text);
  std::size_t number = 0;
  while (number < kStates.size() && kStates[number] != state) ++number;
  if (number == kStates.size()) reader.fail("no state is called " + shown_text(state));
  if (made.text.size() > kMostText) {
    reader.fail(fmt::format("'text' has {} bytes, not {} at most", made.text.size(), kMostText));
  }
  made.state = static_cast<MadeRun::State>(number);
  if (made.state != MadeRun::State::kResult) {
    reader.check_all_read();
    return made;
  }
  if (!json.contains("row") || json.size() != 3) reader.fail("a result has a row");
  const Reader row("a row", json["row"]);
  made.row = question_row(asked);
  visit_row(made.row, row);
  row.check_all_read();
  check_answer(made.row, asked);
  return made;
}

}  // namespace playproof
