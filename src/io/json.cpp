#include "src/io/json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "games/core/printable.h"
#include "src/io/output.h"

namespace playproof {
namespace {

void escape_texts(Json& value) {
  if (value.is_string()) value = valid_utf8(value.get_ref<const std::string&>());
  if (!value.is_structured()) return;
  for (Json& item : value) escape_texts(item);
}

// JSON need not escape DEL, C1 and the ends of lines of Unicode, but may.
std::string without_controls(std::string_view json) {
  std::string text;
  for (; !json.empty(); json.remove_prefix(1)) {
    const int code = control_code(json);
    if (code < 0) {
      text += json[0];
    } else {
      text += fmt::format("\\u{:04x}", code);
      json.remove_prefix(utf8_character(json) - 1);
    }
  }
  return text;
}

}  // namespace

void print_json(const Json& value) {
  std::string text;
  try {
    text = value.dump();
  } catch (const Json::type_error&) {  // bytes that are no UTF-8: of a file's name, say
    Json printable = value;
    escape_texts(printable);
    text = printable.dump();
  }
  write_line(without_controls(text));
}

bool is_json_object(std::string_view text, int deepest) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  const bool object = begin != std::string_view::npos && text[begin] == '{';
  return object && !nests_deeper(text, deepest) && Json::accept(text);
}

bool nests_deeper(std::string_view json, int deepest) {
  int depth = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_text) {
      if (c == '\\') ++i;
      in_text = c != '"';
    } else if (c == '[' || c == '{') {
      if (++depth > deepest) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    } else {
      in_text = c == '"';
    }
  }
  return false;
}

}  // namespace playproof
