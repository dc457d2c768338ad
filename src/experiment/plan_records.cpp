#include "src/experiment/plan_records.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>
#include <utility>

#include "games/core/error.h"
#include "host/solve/position.h"
#include "src/formats/record_reader.h"
#include "src/io/atomic_file.h"

namespace playproof {
namespace {

constexpr std::size_t kMostColumns = 16;

// Without the '\r' of its end.
bool take_line(std::istream& lines, std::string* line) {
  if (!std::getline(lines, *line)) return false;
  if (line->ends_with('\r')) line->pop_back();
  return true;
}

bool is_position(const std::string& game, const std::string& text) {
  try {
    make_position(game, text);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::vector<ReadRecord> read_records(const std::string& game, const std::string& path) {
  std::istringstream lines(read_file(path));
  std::uint64_t number = 0;
  const auto next = [&](std::string* line) {
    while (take_line(lines, line)) {
      ++number;
      const bool marked = number == 1 && line->starts_with(kByteOrderMark);
      const std::size_t begin = marked ? kByteOrderMark.size() : 0;
      if (line->find_first_not_of(" \t\v\f", begin) != std::string::npos) return true;
    }
    return false;
  };
  RecordReader reader(game, {next, [&] { return number; }});
  std::vector<ReadRecord> records;
  for (bool more = true; more;) {
    ReadRecord read;
    try {
      more = reader.next(&read.record);
      read.line = static_cast<int>(reader.line());
    } catch (const CommentError& error) {  // no record
      throw Error(ErrorCode::kData, fmt::format("{}:{}: {}", path, error.line(), error.what()));
    } catch (const Error& error) {
      const auto* placed = dynamic_cast<const RecordError*>(&error);
      read.line = static_cast<int>(placed != nullptr ? placed->line() : number);
      read.error = error.what();
      read.of_board = dynamic_cast<const BoardError*>(&error) != nullptr;
    }
    if (more) records.push_back(std::move(read));
  }
  return records;
}

std::vector<std::string> as_columns(const std::string& game, const std::string& path, int line) {
  std::istringstream lines(read_file(path));
  std::string text;
  for (int i = 0; i < line; ++i) take_line(lines, &text);
  std::istringstream stream(text.substr(0, text.find('#')));
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(std::move(word));
  const std::size_t count = words.size();
  if (count < 2 || count > kMostColumns || words[0][0] == '(') return {};
  std::vector<std::string> names;
  std::vector<std::string> filled;
  for (std::size_t i = 1; i <= count; ++i) {
    names.push_back(fmt::format("\"c{}\"", i));
    filled.push_back(fmt::format("{{c{}}}", i));
  }
  // The most words beside each other that are a position, not all of them; or the first.
  std::size_t from = 0;
  std::size_t size = 1;
  bool found = false;
  for (std::size_t n = count - 1; n > 0 && !found; --n) {
    for (std::size_t begin = 0; begin + n <= count && !found; ++begin) {
      const auto first = words.begin() + static_cast<std::ptrdiff_t>(begin);
      found = is_position(
          game, fmt::format("{}", fmt::join(first, first + static_cast<std::ptrdiff_t>(n), " ")));
      if (found) from = begin;
      if (found) size = n;
    }
  }
  const auto first = filled.begin() + static_cast<std::ptrdiff_t>(from);
  return {
      fmt::format("columns = [{}]", fmt::join(names, ", ")),
      fmt::format("position = \"{}\"",
                  fmt::join(first, first + static_cast<std::ptrdiff_t>(size), " ")),
  };
}

}  // namespace playproof
