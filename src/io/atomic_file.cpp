#include "src/io/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "games/core/error.h"

namespace playproof {
namespace {

constexpr std::size_t kBufferBytes = 1 << 20;

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// The rename is durable only when the directory is on the disk too.
bool sync_directory(const std::string& directory) {
  const int descriptor = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return false;
  // File systems that cannot sync a directory say EINVAL; there is nothing more to do then.
  const bool good = fsync(descriptor) == 0 || errno == EINVAL;
  const int error = errno;
  close(descriptor);
  errno = error;
  return good;
}

struct Opened {
  explicit Opened(int of) : descriptor(of) {}
  ~Opened() { close(descriptor); }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  int descriptor;
};

[[noreturn]] void fail_to_read(const std::string& path, std::string_view why) {
  throw Error(ErrorCode::kData, fmt::format("{}: cannot read file: {}", path, why));
}

// Of errno.
Error failure(const std::string& path, const char* action) {
  return {ErrorCode::kOutput, fmt::format("{}: cannot {} file: {}", path, action, strerror(errno))};
}

}  // namespace

void refuse_to_replace(const std::string& path) {
  if (path.empty()) {
    errno = ENOENT;  // as the rename would say, after all the work
    throw failure(path, "create");
  }
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode)) return;
  errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;  // renaming onto a device would replace it
  throw failure(path, "replace");
}

AtomicFile::AtomicFile(std::string path, std::string temporary, std::string former)
    : path_(std::move(path)), temporary_(std::move(temporary)), former_(std::move(former)) {
  refuse_to_replace(path_);
  if (!former_.empty()) refuse_to_replace(former_);
  unlink(temporary_.c_str());  // what is there is left behind, perhaps with a second name
  hold(open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
}

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  refuse_to_replace(path_);
  temporary_ = path_ + ".XXXXXX";
  hold(mkostemp(temporary_.data(), O_CLOEXEC));
  const mode_t mask = umask(0);
  umask(mask);
  fchmod(descriptor_, 0666 & ~mask);  // mkostemp gives 0600; a result is an ordinary file
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::write(std::string_view bytes) {
  buffer_.append(bytes);
  if (buffer_.size() >= kBufferBytes) flush();
}

void AtomicFile::commit() {
  flush();
  if (fsync(descriptor_) != 0) fail("write");
  const int descriptor = std::exchange(descriptor_, -1);
  if (close(descriptor) != 0) fail("write");
  former_.empty() ? replace() : replace_and_keep();
  temporary_.clear();
  if (!sync_directory(directory_of(path_))) fail("sync the directory of");
}

void AtomicFile::hold(int descriptor) {
  descriptor_ = descriptor;
  if (descriptor_ >= 0) return;
  temporary_.clear();
  fail("create");
}

void AtomicFile::replace() {
  if (rename(temporary_.c_str(), path_.c_str()) != 0) fail("rename");
}

// Never by a second name (a hard link) of the file: a kill would leave one file where two
// generations are wanted.
void AtomicFile::replace_and_keep() {
  const auto exchange = [this] {
    return renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), RENAME_EXCHANGE) == 0;
  };
  if (exchange()) {
    if (rename(temporary_.c_str(), former_.c_str()) != 0) {
      const int error = errno;
      exchange();
      errno = error;
      fail("keep the former");
    }
    unlink(temporary_.c_str());  // still there if both names were one file
    return;
  }
  // There is nothing yet, or the file system cannot exchange: for a moment only `former` is there.
  if (rename(path_.c_str(), former_.c_str()) != 0 && errno != ENOENT) fail("keep the former");
  replace();
}

void AtomicFile::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      fail("write");
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  buffer_.clear();
}

void AtomicFile::fail(const char* action) {
  const Error error = failure(path_, action);
  discard();
  throw Error(error);
}

void AtomicFile::discard() {
  if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
  if (!temporary_.empty()) unlink(temporary_.c_str());
  temporary_.clear();
}

void move_into_place(const std::string& temporary, const std::string& path) {
  const int descriptor = open(temporary.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw failure(path, "write");
  const bool synced = fsync(descriptor) == 0;
  const int error = errno;
  close(descriptor);
  errno = error;
  if (!synced) throw failure(path, "write");
  const auto rename_to_none = [&] {
    if (renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) == 0) {
      return true;
    }
    // A file system that cannot refuse to replace.
    return errno == EINVAL && access(path.c_str(), F_OK) != 0 &&
           rename(temporary.c_str(), path.c_str()) == 0;
  };
  if (!rename_to_none()) throw failure(path, "rename");
  if (!sync_directory(directory_of(path))) throw failure(path, "sync the directory of");
}

void write_file_atomically(const std::string& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

std::string read_file(const std::string& path, std::uint64_t most, std::string_view hint) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail_to_read(path, strerror(errno));
  const Opened opened{descriptor};
  struct stat status {};
  if (fstat(descriptor, &status) != 0) fail_to_read(path, strerror(errno));
  if (S_ISDIR(status.st_mode)) fail_to_read(path, strerror(EISDIR));
  const bool file = S_ISREG(status.st_mode);
  if (!file && !S_ISFIFO(status.st_mode)) fail_to_read(path, "it is neither a file nor a pipe");
  const auto too_long = [&] {
    fail_to_read(path, fmt::format("it is longer than {} bytes{}", most, hint));
  };
  const auto size = file ? static_cast<std::uint64_t>(status.st_size) : 0;
  if (size > most) too_long();
  std::string content;
  content.reserve(size);
  std::string chunk(kBufferBytes, '\0');
  ssize_t count = 0;
  while ((count = read(descriptor, chunk.data(), chunk.size())) != 0) {
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_to_read(path, strerror(errno));
    if (static_cast<std::uint64_t>(count) > most - content.size()) too_long();
    content.append(chunk, 0, static_cast<std::size_t>(count));
  }
  return content;
}

}  // namespace playproof
