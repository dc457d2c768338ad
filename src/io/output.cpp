#include "src/io/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "games/core/printable.h"

namespace playproof {

ReaderGone::ReaderGone() : Error(ErrorCode::kOutput, "stdout: nobody reads it any more") {}

bool reader_is_gone() {
  pollfd asked{STDOUT_FILENO, 0, 0};
  return poll(&asked, 1, 0) > 0 && (asked.revents & (POLLERR | POLLHUP)) != 0;
}

void write_stdout(std::string_view text) {
  isatty(STDOUT_FILENO) != 0 ? write_drawn(for_terminal(text)) : write_drawn(text);
}

void write_drawn(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      if (errno == EPIPE) throw ReaderGone();
      throw Error(ErrorCode::kOutput, fmt::format("stdout: cannot write: {}", strerror(errno)));
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void write_stderr(std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void print_error(std::string_view text, std::string_view rest) noexcept {
  // The line is written in one piece, so that lines of several processes do not mix, and without
  // asking for memory, which may be what is missing.
  std::array<char, 4096> line{};
  std::size_t size = 0;
  for (const std::string_view part : {std::string_view("playproof: "), text, rest}) {
    for (const char c : part) {
      if (size + kLongestEscape >= line.size()) break;
      size += write_printable(c, line.data() + size);
    }
  }
  line[size++] = '\n';
  write_stderr({line.data(), size});
}

void prepare_standard_streams() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    // The lowest free descriptor is this one. Opened for reading only: writing to it fails.
    if (open("/dev/null", O_RDONLY) < 0) break;
  }
  // What cannot be written is an error with its own exit status, not a death by signal.
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}

}  // namespace playproof
