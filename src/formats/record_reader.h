// Files of positions: which record comes next, in whatever format (docs/formats.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "src/formats/game_comment.h"
#include "src/formats/record.h"

namespace playproof {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Where lines come from (src/io/line_reader.h is one).
struct LineSource {
  std::function<bool(std::string* line)> next;  // false at the end
  std::function<std::uint64_t()> number;        // of the last line, from 1
};

class RecordReader {
 public:
  // Throws Error(kUsage): GAME.
  RecordReader(const std::string& game, LineSource lines);

  // The next record; false at the end. A line that is empty or only a comment is none, but for
  // "# game: hex:size=6", which says what the records after it are of; "(initial)" is the initial
  // position. Throws Error(kData), with a
  // line of its own if it is a RecordError; what follows the bad record can be read.
  bool next(Record* record);
  std::uint64_t line() const { return begun_; }  // where the last record begins

 private:
  bool take_line();
  bool take_game();
  void tell_untold();
  void check_game(const Place& place);
  std::string take_tree();

  AskedGame given_;  // on the command line
  GameComment comment_;
  bool untold_ = false;  // it is bad, and no record came after it
  LineSource lines_;
  std::string line_;       // the last one
  std::size_t begin_ = 0;  // in it, of what is not read yet
  bool in_line_ = false;   // something followed a tree
  bool whole_ = true;      // nothing of it is read
  std::uint64_t begun_ = 0;
};

// The one record of a text; of an empty one the initial position. Throws Error: kUsage (game),
// kData.
Record read_record(const std::string& game, const std::string& text);

}  // namespace playproof
