#include "src/commands/position_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <nlohmann/json.hpp>

#include "games/core/error.h"
#include "games/core/printable.h"
#include "src/commands/commands.h"
#include "src/commands/listing.h"
#include "src/io/exit_status.h"
#include "src/io/internal_error.h"
#include "src/io/interrupt.h"
#include "src/io/json.h"
#include "src/io/output.h"

namespace playproof {
namespace {

// Which of two statuses says more: a bad line outweighs an undecided one, a bug of ours both.
int worse(int a, int b) {
  constexpr std::array kOrder = {kExitDecided, kExitUndecided, static_cast<int>(ErrorCode::kData),
                                 static_cast<int>(ErrorCode::kInternal)};
  const auto rank = [&](int status) { return std::find(kOrder.begin(), kOrder.end(), status); };
  return rank(a) < rank(b) ? b : a;
}

int report_line(const LineReader& reader, const Error& error, bool json) {
  const std::string text = fmt::format("{}:{}: {}", reader.name(), reader.number(), error.what());
  if (json) {
    print_json({{"error", error.what()}, {"line", reader.number()}});
    print_error(text);  // for whoever watches a program that reads the objects
  } else {
    write_stdout("error  " + printable(text) + "\n");
  }
  return error.exit_status();
}

// The status of one line.
int guarded(const LineReader& reader, bool json, const std::function<int()>& answer) {
  try {
    return answer();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kData && error.code() != ErrorCode::kInternal) throw;
    return report_line(reader, error, json);
  } catch (const std::exception& error) {
    return report_line(reader, internal_error(error), json);
  }
}

}  // namespace

int for_each_position(LineReader& reader, bool json,
                      const std::function<int(const std::string& position)>& answer) {
  int status = kExitDecided;
  std::uint64_t refused = 0;
  const auto count = [&](int of_line) {
    status = worse(status, of_line);
    refused += of_line == kExitDecided || of_line == kExitUndecided ? 0 : 1;
  };
  std::string line;
  while (!interrupted()) {
    try {
      if (!reader.next(&line)) break;
    } catch (const LongLine& error) {
      count(report_line(reader, error, json));
      continue;
    }
    count(guarded(reader, json, [&] { return answer(line); }));
  }
  if (refused > 0 && !json) {  // what is wrong with each stands in its line of output
    print_error(fmt::format("{}: {} of {} {} no answer", reader.name(), refused, reader.number(),
                            refused == 1 ? "lines has" : "lines have"));
  }
  return interrupted() ? worse(status, kExitUndecided) : status;
}

}  // namespace playproof
