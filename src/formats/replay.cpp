#include "src/formats/replay.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "games/core/error.h"
#include "games/core/text_tools.h"

namespace playproof {
namespace {

// A cell of Hex as this program writes it; other texts as they are.
std::string plain_cell(std::string_view cell) {
  int column = 0;
  int row = 0;
  return parse_letter_number(cell, &column, &row) ? letter_number(column, row) : std::string(cell);
}

bool is_square(const AnyPosition& hex) { return hex.game().starts_with("hex:size="); }

// The stones in an order of play: those of each player as they are given. Null if it is not so many
// stones' turn, or (`over`) if the game ends before the last one.
std::unique_ptr<AnyPosition> in_order(const AnyPosition& empty, const Stones& stones, bool* over) {
  std::unique_ptr<AnyPosition> position = empty.copy();
  std::size_t used[2] = {0, 0};
  const std::size_t count = stones.of[0].size() + stones.of[1].size();
  while (used[0] + used[1] < count) {
    const auto player = static_cast<std::size_t>(position->to_move());
    *over = position->finished();
    if (*over || used[player] == stones.of[player].size()) return nullptr;
    position->play(stones.of[player][used[player]++]);
  }
  return position;
}

// Also where a stone ends the game: it is put last.
std::unique_ptr<AnyPosition> in_any_order(const AnyPosition& empty, Stones stones) {
  bool over = false;
  std::unique_ptr<AnyPosition> position = in_order(empty, stones, &over);
  for (std::vector<std::string>& own : stones.of) {
    for (std::size_t tries = 1; tries < own.size() && over; ++tries) {
      std::rotate(own.begin(), own.begin() + 1, own.end());
      position = in_order(empty, stones, &over);
    }
  }
  return position;
}

std::string moves_text(const AnyPosition& position) {
  return fmt::format("{}", fmt::join(position.played(), " "));
}

}  // namespace

std::string mirrored_cell(std::string_view cell) {
  int column = 0;
  int row = 0;
  if (!parse_letter_number(cell, &column, &row) || row >= 26) return std::string(cell);
  return letter_number(row, column);
}

SetUp set_up_stones(const std::string& game, const Stones& stones, std::optional<Player> to_move) {
  const std::unique_ptr<AnyPosition> empty = make_position(game, "");
  const auto black = stones.of[0].size();
  const auto white = stones.of[1].size();
  const auto refuse = [&] {
    throw Error(
        ErrorCode::kData,
        fmt::format("{}: no play leads to {} black and {} white stones{}", game, black, white,
                    to_move ? fmt::format(" with {} to move", player_name(*to_move)) : ""));
  };
  if (!to_move && game.starts_with("hex")) {
    to_move = black > white ? Player::kSecond : Player::kFirst;
  }
  SetUp result;
  Stones placed = stones;
  // As if White had begun: the same game with players and axes exchanged.
  const bool white_began = white == black + (to_move == Player::kFirst ? 1 : 0);
  const bool black_began = black == white + (to_move == Player::kSecond ? 1 : 0);
  if (game.starts_with("hex") && white_began && !black_began && is_square(*empty)) {
    result.mirrored = true;
    std::swap(placed.of[0], placed.of[1]);
    for (auto& cells : placed.of) {
      for (std::string& cell : cells) cell = mirrored_cell(cell);
    }
    to_move = opponent(*to_move);
  }
  const std::unique_ptr<AnyPosition> position = in_any_order(*empty, placed);
  if (!position || (to_move && position->to_move() != *to_move)) refuse();
  result.position = moves_text(*position);
  return result;
}

Replay::Replay(const std::string& game, const std::string& position, bool mirrored)
    : position_(make_position(game, position)),
      start_(position),
      hex_(game.starts_with("hex")),
      othello_(game.starts_with("othello")),
      mirrored_(mirrored),
      swapped_(mirrored) {
  std::size_t at = 0;
  for (Token token; hex_ && next_token(start_, &at, &token);) ++stones_;
}

Player Replay::to_move() const {
  const Player player = position_->to_move();
  return mirrored_ ? opponent(player) : player;
}

void Replay::play(std::optional<Player> player, std::string_view move, const Place& place) {
  const std::string word = in_lower_case(move);
  const bool swaps = hex_ && word.starts_with("swap");
  if (othello_ && !position_->finished() && !is_pass(word) && position_->moves().front() == "--" &&
      (!player || *player != to_move())) {
    position_->play("--");
  }
  if (player && *player != to_move()) {
    throw RecordError(fmt::format("it is the turn of {}, not of {}", player_name(to_move()),
                                  player_name(*player)),
                      place);
  }
  if (swaps) return swap(word, place);
  std::string own(move);
  if (othello_) own = is_pass(word) ? "--" : word;
  if (hex_) own = mirrored_ ? mirrored_cell(plain_cell(word)) : plain_cell(word);
  try {
    position_->play(own);
  } catch (const Error& error) {
    throw RecordError(mirrored_ ? fmt::format("{} ({} in the file)", error.what(), quoted(move))
                                : std::string(error.what()),
                      place);
  }
  ++stones_;
}

void Replay::swap(const std::string& word, const Place& place) {
  if (word != "swap-pieces" && word != "swap-sides") {
    throw RecordError(fmt::format("{} is not clear: say swap-pieces or swap-sides", quoted(word)),
                      place);
  }
  if (stones_ != 1 || swapped_) {
    throw RecordError(fmt::format("{} is the answer to the first stone alone", word), place);
  }
  swapped_ = true;
  if (word == "swap-sides") return;  // the stone stays, and White is to move, whoever that is now
  if (!is_square(*position_)) {
    throw RecordError("swap-pieces needs a square board", place);
  }
  mirrored_ = true;
}

Record Replay::record() const {
  Record record;
  record.game = position_->game();
  record.mirrored = mirrored_;
  if (othello_) {
    record.position = position_->text();
    return record;
  }
  const std::string moves = moves_text(*position_);
  record.position = start_ + (start_.empty() || moves.empty() ? "" : " ") + moves;
  return record;
}

}  // namespace playproof
