// A position of any game behind one type: what programs see of the rules.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "games/core/board_drawing.h"
#include "games/core/board_picture.h"
#include "games/core/game.h"

namespace playproof {

class AnyPosition {
 public:
  virtual ~AnyPosition() = default;
  virtual std::unique_ptr<AnyPosition> copy() const = 0;

  virtual std::string game() const = 0;  // canonical
  // make_position() reads it back to an equal position. It is the path in a game whose positions
  // are paths.
  virtual std::string text() const = 0;
  virtual Player to_move() const = 0;  // of a finished position: whose turn it would be
  virtual bool finished() const = 0;
  // What a finished position is worth to the first player: 1, 0, -1, or the score. Throws
  // Error(kUsage) if the game is not over.
  virtual int value() const = 0;
  // The legal moves in ascending order; none if finished.
  virtual std::vector<std::string> moves() const = 0;
  // No game from here lasts longer; nothing of a game in which positions can come again.
  virtual std::optional<int> max_plies_left() const = 0;
  virtual std::uint64_t key() const = 0;  // the stream of its playouts
  virtual bool same(const AnyPosition& other) const = 0;

  // Throws Error(kData) if the move is not legal.
  virtual void play(std::string_view move) = 0;
  // Takes the last move back. Throws Error(kUsage) if there is none.
  virtual void undo() = 0;
  virtual std::vector<std::string> played() const = 0;  // since the text that it was made of

  // The last move that was played or, if none was, of the text that it was made of; empty if that
  // does not tell.
  virtual std::string last_move() const = 0;

  // What is drawn of it; nothing of a game without a board.
  virtual std::optional<BoardView> board() const = 0;
  // What pictures shade: the empty cells that a proof of this position rests on, as moves. Another
  // position has none. Throws Error(kUsage) if it is no text of a move.
  virtual void set_carrier(const std::vector<std::string>& cells) = 0;
  // What pictures show of a win by threats: its turn, and the ends of the lines that it threatens
  // to fill. As above.
  virtual void set_threats(const std::vector<std::string>& turn,
                           const std::vector<std::pair<std::string, std::string>>& lines) = 0;
  // Pictures mark the last move, and `best` if it is a move (empty: none). Throw Error(kUsage) if
  // it is no text of one.
  // The board as SVG 1.1, `width` pixels wide; of a game without a board its text.
  virtual std::string svg(std::string_view best, int width) const = 0;
  // The board as text (games/core/board_drawing.h); empty without a board.
  virtual std::string drawn(std::string_view best, const BoardStyle& style) const = 0;
};

// Throws Error: kUsage (game), kData (position).
std::unique_ptr<AnyPosition> make_position(const std::string& game, const std::string& text);
// The same on a graph (docs/graphs.md) that is not a file but its text. Throws Error(kData).
std::unique_ptr<AnyPosition> make_position_on(std::string graph, const std::string& text);

}  // namespace playproof
