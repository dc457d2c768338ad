// playproof bench fleet: the command line.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "games/core/error.h"
#include "src/bench/fleet_ways.h"
#include "src/commands/bench_commands.h"
#include "src/commands/command_options.h"
#include "src/commands/solve_options.h"
#include "src/io/interrupt.h"

namespace playproof {
namespace {

constexpr const char* kBenchFleetFooter =
    "The same searches three times: one a core at a time (cores); with their leaves\n"
    "played by the device (leaves); searched by the device from beginning to end, a\n"
    "thread a tree (whole), where what it has no room for is searched on the cores.\n"
    "The seed goes up by one from search to search, in P-games the tree does too.\n"
    "Counts must be the same in all three. An emulated device has no speed.\n"
    "\n"
    "Examples:\n"
    "  playproof bench fleet pgame --algorithm ppn:playouts=10 --searches 100000\n"
    "  playproof bench fleet pgame:branching=8,depth=8 --algorithm pn --threads 1";

std::vector<std::string> read_ways(const std::string& text) {
  const std::vector<std::string> known = BenchSearchOptions().ways;
  std::vector<std::string> ways;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    ways.push_back(text.substr(begin, end - begin));
    begin = end + 1;
    if (std::ranges::find(known, ways.back()) != known.end()) continue;
    throw Error(ErrorCode::kUsage, "--ways must be some of cores,leaves,whole, not '" + text + "'");
  }
  return ways;
}

}  // namespace

void add_bench_fleet_command(CLI::App& bench, Action& chosen) {
  constexpr std::uint64_t kMost = 1 << 24;
  auto options = std::make_shared<BenchSearchOptions>();
  BenchSearchOptions* values = options.get();
  values->request.backend = "cuda";
  CLI::App& command =
      add_command(bench, "fleet", "Times many searches: on the cores, and two ways on a device.",
                  kBenchFleetFooter);
  add_search_options(command, &values->request);
  add_position_option(command, &values->request.position);
  add_integer(command, "--searches", &values->searches, 1, kMost,
              "Searches in all (default: 1000)");
  const auto set_ways = [values](const std::string& text) { values->ways = read_ways(text); };
  add_text(command, "--ways", set_ways, "Of cores, leaves and whole (default: all three)", "LIST");
  add_json_flag(command, &values->json);
  when_read(command, [options, &chosen] {
    chosen = [options] {
      catch_interrupts();
      options->positions = {options->request.position};
      return bench_fleet_ways(*options);
    };
  });
}

}  // namespace playproof
