// The results of experiments: one SQLite file, which any SQLite tool can read.
//
// PRAGMA application_id = kStoreApplicationId ("PLYP"), user_version = kStoreVersion. Tables:
//
//   plan        one row a plan text that was ever run into this file
//     hash        of the text (primary key)      name        the plan's
//     text        the TOML file                  json        the same, for the report
//     first_used  UTC                            last_used   UTC; the newest one of a name counts
//   plan_run    which runs a plan consists of: (plan_hash, ordinal) -> key
//   invocation  how runs were made: one row a start of `playproof experiment`
//     id, plan_hash, command, version, revision, compiler, build_type, host, cpu_model, cores,
//     concurrent (runs at once), shard, started, finished (null while running or after a kill)
//   run         one row a finished run; the columns are listed in schema.h
//     key         everything that decides the result, as text: plan name, series, game, position,
//                 goal, algorithm with every parameter, repetition, seed, limits, batch, how many
//                 workers if they are several (column `threads`: their counts, and what they leave
//                 undecided, differ when the run is made again; it is not), and whose tallies were
//                 played if they are not those of games/PLAYOUTS.md (own_tallies of
//                 host/playouts/evaluator.h); not the backend: CPU and GPU fill one store together
//   curve       run_key -> points: change points of the error of the interim move, packed
//                 little-endian pairs (int64 iteration, float64 expected error over ties)
//
// Keys written before they told tallies are brought up to date from the column `backend` when the
// store is opened (src/store/opening.h).
//
// A store may come from anybody: what playproof does not make in one (triggers, views, indices,
// other tables, values that no run has) is refused when it is opened (src/store/foreign.h).
//
// A row is keyed by what decides it, not by the plan's text: after a change of a plan the runs that
// it left alone are kept, and those that it dropped stay in the file but out of the report.
//
// Durability: write-ahead log with synchronous=NORMAL. A kill, even SIGKILL, loses at most the
// transaction it interrupts; a power cut may lose the last commits, never the file's integrity, and
// a lost run is run again with the same result. After the last write the log is folded back, so the
// finished store is one plain file.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "src/store/run_row.h"

struct sqlite3;

namespace playproof {

struct SqliteFailure;

inline constexpr std::int32_t kStoreApplicationId = 0x504c5950;  // "PLYP"
// Version 1 lacks the last columns of `run`, versions 1 and 2 have one more, nodes_reexpanded, that
// never held anything but 0. Version 4 added kLaterColumns (schema.h). An older store becomes one
// of version 4 when it is opened, with NULL where its rows lack a column.
inline constexpr std::int32_t kStoreVersion = 4;

struct InvocationRow {
  std::string plan_hash, command, version, revision, compiler, build_type, host, cpu_model, shard;
  std::int64_t cores = 0, concurrent = 0;
  std::string started;
};

struct PlanRow {
  std::string hash, name, text, json;
};

// The runs of a plan that are stored.
struct StoredRuns {
  std::int64_t stored = 0, undecided = 0;
  std::vector<std::string> disagreements;  // Contradictions::lines()
};

// Ends of the names of the files that SQLite keeps beside a store.
std::vector<std::string> store_companions();

// Throws Error(kUsage) for what SQLite takes for something else than a file: ":memory:",
// "file:...".
void check_store_name(const std::string& path);

// What a store is opened for.
enum class StoreUse {
  kRuns,   // many small transactions, of several programs: write-ahead log
  kMerge,  // one large transaction: rollback journal; undone, it leaves the file as it was
  kCopy,   // a copy without a name, which is gone afterwards: the file is read, never written
};

class Store {
 public:
  // Opens the file for writing, or makes it; a copy needs a file that is a store. Throws Error:
  // kData for a file that is not a store of this version or is damaged, or that cannot be read for
  // a copy, kOutput for one that cannot be written, kUsage as check_store_name.
  explicit Store(std::string path, StoreUse use = StoreUse::kRuns);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // The plan becomes the newest of its name; `keys` are its runs in order.
  void put_plan(const PlanRow& plan, const std::vector<std::string>& keys);
  std::int64_t begin_invocation(const InvocationRow& row);
  void end_invocation(std::int64_t id);
  // Which of the runs that put_plan() was given are stored.
  std::vector<bool> stored_runs(const std::string& plan_hash, std::size_t planned);
  // One transaction. A key that is there already (another process was faster) is left as it is.
  void put_run(const RunRow& row) { put_runs({&row, 1}); }
  void put_runs(std::span<const RunRow> rows);  // all of them or none
  StoredRuns sum_up(const std::string& plan_hash);
  // Folds the log back into the file. Throws Error(kOutput).
  void close();

 private:
  friend class StoreMerge;  // src/store/merge.cpp
  struct PutRun;            // the statements of put_runs()

  void write_plan(const PlanRow& plan, const std::vector<std::string>& keys);
  void open();
  void open_copy();
  void throw_if_damaged(const SqliteFailure& failure);
  void check_ours();
  void create_tables();
  void add_columns();  // of version 2
  void drop_column();
  void add_later_columns();                          // of version 3
  void transact(const std::function<void()>& work);  // all of it or nothing; tried again if busy
  void execute(const char* sql);
  std::int64_t pragma(const char* name);
  [[noreturn]] void fail();

  std::string path_;
  StoreUse use_;
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> database_;
  std::unique_ptr<PutRun> put_run_;
};

// The time now, as "2026-01-31T12:00:00.000Z".
std::string utc_now();

}  // namespace playproof
