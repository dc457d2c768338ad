// How deep the tables and lists of a TOML text lie in each other, told without parsing it: the
// parser and what it makes take stack for each level.
#pragma once

#include <string_view>

namespace playproof {

// The first line, from 1, in which something lies in more than `most` tables and lists; 0 if there
// is none. The parts of a dotted key count as tables. Of a text that is no TOML, what stands before
// the first error.
int line_deeper_than(std::string_view toml, int most);

}  // namespace playproof
