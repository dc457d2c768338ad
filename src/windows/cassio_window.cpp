#include "src/windows/cassio_window.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "games/core/spec.h"
#include "games/core/text_tools.h"
#include "host/solve/position.h"
#include "src/formats/record.h"
#include "src/io/internal_error.h"
#include "src/io/line_reader.h"
#include "src/io/machine.h"
#include "src/io/output.h"
#include "src/windows/line_input.h"

namespace playproof {
namespace {

constexpr std::string_view kProtocol = "ENGINE-PROTOCOL";
constexpr const char* kCassioGame = "othello";
constexpr std::size_t kSquares = 64;
constexpr std::int64_t kMostBound = 1000;  // windows wider than any score are sent too

void error(const std::string& text) { write_line("ERROR: " + text); }

// Black's moves are in capitals, White's in small letters.
std::string move_name(const std::string& move, Player player) {
  std::string name = move == "--" ? "pa" : move;
  if (player == Player::kFirst) name[0] = static_cast<char>(name[0] - 'a' + 'A');
  if (player == Player::kFirst && move == "--") name[1] = 'A';
  return name;
}

class CassioWindow {
 public:
  explicit CassioWindow(ThinkingOptions options)
      : options_(std::move(options)), input_(STDIN_FILENO) {
    const IdleSearch named(options_, kCassioGame, "", "score");  // a wrong name is told now
  }

  void run() {
    std::string line;
    while (!quit_) {
      try {
        if (!take(&line)) return;
        obey(line);
      } catch (const LongLine& long_line) {
        error(long_line.what());
        write_line("ready.");
      }
    }
  }

 private:
  // What came while it searched is first.
  bool take(std::string* line) {
    if (waiting_.empty()) return input_.next(line);
    const std::optional<std::string> first = std::move(waiting_.front());
    waiting_.pop_front();
    if (!first) throw LongLine();
    *line = *first;
    return true;
  }

  // The words of a command, its name in small letters; nothing of a line that is none.
  static std::vector<std::string> words_of(const std::string& line) {
    std::vector<std::string> words;
    std::size_t at = 0;
    for (Token word; next_token(line, &at, &word);) words.emplace_back(word.text);
    if (words.empty() || words[0] != kProtocol) return {};
    words.erase(words.begin());
    if (words.empty()) words.emplace_back();
    words[0] = in_lower_case(words[0]);
    return words;
  }
  static bool is_blank(const std::string& line) {
    return line.find_first_not_of(" \t") == std::string::npos;
  }

  void obey(const std::string& line) {
    const std::vector<std::string> words = words_of(line);
    if (words.empty()) {
      if (!is_blank(line)) return error("unknown protocol " + quoted(line));
      return write_line("ready.");
    }
    const std::string& command = words[0];
    quit_ = command == "quit";
    if (quit_) return write_line("bye bye.");
    if (command == "get-version") write_line("version: playproof " + version_text());
    if (command == "endgame-search") {
      guarded([&] { endgame_search(words); });
    } else if (command == "midgame-search") {
      error("midgame-search: scores are proven here, not estimated: endgame-search");
    } else if (std::find(std::begin(kSilent), std::end(kSilent), command) == std::end(kSilent)) {
      error("unknown command " + quoted(command));
    }
    if (!quit_) write_line("ready.");
  }
  static constexpr const char* kSilent[] = {"init",         "get-version", "stop",
                                            "new-position", "empty-hash",  "get-search-infos"};

  static void guarded(const std::function<void()>& work) {
    try {
      work();
    } catch (const Error& failure) {
      if (failure.code() != ErrorCode::kData && failure.code() != ErrorCode::kInternal) throw;
      error(failure.what());
    } catch (const std::exception& failure) {
      error(internal_error(failure).what());
    }
  }

