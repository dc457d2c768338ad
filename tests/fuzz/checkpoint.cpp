// Checkpoints: a file that `solve --resume` goes on with. Chunks are checksummed, so that what is
// searched for rarely comes beyond them; state.cpp begins behind.
#include "src/io/checkpoint.h"

#include <filesystem>
#include <fstream>
#include <memory>

#include "tests/fuzz/target.h"

namespace playproof::fuzz {
namespace {

void go_on(const std::string& path) {
  SolveRequest request;
  request.limits.max_nodes = 2000;
  request.limits.max_memory = 64 << 20;
  bool from_former = false;
  const std::unique_ptr<Solver> solver = resume(path, {}, &request, &from_former);
  if (solver->step(100) == StopReason::kDecided) solver->self_check();
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string path = fresh_path(".ckpt");
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  reads([] { go_on(path); });
  std::filesystem::remove(path);
  return 0;
}

}  // namespace playproof::fuzz
