#include "src/windows/line_input.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "games/core/error.h"
#include "src/io/line_reader.h"

namespace playproof {
namespace {

// More is left to the pipe: who sends so much without waiting for an answer can wait.
constexpr std::size_t kMostWaiting = 4 * kMostLineBytes;

}  // namespace

bool LineInput::has_line() const {
  return end_ || waiting() > kMostLineBytes || buffer_.find('\n', begin_) != std::string::npos;
}

bool LineInput::next(std::string* line) {
  while (true) {
    while (!has_line()) fill(true);
    const std::size_t stop = std::min(buffer_.find('\n', begin_), buffer_.size());
    const bool ended = stop < buffer_.size() || end_;
    if (end_ && waiting() == 0) return false;
    const bool skipped = skipping_;
    const bool long_line = stop - begin_ > kMostLineBytes;
    skipping_ = !ended;
    if (!skipped && !long_line) {
      line->assign(buffer_, begin_, stop - begin_);
      if (line->ends_with('\r')) line->pop_back();
    }
    begin_ = std::min(stop + 1, buffer_.size());
    if (begin_ > buffer_.size() / 2) {  // what is moved is less than what was read
      buffer_.erase(0, begin_);
      begin_ = 0;
    }
    if (skipped) continue;
    if (long_line) throw LongLine();
    return true;
  }
}

bool LineInput::ready() {
  while (!has_line() && fill(false)) continue;
  return has_line();
}

bool LineInput::has(const std::function<bool(std::string_view line)>& wanted) {
  while (!end_ && waiting() < kMostWaiting && fill(false)) continue;
  const std::string_view text = buffer_;
  for (std::size_t begin = begin_; begin < text.size();) {
    const std::size_t stop = text.find('\n', begin);
    if (stop == std::string_view::npos) return false;
    if (wanted(text.substr(begin, stop - begin))) return true;
    begin = stop + 1;
  }
  return false;
}

// Reads what there is; false if there is nothing.
bool LineInput::fill(bool wait) {
  if (end_) return false;
  pollfd asked{descriptor_, POLLIN, 0};
  if (!wait && poll(&asked, 1, 0) <= 0) return false;
  std::array<char, 1 << 16> chunk;
  ssize_t count = -1;
  while ((count = read(descriptor_, chunk.data(), chunk.size())) < 0) {
    const bool later = errno == EAGAIN;  // who shares it made it so
    if (later && !wait) return false;
    if (later) poll(&asked, 1, -1);
    if (!later && errno != EINTR) {
      throw Error(ErrorCode::kData, fmt::format("stdin: cannot read: {}", strerror(errno)));
    }
  }
  end_ = count == 0;
  buffer_.append(chunk.data(), static_cast<std::size_t>(count));
  return count > 0;
}

}  // namespace playproof