  // POSITION ALPHA BETA PRECISION; the position is 64 squares and the side, a blank between or not.
  void endgame_search(std::vector<std::string> words) {
    if (words.size() == 6) {
      words[1] += words[2];
      words.erase(words.begin() + 2);
    }
    if (words.size() != 5 || words[1].size() != kSquares + 1) {
      throw Error(
          ErrorCode::kData,
          "endgame-search: expected 64 squares and the side to move, alpha, beta, precision");
    }
    std::int64_t alpha = 0;
    std::int64_t beta = 0;
    if (!parse_integer(words[2], &alpha) || !parse_integer(words[3], &beta) || alpha >= beta ||
        alpha < -kMostBound || beta > kMostBound) {
      throw Error(ErrorCode::kData,
                  "endgame-search: alpha and beta must be whole numbers, alpha less");
    }
    const std::string given = words[1];
    std::replace(words[1].begin(), words[1].end(), '.', '-');
    const auto position = make_position(kCassioGame, words[1].insert(kSquares, " "));
    IdleSearch search(options_, kCassioGame, position->text(), "score");
    if (searched(search)) tell(given, *position, search);
  }

  // The next line that came while it searched. False if it waits to be answered after the search:
  // one that is too long.
  bool hear(std::string* line) {
    try {
      heard_all_ = !input_.next(line);
      return !heard_all_;
    } catch (const LongLine&) {
      waiting_.emplace_back();
      return false;
    }
  }

  // The commands that wait are still answered, but what they would search for is not wanted.
  void stop_waiting_searches() {
    for (std::optional<std::string>& line : waiting_) {
      if (!line) continue;
      const std::vector<std::string> words = words_of(*line);
      if (!words.empty() && words[0] == "endgame-search") line = fmt::format("{} stop", kProtocol);
    }
  }

  // Searches until it is decided, also when no more commands can come; false if it was stopped.
  bool searched(IdleSearch& search) {
    while (search.run([&] { return heard_all_ ? reader_is_gone() : input_.ready(); })) {
      if (heard_all_) return false;
      std::string line;
      if (!hear(&line)) continue;
      const std::vector<std::string> words = words_of(line);
      if (is_blank(line)) {
        write_line("ok.");
      } else if (!words.empty() && words[0] == "get-search-infos") {
        const SolveResult result = search.solver().result();
        write_line(
            fmt::format("node {}, time {:.3f}", result.counters.nodes_created, result.seconds));
      } else if (!words.empty() && words[0] == "stop") {
        stop_waiting_searches();
        return false;
      } else if (!words.empty() && words[0] == "quit") {
        waiting_.assign(1, line);  // nobody waits for the others
        return false;
      } else {
        waiting_.emplace_back(line);
      }
    }
    return true;
  }

  // The value, or the bounds that are proven.
  static void tell(const std::string& given, const AnyPosition& position,
                   const IdleSearch& search) {
    const SolveResult result = search.solver().result();
    const bool black = position.to_move() == Player::kFirst;
    const std::string board = position.text();
    const auto empties = std::count(board.begin(), board.end() - 2, '-');
    std::string line;
    Player player = position.to_move();
    for (const std::string& move : result.principal_variation) {
      line += move_name(move, player);
      player = opponent(player);
    }
    const std::string move =
        result.best_move ? move_name(*result.best_move, position.to_move()) : "--";
    const char colour = black ? 'B' : 'W';
    write_line(fmt::format(
        "{}, move {}, depth {}, @100%, {}{:+}.00 <= v <= {}{:+}.00, {}, node {}, time {:.3f}",
        given, move, empties, colour, result.lower, colour, result.upper,
        line.empty() ? move : line, result.counters.nodes_created, result.seconds));
  }

  ThinkingOptions options_;
  LineInput input_;
  std::deque<std::optional<std::string>> waiting_;  // none: a line that was too long
  bool heard_all_ = false;                          // stdin has ended
  bool quit_ = false;
};

}  // namespace

void run_cassio_window(const ThinkingOptions& options) { CassioWindow(options).run(); }

}  // namespace playproof
