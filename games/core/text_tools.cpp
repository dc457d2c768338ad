#include "games/core/text_tools.h"

#include "games/core/error.h"
#include "games/core/printable.h"

namespace playproof {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

}  // namespace

std::string quoted(std::string_view text) {
  static constexpr std::size_t kShown = 24;
  std::string out = "'";
  out += printable(text.substr(0, kShown));
  return out += text.size() > kShown ? "...'" : "'";
}

void bad_position(std::string_view game, const std::string& what, std::size_t offset) {
  throw Error(ErrorCode::kData,
              std::string(game) + " position: " + what + ", at offset " + std::to_string(offset));
}

std::string_view without_trailing_space(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
}

bool next_token(std::string_view text, std::size_t* position, Token* token) {
  std::size_t begin = *position;
  while (begin < text.size() && is_blank(text[begin])) ++begin;
  std::size_t end = begin;
  while (end < text.size() && !is_blank(text[end])) ++end;
  *position = end;
  *token = {text.substr(begin, end - begin), begin};
  return end > begin;
}

int letter_index(char c) {
  if (c >= 'a' && c <= 'z') return c - 'a';
  if (c >= 'A' && c <= 'Z') return c - 'A';
  return -1;
}

bool parse_letter_number(std::string_view text, int* column, int* row) {
  // No leading zero, at most two digits: every cell has one name.
  if (text.size() < 2 || text.size() > 3 || letter_index(text[0]) < 0 || text[1] == '0') {
    return false;
  }
  int number = 0;
  for (const char c : text.substr(1)) {
    if (c < '0' || c > '9') return false;
    number = 10 * number + (c - '0');
  }
  *column = letter_index(text[0]);
  *row = number - 1;
  return true;
}

std::string letter_number(int column, int row) {
  return static_cast<char>('a' + column) + std::to_string(row + 1);
}

}  // namespace playproof
