#include "src/formats/hex_game.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "games/core/text_tools.h"
#include "host/solve/position.h"

namespace playproof {

bool is_swap(std::string_view word) { return in_lower_case(word).starts_with("swap"); }

Swap swap_of(std::string_view word) {
  const std::string lower = in_lower_case(word);
  return lower == "swap-sides"    ? Swap::kSides
         : lower == "swap-pieces" ? Swap::kPieces
                                  : Swap::kUnclear;
}

HexGame::HexGame(const std::string& game, bool white_joins_top)
    : white_joins_top_(white_joins_top) {
  const AskedGame asked(game);
  game_ = asked.canonical();
  rows_ = asked.rows();
  columns_ = asked.columns();
}

void HexGame::check_turn(std::optional<Player> player, const Place& place) const {
  if (!player || !to_move_ || *player == *to_move_) return;
  throw RecordError(fmt::format("it is the turn of {}, not of {}", name(*to_move_), name(*player)),
                    place);
}

// Checks that column and row lie on the board, and writes them as this program does.
std::string HexGame::checked_cell(std::string_view word, const Place& place) const {
  int column = 0;
  int row = 0;
  if (!parse_letter_number(word, &column, &row)) {
    throw RecordError("expected a cell such as b2, not " + quoted(word), place);
  }
  if (column >= columns_ || row >= rows_) {
    throw RecordError(fmt::format("expected a cell of {}, whose last one is {}, not {}", game_,
                                  letter_number(columns_ - 1, rows_ - 1), quoted(word)),
                      place);
  }
  return letter_number(column, row);
}

std::vector<HexGame::Stone>::iterator HexGame::at(std::string_view cell) {
  return std::find_if(stones_.begin(), stones_.end(),
                      [&](const Stone& stone) { return stone.cell == cell; });
}

void HexGame::play(std::optional<Player> player, std::string_view word, const Place& place) {
  if (player) player = standard(*player);
  resolve(player, place);
  check_turn(player, place);
  const Player mover = player ? *player : to_move_.value_or(Player::kFirst);
  set_up_ = set_up_ || word == "--";
  if (in_lower_case(word) != "pass" && word != "--") {
    const std::string cell = checked_cell(word, place);
    if (at(cell) != stones_.end()) {
      throw RecordError(fmt::format("cell {} is occupied already", quoted(word)), place);
    }
    stones_.push_back({mover, cell, place});
  }
  to_move_ = opponent(mover);
  last_ = place;
}

void HexGame::swap(std::optional<Player> player, std::string_view word, Swap swap,
                   const Place& place) {
  if (player) player = standard(*player);
  const bool first = stones_.size() == 1 && !swapped_ && !pending_ &&
                     to_move_.value_or(opponent(stones_[0].player)) != stones_[0].player;
  if (!first) {
    throw RecordError(fmt::format("{} is the answer to the first stone alone", word), place);
  }
  to_move_ = opponent(stones_[0].player);
  check_turn(player, place);
  pending_ = {std::string(word), swap, *to_move_, place};
  last_ = place;
}

// Settles what waited until it was known who moves next (none: nobody does).
void HexGame::resolve(std::optional<Player> next, const Place& place) {
  if (!pending_) return;
  const Pending pending = *std::exchange(pending_, std::nullopt);
  Swap swap = pending.swap;
  if (next) swap = *next == pending.by ? Swap::kSides : Swap::kPieces;
  if (swap == Swap::kUnclear) {
    throw RecordError(fmt::format("{} is not clear: say swap-pieces or swap-sides, or who moves "
                                  "next",
                                  quoted(pending.word)),
                      pending.place);
  }
  if (swap == Swap::kPieces && swap_of(pending.word) == Swap::kSides) {
    throw RecordError(fmt::format("after swap-sides {} moves next, not {}: a stone that changes "
                                  "its colour is written swap-pieces",
                                  name(pending.by), name(*next)),
                      place);
  }
  swapped_ = true;
  if (swap == Swap::kSides) return;
  if (rows_ != columns_) throw RecordError("swap-pieces needs a square board", pending.place);
  Stone& stone = stones_[0];
  swapped_cell_ = stone.cell;
  stone = {pending.by, mirrored_cell(stone.cell), pending.place};
  to_move_ = opponent(pending.by);
}

void HexGame::set_up(std::optional<Player> player, std::string_view cell, const Place& place) {
  resolve(std::nullopt, place);
  const std::string checked = checked_cell(cell, place);
  const auto found = at(checked);
  if (found != stones_.end()) stones_.erase(found);
  if (player) stones_.push_back({standard(*player), checked, place});
  set_up_ = true;
  to_move_.reset();
  swapped_cell_.clear();
  last_ = place;
}

void HexGame::turn(Player player, const Place& place) {
  player = standard(player);
  resolve(player, place);
  set_up_ = true;
  to_move_ = player;
  last_ = place;
}

// Each stone is the answer to the one before it, and the last one has none yet.
bool HexGame::is_in_order() const {
  for (std::size_t i = 1; i < stones_.size(); ++i) {
    if (stones_[i].player == stones_[i - 1].player) return false;
  }
  return stones_.empty() || !to_move_ || *to_move_ != stones_.back().player;
}

// Whoever is to move, or who it must be if nobody says it.
bool HexGame::white_began() const {
  if (is_in_order()) {
    return (stones_.empty() ? to_move_.value_or(Player::kFirst) : stones_[0].player) ==
           Player::kSecond;
  }
  const auto black = std::count_if(stones_.begin(), stones_.end(), [](const Stone& stone) {
    return stone.player == Player::kFirst;
  });
  const auto white = static_cast<std::ptrdiff_t>(stones_.size()) - black;
  return to_move_ == Player::kSecond ? white == black : white == black + 1;
}

// The stones in their order, as a position of the game that is searched.
std::string HexGame::played(const std::string& game, bool mirrored) const {
  const auto position = make_position(game, "");
  std::string text;
  for (const Stone& stone : stones_) {
    if (position->finished()) {
      throw RecordError(
          fmt::format("no stone can follow, the game is over, not {}", quoted(stone.cell)),
          stone.place);
    }
    const std::string cell = mirrored ? mirrored_cell(stone.cell) : stone.cell;
    position->play(cell);
    text += (text.empty() ? "" : " ") + cell;
  }
  return text;
}

// The stones in an order in which they can have been played.
std::string HexGame::laid(const std::string& game, bool mirrored) const {
  Stones laid;
  for (const Stone& stone : stones_) {
    const Player player = mirrored ? opponent(stone.player) : stone.player;
    laid.of[static_cast<int>(player)].push_back(mirrored ? mirrored_cell(stone.cell) : stone.cell);
  }
  std::optional<Player> to_move = to_move_;
  if (to_move && mirrored) to_move = opponent(*to_move);
  if (!to_move && mirrored) to_move = Player::kSecond;  // of the search: it began, and has one more
  return set_up_stones(game, laid, to_move).position;
}

namespace {

// A word of a position where players and axes are exchanged.
std::string exchanged_word(std::string_view word) {
  if (word == "--") return std::string(word);
  if (word[0] == ':') return word == ":B" ? ":W" : ":B";
  return mirrored_cell(word);
}

}  // namespace

Record HexGame::record() {
  resolve(std::nullopt, last_);
  const bool mirrored = white_began();
  Record record;
  record.game = mirrored ? mirrored_hex(rows_, columns_) : game_;
  record.mirrored = mirrored;
  record.position =
      is_in_order() && !set_up_ ? played(record.game, mirrored) : laid(record.game, mirrored);
  if (!mirrored && !white_joins_top_) return record;
  RecordNames names{game_, record.position, mirrored, mirrored != white_joins_top_};
  if (mirrored) {
    // White's first stone came by a swap, or Black has passed.
    const bool swapped = !swapped_cell_.empty() && is_in_order();
    names.position = swapped ? swapped_cell_ + " swap-pieces" : "pass";
    std::size_t begin = 0;
    std::size_t count = 0;
    for (Token token; next_token(record.position, &begin, &token); ++count) {
      if (swapped && count == 0) continue;
      names.position += ' ' + exchanged_word(token.text);
    }
  }
  record.names = std::move(names);
  return record;
}

}  // namespace playproof
