#include "src/experiment/plan_records.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <sstream>
#include <system_error>
#include <utility>

#include "games/core/error.h"
#include "host/solve/position.h"
#include "src/formats/record_reader.h"

namespace playproof {
namespace {

constexpr std::size_t kMostColumns = 16;

namespace fs = std::filesystem;

fs::file_type type_of(const std::string& path) {
  std::error_code failed;  // which whoever opens it meets too
  return fs::status(path, failed).type();
}

std::string too_long() { return fmt::format("it is longer than {} bytes", kMostDataBytes); }

// Devices may have no end, and lines in a file no end that is near.
const std::string& checked(const std::string& path) {
  const fs::file_type type = type_of(path);
  std::error_code failed;
  if (type == fs::file_type::regular && fs::file_size(path, failed) > kMostDataBytes && !failed) {
    throw DataFileError(fmt::format("{}: {}; several series take several files", path, too_long()));
  }
  if (type == fs::file_type::regular || type == fs::file_type::fifo ||
      type == fs::file_type::directory || type == fs::file_type::not_found ||
      type == fs::file_type::none) {
    return path;
  }
  throw DataFileError(path + ": cannot read file: it is neither a file nor a pipe");
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

DataLines::DataLines(const std::string& path) : reader_(checked(path)) {}

bool DataLines::next(std::string* line) {
  bool more = false;
  try {
    more = reader_.next(line);
  } catch (const LongLine&) {
    throw;
  } catch (const Error& error) {
    throw DataFileError(error.what());
  }
  bytes_ += more ? line->size() + 1 : 0;
  if (bytes_ > kMostDataBytes) fail(too_long());
  return more;
}

void DataLines::check_rows(std::size_t rows) const {
  if (rows <= kMostRows) return;
  fail(fmt::format("it has more than {} rows", kMostRows));
}

void DataLines::fail(const std::string& text) const {
  throw DataFileError(
      fmt::format("{}:{}: {}; several series take several files", reader_.name(), number(), text));
}

std::vector<ReadRecord> read_records(const std::string& game, const std::string& path) {
  DataLines lines(path);
  const auto next = [&](std::string* line) {
    while (lines.next(line)) {
      const bool marked = lines.number() == 1 && line->starts_with(kByteOrderMark);
      const std::size_t begin = marked ? kByteOrderMark.size() : 0;
      if (line->find_first_not_of(" \t\v\f", begin) != std::string::npos) return true;
    }
    return false;
  };
  RecordReader reader(game, {next, [&] { return lines.number(); }});
  std::vector<ReadRecord> records;
  for (bool more = true; more;) {
    ReadRecord read;
    try {
      more = reader.next(&read.record);
      read.line = static_cast<int>(reader.line());
    } catch (const DataFileError&) {
      throw;
    } catch (const CommentError& error) {  // no record
      throw Error(ErrorCode::kData, fmt::format("{}:{}: {}", path, error.line(), error.what()));
    } catch (const Error& error) {
      const auto* placed = dynamic_cast<const RecordError*>(&error);
      read.line = static_cast<int>(placed != nullptr ? placed->line() : lines.number());
      read.error = error.what();
      read.of_board = dynamic_cast<const BoardError*>(&error) != nullptr;
    }
    if (more) records.push_back(std::move(read));
    lines.check_rows(records.size());
  }
  return records;
}

namespace {

// A line of a file; a pipe is read once. Empty if it is too long.
std::string line_of(const std::string& path, int number) {
  std::string line;
  if (type_of(path) != fs::file_type::regular) return line;
  DataLines lines(path);
  for (int i = 0; i < number; ++i) {
    line.clear();
    try {
      if (!lines.next(&line)) return "";
    } catch (const LongLine&) {  // none of interest, or nobody would put columns in
    }
  }
  return line;
}

}  // namespace

std::vector<std::string> as_columns(const std::string& game, const std::string& path, int line) {
  const std::string text = line_of(path, line);
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
