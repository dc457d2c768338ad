#include "src/io/json.h"

#include <nlohmann/json.hpp>

#include "games/core/printable.h"
#include "src/io/output.h"

namespace playproof {
namespace {

void escape_texts(Json& value) {
  if (value.is_string()) value = valid_utf8(value.get_ref<const std::string&>());
  if (!value.is_structured()) return;
  for (Json& item : value) escape_texts(item);
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
  write_stdout(text + "\n");
}

}  // namespace playproof
