#include "host/spool.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "games/error.h"

namespace playproof {
namespace {

[[noreturn]] void fail(const std::string& action) {
  throw Error(ErrorCode::kOutput, "cannot " + action + ": " + strerror(errno));
}

}  // namespace

Spool::Spool() {
  const char* folder = std::getenv("TMPDIR");
  std::string name = folder != nullptr && *folder != '\0' ? folder : "/tmp";
  name += "/playproof-XXXXXX";
  const int descriptor = mkostemp(name.data(), 0);
  if (descriptor < 0) fail("create a temporary file " + name);
  unlink(name.c_str());
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
}

void Spool::copy_to(ByteSink& out) {
  if (std::fflush(file_.get()) != 0) fail("write a temporary file");
  std::rewind(file_.get());
  std::vector<char> chunk(1 << 16);
  std::size_t count = 0;
  while ((count = std::fread(chunk.data(), 1, chunk.size(), file_.get())) > 0) {
    out.write({chunk.data(), count});
  }
  if (std::ferror(file_.get()) != 0) fail("read a temporary file");
}

}  // namespace playproof
