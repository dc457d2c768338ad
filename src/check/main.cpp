// playproof-check: is this certificate a proof, and of what? Shares no code with the solver; knows
// the reference rules alone.
#include <cerrno>
#include <cstring>
#include <new>

#include "src/check/check.h"

namespace playproof::check {
namespace {

constexpr const char* kHelp =
    "usage: playproof-check CERTIFICATE [--game G --position P --goal Q --verdict V] [--json]\n"
    "\n"
    "Checks a certificate that `playproof solve --certificate FILE` wrote, with the reference "
    "rules\n"
    "of the game and nothing else of the solver, and says what it proves. What is given of game,\n"
    "position, goal and verdict must be what the certificate is about; verdicts are proved and\n"
    "disproved; for the goal value also win, draw and loss, for score the number.\n"
    "A file named *.zst is decompressed.\n"
    "\n"
    "Exit status: 0 valid; 1 not a proof, or not of what was asked; 2 unreadable or damaged;\n"
    "64 usage.\n";

struct CommandLine {
  std::string file;
  Asked asked;
  bool json = false;
  bool help = false;
};

CommandLine read_command_line(const std::vector<std::string>& arguments) {
  CommandLine line;
  const auto wrong = [](const std::string& text) { throw Failure(kUsage, text); };
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    const std::size_t equals = std::min(argument.find('='), argument.size());
    const std::string name = argument.substr(0, equals);
    std::optional<std::string>* value = name == "--game"       ? &line.asked.game
                                        : name == "--position" ? &line.asked.position
                                        : name == "--goal"     ? &line.asked.goal
                                        : name == "--verdict"  ? &line.asked.verdict
                                                               : nullptr;
    if (value != nullptr) {
      if (equals == argument.size() && ++i == arguments.size()) wrong(name + " needs a value");
      *value = equals == argument.size() ? arguments[i] : argument.substr(equals + 1);
    } else if (argument == "--json") {
      line.json = true;
    } else if (argument == "--help" || argument == "-h") {
      line.help = true;
    } else if (argument.size() > 1 && argument[0] == '-') {
      wrong("unknown option " + shown(argument) +
            "; there are: --game, --position, --goal, --verdict, --json, --help");
    } else if (line.file.empty() && !argument.empty()) {
      line.file = argument;
    } else {
      wrong("expected one CERTIFICATE, not also " + shown(argument));
    }
  }
  if (line.file.empty() && !line.help) wrong("a CERTIFICATE is needed; see --help");
  return line;
}

Report check_file(const CommandLine& line) {
  const bool compressed = line.file.ends_with(".zst");
  std::FILE* file = std::fopen(line.file.c_str(), "rb");
  if (file == nullptr) unreadable(std::strerror(errno));
  Report report = check(file, compressed, line.asked);
  std::fclose(file);
  return report;
}

// Everything in it is printable ASCII without quotes and backslashes.
std::string json_text(const Report& r) {
  const auto text = [](const std::string& key, const std::string& value) {
    return "\"" + key + "\":\"" + value + "\"";
  };
  const auto count = [](const std::string& key, std::uint64_t value) {
    return ",\"" + key + "\":" + std::to_string(value);
  };
  if (r.status != kValid) {
    return "{\"valid\":false" + count("status", static_cast<std::uint64_t>(r.status)) +
           count("line", r.line_number) + "," + text("error", r.error) + "}\n";
  }
  return "{\"valid\":true," + text("game", r.game) + "," + text("position", r.position) + "," +
         text("goal", r.goal) + "," + text("attacker", r.attacker) + "," +
         text("verdict", r.verdict) + count("listed", r.counts.listed) +
         count("leaves", r.counts.leaves) + count("rechecked", r.counts.rechecked) +
         count("brute_forced", r.counts.brute_forced) + count("most_live", r.counts.most_live) +
         "}\n";
}
std::string plain_text(const Report& r) {
  return "valid       " + r.verdict + "\ngame        " + r.game + "\nposition    " +
         (r.position.empty() ? "(initial)" : r.position) + "\ngoal        " + r.goal +
         "\nattacker    " + r.attacker + " player, the side to move\nlisted      " +
         std::to_string(r.counts.listed) + " positions, " + std::to_string(r.counts.leaves) +
         " of them finished; at most " + std::to_string(r.counts.most_live) +
         " held at once\nrechecked   " + std::to_string(r.counts.rechecked) +
         " positions by searching " + std::to_string(r.counts.brute_forced) + "\n";
}

int run(const std::vector<std::string>& arguments) {
  const CommandLine line = read_command_line(arguments);
  Report report;
  if (!line.help) report = check_file(line);
  if (report.status == kUsage) throw Failure(kUsage, report.error);
  if (report.status != kValid) {
    std::fprintf(stderr, "playproof-check: %s:%llu: %s\n", line.file.c_str(),
                 static_cast<unsigned long long>(report.line_number), report.error.c_str());
  }
  const bool valid = report.status == kValid;
  const std::string out = line.help   ? kHelp
                          : line.json ? json_text(report)
                          : valid     ? plain_text(report)
                                      : "";
  std::fputs(out.c_str(), stdout);
  if (std::fflush(stdout) != 0) throw Failure(kNoOutput, "stdout: cannot write");
  return report.status;
}

}  // namespace
}  // namespace playproof::check

int main(int argc, char** argv) {
  using playproof::check::Failure;
  try {
    return playproof::check::run({argv + 1, argv + argc});
  } catch (const Failure& failure) {
    std::fprintf(stderr, "playproof-check: %s\n", failure.what());
    return failure.status;
  } catch (const std::bad_alloc&) {
    std::fputs("playproof-check: out of memory\n", stderr);
    return playproof::check::kUnreadable;
  }
}
