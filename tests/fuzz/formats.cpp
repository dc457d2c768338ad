// Records of positions in every format: "GAME\nFILE". What is read is a position of its game, and
// is the same when it is written in other formats, or as the record names it, and read again.
#include <algorithm>

#include "host/solve/position.h"
#include "src/formats/answer_formats.h"
#include "src/formats/record_reader.h"
#include "tests/fuzz/target.h"

namespace playproof::fuzz {
namespace {

constexpr int kMostRecords = 4;  // of one input: half of them are nothing but lines

bool is_written(AnswerFormat format, const std::string& game) {
  return reads([&] { check_answer_format(format, game); });
}

// What is printed for it names the same position.
void check_names(const Record& record, const AnyPosition& position) {
  if (record.mirrored && !record.names) broken("it is mirrored without a word: " + record.position);
  if (!record.names) return;
  const Record again = read_record(record.names->game, record.names->position);
  if (again.mirrored != record.mirrored ||
      !make_position(again.game, again.position)->same(position)) {
    broken("it has the name of another: " + record.names->position);
  }
}

// A file cannot say that Black has passed: where White began, what is read is the mirror. It is of
// the same position if its own file is the same to the letter.
void check_mirror(AnswerFormat format, SolveAnswer answer, const Record& again,
                  const std::string& text) {
  answer.game = again.game;
  answer.position = again.position;
  if (answer_in(format, answer, again.mirrored) != text) {
    broken("it is read back in the mirror of another: " + text);
  }
}

void check(const Record& record) {
  std::unique_ptr<AnyPosition> position;
  if (!reads([&] { position = make_position(record.game, record.position); })) return;
  check_names(record, *position);
  SolveAnswer answer;
  answer.game = record.game;
  answer.position = record.position;
  answer.algorithm = "pn:leaf=[\\]";
  for (const AnswerFormat format : {AnswerFormat::kObf, AnswerFormat::kGgf, AnswerFormat::kSgf}) {
    if (!is_written(format, record.game)) continue;
    const std::string text = answer_in(format, answer, record.mirrored);
    const Record again = read_record(record.names ? record.names->game : record.game, text);
    if (again.known) broken("more is read than was written: " + text);
    if (again.mirrored && !record.mirrored) {
      check_mirror(format, answer, again, text);
      continue;
    }
    if (again.mirrored != record.mirrored) broken("it is read back without its mirror: " + text);
    if (!make_position(again.game, again.position)->same(*position)) {
      broken("it is read back as another: " + text);
    }
  }
}

void read(const std::string& game, const std::string& text) {
  std::size_t begin = 0;
  std::uint64_t number = 0;
  const auto next = [&](std::string* line) {
    if (begin >= text.size()) return false;
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    *line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    return true;
  };
  RecordReader reader(game, {next, [&] { return number; }});
  Record record;
  for (int count = 0; count < kMostRecords;) {
    bool more = true;
    if (reads([&] { more = reader.next(&record); })) {
      if (!more) return;
      check(record);
    }
    ++count;
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string input = text_of(data, size);
  const std::size_t end = std::min(input.find('\n'), input.size());
  reads([&] { read(input.substr(0, end), input.substr(std::min(end + 1, input.size()))); });
  return 0;
}

}  // namespace playproof::fuzz
