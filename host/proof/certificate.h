// Certificates: proofs that others can check (docs/certificate.md says what they look like). This
// is the stream of their bytes; host/proof/proof_writer.h writes the lines.
#pragma once

#include <string_view>

#include "host/archive/bytes.h"

namespace playproof {

// Hands the lines of one certificate on and ends them with their checksum.
class CertificateSink final : public ByteSink {
 public:
  explicit CertificateSink(ByteSink& out) : out_(out) {}
  void write(std::string_view bytes) override;
  // The checksum line; nothing may follow.
  void finish();

 private:
  ByteSink& out_;
  Crc64 checksum_;
};

}  // namespace playproof
