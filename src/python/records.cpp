// playproof.read_positions() without its check that the file can be opened:
// python/playproof/_records.py.
#include <fmt/format.h>
#include <nanobind/stl/map.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "src/formats/expected.h"
#include "src/formats/record_reader.h"
#include "src/io/line_reader.h"
#include "src/python/position.h"
#include "src/python/result.h"

namespace playproof::python {
namespace {

// A record with the line, from 1, that it begins in.
struct FileRecord {
  Record record;
  std::uint64_t line = 0;
};

std::vector<FileRecord> read_records(const std::string& game, const std::string& path) {
  const nb::gil_scoped_release unlocked;
  LineReader lines(path);
  RecordReader reader(
      game, {[&](std::string* line) { return lines.next(line); }, [&] { return lines.number(); }});
  std::vector<FileRecord> records;
  try {
    for (Record record; reader.next(&record); record = {}) {
      make_position(record.game, record.position);  // what is wrong with it is wrong with its line
      records.push_back({record, reader.line()});
    }
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kData && error.code() != ErrorCode::kUsage) throw;
    const auto* of_record = dynamic_cast<const RecordError*>(&error);
    const std::uint64_t line = of_record != nullptr ? of_record->line() : reader.line();
    throw Error(ErrorCode::kData, fmt::format("{}:{}: {}", lines.name(), line, error.what()));
  }
  return records;
}

nb::object expected(const FileRecord& self) {
  if (!self.record.known) return nb::none();
  const int value = self.record.known->value;
  if (self.record.known->score) return nb::int_(value);
  return nb::str(value > 0 ? "win" : value < 0 ? "loss" : "draw");
}

std::map<std::string, int> scores_of_moves(const FileRecord& self) {
  if (!self.record.known) return {};
  return {self.record.known->moves.begin(), self.record.known->moves.end()};
}

nb::object compare(const FileRecord& self, const Result& result) {
  const SolveAnswer& answer = result.answer;
  if (!make_position(answer.game, answer.position)
           ->same(*make_position(self.record.game, self.record.position))) {
    throw Error(ErrorCode::kUsage, "the result is of another position than the record");
  }
  const std::optional<Expected> found = expected_of(answer, self.record);
  if (!found) return nb::none();
  nb::dict said;
  said["expected"] = found->text;
  said["agrees"] = found->agrees ? nb::object(nb::bool_(*found->agrees)) : nb::none();
  said["why"] = found->why;
  return said;
}

}  // namespace

void define_records(nb::module_& module) {
  nb::class_<FileRecord>(module, "Record",
                         "A position of a file, with what the file says of it (docs/formats.md);\n"
                         "read_positions() makes it.")
      .def_prop_ro(
          "game",
          [](const FileRecord& self) {
            return self.record.names ? self.record.names->game : self.record.game;
          },
          "The game with every option that matters, e.g. 'hex:size=5'.")
      .def_prop_ro(
          "text",
          [](const FileRecord& self) {
            return self.record.names ? self.record.names->position : self.record.position;
          },
          "The position in the file's own cells, as the command line reads it.")
      .def_prop_ro(
          "position",
          [](const FileRecord& self) {
            return Position(make_position(self.record.game, self.record.position));
          },
          "A Position of its own.")
      .def_prop_ro(
          "line", [](const FileRecord& self) { return self.line; },
          "Where it begins in the file: a line, from 1.")
      .def_prop_ro(
          "mirrored", [](const FileRecord& self) { return self.record.mirrored; },
          "Hex: columns and rows are exchanged in `position`, cell c1 of the file is a3 there.")
      .def(
          "move",
          [](const FileRecord& self, const std::string& move) {
            return self.record.names ? self.record.names->move(move) : move;
          },
          nb::arg("move"), "A move of `position` as the file writes it.")
      .def_prop_ro("expected", &expected,
                   "The result that the file knows, for the side to move: a score (int), 'win',\n"
                   "'draw' or 'loss', as Result.score and Result.value; None if it knows none.")
      .def_prop_ro("scores", &scores_of_moves,
                   "The scores of single moves that the file knows: {'g2': 6, 'a4': 0}.")
      .def(
          "compare", &compare, nb::arg("result"),
          "The Result of a search of this position beside the file: None if the file does not\n"
          "answer what was asked, else a dict of expected ('proved', 'win' or '48', as the goal\n"
          "has it), agrees (True, False, or None while nothing is decided) and why, a sentence if\n"
          "it does not agree. Raises UsageError (a ValueError) for a result of another position.")
      .def("__repr__", [](const FileRecord& self) {
        return fmt::format("<playproof.Record {}: '{}', line {}>", self.record.game,
                           self.record.position, self.line);
      });
  module.def("read_records", &read_records, nb::arg("game"), nb::arg("path"),
             "playproof.read_positions().");
}

}  // namespace playproof::python
