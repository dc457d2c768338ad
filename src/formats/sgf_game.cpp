#include "src/formats/sgf_game.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "games/core/text_tools.h"
#include "src/formats/hex_game.h"
#include "src/formats/replay.h"

namespace playproof {
namespace {

// The numbers of SGF (GM) for games of this program; Connect6 has none.
constexpr int kNumberOfOthello = 2;
constexpr int kNumberOfLoa = 9;
constexpr int kNumberOfHex = 11;

// "11", or "13:9": columns, rows.
std::string game_of_size(const AskedGame& asked, const TreeValue& value) {
  const std::size_t colon = value.text.find(':');
  const int columns = tree_number(value.text.substr(0, colon), "the size SZ", value.place);
  const int rows = colon == std::string::npos
                       ? columns
                       : tree_number(value.text.substr(colon + 1), "the size SZ", value.place);
  return asked.on_board(rows, columns, value.place);
}

std::optional<Player> player_of(std::string_view name) {
  const std::string colour = in_lower_case(name);
  if (colour == "b" || colour == "black") return Player::kFirst;
  if (colour == "w" || colour == "white") return Player::kSecond;
  return std::nullopt;
}

bool is_move(const TreeProperty& property) { return property.name == "B" || property.name == "W"; }
bool is_set_up(const TreeProperty& property) {
  return property.name == "AB" || property.name == "AW" || property.name == "AE";
}

// "dd", as in Go.
bool is_letter_pair(std::string_view text) {
  return text.size() == 2 && letter_index(text[0]) >= 0 && letter_index(text[1]) >= 0;
}

// Files of Little Golem have no GM, points as Go has them and White first. Their W is who joins top
// and bottom: it is the player that they name as PB.
bool is_little_golem(const std::vector<TreeNode>& nodes) {
  if (find_property(nodes.front(), "GM") != nullptr) return false;
  for (const TreeNode& node : nodes) {
    const auto move = std::find_if(node.begin(), node.end(), is_move);
    if (move == node.end()) continue;
    return move->name == "W" && is_letter_pair(move->values.front().text);
  }
  return false;
}

// What a swap means where nobody moves after it. HexGui wrote swap-pieces where it meant swap-sides
// before 0.10 and, of another line of that program, as 1.0.
class SwapWords {
 public:
  SwapWords(const std::vector<TreeNode>& nodes, bool little_golem) : little_golem_(little_golem) {
    const TreeProperty* program = find_property(nodes.front(), "AP");
    if (program == nullptr) return;
    constexpr std::string_view kName = "HexGui:";
    const std::string_view text = program->values.front().text;
    if (!text.starts_with(kName)) return;
    hexgui_ = true;
    const auto digit = [&](std::size_t i) {
      return i < text.size() && text[i] >= '0' && text[i] <= '9';
    };
    const std::size_t at = kName.size();
    old_hexgui_ = text.substr(at).starts_with("1.") ||
                  (text.substr(at).starts_with("0.") && digit(at + 2) && !digit(at + 3));
  }

  Swap meaning(std::string_view word) const {
    const Swap swap = swap_of(word);
    if (swap == Swap::kPieces && old_hexgui_) return Swap::kSides;
    if (in_lower_case(word) != "swap") return swap;
    return little_golem_ ? Swap::kPieces : hexgui_ ? Swap::kSides : Swap::kUnclear;
  }

 private:
  bool little_golem_;
  bool hexgui_ = false;
  bool old_hexgui_ = false;
};

// SGF, once its game is known.
class SgfGame {
 public:
  SgfGame(const AskedGame& asked, const std::vector<TreeNode>& nodes, const Place& place)
      : game_(asked.canonical()),
        kind_(asked.name() == "hex"       ? Kind::kHex
              : asked.name() == "othello" ? Kind::kOthello
              : asked.name() == "loa"     ? Kind::kLoa
                                          : Kind::kConnect),
        place_(place),
        swaps_(nodes, is_little_golem(nodes)) {
    check_number(asked, nodes.front(), place);
    const TreeProperty* size = find_property(nodes.front(), "SZ");
    if (size != nullptr) {
      game_ = game_of_size(asked, size->values.front());
    } else if (kind_ == Kind::kHex && asked.any_board()) {
      throw BoardError(
          "the game does not say how large its board is: ask for hex:size=N, or put SZ[N] into it",
          place);
    }
    const AskedGame game(game_);
    rows_ = game.rows();
    columns_ = game.columns();
    if (kind_ == Kind::kHex) hex_.emplace(game_, is_little_golem(nodes));
  }

  // The properties of a node have no order: stones are set up, the move is made, and PL says who is
  // to move then.
  void take(const TreeNode& node) {
    for (const TreeProperty& property : node) {
      if (is_set_up(property)) set_up(property);
    }
    for (const TreeProperty& property : node) {
      if (is_move(property)) move(property);
    }
    for (const TreeProperty& property : node) {
      if (property.name == "PL") turn(property.values.front());
    }
  }

