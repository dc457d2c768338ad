// `--position -`: one position a line, one result a line.
#pragma once

#include <functional>
#include <string>

#include "src/line_reader.h"

namespace playproof {

// Calls `answer` on each line; its status counts, and the worst of all lines is returned. A wrong
// position (Error kData) is reported with its line and passed over: an object with `error` and
// `line` (json) or a line that begins with "error"; any other error holds for all lines and ends
// all. Stops after a signal (src/interrupt.h).
int for_each_position(LineReader& reader, bool json,
                      const std::function<int(const std::string& position)>& answer);

}  // namespace playproof
