// Lines that a window sends, also while the program thinks.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace playproof {

// The lines of a descriptor that is a pipe, a socket, a terminal or a file. One thread.
class LineInput {
 public:
  explicit LineInput(int descriptor) : descriptor_(descriptor) {}

  // The next line without its end ("\n" or "\r\n"; the last line needs none); waits for it. False
  // at the end. Throws LongLine (src/io/line_reader.h); what follows that line can be read. Throws
  // Error(kData): it cannot be read.
  bool next(std::string* line);

  // Would next() return at once? Waits for nothing.
  bool ready();
  // Is there a line that next() has not returned yet, of this kind? Waits for nothing.
  bool has(const std::function<bool(std::string_view line)>& wanted);

 private:
  bool fill(bool wait);
  bool has_line() const;
  std::size_t waiting() const { return buffer_.size() - begin_; }

  int descriptor_;
  std::string buffer_;
  std::size_t begin_ = 0;  // of what is unread in the buffer
  bool end_ = false;
  bool skipping_ = false;  // the rest of a line that was too long
};

}  // namespace playproof