  Record record() {
    if (hex_) return hex_->record();
    begin(std::nullopt, place_);
    return replay_->record();
  }

 private:
  enum class Kind : std::uint8_t { kHex, kOthello, kLoa, kConnect };
  // Is a position of the game written as its board, with any stones?
  bool has_board() const { return kind_ == Kind::kOthello || kind_ == Kind::kLoa; }

  void check_number(const AskedGame& asked, const TreeNode& root, const Place& place) const {
    if (kind_ == Kind::kConnect && asked.name() != "connect6") {
      throw RecordError("there is no SGF of " + asked.name(), place);
    }
    const TreeProperty* property = find_property(root, "GM");
    if (property == nullptr) return;
    const TreeValue& value = property->values.front();
    const int game = tree_number(value.text, "the game GM", value.place);
    const int own = kind_ == Kind::kHex       ? kNumberOfHex
                    : kind_ == Kind::kOthello ? kNumberOfOthello
                    : kind_ == Kind::kLoa     ? kNumberOfLoa
                                              : 0;
    const bool others = game == kNumberOfHex || game == kNumberOfOthello || game == kNumberOfLoa;
    if (own > 0 ? game != own : others) {
      throw RecordError(fmt::format("GM[{}] is another game than {}{}", game, asked.name(),
                                    own > 0 ? fmt::format(", GM[{}]", own) : ""),
                        value.place);
    }
  }

  // ---- points ----------------------------------------------------------------------------------

  struct Point {
    int column = 0;
    int row = 0;
  };

  // In Connect6 "j10" counts its rows from below, as Little Golem does.
  Point point(std::string_view text, const Place& place) const {
    Point point;
    if (is_letter_pair(text)) {
      point = {letter_index(text[0]), letter_index(text[1])};
    } else if (!parse_letter_number(text, &point.column, &point.row)) {
      throw RecordError(fmt::format("expected a point such as {}, not {}",
                                    kind_ == Kind::kConnect ? "jj or j10" : "c2", quoted(text)),
                        place);
    } else if (kind_ == Kind::kConnect) {
      point.row = rows_ - 1 - point.row;
    }
    if (point.column >= columns_ || point.row >= rows_ || point.row < 0) {
      throw RecordError(fmt::format("point {} is off the board of {}", quoted(text), game_), place);
    }
    return point;
  }

  // A cell as the game writes it.
  std::string cell(const Point& point) const {
    if (kind_ != Kind::kConnect) return letter_number(point.column, point.row);
    return {static_cast<char>('A' + point.column), static_cast<char>('A' + point.row)};
  }

  // One point, or all of a rectangle: "c3:d4", its upper left and its lower right corner.
  std::vector<std::string> cells(const TreeValue& value) const {
    const std::string_view text = value.text;
    const std::size_t colon = text.find(':');
    const Point first = point(text.substr(0, colon), value.place);
    if (colon == std::string_view::npos) return {cell(first)};
    const Point last =
        point(text.substr(colon + 1), {value.place.line, value.place.offset + colon + 1});
    if (last.column < first.column || last.row < first.row) {
      throw RecordError("a rectangle has its upper left point first, not " + quoted(text),
                        value.place);
    }
    std::vector<std::string> cells;
    for (int row = first.row; row <= last.row; ++row) {
      for (int column = first.column; column <= last.column; ++column) {
        cells.push_back(cell({column, row}));
      }
    }
    return cells;
  }

  // ---- stones that are set up ------------------------------------------------------------------

  void set_up(const TreeProperty& property) {
    if (!hex_) take_up();
    for (const TreeValue& value : property.values) {
      for (const std::string& at : cells(value)) set_up(property.name, at, value.place);
    }
    set_up_at_ = property.place;
  }
  void set_up(std::string_view name, const std::string& at, const Place& place) {
    const std::optional<Player> player = name == "AB"   ? std::optional(Player::kFirst)
                                         : name == "AW" ? std::optional(Player::kSecond)
                                                        : std::nullopt;
    if (hex_) return hex_->set_up(player, at, place);
    for (auto& cells : stones_.of) std::erase(cells, at);
    if (player) stones_.of[static_cast<int>(*player)].push_back(at);
  }

  // What moves have made of the board is what is changed.
  void take_up() {
    if (!replay_) return;
    if (has_board()) {
      to_move_ = replay_->to_move();
      stones_ = discs(replay_->position().text());
    } else {
      to_move_.reset();
      stones_ = replay_->stones();
    }
    replay_.reset();
  }
  Stones discs(const std::string& board) const {
    Stones discs;
    for (int square = 0; square < rows_ * columns_; ++square) {
      const char disc = board[static_cast<std::size_t>(square)];
      if (disc == '-') continue;
      discs.of[disc == 'X' ? 0 : 1].push_back(cell({square % columns_, square / columns_}));
    }
    return discs;
  }

