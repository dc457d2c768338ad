#include "src/windows/loaded_game.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "games/core/text_tools.h"
#include "src/formats/game_tree.h"
#include "src/formats/record.h"
#include "src/formats/replay.h"
#include "src/io/line_reader.h"

namespace playproof {
namespace {

struct TreeText {
  std::string text;  // from its first '('
  Place place;
};

// The first game tree of a file.
TreeText first_tree(const std::string& path) {
  LineReader reader(path);
  TreeText tree;
  TreeEnd end;
  for (std::string line; reader.next(&line);) {
    std::size_t begin = 0;
    if (tree.text.empty()) {
      begin = line.find('(');
      if (begin == std::string::npos) continue;
      tree.place = {reader.number(), begin};
    }
    for (std::size_t i = begin; i < line.size(); ++i) {
      if (!end.take(line[i])) continue;
      tree.text.append(line, begin, i + 1 - begin);
      return tree;
    }
    tree.text.append(line, begin).append("\n");
    if (tree.text.size() > kMostLineBytes) {
      throw RecordError(fmt::format("a game longer than {} bytes", kMostLineBytes), tree.place);
    }
  }
  if (tree.text.empty()) throw Error(ErrorCode::kData, path + ": there is no game in SGF");
  return tree;  // it does not end: the reader of trees says where
}

bool is_move(const TreeProperty& property) { return property.name == "B" || property.name == "W"; }

bool is_swap(const TreeValue& value) { return in_lower_case(value.text).starts_with("swap"); }
bool is_stone(const TreeValue& value) {
  const std::string word = in_lower_case(value.text);
  return !is_swap(value) && word != "resign" && word != "forfeit";
}

std::vector<TreeValue> moves_of(const std::vector<TreeNode>& nodes) {
  std::vector<TreeValue> moves;
  for (const TreeNode& node : nodes) {
    for (const TreeProperty& property : node) {
      if (is_move(property)) {
        moves.insert(moves.end(), property.values.begin(), property.values.end());
      }
    }
  }
  return moves;
}

// The main line up to so many moves, as SGF again.
std::string text_of(const std::vector<TreeNode>& nodes, std::size_t moves) {
  std::string text = "(";
  for (const TreeNode& node : nodes) {
    text += ';';
    for (const TreeProperty& property : node) {
      if (is_move(property) && moves == 0) return text + ')';
      text += property.name;
      for (const TreeValue& value : property.values) {
        if (is_move(property) && moves-- == 0) return text + ')';
        text += '[';
        for (const char c : value.text) {
          if (c == ']' || c == '\\') text += '\\';
          text += c;
        }
        text += ']';
      }
    }
  }
  return text + ')';
}

// The game as the file has its board: the one that is searched may have columns and rows exchanged.
AskedGame game_of(const Record& record) {
  return AskedGame(record.names ? record.names->game : record.game);
}

// The stones of a record in the order in which they came, but for the last `without` of them.
HexBoard board_of(const Record& record, std::size_t without) {
  const AskedGame game = game_of(record);
  std::vector<std::string> cells;
  std::size_t at = 0;
  for (Token token; next_token(record.position, &at, &token);) cells.emplace_back(token.text);
  HexBoard board(game.rows(), game.columns());
  Player player = record.mirrored ? Player::kSecond : Player::kFirst;
  for (std::size_t i = 0; i + without < cells.size(); ++i) {
    board.play(player, record.mirrored ? mirrored_cell(cells[i]) : cells[i]);
    player = opponent(player);
  }
  return board;
}

HexBoard read_board(const TreeText& tree, std::optional<std::size_t> before) {
  const Record whole = read_tree(AskedGame("hex"), tree.text, tree.place);
  const std::vector<TreeNode> nodes = main_line(tree.text, tree.place);
  const std::vector<TreeValue> moves = moves_of(nodes);
  if (!before || *before > moves.size()) return board_of(whole, 0);
  // What a swap means is clear from who moves after it, so that move is read too, and taken back.
  const std::size_t count = *before - 1;
  const bool swaps = count > 0 && is_swap(moves[count - 1]) && is_stone(moves[count]);
  const std::string text = text_of(nodes, count + (swaps ? 1 : 0));
  return board_of(read_tree(game_of(whole), text, tree.place), swaps ? 1 : 0);
}

}  // namespace

HexBoard load_hex_game(const std::string& path, std::optional<std::size_t> before) {
  try {
    return read_board(first_tree(path), before);
  } catch (const RecordError& error) {
    throw Error(ErrorCode::kData, fmt::format("{}:{}: {}", path, error.line(), error.what()));
  } catch (const LongLine& error) {
    throw Error(ErrorCode::kData, fmt::format("{}: {}", path, error.what()));
  }
}

}  // namespace playproof
