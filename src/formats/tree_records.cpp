// What the properties of SGF and GGF say of a position (src/formats/game_tree.h).
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "games/core/spec.h"
#include "games/core/text_tools.h"
#include "src/formats/game_tree.h"
#include "src/formats/replay.h"

namespace playproof {
namespace {

// The numbers of SGF (GM) for games of this program; Connect6 has none.
constexpr int kOthello = 2;
constexpr int kHex = 11;

const TreeProperty* find(const TreeNode& node, std::string_view name) {
  const auto found =
      std::find_if(node.begin(), node.end(), [&](const TreeProperty& p) { return p.name == name; });
  return found == node.end() ? nullptr : &*found;
}

// The words of a value; blanks may be any.
std::vector<Token> words_of(std::string_view text) {
  std::vector<Token> words;
  std::size_t at = 0;
  while ((at = text.find_first_not_of(" \t\r\n", at)) != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(" \t\r\n", at), text.size());
    words.push_back({text.substr(at, end - at), at});
    at = end;
  }
  return words;
}

int number(std::string_view text, const char* what, const Place& place) {
  std::int64_t value = 0;
  if (!parse_integer(text, &value) || value < 0 || value > 1000) {
    throw RecordError(fmt::format("{} must be a number, not {}", what, quoted(text)), place);
  }
  return static_cast<int>(value);
}

// "11", or "13:9": columns, rows.
std::string game_of_size(const AskedGame& asked, const TreeValue& value) {
  const std::size_t colon = value.text.find(':');
  const int columns = number(value.text.substr(0, colon), "the size SZ", value.place);
  const int rows = colon == std::string::npos
                       ? columns
                       : number(value.text.substr(colon + 1), "the size SZ", value.place);
  return asked.on_board(rows, columns, value.place);
}

std::optional<Player> player_of(std::string_view name) {
  const std::string colour = in_lower_case(name);
  if (colour == "b" || colour == "black") return Player::kFirst;
  if (colour == "w" || colour == "white") return Player::kSecond;
  return std::nullopt;
}

// HexGui before 0.10 wrote swap-pieces where it meant swap-sides.
bool is_old_hexgui(std::string_view program) {
  constexpr std::string_view kName = "HexGui:0.";
  const auto digit = [&](std::size_t i) {
    return i < program.size() && program[i] >= '0' && program[i] <= '9';
  };
  return program.starts_with(kName) && digit(kName.size()) && !digit(kName.size() + 1);
}

// SGF, once its game is known.
class SgfGame {
 public:
  SgfGame(const AskedGame& asked, const TreeNode& root, const Place& place)
      : game_(asked.canonical()), hex_(asked.name() == "hex"), othello_(asked.name() == "othello") {
    check_number(asked, root, place);
    if (const TreeProperty* size = find(root, "SZ")) {
      game_ = game_of_size(asked, size->values.front());
    }
    const AskedGame game(game_);
    rows_ = game.rows();
    columns_ = game.columns();
    const TreeProperty* program = find(root, "AP");
    old_swap_ = program != nullptr && is_old_hexgui(program->values.front().text);
  }

  void take(const TreeProperty& property) {
    const std::string& name = property.name;
    if (name == "AB" || name == "AW" || name == "AE") set_up(property);
    if (name == "PL") turn(property.values.front());
    if (name == "B" || name == "W") move(property);
  }

  Record record() {
    begin(std::nullopt, {});
    return replay_->record();
  }

 private:
  void check_number(const AskedGame& asked, const TreeNode& root, const Place& place) const {
    if (!hex_ && !othello_ && asked.name() != "connect6") {
      throw RecordError("there is no SGF of " + asked.name(), place);
    }
    const TreeProperty* property = find(root, "GM");
    if (property == nullptr) return;
    const TreeValue& value = property->values.front();
    const int game = number(value.text, "the game GM", value.place);
    const bool fits = hex_       ? game == kHex
                      : othello_ ? game == kOthello
                                 : game != kHex && game != kOthello;
    if (!fits) {
      throw RecordError(fmt::format("GM[{}] is another game than {}{}", game, asked.name(),
                                    hex_       ? ", GM[11]"
                                    : othello_ ? ", GM[2]"
                                               : ""),
                        value.place);
    }
  }

