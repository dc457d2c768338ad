// playproof report: the page, or an export, of experiment stores. The work is Python's
// (python/playproof_report), so that researchers can extend it; this file finds the two and becomes
// that program.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "games/core/error.h"
#include "games/core/spec.h"
#include "src/commands/command_options.h"
#include "src/commands/commands.h"
#include "src/experiment/plan.h"
#include "src/io/build_info.h"
#include "src/io/files_apart.h"
#include "src/io/terminal.h"
#include "src/store/store.h"

namespace playproof {
namespace {

namespace fs = std::filesystem;

constexpr const char* kReportDescription =
    "Makes one self-contained page (plots, tables, claims, how it was made) of one or more result\n"
    "stores, or exports their runs. Stores may be compressed with xz (results.db.xz).\n"
    "With --figures: the plots and the tables of ratios as files for a paper. With --papers: a "
    "page\n"
    "with a row for every table and figure of the papers that reports a result, each with its\n"
    "verdict, and the pages of the plans beside it.";

constexpr const char* kReportFooter =
    "Formats: html (needs --output), text (a short table), csv (one line a run), json\n"
    "(runs with their error curves, and the plans), claims (JSON: every judgement,\n"
    "what choices took, what to use, runs that contradict a known result). All but\n"
    "html go to stdout without --output.\n"
    "\n"
    "--figures DIR writes every plot of the page as SVG and as PDF, and for each\n"
    "series the ratios of all algorithms to one of them, with intervals, counts and\n"
    "what undecided runs make of them, as CSV and LaTeX (booktabs). The same store\n"
    "gives the same bytes. Ratios are to the plan's reference (where it names none,\n"
    "its first algorithm); --against NAME takes another, for pages and --format text\n"
    "too.\n"
    "\n"
    "Kinds of pages: compare (the default: any algorithms on any game, with curves\n"
    "and maps over numbers that labels end in, choices, errors of moves), agreement\n"
    "(verdicts against known results). Each makes the page of any store.\n"
    "\n"
    "--papers writes FILE (papers.html) and the plans' pages into a folder beside it\n"
    "(papers/), and prints how many results hold. Without stores it takes those of\n"
    "the source tree (bench/results). Which claims judge which table or figure stands\n"
    "in bench/papers.toml; csv and json export the rows with their judged claims. It\n"
    "needs Python 3.11.\n"
    "\n"
    "The html, text and claims formats need Python 3 with numpy, scipy, pandas,\n"
    "matplotlib and jinja2 (Debian: python3-scipy python3-pandas python3-matplotlib\n"
    "python3-jinja2). PLAYPROOF_PYTHON names the interpreter; else /usr/bin/python3\n"
    "is taken, else python3 of the PATH.\n"
    "\n"
    "Where one of two algorithms that are compared had leaves decided by exact\n"
    "endings or another probe, and the other not, the page, the text and stderr say\n"
    "so; also where the two use other knowledge of the game (bridges, connections,\n"
    "zones, patterns), beside each judgement too, or other engines have played.\n"
    "\n"
    "Stores with other playouts (`scalar`, `fake`) are no part of the same sample:\n"
    "they are refused beside those with the playouts of all other backends.\n"
    "\n"
    "Exit status: 0 written, 64 usage, 65 a store that cannot be read or a plan whose\n"
    "kind of page there is not, 69 Python or its libraries are missing, 74 output not\n"
    "written. A store that holds anything but the tables of `experiment` (a view, a\n"
    "trigger), and values that it does not write, is refused; of a compressed one no\n"
    "more is unpacked than a store has.\n"
    "\n"
    "Where the locale does not say UTF-8 texts are in ASCII; files are UTF-8, and\n"
    "csv, json and claims, but on a terminal.\n"
    "\n"
    "Examples:\n"
    "  playproof report results.db --output report.html\n"
    "  playproof report results.db --kind compare --output compared.html\n"
    "  playproof report results.db --figures figures --against pn\n"
    "  playproof report part1.db part2.db --format csv > runs.csv\n"
    "  playproof report --papers --output papers.html";

struct ReportOptions {
  std::vector<std::string> stores;
  std::string format = "html";
  std::optional<std::string> kind;     // instead of the plan's
  std::optional<std::string> against;  // the other side of ratios, instead of the plan's reference
  std::string output;
  std::string figures;  // a folder
  bool papers = false;
};

constexpr std::array kFormats = {"html", "text", "csv", "json", "claims"};

void check_one_of(const char* name, const std::string& word,
                  const std::vector<std::string>& words) {
  if (std::find(words.begin(), words.end(), word) != words.end()) return;
  throw Error(ErrorCode::kUsage,
              fmt::format("{} must be one of {}, not '{}'; nearest: '{}'", name,
                          fmt::join(words, ", "), word, nearest_match(word, words)));
}

// Refuses an option that changes what is drawn where nothing is.
void check_effect(const char* name, bool given, const ReportOptions& options) {
  const bool drawn =
      options.format == "html" || options.format == "text" || !options.figures.empty();
  if (!given || (drawn && !options.papers)) return;
  throw Error(ErrorCode::kUsage,
              fmt::format("{} is for --figures and --format html and text, and has no effect with "
                          "{}",
                          name, options.papers ? "--papers" : "--format " + options.format));
}

void check_words(const ReportOptions& options) {
  check_one_of("--format", options.format, {kFormats.begin(), kFormats.end()});
  if (options.kind) check_one_of("--kind", *options.kind, report_kinds());
  check_effect("--kind", options.kind.has_value(), options);
  check_effect("--against", options.against.has_value(), options);
  if (!options.figures.empty() && options.papers) {
    throw Error(ErrorCode::kUsage, "--figures has no effect with --papers");
  }
  if (options.format == "html" && options.output.empty() && options.figures.empty()) {
    throw Error(ErrorCode::kUsage, "report: --output FILE is needed for a page");
  }
}

fs::path this_program() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored);
}

