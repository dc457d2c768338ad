#include "src/commands/listing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <nlohmann/json.hpp>

#include "games/list.h"
#include "src/io/json.h"
#include "src/io/output.h"

namespace playproof {
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

Json number_json(const OptionInfo& option, double number) {
  if (option.type == OptionType::kInteger) return static_cast<std::int64_t>(number);
  return number;
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
  if (!option.neutral.empty()) json["neutral"] = value_json(option, option.neutral);
  if (!option.formerly.empty()) json["formerly"] = option.formerly;
  json["help"] = option.help;
  return json;
}

std::string range_text(const OptionInfo& option) {
  if (option.type == OptionType::kWord) return fmt::format("{}", fmt::join(option.words, "|"));
  if (option.type == OptionType::kText) return "text";
  return fmt::format("{}..{}", number_json(option, option.min).dump(),
                     number_json(option, option.max).dump());
}

}  // namespace

Json catalogue_json(const Catalogue& catalogue) {
  Json list = Json::array();
  for (const CatalogueEntry& entry : catalogue.entries) {
    Json options = Json::array();
    for (const OptionInfo& option : entry.options) options.push_back(option_json(option));
    list.push_back({{"name", entry.name}, {"summary", entry.summary}, {"options", options}});
  }
  return list;
}

std::string catalogue_text(const Catalogue& catalogue) {
  std::string text;
  for (const CatalogueEntry& entry : catalogue.entries) {
    text += fmt::format("{:<10} {}\n", entry.name, entry.summary);
    for (const OptionInfo& option : entry.options) {
      const std::string preset =
          option.default_text.empty() ? "" : fmt::format(" [{}]", option.default_text);
      const std::string once =
          option.formerly.empty() ? "" : fmt::format(" (once {}=)", option.formerly);
      text += fmt::format("    {:<32} {}{}\n",
                          fmt::format("{}={}{}", option.name, range_text(option), preset),
                          option.help, once);
    }
  }
  return text;
}

std::string canonical_game(const std::string& game) {
  return visit_game(
      game, []<class G>(const typename G::Rules& rules) { return GameText<G>::canonical(rules); });
}

int list_catalogue(const Catalogue& catalogue, const std::string& name, bool json) {
  Catalogue listed = catalogue;
  if (!name.empty()) listed.entries = {catalogue.find(parse_spec(name).name)};
  if (json) {
    print_json(catalogue_json(listed));
  } else {
    write_stdout(catalogue_text(listed));
  }
  return 0;
}

}  // namespace playproof
