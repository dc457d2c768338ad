// A data file without columns: records in any of the formats of docs/formats.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/formats/record.h"
#include "src/io/line_reader.h"

namespace playproof {

// A data file is refused beyond this, so that nobody's machine is filled with it.
inline constexpr std::uint64_t kMostDataBytes = std::uint64_t{256} << 20;
inline constexpr std::size_t kMostRows = 1'000'000;

// The whole file is bad data, not one of its lines.
class DataFileError : public Error {
 public:
  explicit DataFileError(const std::string& what) : Error(ErrorCode::kData, what) {}
};

// The lines of a data file, one after the other. All throw DataFileError: it cannot be read, is
// neither a file nor a pipe, or has more than kMostDataBytes or kMostRows.
class DataLines {
 public:
  explicit DataLines(const std::string& path);
  bool next(std::string* line);  // throws LongLine, too; those after it can be read
  std::uint64_t number() const { return reader_.number(); }
  void check_rows(std::size_t rows) const;

 private:
  [[noreturn]] void fail(const std::string& text) const;

  LineReader reader_;
  std::uint64_t bytes_ = 0;
};

// A record of a data file, or why there is none.
struct ReadRecord {
  int line = 0;
  Record record;
  std::string error;
  bool of_board = false;  // the error: of which board it is, not what its words are
};

// All records of a file; an empty line is none. Throws Error: kUsage (game), kData (the file, too
// many records, or a comment that no record follows).
std::vector<ReadRecord> read_records(const std::string& game, const std::string& path);

// The lines of a plan that would make columns of the words of this line and a position of those
// that are one; none where it has one word, or very many.
std::vector<std::string> as_columns(const std::string& game, const std::string& path, int line);

}  // namespace playproof
