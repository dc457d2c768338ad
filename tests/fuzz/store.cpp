// Result stores: a file that is opened, read and written as `playproof experiment` does.
#include <fstream>

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
  if (!store.has_run(row.key)) store.put_run(row);
  store.disagreements(invocation.plan_hash);
  store.count_runs(invocation.plan_hash);
  store.end_invocation(id);
  store.close();
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string path = fresh_path(".db");
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  reads([] { use(path); });
  for (const char* end : {"", "-wal", "-shm", "-journal"}) std::remove((path + end).c_str());
  return 0;
}

}  // namespace playproof::fuzz
