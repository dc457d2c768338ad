// Which game a tree is of, and what GGF says of a position (src/formats/game_tree.h).
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "games/core/text_tools.h"
#include "src/formats/game_tree.h"
#include "src/formats/othello_board.h"
#include "src/formats/replay.h"
#include "src/formats/sgf_game.h"

namespace playproof {
namespace {

// "8 ---*O--- ... *": the size, the board.
std::string ggf_board(const AskedGame& asked, const TreeValue& value, std::string* game) {
  const std::string_view text = value.text;
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  const std::size_t end = std::min(text.find_first_of(" \t\r\n", begin), text.size());
  const int size = tree_number(text.substr(begin, end - begin), "the size in BO", value.place);
  *game = asked.on_board(size, size, value.place);
  const Place place{value.place.line, value.place.offset + end};
  const WrittenBoard board =
      read_board(text.substr(end), size,
                 fmt::format("BO must have {} squares and the side to move", size * size), place);
  const std::string_view rest = text.substr(end + board.end);
  if (rest.find_first_not_of(" \t\r\n") != std::string_view::npos) {
    throw RecordError(fmt::format("BO must have {} squares and the side to move, not {} after them",
                                  size * size, quoted(rest)),
                      {place.line, place.offset + board.end});
  }
  return board.position;
}

// "8", "8r20", "s8r18", "k8": the size, and how the first position came about, in the letters of
// the server GGS; not "8a", where who has fewer discs wins. BO says the size better.
std::string game_of_type(const AskedGame& asked, const TreeNode& root) {
  const TreeProperty* type = find_property(root, "TY");
  if (type == nullptr) return asked.canonical();
  const TreeValue& value = type->values.front();
  const std::string_view text = value.text;
  if (text.find_first_of("aA") != std::string_view::npos) {
    throw RecordError("TY has an a: in that game who has fewer discs wins", value.place);
  }
  const std::size_t begin = text.find_first_of("0123456789");
  if (begin == std::string_view::npos || find_property(root, "BO") != nullptr) {
    return asked.canonical();
  }
  const std::size_t end = std::min(text.find_first_not_of("0123456789", begin), text.size());
  const int size = tree_number(text.substr(begin, end - begin), "the size in TY", value.place);
  return asked.on_board(size, size, value.place);
}

Record read_ggf(const AskedGame& asked, const std::vector<TreeNode>& nodes, const Place& place) {
  if (asked.name() != "othello") {
    throw RecordError("GGF of Othello, not of " + asked.name(), place);
  }
  std::string game = game_of_type(asked, nodes.front());
  std::optional<Replay> replay;
  for (const TreeNode& node : nodes) {
    for (const TreeProperty& property : node) {
      const TreeValue& value = property.values.front();
      if (property.name == "BO") {
        if (replay) throw RecordError("BO stands before the moves, and once", property.place);
        const std::string board = ggf_board(asked, value, &game);
        replay.emplace(game, board);
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
  const TreeProperty* game = find_property(nodes.front(), "GM");
  if (game == nullptr) return read_sgf(asked, nodes, place);
  const TreeValue& value = game->values.front();
  if (in_lower_case(value.text) == "othello") return read_ggf(asked, nodes, value.place);
  return read_sgf(asked, nodes, place);
}

}  // namespace playproof
