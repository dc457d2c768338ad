#include "src/io/catalogue_json.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace playproof {

Json number_json(const OptionInfo& option, double number) {
  if (option.type == OptionType::kInteger) return static_cast<std::int64_t>(number);
  return number;
}

namespace {

const char* type_name(OptionType type) {
  switch (type) {
    case OptionType::kInteger:
      return "integer";
    case OptionType::kReal:
      return "real";
    case OptionType::kWord:
      return "word";
    case OptionType::kText:
      return "text";
  }
  return "";
}

// A text as a value of the option's type; null if it is empty: there is none.
Json value_json(const OptionInfo& option, const std::string& text) {
  std::int64_t integer = 0;
  double real = 0;
  if (text.empty()) return nullptr;
  if (option.type == OptionType::kInteger && parse_integer(text, &integer)) return integer;
  if (option.type == OptionType::kReal && parse_real(text, &real)) return real;
  return text;
}

bool is_number(const OptionInfo& option) {
  return option.type == OptionType::kInteger || option.type == OptionType::kReal;
}

Json option_json(const OptionInfo& option) {
  Json json = {{"name", option.name},
               {"type", type_name(option.type)},
               {"default", value_json(option, option.default_text)}};
  if (is_number(option)) {
    json["min"] = number_json(option, option.min);
    json["max"] = number_json(option, option.max);
  }
  if (option.type == OptionType::kWord) json["words"] = option.words;
  for (const OptionInfo::Preset& preset : option.presets) {
    for (const auto& [name, value] : preset.values) json["presets"][preset.word][name] = value;
  }
  if (!option.neutral.empty()) json["neutral"] = value_json(option, option.neutral);
  if (!option.formerly.empty()) json["formerly"] = option.formerly;
  json["help"] = option.help;
  return json;
}

}  // namespace

Json catalogue_json(const Catalogue& catalogue) {
  Json list = Json::array();
  for (const CatalogueEntry& entry : catalogue.entries) {
    Json options = Json::array();
    for (const OptionInfo& option : entry.options) options.push_back(option_json(option));
    list.push_back({{"name", entry.name}, {"summary", entry.summary}, {"options", options}});
    if (!entry.game.empty()) list.back()["game"] = entry.game;
  }
  return list;
}

}  // namespace playproof
