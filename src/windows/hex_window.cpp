#include "src/windows/hex_window.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <optional>
#include <utility>

#include "games/core/error.h"
#include "games/core/spec.h"
#include "games/core/text_tools.h"
#include "host/solve/position.h"
#include "src/io/internal_error.h"
#include "src/io/machine.h"
#include "src/windows/gtp.h"

namespace playproof {
namespace {

using Arguments = std::vector<std::string>;

// HexGui shows an entry each: type, label, command; %m is the colour to move.
constexpr const char* kAnalyzeCommands =
    "string/Solve: start/playproof-solve %m\n"
    "string/Solve: status/playproof-status\n"
    "string/Solve: stop/playproof-stop\n"
    "pspairs/Solve: proof numbers/playproof-proof-numbers\n"
    "plist/Solve: zone/playproof-zone\n"
    "var/Solve: line/playproof-line\n"
    "pspairs/Random games: win rates/playproof-winrates %m";

Player colour_of(const std::string& text) {
  const std::string word = in_lower_case(text);
  if (word == "b" || word == "black") return Player::kFirst;
  if (word == "w" || word == "white") return Player::kSecond;
  throw Error(ErrorCode::kData, "expected black or white, not " + quoted(text));
}

const std::string& argument(const Arguments& arguments, std::size_t number, const char* what) {
  if (number < arguments.size()) return arguments[number];
  throw Error(ErrorCode::kData, fmt::format("expected {}", what));
}

// A word too many may be a slip that means another board or move.
void check_no_more_than(const Arguments& arguments, std::size_t most) {
  if (arguments.size() <= most) return;
  throw Error(ErrorCode::kData, "unexpected " + quoted(arguments[most]));
}

int size_of(const std::string& text) {
  std::int64_t size = 0;
  if (!parse_integer(text, &size) || size < 2 || size > 19) {
    throw Error(ErrorCode::kData, "unacceptable size: 2..19 rows and columns, not " + quoted(text));
  }
  return static_cast<int>(size);
}

// A proof number; what is beyond numbers is "inf".
std::string number_text(double value) {
  return std::isfinite(value) && value < 1e18 ? fmt::format("{:.4g}", value) : "inf";
}

class HexWindow {
 public:
  explicit HexWindow(const HexWindowOptions& options)
      : options_(options), board_(options.board), input_(STDIN_FILENO) {
    // A wrong name is told now, not as an answer to every genmove.
    const IdleSearch named(options_.thinking, board_.game(), "", "win");
    add_board();
    add_play();
    add_analysis();
  }

  void run() {
    loop_.run(input_, [&] {
      if (!search_) return;
      try {
        search_->run([&] { return input_.ready(); });
      } catch (const Error& error) {
        trouble_ = error.what();
      } catch (const std::exception& error) {
        trouble_ = internal_error(error).what();
      }
      if (!trouble_.empty()) search_.reset();
    });
  }

 private:
  void add(const char* name, std::string (HexWindow::*command)(const Arguments&)) {
    loop_.add(name,
              [this, command](const Arguments& arguments) { return (this->*command)(arguments); });
  }
  void add_board() {
    loop_.add("name", [](const Arguments&) { return "playproof"; });
    loop_.add("version", [](const Arguments&) { return version_text(); });
    add("boardsize", &HexWindow::boardsize);
    add("clear_board", &HexWindow::clear_board);
    add("play", &HexWindow::play);
    add("undo", &HexWindow::undo);
    add("showboard", &HexWindow::showboard);
    add("final_score", &HexWindow::final_score);
  }
  void add_play() {
    add("genmove", &HexWindow::genmove);
    add("reg_genmove", &HexWindow::reg_genmove);
    add("playproof-seconds", &HexWindow::seconds);
  }
  void add_analysis() {
    loop_.add("hexgui-analyze_commands", [](const Arguments&) { return kAnalyzeCommands; });
    add("playproof-solve", &HexWindow::solve);
    add("playproof-status", &HexWindow::status);
    add("playproof-stop", &HexWindow::stop);
    add("playproof-proof-numbers", &HexWindow::proof_numbers);
    add("playproof-zone", &HexWindow::zone);
    add("playproof-line", &HexWindow::line);
    add("playproof-winrates", &HexWindow::winrates);
  }

  // ---- the board; whatever changes it ends the search ------------------------------------------

