// Bytes that wait on the disk: an unnamed temporary file (in TMPDIR, else /tmp).
#pragma once

#include <cstdio>
#include <memory>

#include "host/certificate.h"

namespace playproof {

class Spool final : public ByteSink {
 public:
  // Throws Error(kOutput), as do write() and copy_to().
  Spool();
  void write(std::string_view bytes) override;
  void copy_to(ByteSink& out);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace playproof
