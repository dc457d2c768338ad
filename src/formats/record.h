// What a file of positions says of one of them, whatever its format (docs/formats.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "games/core/game.h"
#include "src/io/record_names.h"

namespace playproof {

// Where something stands: its line, from 1, and the bytes before it on that line.
struct Place {
  std::uint64_t line = 1;
  std::size_t offset = 0;
};

// Bad data at a place: the text ends with the offset, whoever knows the file says the line.
class RecordError : public Error {
 public:
  RecordError(const std::string& what, const Place& place)
      : Error(ErrorCode::kData, what + ", at offset " + std::to_string(place.offset)),
        line_(place.line) {}
  std::uint64_t line() const { return line_; }

 private:
  std::uint64_t line_;
};

// A comment that is meant to name a game and does not, with no record after it.
class CommentError : public RecordError {
 public:
  using RecordError::RecordError;
};

// It is of another board than was asked for, or nobody says of which.
class BoardError : public RecordError {
 public:
  using RecordError::RecordError;
};

// What a record says of the result, for the side to move.
struct Known {
  int value = 0;                                   // the score, or 1, 0, -1
  bool score = false;                              // it is a score
  std::vector<std::pair<std::string, int>> moves;  // scores of single moves
};

struct Record {
  std::string game;      // with every option
  std::string position;  // as --position has it
  // Hex: columns and rows are exchanged, so that who joins top and bottom moves first: cell c1 of
  // the file is a3 here.
  bool mirrored = false;
  // How the file calls players and cells, where that is not as `position` has it; always if
  // `mirrored`.
  std::optional<RecordNames> names;
  std::optional<Known> known;
};

// GAME of the command line, and what records may say of their board.
class AskedGame {
 public:
  // Throws Error(kUsage).
  explicit AskedGame(const std::string& spec);
  const std::string& name() const { return name_; }            // "hex"
  const std::string& canonical() const { return canonical_; }  // "hex:size=5"
  bool any_board() const { return any_board_; }                // it was a name alone
  int rows() const { return rows_; }                           // 0: there is no board
  int columns() const { return columns_; }
  // The game on a board of this size: what was asked, or any if only a name was. Throws BoardError,
  // RecordError.
  std::string on_board(int rows, int columns, const Place& place) const;
  // The same of a game with every option: "connect6:rows=3,columns=4,connect=3,stones=2".
  std::string of_record(const std::string& spec, const Place& place) const;

 private:
  bool is_square() const { return name_ == "othello" || name_ == "loa"; }

  std::string name_;
  std::string canonical_;
  bool any_board_ = false;
  int rows_ = 0;
  int columns_ = 0;
};

const char* player_name(Player player);  // "Black", "White"

// "+48", "-8", "0": a score of a position of `squares` squares. Throws RecordError.
int read_score(std::string_view text, int squares, const Place& place);

// "--", "pa", "ps", "pass", in any case: the names that a pass has elsewhere.
bool is_pass(std::string_view text);

std::string in_lower_case(std::string_view text);

}  // namespace playproof
