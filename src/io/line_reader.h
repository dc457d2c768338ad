// Lines of a file or of stdin, with what std::getline hides: read errors, and signals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "games/core/error.h"

namespace playproof {

// The longest line that is read, without its end: far more than any position, far less than the
// memory of any machine.
inline constexpr std::size_t kMostLineBytes = 1 << 20;

// A line is longer; those after it can be read.
class LongLine : public Error {
 public:
  LongLine();
};

class LineReader {
 public:
  // Reads stdin without a path. Throws Error(kData) naming the file and the cause, as next() does.
  explicit LineReader(const std::optional<std::string>& path);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  // The next line without its end ("\n" or "\r\n"; the last line needs none). False at the end, and
  // when a signal came (src/io/interrupt.h) while waiting. Throws LongLine as soon as that is
  // known: what is left of the line is read, and not kept, by the next call.
  bool next(std::string* line);

  std::uint64_t number() const { return number_; }   // of the last line, from 1
  const std::string& name() const { return name_; }  // "stdin" or the path

 private:
  bool fill();
  bool skip_line();
  [[noreturn]] void fail() const;

  std::string name_;
  int descriptor_;
  std::string buffer_;
  std::size_t begin_ = 0;  // of what is unread in the buffer
  bool end_ = false;
  bool long_ = false;  // what is unread begins within a line that was too long
  std::uint64_t number_ = 0;
};

}  // namespace playproof
