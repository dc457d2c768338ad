#include "host/archive/spool.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "games/core/error.h"

namespace playproof {
namespace {

constexpr std::size_t kChunkBytes = 1 << 16;

[[noreturn]] void fail(const std::string& action) {
  throw Error(ErrorCode::kOutput, "cannot " + action + ": " + strerror(errno));
}

}  // namespace

Spool::Spool() {
  const char* folder = std::getenv("TMPDIR");
  std::string name = folder != nullptr && *folder != '\0' ? folder : "/tmp";
  // The file has no name where the file system can do that, so that none is left behind.
  int descriptor = open(name.c_str(), O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) {
    name += "/playproof-XXXXXX";
    descriptor = mkostemp(name.data(), O_CLOEXEC);
    if (descriptor < 0) fail("create a temporary file " + name);
    unlink(name.c_str());
  }
  file_.reset(fdopen(descriptor, "w+b"));
  if (!file_) {
    close(descriptor);
    fail("open a temporary file");
  }
}

void Spool::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) {
    fail("write a temporary file");
  }
  size_ += bytes.size();
}

void Spool::copy_to(ByteSink& out) {
  std::FILE* file = rewound();
  std::vector<char> chunk(kChunkBytes);
  std::size_t count = 0;
  while ((count = std::fread(chunk.data(), 1, chunk.size(), file)) > 0) {
    out.write({chunk.data(), count});
  }
  if (std::ferror(file) != 0) fail("read a temporary file");
}

std::FILE* Spool::rewound() {
  if (std::fflush(file_.get()) != 0) fail("write a temporary file");
  std::rewind(file_.get());
  return file_.get();
}

void Spool::take(ByteSource& in, std::uint64_t count) {
  if (ftruncate(fileno(rewound()), 0) != 0) fail("empty a temporary file");
  size_ = 0;
  std::vector<char> chunk(kChunkBytes);
  while (size_ < count) {
    const std::uint64_t part = std::min<std::uint64_t>(chunk.size(), count - size_);
    in.read(chunk.data(), part);
    write({chunk.data(), part});
  }
}

}  // namespace playproof
