// Plans of experiments. Errors name the file and a line.
#include <sys/mman.h>
#include <unistd.h>

#include <regex>

#include "src/experiment/plan.h"
#include "tests/fuzz/target.h"

namespace playproof::fuzz {

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const int descriptor = memfd_create("plan", MFD_CLOEXEC);
  if (descriptor < 0 || write(descriptor, data, size) != static_cast<ssize_t>(size)) std::abort();
  const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
  try {
    const Plan plan = load_plan(path);
    if (plan.json().empty() || plan.hash().size() != 16) broken("a plan without a text");
  } catch (const Error& error) {
    const std::string text = error.what();
    if (error.code() != ErrorCode::kData) broken(text);
    // Of another file that the plan names: its own path.
    const bool place = text.starts_with(path + ":") || text.find(": ") != std::string::npos;
    if (!place) broken("an error without a place: " + text);
  }
  close(descriptor);
  return 0;
}

}  // namespace playproof::fuzz
