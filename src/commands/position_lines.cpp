#include "src/commands/position_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <nlohmann/json.hpp>
#include <optional>

#include "games/core/error.h"
#include "games/core/printable.h"
#include "src/commands/commands.h"
#include "src/commands/listing.h"
#include "src/formats/record_reader.h"
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

// `begun`: where the position begins, if it is read.
int report_line(const LineReader& reader, std::uint64_t begun, const Error& error,
                LineErrors errors) {
  const auto* of_record = dynamic_cast<const RecordError*>(&error);
  const std::uint64_t line = of_record != nullptr ? of_record->line()
                             : begun > 0          ? begun
                                                  : reader.number();
  const std::string text = fmt::format("{}:{}: {}", reader.name(), line, error.what());
  if (errors == LineErrors::kText) {
    write_line("error  " + printable(text));
    return error.exit_status();
  }
  if (errors == LineErrors::kJson) print_json({{"error", error.what()}, {"line", line}});
  print_error(text);  // for whoever watches a program that reads what comes from stdout
  return error.exit_status();
}

// The status of one line.
int guarded(const LineReader& reader, const std::uint64_t& begun, LineErrors errors,
            const std::function<int()>& answer) {
  try {
    return answer();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kData && error.code() != ErrorCode::kInternal) throw;
    return report_line(reader, begun, error, errors);
  } catch (const std::exception& error) {
    return report_line(reader, begun, internal_error(error), errors);
  }
}

// The file cannot be read on: no matter of one line.
struct Unreadable {
  Error error;
};

bool next_line(LineReader& reader, std::string* line) {
  try {
    return reader.next(line);
  } catch (const LongLine&) {
    throw;
  } catch (const Error& error) {
    throw Unreadable{error};
  }
}

// `step` reads the next one and answers it, having said where it begins; nothing at the end.
int for_each(LineReader& reader, LineErrors errors,
             const std::function<std::optional<int>(std::uint64_t* begun)>& step) {
  int status = kExitDecided;
  std::uint64_t positions = 0;  // a line may have several, or none
  std::uint64_t refused = 0;
  for (bool more = true; more && !interrupted();) {
    bool answered = false;
    std::uint64_t begun = 0;
    const int of_line = guarded(reader, begun, errors, [&] {
      const std::optional<int> found = step(&begun);
      answered = true;
      more = found.has_value();
      return found.value_or(kExitDecided);
    });
    status = worse(status, of_line);
    positions += more ? 1 : 0;
    refused += answered ? 0 : 1;
  }
  if (refused > 0 && errors == LineErrors::kText) {  // what is wrong with each stands in its line
    print_error(fmt::format("{}: {} of {} {} no answer", reader.name(), refused, positions,
                            refused == 1 ? "positions has" : "positions have"));
  }
  return interrupted() ? worse(status, kExitUndecided) : status;
}

int readable(const std::function<int()>& answers) {
  try {
    return answers();
  } catch (const Unreadable& failure) {
    throw Error(failure.error);
  }
}

}  // namespace

int for_each_position(LineReader& reader, bool json,
                      const std::function<int(const std::string& position)>& answer) {
  std::string line;
  const auto step = [&](std::uint64_t*) -> std::optional<int> {
    if (!next_line(reader, &line)) return std::nullopt;
    return answer(line);
  };
  return readable(
      [&] { return for_each(reader, json ? LineErrors::kJson : LineErrors::kText, step); });
}

int for_each_record(const std::string& game, LineReader& reader, LineErrors errors,
                    const std::function<int(const Record& record, std::uint64_t line)>& answer) {
  RecordReader records(game, {[&](std::string* line) { return next_line(reader, line); },
                              [&] { return reader.number(); }});
  const auto step = [&](std::uint64_t* begun) -> std::optional<int> {
    Record record;
    if (!records.next(&record)) return std::nullopt;
    *begun = records.line();
    return answer(record, records.line());
  };
  return readable([&] { return for_each(reader, errors, step); });
}

}  // namespace playproof
