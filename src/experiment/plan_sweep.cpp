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

// sweep = { key = "playouts", values = [1, 2, 4] }
std::vector<std::string> read_sweep_values(PlanTable& table) {
  const toml::array& array = *table.array("values");
  if (array.empty() || array.size() > kMaxSweep) {
    table.fail_at("values", fmt::format("a sweep has 1 to {} values", kMaxSweep));
  }
  std::vector<std::string> values;
  for (const toml::node& node : array) {
    const std::optional<double> value = node.is_number() ? node.value<double>() : std::nullopt;
    if (!value || !std::isfinite(*value) || std::abs(*value) > 1e6 || decimals(*value) > 9) {
      table.fail_at("values", "a sweep has numbers of at most 9 decimal places up to 1000000");
    }
    values.push_back(fmt::format("{}", *value));
    if (std::find(values.begin(), values.end() - 1, values.back()) != values.end() - 1) {
      table.fail_at("values", fmt::format("{} is there twice", values.back()));
    }
  }
  return values;
}

// sweep = { key = "R", from = 1.0, to = 0.05, step = -0.05 }: the texts "1.00" to "0.05", computed
// in whole steps of the last decimal place, so that no rounding error enters a name.
std::vector<std::string> read_sweep_steps(PlanTable& table) {
  double ends[3] = {};
  const char* const names[3] = {"from", "to", "step"};
  for (int i = 0; i < 3; ++i) {
    const std::optional<double> value = table.real(names[i]);
    if (!value) table.fail_missing(names[i]);
    ends[i] = *value;
    if (!std::isfinite(*value) || std::abs(*value) > 1e6 || decimals(*value) > 9) {
      table.fail_at(names[i], "a sweep has at most 9 decimal places and values up to 1000000");
    }
  }
  const auto [from, to, step] = ends;
  const int places = std::max({decimals(from), decimals(to), decimals(step)});
  const double scale = std::pow(10.0, places);
  const long long first = std::llround(from * scale);
  const long long last = std::llround(to * scale);
  const long long stride = std::llround(step * scale);
  if (stride == 0 || (last - first) % stride != 0 || (last - first) / stride < 0) {
    table.fail_at("step",
                  fmt::format("{} steps of {} do not lead from {} to {}", "whole", step, from, to));
  }
  if ((last - first) / stride >= kMaxSweep) {
    table.fail_at("step", fmt::format("a sweep has at most {} values", kMaxSweep));
  }
  std::vector<std::string> values;
  for (long long at = first; at != last + stride; at += stride) {
    values.push_back(fmt::format("{:.{}f}", static_cast<double>(at) / scale, places));
  }
  return values;
}

// Every set of `before` with every value of one sweep.
std::vector<Substitutions> extend(const std::vector<Substitutions>& before, PlanTable table) {
  const std::string key = table.required_text("key");
  if (before.front().contains(key)) table.fail_at("key", fmt::format("'{}' is swept twice", key));
  const std::vector<std::string> values =
      table.has("values") ? read_sweep_values(table) : read_sweep_steps(table);
  table.finish();
  if (before.size() * values.size() > kMaxSweep) {
    table.fail_at("key", fmt::format("sweeps have at most {} values together", kMaxSweep));
  }
  std::vector<Substitutions> all;
  for (const Substitutions& one : before) {
    for (const std::string& value : values) {
      all.push_back(one);
      all.back()[key] = value;
    }
  }
  return all;
}

}  // namespace

std::vector<Substitutions> read_sweeps(PlanTable& table) {
  std::vector<Substitutions> values(1);
  if (!table.has("sweep")) return values;
  if (!table.raw().get("sweep")->is_array()) return extend(values, *table.table("sweep"));
  for (const PlanTable& sweep : table.tables("sweep")) values = extend(values, sweep);
  return values;
}

}  // namespace playproof
