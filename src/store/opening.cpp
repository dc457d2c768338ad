#include "src/store/opening.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "host/playouts/evaluator.h"
#include "src/store/schema.h"
#include "src/store/sqlite_statement.h"

namespace playproof {
namespace {

constexpr std::string_view kTallies = " tallies=";
// What stood there instead, and only for backends with `fake` in them.
constexpr std::string_view kFormerly = " backend=";

struct Column {
  std::string name;
  std::string kind;  // type, NOT NULL, place in the primary key
};

std::vector<Column> columns_of(sqlite3* database, const char* table) {
  Statement statement(database,
                      "SELECT name, type || ' ' || \"notnull\" || ' ' || pk FROM "
                      "pragma_table_info(?) ORDER BY cid");
  statement.bind(std::string_view(table));
  std::vector<Column> columns;
  while (statement.step()) columns.push_back({statement.text(0), statement.text(1)});
  return columns;
}

void check_table(const std::string& path, const char* table, const std::vector<Column>& right,
                 const std::vector<Column>& found) {
  const auto fail = [&](const std::string& text) {
    throw Error(ErrorCode::kData, fmt::format("{}: the store is damaged: {}", path, text));
  };
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (i < found.size() && found[i].name == right[i].name && found[i].kind == right[i].kind) {
      continue;
    }
    const bool there = std::any_of(found.begin(), found.end(),
                                   [&](const Column& c) { return c.name == right[i].name; });
    fail(fmt::format("the table '{}' {} the column '{}'", table,
                     there ? "has in another place or form" : "lacks", right[i].name));
  }
  if (found.size() > right.size()) {
    fail(
        fmt::format("the table '{}' has a column too many, '{}'", table, found[right.size()].name));
  }
}

void insert_dropped(std::vector<Column>* run) {
  const auto before = std::find_if(run->begin(), run->end(),
                                   [](const Column& c) { return c.name == kBeforeDropped; });
  run->insert(before + 1, {kDroppedColumn, before->kind});
}

// A store without rows, in memory.
std::unique_ptr<sqlite3, int (*)(sqlite3*)> empty_store() {
  sqlite3* database = nullptr;
  const int code = sqlite3_open(":memory:", &database);
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> store(database, sqlite3_close);
  if (code != SQLITE_OK) throw SqliteFailure{code, sqlite3_errstr(code)};
  if (sqlite3_exec(database, kCreateTables, nullptr, nullptr, nullptr) != SQLITE_OK) {
    throw SqliteFailure{sqlite3_errcode(database), sqlite3_errmsg(database)};
  }
  return store;
}

// What SQLite makes of the schema, asked once: {table: its columns}.
const std::map<std::string_view, std::vector<Column>>& right_columns() {
  static const auto columns = [] {
    const auto store = empty_store();
    std::map<std::string_view, std::vector<Column>> all;
    for (const char* table : kTables) all[table] = columns_of(store.get(), table);
    return all;
  }();
  return columns;
}

// Leaves out what older versions wrote at its end. Labels of a plan may hold anything, but then
// more follows, with spaces.
std::string plain_key(const std::string& key) {
  const std::size_t at = key.rfind(kFormerly);
  if (at == std::string::npos || key.find(' ', at + 1) != std::string::npos) return key;
  return key.substr(0, at);
}

std::string key_now(const std::string& key, const std::string& tallies) {
  const bool told = !tallies.empty() && key.ends_with(with_tallies("", tallies));
  return told ? key : with_tallies(plain_key(key), tallies);
}

// What a depth-first search was called when its option `places` was `probe` (a number; words of
// that name came later), as it is called now.
std::string name_now(std::string spec) {
  static constexpr std::string_view kOld = ",probe=";
  if (!spec.starts_with("dfpn:") && !spec.starts_with("pds:") && !spec.starts_with("pnstar:")) {
    return spec;
  }
  const std::size_t at = spec.find(kOld);
  if (at == std::string::npos) return spec;
  const std::size_t value = at + kOld.size();
  if (value == spec.size() || spec[value] < '0' || spec[value] > '9') return spec;
  return spec.replace(at, kOld.size(), ",places=");
}

// The algorithm stands in a key before its repetition.
std::string key_with_names_now(const std::string& key) {
  static constexpr std::string_view kBetween = " | ";
  const std::size_t end = key.rfind(" | repetition=");
  if (end == std::string::npos || end == 0) return key;
  const std::size_t before = key.rfind(kBetween, end - 1);
  if (before == std::string::npos) return key;
  const std::size_t begin = before + kBetween.size();
  return key.substr(0, begin) + name_now(key.substr(begin, end - begin)) + key.substr(end);
}

// (old, new) of the keys that are not what they would be now.
std::vector<std::pair<std::string, std::string>> outdated_keys(sqlite3* database) {
  std::vector<std::string> backends;
  Statement distinct(database, "SELECT DISTINCT backend FROM run");
  while (distinct.step()) backends.push_back(distinct.text(0));
  std::vector<std::pair<std::string, std::string>> outdated;
  for (const std::string& backend : backends) {
    const std::string tallies = own_tallies(backend);
    Statement keys(database,
                   "SELECT key FROM run WHERE backend = ? AND (? <> '' OR instr(key, ?) OR "
                   "instr(key, 'probe='))");
    keys.bind(backend).bind(tallies).bind(kFormerly);
    while (keys.step()) {
      const std::string key = keys.text(0);
      std::string now = key_with_names_now(key_now(key, tallies));
      if (now != key) outdated.emplace_back(key, std::move(now));
    }
  }
  return outdated;
}

}  // namespace

void check_columns(sqlite3* database, const std::string& path, std::size_t lacking, bool dropped) {
  for (const char* table : kTables) {
    Statement statement(database,
                        "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?");
    statement.bind(std::string_view(table)).step();
    if (statement.integer(0) != 1) {
      throw Error(ErrorCode::kData, fmt::format("{}: the table '{}' is missing", path, table));
    }
    std::vector<Column> columns = right_columns().at(table);
    if (std::string_view(table) == "run") {
      columns.resize(columns.size() - lacking);
      if (dropped) insert_dropped(&columns);
    }
    check_table(path, table, columns, columns_of(database, table));
  }
}

std::string with_tallies(const std::string& key, const std::string& tallies) {
  return tallies.empty() ? key : key + std::string(kTallies) + tallies;
}

void bring_keys_up_to_date(sqlite3* database) {
  const auto outdated = outdated_keys(database);
  if (outdated.empty()) return;
  Statement(database, "CREATE TEMP TABLE rekeyed (old TEXT PRIMARY KEY, now TEXT NOT NULL)").run();
  {
    Statement insert(database, "INSERT INTO rekeyed VALUES (?, ?)");
    for (const auto& [old, now] : outdated) insert.bind(old).bind(now).run();
  }
  for (const auto& [table, column] :
       {std::pair("run", "key"), std::pair("curve", "run_key"), std::pair("plan_run", "key")}) {
    Statement(database, fmt::format("UPDATE OR IGNORE {0} SET {1} = (SELECT now FROM rekeyed WHERE "
                                    "old = {1}) WHERE {1} IN (SELECT old FROM rekeyed)",
                                    table, column))
        .run();
    Statement(database,
              fmt::format("DELETE FROM {} WHERE {} IN (SELECT old FROM rekeyed)", table, column))
        .run();
  }
  Statement(database, "DROP TABLE rekeyed").run();
}

}  // namespace playproof
