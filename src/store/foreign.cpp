#include "src/store/foreign.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "host/question/counters.h"
#include "src/io/json.h"
#include "src/store/opening.h"
#include "src/store/schema.h"
#include "src/store/sqlite_statement.h"
#include "src/store/store.h"

namespace playproof {
namespace {

constexpr int kDeepestJson = 64;  // that of plans has four levels
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

[[noreturn]] void fail(const std::string& path, const std::string& text) {
  throw Error(ErrorCode::kData, fmt::format("{}: not a usable result store: {}", path, text));
}

// SQL without the spaces that mean nothing: ALTER TABLE, and programs that write it anew, leave
// others than we do.
std::string without_spaces(std::string_view sql) {
  const auto in_word = [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  };
  std::string text;
  bool space = false;
  for (const char c : sql) {
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      space = true;
      continue;
    }
    if (space && !text.empty() && in_word(text.back()) && in_word(c)) text += ' ';
    space = false;
    text += c;
  }
  return text;
}

// What CREATE TABLE says of each table in a store of this version.
std::map<std::string, std::string, std::less<>> right_tables(std::int64_t version) {
  std::string all = without_spaces(kCreateTables);
  const auto change = [&](const std::string& from, const std::string& to) {
    const std::size_t at = all.find(from);
    if (at == std::string::npos) throw Error(ErrorCode::kInternal, "no such column: " + from);
    all.replace(at, from.size(), to);
  };
  if (version < 4) {
    for (const char* column : kLaterColumns) change(fmt::format(",{}", column), "");
  }
  if (version < 3) {
    const std::string before = fmt::format("{} INTEGER NOT NULL,", kBeforeDropped);
    change(before, fmt::format("{}{} INTEGER NOT NULL,", before, kDroppedColumn));
  }
  if (version < 2) {
    for (const char* column : kMoreCounters) change(fmt::format(",{} INTEGER", column), "");
  }
  std::map<std::string, std::string, std::less<>> tables;
  for (const char* table : kTables) {
    const std::size_t begin = all.find(fmt::format("CREATE TABLE {}(", table));
    tables[table] = all.substr(begin, all.find(';', begin) - begin);
  }
  return tables;
}

struct SchemaObject {
  std::string kind, name, table, sql;
};

std::vector<SchemaObject> objects_of(sqlite3* database) {
  Statement statement(database, "SELECT type, name, tbl_name, sql FROM sqlite_master");
  std::vector<SchemaObject> objects;
  while (statement.step()) {
    objects.push_back({statement.text(0), statement.text(1), statement.text(2), statement.text(3)});
  }
  return objects;
}

// SQLite makes it for a primary key: what the table says decides over it.
bool is_automatic(const SchemaObject& object) {
  const bool index = object.kind == "index" && object.sql.empty();
  return index && std::find(kTables.begin(), kTables.end(), object.table) != kTables.end();
}

constexpr std::array kVerdicts = {"proved", "disproved", "unknown"};
constexpr std::array kOutcomes = {"proved", "disproved", "budget", "memory"};
constexpr std::array kExpected = {"proved", "disproved"};
constexpr std::array kPositive = {"iteration_divisor", "batch", "threads"};

// Numbers of something, with what the row has; all are at least 0.
template <class Visit>
void visit_counts(const RunRow& row, const Visit& visit) {
  visit("repetition", row.repetition);
  visit("seed", row.seed);
  visit("max_nodes", row.max_nodes);
  visit("max_memory", row.max_memory);
  visit("iterations", row.iterations);
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
  visit("iterations_normalised", row.iterations_normalised);
  visit("seconds", row.seconds);
  visit("cpu_seconds", row.cpu_seconds);
  visit("max_cpu_seconds", row.max_cpu_seconds.value_or(0));
}

// What `counters` is not: a JSON object of whole numbers that are not negative.
constexpr const char* kNoCounters =
    "counters IS NOT NULL AND CASE WHEN json_valid(counters) THEN json_type(counters) <> 'object' "
    "OR EXISTS (SELECT 1 FROM json_each(counters) WHERE type <> 'integer' OR value < 0) ELSE 1 END";

// Whether `counters` tells of a column, too: the same, but for what differs when a run is made
// again.
bool is_counter(std::string_view column) {
  if (column == "peak_bytes") return false;
  return std::ranges::any_of(kCounterFields,
                             [&](const CounterField& field) { return field.name == column; });
}

// (column, what is wrong with its value), as SQL.
std::vector<std::pair<std::string, std::string>> wrong_values() {
  std::vector<std::pair<std::string, std::string>> wrong;
  const auto one_of = [&](const char* column, const auto& words) {
    wrong.emplace_back(column, fmt::format("{} NOT IN ('{}')", column, fmt::join(words, "', '")));
  };
  one_of("verdict", kVerdicts);
  one_of("outcome", kOutcomes);
  one_of("expected", kExpected);
  for (const char* column : kPositive) wrong.emplace_back(column, fmt::format("{} < 1", column));
  wrong.emplace_back("counters", kNoCounters);
  visit_counts({}, [&](const char* column, auto value) {
    const bool real = std::is_floating_point_v<decltype(value)>;  // which may be infinite
    wrong.emplace_back(column, real ? fmt::format("{} NOT BETWEEN 0 AND {}", column, kMost)
                                    : fmt::format("{} < 0", column));
    if (!is_counter(column)) return;
    wrong.emplace_back(column, fmt::format("json_extract(counters, '$.{0}') <> {0}", column));
  });
  return wrong;
}

void check_runs(sqlite3* database, const std::string& path) {
  static const std::string kFind = [] {
    std::string cases;
    for (const auto& [column, wrong] : wrong_values()) {
      cases += fmt::format(" WHEN {} THEN '{}'", wrong, column);
    }
    return fmt::format("SELECT key, CASE{} END AS wrong FROM run WHERE wrong IS NOT NULL LIMIT 1",
                       cases);
  }();
  Statement find(database, kFind);
  if (!find.step()) return;
  const std::string column = find.text(1);
  const std::string key = find.text(0);
  Statement value(database, fmt::format("SELECT {} FROM run WHERE key = ?", column));
  value.bind(key).step();
  fail(path, fmt::format("no run of playproof has the {} '{}' of run '{}'", column,
                         value.text(0).substr(0, 100), key));
}

void check_plans(sqlite3* database, const std::string& path) {
  Statement plans(database, "SELECT name, hash, json FROM plan");
  while (plans.step()) {
    if (is_json_object(plans.bytes(2), kDeepestJson)) continue;
    fail(path, fmt::format("what it says of the plan '{}' ({}) is no JSON object of at most {} "
                           "levels",
                           plans.text(0), plans.text(1), kDeepestJson));
  }
}

template <class Words>
bool is_one_of(const std::string& word, const Words& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool goes_on(const ErrorCurve::value_type& before, const ErrorCurve::value_type& after) {
  return after.first > before.first && after.second >= 0 && after.second <= 1;
}

}  // namespace

void distrust(sqlite3* database) {
  const auto check = [&](int code) {
    if (code != SQLITE_OK) throw failure_of(database, code);
  };
  for (const int option : {SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW,
                           SQLITE_DBCONFIG_TRUSTED_SCHEMA}) {
    check(sqlite3_db_config(database, option, 0, nullptr));
  }
  check(sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr));
  sqlite3_limit(database, SQLITE_LIMIT_LENGTH, kMostStoredBytes);
  sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
  Statement(database, "PRAGMA cell_size_check = ON").run();
}

