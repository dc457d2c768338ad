// `--position -`: one position a line, one result a line; and files of other formats.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "src/formats/record.h"
#include "src/io/line_reader.h"

namespace playproof {

// Calls `answer` on each line; its status counts, and the worst of all lines is returned: 0, 2, 65,
// 70 in this order. A wrong position (Error kData, or a line that is too long), an internal error
// and too little memory are that line's alone: they are reported with the line, as an object with
// `error` and `line` (json) or a line that begins with "error", and the rest go on. A wrong name or
// limit, a backend that is not available and an output that cannot be written hold for all lines:
// these errors end all. Stops after a signal (src/io/interrupt.h).
int for_each_position(LineReader& reader, bool json,
                      const std::function<int(const std::string& position)>& answer);

// Where a bad line is told: as an object and on stderr, as a line of stdout, or on stderr alone.
enum class LineErrors : std::uint8_t { kJson, kText, kStderr };

// The same for records of any format (src/formats/record_reader.h); `line` is where one ends. A
// status 70 of an answer is counted as one of an error.
int for_each_record(const std::string& game, LineReader& reader, LineErrors errors,
                    const std::function<int(const Record& record, std::uint64_t line)>& answer);

}  // namespace playproof
