#include "src/windows/hex_board.h"

#include <fmt/format.h>

#include <algorithm>

#include "games/core/error.h"
#include "games/core/text_tools.h"
#include "src/formats/record.h"

namespace playproof {

std::string HexBoard::game() const {
  return rows_ == columns_ ? fmt::format("hex:size={}", rows_)
                           : fmt::format("hex:rows={},columns={}", rows_, columns_);
}

void HexBoard::clear() {
  boards_.assign(1, Cells(static_cast<std::size_t>(rows_ * columns_), '.'));
  moves_.clear();
}

bool HexBoard::may_swap() const {
  return moves_.size() == 1 && rows_ == columns_ &&
         std::count(boards_.back().begin(), boards_.back().end(), 'B') == 1;
}

void HexBoard::play(Player player, std::string_view move) {
  const std::string word = in_lower_case(move);
  if (word == "resign") return;  // HexGui takes it back without a word
  Cells cells = boards_.back();
  if (word == "swap-pieces" || word == "swap-sides") {
    if (player != Player::kSecond || !may_swap()) {
      throw Error(ErrorCode::kData,
                  word + " is White's answer to the first stone, on a square board");
    }
    if (word == "swap-pieces") {
      const auto at = static_cast<int>(std::find(cells.begin(), cells.end(), 'B') - cells.begin());
      cells[static_cast<std::size_t>(at)] = '.';
      cells[static_cast<std::size_t>(at % columns_ * columns_ + at / columns_)] = 'W';
    }
  } else {
    int column = 0;
    int row = 0;
    if (!parse_letter_number(word, &column, &row) || column >= columns_ || row >= rows_) {
      throw Error(ErrorCode::kData, fmt::format("{} is no cell of {}", quoted(move), game()));
    }
    char& cell = cells[static_cast<std::size_t>(row * columns_ + column)];
    if (cell != '.') throw Error(ErrorCode::kData, fmt::format("cell {} is occupied", word));
    cell = player == Player::kFirst ? 'B' : 'W';
  }
  boards_.push_back(std::move(cells));
  moves_.push_back(word);
}

void HexBoard::undo() {
  if (moves_.empty()) throw Error(ErrorCode::kData, "there is no move to take back");
  boards_.pop_back();
  moves_.pop_back();
}

std::vector<std::string> HexBoard::empty_cells() const {
  std::vector<std::string> empty;
  const Cells& cells = boards_.back();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto cell = static_cast<int>(i);
    if (cells[i] == '.') empty.push_back(letter_number(cell % columns_, cell / columns_));
  }
  return empty;
}

SetUp HexBoard::position(std::optional<Player> to_move) const {
  Stones stones;
  const Cells& cells = boards_.back();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i] == '.') continue;
    const auto cell = static_cast<int>(i);
    stones.of[cells[i] == 'B' ? 0 : 1].push_back(letter_number(cell % columns_, cell / columns_));
  }
  return set_up_stones(game(), stones, to_move);
}

std::optional<Player> HexBoard::winner() const {
  if (joins('B')) return Player::kFirst;
  if (joins('W')) return Player::kSecond;
  return std::nullopt;
}

// Do these stones join their edges?
bool HexBoard::joins(char stone) const {
  constexpr int kNeighbours[6][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, -1}, {-1, 1}};
  const bool black = stone == 'B';
  Cells cells = boards_.back();  // a stone that was seen is taken away
  std::vector<int> open;
  const auto see = [&](int row, int column) {
    if (row < 0 || row >= rows_ || column < 0 || column >= columns_) return;
    char& cell = cells[static_cast<std::size_t>(row * columns_ + column)];
    if (cell != stone) return;
    cell = '.';
    open.push_back(row * columns_ + column);
  };
  for (int i = 0; i < (black ? columns_ : rows_); ++i) see(black ? 0 : i, black ? i : 0);
  while (!open.empty()) {
    const int row = open.back() / columns_;
    const int column = open.back() % columns_;
    open.pop_back();
    if (black ? row == rows_ - 1 : column == columns_ - 1) return true;
    for (const auto& step : kNeighbours) see(row + step[0], column + step[1]);
  }
  return false;
}

std::string HexBoard::picture() const {
  std::string text = "  ";
  for (int column = 0; column < columns_; ++column) {
    text += fmt::format(" {}", static_cast<char>('a' + column));
  }
  for (int row = 0; row < rows_; ++row) {
    text += fmt::format("\n{}{:>2} ", std::string(static_cast<std::size_t>(row), ' '), row + 1);
    for (int column = 0; column < columns_; ++column) {
      text += fmt::format(" {}", boards_.back()[static_cast<std::size_t>(row * columns_ + column)]);
    }
  }
  return text;
}

}  // namespace playproof
