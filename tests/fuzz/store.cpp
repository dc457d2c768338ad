// Result stores: a file that is added to another one as `playproof merge` does, then opened, read
// and written as `playproof experiment` does. A text that begins with "SQL" is run on a store that
// has a run in it, so that small inputs have triggers, views, tables and rows of others.
#include <sqlite3.h>

#include <fstream>
#include <sstream>
#include <utility>

#include "src/store/merge.h"
#include "src/store/store.h"
#include "tests/fuzz/target.h"

namespace playproof::fuzz {
namespace {

constexpr std::string_view kSql = "SQL";
constexpr const char* kHash = "0123456789abcdef";

// The run of a plan of one: proved, but known to be disproved. False if it is there already.
bool put(Store& store, const char* key) {
  store.put_plan({kHash, "fuzz", "text", "{}"}, {key});
  InvocationRow invocation;
  invocation.plan_hash = kHash;
  RunRow row;
  row.invocation = store.begin_invocation(invocation);
  row.key = key;
  row.goal = "win";
  row.verdict = row.outcome = std::string("proved");
  row.expected = "disproved";
  row.curve = ErrorCurve{{1, 0.5}};
  const bool known = store.stored_runs(kHash, 1)[0];
  if (!known) store.put_run(row);
  store.end_invocation(row.invocation);
  return !known;
}

// What is put in comes out, whoever has made the store: that the run contradicts what is known is
// told.
void use(const std::string& path) {
  Store store(path);
  const bool fresh = put(store, "c");
  const StoredRuns sum = store.sum_up(kHash);
  store.close();
  if (sum.stored != 1) broken("a run is lost");
  if (fresh && sum.disagreements.size() != 1) broken("a store changes what is put into it");
}

void remove_store(const std::string& path) {
  for (const char* end : {"", "-wal", "-shm", "-journal"}) std::remove((path + end).c_str());
}

std::string content(const std::string& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(bytes).str();
}

// A source stays as it is. What is refused leaves nothing; what is not is a store like any other.
void merge(const std::string& path) {
  static const std::string into = fresh_path(".merged.db");
  const std::string before = content(path);
  const bool merged = reads([&] { merge_stores({path}, into); });
  if (content(path) != before) broken("a source has changed");
  if (merged != std::filesystem::exists(into)) broken("a merge that failed has made a store");
  if (merged) Store{into};
  remove_store(into);
}

// As somebody with any SQLite tool, who is no endless time at it.
void change(const std::string& path, std::string_view sql) {
  {
    Store store(path);
    put(store, "a");
    store.close();
  }
  sqlite3* database = nullptr;
  if (sqlite3_open(path.c_str(), &database) == SQLITE_OK) {
    sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);  // no other file
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, 1 << 20);
    int ticks = 0;
    const auto is_long = [](void* count) { return ++*static_cast<int*>(count) > 300 ? 1 : 0; };
    sqlite3_progress_handler(database, 1000, is_long, &ticks);
    sqlite3_exec(database, std::string(sql).c_str(), nullptr, nullptr, nullptr);
  }
  sqlite3_close(database);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string path = fresh_path(".db");
  const std::string input = text_of(data, size);
  if (input.starts_with(kSql)) {
    change(path, std::string_view{input}.substr(kSql.size()));
  } else {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << input;
  }
  merge(path);
  reads([] { use(path); });
  remove_store(path);
  return 0;
}

}  // namespace playproof::fuzz