  void turn(const TreeValue& value) {
    const std::optional<Player> player = player_of(value.text);
    if (!player) throw RecordError("PL must be B or W, not " + quoted(value.text), value.place);
    if (hex_) return hex_->turn(*player, value.place);
    if (!replay_) {
      to_move_ = player;
      set_up_at_ = value.place;
    } else if (*player != replay_->to_move()) {
      throw RecordError(fmt::format("it is the turn of {}, not of {}",
                                    player_name(replay_->to_move()), player_name(*player)),
                        value.place);
    }
  }

  // ---- moves -----------------------------------------------------------------------------------

  void move(const TreeProperty& property) {
    const Player player = property.name == "B" ? Player::kFirst : Player::kSecond;
    for (const TreeValue& value : property.values) {
      const std::string word = in_lower_case(value.text);
      if (word == "resign" || word == "forfeit") continue;  // of people, not of the board
      if (hex_) {
        hex_move(player, value);
        continue;
      }
      begin(player, property.place);
      if (kind_ == Kind::kOthello) {
        const bool passes = word.empty() || is_pass(word);
        replay_->play(player, passes ? "--" : cell(point(value.text, value.place)), value.place);
      } else if (kind_ == Kind::kLoa) {
        loa_move(player, value);
      } else {
        connect_move(player, value);
      }
    }
  }
  void hex_move(Player player, const TreeValue& value) {
    if (is_swap(value.text)) {
      hex_->swap(player, value.text, swaps_.meaning(value.text), value.place);
    } else if (in_lower_case(value.text) == "pass") {
      hex_->play(player, "pass", value.place);
    } else {
      hex_->play(player, cell(point(value.text, value.place)), value.place);
    }
  }
  // One stone or two: "jj", "kijh", "j9l11".
  void connect_move(Player player, const TreeValue& value) {
    const std::string_view text = value.text;
    std::size_t begin = 0;
    do {
      std::size_t end = std::min(text.size(), begin + 2);
      while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
      const Place place{value.place.line, value.place.offset + begin};
      replay_->play(player, cell(point(text.substr(begin, end - begin), place)), place);
      begin = end;
    } while (begin < text.size());
  }

  // "e1-e3", "C2:C5++": where it begins and ends, and perhaps a comment.
  void loa_move(Player player, const TreeValue& value) {
    const std::string_view text = value.text;
    constexpr std::size_t kSecond = 3;  // place of its second point
    constexpr std::size_t kMove = 5;    // letters
    if (text.size() < kMove || std::string_view("-:x").find(text[2]) == std::string_view::npos) {
      throw RecordError("expected a move such as e1-e3, not " + quoted(text), value.place);
    }
    const Place second{value.place.line, value.place.offset + kSecond};
    const std::string from = cell(point(text.substr(0, 2), value.place));
    const std::string to = cell(point(text.substr(kSecond, 2), second));
    replay_->play(player, from + '-' + to, value.place);
  }

  // The set-up is complete: a move comes, or none.
  void begin(std::optional<Player> first, const Place& place) {
    if (replay_) return;
    const bool empty = stones_.of[0].empty() && stones_.of[1].empty();
    if (!to_move_ && !empty) to_move_ = first;
    try {
      if (has_board()) {
        replay_.emplace(game_, empty && !to_move_ ? std::string() : board());
      } else if (empty && !to_move_) {
        replay_.emplace(game_);
      } else {
        replay_.emplace(game_, set_up_stones(game_, stones_, to_move_).position);
      }
    } catch (const Error& error) {
      throw RecordError(error.what(), empty ? place : set_up_at_);
    }
  }

  // A board: its cells and who is to move.
  std::string board() const {
    std::string text = make_position(game_, "")->text();
    if (!stones_.of[0].empty() || !stones_.of[1].empty()) {
      std::fill_n(text.begin(), rows_ * columns_, '-');
      for (int player = 0; player < 2; ++player) {
        for (const std::string& cell : stones_.of[player]) {
          int column = 0;
          int row = 0;
          parse_letter_number(cell, &column, &row);
          text[static_cast<std::size_t>(row * columns_ + column)] = player == 0 ? 'X' : 'O';
        }
      }
    }
    text.back() = to_move_ == Player::kSecond ? 'O' : 'X';
    return text;
  }

  std::string game_;
  Kind kind_;
  Place place_;
  SwapWords swaps_;
  int rows_ = 0;
  int columns_ = 0;
  std::optional<HexGame> hex_;
  // What is set up in the other games, until a move makes a game of it.
  Stones stones_;
  std::optional<Player> to_move_;
  Place set_up_at_;
  std::optional<Replay> replay_;
};

}  // namespace

Record read_sgf(const AskedGame& asked, const std::vector<TreeNode>& nodes, const Place& place) {
  SgfGame game(asked, nodes, place);
  for (const TreeNode& node : nodes) game.take(node);
  return game.record();
}

}  // namespace playproof
