// Records of one line: what each game writes beside its positions.
#pragma once

#include <string>

#include "src/formats/record.h"

namespace playproof {

// A line that is no game tree, without its comment. What is neither a record of its game nor a list
// of moves without blanks is left as it is: whoever reads the position says what is wrong. Throws
// Error(kData).
Record read_line(const AskedGame& asked, const std::string& line, const Place& place);

}  // namespace playproof
