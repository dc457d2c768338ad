#include "host/certificate.h"

#include <array>
#include <cstddef>
#include <string>

namespace playproof {
namespace {

using CrcTable = std::array<std::uint64_t, 256>;

// What one byte does to the register.
constexpr CrcTable make_table() {
  constexpr std::uint64_t kPolynomial = 0xc96c5795d7870f42ull;
  CrcTable table{};
  for (std::size_t byte = 0; byte < table.size(); ++byte) {
    std::uint64_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
    table[byte] = crc;
  }
  return table;
}
constexpr CrcTable kTable = make_table();

}  // namespace

void Crc64::add(std::string_view bytes) {
  for (const char c : bytes) {
    state_ = (state_ >> 8) ^ kTable[(state_ ^ static_cast<unsigned char>(c)) & 0xff];
  }
}

void CertificateSink::write(std::string_view bytes) {
  checksum_.add(bytes);
  out_.write(bytes);
}

void CertificateSink::finish() {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string line = "checksum ";
  for (int shift = 60; shift >= 0; shift -= 4) line += kDigits[(checksum_.value() >> shift) & 15];
  out_.write(line + "\n");
}

}  // namespace playproof
