// Texts of others, as messages and JSON may show them: bytes that a terminal could take for orders,
// or that are no text at all, are written as \xNN.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace playproof {

inline constexpr std::size_t kLongestEscape = 4;

// Writes a byte as it is if it is printable ASCII, else as \xNN; returns how many characters.
inline std::size_t write_printable(char c, char* out) noexcept {
  constexpr const char* kHex = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  if (byte >= 0x20 && byte < 0x7f) {
    out[0] = c;
    return 1;
  }
  out[0] = '\\';
  out[1] = 'x';
  out[2] = kHex[byte >> 4];
  out[3] = kHex[byte & 15];
  return kLongestEscape;
}

// Printable ASCII, one line.
inline std::string printable(std::string_view text) {
  std::string out;
  char escaped[kLongestEscape];
  for (const char c : text) out.append(escaped, write_printable(c, escaped));
  return out;
}

// How many bytes at the front of `text` are one character of UTF-8 (RFC 3629); 0 if none are.
inline std::size_t utf8_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return 1;
  const std::size_t size = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if (byte(i) < 0x80 || byte(i) > 0xbf) return 0;
  }
  // Longer than need be, halves of UTF-16, and what is beyond Unicode.
  const int first = byte(0) << 8 | byte(1);
  const bool wrong = (first >= 0xe000 && first < 0xe0a0) || (first >= 0xeda0 && first < 0xee00) ||
                     (first >= 0xf000 && first < 0xf090) || first >= 0xf490;
  return wrong ? 0 : size;
}

// UTF-8: only bytes that are none are escaped.
inline std::string valid_utf8(std::string_view text) {
  std::string out;
  char escaped[kLongestEscape];
  while (!text.empty()) {
    const std::size_t size = utf8_character(text);
    if (size > 0) {
      out += text.substr(0, size);
    } else {
      out.append(escaped, write_printable(text[0], escaped));
    }
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return out;
}

}  // namespace playproof