  // A point as the game writes its cells.
  std::string cell(std::string_view point, const Place& place) const {
    const bool connect = !hex_ && !othello_;
    int column = 0;
    int row = 0;
    if (point.size() == 2 && letter_index(point[0]) >= 0 && letter_index(point[1]) >= 0) {
      column = letter_index(point[0]);
      row = letter_index(point[1]);
    } else if (connect || !parse_letter_number(point, &column, &row)) {
      throw RecordError(
          fmt::format("expected a point such as {}, not {}", connect ? "jj" : "c2", quoted(point)),
          place);
    }
    if (column >= columns_ || row >= rows_) {
      throw RecordError(fmt::format("point {} is off the board of {}", quoted(point), game_),
                        place);
    }
    if (!connect) return letter_number(column, row);
    return {static_cast<char>('A' + column), static_cast<char>('A' + row)};
  }

  void set_up(const TreeProperty& property) {
    if (replay_) throw RecordError("stones are set up before the first move alone", property.place);
    for (const TreeValue& value : property.values) {
      const std::string at = cell(value.text, value.place);
      for (auto& cells : stones_.of) std::erase(cells, at);
      if (property.name == "AE") continue;
      stones_.of[property.name == "AB" ? 0 : 1].push_back(at);
      set_up_at_ = property.place;
    }
  }

  void turn(const TreeValue& value) {
    const std::optional<Player> player = player_of(value.text);
    if (!player) throw RecordError("PL must be B or W, not " + quoted(value.text), value.place);
    if (!replay_) {
      to_move_ = player;
      set_up_at_ = value.place;
    } else if (*player != replay_->to_move()) {
      throw RecordError(fmt::format("it is the turn of {}, not of {}",
                                    player_name(replay_->to_move()), player_name(*player)),
                        value.place);
    }
  }

  void move(const TreeProperty& property) {
    const Player player = property.name == "B" ? Player::kFirst : Player::kSecond;
    begin(player, property.place);
    for (const TreeValue& value : property.values) {
      const std::string word = in_lower_case(value.text);
      if (word == "resign" || word == "forfeit") continue;  // of people, not of the board
      if (hex_ && word.starts_with("swap")) {
        replay_->play(player, old_swap_ && word == "swap-pieces" ? "swap-sides" : word,
                      value.place);
      } else if (othello_ && (word.empty() || is_pass(word))) {
        replay_->play(player, "--", value.place);
      } else {
        place_stones(player, value);
      }
    }
  }

  void place_stones(Player player, const TreeValue& value) {
    std::string_view text = value.text;
    const bool two = !hex_ && !othello_ && text.size() == 4;  // stones of Connect6
    Place place = value.place;
    if (two) {
      replay_->play(player, cell(text.substr(0, 2), place), place);
      text.remove_prefix(2);
      place.offset += 2;
    }
    replay_->play(player, cell(text, place), place);
  }

  // The set-up is complete: the first move comes, or none.
  void begin(std::optional<Player> first, const Place& place) {
    if (replay_) return;
    const bool empty = stones_.of[0].empty() && stones_.of[1].empty();
    if (!to_move_ && !empty) to_move_ = first;
    try {
      if (othello_) {
        replay_.emplace(game_, empty && !to_move_ ? std::string() : board());
        return;
      }
      if (empty && !to_move_) {
        replay_.emplace(game_);
        return;
      }
      const SetUp set_up = set_up_stones(game_, stones_, to_move_);
      replay_.emplace(game_, set_up.position, set_up.mirrored);
    } catch (const Error& error) {
      throw RecordError(error.what(), empty ? place : set_up_at_);
    }
  }

