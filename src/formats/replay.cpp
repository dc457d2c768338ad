#include "src/formats/replay.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "games/core/error.h"
#include "games/core/text_tools.h"

namespace playproof {
namespace {

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

// Finds an order also where a stone ends the game: it is put last.
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

// A position of Hex has any stones, and says who is to move.
std::string any_stones(const std::string& game, const Stones& stones, Player to_move) {
  constexpr const char* kSides[] = {":B", ":W"};
  std::string text;
  for (const int player : {0, 1}) {
    for (const std::string& cell : stones.of[player]) {
      text += fmt::format("{} {} ", kSides[player], cell);
    }
  }
  return make_position(game, text + kSides[static_cast<int>(to_move)])->text();
}

}  // namespace

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
  const bool hex = game.starts_with("hex");
  if (!to_move && hex) to_move = black > white ? Player::kSecond : Player::kFirst;
  const std::optional<Player> asked = to_move;
  SetUp result;
  Stones placed = stones;
  // It is read as if White had begun: the same game with players and axes exchanged.
  const bool white_began = white == black + (to_move == Player::kFirst ? 1 : 0);
  const bool black_began = black == white + (to_move == Player::kSecond ? 1 : 0);
  if (hex && white_began && !black_began && is_square(*empty)) {
    result.mirrored = true;
    std::swap(placed.of[0], placed.of[1]);
    for (auto& cells : placed.of) {
      for (std::string& cell : cells) cell = mirrored_cell(cell);
    }
    to_move = opponent(*to_move);
  }
  const std::unique_ptr<AnyPosition> position = in_any_order(*empty, placed);
  if (!position || (to_move && position->to_move() != *to_move)) {
    if (!hex) refuse();
    return {any_stones(game, stones, *asked)};
  }
  result.position = moves_text(*position);
  return result;
}

Replay::Replay(const std::string& game, const std::string& position)
    : position_(make_position(game, position)),
      start_(position),
      othello_(game.starts_with("othello")),
      boards_(othello_ || game.starts_with("loa")) {}

void Replay::play(std::optional<Player> player, std::string_view move, const Place& place) {
  const std::string word = in_lower_case(move);
  if (othello_ && !position_->finished() && !is_pass(word) && position_->moves().front() == "--" &&
      (!player || *player != to_move())) {
    position_->play("--");
  }
  if (player && *player != to_move()) {
    throw RecordError(fmt::format("it is the turn of {}, not of {}", player_name(to_move()),
                                  player_name(*player)),
                      place);
  }
  std::string own(move);
  if (othello_) own = is_pass(word) ? "--" : word;
  try {
    position_->play(own);
  } catch (const Error& error) {
    throw RecordError(error.what(), place);
  }
}

Stones Replay::stones() const {
  Stones stones;
  const std::unique_ptr<AnyPosition> replay = make_position(position_->game(), "");
  std::istringstream words(position_->text());
  for (std::string move; words >> move;) {
    stones.of[static_cast<int>(replay->to_move())].push_back(move);
    replay->play(move);
  }
  return stones;
}

Record Replay::record() const {
  Record record;
  record.game = position_->game();
  if (boards_) {
    record.position = position_->text();
    return record;
  }
  const std::string moves = moves_text(*position_);
  record.position = start_ + (start_.empty() || moves.empty() ? "" : " ") + moves;
  return record;
}

}  // namespace playproof
