#include "host/proof/certificate.h"

#include <string>

namespace playproof {

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
