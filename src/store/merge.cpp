#include "src/store/merge.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "games/core/error.h"
#include "src/io/atomic_file.h"
#include "src/io/file_lock.h"
#include "src/store/foreign.h"
#include "src/store/run_row.h"
#include "src/store/sqlite_statement.h"
#include "src/store/store.h"

namespace playproof {
namespace {

constexpr const char* kNew = ".new";  // what is not whole yet
constexpr int kKey = 0;               // columns of `run`
constexpr int kInvocation = 1;

// Columns of `run` that may differ when the same run is made again.
constexpr std::array<std::string_view, 14> kVarying = {
    "invocation", "peak_bytes", "seconds", "cpu_seconds", "version", "revision", "compiler",
    "host",       "cpu_model",  "started", "finished",    "backend", "device",   "threads"};

bool varies(std::string_view column) {
  return std::find(kVarying.begin(), kVarying.end(), column) != kVarying.end();
}

// Rows of version 1 lack it, or those before version 4.
bool may_lack(std::string_view column) {
  return std::find(kMoreCounters.begin(), kMoreCounters.end(), column) != kMoreCounters.end() ||
         column == "counters";
}

// Whether a row ends where a clock said so, which is elsewhere when the run is made again.
bool met_its_cpu_limit(Statement& row) {
  for (int column = 0; column < row.columns(); ++column) {
    if (row.name(column) == "reason") return row.text(column) == kCpuReason;
  }
  return false;
}

// Compares counters but for that of them which may differ (kVarying).
bool same_counters(Statement& ours, Statement& row, int column) {
  if (ours.is_null(column) || row.is_null(column)) return false;
  const auto counts = [&](Statement& of) {
    auto json = nlohmann::json::parse(of.text(column), nullptr, false);
    if (json.is_object()) json.erase("peak_bytes");
    return json;
  };
  return counts(ours) == counts(row);
}

std::string shown(Statement& row, int column) {
  return row.is_null(column) ? "none" : fmt::format("'{}'", row.text(column));
}

// "?1,?2,?3"
std::string marks_of(int columns) {
  std::string text = "?1";
  for (int i = 2; i <= columns; ++i) text += fmt::format(",?{}", i);
  return text;
}

}  // namespace

// One source after the other, within one transaction of the store.
class StoreMerge {
 public:
  static MergeResult merge(const std::vector<std::string>& sources, Store& into);

 private:
  StoreMerge(Store& into, MergeResult* result)
      : database_(into.database_.get()), path_(into.path_), result_(result) {}

  void add(const Store& source);
  void add_plans();
  void add_list_of(const std::string& hash);
  void add_invocations();
  void add_runs();
  void insert_run(Statement& row, Statement& put);
  void compare_runs(Statement& ours, Statement& row);
  void fill_counters(Statement& ours, Statement& row);
  void add_curve(const std::string& key, bool known);
  std::vector<MergedPlan> plans() const;
  [[noreturn]] void fail(const std::string& text) const {
    throw Error(ErrorCode::kData, fmt::format("{}: {}; nothing is merged", *source_path_, text));
  }

