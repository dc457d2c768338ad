#include "src/experiment/plan_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "games/core/printable.h"
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

// A number such as 2e6 is whole, too.
std::optional<std::int64_t> whole_number(const toml::node& node) {
  constexpr double kExact = 9007199254740992;  // 2^53: whole numbers up to it are doubles
  if (node.is_integer()) return node.as_integer()->get();
  if (!node.is_floating_point()) return std::nullopt;
  const double value = node.as_floating_point()->get();
  if (!(std::abs(value) <= kExact) || value != std::trunc(value)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

// The first one of control_code(). -1: none.
int control_character(std::string_view text) {
  for (; !text.empty(); text.remove_prefix(1)) {
    if (const int code = control_code(text); code >= 0) return code;
  }
  return -1;
}

}  // namespace

PlanTable::PlanTable(PlanErrors* errors, const toml::table& table, std::string what)
    : errors_(errors), table_(&table), what_(std::move(what)) {}

int PlanTable::line() const { return std::max(1, line_of_node(*table_)); }

int PlanTable::line_of(const std::string& key) const {
  const toml::node* node = table_->get(key);
  return node == nullptr ? line() : line_of_node(*node);
}

void PlanTable::complain(int line, const std::string& text,
                         const std::vector<std::string>& mend) const {
  errors_->add(line, fmt::format("{}: {}", what_, text), mend);
}

void PlanTable::complain_at(const std::string& key, const std::string& text) const {
  complain(line_of(key), text);
}

void PlanTable::complain_of_type(const std::string& key, const char* wanted) const {
  complain_at(key,
              fmt::format("'{}' must be {}, not {}", key, wanted, type_name(*table_->get(key))));
}

void PlanTable::complain_missing(const std::string& key, const std::string& example) const {
  complain(line(), fmt::format("'{}' is missing", key), {example});
}

const toml::node* PlanTable::find(const std::string& key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.push_back(key);
  return table_->get(key);
}

bool PlanTable::has(const std::string& key) { return find(key) != nullptr; }

PlanTable PlanTable::of(const toml::table& table, std::string what) const {
  PlanTable inner(errors_, table, std::move(what));
  inner.fill_in(values_);
  return inner;
}

std::string PlanTable::filled(std::string text) const {
  for (const auto& [name, value] : values_) {
    const std::string braces = fmt::format("{{{}}}", name);
    std::size_t at = 0;
    while ((at = text.find(braces, at)) != std::string::npos) {
      text.replace(at, braces.size(), value);
      at += value.size();
    }
  }
  return text;
}

std::optional<std::string> PlanTable::text(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (node->is_string()) return filled(node->as_string()->get());
  complain_of_type(key, "a text");
  return std::nullopt;
}

std::optional<std::string> PlanTable::required_text(const std::string& key,
                                                    const std::string& example) {
  if (!has(key)) {
    complain_missing(key, example);
    return std::nullopt;
  }
  std::optional<std::string> value = text(key);
  if (!value || !value->empty()) return value;
  complain_at(key, fmt::format("'{}' must not be empty", key));
  return std::nullopt;
}

std::optional<bool> PlanTable::flag(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (node->is_boolean()) return node->as_boolean()->get();
  complain_of_type(key, "true or false");
  return std::nullopt;
}

std::optional<std::uint64_t> PlanTable::integer(const std::string& key, std::uint64_t min,
                                                std::uint64_t max) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  std::optional<std::int64_t> whole = whole_number(*node);
  if (std::int64_t number = 0; node->is_string() && !values_.empty() &&
                               parse_integer(filled(node->as_string()->get()), &number)) {
    whole = number;
  }
  if (!whole) {
    complain_of_type(key, "a whole number");
    return std::nullopt;
  }
  const auto value = static_cast<std::uint64_t>(*whole);
  if (*whole >= 0 && value >= min && value <= max) return value;
  complain_at(key, fmt::format("'{}' must be {}..{}, not {}", key, min, max, *whole));
  return std::nullopt;
}

std::optional<std::uint64_t> PlanTable::required_integer(const std::string& key, std::uint64_t min,
                                                         std::uint64_t max,
                                                         const std::string& example) {
  if (has(key)) return integer(key, min, max);
  complain_missing(key, example);
  return std::nullopt;
}

std::optional<double> PlanTable::real(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  const std::optional<double> value = node->value<double>();
  if (node->is_number() && value) return value;
  complain_of_type(key, "a number");
  return std::nullopt;
}

std::optional<std::vector<std::string>> PlanTable::texts(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (node->is_string()) return std::vector<std::string>{filled(node->as_string()->get())};
  if (!node->is_array()) {
    complain_of_type(key, "a text or a list of texts");
    return std::nullopt;
  }
  std::vector<std::string> values;
  bool all_texts = true;
  for (const toml::node& item : *node->as_array()) {
    if (item.is_string()) {
      values.push_back(filled(item.as_string()->get()));
      continue;
    }
    complain(line_of_node(item),
             fmt::format("'{}' must be a list of texts, but has {}", key, type_name(item)));
    all_texts = false;
  }
  if (values.empty() && all_texts) complain_at(key, fmt::format("'{}' must not be empty", key));
  if (values.empty() || !all_texts) return std::nullopt;
  return values;
}

const toml::array* PlanTable::array(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr || node->is_array()) return node == nullptr ? nullptr : node->as_array();
  complain_of_type(key, "a list");
  return nullptr;
}

std::optional<PlanTable> PlanTable::table(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (node->is_table()) {
    return of(*node->as_table(), fmt::format("{} '{}'", what_, key));
  }
  complain_of_type(key, "a table");
  return std::nullopt;
}

std::vector<PlanTable> PlanTable::tables(const std::string& key) {
  std::vector<PlanTable> tables;
  const toml::node* node = find(key);
  if (node == nullptr) return tables;
  const auto is_table = [](const toml::node& item) { return item.is_table(); };
  const toml::array* items = node->as_array();
  if (items == nullptr || !std::all_of(items->begin(), items->end(), is_table)) {
    complain_of_type(key, fmt::format("a list of tables, written [[{}]]", key).c_str());
    return tables;
  }
  for (const toml::node& item : *items) {
    tables.push_back(of(*item.as_table(), fmt::format("[[{}]]", key)));
  }
  return tables;
}

void PlanTable::refuse_control(const std::string& key) const {
  const toml::node* node = table_->get(key);
  if (node == nullptr || !node->is_string()) return;
  const int code = control_character(node->as_string()->get());
  if (code < 0) return;
  complain_at(key,
              fmt::format("'{}' must not contain control characters, but has U+{:04X}", key, code));
}

void PlanTable::goes_with(const std::string& key, const std::string& other) {
  companions_[key] = other;
}

void PlanTable::knows(const std::vector<std::string>& keys) {
  known_.insert(known_.end(), keys.begin(), keys.end());
}

void PlanTable::finish() const {
  for (const auto& [key, node] : *table_) {
    const std::string name(key.str());
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
    const auto companion = companions_.find(name);
    if (companion != companions_.end()) {
      complain_at(name, fmt::format("'{}' goes with '{}'", name, companion->second));
      continue;
    }
    complain_at(name,
                fmt::format("unknown key '{}'; nearest: '{}'", name, nearest_match(name, known_)));
  }
}

}  // namespace playproof
