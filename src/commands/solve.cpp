// playproof solve: can the side to move reach the goal?
#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "games/core/printable.h"
#include "host/solve/position.h"
#include "host/solve/solver.h"
#include "src/commands/command_options.h"
#include "src/commands/commands.h"
#include "src/commands/position_lines.h"
#include "src/commands/solve_options.h"
#include "src/formats/answer_formats.h"
#include "src/formats/expected.h"
#include "src/formats/record.h"
#include "src/formats/record_reader.h"
#include "src/io/answer_board.h"
#include "src/io/checkpoint.h"
#include "src/io/exit_status.h"
#include "src/io/files_apart.h"
#include "src/io/interrupt.h"
#include "src/io/json.h"
#include "src/io/line_reader.h"
#include "src/io/output.h"
#include "src/io/progress.h"
#include "src/io/solve_result.h"
#include "src/io/terminal.h"
#include "src/solve/default_algorithm.h"
#include "src/solve/solve_run.h"

namespace playproof {
namespace {

constexpr const char* kSolveFooter =
    "The question is about the attacker, the side to move at the position given: can\n"
    "it reach the goal? The verdict is proved, disproved or unknown; proofs rest on\n"
    "the rules alone, playouts only guide the search. The goals `value` and `score`\n"
    "ask for the number itself.\n"
    "\n"
    "Positions: hex `b2 c3`, or any stones and the side to move, `b4 -- b5 :W`;\n"
    "connect6 `JJ KI JH` or `;B[JJ];W[KI];W[JH]`; othello N*N of X O - from a1 by\n"
    "rows, then the side to move; pgame branch numbers `0 1 1`. Without one: the\n"
    "initial position. With `--position -` each line of stdin is one position and\n"
    "gives one line of output. Positions may be in other formats (OBF, SGF, GGF,\n"
    "`f5d6c3`), with known results, which are compared; --format writes answers in\n"
    "one (docs/formats.md).\n"
    "\n"
    "Exit status: 0 decided, 2 undecided within the limits, 64 usage, 65 bad position\n"
    "or a file that cannot be read, 69 backend not available, 70 internal, or a known\n"
    "result is contradicted, 74 output not written, 75 stopped, can be resumed.\n"
    "\n"
    "docs/solve.md says more of the answer, pictures, many positions, long searches\n"
    "and what --selfcheck looks at.\n"
    "\n"
    "Examples:\n"
    "  playproof solve hex:size=4 --position 'a1' --algorithm ppn:playouts=32 --json\n"
    "  playproof solve pgame:depth=8,tree=7 --algorithm uct:C=2 --goal value\n"
    "  playproof solve othello --position-file endgames.txt --goal draw\n"
    "  playproof solve hex --algorithm pn --svg board.svg --checkpoint run.ckpt\n"
    "  playproof solve --resume run.ckpt --checkpoint run.ckpt";

struct SolveOptions {
  SolveJob job;
  std::optional<std::string> position_file;
  bool keep_table = false;
  std::string progress = "auto";
  bool json = false;
  bool no_board = false;  // job.board: draw one wherever the answer goes
  AnswerFormat format = AnswerFormat::kText;
};

void keep_files_apart(const SolveOptions& options) {
  std::vector<UsedFile> files = files_of(options.job);
  if (options.position_file) {
    files.insert(files.begin(), {"--position-file", *options.position_file, FileUse::kRead, {}});
  }
  keep_apart(files);
}

// Shows progress on stderr, and stops for a signal.
SolveAnswer watched(SolveRun& run, const SolveOptions& options) {
  Progress progress(parse_progress(options.progress), options.job.request.limits, run.job().names);
  return run.run({interrupted,
                  [&](const Solver& solver, double seconds) { progress.update(solver, seconds); }});
}

// The board with the last move and the best one; empty where none is to be drawn.
std::string board_of(const SolveAnswer& answer, const SolveOptions& options) {
  const bool on_terminal = isatty(STDOUT_FILENO) != 0;
  const bool asked = options.job.board;
  if (options.no_board || (!asked && !(on_terminal && is_utf8_locale()))) return "";
  return drawn_answer(answer, {.unicode = is_utf8_locale(),
                               .colours = takes_colours(STDOUT_FILENO),
                               .best = decided(answer) ? "best move" : "looks best"});
}

int status_of(const SolveAnswer& answer) { return decided(answer) ? kExitDecided : kExitUndecided; }

// What the record says of the result: "proved, agrees".
std::string expected_text(const Expected& expected) {
  const char* agreement = !expected.agrees ? "" : *expected.agrees ? ", agrees" : ", CONTRADICTED";
  return expected.text + agreement;
}

// Prints an answer in JSON or another format, where it is the same of one position and of many.
// True if that was asked for.
bool print_as_data(const SolveOptions& options, const SolveAnswer& answer, const Record& record,
                   const std::optional<Expected>& expected) {
  if (options.json) {
    Json json = answer_json(answer);
    if (expected) {
      json["expected"] = expected->text;
      json["agrees"] = expected->agrees ? Json(*expected->agrees) : Json();
    }
    print_json(json);
    return true;
  }
  if (options.format == AnswerFormat::kText) return false;
  write_line(answer_in(options.format, answer, record.mirrored));
  return true;
}

void print_line(const SolveOptions& options, const SolveAnswer& answer, const Record& record,
                const std::optional<Expected>& expected) {
  if (print_as_data(options, answer, record, expected)) return;
  write_stdout(answer_line(answer) + (expected ? "  expected " + expected_text(*expected) : "") +
               "\n");
}

// The status, held against what is known; `place` is where that stands, as messages begin.
int compared(const std::optional<Expected>& expected, const std::string& place, int status) {
  if (!expected || expected->agrees != false) return status;
  print_error(fmt::format("DISAGREEMENT: {}: {}", place, expected->why));
  return static_cast<int>(ErrorCode::kInternal);
}

// What --position says, in any format. With --resume its text may be all of the question that is
// repeated: then the game is not known yet, and it is as the checkpoint has it.
Record one_record(const SolveJob& job) {
  if (job.repeated.game) return read_record(job.request.game, job.request.position);
  Record record;
  record.position = job.request.position;
  return record;
}

// What says that a record has other cells and players than its search: no checkpoint knows it.
std::string record_arguments(const Record& record) {
  if (!record.names) return "";
  return fmt::format("{} --position '{}' ", record.names->game, record.names->position);
}

int solve_one(SolveOptions options) {
  SolveRequest& request = options.job.request;
  const Record record = one_record(options.job);
  request.position = record.position;
  options.job.names = record.names;
  if (options.job.repeated.game) request.game = record.game;
  SolveRun run(options.job, request.position);
  const SolveAnswer answer = watched(run, options);
  const std::optional<Expected> expected = expected_of(answer, record);
  if (!print_as_data(options, answer, record, expected)) {
    std::string text = answer_text(answer, board_of(answer, options));
    if (expected) text += fmt::format("expected    {}\n", one_line(expected_text(*expected)));
    write_drawn(text);
  }
  if (run.failure()) throw Error(*run.failure());
  const bool stopped = answer.reason == StopReason::kStopped && options.job.checkpoint;
  if (stopped) {
    print_error(fmt::format("stopped by a signal; `{}--resume {} --checkpoint {}` goes on",
                            record_arguments(record), *options.job.checkpoint,
                            *options.job.checkpoint));
  }
  return compared(expected, "--position", stopped ? kExitStopped : status_of(answer));
}

// What is wrong of the board that a record has, and not of the one that was asked for, is wrong of
// that record alone.
SolveAnswer solved(const SolveOptions& options, const SolveJob& job, const Record& record) {
  try {
    SolveRun run(job, record.position);
    return watched(run, options);
  } catch (const Error& error) {
    const bool asked = AskedGame(options.job.request.game).canonical() == record.game;
    if (error.code() != ErrorCode::kUsage || asked) throw;
    throw Error(ErrorCode::kData, error.what());
  }
}

// `place` is the file and the line, as messages begin.
int solve_record(const SolveOptions& options, SolveJob job, const Record& record,
                 const std::string& place) {
  job.request.game = record.game;
  job.names = record.names;
  const SolveAnswer answer = solved(options, job, record);
  const std::optional<Expected> expected = expected_of(answer, record);
  print_line(options, answer, record, expected);
  return compared(expected, place, status_of(answer));
}

int solve_lines(SolveOptions options) {
  TableKeeper keeper;
  if (options.keep_table) options.job.request.keeper = &keeper;
  // Wrong names and limits are wrong for every line: found before the first, or none, is read.
  SolveRequest request = options.job.request;
  request.position.clear();
  make_solver(request);
  if (!options.position_file) keep_apart_from_stdin();
  LineReader reader(options.position_file);
  const LineErrors errors = options.json                            ? LineErrors::kJson
                            : options.format == AnswerFormat::kText ? LineErrors::kText
                                                                    : LineErrors::kStderr;
  const auto answer = [&](const Record& record, std::uint64_t line) {
    try {
      return solve_record(options, options.job, record, fmt::format("{}:{}", reader.name(), line));
    } catch (const Error& error) {
      if (error.code() == ErrorCode::kData) throw;  // no search has begun
      keeper.reset();  // nobody knows what the search has left in the table
      throw;
    } catch (const std::exception&) {
      keeper.reset();
      throw;
    }
  };
  return for_each_record(options.job.request.game, reader, errors, answer);
}

int solve_main(const SolveOptions& options) {
  parse_progress(options.progress);
  catch_interrupts();
  const SolveJob& job = options.job;
  const bool lines = options.position_file || job.request.position == "-";
  const char* of_one = job.certificate  ? "--certificate: a certificate"
                       : job.checkpoint ? "--checkpoint: a checkpoint"
                       : job.resume     ? "--resume: a checkpoint"
                       : job.svg        ? "--svg: a picture"
                       : job.board      ? "--board: a board"
                                        : nullptr;
  if (lines && of_one != nullptr) {
    throw Error(ErrorCode::kUsage,
                std::string(of_one) + " is of one position; give it with --position TEXT");
  }
  if (job.board && (options.json || options.format != AnswerFormat::kText)) {
    throw Error(ErrorCode::kUsage,
                "--board: only an answer for people has a board; --svg FILE draws one");
  }
  if (!lines && options.keep_table) {
    throw Error(ErrorCode::kUsage,
                "--keep-table is for several positions: --position - or "
                "--position-file FILE");
  }
  if (!job.resume && !job.repeated.game) {
    throw Error(ErrorCode::kUsage, "GAME is required");
  }
  if (!job.repeated.game && options.format != AnswerFormat::kText) {
    throw Error(ErrorCode::kUsage, "GAME is required with --format");
  }
  if (job.repeated.game) check_answer_format(options.format, job.request.game);
  keep_files_apart(options);
  return lines ? solve_lines(options) : solve_one(options);
}

void add_picture_options(CLI::App& command, SolveOptions* options) {
  add_file(command, "--svg", &options->job.svg,
           "Draw the board to FILE, with the last move and the best one");
  CLI::Option* board = add_flag(command, "--board", &options->job.board,
                                "Draw the board above the answer (default: on a UTF-8 terminal)");
  exclude(add_flag(command, "--no-board", &options->no_board, "Draw no board"), board);
}

void add_survival_options(CLI::App& command, SolveJob* job) {
  add_file(command, "--checkpoint", &job->checkpoint,
           "Save the search to FILE now and then; the one before stays as FILE.old");
  add_positive_real(command, "--checkpoint-every", &job->checkpoint_seconds,
                    "Seconds between two checkpoints (default: 60)");
  add_file(command, "--resume", &job->resume, "Go on with the search that FILE holds");
  add_integer(command, "--selfcheck", &job->self_check, 0, kMostSelfCheck,
              "Hold the verdict against certificate and tree: 0 (default) to 3");
}

// With --resume, nothing of the question need be on the command line.
Repeated repeated_parts(const CLI::App& command) {
  const auto given = [&](const char* name) { return is_given(command, name); };
  return {given("GAME"),   given("--position"), given("--algorithm"), given("--goal"),
          given("--seed"), given("--batch"),    given("--pipeline"),  given("--workers")};
}

}  // namespace

void add_solve_command(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<SolveOptions>();
  CLI::App& command = add_command(app, "solve", "Searches for who wins.", kSolveFooter);
  SolveJob* job = &options->job;
  SolveRequest* request = &job->request;
  add_search_options(command, request);
  required(option_of(command, "GAME"), false);  // --resume knows them
  described(required(option_of(command, "--algorithm"), false),
            "Name and options (see `algorithms`; default: what solves most of GAME)");
  add_position_options(command, &request->position, &options->position_file);
  add_flag(
      command, "--keep-table", &options->keep_table,
      "Each position begins with the table of the one before (dfpn, pds, pnstar, dfppn, dfews, "
      "alphabeta)");
  const auto set_batch = [request](std::uint64_t n) {
    request->batch = static_cast<std::uint32_t>(n);
  };
  add_integer(command, "--batch", set_batch, 1, kMaxBatch,
              "Leaves expanded at a time; changes the search (default: 1)");
  const auto set_pipeline = [request](std::uint64_t n) {
    request->pipeline = static_cast<std::uint32_t>(n);
  };
  add_integer(command, "--pipeline", set_pipeline, 1, kMostPipeline,
              "Batches of a tree that are out at a time; changes the search (default: 1)");
  add_workers(command, &request->workers);
  add_file(command, "--certificate", &job->certificate,
           "Write the proof to FILE for playproof-check; compressed if it is named *.zst");
  add_survival_options(command, job);
  add_picture_options(command, options.get());
  add_text(command, "--progress", &options->progress, "On stderr: auto, json or none", "MODE");
  const auto set_format = [options](const std::string& text) {
    options->format = parse_answer_format(text);
  };
  exclude(add_text(command, "--format", set_format,
                   "How answers are written: text (default), obf, ggf or sgf", "FORMAT"),
          add_json_flag(command, &options->json));
  when_read(command, [options, &command, &chosen] {
    options->job.repeated = repeated_parts(command);
    if (!options->job.repeated.algorithm) {
      SolveRequest& asked = options->job.request;
      asked.algorithm = default_algorithm(asked.game);
    }
    chosen = [options] { return solve_main(*options); };
  });
}

}  // namespace playproof
