#include "src/formats/record_reader.h"

#include <fmt/format.h>

#include <utility>

#include "src/formats/game_tree.h"
#include "src/formats/line_records.h"
#include "src/io/interrupt.h"
#include "src/io/line_reader.h"

namespace playproof {
namespace {

bool is_blank(const std::string& line) {
  return line.find_first_not_of(" \t\r") == std::string::npos;
}

// Without what follows a '#'; was there one?
bool cut_comment(std::string* line) {
  const std::size_t begin = line->find('#');
  if (begin == std::string::npos) return false;
  line->resize(begin);
  line->resize(line->find_last_not_of(" \t") + 1);
  return true;
}

}  // namespace

RecordReader::RecordReader(const std::string& game, LineSource lines)
    : asked_(game), lines_(std::move(lines)) {}

bool RecordReader::next(Record* record) {
  for (std::string line; take_line(&line);) {
    const Place place{lines_.number(), 0};
    if (begins_tree(line)) {
      trees_ = true;
      const std::string tree = take_tree(std::move(line));
      if (tree.empty()) return false;
      *record = read_tree(asked_, tree, place);
      return true;
    }
    const bool comment = cut_comment(&line);
    if (is_blank(line) && (comment || trees_)) continue;
    *record = read_line(asked_, line, place);
    return true;
  }
  return false;
}

bool RecordReader::take_line(std::string* line) {
  if (!in_line_) return lines_.next(line);
  in_line_ = false;
  *line = std::move(rest_);
  return true;
}

// The tree that begins in this line, with those it goes on over. Empty if a signal came first.
std::string RecordReader::take_tree(std::string line) {
  const Place place{lines_.number(), line.find('(')};
  TreeEnd end;
  std::string tree;
  bool too_long = false;
  do {
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (!end.take(line[i])) continue;
      tree.append(line, 0, i + 1);
      rest_ = std::string(i + 1, ' ') + line.substr(i + 1);
      in_line_ = !is_blank(rest_);
      if (too_long || tree.size() > kMostLineBytes) {
        throw RecordError(fmt::format("a game longer than {} bytes", kMostLineBytes), place);
      }
      return tree;
    }
    tree += line + '\n';
    if (tree.size() > kMostLineBytes) {
      too_long = true;
      tree.clear();
    }
  } while (lines_.next(&line));
  if (interrupted()) return {};
  throw RecordError("the game that begins here does not end", place);
}

Record read_record(const std::string& game, const std::string& text) {
  std::size_t begin = 0;
  std::uint64_t number = 0;
  const auto next = [&](std::string* line) {
    if (begin > text.size() || (begin == text.size() && number > 0)) return false;
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    *line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    return true;
  };
  RecordReader reader(game, {next, [&] { return number; }});
  Record record;
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
