#include "src/store/store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <optional>
#include <string_view>
#include <thread>

#include "games/core/error.h"
#include "src/store/contradictions.h"
#include "src/store/foreign.h"
#include "src/store/opening.h"
#include "src/store/schema.h"
#include "src/store/sqlite_statement.h"

namespace playproof {
namespace {

constexpr int kBusyMilliseconds = 60'000;
constexpr const char* kNameless = "";  // SQLite keeps it in memory, and in a file if it is large

// A damaged or foreign file is bad data; all else (read-only, full, no such folder) is output.
ErrorCode error_code(int code) {
  const int primary = code & 0xff;
  const bool data = primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB ||
                    primary == SQLITE_ERROR || primary == SQLITE_CONSTRAINT ||
                    primary == SQLITE_TOOBIG;
  return data ? ErrorCode::kData : ErrorCode::kOutput;
}

// Why a file cannot be opened or written; SQLite looks for it in more than one way, and tells what
// the last one met. Empty: it is not known.
std::string why_not_written(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  struct stat status {};
  const bool there = stat(path.c_str(), &status) == 0;
  if (there && S_ISDIR(status.st_mode)) return strerror(EISDIR);
  if (there && access(path.c_str(), R_OK | W_OK) != 0) return strerror(errno);
  if (access(folder.c_str(), F_OK) != 0) {
    return fmt::format("the folder '{}': {}", folder, strerror(errno));
  }
  if (access(folder.c_str(), W_OK | X_OK) == 0) return "";
  return fmt::format("the folder '{}', which is written to besides: {}", folder, strerror(errno));
}

[[noreturn]] void throw_error(const std::string& path, int code, std::string text) {
  const ErrorCode kind = error_code(code);
  const int primary = code & 0xff;
  if (primary == SQLITE_CANTOPEN || primary == SQLITE_READONLY) {
    if (const std::string why = why_not_written(path); !why.empty()) text = why;
  }
  throw Error(kind, fmt::format("{}: {}: {}", path,
                                kind == ErrorCode::kData ? "not a usable result store"
                                                         : "cannot write the result store",
                                text));
}

// Words are little-endian whatever the machine.
void append_word(std::uint64_t word, std::string* bytes) {
  for (int shift = 0; shift < 64; shift += 8) {
    bytes->push_back(static_cast<char>((word >> shift) & 0xff));
  }
}

std::string pack(const ErrorCurve& curve) {
  std::string bytes;
  bytes.reserve(16 * curve.size());
  for (const auto& [iteration, error] : curve) {
    append_word(static_cast<std::uint64_t>(iteration), &bytes);
    append_word(std::bit_cast<std::uint64_t>(error), &bytes);
  }
  return bytes;
}

// What the first row says. No statement is left behind: it would lock its tables.
std::string first_text(sqlite3* database, const char* sql) {
  Statement statement(database, sql);
  return statement.step() ? statement.text(0) : std::string();
}

// "?,?,?"
std::string marks(int count) {
  std::string text = "?";
  for (int i = 1; i < count; ++i) text += ",?";
  return text;
}

void bind_question(const RunRow& row, Statement* s) {
  s->bind(row.key).bind(row.invocation).bind(row.plan).bind(row.series).bind(row.problem);
  s->bind(row.game).bind(row.position).bind(row.goal).bind(row.algorithm).bind(row.spec);
  s->bind(row.parameters).bind(row.repetition).bind(row.seed).bind(row.batch).bind(row.threads);
  s->bind(row.max_nodes).bind(row.max_memory).bind(row.backend).bind(row.device);
}

void bind_answer(const RunRow& row, Statement* s) {
  s->bind(row.outcome).bind(row.verdict).bind(row.reason).bind(row.expected);
  s->bind(row.expected_source).bind(row.best_move).bind(row.lower).bind(row.upper);
  s->bind(row.iterations).bind(row.iteration_divisor).bind(row.iterations_normalised);
  s->bind(row.nodes_created).bind(row.nodes_expanded);
  s->bind(row.evaluations).bind(row.playouts).bind(row.max_depth).bind(row.node_visits);
  s->bind(row.re_entries).bind(row.branch_switches).bind(row.root_switches).bind(row.peak_bytes);
  s->bind(row.seconds).bind(row.cpu_seconds).bind(row.version).bind(row.revision);
  s->bind(row.compiler).bind(row.host).bind(row.cpu_model).bind(row.started).bind(row.finished);
  for (const std::int64_t counter : row.more) s->bind(counter);
  s->bind(row.counters).bind(row.max_cpu_seconds);
}

constexpr int kRunColumns =
    49 + static_cast<int>(kMoreCounters.size()) + static_cast<int>(kLaterColumns.size());

// Runs `work` and turns SQLite's failures into the project's errors. SQLite does not wait for a
// lock where two that wait could hold each other up (a change of the journal's mode, a log that
// its last user clears away); nothing is done then, so `work`, whole, is tried again.
template <class Work>
auto guarded(const std::string& path, const Work& work) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::milliseconds(kBusyMilliseconds);
  while (true) {
    try {
      return work();
    } catch (const SqliteFailure& failure) {
      const bool busy = (failure.code & 0xff) == SQLITE_BUSY;
      if (!busy || Clock::now() > deadline) throw_error(path, failure.code, failure.text);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace

std::vector<std::string> store_companions() { return {"-wal", "-shm", "-journal"}; }

void check_store_name(const std::string& path) {
  if (!path.empty() && path != ":memory:" && !path.starts_with("file:")) return;
  throw Error(ErrorCode::kUsage,
              fmt::format("--store must name a file, in which the results stay, not '{}' (if it is "
                          "one: './{}')",
                          path, path));
}

// Statements are prepared once: for runs of a few milliseconds their text takes as long to read as
// their row to write.
struct Store::PutRun {
  explicit PutRun(sqlite3* database)
      : run(database, "INSERT OR IGNORE INTO run VALUES (" + marks(kRunColumns) + ")"),
        curve(database, "INSERT OR IGNORE INTO curve VALUES (?,?)") {}

  Statement run, curve;
};

Store::Store(std::string path, StoreUse use)
    : path_(std::move(path)), use_(use), database_(nullptr, sqlite3_close) {
  if (use_ == StoreUse::kCopy) {
    open_copy();
    return;
  }
  check_store_name(path_);
  guarded(path_, [&] { open(); });
}

Store::~Store() = default;

void Store::fail() {
  std::string text = sqlite3_errmsg(database_.get());
  const int code = sqlite3_extended_errcode(database_.get());
  if ((code & 0xff) == SQLITE_BUSY || use_ == StoreUse::kCopy) throw SqliteFailure{code, text};
  throw_error(path_, code, text);
}

void Store::execute(const char* sql) {
  if (sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

std::int64_t Store::pragma(const char* name) {
  Statement statement(database_.get(), fmt::format("PRAGMA {}", name));
  return statement.step() ? statement.integer(0) : 0;
}

void Store::open() {
  sqlite3* database = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX;
  const int code = sqlite3_open_v2(path_.c_str(), &database, flags, nullptr);
  database_.reset(database);
  if (database == nullptr) throw Error(ErrorCode::kOutput, path_ + ": out of memory");
  if (code != SQLITE_OK) fail();
  sqlite3_busy_timeout(database, kBusyMilliseconds);
  try {
    distrust(database);
    Transaction transaction(database);  // of two first starts one makes the tables
    check_ours();
    transaction.commit();
  } catch (const SqliteFailure& failure) {
    throw_if_damaged(failure);
    throw;
  }
  execute("PRAGMA foreign_keys = ON");
  if (use_ == StoreUse::kMerge) return;  // in the journal's mode that it has
  // File systems without shared memory keep the rollback journal; it is as safe, only slower.
  execute("PRAGMA journal_mode = WAL");
  execute("PRAGMA synchronous = NORMAL");
  // Keys come in any order: a row changes five pages here and there. Those of a hundred thousand
  // rows stay in memory, and the log is folded back, with a wait for the disk, once in 32 MiB.
  execute("PRAGMA cache_size = -131072");
  execute("PRAGMA wal_autocheckpoint = 8192");
}

// Whatever is wrong with a file that is only read is bad data.
void Store::open_copy() {
  const auto fail = [&](const std::string& text) {
    throw Error(ErrorCode::kData, fmt::format("{}: cannot read the result store: {}", path_, text));
  };
  struct stat status {};
  if (stat(path_.c_str(), &status) != 0) fail(strerror(errno));
  if (!S_ISREG(status.st_mode)) fail("it is not a file");
  const std::string name = path_.starts_with('/') ? path_ : "./" + path_;  // never a URI
  sqlite3* database = nullptr;
  int code = sqlite3_open_v2(name.c_str(), &database, SQLITE_OPEN_READONLY, nullptr);
  const std::unique_ptr<sqlite3, int (*)(sqlite3*)> file(database, sqlite3_close);
  if (code != SQLITE_OK) {
    const int cause = sqlite3_system_errno(database);
    fail(cause != 0 ? strerror(cause) : sqlite3_errstr(code));
  }
  sqlite3_busy_timeout(file.get(), kBusyMilliseconds);
  code = sqlite3_open(kNameless, &database);
  database_.reset(database);
  if (code != SQLITE_OK) fail(sqlite3_errstr(code));
  sqlite3_backup* const backup = sqlite3_backup_init(database, "main", file.get(), "main");
  if (backup == nullptr) fail(sqlite3_errmsg(database));
  code = sqlite3_backup_step(backup, -1);
  sqlite3_backup_finish(backup);
  if ((code & 0xff) == SQLITE_READONLY) {
    fail("a program that was killed left a journal beside it; start that program again");
  }
  if (code == SQLITE_NOTADB && path_.ends_with(".xz")) fail("unpack it first (xz -dk)");
  if (code != SQLITE_DONE) fail(sqlite3_errstr(code));
  try {
    distrust(database);
    if (pragma("application_id") == 0 && pragma("user_version") == 0) {
      fail("it is not a result store of playproof");
    }
    Transaction transaction(database);
    check_ours();
    transaction.commit();
  } catch (const SqliteFailure& failure) {
    fail(failure.text);
  }
}

// Some damage shows as a failure of another kind.
void Store::throw_if_damaged(const SqliteFailure& failure) {
  const int code = failure.code & 0xff;
  const char* damage = nullptr;
  if (code == SQLITE_READONLY && sqlite3_db_readonly(database_.get(), "main") == 1 &&
      access(path_.c_str(), W_OK) == 0) {
    damage = "its header (byte 18) asks for a newer SQLite to write it";
  } else if (code == SQLITE_NOMEM || code == SQLITE_TOOBIG) {
    damage = "it has a record larger than any of ours, or memory ran out";
  }
  if (damage == nullptr) return;
  throw Error(ErrorCode::kData, fmt::format("{}: not a usable result store: {}", path_, damage));
}

void Store::check_ours() {
  const bool empty = first_text(database_.get(), "SELECT count(*) FROM sqlite_master") == "0";
  if (empty && pragma("application_id") == 0 && pragma("user_version") == 0) {
    create_tables();
    return;
  }
  if (pragma("application_id") != kStoreApplicationId) {
    throw Error(ErrorCode::kData, path_ + ": this SQLite file is not a result store of playproof");
  }
  const std::int64_t version = pragma("user_version");
  if (version < 1 || version > kStoreVersion) {
    throw Error(ErrorCode::kData, fmt::format("{}: store version {}, but this program reads "
                                              "versions 1 to {} and writes the last of them",
                                              path_, version, kStoreVersion));
  }
  check_schema(database_.get(), path_, version);
  // The check covers what the indices say: runs are looked up there.
  const std::string check = first_text(database_.get(), "PRAGMA integrity_check(1)");
  if (check != "ok") {
    throw Error(ErrorCode::kData, fmt::format("{}: the store is damaged: {}", path_, check));
  }
  if (version == 1) add_columns();
  if (version < 3) drop_column();
  if (version < kStoreVersion) add_later_columns();
  check_values(database_.get(), path_);
  bring_keys_up_to_date(database_.get());
}

void Store::add_columns() {
  for (const char* column : kMoreCounters) {
    execute(fmt::format("ALTER TABLE run ADD COLUMN {} INTEGER", column).c_str());
  }
}

void Store::drop_column() {
  execute(fmt::format("ALTER TABLE run DROP COLUMN {}", kDroppedColumn).c_str());
}

void Store::add_later_columns() {
  for (const char* column : kLaterColumns) {
    execute(fmt::format("ALTER TABLE run ADD COLUMN {}", column).c_str());
  }
  execute(fmt::format("PRAGMA user_version = {}", kStoreVersion).c_str());
}

void Store::create_tables() {
  execute(kCreateTables);
  execute(fmt::format("PRAGMA application_id = {}", kStoreApplicationId).c_str());
  execute(fmt::format("PRAGMA user_version = {}", kStoreVersion).c_str());
}

void Store::transact(const std::function<void()>& work) {
  guarded(path_, [&] {
    Transaction transaction(database_.get());
    work();
    transaction.commit();
  });
}

void Store::put_plan(const PlanRow& plan, const std::vector<std::string>& keys) {
  guarded(path_, [&] {
    Transaction transaction(database_.get());
    write_plan(plan, keys);
    transaction.commit();
  });
}

// Within a transaction of the caller.
void Store::write_plan(const PlanRow& plan, const std::vector<std::string>& keys) {
  const std::string now = utc_now();
  Statement(database_.get(),
            "INSERT INTO plan (hash, name, text, json, first_used, last_used) "
            "VALUES (?,?,?,?,?,?) ON CONFLICT (hash) DO UPDATE SET last_used = excluded.last_used")
      .bind(plan.hash)
      .bind(plan.name)
      .bind(plan.text)
      .bind(plan.json)
      .bind(now)
      .bind(now)
      .run();
  // A data file that the plan names may have changed although the plan did not.
  Statement(database_.get(), "DELETE FROM plan_run WHERE plan_hash = ?").bind(plan.hash).run();
  Statement member(database_.get(), "INSERT INTO plan_run VALUES (?,?,?)");
  for (std::size_t i = 0; i < keys.size(); ++i) {
    member.bind(plan.hash).bind(static_cast<std::int64_t>(i)).bind(keys[i]).run();
  }
}

std::int64_t Store::begin_invocation(const InvocationRow& row) {
  return guarded(path_, [&] {
    Statement statement(database_.get(),
                        "INSERT INTO invocation (plan_hash, command, version, revision, compiler, "
                        "build_type, host, cpu_model, cores, concurrent, shard, started) VALUES (" +
                            marks(12) + ")");
    statement.bind(row.plan_hash).bind(row.command).bind(row.version).bind(row.revision);
    statement.bind(row.compiler).bind(row.build_type).bind(row.host).bind(row.cpu_model);
    statement.bind(row.cores).bind(row.concurrent).bind(row.shard).bind(row.started).run();
    return static_cast<std::int64_t>(sqlite3_last_insert_rowid(database_.get()));
  });
}

void Store::end_invocation(std::int64_t id) {
  guarded(path_, [&] {
    Statement(database_.get(), "UPDATE invocation SET finished = ? WHERE id = ?")
        .bind(utc_now())
        .bind(id)
        .run();
  });
}

std::vector<bool> Store::stored_runs(const std::string& plan_hash, std::size_t planned) {
  return guarded(path_, [&] {
    Statement statement(database_.get(),
                        "SELECT ordinal FROM plan_run JOIN run USING (key) WHERE plan_hash = ?");
    statement.bind(plan_hash);
    std::vector<bool> stored(planned);
    while (statement.step()) {
      const auto ordinal = static_cast<std::size_t>(statement.integer(0));
      if (ordinal < planned) stored[ordinal] = true;
    }
    return stored;
  });
}

void Store::put_runs(std::span<const RunRow> rows) {
  if (rows.empty()) return;
  guarded(path_, [&] {
    std::optional<Transaction> all;  // one statement is a transaction of its own
    if (rows.size() > 1 || rows.front().curve) all.emplace(database_.get());
    // They go back where they were when all is done: statements that failed are not used again.
    auto put = put_run_ ? std::move(put_run_) : std::make_unique<PutRun>(database_.get());
    for (const RunRow& row : rows) {
      bind_question(row, &put->run);
      bind_answer(row, &put->run);
      put->run.run();
      if (row.curve) put->curve.bind(row.key).bind_blob(pack(*row.curve)).run();
    }
    if (all) all->commit();
    put_run_ = std::move(put);
  });
}

StoredRuns Store::sum_up(const std::string& plan_hash) {
  return guarded(path_, [&] {
    // CROSS: the plan's runs in their order, each looked up by its key; nothing is sorted.
    Statement statement(
        database_.get(),
        "SELECT verdict, series, problem, game, position, goal, spec, expected FROM plan_run "
        "CROSS JOIN run USING (key) WHERE plan_hash = ? ORDER BY ordinal");
    statement.bind(plan_hash);
    StoredRuns sum;
    Contradictions contradictions;
    while (statement.step()) {
      ++sum.stored;
      const std::string verdict = statement.text(0);
      sum.undecided += verdict == "unknown";
      const bool proved = verdict == "proved";
      if (!proved && verdict != "disproved") continue;
      StoredAnswer answer{statement.text(1),
                          statement.text(2),
                          statement.text(3),
                          statement.text(4),
                          statement.text(5),
                          statement.text(6),
                          proved,
                          {}};
      if (!statement.is_null(7)) answer.expected = statement.text(7);
      contradictions.add(answer);
    }
    sum.disagreements = contradictions.lines();
    return sum;
  });
}

void Store::close() {
  put_run_.reset();
  guarded(path_, [&] { execute("PRAGMA wal_checkpoint(TRUNCATE)"); });
  // Leaves no companion files. Another open connection prevents it, and then does it itself.
  sqlite3_exec(database_.get(), "PRAGMA journal_mode = DELETE", nullptr, nullptr, nullptr);
  database_.reset();
}

std::string utc_now() {
  using std::chrono::system_clock;
  const auto now = system_clock::now().time_since_epoch();
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  const std::time_t seconds = milliseconds / 1000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  return fmt::format("{}.{:03}Z", text.data(), milliseconds % 1000);
}

}  // namespace playproof
