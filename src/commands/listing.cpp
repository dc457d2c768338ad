#include "src/commands/listing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "games/list.h"
#include "src/io/catalogue_json.h"
#include "src/io/json.h"
#include "src/io/output.h"

namespace playproof {
namespace {

std::string range_text(const OptionInfo& option) {
  if (option.type == OptionType::kWord) return fmt::format("{}", fmt::join(option.words, "|"));
  if (option.type == OptionType::kText) return "text";
  return fmt::format("{}..{}", number_json(option, option.min).dump(),
                     number_json(option, option.max).dump());
}

}  // namespace

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
