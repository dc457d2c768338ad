// playproof-check: is this certificate a proof, and of what? Knows the reference rules alone.
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "src/check/check.h"

namespace playproof::check {
namespace {

constexpr const char* kHelp =
    R"(Checks a certificate of `playproof solve --certificate FILE` with the reference rules of the game,
and says what it proves.
Usage: playproof-check [OPTIONS] CERTIFICATE

Positionals:
  CERTIFICATE REQUIRED        The file; it is decompressed if it is named *.zst

Options:
  -h,--help                   Print this help message and exit
  --game GAME                 The game that it must be of, with its options
  --position TEXT             The position that it must be about
  --goal GOAL                 win, draw, score>=N, value or score
  --verdict VERDICT           proved or disproved; of a value win, draw or loss, of a score the number (or proved: known)
  --json                      Print JSON instead of text for people
  --max-memory MIB            Memory of the nodes that live at a time (default: 256)
  --max-search N              Positions that recheck nodes and pairs may take in all (default: 1,000,000, and 16
                              for each byte of text)

A certificate of something else than --game, --position, --goal and --verdict
say is refused. What needs more than the limits is unreadable, though it may be
a proof.

Exit status: 0 valid; 1 not a proof, or not of what was asked; 2 unreadable or
damaged; 64 usage; 74 output not written.
)";

struct CommandLine {
  std::string file;
  Asked asked;
  Limits limits;
  bool json = false;
  bool help = false;
};

std::uint64_t read_limit(const std::string& option, const std::string& text, std::uint64_t max) {
  std::uint64_t limit = 0;
  if (ref_number(text, max, &limit) && limit > 0) return limit;
  throw Failure(kUsage, option + " must be a whole number 1.." + std::to_string(max) + ", not " +
                            shown(text));
}

CommandLine read_command_line(const std::vector<std::string>& arguments) {
  CommandLine line;
  std::optional<std::string> memory;
  std::optional<std::string> search;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    std::optional<std::string>* value = argument == "--game"         ? &line.asked.game
                                        : argument == "--position"   ? &line.asked.position
                                        : argument == "--goal"       ? &line.asked.goal
                                        : argument == "--verdict"    ? &line.asked.verdict
                                        : argument == "--max-memory" ? &memory
                                        : argument == "--max-search" ? &search
                                                                     : nullptr;
    if (value != nullptr) {
      if (++i == arguments.size()) throw Failure(kUsage, argument + " needs a value");
      *value = arguments[i];
    } else if (argument == "--json") {
      line.json = true;
    } else if (argument == "--help" || argument == "-h") {
      line.help = true;
    } else if (!line.file.empty() || argument.empty() || argument[0] == '-') {
      throw Failure(kUsage, "unexpected argument " + shown(argument) + "; see --help");
    } else {
      line.file = argument;
    }
  }
  if (line.file.empty() && !line.help) throw Failure(kUsage, "a CERTIFICATE is needed; see --help");
  if (memory) line.limits.max_memory = read_limit("--max-memory", *memory, 1 << 20) << 20;
  if (search) line.limits.max_search = read_limit("--max-search", *search, ~0ull);
  return line;
}

// What there is to say, as JSON or as lines. All texts are printable ASCII without quotes and
// backslashes.
std::string report_text(const Report& r, bool json) {
  std::string text;
  const auto add = [&](const char* key, const std::string& value, const char* quote = "") {
    text += json ? (text.empty() ? "{\"" : ",\"") + std::string(key) + "\":" + quote + value + quote
                 : key + std::string(14 - std::strlen(key), ' ') + value + "\n";
  };
  add("valid", r.status == kValid ? "true" : "false");
  if (r.status == kValid) {
    add("game", r.game, "\"");
    add("position", json || !r.position.empty() ? r.position : "(initial)", "\"");
    add("goal", r.goal, "\"");
    add("attacker", r.attacker, "\"");
    add("verdict", r.verdict, "\"");
    const bool moves = !r.best_move.empty();
    add("best_move", moves ? r.best_move : json ? "null" : "-", moves ? "\"" : "");
    add("listed", std::to_string(r.counts.listed));
    add("finished", std::to_string(r.counts.leaves));
    add("rechecked", std::to_string(r.counts.rechecked));
    add("brute_forced", std::to_string(r.counts.brute_forced));
    add("most_live", std::to_string(r.counts.most_live));
  } else {
    add("status", std::to_string(r.status));
    add("line", std::to_string(r.line_number));
    add("error", r.error, "\"");
  }
  return text + (json ? "}\n" : "");
}

int run(const std::vector<std::string>& arguments) {
  const CommandLine line = read_command_line(arguments);
  Report report;
  if (!line.help) {
    std::FILE* file = std::fopen(line.file.c_str(), "rb");
    if (file == nullptr) throw Failure(kUnreadable, plain(line.file) + ": " + std::strerror(errno));
    report = check(file, line.file.ends_with(".zst"), line.asked, line.limits);
    std::fclose(file);
  }
  if (report.status == kUsage) throw Failure(kUsage, report.error);
  if (report.status != kValid) {
    std::fprintf(stderr, "playproof-check: %s:%llu: %s\n", plain(line.file).c_str(),
                 static_cast<unsigned long long>(report.line_number), report.error.c_str());
  }
  if (line.help || line.json || report.status == kValid) {
    std::fputs(line.help ? kHelp : report_text(report, line.json).c_str(), stdout);
  }
  const bool written = std::fflush(stdout) == 0;
  if (!written && errno != EPIPE) throw Failure(kNoOutput, "stdout: cannot write");
  return written ? report.status : kNoOutput;  // `| head -3` is no fault, but not all was written
}

}  // namespace
}  // namespace playproof::check

int main(int argc, char** argv) {
  for (const int death : {SIGPIPE, SIGXFSZ}) std::signal(death, SIG_IGN);  // but status 74
  try {
    return playproof::check::run({argv + 1, argv + argc});
  } catch (const playproof::check::Failure& failure) {
    std::fprintf(stderr, "playproof-check: %s\n", failure.what());
    return failure.status;
  } catch (const std::bad_alloc&) {
    std::fputs("playproof-check: out of memory\n", stderr);
    return playproof::check::kUnreadable;
  }
}
