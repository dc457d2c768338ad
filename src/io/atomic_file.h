// Files that appear whole or not at all: written under a temporary name in the same directory,
// fsynced, renamed, and the directory fsynced.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "host/proof/certificate.h"

namespace playproof {

// Throws Error(kOutput) if no file can appear at `path`: it is empty, a directory, a device.
void refuse_to_replace(const std::string& path);

class AtomicFile final : public ByteSink {
 public:
  // Opens the temporary file beside `path`. Throws Error(kOutput) naming `path` and the cause, as
  // do write() and commit(); no file is left then.
  explicit AtomicFile(std::string path);
  // A file that is written again and again: `temporary` is a name of its own, so that what a killed
  // program leaves behind is taken away by the next; commit() keeps what stood at `path` before as
  // `former`. At every moment two of the three names hold whole files, if there were two, and no
  // two names are one file: damage to one leaves the others as they are.
  AtomicFile(std::string path, std::string temporary, std::string former);
  ~AtomicFile() override;  // without commit(): removes the temporary file, leaves `path` as it was
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes) override;
  void commit();

 private:
  void hold(int descriptor);  // of the temporary file; negative: it could not be created
  void replace();
  void replace_and_keep();
  [[noreturn]] void fail(const char* action);
  void flush();
  void discard();

  std::string path_;
  std::string temporary_;
  std::string former_;  // empty: not kept
  std::string buffer_;
  int descriptor_ = -1;
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
