#include "games/words.h"

#include <utility>

#include "games/catalogue.h"

namespace playproof {
namespace {

constexpr std::string_view kFirst = "the first player";
constexpr std::string_view kSecond = "the second player";

// Each game has its words by name. One that is not here may end in a draw and has no scores.
constexpr std::pair<std::string_view, GameWords> kWords[] = {
    {"hex", {.first = "Black", .second = "White", .draws = false, .scores = false}},
    {"othello", {.first = "Black", .second = "White", .draws = true, .scores = true}},
    {"connect6", {.first = "Black", .second = "White", .draws = true, .scores = false}},
    {"loa", {.first = "Black", .second = "White", .draws = true, .scores = false}},
    {"nim", {.first = kFirst, .second = kSecond, .draws = false, .scores = false}},
};

}  // namespace

GameWords game_words(const std::string& game) {
  const CatalogueEntry& entry = game_catalogue().find(parse_spec(game).name);
  for (const auto& [name, words] : kWords) {
    if (name == entry.name) return words;
  }
  return {};
}

}  // namespace playproof