  std::string boardsize(const Arguments& arguments) {
    check_no_more_than(arguments, 2);
    const int columns = size_of(argument(arguments, 0, "a width"));
    const int rows = arguments.size() > 1 ? size_of(arguments[1]) : columns;
    forget();
    board_ = HexBoard(rows, columns);
    return "";
  }
  std::string clear_board(const Arguments&) {
    forget();
    board_.clear();
    return "";
  }
  std::string play(const Arguments& arguments) {
    check_no_more_than(arguments, 2);
    const Player player = colour_of(argument(arguments, 0, "a colour and a cell"));
    board_.play(player, argument(arguments, 1, "a cell after the colour"));
    forget();
    return "";
  }
  std::string undo(const Arguments&) {
    board_.undo();
    forget();
    return "";
  }
  std::string showboard(const Arguments&) { return "\n" + board_.picture(); }
  std::string final_score(const Arguments&) {
    const std::optional<Player> winner = board_.winner();
    if (!winner) throw Error(ErrorCode::kData, "cannot score: nobody has won yet");
    return winner == Player::kFirst ? "B+" : "W+";
  }

  void forget() {
    search_.reset();
    trouble_.clear();
  }

  // ---- moves -----------------------------------------------------------------------------------

  std::string genmove(const Arguments& arguments) {
    const Player player = colour_of(argument(arguments, 0, "a colour"));
    std::string move = chosen(player);
    board_.play(player, move);
    return move;
  }
  std::string reg_genmove(const Arguments& arguments) {
    return chosen(colour_of(argument(arguments, 0, "a colour")));
  }
  std::string seconds(const Arguments& arguments) {
    double seconds = 0;
    const std::string& text = argument(arguments, 0, "a number of seconds");
    if (!parse_real(text, &seconds) || !(seconds > 0) || !std::isfinite(seconds)) {
      throw Error(ErrorCode::kData, "expected a number of seconds, not " + quoted(text));
    }
    options_.thinking.seconds = seconds;
    return "";
  }

  // Proven if there is time for it, else what random games say. HexGui interrupts by a comment.
  std::string chosen(Player player) {
    forget();
    const SetUp at = board_.position(player);
    if (make_position(board_.game(), at.position)->finished()) {
      throw Error(ErrorCode::kData, "the game is over");
    }
    IdleSearch search(options_.thinking, board_.game(), at.position, "win");
    const auto begin = std::chrono::steady_clock::now();
    const auto passed = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    const double seconds = options_.thinking.seconds;
    search.run([&] { return passed() >= seconds || is_interrupted(); });
    const SolveResult result = search.solver().result();
    const bool swaps = options_.swap && player == Player::kSecond && board_.may_swap();
    if (result.verdict == Verdict::kProved) return shown(*result.best_move, at);
    if (result.verdict == Verdict::kDisproved) return swaps ? "swap-pieces" : "resign";
    if (swaps && looks_lost(at.position)) return "swap-pieces";
    const std::string liked = best_by_playouts(
        options_.thinking, board_.game(), at.position, lost_moves(search),
        [this] { return is_interrupted(); }, [&] { return passed() >= 2 * seconds; });
    if (!liked.empty()) return shown(liked, at);
    // Interrupted before random games said anything: what the search would look at next.
    if (result.best_move) return shown(*result.best_move, at);
    return shown(make_position(board_.game(), at.position)->moves().front(), at);
  }
  bool is_interrupted() {
    return input_.has([](std::string_view line) { return line.starts_with("# interrupt"); });
  }
  // Of no move do random games win half. Not so if they are interrupted.
  bool looks_lost(const std::string& position) {
    const auto moves = estimate_moves(options_.thinking, board_.game(), position,
                                      [this] { return is_interrupted(); });
    return !moves.empty() && std::all_of(moves.begin(), moves.end(),
                                         [](const MoveEstimate& move) { return move.share < 0.5; });
  }

  static std::vector<std::string> lost_moves(const IdleSearch& search) {
    std::vector<std::string> lost;
    for (const NodeRow& node : rows_of(search)) {
      if (node.depth == 1 && node.verdict == Verdict::kDisproved) lost.push_back(node.move);
    }
    return lost;
  }
  // Searches without nodes that can be looked at (minimax) have none.
  static std::vector<NodeRow> rows_of(const IdleSearch& search) {
    try {
      return search.solver().nodes({1, 1000});
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kUsage) throw;
      return {};
    }
  }
  static std::string shown(const std::string& cell, const SetUp& at) {
    return at.mirrored ? mirrored_cell(cell) : cell;
  }

  // ---- analysis --------------------------------------------------------------------------------

