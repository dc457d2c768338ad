#include "src/experiment/plan_problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <utility>

#include "games/catalogue.h"
#include "games/core/error.h"
#include "games/core/spec.h"
#include "src/io/atomic_file.h"

namespace playproof {
namespace {

constexpr std::uint64_t kMaxProblems = 1'000'000;
constexpr int kMaxValue = 1000;  // of an expected value; more than any score

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

Range read_range(PlanTable table, std::uint64_t min, std::uint64_t max) {
  Range range;
  range.from = table.required_integer("from", min, max);
  range.to = table.required_integer("to", range.from, max);
  table.finish();
  if (range.to - range.from >= kMaxProblems) {
    table.fail_at("to", fmt::format("at most {} problems a series", kMaxProblems));
  }
  return range;
}

void read_trees(PlanTable& table, const std::string& game, PlanSeries* series) {
  const Spec spec = at_place(table, "game", [&] { return parse_spec(game); });
  at_place(table, "game", [&] { game_catalogue().find(spec.name); });
  const bool has_tree = std::any_of(spec.options.begin(), spec.options.end(),
                                    [](const auto& option) { return option.first == "tree"; });
  if (spec.name != "pgame" || has_tree) {
    table.fail_at("trees", fmt::format("'trees' needs game = \"pgame:...\" without 'tree', not "
                                       "'{}'",
                                       game));
  }
  const Range range = read_range(*table.table("trees"), 0, std::uint64_t{1} << 62);
  for (std::uint64_t tree = range.from; tree <= range.to; ++tree) {
    const char* separator = spec.options.empty() ? ":" : ",";
    series->problems.push_back({fmt::format("tree {}", tree),
                                fmt::format("{}{}tree={}", game, separator, tree), "",
                                std::nullopt});
  }
}

void read_positions(PlanTable& table, const std::string& game, PlanSeries* series) {
  for (const toml::node& node : *table.array("positions")) {
    PlanProblem problem{fmt::format("position {}", series->problems.size() + 1), game, "",
                        std::nullopt};
    const int line = static_cast<int>(node.source().begin.line);
    if (const toml::value<std::string>* text = node.as_string()) {
      problem.position = text->get();
    } else if (const toml::table* entry = node.as_table()) {
      PlanTable item(table.file(), *entry, fmt::format("{} 'positions'", table.what()));
      problem.position = item.text("position").value_or("");
      if (const std::optional<std::string> expected = item.text("expected")) {
        problem.value = parse_value(*expected);
        if (!problem.value) item.fail_at("expected", "'expected' must be a whole number in quotes");
      }
      item.finish();
    } else {
      table.fail(line, fmt::format("{}: a position is a text or {{ position = \"...\", expected = "
                                   "\"1\" }}",
                                   table.what()));
    }
    series->problems.push_back(std::move(problem));
  }
  if (series->problems.empty()) table.fail_at("positions", "'positions' must not be empty");
}

// The rows of a data file: lines with one word a column; '#' begins a comment line.
struct DataFile {
  std::string path;
  std::vector<std::string> columns;
  std::vector<std::pair<int, std::vector<std::string>>> rows;  // line, words

  [[noreturn]] void fail(int line, const std::string& text) const {
    throw Error(ErrorCode::kData, fmt::format("{}:{}: {}", path, line, text));
  }
};

DataFile read_data_file(const std::string& path, std::vector<std::string> columns) {
  DataFile file{path, std::move(columns), {}};
  std::istringstream lines(read_file(path));
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::istringstream words(line);
    std::vector<std::string> row;
    for (std::string word; words >> word;) row.push_back(std::move(word));
    if (row.empty() || row[0].starts_with('#')) continue;
    if (row.size() != file.columns.size()) {
      file.fail(number,
                fmt::format("{} columns, but the plan names {}", row.size(), file.columns.size()));
    }
    file.rows.emplace_back(number, std::move(row));
  }
  return file;
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
      entries->fail_at(
          name, fmt::format("'{}' must be a whole number -{}..{}", name, kMaxValue, kMaxValue));
    }
    values[name] = static_cast<int>(value->get());
  }
  return values;
}

void read_rows(PlanTable& table, const std::string& directory, const std::string& game,
               const std::optional<std::string>& expected, PlanSeries* series) {
  const std::string name = table.required_text("positions_file");
  const std::string path = (std::filesystem::path(directory) / name).lexically_normal().string();
  series->data_file = path;
  const std::vector<std::string> columns =
      table.texts("columns").value_or(std::vector<std::string>{"position"});
  const DataFile file =
      at_place(table, "positions_file", [&] { return read_data_file(path, columns); });
  const std::string position = table.text("position").value_or("");
  const std::map<std::string, int> words = read_expected_values(table);
  Range range{1, file.rows.size()};
  if (table.has("rows")) range = read_range(*table.table("rows"), 1, file.rows.size());
  for (std::uint64_t i = range.from; i <= range.to; ++i) {
    const auto& [line, row] = file.rows[i - 1];
    const Substitutions values = row_values(file, row);
    PlanProblem problem{fmt::format("row {}", i), "", "", std::nullopt};
    problem.game = at_place(table, "game", [&] { return substitute(game, values); });
    problem.position = at_place(table, "position", [&] { return substitute(position, values); });
    if (expected) {
      const std::string word =
          at_place(table, "expected", [&] { return substitute(*expected, values); });
      const auto known = words.find(word);
      problem.value = known == words.end() ? parse_value(word) : known->second;
      if (!problem.value) {
        file.fail(line, fmt::format("expected value '{}' is neither a whole number nor one of "
                                    "expected_values in {}:{}",
                                    word, table.file(), table.line_of("expected")));
      }
    }
    series->problems.push_back(std::move(problem));
  }
  if (series->problems.empty())
    table.fail_at("positions_file", fmt::format("'{}' has no rows", path));
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
  const std::string game = table.required_text("game");
  const int sources = (table.has("trees") ? 1 : 0) + (table.has("positions") ? 1 : 0) +
                      (table.has("positions_file") ? 1 : 0);
  if (sources != 1) {
    table.fail(table.line(), fmt::format("{}: needs one of 'trees', 'positions', 'positions_file'",
                                         table.what()));
  }
  std::optional<std::string> expected = table.text("expected");
  series->ask_oracle = expected == "oracle";
  if (table.has("positions_file")) {
    if (series->ask_oracle) expected.reset();
    read_rows(table, directory, game, expected, series);
    return;
  }
  if (expected && !series->ask_oracle) {
    table.fail_at("expected",
                  "'expected' must be \"oracle\" here; single positions have their own");
  }
  if (table.has("trees")) {
    read_trees(table, game, series);
  } else {
    read_positions(table, game, series);
  }
}

}  // namespace playproof
