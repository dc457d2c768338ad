#include "src/experiment/plan_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "games/core/error.h"
#include "games/core/spec.h"

namespace playproof {
namespace {

int line_of_node(const toml::node& node) { return static_cast<int>(node.source().begin.line); }

const char* type_name(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::string:
      return "a text";
    case toml::node_type::integer:
      return "a whole number";
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "a truth value";
    default:
      return "a date or time";
  }
}

// Also 2e6.
std::optional<std::int64_t> whole_number(const toml::node& node) {
  constexpr double kExact = 9007199254740992;  // 2^53: whole numbers up to it are doubles
  if (node.is_integer()) return node.as_integer()->get();
  if (!node.is_floating_point()) return std::nullopt;
  const double value = node.as_floating_point()->get();
  if (!(std::abs(value) <= kExact) || value != std::trunc(value)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

}  // namespace

PlanTable::PlanTable(std::string file, const toml::table& table, std::string what)
    : file_(std::move(file)), table_(&table), what_(std::move(what)) {}

int PlanTable::line() const { return std::max(1, line_of_node(*table_)); }

int PlanTable::line_of(const std::string& key) const {
  const toml::node* node = table_->get(key);
  return node == nullptr ? line() : line_of_node(*node);
}

void PlanTable::fail(int line, const std::string& text) const {
  throw Error(ErrorCode::kData, fmt::format("{}:{}: {}", file_, line, text));
}

void PlanTable::fail_at(const std::string& key, const std::string& text) const {
  fail(line_of(key), fmt::format("{}: {}", what_, text));
}

void PlanTable::fail_type(const std::string& key, const char* wanted) const {
  fail_at(key, fmt::format("'{}' must be {}, not {}", key, wanted, type_name(*table_->get(key))));
}

void PlanTable::fail_missing(const std::string& key) const {
  std::vector<std::string> keys;
  for (const auto& [name, node] : *table_) keys.emplace_back(name.str());
  fail(line(), fmt::format("{}: '{}' is missing; there is: {}", what_, key,
                           keys.empty() ? "nothing" : fmt::format("{}", fmt::join(keys, ", "))));
}

const toml::node* PlanTable::find(const std::string& key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.push_back(key);
  return table_->get(key);
}

bool PlanTable::has(const std::string& key) { return find(key) != nullptr; }

std::optional<std::string> PlanTable::text(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_string()) fail_type(key, "a text");
  return node->as_string()->get();
}

std::string PlanTable::required_text(const std::string& key) {
  const std::optional<std::string> value = text(key);
  if (!value) fail_missing(key);
  if (value->empty()) fail_at(key, fmt::format("'{}' must not be empty", key));
  return *value;
}

std::optional<bool> PlanTable::flag(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_boolean()) fail_type(key, "true or false");
  return node->as_boolean()->get();
}

std::optional<std::uint64_t> PlanTable::integer(const std::string& key, std::uint64_t min,
                                                std::uint64_t max) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  const std::optional<std::int64_t> whole = whole_number(*node);
  if (!whole) fail_type(key, "a whole number");
  const std::int64_t value = *whole;
  if (value < 0 || static_cast<std::uint64_t>(value) < min ||
      static_cast<std::uint64_t>(value) > max) {
    fail_at(key, fmt::format("'{}' must be {}..{}, not {}", key, min, max, value));
  }
  return static_cast<std::uint64_t>(value);
}

std::uint64_t PlanTable::required_integer(const std::string& key, std::uint64_t min,
                                          std::uint64_t max) {
  const std::optional<std::uint64_t> value = integer(key, min, max);
  if (!value) fail_missing(key);
  return *value;
}

std::optional<double> PlanTable::real(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  const std::optional<double> value = node->value<double>();
  if (!node->is_number() || !value) fail_type(key, "a number");
  return *value;
}

std::optional<std::vector<std::string>> PlanTable::texts(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (node->is_string()) return std::vector<std::string>{node->as_string()->get()};
  if (!node->is_array()) fail_type(key, "a text or a list of texts");
  std::vector<std::string> values;
  for (const toml::node& item : *node->as_array()) {
    if (!item.is_string()) {
      fail(line_of_node(item), fmt::format("{}: '{}' must be a list of texts, but has {}", what_,
                                           key, type_name(item)));
    }
    values.push_back(item.as_string()->get());
  }
  if (values.empty()) fail_at(key, fmt::format("'{}' must not be empty", key));
  return values;
}

const toml::array* PlanTable::array(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return nullptr;
  if (!node->is_array()) fail_type(key, "a list");
  return node->as_array();
}

std::optional<PlanTable> PlanTable::table(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_table()) fail_type(key, "a table");
  return PlanTable(file_, *node->as_table(), fmt::format("{} '{}'", what_, key));
}

std::vector<PlanTable> PlanTable::tables(const std::string& key) {
  std::vector<PlanTable> tables;
  const toml::node* node = find(key);
  if (node == nullptr) return tables;
  const std::string want = fmt::format("a list of tables, written [[{}]]", key);
  if (!node->is_array()) fail_type(key, want.c_str());
  for (const toml::node& item : *node->as_array()) {
    if (!item.is_table()) fail_type(key, want.c_str());
    tables.emplace_back(file_, *item.as_table(), fmt::format("[[{}]]", key));
  }
  return tables;
}

void PlanTable::finish() const {
  std::string first;
  for (const auto& [key, node] : *table_) {
    const std::string name(key.str());
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
    if (first.empty() || line_of(name) < line_of(first)) first = name;
  }
  if (first.empty()) return;
  fail(line_of(first), fmt::format("{}: unknown key '{}'; nearest: '{}'", what_, first,
                                   nearest_match(first, known_)));
}

}  // namespace playproof
