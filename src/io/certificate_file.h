// The file of `--certificate FILE`: plain text, or compressed with zstd if its name ends in ".zst".
// It appears whole or not at all.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "host/proof/certificate.h"
#include "src/io/atomic_file.h"

namespace playproof {

class CertificateFile final : public ByteSink {
 public:
  // Throws Error(kOutput), as do write() and commit(); no file is left then.
  explicit CertificateFile(const std::string& path);
  ~CertificateFile() override;
  CertificateFile(const CertificateFile&) = delete;
  CertificateFile& operator=(const CertificateFile&) = delete;
  void write(std::string_view bytes) override;
  void commit();

 private:
  class Compressor;
  AtomicFile file_;
  std::unique_ptr<Compressor> compressor_;  // null: plain text
};

}  // namespace playproof