  // Of Othello: the squares and who is to move.
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
  bool hex_ = false;
  bool othello_ = false;
  bool old_swap_ = false;
  int rows_ = 0;
  int columns_ = 0;
  Stones stones_;
  std::optional<Player> to_move_;
  Place set_up_at_;
  std::optional<Replay> replay_;
};

Record read_sgf(const AskedGame& asked, const std::vector<TreeNode>& nodes, const Place& place) {
  SgfGame game(asked, nodes.front(), place);
  for (const TreeNode& node : nodes) {
    for (const TreeProperty& property : node) game.take(property);
  }
  return game.record();
}

// "8 ---*O--- ... *": the size, the squares (rows may stand apart), the side to move.
std::string ggf_board(const AskedGame& asked, const TreeValue& value, std::string* game) {
  const std::vector<Token> words = words_of(value.text);
  const int size = words.empty() ? 0 : number(words[0].text, "the size in BO", value.place);
  *game = asked.on_board(size, size, value.place);
  std::string squares;
  for (std::size_t i = 1; i < words.size(); ++i) squares += words[i].text;
  const auto count = static_cast<std::size_t>(size * size);
  const bool whole = squares.size() == count + 1;
  if (!whole || squares.find_first_not_of("*O-") != std::string::npos || squares.back() == '-') {
    throw RecordError(
        fmt::format("BO must have {} squares of * O - and the side to move, * or O", count),
        value.place);
  }
  std::replace(squares.begin(), squares.end(), '*', 'X');
  return squares.insert(count, " ");
}

// "8", "8r20", "8k": the size, and how the first position came about; not "8a", where who has fewer
// discs wins.
std::string game_of_type(const AskedGame& asked, const TreeValue& value) {
  const std::size_t end = std::min(value.text.find_first_not_of("0123456789"), value.text.size());
  if (value.text.find('a', end) != std::string::npos) {
    throw RecordError("TY has an a: in that game who has fewer discs wins", value.place);
  }
  const int size = number(value.text.substr(0, end), "the size in TY", value.place);
  return asked.on_board(size, size, value.place);
}

Record read_ggf(const AskedGame& asked, const std::vector<TreeNode>& nodes, const Place& place) {
  if (asked.name() != "othello") {
    throw RecordError("GGF of Othello, not of " + asked.name(), place);
  }
  std::string game = asked.canonical();
  std::optional<Replay> replay;
  for (const TreeNode& node : nodes) {
    for (const TreeProperty& property : node) {
      const TreeValue& value = property.values.front();
      if (property.name == "TY") game = game_of_type(asked, value);
      if (property.name == "BO") {
        if (replay) throw RecordError("BO stands before the moves, and once", property.place);
        const std::string board = ggf_board(asked, value, &game);
        try {
          replay.emplace(game, board);
        } catch (const Error& error) {
          throw RecordError(error.what(), value.place);
        }
      }
      if (property.name != "B" && property.name != "W") continue;
      if (!replay) replay.emplace(game);
      const std::string move = value.text.substr(0, value.text.find('/'));
      replay->play(property.name == "B" ? Player::kFirst : Player::kSecond, move, value.place);
    }
  }
  if (!replay) replay.emplace(game);
  return replay->record();
}

}  // namespace

Record read_tree(const AskedGame& asked, std::string_view text, const Place& place) {
  const std::vector<TreeNode> nodes = main_line(text, place);
  const TreeProperty* game = find(nodes.front(), "GM");
  if (game == nullptr) return read_sgf(asked, nodes, place);
  const TreeValue& value = game->values.front();
  if (in_lower_case(value.text) == "othello") return read_ggf(asked, nodes, value.place);
  return read_sgf(asked, nodes, place);
}

}  // namespace playproof
