#include "src/formats/record_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "games/catalogue.h"
#include "games/core/spec.h"
#include "src/formats/game_tree.h"
#include "src/formats/line_records.h"
#include "src/io/interrupt.h"
#include "src/io/line_reader.h"

namespace playproof {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr const char* kBlanks = " \t\r";

bool is_blank(const std::string& line) {
  return line.find_first_not_of(kBlanks) == std::string::npos;
}

// Without what follows a '#'; was there one?
bool cut_comment(std::string* line) {
  const std::size_t begin = line->find('#');
  if (begin == std::string::npos) return false;
  line->resize(begin);
  line->resize(line->find_last_not_of(" \t") + 1);
  return true;
}

// What follows "# game: ", if that is one word and begins with the name of a game; else it is a
// comment like others.
std::optional<std::string> game_of_comment(std::string_view line) {
  constexpr std::string_view kMark = "game:";
  const auto skip_blanks = [&line] {
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  };
  skip_blanks();
  if (!line.starts_with('#')) return std::nullopt;
  line.remove_prefix(1);
  skip_blanks();
  if (!line.starts_with(kMark)) return std::nullopt;
  line.remove_prefix(kMark.size());
  skip_blanks();
  const std::string spec(line.substr(0, line.find_last_not_of(kBlanks) + 1));
  const std::vector<CatalogueEntry>& games = game_catalogue().entries;
  const bool known = std::any_of(games.begin(), games.end(), [&](const CatalogueEntry& game) {
    return game.name == spec.substr(0, spec.find(':'));
  });
  if (!known || spec.find_first_of(kBlanks) != std::string::npos) return std::nullopt;
  return spec;
}

}  // namespace

RecordReader::RecordReader(const std::string& game, LineSource lines)
    : given_(game), asked_(game), lines_(std::move(lines)) {}

bool RecordReader::next(Record* record) {
  while (take_line()) {
    const Place place{lines_.number(), begin_};
    if (take_game()) continue;
    const std::string_view whole = line_;
    if (begins_tree(whole.substr(begin_))) {
      trees_ = true;
      const std::string tree = take_tree();
      if (tree.empty()) return false;
      if (!wrong_.empty()) throw RecordError(wrong_, place);
      *record = read_tree(asked_, tree, place);
      return true;
    }
    std::string line = line_.substr(begin_);
    const bool comment = cut_comment(&line);
    if (is_blank(line) && (comment || trees_)) continue;
    if (!wrong_.empty()) throw RecordError(wrong_, place);
    *record = read_line(asked_, line, place);
    return true;
  }
  return false;
}

// The next line, or what is left of the last one.
bool RecordReader::take_line() {
  if (!in_line_) {
    if (!lines_.next(&line_)) return false;
    begin_ = lines_.number() == 1 && line_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  }
  in_line_ = false;
  return true;
}

// Whether the line says what the records after it are of.
bool RecordReader::take_game() {
  const std::optional<std::string> game = game_of_comment(std::string_view{line_}.substr(begin_));
  if (!game) return false;
  wrong_.clear();
  try {
    AskedGame of_file(*game);
    const bool other =
        of_file.name() != given_.name() ||
        (!of_file.any_board() && !given_.any_board() && of_file.canonical() != given_.canonical());
    if (other) {
      wrong_ = fmt::format("a record of {} as line {} says, not of {}", *game, lines_.number(),
                           given_.canonical());
    }
    asked_ = of_file.any_board() ? given_ : of_file;
  } catch (const Error& error) {
    wrong_ = fmt::format("line {}: {}", lines_.number(), error.what());
  }
  return true;
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
      in_line_ = line_.find_first_not_of(kBlanks, begin_) != std::string::npos;
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
