// Numbers and bytes as people write them: one name a number, and messages that are plain text.
#include <gtest/gtest.h>

#include <string>

#include "games/core/error.h"
#include "games/core/printable.h"
#include "games/core/spec.h"
#include "games/core/text_tools.h"

namespace playproof::numbers_test {
namespace {

TEST(Numbers, NoLeadingZeros) {
  std::int64_t n = 0;
  double x = 0;
  for (const char* text : {"0", "1", "10", "-1", "-10", "100"}) {
    EXPECT_TRUE(parse_integer(text, &n)) << text;
    EXPECT_EQ(std::to_string(n), text);
    EXPECT_FALSE(has_leading_zero(text)) << text;
  }
  for (const char* text : {"0.5", "0", "-0.5", "10", "0.01", "1e-07", "0e0"}) {
    EXPECT_TRUE(parse_real(text, &x)) << text;
  }
  for (const char* text : {"00", "01", "-01", "-0", "-00", "0010"}) {
    EXPECT_TRUE(has_leading_zero(text)) << text;
    EXPECT_FALSE(parse_integer(text, &n)) << text;
    EXPECT_FALSE(parse_real(text, &x)) << text;
    EXPECT_THROW(parse_size("--max-memory", text), Error) << text;
    EXPECT_EQ(not_a_number(text), ", not '" + std::string(text) + "' (no leading zeros)");
  }
  EXPECT_FALSE(parse_real("00.5", &x));
  EXPECT_THROW(parse_size("--max-memory", "064MiB"), Error);
  EXPECT_EQ(parse_size("--max-memory", "64MiB"), 64u << 20);
  EXPECT_EQ(not_a_number("x"), ", not 'x'");
}

TEST(Printable, EveryByte) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text(1, static_cast<char>(byte));
    char hex[8];
    std::snprintf(hex, sizeof hex, "\\x%02x", static_cast<unsigned>(byte));
    const std::string shown = byte >= ' ' && byte <= '~' ? text : hex;
    EXPECT_EQ(printable(text), shown);
    EXPECT_EQ(playproof::quoted(text), "'" + shown + "'");
    EXPECT_EQ(std::string(Error(ErrorCode::kData, "a " + text + " b").what()), "a " + shown + " b");
    EXPECT_EQ(valid_utf8(text), byte < 0x80 ? text : shown);
  }
}

TEST(Printable, Utf8) {
  // What is UTF-8 stays, what is none is escaped byte by byte.
  for (const char* text : {"", "plain", "\xc2\x80", "\xc3\xbc", "\xe2\x82\xac", "\xed\x9f\xbf",
                           "\xee\x80\x80", "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_EQ(valid_utf8(text), text);
    EXPECT_EQ(valid_utf8(std::string(text) + "\xff" + text),
              std::string(text) + "\\xff" + std::string(text));
  }
  for (const char* text : {"\x80", "\xc0\xaf", "\xc3", "\xe2\x82", "\xe0\x80\xaf", "\xed\xa0\x80",
                           "\xf0\x80\x80\xaf", "\xf4\x90\x80\x80", "\xfe"}) {
    EXPECT_EQ(valid_utf8(text), printable(text));
  }
}

}  // namespace
}  // namespace playproof::numbers_test
