// Bytes that wait on the disk: an unnamed temporary file (in TMPDIR, else /tmp).
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>

#include "host/archive/archive.h"
#include "host/archive/bytes.h"

namespace playproof {

class Spool final : public ByteSink {
 public:
  // Throws Error(kOutput), as do write() and copy_to().
  Spool();
  void write(std::string_view bytes) override;
  void copy_to(ByteSink& out);
  // Saves or loads the bytes (host/archive/archive.h).
  template <class Archive>
  void serialize(Archive& archive) {
    std::uint64_t count = size_;
    archive(count);
    if constexpr (Archive::kLoading) {
      archive.check(count <= archive.source().most_left(), "a text longer than what is left");
      take(archive.source(), count);
    } else {
      copy_to(archive.sink());
    }
  }
  // The spool's file at its beginning, for others to read; the spool keeps it.
  std::FILE* rewound();

 private:
  void take(ByteSource& in, std::uint64_t count);  // replaces all
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t size_ = 0;
};

}  // namespace playproof
