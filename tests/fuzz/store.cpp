// Result stores: a file that is added to another one as `playproof merge` does, then opened, read
// and written as `playproof experiment` does.
#include <fstream>
#include <sstream>
#include <utility>

#include "src/store/merge.h"
#include "src/store/store.h"
#include "tests/fuzz/target.h"

namespace playproof::fuzz {
namespace {

void use(const std::string& path) {
  Store store(path);
  store.put_plan({"0123456789abcdef", "fuzz", "text", "{}"}, {"a", "b"});
  InvocationRow invocation;
  invocation.plan_hash = "0123456789abcdef";
  const std::int64_t id = store.begin_invocation(invocation);
  RunRow row;
  row.key = "a";
  row.invocation = id;
  row.curve = ErrorCurve{{1, 0.5}};
  if (!store.stored_runs(invocation.plan_hash, 2)[0]) store.put_run(row);
  store.sum_up(invocation.plan_hash);
  store.end_invocation(id);
  store.close();
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

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string path = fresh_path(".db");
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  merge(path);
  reads([] { use(path); });
  remove_store(path);
  return 0;
}

}  // namespace playproof::fuzz
