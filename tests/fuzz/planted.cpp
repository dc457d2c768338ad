// The control: a reader with faults. Whoever tests readers must find the crash behind "abC", the
// hang behind "abb" and the hunger behind "ab#", each one bit away from the seed (FAULT = C, b or #
// chooses one, so that each is found by itself).
#include <cstring>
#include <memory>
#include <vector>

#include "tests/fuzz/target.h"

namespace playproof::fuzz {

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const char* chosen = std::getenv("FAULT");
  const char fault = chosen == nullptr ? 'C' : *chosen;
  if (size < 3 || std::memcmp(data, "ab", 2) != 0 || data[2] != static_cast<std::uint8_t>(fault)) {
    return 0;
  }
  if (fault == 'C') std::abort();
  static volatile bool forever = true;
  // Nothing is written to it: pages that are touched take time, and the hang is another fault.
  std::vector<std::unique_ptr<char[]>> eaten;
  while (forever) {
    if (fault == '#') eaten.emplace_back(new char[1 << 24]);
  }
  return 0;
}

}  // namespace playproof::fuzz
