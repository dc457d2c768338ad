// Texts of others, as messages, JSON and terminals may show them: bytes that a terminal could take
// for orders, or that are no text at all, are written as \xNN.
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
  // These are longer than need be, halves of UTF-16, or beyond Unicode.
  const int first = byte(0) << 8 | byte(1);
  const bool wrong = (first >= 0xe000 && first < 0xe0a0) || (first >= 0xeda0 && first < 0xee00) ||
                     (first >= 0xf000 && first < 0xf090) || first >= 0xf490;
  return wrong ? 0 : size;
}

// The code of the character that `text` begins with, if it is a control character or ends a line or
// a paragraph: C0, DEL, C1, U+2028, U+2029. Else -1.
inline int control_code(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  if (!text.empty() && (byte(0) < 0x20 || byte(0) == 0x7f)) return byte(0);
  if (byte(0) == 0xc2 && byte(1) >= 0x80 && byte(1) < 0xa0) return byte(1);
  const bool separator = byte(2) == 0xa8 || byte(2) == 0xa9;
  if (byte(0) == 0xe2 && byte(1) == 0x80 && separator) return 0x2000 + byte(2) - 0x80;
  return -1;
}

// UTF-8: the bytes of what is none, and of the characters that `is_bad` names, are escaped.
template <class IsBad>
std::string escaped_utf8(std::string_view text, const IsBad& is_bad) {
  std::string out;
  char escaped[kLongestEscape];
  while (!text.empty()) {
    const std::size_t size = utf8_character(text);
    const std::string_view one = text.substr(0, std::max<std::size_t>(size, 1));
    if (size > 0 && !is_bad(one)) {
      out += one;
    } else {
      for (const char c : one) out.append(escaped, write_printable(c, escaped));
    }
    text.remove_prefix(one.size());
  }
  return out;
}

// UTF-8: only bytes that are none are escaped.
inline std::string valid_utf8(std::string_view text) {
  return escaped_utf8(text, [](std::string_view) { return false; });
}

// UTF-8 on one line, of which a terminal takes nothing for an order.
inline std::string one_line(std::string_view text) {
  return escaped_utf8(text, [](std::string_view one) { return control_code(one) >= 0; });
}

// The same of a text of several lines, with tabs.
inline std::string for_terminal(std::string_view text) {
  return escaped_utf8(text, [](std::string_view one) {
    return one != "\n" && one != "\t" && control_code(one) >= 0;
  });
}

}  // namespace playproof
