// playproof solve: can the side to move reach the goal?
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <memory>
#include <optional>
#include <string>

#include "games/error.h"
#include "host/solver.h"
#include "src/certificate_file.h"
#include "src/command_options.h"
#include "src/commands.h"
#include "src/drive.h"
#include "src/interrupt.h"
#include "src/line_reader.h"
#include "src/output.h"
#include "src/position_lines.h"
#include "src/solve_options.h"
#include "src/solve_result.h"

namespace playproof {
namespace {

constexpr const char* kFooter =
    "The question is about the attacker, the side to move at the position given: can it reach the\n"
    "goal? The verdict is proved, disproved or unknown; proofs rest on the rules alone, playouts\n"
    "only guide the search. The goals `value` and `score` ask for the number itself.\n"
    "\n"
    "Positions: hex `b2 c3`; connect6 `JJ KI JH` or `;B[JJ];W[KI];W[JH]`; othello N*N of X O -\n"
    "from a1 by rows, then the side to move; pgame branch numbers `0 1 1`. Without one: the\n"
    "initial position.\n"
    "\n"
    "With `--position -` or --position-file, each line is one position (an empty line is the\n"
    "initial one) and gives one line of output. A bad line gives an object with `error` and "
    "`line`\n"
    "(with --json), the rest go on, and the exit status is the worst of all lines.\n"
    "\n"
    "The first SIGINT or SIGTERM stops the search, prints what is known and ends with status 2.\n"
    "\n"
    "Exit status: 0 decided, 2 undecided within the limits, 64 usage, 65 bad position or a file\n"
    "that cannot be read, 69 backend not available, 70 internal, 74 output not written.\n"
    "\n"
    "Examples:\n"
    "  playproof solve hex:size=4 --algorithm pn\n"
    "  playproof solve hex:size=4 --position 'a1' --algorithm ppn:playouts=32 --json\n"
    "  playproof solve pgame:branching=8,depth=8,tree=7 --algorithm uct:C=2 --goal value\n"
    "  playproof solve othello:size=8 --position-file endgames.txt --algorithm pn --goal draw\n"
    "  printf 'b2\\nc3\\n' | playproof solve hex:size=4 --position - --algorithm pn --json";

struct SolveOptions {
  SolveRequest request;
  std::optional<std::string> position_file;
  std::optional<std::string> certificate;
  std::string progress = "auto";
  bool json = false;
};

// Writes the proof, if there is one.
void write_certificate(Solver& solver, CertificateFile& file, const std::string& path,
                       SolveAnswer& answer) {
  if (!decided(answer)) {
    print_error(path + ": not written: there is no certificate of an undecided question");
    return;
  }
  solver.write_certificate(file);
  file.commit();
  answer.certificate = path;
}

SolveAnswer solve(const SolveOptions& options, const std::string& position) {
  SolveRequest request = options.request;
  request.position = position;
  const std::unique_ptr<Solver> solver = make_solver(request);
  // Opened before the search: that it cannot be written is better known at once.
  std::optional<CertificateFile> file;
  if (options.certificate) file.emplace(*options.certificate);
  Progress progress(parse_progress(options.progress));
  const StopReason reason = drive(*solver, request.batch, progress);
  SolveAnswer answer = make_answer(*solver, request, reason);
  if (file) write_certificate(*solver, *file, *options.certificate, answer);
  return answer;
}

int status_of(const SolveAnswer& answer) { return decided(answer) ? kExitDecided : kExitUndecided; }

int solve_one(const SolveOptions& options) {
  const SolveAnswer answer = solve(options, options.request.position);
  if (options.json) {
    print_json(answer_json(answer));
  } else {
    write_stdout(answer_text(answer));
  }
  return status_of(answer);
}

int solve_line(const SolveOptions& options, const std::string& position) {
  const SolveAnswer answer = solve(options, position);
  if (options.json) {
    print_json(answer_json(answer));
  } else {
    write_stdout(answer_line(answer) + "\n");
  }
  return status_of(answer);
}

int solve_lines(const SolveOptions& options) {
  // Wrong names and limits are wrong for every line: found before the first, or none, is read.
  SolveRequest request = options.request;
  request.position.clear();
  make_solver(request);
  LineReader reader(options.position_file);
  return for_each_position(reader, options.json, [&](const std::string& position) {
    return solve_line(options, position);
  });
}

int solve_main(const SolveOptions& options) {
  parse_progress(options.progress);
  catch_interrupts();
  const bool lines = options.position_file || options.request.position == "-";
  if (lines && options.certificate) {
    throw Error(ErrorCode::kUsage,
                "--certificate: a certificate is of one position; give it with "
                "--position TEXT");
  }
  return lines ? solve_lines(options) : solve_one(options);
}

}  // namespace

void add_solve_command(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<SolveOptions>();
  CLI::App* command = app.add_subcommand("solve", "Searches for who wins.");
  command->footer(kFooter);
  SolveRequest* request = &options->request;
  add_search_options(*command, request);
  CLI::Option* position = add_position_option(*command, &request->position);
  command
      ->add_option("--position-file", options->position_file,
                   "Read positions from FILE, one a line, as `--position -` reads stdin")
      ->type_name("FILE")
      ->excludes(position);
  const auto set_batch = [request](std::uint64_t n) {
    request->batch = static_cast<std::uint32_t>(n);
  };
  add_integer(*command, "--batch", set_batch, 1, kMaxBatch,
              "Leaves expanded at a time; changes the search (default: 1)");
  command
      ->add_option_function<std::string>(
          "--certificate",
          [options](const std::string& path) {
            options->certificate = path;
            options->request.certificate = true;
          },
          "Write the proof to FILE for playproof-check; compressed if it is named *.zst")
      ->type_name("FILE");
  command->add_option("--progress", options->progress, "On stderr: auto, json or none")
      ->type_name("MODE");
  add_json_flag(*command, &options->json);
  command->callback([options, &chosen] { chosen = [options] { return solve_main(*options); }; });
}

}  // namespace playproof