  std::string solve(const Arguments& arguments) {
    std::optional<Player> player;
    if (!arguments.empty()) player = colour_of(arguments[0]);
    const SetUp at = board_.position(player);
    forget();
    const auto position = make_position(board_.game(), at.position);
    asked_ = at;
    asker_ = at.mirrored ? opponent(position->to_move()) : position->to_move();
    search_.emplace(options_.thinking, board_.game(), at.position, "win");
    return fmt::format("does {} win? {}", player_name(asker_), search_->solver().algorithm());
  }
  std::string stop(const Arguments&) {
    std::string text = search_ ? status({}) : "nothing is being solved";
    forget();
    return text;
  }
  IdleSearch& search() {
    if (search_) return *search_;
    throw Error(ErrorCode::kData,
                trouble_.empty() ? "nothing is being solved: playproof-solve begins" : trouble_);
  }

  std::string status(const Arguments&) {
    const SolveResult result = search().solver().result();
    std::string text;
    if (search().decided()) {
      const bool wins = result.verdict == Verdict::kProved;
      text = fmt::format("proven: {} wins", player_name(wins ? asker_ : opponent(asker_)));
      if (result.best_move) text += fmt::format(", with {}", shown(*result.best_move, asked_));
    } else {
      text = search().running() ? "not known yet"
                                : fmt::format("not known: out of {}", to_string(search().reason()));
      if (result.best_move)
        text += fmt::format(", {} looks best", shown(*result.best_move, asked_));
      const std::vector<NodeRow> rows = rows_of(search());
      if (!rows.empty() && !rows[0].numbers.empty()) {
        text += fmt::format("; {}", numbers_text(rows[0], " "));
      }
    }
    return text +
           fmt::format("; {} iterations, {:.1f} s", result.counters.iterations, result.seconds);
  }
  static std::string numbers_text(const NodeRow& node, const char* between) {
    std::vector<std::string> texts;
    for (const auto& [name, value] : node.numbers) {
      texts.push_back(fmt::format("{}={}", name, number_text(value)));
    }
    return fmt::format("{}", fmt::join(texts, between));
  }

  // "a1 12/30", or who wins there.
  std::string proof_numbers(const Arguments&) {
    std::string text;
    for (const NodeRow& node : rows_of(search())) {
      if (node.depth != 1) continue;
      std::string value;
      for (const auto& [name, number] : node.numbers) {
        value += (value.empty() ? "" : "/") + number_text(number);
      }
      if (node.verdict == Verdict::kProved) value = "win";
      if (node.verdict == Verdict::kDisproved) value = "loss";
      if (value.empty()) continue;
      text += fmt::format("{}{} {}", text.empty() ? "" : " ", shown(node.move, asked_), value);
    }
    return text;
  }
  std::string zone(const Arguments&) {
    const SolveResult result = search().solver().result();
    if (result.zone.empty()) throw Error(ErrorCode::kData, "nothing is proven that has a zone");
    std::vector<std::string> cells;
    for (const std::string& cell : result.zone) cells.push_back(shown(cell, asked_));
    return fmt::format("{}", fmt::join(cells, " "));
  }
  std::string line(const Arguments&) {
    std::vector<std::string> cells;
    for (const std::string& cell : search().solver().result().principal_variation) {
      cells.push_back(shown(cell, asked_));
    }
    return fmt::format("{}", fmt::join(cells, " "));
  }
  // In percent.
  std::string winrates(const Arguments& arguments) {
    std::optional<Player> player;
    if (!arguments.empty()) player = colour_of(arguments[0]);
    const SetUp at = board_.position(player);
    if (make_position(board_.game(), at.position)->finished()) {
      throw Error(ErrorCode::kData, "the game is over");
    }
    const auto estimates = estimate_moves(options_.thinking, board_.game(), at.position,
                                          [this] { return is_interrupted(); });
    if (estimates.empty()) throw Error(ErrorCode::kData, "interrupted");
    std::string text;
    for (const MoveEstimate& estimate : estimates) {
      text += fmt::format("{}{} {:.1f}", text.empty() ? "" : " ", shown(estimate.move, at),
                          100 * estimate.share);
    }
    return text;
  }

  HexWindowOptions options_;
  HexBoard board_;
  LineInput input_;
  GtpLoop loop_;
  std::optional<IdleSearch> search_;  // of the position on the board
  SetUp asked_;
  Player asker_ = Player::kFirst;
  std::string trouble_;  // that ended it
};

}  // namespace

void run_hex_window(const HexWindowOptions& options) { HexWindow(options).run(); }

}  // namespace playproof
