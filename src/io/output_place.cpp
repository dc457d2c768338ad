#include "src/io/output_place.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>
#include <optional>

#include "games/core/error.h"

namespace playproof {
namespace {

Error failure(const std::string& name, const std::string& why) {
  return {ErrorCode::kOutput, fmt::format("{}: {}", name, why)};
}

std::optional<std::string> target_of_link(const std::string& path) {
  char target[PATH_MAX];
  const ssize_t size = readlink(path.c_str(), target, sizeof target);
  if (size < 0) return std::nullopt;
  return std::string(target, static_cast<std::size_t>(size));
}

// Nothing is there to be replaced by a file of the same name.
const char* stream_in_words(mode_t mode) { return S_ISFIFO(mode) ? "a pipe" : "a device"; }

// The place of what exists.
OutputPlace place_of(const std::string& name, const struct stat& status) {
  if (S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode)) return {name, name, true};
  if (S_ISDIR(status.st_mode)) {
    throw failure(name, fmt::format("cannot replace file: {}", strerror(EISDIR)));
  }
  if (!S_ISREG(status.st_mode)) {
    throw failure(name, fmt::format("cannot write to {}; take the name of a file or a pipe",
                                    S_ISSOCK(status.st_mode) ? "a socket" : "a block device"));
  }
  OutputPlace place{name, end_of_links(name), false};
  struct stat there {};
  if (stat(place.path.c_str(), &there) != 0 || there.st_ino != status.st_ino ||
      there.st_dev != status.st_dev) {
    throw failure(name, "cannot replace file: it is open, and has no name any more");
  }
  return place;
}

}  // namespace

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string end_of_links(const std::string& path) {
  constexpr int kMostLinks = 40;  // as the kernel follows
  std::string end = path;
  for (int i = 0; i <= kMostLinks; ++i) {
    const std::optional<std::string> target = target_of_link(end);
    if (!target) return end;
    end = target->starts_with('/') ? *target : folder_of(end) + '/' + *target;
  }
  return path;
}

OutputPlace place_of_output(const std::string& name) {
  // The empty name as the rename would say it, after all the work.
  struct stat status {};
  if (stat(name.c_str(), &status) == 0) return place_of(name, status);
  const int cause = errno;
  if (cause == ELOOP) throw failure(name, fmt::format("cannot follow link: {}", strerror(cause)));
  if (cause != ENOENT || name.empty()) {
    throw failure(name, fmt::format("cannot create file: {}", strerror(cause)));
  }
  return {name, end_of_links(name), false};
}

void refuse_to_replace(const std::string& name) {
  if (!place_of_output(name).is_stream) return;
  struct stat status {};
  stat(name.c_str(), &status);
  throw failure(name, fmt::format("cannot replace file: it is {}; take the name of a file",
                                  stream_in_words(status.st_mode)));
}

}  // namespace playproof
