#include "src/commands/listing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "games/list.h"
#include "src/io/catalogue_json.h"
#include "src/io/json.h"
#include "src/io/output.h"

namespace playproof {
namespace {

constexpr std::size_t kColumns = 80;
constexpr std::size_t kHelp = 22;  // where what an option means begins, if it can
constexpr std::size_t kNext = 6;   // where it goes on

// "0.5", "1048576", "1e9".
std::string number_text(double number) {
  const std::string digits = fmt::format("{:.0f}", number);
  const bool power = digits.size() > 6 && digits.find_first_not_of('0', 1) == std::string::npos;
  if (power && digits[0] == '1') return fmt::format("1e{}", digits.size() - 1);
  return number == std::floor(number) ? digits : fmt::format("{}", number);
}

std::string range_text(const OptionInfo& option) {
  if (option.type == OptionType::kWord) return fmt::format("{}", fmt::join(option.words, "|"));
  if (option.type == OptionType::kText) return "text";
  return number_text(option.min) + ".." + number_text(option.max);
}

// What the words of a preset stand for that are more than one switch.
std::string presets_text(const OptionInfo& option) {
  std::string text;
  for (const OptionInfo::Preset& preset : option.presets) {
    if (preset.values.size() < 2) continue;
    text += fmt::format("{}{}:", text.empty() ? " - " : "; ", preset.word);
    for (const auto& [name, value] : preset.values) text += fmt::format(" {}={}", name, value);
  }
  return text;
}

// `text` after what stands in the line already, broken where it is full; the next lines begin in
// this column. A word is never broken.
void add_words(std::string_view text, std::size_t column, std::string* lines) {
  std::size_t used = lines->size() - (lines->rfind('\n') + 1);
  bool first = true;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (used + (first ? 0 : 1) + word.size() > kColumns) {
      lines->erase(lines->find_last_not_of(' ') + 1);
      *lines += '\n' + std::string(column, ' ');
      used = column;
      first = true;
    }
    if (!first) *lines += ' ';
    *lines += word;
    used += word.size() + (first ? 0 : 1);
    first = false;
  }
  *lines += '\n';
}

void add_option(const OptionInfo& option, std::string* lines) {
  const std::string preset =
      option.default_text.empty() ? "" : fmt::format(" [{}]", option.default_text);
  const std::string once =
      option.formerly.empty() ? "" : fmt::format(" (once {}=)", option.formerly);
  const std::string head = fmt::format("  {}={}{}", option.name, range_text(option), preset);
  *lines += head.size() < kHelp ? fmt::format("{:<{}}", head, kHelp) : head + "  ";
  add_words(option.help + presets_text(option) + once, kNext, lines);
}

}  // namespace

std::string catalogue_text(const Catalogue& catalogue) {
  std::string text;
  for (const CatalogueEntry& entry : catalogue.entries) {
    text += fmt::format("{:<10} ", entry.name);
    add_words(entry.summary, kNext, &text);
    for (const OptionInfo& option : entry.options) add_option(option, &text);
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
