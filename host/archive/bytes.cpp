#include "host/archive/bytes.h"

#include <array>
#include <bit>
#include <cstring>

namespace playproof {
namespace {

static_assert(std::endian::native == std::endian::little, "words are read as bytes in order");

// Row k: what a byte does to the register when k more bytes follow. Eight rows take eight bytes at
// a step.
using CrcTable = std::array<std::array<std::uint64_t, 256>, 8>;

constexpr CrcTable make_table() {
  constexpr std::uint64_t kPolynomial = 0xc96c5795d7870f42ull;
  CrcTable table{};
  for (std::size_t byte = 0; byte < 256; ++byte) {
    std::uint64_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
    table[0][byte] = crc;
  }
  for (std::size_t k = 1; k < 8; ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint64_t crc = table[k - 1][byte];
      table[k][byte] = (crc >> 8) ^ table[0][crc & 0xff];
    }
  }
  return table;
}
constexpr CrcTable kTable = make_table();

}  // namespace

void Crc64::add(std::string_view bytes) {
  while (bytes.size() >= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    word ^= state_;
    state_ = 0;
    for (std::size_t k = 0; k < 8; ++k) state_ ^= kTable[7 - k][(word >> (8 * k)) & 0xff];
    bytes.remove_prefix(8);
  }
  for (const char c : bytes) {
    state_ = (state_ >> 8) ^ kTable[0][(state_ ^ static_cast<unsigned char>(c)) & 0xff];
  }
}

}  // namespace playproof
