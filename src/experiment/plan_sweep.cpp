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

// sweep = { key = "playouts", values = [1, 2, 4] }; empty where there is an error.
std::vector<std::string> read_sweep_values(PlanTable& table) {
  const toml::array* array = table.array("values");
  if (array == nullptr) return {};
  if (array->empty() || array->size() > kMaxSweep) {
    table.complain_at("values", fmt::format("a sweep has 1 to {} values", kMaxSweep));
    return {};
  }
  std::vector<std::string> values;
  for (const toml::node& node : *array) {
    const std::optional<double> value = node.is_number() ? node.value<double>() : std::nullopt;
    if (!value || !is_short(*value)) {
      table.complain_at("values", "a sweep has numbers of at most 9 decimal places up to 1000000");
      return {};
    }
    values.push_back(fmt::format("{}", *value));
    if (std::find(values.begin(), values.end() - 1, values.back()) != values.end() - 1) {
      table.complain_at("values", fmt::format("{} is there twice", values.back()));
      return {};
    }
  }
  return values;
}

// sweep = { key = "R", from = 1.0, to = 0.05, step = -0.05 }: the texts "1.00" to "0.05", computed
// in whole steps of the last decimal place, so that no rounding error enters a name. Empty where
// there is an error.
std::vector<std::string> read_sweep_steps(PlanTable& table) {
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
  std::vector<std::string> values;
  for (long long at = first; at != last + stride; at += stride) {
    values.push_back(fmt::format("{:.{}f}", static_cast<double>(at) / scale, places));
  }
  return values;
}

// Every set of `before` with every value of one sweep; none where there is an error.
std::vector<Substitutions> extend(const std::vector<Substitutions>& before, PlanTable table) {
  const std::optional<std::string> key = table.required_text("key", "key = \"R\"");
  const std::vector<std::string> values =
      table.has("values") ? read_sweep_values(table) : read_sweep_steps(table);
  table.finish();
  std::vector<Substitutions> all;
  if (!key || before.empty()) return all;
  if (before.front().contains(*key)) {
    table.complain_at("key", fmt::format("'{}' is swept twice", *key));
    return all;
  }
  if (before.size() * values.size() > kMaxSweep) {
    table.complain_at("key", fmt::format("sweeps have at most {} values together", kMaxSweep));
    return all;
  }
  for (const Substitutions& one : before) {
    for (const std::string& value : values) {
      all.push_back(one);
      all.back()[*key] = value;
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
