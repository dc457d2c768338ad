// Files that appear whole or not at all: written without a name, or under a temporary one, in the
// same directory (src/io/temporary_file.h), fsynced, put in their place, and the directory fsynced.
// Links are followed, and stay. What cannot be replaced, a pipe or a device, is written at the end,
// all at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "host/proof/certificate.h"
#include "src/io/output_place.h"
#include "src/io/temporary_file.h"

namespace playproof {

class AtomicFile final : public ByteSink {
 public:
  // Opens what will be the file, or the pipe or device (src/io/output_place.h); a pipe without a
  // reader is waited for. Throws Error(kOutput) naming `path` and the cause, as do write() and
  // commit(); no file is left then.
  explicit AtomicFile(std::string path);
  // A file that is written again and again, at a path without links at its end: `temporary` is a
  // name of its own, so that what a killed program leaves behind is taken away by the next;
  // commit() keeps what stood at `path` before as `former`, unless that is empty
  // (TemporaryFile::replace_and_keep()): damage to one generation leaves the other as it is.
  AtomicFile(std::string path, const std::string& temporary, std::string former);
  ~AtomicFile() override;  // without commit(): leaves `path` as it was
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes) override;
  // A file that it replaces leaves it its mode.
  void commit();

 private:
  class Stream;
  void open_file(const std::string& temporary);
  [[noreturn]] void fail(const char* action);
  void flush();

  std::string path_;    // as messages name it
  std::string place_;   // of a file: where links have led
  std::string former_;  // empty: not kept
  std::string buffer_;
  std::unique_ptr<Stream> stream_;
  std::optional<TemporaryFile> file_;
};

// A whole file that another library has written beside `path`: on the disk, then under its name,
// which nobody may have taken meanwhile. Throws Error(kOutput); the file stays where it was then.
void move_into_place(const std::string& temporary, const std::string& path);

// The whole file at once.
void write_file_atomically(const std::string& path, std::string_view bytes);

// The whole content of a file or a pipe. Throws Error(kData) naming it and the cause: it cannot be
// read, it is a device or a directory, or there are more than `most` bytes; then `hint` says what
// allows more.
std::string read_file(const std::string& path, std::uint64_t most = std::uint64_t{1} << 30,
                      std::string_view hint = "");

}  // namespace playproof
