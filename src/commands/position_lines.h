// `--position -`: one position a line, one result a line.
#pragma once

#include <functional>
#include <string>

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

}  // namespace playproof
