#include "src/io/file_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "games/core/error.h"

namespace playproof {

FileLock::FileLock(const std::string& path) : path_(path), name_(path + kLockEnd) {
  while (!take()) close(std::exchange(descriptor_, -1));
}

FileLock::~FileLock() {
  unlink(name_.c_str());  // while it is held: whoever waits for this file sees that it is gone
  close(descriptor_);
}

bool FileLock::take() {
  const auto fail = [this](const std::string& cause) {
    if (descriptor_ >= 0) close(descriptor_);
    throw Error(ErrorCode::kOutput, fmt::format("{}: {}", path_, cause));
  };
  descriptor_ = open(name_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail(fmt::format("cannot create file: {}: {}", name_, strerror(errno)));
  while (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) {
      fail(
          fmt::format("another program writes it (and holds {}); wait for its end, or take another "
                      "name",
                      name_));
    }
    if (errno != EINTR) return true;  // a file system without locks
  }
  struct stat held {};
  struct stat there {};
  if (fstat(descriptor_, &held) == 0 && held.st_size > 0) {
    fail(fmt::format("{} is no lock of ours: it is not empty, and would be removed", name_));
  }
  return fstat(descriptor_, &held) == 0 && stat(name_.c_str(), &there) == 0 &&
         held.st_ino == there.st_ino && held.st_dev == there.st_dev;
}

}  // namespace playproof
