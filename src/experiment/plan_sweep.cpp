#include "src/experiment/plan_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

namespace playproof {
namespace {

constexpr int kMaxSweep = 1000;

// Digits after the point of the shortest text of x.
int decimals(double x) {
  const std::string text = fmt::format("{}", x);
  const std::size_t point = text.find('.');
  if (text.find('e') != std::string::npos) return 12;
  return point == std::string::npos ? 0 : static_cast<int>(text.size() - point - 1);
}

bool is_short(double x) { return std::isfinite(x) && std::abs(x) <= 1e6 && decimals(x) <= 9; }

// A number as short as it goes, or a text; nothing, with a complaint, of what is neither.
std::optional<std::string> read_value(const PlanTable& table, const toml::node& node) {
  const std::optional<double> number = node.is_number() ? node.value<double>() : std::nullopt;
  if (number && is_short(*number)) return fmt::format("{}", *number);
  const std::optional<std::string> text =
      node.is_string() ? node.value<std::string>() : std::nullopt;
  if (text && text->find_first_of("{}") == std::string::npos) return *text;
  table.complain_at("values",
                    "a sweep has texts, or numbers of at most 9 decimal places up to 1000000");
  return std::nullopt;
}

// One value for each of `keys`: a list of them, of one key the value alone.
std::optional<Substitutions> read_values_of(const PlanTable& table, const toml::node& node,
                                            const std::vector<std::string>& keys) {
  std::vector<const toml::node*> given = {&node};
  if (keys.size() > 1) {
    given.clear();
    if (const toml::array* list = node.as_array()) {
      for (const toml::node& one : *list) given.push_back(&one);
    }
  }
  if (given.size() != keys.size()) {
    table.complain_at("values",
                      fmt::format("{} keys want lists of {} values", keys.size(), keys.size()));
    return std::nullopt;
  }
  Substitutions values;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::optional<std::string> value = read_value(table, *given[i]);
    if (!value) return std::nullopt;
    values[keys[i]] = *value;
  }
  return values;
}

// sweep = { key = "playouts", values = [1, 2, 4] }; empty where there is an error.
std::vector<Substitutions> read_sweep_values(PlanTable& table,
                                             const std::vector<std::string>& keys) {
  const toml::array* array = table.array("values");
  if (array == nullptr) return {};
  if (array->empty() || array->size() > kMaxSweep) {
    table.complain_at("values", fmt::format("a sweep has 1 to {} values", kMaxSweep));
    return {};
  }
  std::vector<Substitutions> all;
  for (const toml::node& node : *array) {
    std::optional<Substitutions> values = read_values_of(table, node, keys);
    if (!values) return {};
    if (std::ranges::find(all, *values) != all.end()) {
      table.complain_at("values", fmt::format("{} is there twice", values->at(keys.front())));
      return {};
    }
    all.push_back(std::move(*values));
  }
  return all;
}

// sweep = { key = "R", from = 1.0, to = 0.05, step = -0.05 }: the texts "1.00" to "0.05", computed
// in whole steps of the last decimal place, so that no rounding error enters a name. Empty where
// there is an error.
std::vector<Substitutions> read_sweep_steps(PlanTable& table, const std::string& key) {
  double ends[3] = {};
  const char* const names[3] = {"from", "to", "step"};
  const char* const examples[3] = {"from = 1.0", "to = 0.0", "step = -0.1"};
  bool whole = true;
  for (int i = 0; i < 3; ++i) {
    const std::optional<double> value = table.real(names[i]);
    if (!table.has(names[i])) table.complain_missing(names[i], examples[i]);
    if (value && !is_short(*value)) {
      table.complain_at(names[i], "a sweep has at most 9 decimal places and values up to 1000000");
    }
    whole = whole && value && is_short(*value);
    ends[i] = value.value_or(0);
  }
  if (!whole) return {};
  const auto [from, to, step] = ends;
  const int places = std::max({decimals(from), decimals(to), decimals(step)});
  const double scale = std::pow(10.0, places);
  const long long first = std::llround(from * scale);
  const long long last = std::llround(to * scale);
  const long long stride = std::llround(step * scale);
  if (stride == 0 || (last - first) % stride != 0 || (last - first) / stride < 0) {
    table.complain_at("step",
                      fmt::format("whole steps of {} do not lead from {} to {}", step, from, to));
    return {};
  }
  if ((last - first) / stride >= kMaxSweep) {
    table.complain_at("step", fmt::format("a sweep has at most {} values", kMaxSweep));
    return {};
  }
  std::vector<Substitutions> values;
  for (long long at = first; at != last + stride; at += stride) {
    values.push_back({{key, fmt::format("{:.{}f}", static_cast<double>(at) / scale, places)}});
  }
  return values;
}

// Every set of `before` with every value of one sweep, or with those of each of its keys together;
// none where there is an error.
std::vector<Substitutions> extend(const std::vector<Substitutions>& before, PlanTable table) {
  if (!table.has("key")) table.complain_missing("key", "key = \"R\"");
  const auto keys = table.texts("key").value_or(std::vector<std::string>{});
  if (table.has("key") && std::ranges::any_of(keys, &std::string::empty)) {
    table.complain_at("key", "'key' must not be empty");
    return {};
  }
  if (keys.size() > 1 && !table.has("values")) {
    table.complain_at("key", "several keys at once want 'values'");
    return {};
  }
  const std::vector<std::string> named = keys.empty() ? std::vector<std::string>{"key"} : keys;
  const std::vector<Substitutions> values = table.has("values")
                                                ? read_sweep_values(table, named)
                                                : read_sweep_steps(table, named.front());
  table.finish();
  std::vector<Substitutions> all;
  if (keys.empty() || before.empty()) return all;
  for (const std::string& key : keys) {
    if (!before.front().contains(key) && std::ranges::count(keys, key) == 1) continue;
    table.complain_at("key", fmt::format("'{}' is swept twice", key));
    return all;
  }
  if (before.size() * values.size() > kMaxSweep) {
    table.complain_at("key", fmt::format("sweeps have at most {} values together", kMaxSweep));
    return all;
  }
  for (const Substitutions& one : before) {
    for (Substitutions value : values) {
      value.insert(one.begin(), one.end());
      all.push_back(std::move(value));
    }
  }
  return all;
}

}  // namespace

std::vector<Substitutions> read_sweeps(PlanTable& table) {
  std::vector<Substitutions> values(1);
  if (!table.has("sweep")) return values;
  if (!table.raw().get("sweep")->is_array()) {
    const std::optional<PlanTable> sweep = table.table("sweep");
    return sweep ? extend(values, *sweep) : std::vector<Substitutions>{};
  }
  if (table.raw().get("sweep")->as_array()->empty()) return values;
  const std::vector<PlanTable> sweeps = table.tables("sweep");
  if (sweeps.empty()) return {};  // of something else than tables
  for (const PlanTable& sweep : sweeps) values = extend(values, sweep);
  return values;
}

}  // namespace playproof
