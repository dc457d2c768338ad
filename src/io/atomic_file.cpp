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
#include "host/archive/spool.h"
#include "src/io/interrupt.h"
#include "src/io/output.h"

namespace playproof {
namespace {

constexpr std::size_t kBufferBytes = 1 << 20;

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

// The error that errno tells of.
Error failure(const std::string& path, const char* action) {
  return {ErrorCode::kOutput, fmt::format("{}: cannot {} file: {}", path, action, strerror(errno))};
}

// Returns false if it fails: errno says why.
bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

// A pipe or a device, and what waits until all of it is there.
class AtomicFile::Stream {
 public:
  // A pipe without a reader is waited for.
  explicit Stream(std::string name) : name_(std::move(name)) {
    constexpr int kFlags = O_WRONLY | O_NOCTTY | O_CLOEXEC;
    descriptor_ = open(name_.c_str(), kFlags | O_NONBLOCK);
    if (descriptor_ >= 0) {
      fcntl(descriptor_, F_SETFL, O_WRONLY);
      return;
    }
    struct stat status {};
    if (errno == ENXIO && stat(name_.c_str(), &status) == 0 && S_ISFIFO(status.st_mode)) {
      print_error(fmt::format("{}: a pipe that nobody reads yet; waiting for its reader", name_));
      do {
        descriptor_ = open(name_.c_str(), kFlags);
      } while (descriptor_ < 0 && errno == EINTR && !interrupted());
      if (descriptor_ < 0 && errno == EINTR) {
        throw Error(ErrorCode::kOutput, name_ + ": a signal came before its reader");
      }
    }
    if (descriptor_ < 0) throw failure(name_, "open");
  }
  ~Stream() { close(descriptor_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  void write(std::string_view bytes) { waiting_.write(bytes); }
  void commit() {
    struct Out final : ByteSink {
      explicit Out(const Stream& of) : stream(of) {}
      void write(std::string_view bytes) override {
        if (!write_all(stream.descriptor_, bytes)) throw failure(stream.name_, "write");
      }
      const Stream& stream;
    } out(*this);
    waiting_.copy_to(out);
  }

 private:
  std::string name_;
  Spool waiting_;
  int descriptor_ = -1;
};

AtomicFile::AtomicFile(std::string path, const std::string& temporary, std::string former)
    : path_(std::move(path)), former_(std::move(former)) {
  refuse_to_replace(path_);
  if (!former_.empty()) refuse_to_replace(former_);
  open_file(temporary);
}

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  if (place_of_output(path_).is_stream) {
    stream_ = std::make_unique<Stream>(path_);
  } else {
    open_file("");
  }
}

AtomicFile::~AtomicFile() = default;

void AtomicFile::write(std::string_view bytes) {
  if (stream_) return stream_->write(bytes);
  buffer_.append(bytes);
  if (buffer_.size() >= kBufferBytes) flush();
}

void AtomicFile::commit() {
  if (stream_) {
    stream_->commit();
    stream_.reset();
    return;
  }
  flush();
  file_->keep_mode();
  if (fsync(file_->descriptor()) != 0) fail("write");
  if (former_.empty()) {
    if (!file_->replace()) fail("rename");
  } else if (const char* action = file_->replace_and_keep(former_)) {
    fail(action);
  }
  file_.reset();
  if (!sync_directory(folder_of(place_))) fail("sync the directory of");
}

void AtomicFile::open_file(const std::string& temporary) {
  place_ = place_of_output(path_).path;
  file_.emplace(place_, temporary);
  if (file_->descriptor() < 0) fail("create");
}

void AtomicFile::flush() {
  if (!write_all(file_->descriptor(), buffer_)) fail("write");
  buffer_.clear();
}

void AtomicFile::fail(const char* action) {
  const Error error = failure(path_, action);
  file_.reset();
  throw Error(error);
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
  if (!sync_directory(folder_of(path))) throw failure(path, "sync the directory of");
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
