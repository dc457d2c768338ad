#include "src/experiment/plan_problems.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>
#include <utility>

#include "games/catalogue.h"
#include "games/core/error.h"
#include "games/core/spec.h"
#include "host/solve/position.h"
#include "src/experiment/plan_records.h"
#include "src/formats/game_comment.h"
#include "src/formats/record_reader.h"

namespace playproof {
namespace {

constexpr std::uint64_t kMaxProblems = 1'000'000;
constexpr int kMaxValue = 1000;  // of an expected value; more than any score

// Keys that go with a data file.
constexpr std::array kOfRows = {"columns", "position", "expected_values", "rows"};

std::optional<int> parse_value(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t value = 0;
  if (!parse_integer(text, &value) || value < -kMaxValue || value > kMaxValue) return std::nullopt;
  return static_cast<int>(value);
}

struct Range {
  std::uint64_t from = 1;
  std::uint64_t to = 1;
};

std::optional<Range> read_range(PlanTable table, std::uint64_t min, std::uint64_t max) {
  const auto from = table.required_integer("from", min, max, fmt::format("from = {}", min));
  const std::uint64_t least = from.value_or(min);
  const auto to = table.required_integer("to", least, max, fmt::format("to = {}", least));
  table.finish();
  if (!from || !to) return std::nullopt;
  if (*to - *from < kMaxProblems) return Range{*from, *to};
  table.complain_at("to", fmt::format("at most {} problems a series", kMaxProblems));
  return std::nullopt;
}

void read_trees(PlanTable& table, const std::string& game, PlanSeries* series) {
  const std::optional<PlanTable> numbers = table.table("trees");
  Spec spec;
  const bool known = try_at(table, "game", [&] {
    spec = parse_spec(game);
    game_catalogue().find(spec.name);
  });
  if (!known || !numbers) return;
  const bool has_tree = std::any_of(spec.options.begin(), spec.options.end(),
                                    [](const auto& option) { return option.first == "tree"; });
  if (spec.name != "pgame" || has_tree) {
    table.complain_at("trees", fmt::format("'trees' needs game = \"pgame:...\" without 'tree', "
                                           "not '{}'",
                                           game));
    return;
  }
  const std::optional<Range> range = read_range(*numbers, 0, std::uint64_t{1} << 62);
  if (!range) return;
  const int line = table.line_of("trees");
  for (std::uint64_t tree = range->from; tree <= range->to; ++tree) {
    const char* separator = spec.options.empty() ? ":" : ",";
    series->problems.push_back({fmt::format("tree {}", tree),
                                fmt::format("{}{}tree={}", game, separator, tree), "", std::nullopt,
                                line});
  }
}

void read_positions(PlanTable& table, const std::string& game, PlanSeries* series) {
  const toml::array* positions = table.array("positions");
  if (positions == nullptr) return;
  if (positions->empty()) table.complain_at("positions", "'positions' must not be empty");
  int number = 0;
  for (const toml::node& node : *positions) {
    const int line = static_cast<int>(node.source().begin.line);
    PlanProblem problem{fmt::format("position {}", ++number), game, "", std::nullopt, line};
    if (const toml::value<std::string>* text = node.as_string()) {
      problem.position = table.filled(text->get());
    } else if (const toml::table* entry = node.as_table()) {
      PlanTable item = table.of(*entry, fmt::format("{} 'positions'", table.what()));
      problem.position = item.text("position").value_or("");
      if (const std::optional<std::string> expected = item.text("expected")) {
        problem.value = parse_value(*expected);
        if (!problem.value) {
          item.complain_at("expected", "'expected' must be a whole number in quotes");
        }
      }
      item.finish();
    } else {
      table.complain(line, R"(a position is a text or { position = "...", expected = "1" })");
      continue;
    }
    series->problems.push_back(std::move(problem));
  }
}

struct DataRow {
  int line;
  std::vector<std::string> words;  // none: an error, or a record
  std::size_t comment = 0;         // which one says the board
};

// The rows of a data file: lines with one word a column; '#' begins a comment line.
struct DataFile {
  std::string path;
  std::vector<std::string> columns;
  bool whole_lines = false;  // the one column is the line
  std::vector<DataRow> rows{};
  std::vector<GameComment> comments{GameComment()};  // the first one: no comment
  bool of_records = false;                           // the one column is a record
  std::vector<ReadRecord> records{};                 // those, one a row
};

std::string without_space(std::string_view line) {
  constexpr const char* kSpace = " \t\r\n\v\f";
  const std::size_t begin = line.find_first_not_of(kSpace);
  if (begin == std::string::npos) return "";
  return std::string(line.substr(begin, line.find_last_not_of(kSpace) - begin + 1));
}

// A comment of a data file, which may name a game.
void take_comment(const PlanTable& table, const std::string& text, int line, DataFile* file) {
  GameComment comment;
  if (!comment.take(text, static_cast<std::uint64_t>(line))) return;
  if (!comment.bad().empty()) {
    table.errors().add_in_data(table.line_of("positions_file"), file->path, line, comment.bad());
  }
  file->comments.push_back(std::move(comment));
}

// One of a file that is no file of records.
void read_line(const PlanTable& table, std::string_view line, int number, DataFile* file) {
  if (number == 1 && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  const std::string text = without_space(line);
  if (text.starts_with('#')) take_comment(table, text, number, file);
  if (text.empty() || text[0] == '#') return;
  std::vector<std::string> row;
  std::istringstream words(text);
  for (std::string word; words >> word;) row.push_back(std::move(word));
  if (file->whole_lines) row = {text};
  const std::size_t comment = file->comments.size() - 1;
  if (row.size() == file->columns.size()) {
    file->rows.push_back({number, std::move(row), comment});
    return;
  }
  file->rows.push_back({number, {}, comment});
  table.errors().add_in_data(
      table.line_of("positions_file"), file->path, number,
      fmt::format("{} columns, but 'columns' in {}:{} names {}; without 'columns' a line is a "
                  "position",
                  row.size(), table.errors().file(), table.line_of("columns"),
                  file->columns.size()));
}

// Throws Error if it cannot be read.
void read_data_file(const PlanTable& table, DataFile* file) {
  if (file->of_records) {
    for (const ReadRecord& read : file->records) file->rows.push_back({read.line, {}});
    return;
  }
  DataLines lines(file->path);
  std::string line;
  for (bool more = true; more;) {
    try {
      more = lines.next(&line);
    } catch (const LongLine& error) {
      const int number = static_cast<int>(lines.number());
      table.errors().add_in_data(table.line_of("positions_file"), file->path, number, error.what());
      continue;
    }
    if (more) read_line(table, line, static_cast<int>(lines.number()), file);
    lines.check_rows(file->rows.size());
  }
}

Substitutions row_values(const DataFile& file, const std::vector<std::string>& row) {
  Substitutions values;
  for (std::size_t i = 0; i < row.size(); ++i) values[file.columns[i]] = row[i];
  return values;
}

// expected_values = { W = 1, B = -1 }: what the words of a data file mean.
std::map<std::string, int> read_expected_values(PlanTable& table) {
  std::map<std::string, int> values;
  std::optional<PlanTable> entries = table.table("expected_values");
  if (!entries) return values;
  for (const auto& [key, node] : entries->raw()) {
    const std::string name(key.str());
    const toml::value<std::int64_t>* value = node.as_integer();
    if (value == nullptr || value->get() < -kMaxValue || value->get() > kMaxValue) {
      entries->complain_at(
          name, fmt::format("'{}' must be a whole number -{}..{}", name, kMaxValue, kMaxValue));
      continue;
    }
    values[name] = static_cast<int>(value->get());
  }
  return values;
}

// The plan's texts in which the words of a row are put.
struct RowTexts {
  std::string game;
  std::string position;
  std::optional<std::string> expected;
  std::map<std::string, int> words;  // expected_values
};

// A row is of the board that a comment before it names, as a record is.
void check_board(const GameComment& comment, PlanProblem* problem) {
  if (!comment.present() || !comment.bad().empty()) return;  // which is told already
  try {
    const AskedGame given(problem->game);
    problem->error = comment.wrong(given);
    if (given.any_board()) problem->game = comment.of(given).canonical();
  } catch (const Error&) {
    return;  // a wrong game is told of the problem
  }
}

// Returns whether the texts can be filled in; if not, no other row need be tried.
bool read_row(const PlanTable& table, const DataFile& file, std::size_t index,
              const RowTexts& texts, PlanSeries* series) {
  const auto& [line, row, comment] = file.rows[index];
  if (row.empty() && !file.of_records) return true;
  const Substitutions values = file.of_records
                                   ? row_values(file, {file.records[index].record.position})
                                   : row_values(file, row);
  PlanProblem problem{fmt::format("row {}", index + 1), "", "", std::nullopt, line};
  std::string word;
  const auto fill = [&](const char* key, const std::string& text, std::string* filled) {
    return try_at(table, key, [&] { *filled = substitute(text, values); });
  };
  const bool game = fill("game", texts.game, &problem.game);
  const bool position = fill("position", texts.position, &problem.position);
  const bool expected = !texts.expected || fill("expected", *texts.expected, &word);
  if (!game || !position || !expected) return false;
  if (texts.expected) {
    const auto known = texts.words.find(word);
    problem.value = known == texts.words.end() ? parse_value(word) : known->second;
    if (!problem.value) {
      table.errors().add_in_data(
          table.line_of("expected"), file.path, line,
          fmt::format("expected value '{}' is neither a whole number nor one of "
                      "expected_values in {}:{}",
                      word, table.errors().file(), table.line_of("expected")));
    }
  }
  if (!file.of_records) {
    check_board(file.comments[comment], &problem);
  } else {
    const ReadRecord& read = file.records[index];
    if (read.error.empty()) problem.game = read.record.game;
    problem.error = read.error;
    const bool known = read.record.known && !texts.expected && !series->ask_oracle;
    if (known) problem.value = read.record.known->value;
  }
  series->problems.push_back(std::move(problem));
  return true;
}

// Complains of a name that two columns have, or a sweep.
void check_columns(const PlanTable& table, std::vector<std::string> columns) {
  for (const std::string& column : columns) {
    if (!table.fills_in(column)) continue;
    table.complain_at("columns", fmt::format("'{}' is swept, too", column));
  }
  std::sort(columns.begin(), columns.end());
  const auto twice = std::adjacent_find(columns.begin(), columns.end());
  if (twice == columns.end()) return;
  table.complain_at("columns", fmt::format("the column '{}' is there twice", *twice));
}

// Columns of which neither `game` nor `position` has one: every row would be the same problem.
bool check_use_of_columns(PlanTable& table, const DataFile& file, const RowTexts& texts) {
  std::vector<std::string> free;  // not the result
  for (const std::string& column : file.columns) {
    const std::string name = fmt::format("{{{}}}", column);
    if (texts.game.find(name) != std::string::npos) return true;
    if (texts.position.find(name) != std::string::npos) return true;
    if (!texts.expected || texts.expected->find(name) == std::string::npos) free.push_back(name);
  }
  // Names that are no columns have an error of their own.
  if ((texts.game + texts.position).find('{') != std::string::npos) return true;
  const std::string line = fmt::format("position = \"{}\"", fmt::join(free, " "));
  const std::string what = fmt::format(
      "neither 'game' nor 'position' has one of the columns, so "
      "that every row would be {}",
      texts.position.empty() ? "the initial position" : "the same position");
  if (table.has("position")) {
    table.complain_at("position", fmt::format("{}; instead: {}", what, line));
  } else {
    table.complain(table.line_of("columns"), what, {line});
  }
  return false;
}

// Reads the lines as records of other formats, if it can be said of which game they are.
void read_as_records(const RowTexts& texts, DataFile* file) {
  try {
    make_position(texts.game, "");
  } catch (const Error&) {
    return;  // which is told of the problems
  }
  file->records = read_records(texts.game, file->path);
  file->of_records = true;
}

// Lines that make columns of the words of the first record that cannot be read. None where a board
// is not what was asked for: columns would only hide that.
std::vector<std::string> mend_of(const RowTexts& texts, const DataFile& file, const Range& range) {
  const ReadRecord* bad = nullptr;
  for (std::uint64_t i = range.from; i <= range.to; ++i) {
    const ReadRecord& read = file.records[i - 1];
    if (read.of_board) return {};
    if (bad != nullptr) continue;
    try {
      if (read.error.empty()) make_position(read.record.game, read.record.position);
      if (!read.error.empty()) bad = &read;
    } catch (const Error&) {
      bad = &read;
    }
  }
  if (bad == nullptr) return {};
  return as_columns(texts.game, file.path, bad->line);
}

void read_rows(PlanTable& table, const std::string& directory, RowTexts texts, PlanSeries* series) {
  const std::optional<std::vector<std::string>> columns = table.texts("columns");
  if (columns) check_columns(table, *columns);
  const std::optional<std::string> position = table.text("position");
  texts.words = read_expected_values(table);
  const std::optional<PlanTable> numbers = table.table("rows");
  const auto name = table.required_text("positions_file", "positions_file = \"positions.txt\"");
  if (!name || (table.has("columns") && !columns)) return;
  series->data_file = (std::filesystem::path(directory) / *name).lexically_normal().string();
  DataFile file{series->data_file, columns.value_or(std::vector<std::string>{"position"}),
                !columns};
  const bool records = !columns && position.value_or("{position}") == "{position}";
  const bool read = try_at(table, "positions_file", [&] {
    if (records) read_as_records(texts, &file);
    read_data_file(table, &file);
  });
  if (!read) return;
  const bool has_column =
      std::find(file.columns.begin(), file.columns.end(), "position") != file.columns.end();
  texts.position = position.value_or(has_column ? "{position}" : "");
  if (file.rows.empty()) {
    table.complain_at("positions_file", fmt::format("'{}' has no rows", file.path));
    return;
  }
  if (!check_use_of_columns(table, file, texts)) return;
  std::optional<Range> range = Range{1, file.rows.size()};
  if (numbers) range = read_range(*numbers, 1, file.rows.size());
  if (!range) return;
  if (file.of_records) series->mend = mend_of(texts, file, *range);
  for (std::uint64_t i = range->from; i <= range->to; ++i) {
    if (!read_row(table, file, i - 1, texts, series)) return;
  }
}

}  // namespace

std::string substitute(const std::string& text, const Substitutions& values) {
  std::string result;
  std::size_t at = 0;
  while (true) {
    const std::size_t open = text.find('{', at);
    result.append(text, at, open == std::string::npos ? open : open - at);
    if (open == std::string::npos) return result;
    const std::size_t close = text.find('}', open);
    if (close == std::string::npos) {
      throw Error(ErrorCode::kUsage, fmt::format("'{}': '{{' is not closed", text));
    }
    const std::string name = text.substr(open + 1, close - open - 1);
    const auto value = values.find(name);
    if (value == values.end()) {
      std::vector<std::string> names;
      for (const auto& entry : values) names.push_back(entry.first);
      throw Error(ErrorCode::kUsage, fmt::format("'{}': there is no '{}' here; nearest: '{}'", text,
                                                 name, nearest_match(name, names)));
    }
    result += value->second;
    at = close + 1;
  }
}

void read_problems(PlanTable& table, const std::string& directory, PlanSeries* series) {
  const std::optional<std::string> game = table.required_text("game", "game = \"hex:size=4\"");
  const int sources = (table.has("trees") ? 1 : 0) + (table.has("positions") ? 1 : 0) +
                      (table.has("positions_file") ? 1 : 0);
  std::optional<std::string> expected = table.text("expected");
  series->ask_oracle = expected == "oracle";
  if (series->ask_oracle) expected.reset();
  for (const char* key : kOfRows) table.goes_with(key, "positions_file");
  if (sources != 1) {
    std::vector<std::string> mend;
    if (sources == 0) mend = {"positions_file = \"positions.txt\""};
    table.complain(table.line(), "needs one of 'trees', 'positions', 'positions_file'", mend);
    table.knows({kOfRows.begin(), kOfRows.end()});
  } else if (table.has("positions_file")) {
    read_rows(table, directory, {game.value_or(""), "", expected, {}}, series);
  } else if (expected) {
    table.complain_at("expected",
                      "'expected' must be \"oracle\" here; single positions have their own");
  } else if (table.has("trees")) {
    if (game) read_trees(table, *game, series);
  } else {
    read_positions(table, game.value_or(""), series);
  }
  if (!game) series->problems.clear();
}

}  // namespace playproof
