#include "src/commands/listing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

// What an option may be, its default in brackets: that of words where it stands among them.
std::string range_text(const OptionInfo& option) {
  if (option.type == OptionType::kWord) {
    std::vector<std::string> words = option.words;
    const auto preset = std::ranges::find(words, option.default_text);
    if (preset != words.end()) *preset = fmt::format("[{}]", *preset);
    return fmt::format("{}", fmt::join(words, "|"));
  }
  const std::string preset =
      option.default_text.empty() ? "" : fmt::format(" [{}]", option.default_text);
  if (option.type == OptionType::kText) return fmt::format("text{}", preset);
  return fmt::format("{}..{}{}", number_text(option.min), number_text(option.max), preset);
}

using PresetValues = std::vector<std::pair<std::string, std::string>>;

bool says(const PresetValues& values, const std::pair<std::string, std::string>& value) {
  return std::ranges::find(values, value) != values.end();
}

// What the words of a preset stand for that are more than one switch: first what they share, then
// what each has of its own. Words that are values of one option are told together; of a word that
// adds to the one before, what it adds.
std::string presets_text(const OptionInfo& option) {
  std::vector<OptionInfo::Preset> presets = option.presets;
  std::erase_if(presets, [](const auto& preset) { return preset.values.size() < 2; });
  if (presets.empty()) return "";
  PresetValues shared = presets.front().values;
  std::erase_if(shared, [&](const auto& value) {
    return !std::ranges::all_of(presets, [&](const auto& p) { return says(p.values, value); });
  });
  std::vector<std::string> told;
  for (const auto& [name, value] : shared) told.push_back(fmt::format("{}={}", name, value));
  std::vector<std::string> parts;
  if (!told.empty()) parts.push_back(fmt::format("{}", fmt::join(told, " ")));
  std::string named;  // the option whose values the last part's words are
  PresetValues before;
  for (const OptionInfo::Preset& preset : presets) {
    PresetValues own = preset.values;
    std::erase_if(own, [&](const auto& value) { return says(shared, value); });
    const bool names = own.size() == 1 && own.front().second == preset.word;
    if (names && own.front().first == named) {
      parts.back().replace(parts.back().rfind(": "), std::string::npos,
                           fmt::format(", {}: {}=it", preset.word, named));
    } else if (names) {
      parts.push_back(fmt::format("{}: {}=it", preset.word, own.front().first));
    } else {
      const bool adds = !before.empty() && std::ranges::all_of(before, [&](const auto& value) {
        return says(preset.values, value);
      });
      parts.push_back(preset.word + (adds ? ": also" : ":"));
      for (const auto& value : own) {
        if (adds && says(before, value)) continue;
        parts.back() += fmt::format(" {}={}", value.first, value.second);
      }
    }
    named = names ? own.front().first : "";
    before = preset.values;
  }
  return fmt::format("{}", fmt::join(parts, "; "));
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

// Neighbours that mean the same, said once.
void add_options(std::span<const OptionInfo> options, std::string* lines) {
  std::string head;
  for (const OptionInfo& option : options) {
    head += fmt::format("{} {}={}", head.empty() ? " " : ",", option.name, range_text(option));
  }
  const OptionInfo& option = options.front();
  const std::string once =
      option.formerly.empty() ? "" : fmt::format(" (once {}=)", option.formerly);
  while (head.size() - (head.rfind('\n') + 1) > kColumns) {  // a word of many is broken between two
    const std::size_t line = head.rfind('\n') + 1;
    const std::size_t at = head.find_last_of("|,", line + kColumns - 1);
    if (at == std::string::npos || at < line + kNext) break;
    head.insert(at + 1, '\n' + std::string(kNext, ' '));
  }
  *lines += head.size() < kHelp ? fmt::format("{:<{}}", head, kHelp) : head + "  ";
  const std::string presets = presets_text(option);
  add_words((presets.empty() ? option.help : presets) + once, kNext, lines);
}

}  // namespace

std::string catalogue_text(const Catalogue& catalogue) {
  std::string text;
  for (const CatalogueEntry& entry : catalogue.entries) {
    text += fmt::format("{:<10} ", entry.name);
    add_words(entry.summary, kNext, &text);
    for (std::span rest = std::span(entry.options); !rest.empty();) {
      const std::string& help = rest.front().help;
      const auto next = std::ranges::find_if(rest.subspan(1), [&](const OptionInfo& option) {
        return option.help != help || option.formerly != rest.front().formerly;
      });
      const auto count = static_cast<std::size_t>(next - rest.begin());
      add_options(rest.first(count), &text);
      rest = rest.subspan(count);
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
