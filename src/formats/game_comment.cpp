#include "src/formats/game_comment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "games/catalogue.h"
#include "games/core/spec.h"
#include "games/core/text_tools.h"

namespace playproof {
namespace {

constexpr const char* kBlanks = " \t\r";

std::vector<std::string> game_names() {
  std::vector<std::string> names;
  for (const CatalogueEntry& game : game_catalogue().entries) names.push_back(game.name);
  return names;
}

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

struct Marked {
  std::string_view text;
  bool by_colon;  // else by what is nearly "game:"
};
// What follows "# game:", in any case, or "# game", "# game=", "# game :".
std::optional<Marked> after_mark(std::string_view line) {
  constexpr std::string_view kMark = "game";
  line = without_blanks(line);
  if (!line.starts_with('#')) return std::nullopt;
  line = without_blanks(line.substr(1));
  if (in_lower_case(line.substr(0, kMark.size())) != kMark) return std::nullopt;
  const std::string_view rest = line.substr(kMark.size());
  const std::string_view text = without_blanks(rest);
  if (text.starts_with(':')) return Marked{without_blanks(text.substr(1)), rest.starts_with(':')};
  if (text.starts_with('=')) return Marked{without_blanks(text.substr(1)), false};
  if (text.size() == rest.size()) return std::nullopt;  // "# games of ..."
  return Marked{text, false};
}

// Whether a game and its board are meant, not some game that was played: the text begins with the
// name of a game, or with what has the form of one with options.
bool is_meant(std::string_view text) {
  const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
  const auto is_letter = [](unsigned char c) { return std::isalnum(c) != 0; };
  const auto end = std::find_if_not(word.begin(), word.end(), is_letter);
  const std::string name = in_lower_case({word.begin(), end});
  const std::string_view rest(end, word.end());
  const std::vector<std::string> names = game_names();
  if (std::find(names.begin(), names.end(), name) != names.end()) return true;
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0)
    return false;  // 12:30
  if (rest.starts_with("://")) return false;
  return rest.starts_with(':') || word.find('=') != std::string_view::npos;
}

}  // namespace

bool GameComment::take(std::string_view line, std::uint64_t number) {
  const std::optional<Marked> marked = after_mark(line);
  if (!marked || !is_meant(marked->text)) return false;
  const std::size_t word = marked->text.find_first_of(kBlanks);
  if (!marked->by_colon && word != std::string_view::npos) return false;  // "# game hex is old"
  *this = {};
  line_ = number;
  spec_ = marked->text;
  try {
    if (!marked->by_colon) {
      bad_ = fmt::format("line {}: a game is named by '# game: {}', with 'game:' in one", number,
                         printable(spec_));
    } else if (word == std::string::npos) {
      game_.emplace(spec_);
    } else {
      const std::string name = spec_.substr(0, spec_.find_first_of(": \t\r"));
      bad_ = fmt::format(
          "line {}: after '# game:' comes one game with its options and nothing else, such as "
          "hex:size=6, not {}; nearest: '{}'",
          number, quoted(spec_), nearest_match(name, game_names()));
    }
  } catch (const Error& error) {
    bad_ = fmt::format("line {}: {}", number, error.what());
  }
  return true;
}

std::string GameComment::wrong(const AskedGame& given) const {
  if (!game_) return bad_;
  const bool boards = !game_->any_board() && !given.any_board();
  const bool other =
      game_->name() != given.name() || (boards && game_->canonical() != given.canonical());
  if (!other) return {};
  return fmt::format("a record of {} as line {} says, not of {}", spec_, line_, given.canonical());
}

const AskedGame& GameComment::of(const AskedGame& given) const {
  return game_ && !game_->any_board() ? *game_ : given;
}

}  // namespace playproof
