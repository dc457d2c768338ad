// The file of `--certificate FILE`: plain text, or compressed with zstd if its name ends in ".zst".
// It appears whole or not at all.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "host/proof/certificate.h"
#include "src/io/atomic_file.h"

namespace playproof {

// How many nodes a certificate lists (docs/certificate.md, "Grammar"), while it goes by in pieces.
class NodeCount {
 public:
  void add(std::string_view bytes);
  std::uint64_t nodes() const { return nodes_; }

 private:
  std::string word_;           // the first one of the line, as far as it is known
  bool in_first_word_ = true;  // what comes next belongs to it
  std::uint64_t nodes_ = 0;
};

class CertificateFile final : public ByteSink {
 public:
  // Throws Error(kOutput), as do write() and commit(); no file is left then.
  explicit CertificateFile(const std::string& path);
  ~CertificateFile() override;
  CertificateFile(const CertificateFile&) = delete;
  CertificateFile& operator=(const CertificateFile&) = delete;
  void write(std::string_view bytes) override;
  void commit();
  std::uint64_t nodes() const { return count_.nodes(); }

 private:
  class Compressor;
  AtomicFile file_;
  NodeCount count_;
  std::unique_ptr<Compressor> compressor_;  // null: plain text
};

}  // namespace playproof