// The script, beside an installed program or in the sources it was built from.
std::string find_script() {
  constexpr const char* kName = "playproof-report.py";
  std::error_code ignored;
  const fs::path program = this_program();
  const fs::path folders[] = {program.parent_path() / "../share/playproof/python",
                              fs::path(kSourceFolder) / "python"};
  for (const fs::path& folder : folders) {
    if (fs::exists(folder / kName, ignored)) return (folder / kName).lexically_normal().string();
  }
  throw Error(ErrorCode::kUnavailable,
              fmt::format("report: {} is not where it was installed", kName));
}

// The stored results of the sources that the script belongs to.
std::vector<std::string> stored_results(const fs::path& script) {
  const fs::path folder = (script.parent_path() / "../bench/results").lexically_normal();
  std::vector<std::string> stores;
  std::error_code ignored;
  for (const fs::directory_entry& file : fs::directory_iterator(folder, ignored)) {
    const std::string name = file.path().string();
    if (name.ends_with(".db") || name.ends_with(".db.xz")) stores.push_back(name);
  }
  if (stores.empty()) {
    throw Error(ErrorCode::kUsage, fmt::format("report --papers: name stores made by `experiment`; "
                                               "there are none in {}",
                                               folder.string()));
  }
  std::sort(stores.begin(), stores.end());
  return stores;
}

std::string find_python() {
  const char* named = std::getenv("PLAYPROOF_PYTHON");
  if (named != nullptr && *named != '\0') return named;
  return access("/usr/bin/python3", X_OK) == 0 ? "/usr/bin/python3" : "python3";
}

// The page is written in the end: over a store it would be the last that is seen of it.
void keep_files_apart(const ReportOptions& options) {
  std::vector<UsedFile> files;
  for (const std::string& store : options.stores) {
    files.push_back({"RESULTS", store, FileUse::kRead, store_companions()});
  }
  if (!options.output.empty()) {
    files.push_back({"--output", options.output, FileUse::kWritten, {}});
  }
  keep_apart(files);
}

int report_main(ReportOptions options) {
  check_words(options);
  const std::string script = find_script();
  if (options.stores.empty()) {
    if (!options.papers) {
      throw Error(ErrorCode::kUsage, "report: RESULTS is required: stores made by `experiment`");
    }
    options.stores = stored_results(script);
  }
  keep_files_apart(options);
  const std::string python = find_python();
  std::vector<std::string> words = {python, "-B", script, "--format", options.format};
  if (options.papers) words.emplace_back("--papers");
  if (!is_utf8_locale()) words.emplace_back("--ascii");  // Python would make one of UTF-8
  if (options.kind) words.insert(words.end(), {"--kind", *options.kind});
  if (options.against) words.push_back("--against=" + *options.against);
  if (!options.figures.empty()) words.push_back("--figures=" + options.figures);
  if (!options.output.empty()) words.push_back("--output=" + options.output);
  words.emplace_back("--");
  words.insert(words.end(), options.stores.begin(), options.stores.end());
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  // A SIGINT waits until the script is ready for it: while Python starts it would give a trace.
  sigset_t interrupt;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  sigprocmask(SIG_BLOCK, &interrupt, nullptr);
  execvp(python.c_str(), arguments.data());
  throw Error(ErrorCode::kUnavailable,
              fmt::format("report: cannot start Python as '{}': {}; install python3, "
                          "python3-scipy, python3-pandas, python3-matplotlib and python3-jinja2, "
                          "or set PLAYPROOF_PYTHON",
                          python, strerror(errno)));
}

// "a, b or c"
std::string listed(const std::vector<std::string>& words) {
  return fmt::format("{} or {}", fmt::join(words.begin(), words.end() - 1, ", "), words.back());
}

}  // namespace

void add_report_command(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App& command = add_command(app, "report", kReportDescription, kReportFooter);
  add_texts(command, "RESULTS", &options->stores, "Stores made by `experiment`");
  add_flag(command, "--papers", &options->papers,
           "A row for every table and figure of the papers, with its verdict");
  add_file(command, "--output", &options->output, "The file to write, whole or not at all");
  add_text(
      command, "--kind", [options](const std::string& kind) { options->kind = kind; },
      "Instead of the plan's `kind`: " + listed(report_kinds()), "KIND");
  add_text(command, "--figures", &options->figures,
           "A folder for every plot (SVG, PDF) and the ratios (CSV, LaTeX)", "DIR");
  add_text(
      command, "--against", [options](const std::string& name) { options->against = name; },
      "The algorithm that ratios are to (default: the plan's reference)", "NAME");
  add_text(command, "--format", &options->format, "html, text, csv, json or claims (default: html)",
           "FORMAT");
  when_read(command, [options, &chosen] { chosen = [options] { return report_main(*options); }; });
}

}  // namespace playproof
