#include "src/io/line_reader.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "games/core/error.h"
#include "src/io/interrupt.h"

namespace playproof {

LongLine::LongLine()
    : Error(ErrorCode::kData, fmt::format("a line longer than {} bytes", kMostLineBytes)) {}

LineReader::LineReader(const std::optional<std::string>& path)
    : name_(path.value_or("stdin")),
      descriptor_(path ? open(path->c_str(), O_RDONLY | O_CLOEXEC) : STDIN_FILENO) {
  if (descriptor_ < 0) fail();
}

LineReader::~LineReader() {
  if (descriptor_ != STDIN_FILENO) close(descriptor_);
}

bool LineReader::next(std::string* line) {
  if (long_ && !skip_line()) return false;
  std::size_t stop = buffer_.find('\n', begin_);
  while (stop == std::string::npos && !end_) {
    const std::size_t searched = buffer_.size() - begin_;
    if (searched > kMostLineBytes) break;
    if (!fill()) return false;
    stop = buffer_.find('\n', begin_ + searched);
  }
  if (stop == std::string::npos) {
    if (begin_ == buffer_.size()) return false;
    stop = buffer_.size();
  }
  ++number_;
  if (stop - begin_ > kMostLineBytes) {
    long_ = true;
    throw LongLine();
  }
  line->assign(buffer_, begin_, stop - begin_);
  if (line->ends_with('\r')) line->pop_back();
  begin_ = std::min(stop + 1, buffer_.size());
  return true;
}

// The rest of the line that was too long. False if a signal came first.
bool LineReader::skip_line() {
  std::size_t stop = 0;
  while ((stop = buffer_.find('\n', begin_)) == std::string::npos) {
    begin_ = buffer_.size();
    if (end_) break;
    if (!fill()) return false;
  }
  if (stop != std::string::npos) begin_ = stop + 1;
  long_ = false;
  return true;
}

// Reads on. False if a signal came first.
bool LineReader::fill() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  std::array<char, 1 << 16> chunk;
  ssize_t count = -1;
  while (!interrupted() && (count = read(descriptor_, chunk.data(), chunk.size())) < 0) {
    if (errno != EINTR) fail();
  }
  if (interrupted()) return false;
  end_ = count == 0;
  buffer_.append(chunk.data(), static_cast<std::size_t>(count));
  return true;
}

void LineReader::fail() const {
  throw Error(ErrorCode::kData, fmt::format("{}: cannot read file: {}", name_, strerror(errno)));
}

}  // namespace playproof