  sqlite3* database_;
  const std::string& path_;
  MergeResult* result_;
  sqlite3* source_ = nullptr;
  const std::string* source_path_ = nullptr;
  std::map<std::int64_t, std::int64_t> invocations_;  // of the source -> of the store
};

void StoreMerge::add(const Store& source) {
  source_ = source.database_.get();
  source_path_ = &source.path_;
  try {
    add_plans();
    add_invocations();
    add_runs();
  } catch (const SqliteFailure& failure) {
    if (failure.database != source_) throw;
    fail("the store is damaged: " + failure.text);
  }
}

void StoreMerge::add_plans() {
  Statement theirs(source_, "SELECT hash, name, text, json, first_used, last_used FROM plan");
  Statement find(database_, "SELECT text, last_used FROM plan WHERE hash = ?");
  Statement put(database_,
                "INSERT INTO plan (hash, name, text, json, first_used, last_used) "
                "VALUES (?,?,?,?,?,?) ON CONFLICT (hash) DO UPDATE SET "
                "first_used = min(first_used, excluded.first_used), "
                "last_used = max(last_used, excluded.last_used)");
  while (theirs.step()) {
    const std::string hash = theirs.text(0);
    const bool known = find.bind(hash).step();
    if (known && find.bytes(0) != theirs.bytes(2)) {
      fail(fmt::format("its plan '{}' ({}) has another text than in {}", theirs.text(1), hash,
                       path_));
    }
    const bool newest = !known || theirs.bytes(5) >= find.bytes(1);
    find.reset();
    for (int column = 0; column < theirs.columns(); ++column) put.bind_value(theirs, column);
    put.run();
    if (newest) add_list_of(hash);
  }
}

void StoreMerge::add_list_of(const std::string& hash) {
  Statement(database_, "DELETE FROM plan_run WHERE plan_hash = ?").bind(hash).run();
  Statement theirs(source_, "SELECT plan_hash, ordinal, key FROM plan_run WHERE plan_hash = ?");
  theirs.bind(hash);
  Statement put(database_, "INSERT INTO plan_run VALUES (?,?,?)");
  while (theirs.step()) {
    put.bind_value(theirs, 0).bind_value(theirs, 1).bind_value(theirs, 2).run();
  }
}

void StoreMerge::add_invocations() {
  static constexpr const char* kColumns =
      "plan_hash, command, version, revision, compiler, build_type, host, cpu_model, cores, "
      "concurrent, shard, started";
  invocations_.clear();
  Statement theirs(source_, fmt::format("SELECT {}, finished, id FROM invocation", kColumns));
  const int finished = theirs.columns() - 2;
  const int id = theirs.columns() - 1;
  Statement find(database_, fmt::format("SELECT id FROM invocation WHERE ({}) = ({})", kColumns,
                                        marks_of(finished)));
  Statement put(database_, fmt::format("INSERT INTO invocation ({}, finished) VALUES ({})",
                                       kColumns, marks_of(finished + 1)));
  Statement end(database_, "UPDATE invocation SET finished = coalesce(finished, ?) WHERE id = ?");
  while (theirs.step()) {
    for (int column = 0; column < finished; ++column) {
      find.bind_value(theirs, column);
      put.bind_value(theirs, column);
    }
    std::optional<std::int64_t> ours;
    if (find.step()) ours = find.integer(0);
    find.reset();
    if (ours) {
      put.reset();
      end.bind_value(theirs, finished).bind(*ours).run();
    } else {
      put.bind_value(theirs, finished).run();
      ours = sqlite3_last_insert_rowid(database_);
    }
    invocations_[theirs.integer(id)] = *ours;
  }
}

void StoreMerge::add_runs() {
  Statement theirs(source_, "SELECT * FROM run ORDER BY rowid");
  Statement find(database_, "SELECT * FROM run WHERE key = ?");
  Statement put(database_, fmt::format("INSERT INTO run VALUES ({})", marks_of(theirs.columns())));
  while (theirs.step()) {
    const bool known = find.bind_value(theirs, kKey).step();
    if (known) compare_runs(find, theirs);
    find.reset();
    if (!known) insert_run(theirs, put);
    add_curve(theirs.text(kKey), known);
    ++(known ? result_->known : result_->added);
  }
}

void StoreMerge::insert_run(Statement& row, Statement& put) {
  const auto invocation = invocations_.find(row.integer(kInvocation));
  if (invocation == invocations_.end()) {
    fail(fmt::format("the store is damaged: run '{}' is of invocation {}, which is not there",
                     row.text(kKey), row.integer(kInvocation)));
  }
  for (int column = 0; column < row.columns(); ++column) {
    column == kInvocation ? put.bind(invocation->second) : put.bind_value(row, column);
  }
  put.run();
}

void StoreMerge::compare_runs(Statement& ours, Statement& row) {
  if (met_its_cpu_limit(ours) || met_its_cpu_limit(row)) return;  // the first one stays
  bool lacking = false;
  for (int column = 0; column < row.columns(); ++column) {
    const std::string name = row.name(column);
    if (varies(name) || ours.same_value(row, column)) continue;
    if (name == "counters" && same_counters(ours, row, column)) continue;
    if (may_lack(name) && (ours.is_null(column) || row.is_null(column))) {
      lacking = lacking || ours.is_null(column);
      continue;
    }
    fail(fmt::format("another result of run '{}': {} is {}, and {} in {} or a source before",
                     row.text(kKey), name, shown(row, column), shown(ours, column), path_));
  }
  if (lacking) fill_counters(ours, row);
}

void StoreMerge::fill_counters(Statement& ours, Statement& row) {
  const std::string key = row.text(kKey);
  for (int column = 0; column < row.columns(); ++column) {
    if (!may_lack(row.name(column)) || !ours.is_null(column)) continue;
    Statement(database_, fmt::format("UPDATE run SET {} = ? WHERE key = ?", row.name(column)))
        .bind_value(row, column)
        .bind(key)
        .run();
  }
}

void StoreMerge::add_curve(const std::string& key, bool known) {
  static constexpr const char* kFind = "SELECT run_key, points FROM curve WHERE run_key = ?";
  Statement theirs(source_, kFind);
  const bool has = theirs.bind(key).step();
  if (has && !is_packed_curve(theirs.bytes(1))) {
    fail(
        fmt::format("the store is damaged: half a point, or one that cannot be, in the error curve "
                    "of run '{}'",
                    key));
  }
  if (known) {
    Statement ours(database_, kFind);
    const bool had = ours.bind(key).step();
    if (had == has && (!had || ours.same_value(theirs, 1))) return;
    fail(fmt::format("another error curve of run '{}' than in {} or a source before", key, path_));
  }
  if (!has) return;
  Statement(database_, "INSERT INTO curve VALUES (?,?)")
      .bind_value(theirs, 0)
      .bind_value(theirs, 1)
      .run();
}

std::vector<MergedPlan> StoreMerge::plans() const {
  Statement rows(database_,
                 "SELECT name, hash, (SELECT count(*) FROM plan_run JOIN run USING (key) WHERE "
                 "plan_hash = hash), (SELECT count(*) FROM plan_run WHERE plan_hash = hash) FROM "
                 "plan ORDER BY first_used, hash");
  std::vector<MergedPlan> plans;
  while (rows.step()) {
    plans.push_back({rows.text(0), rows.text(1), rows.integer(2), rows.integer(3)});
  }
  return plans;
}

MergeResult StoreMerge::merge(const std::vector<std::string>& sources, Store& into) {
  MergeResult result;
  into.transact([&] {
    result = {};  // another program may have been in the way the first time
    StoreMerge merge(into, &result);
    for (const std::string& source : sources) merge.add(Store(source, StoreUse::kCopy));
    result.plans = merge.plans();
  });
  into.close();
  return result;
}

namespace {

// Removes what a merge has left that was killed, or failed.
void remove_unfinished(const std::string& unfinished) {
  unlink(unfinished.c_str());
  for (const std::string& end : store_companions()) unlink((unfinished + end).c_str());
}

MergeResult merge_into_new(const std::vector<std::string>& sources, const std::string& path) {
  refuse_to_replace(path);
  const std::string unfinished = path + kNew;
  remove_unfinished(unfinished);
  try {
    Store store(unfinished, StoreUse::kMerge);
    MergeResult result = StoreMerge::merge(sources, store);
    move_into_place(unfinished, path);
    return result;
  } catch (...) {
    remove_unfinished(unfinished);
    throw;
  }
}

}  // namespace

std::vector<std::string> merge_companions() {
  std::vector<std::string> ends = {kLockEnd, kNew};
  for (const std::string& end : store_companions()) ends.push_back(kNew + end);
  return ends;
}

MergeResult merge_stores(const std::vector<std::string>& sources, const std::string& path) {
  check_store_name(path);
  const FileLock lock(path);
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) return merge_into_new(sources, path);
  Store store(path, StoreUse::kMerge);
  return StoreMerge::merge(sources, store);
}

}  // namespace playproof