void check_schema(sqlite3* database, const std::string& path, std::int64_t version) {
  Statement encoding(database, "PRAGMA encoding");
  if (encoding.step() && encoding.text(0) != "UTF-8") {
    fail(path, fmt::format("its texts are {}, not UTF-8", encoding.text(0)));
  }
  auto missing = right_tables(version);
  std::string other;  // the first table in another form
  for (const SchemaObject& object : objects_of(database)) {
    if (is_automatic(object)) continue;
    const auto table = missing.find(object.name);
    const std::string sql = without_spaces(object.sql);
    const bool is_table = object.kind == "table" && object.table == object.name &&
                          sql.starts_with(fmt::format("CREATE TABLE {}(", object.name));
    if (!is_table || table == missing.end()) {
      fail(path, fmt::format("it has the {} '{}', which playproof does not make and which could "
                             "change results; take it out (DROP), or take another store",
                             object.kind, object.name));
    }
    if (sql != table->second && other.empty()) other = object.name;
    missing.erase(table);
  }
  if (other.empty() && missing.empty()) return;
  const std::size_t later = version < 4 ? kLaterColumns.size() : 0;
  const std::size_t lacking = later + (version == 1 ? kMoreCounters.size() : 0);
  check_columns(database, path, lacking, version < 3);  // which may know what is wrong
  fail(path, fmt::format("its table '{}' has constraints that playproof does not make", other));
}

void check_values(sqlite3* database, const std::string& path) {
  check_plans(database, path);
  check_runs(database, path);
}

bool are_counters(std::string_view text) {
  if (!is_json_object(text, 1)) return false;
  const auto json = nlohmann::json::parse(text, nullptr, false);
  return std::all_of(json.begin(), json.end(), [](const nlohmann::json& value) {
    return value.is_number_unsigned() && value.get<std::uint64_t>() <= kMost;
  });
}

const char* wrong_column(const RunRow& row) {
  if (row.counters && !are_counters(*row.counters)) return "counters";
  if (!is_one_of(row.verdict, kVerdicts)) return "verdict";
  if (!is_one_of(row.outcome, kOutcomes)) return "outcome";
  if (row.expected && !is_one_of(*row.expected, kExpected)) return "expected";
  const std::int64_t positive[] = {row.iteration_divisor, row.batch, row.threads};
  for (std::size_t i = 0; i < kPositive.size(); ++i) {
    if (positive[i] < 1) return kPositive[i];
  }
  const char* wrong = nullptr;
  const auto told = nlohmann::json::parse(row.counters.value_or("{}"));
  visit_counts(row, [&](const char* column, auto value) {
    const auto number = static_cast<double>(value);
    if (!(number >= 0 && number <= static_cast<double>(kMost))) wrong = column;
    if (is_counter(column) && told.value(column, value) != value) wrong = column;
  });
  return wrong;
}

bool is_curve(const ErrorCurve& curve) {
  ErrorCurve::value_type before = {-1, 0};
  for (const auto& point : curve) {
    if (!goes_on(before, point)) return false;
    before = point;
  }
  return true;
}

bool is_packed_curve(std::string_view points) {
  constexpr std::size_t kPoint = 16;
  const auto word = [&](std::size_t at) {
    std::uint64_t bits = 0;
    for (int i = 7; i >= 0; --i) {
      bits = bits << 8 | static_cast<unsigned char>(points[at + static_cast<std::size_t>(i)]);
    }
    return bits;
  };
  if (points.size() % kPoint != 0) return false;
  ErrorCurve::value_type before = {-1, 0};
  for (std::size_t at = 0; at < points.size(); at += kPoint) {
    const ErrorCurve::value_type point = {static_cast<std::int64_t>(word(at)),
                                          std::bit_cast<double>(word(at + 8))};
    if (!goes_on(before, point)) return false;
    before = point;
  }
  return true;
}

}  // namespace playproof
