#include "src/formats/record.h"

#include <fmt/format.h>

#include <cstdlib>

#include "games/catalogue.h"
#include "games/core/board_size.h"
#include "games/core/spec.h"
#include "games/core/text_tools.h"
#include "host/solve/position.h"

namespace playproof {

AskedGame::AskedGame(const std::string& spec) {
  const Spec parsed = parse_spec(spec);
  const CatalogueEntry& entry = game_catalogue().find(parsed.name);
  const Options options(entry, parsed);
  name_ = entry.name;
  canonical_ = make_position(spec, "")->game();
  any_board_ = parsed.options.empty();
  if (is_square()) rows_ = columns_ = static_cast<int>(options.integer("size"));
  if (name_ == "hex" || name_ == "connect6") {
    const BoardSize size = board_size(options);
    rows_ = size.rows;
    columns_ = size.columns;
  }
}

std::string AskedGame::on_board(int rows, int columns, const Place& place) const {
  if (rows == rows_ && columns == columns_) return canonical_;
  if (!any_board_) {
    throw BoardError(
        fmt::format("a board of {} rows and {} columns, not of {}", rows, columns, canonical_),
        place);
  }
  if (is_square() && rows != columns) {
    throw RecordError(
        fmt::format("a board of {} has as many rows ({}) as columns ({})",
                    name_ == "othello" ? "Othello" : "Lines of Action", rows, columns),
        place);
  }
  const std::string spec = is_square() ? fmt::format("{}:size={}", name_, rows)
                                       : fmt::format("{}:rows={},columns={}", name_, rows, columns);
  try {
    return make_position(spec, "")->game();
  } catch (const Error& error) {
    throw RecordError(error.what(), place);
  }
}

std::string AskedGame::of_record(const std::string& spec, const Place& place) const {
  std::string game;
  try {
    game = make_position(spec, "")->game();
  } catch (const Error& error) {
    throw RecordError(error.what(), place);
  }
  if (game != canonical_ && !any_board_) {
    throw BoardError(fmt::format("a record of {}, not of {}", game, canonical_), place);
  }
  return game;
}

const char* player_name(Player player) { return player == Player::kFirst ? "Black" : "White"; }

int read_score(std::string_view text, int squares, const Place& place) {
  const bool negative = text.starts_with('-');
  const std::string_view digits =
      negative || text.starts_with('+') ? text.substr(1) : std::string_view(text);
  std::int64_t number = 0;
  const bool read = !digits.empty() && digits[0] != '-' && parse_integer(digits, &number);
  if (!read || number > squares || number % 2 != 0) {
    throw RecordError(
        fmt::format("a score must be an even number, -{0}..+{0}, not {1}", squares, quoted(text)),
        place);
  }
  return static_cast<int>(negative ? -number : number);
}

bool is_pass(std::string_view text) {
  const std::string word = in_lower_case(text);
  return word == "--" || word == "pa" || word == "ps" || word == "pass";
}

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

}  // namespace playproof
