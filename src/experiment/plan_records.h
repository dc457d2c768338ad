// A data file without columns: records in any of the formats of docs/formats.md.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/formats/record.h"

namespace playproof {

// A record of a data file, or why there is none.
struct ReadRecord {
  int line = 0;
  Record record;
  std::string error;
  bool of_board = false;  // the error: of which board it is, not what its words are
};

// All records of a file; an empty line is none. Throws Error: kUsage (game), kData (the file, or a
// comment that no record follows).
std::vector<ReadRecord> read_records(const std::string& game, const std::string& path);

// The lines of a plan that would make columns of the words of this line and a position of those
// that are one; none where it has one word, or very many.
std::vector<std::string> as_columns(const std::string& game, const std::string& path, int line);

}  // namespace playproof
