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
#include <unordered_map>
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

// Those that say under which names a run was made.
constexpr std::array<std::string_view, 5> kNames = {"key", "plan", "series", "problem",
                                                    "algorithm"};

bool is_name(std::string_view column) {
  return std::find(kNames.begin(), kNames.end(), column) != kNames.end();
}

// What decides the result of a run: its key without names, which stand in it as run_key() of
// src/experiment/runs.cpp writes them.
std::string without_names(const NamedRun& run) {
  const std::string problem = fmt::format("{} | {} | {}", run.game, run.position, run.goal);
  const std::string names = fmt::format("{} | {} | {} | {} | {} | ", run.plan, run.series,
                                        run.problem, problem, run.algorithm);
  const std::size_t begin = run.key.starts_with(names) ? names.size() : 0;
  return fmt::format("{} | {}", problem, run.key.substr(begin));
}

bool varies(std::string_view column) {
  return std::find(kVarying.begin(), kVarying.end(), column) != kVarying.end();
}

// Rows of version 1 lack it, or those before version 4.
bool may_lack(std::string_view column) {
  return std::find(kMoreCounters.begin(), kMoreCounters.end(), column) != kMoreCounters.end() ||
         column == "counters";
}

// Whether a row is another one when the run is made again: it ends where a clock said so, or
// several workers searched.
bool varies_as_a_whole(Statement& row) {
  for (int column = 0; column < row.columns(); ++column) {
    if (row.name(column) == "reason" && row.text(column) == kCpuReason) return true;
    if (row.name(column) == "threads" && row.integer(column) > 1) return true;
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
  static MergeResult merge(const std::vector<std::string>& sources, const TakingPlan* plan,
                           Store& into);

 private:
  StoreMerge(Store& into, const TakingPlan* plan, MergeResult* result)
      : database_(into.database_.get()),
        path_(into.path_),
        result_(result),
        takes_(plan != nullptr) {
    if (!takes_) return;
    std::vector<std::string> keys;
    for (const NamedRun& run : plan->runs) {
      keys.push_back(run.key);
      if (run.wanted) wanted_[without_names(run)].push_back(&run);
    }
    into.write_plan(plan->plan, keys);
  }

  void add(const Store& source);
  void add_plans();
  void add_list_of(const std::string& hash);
  void add_invocations();
  void add_runs();
  void take_runs();
  std::map<std::string, std::string> nearest_series();
  void remove_unused_invocations() const;
  void insert_run(Statement& row, const NamedRun* as, Statement& put);
  void compare_runs(Statement& ours, Statement& row);
  void fill_counters(Statement& ours, Statement& row);
  void add_curve(const std::string& key, const std::string& as, bool known);
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
  bool takes_;
  std::unordered_map<std::string, std::vector<const NamedRun*>> wanted_;  // by without_names()
};

void StoreMerge::add(const Store& source) {
  source_ = source.database_.get();
  source_path_ = &source.path_;
  try {
    if (!takes_) add_plans();
    add_invocations();
    takes_ ? take_runs() : add_runs();
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
    if (!known) insert_run(theirs, nullptr, put);
    add_curve(theirs.text(kKey), theirs.text(kKey), known);
    ++(known ? result_->known : result_->added);
  }
}

// Under which names a row of `run` stands, read by kNamesOfRun.
constexpr const char* kNamesOfRun =
    "key, plan, series, problem, algorithm, game, position, goal FROM run ORDER BY rowid";

NamedRun named(Statement& row, int first) {
  const auto text = [&](int after) { return row.text(first + after); };
  return {text(0), text(1), text(2), text(3), text(4), text(5), text(6), text(7)};
}

// For each series of the plan the series of the source that has most of its runs.
std::map<std::string, std::string> StoreMerge::nearest_series() {
  std::map<std::string, std::map<std::string, std::size_t>> counts;
  Statement theirs(source_, fmt::format("SELECT {}", kNamesOfRun));
  while (theirs.step()) {
    const NamedRun run = named(theirs, 0);
    const auto wanted = wanted_.find(without_names(run));
    if (wanted == wanted_.end()) continue;
    for (const NamedRun* as : wanted->second) ++counts[as->series][run.plan + "\n" + run.series];
  }
  std::map<std::string, std::string> nearest;
  for (const auto& [series, of] : counts) {
    nearest[series] =
        std::ranges::max_element(of, {}, [](const auto& one) { return one.second; })->first;
  }
  return nearest;
}

// A run that several series of the source have is taken from the one that has most beside it: of
// one run times differ.
void StoreMerge::take_runs() {
  const std::map<std::string, std::string> nearest = nearest_series();
  for (const bool near : {true, false}) {
    Statement theirs(source_, fmt::format("SELECT *, {}", kNamesOfRun));
    Statement find(database_, "SELECT * FROM run WHERE key = ?");
    const int own = theirs.columns() - 8;  // columns of `run`
    Statement put(database_, fmt::format("INSERT INTO run VALUES ({})", marks_of(own)));
    while (theirs.step()) {
      const NamedRun run = named(theirs, own);
      const auto wanted = wanted_.find(without_names(run));
      if (wanted == wanted_.end()) {
        result_->left += near;
        continue;
      }
      for (const NamedRun* as : wanted->second) {
        if ((nearest.at(as->series) == run.plan + "\n" + run.series) != near) continue;
        const bool known = find.bind(as->key).step();
        if (known) compare_runs(find, theirs);
        find.reset();
        if (!known) insert_run(theirs, as, put);
        add_curve(run.key, as->key, known);
        ++(known ? result_->known : result_->added);
      }
    }
  }
}

// Those of sources of which no run was taken.
void StoreMerge::remove_unused_invocations() const {
  Statement(database_,
            "DELETE FROM invocation WHERE id NOT IN (SELECT invocation FROM run) AND plan_hash NOT "
            "IN (SELECT hash FROM plan)")
      .run();
}

// Under its own names, or `as` a run of the plan.
void StoreMerge::insert_run(Statement& row, const NamedRun* as, Statement& put) {
  const auto invocation = invocations_.find(row.integer(kInvocation));
  if (invocation == invocations_.end()) {
    fail(fmt::format("the store is damaged: run '{}' is of invocation {}, which is not there",
                     row.text(kKey), row.integer(kInvocation)));
  }
  for (int column = 0; column < put.parameters(); ++column) {
    const std::string name = row.name(column);
    if (column == kInvocation) {
      put.bind(invocation->second);
    } else if (as != nullptr && is_name(name)) {
      put.bind(name == "key"       ? as->key
               : name == "plan"    ? as->plan
               : name == "series"  ? as->series
               : name == "problem" ? as->problem
                                   : as->algorithm);
    } else {
      put.bind_value(row, column);
    }
  }
  put.run();
}

void StoreMerge::compare_runs(Statement& ours, Statement& row) {
  if (varies_as_a_whole(ours) || varies_as_a_whole(row)) return;  // the first one stays
  bool lacking = false;
  for (int column = 0; column < ours.columns(); ++column) {
    const std::string name = row.name(column);
    if (varies(name) || (takes_ && is_name(name)) || ours.same_value(row, column)) continue;
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
  const std::string key = ours.text(kKey);
  for (int column = 0; column < ours.columns(); ++column) {
    if (!may_lack(row.name(column)) || !ours.is_null(column)) continue;
    const bool all = row.name(column) == "counters";  // but that of memory, which differs
    Statement(database_, fmt::format("UPDATE run SET {} = {} WHERE key = ?", row.name(column),
                                     all ? "json_replace(?, '$.peak_bytes', peak_bytes)" : "?"))
        .bind_value(row, column)
        .bind(key)
        .run();
  }
}

// Of the run with that key of the source, which has another one here.
void StoreMerge::add_curve(const std::string& key, const std::string& as, bool known) {
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
    const bool had = ours.bind(as).step();
    if (had == has && (!had || ours.same_value(theirs, 1))) return;
    fail(fmt::format("another error curve of run '{}' than in {} or a source before", key, path_));
  }
  if (!has) return;
  Statement(database_, "INSERT INTO curve VALUES (?,?)").bind(as).bind_value(theirs, 1).run();
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

MergeResult StoreMerge::merge(const std::vector<std::string>& sources, const TakingPlan* plan,
                              Store& into) {
  MergeResult result;
  into.transact([&] {
    result = {};  // another program may have been in the way the first time
    StoreMerge merge(into, plan, &result);
    for (const std::string& source : sources) merge.add(Store(source, StoreUse::kCopy));
    if (plan != nullptr) merge.remove_unused_invocations();
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

MergeResult merge_into_new(const std::vector<std::string>& sources, const std::string& path,
                           const TakingPlan* plan) {
  refuse_to_replace(path);
  const std::string unfinished = path + kNew;
  remove_unfinished(unfinished);
  try {
    Store store(unfinished, StoreUse::kMerge);
    MergeResult result = StoreMerge::merge(sources, plan, store);
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

namespace {

MergeResult merge_or_take(const std::vector<std::string>& sources, const std::string& path,
                          const TakingPlan* plan) {
  check_store_name(path);
  const FileLock lock(path);
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) return merge_into_new(sources, path, plan);
  Store store(path, StoreUse::kMerge);
  return StoreMerge::merge(sources, plan, store);
}

}  // namespace

MergeResult merge_stores(const std::vector<std::string>& sources, const std::string& path) {
  return merge_or_take(sources, path, nullptr);
}

MergeResult merge_stores(const std::vector<std::string>& sources, const std::string& path,
                         const TakingPlan& plan) {
  return merge_or_take(sources, path, &plan);
}

}  // namespace playproof
