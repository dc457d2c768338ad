#include "src/io/machine.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <thread>

#include "src/io/build_info.h"

namespace playproof {

std::string host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') return "unknown";
  return name.data();
}

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

std::uint64_t machine_memory() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

int all_cores() { return static_cast<int>(std::max(1u, std::thread::hardware_concurrency())); }

std::string version_text() { return std::string(kVersion) + "+" + kGitRevision; }

}  // namespace playproof
