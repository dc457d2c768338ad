// Certificates: proofs that others can check (docs/certificate.md says what they look like). This
// is the stream of their bytes; host/proof_writer.h writes the lines.
#pragma once

#include <cstdint>
#include <string_view>

namespace playproof {

// Takes bytes, one run after the other. Throws Error(kOutput) if it cannot.
class ByteSink {
 public:
  ByteSink() = default;
  virtual ~ByteSink() = default;
  ByteSink(const ByteSink&) = delete;
  ByteSink& operator=(const ByteSink&) = delete;
  virtual void write(std::string_view bytes) = 0;
};

// CRC-64/XZ (ECMA-182, reflected) of a stream of bytes; "123456789" gives 995dc9bbdf1939fa.
class Crc64 {
 public:
  void add(std::string_view bytes);
  std::uint64_t value() const { return ~state_; }

 private:
  std::uint64_t state_ = ~std::uint64_t{0};
};

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
