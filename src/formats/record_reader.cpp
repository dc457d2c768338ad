#include "src/formats/record_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "src/formats/game_tree.h"
#include "src/formats/line_records.h"
#include "src/io/interrupt.h"
#include "src/io/line_reader.h"

namespace playproof {
namespace {

constexpr const char* kLineBlanks = " \t\r";

bool is_blank_line(const std::string& line) {
  return line.find_first_not_of(kLineBlanks) == std::string::npos;
}

// Cuts off what follows a '#': but for the one of an address of HexWorld, behind which the game is.
void cut_comment(std::string* line) {
  constexpr std::string_view kAddress = "hexworld.org/board/#";
  const std::size_t address = line->find(kAddress);
  const std::size_t begin =
      line->find('#', address == std::string::npos ? 0 : address + kAddress.size());
  if (begin == std::string::npos) return;
  line->resize(begin);
  line->resize(line->find_last_not_of(" \t") + 1);
}

// "(initial)", as answers for people name it.
bool is_initial(std::string_view line) {
  line = line.substr(0, line.find('#'));
  line.remove_prefix(std::min(line.find_first_not_of(kLineBlanks), line.size()));
  return line.substr(0, line.find_last_not_of(kLineBlanks) + 1) == "(initial)";
}
Record initial(const AskedGame& asked) {
  Record record;
  record.game = asked.canonical();
  return record;
}

// A line of Zebra or Edax that is a comment.
bool is_comment_line(const std::string& line) {
  const std::size_t begin = std::min(line.find_first_not_of(kLineBlanks), line.size());
  return line.compare(begin, 1, "%") == 0 || line.compare(begin, 2, "//") == 0;
}

}  // namespace

RecordReader::RecordReader(const std::string& game, LineSource lines)
    : given_(game), lines_(std::move(lines)) {}

bool RecordReader::next(Record* record) {
  while (take_line()) {
    const Place place{lines_.number(), begin_};
    if (whole_ && take_game()) continue;
    begun_ = place.line;
    const std::string_view whole = line_;
    if (is_initial(whole.substr(begin_))) {
      check_game(place);
      *record = initial(comment_.of(given_));
      return true;
    }
    if (begins_tree(whole.substr(begin_))) {
      const std::string tree = take_tree();
      if (tree.empty()) return false;
      check_game(place);
      *record = read_tree(comment_.of(given_), tree, place);
      return true;
    }
    std::string line = line_.substr(begin_);
    cut_comment(&line);
    if (is_blank_line(line) || is_comment_line(line)) continue;
    check_game(place);
    *record = read_line(comment_.of(given_), line, place);
    return true;
  }
  tell_untold();
  return false;
}

// The next line, or what is left of the last one.
bool RecordReader::take_line() {
  if (!in_line_) {
    if (!lines_.next(&line_)) return false;
    begin_ = lines_.number() == 1 && line_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    whole_ = true;
  }
  in_line_ = false;
  return true;
}

// Whether the line says what the records after it are of.
bool RecordReader::take_game() {
  GameComment comment;
  if (!comment.take(std::string_view{line_}.substr(begin_), lines_.number())) return false;
  in_line_ = untold_;  // read again, after what is told of the one before it
  tell_untold();
  in_line_ = false;
  comment_ = comment;
  untold_ = !comment_.bad().empty();
  return true;
}

// A comment that names no game is told of by the records after it; if there are none, by itself.
void RecordReader::tell_untold() {
  if (!untold_) return;
  untold_ = false;
  throw CommentError(comment_.bad(), Place{comment_.line(), 0});
}

void RecordReader::check_game(const Place& place) {
  untold_ = false;
  const std::string wrong = comment_.wrong(given_);
  if (!wrong.empty()) throw BoardError(wrong, place);
}

// The tree that begins in this line, with those it goes on over. Empty if a signal came first.
std::string RecordReader::take_tree() {
  const Place place{lines_.number(), line_.find('(', begin_)};
  TreeEnd end;
  std::string tree;
  bool too_long = false;
  for (bool more = true; more;) {
    for (std::size_t i = begin_; i < line_.size(); ++i) {
      if (!end.take(line_[i])) continue;
      tree.append(line_, begin_, i + 1 - begin_);
      begin_ = i + 1;
      whole_ = false;
      in_line_ = line_.find_first_not_of(kLineBlanks, begin_) != std::string::npos;
      if (too_long || tree.size() > kMostLineBytes) {
        throw RecordError(fmt::format("a game longer than {} bytes", kMostLineBytes), place);
      }
      return tree;
    }
    tree.append(line_, begin_).append("\n");
    begin_ = 0;
    line_.clear();
    try {
      more = lines_.next(&line_);
    } catch (const LongLine&) {  // nobody knows what it has: the end is looked for behind it
      too_long = true;
    }
    if (too_long || tree.size() > kMostLineBytes) {
      too_long = true;
      tree.clear();
    }
  }
  if (interrupted()) return {};
  throw RecordError(
      too_long ? fmt::format("a game longer than {} bytes, whose end is not seen", kMostLineBytes)
               : std::string("the game that begins here does not end"),
      place);
}

Record read_record(const std::string& game, const std::string& text) {
  std::size_t begin = 0;
  std::uint64_t number = 0;
  const auto next = [&](std::string* line) {
    if (begin > text.size() || (begin == text.size() && number > 0)) return false;
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    *line = text.substr(begin, end - begin);
    if (line->ends_with('\r')) line->pop_back();
    begin = end + 1;
    ++number;
    return true;
  };
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return initial(AskedGame(game));
  Record record;
  RecordReader reader(game, {next, [&] { return number; }});
  Record other;
  if (!reader.next(&record)) throw Error(ErrorCode::kData, "there is no position");
  if (reader.next(&other)) {
    throw Error(ErrorCode::kData, fmt::format("one position is wanted, and another one begins in "
                                              "line {}",
                                              number));
  }
  return record;
}

}  // namespace playproof
