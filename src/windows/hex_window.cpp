#include "src/windows/hex_window.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "games/core/error.h"
#include "games/core/spec.h"
#include "games/core/text_tools.h"
#include "host/solve/position.h"
#include "src/io/machine.h"
#include "src/io/output.h"
#include "src/windows/game_clock.h"
#include "src/windows/gtp.h"
#include "src/windows/hex_search.h"
#include "src/windows/loaded_game.h"

namespace playproof {
namespace {

using Arguments = std::vector<std::string>;
using Clock = std::chrono::steady_clock;

constexpr int kMostCount = 1'000'000;
constexpr double kPictureSeconds = 1;  // between two pictures of a search

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// HexGui shows an entry each: type, label, command; %m is the colour to move.
constexpr const char* kAnalyzeCommands =
    "string/Solve: who wins/dfpn-solve-state %m\n"
    "plist/Solve: winning moves/dfpn-solver-find-winning %m\n"
    "param/Solve: settings/param_dfpn\n"
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

double seconds_from(const std::string& text) {
  double number = 0;
  if (!parse_real(text, &number) || number < 0) {
    throw Error(ErrorCode::kData, "expected a number of seconds, not " + quoted(text));
  }
  return number;
}

// A whole number; `what` says which: "a number of moves".
int count_of(const std::string& text, int least, const char* what) {
  std::int64_t count = 0;
  if (!parse_integer(text, &count) || count < least || count > kMostCount) {
    throw Error(ErrorCode::kData, fmt::format("expected {}, not {}", what, quoted(text)));
  }
  return static_cast<int>(count);
}

int moves_from(const std::string& text) { return count_of(text, 0, "a number of moves"); }

// A winner as commands name him; "empty" is nobody yet.
const char* winner_name(std::optional<Player> winner) {
  if (!winner) return "empty";
  return winner == Player::kFirst ? "black" : "white";
}

class HexWindow {
 public:
  explicit HexWindow(const HexWindowOptions& options)
      : options_(options), board_(options.board), input_(STDIN_FILENO), search_(options_.thinking) {
    // A wrong name is told now, not as an answer to every genmove.
    const IdleSearch named(options_.thinking, board_.game(), "", "win");
    add_board();
    add_play();
    add_time();
    add_analysis();
    add_solver();
  }

  void run() {
    loop_.run(input_, [&] {
      if (goes_on_) search_.work([&] { return input_.ready(); });
    });
  }

 private:
  void add(const std::string& name, std::string (HexWindow::*command)(const Arguments&)) {
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
    add("loadsgf", &HexWindow::loadsgf);
    add("all_legal_moves", &HexWindow::all_legal_moves);
    add("komi", &HexWindow::komi);
  }
  void add_play() {
    add("genmove", &HexWindow::genmove);
    add("reg_genmove", &HexWindow::reg_genmove);
    add("playproof-seconds", &HexWindow::seconds);
    loop_.add("gogui-interrupt", [](const Arguments&) { return ""; });  // `# interrupt` is heard
  }
  void add_time() {
    add("time_settings", &HexWindow::time_settings);
    add("time_left", &HexWindow::time_left);
  }
  // These commands are as the programs of benzene have them, whatever the algorithm is here.
  void add_solver() {
    for (const char* kind : {"dfpn", "dfs"}) {
      const auto named = [&](const char* end) { return fmt::format("{}-{}", kind, end); };
      add(named("solve-state"), &HexWindow::solve_state);
      add(named("solver-find-winning"), &HexWindow::find_winning);
      add(named("get-pv"), &HexWindow::get_line);
      add(named("clear-tt"), &HexWindow::clear_table);
    }
    add("dfpn-get-bounds", &HexWindow::get_bounds);
    add("param_dfpn", &HexWindow::settings);
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
    begin_game(HexBoard(rows, columns));
    return "";
  }
  std::string clear_board(const Arguments&) {
    begin_game(HexBoard(board_.rows(), board_.columns()));
    return "";
  }
  std::string loadsgf(const Arguments& arguments) {
    check_no_more_than(arguments, 2);
    std::optional<std::size_t> before;
    if (arguments.size() > 1) {
      before = static_cast<std::size_t>(count_of(arguments[1], 1, "the number of a move, from 1"));
    }
    begin_game(load_hex_game(argument(arguments, 0, "the name of a file"), before));
    return "";
  }
  void begin_game(HexBoard board) {
    search_.forget();
    board_ = std::move(board);
    clock_.restart();
  }
  std::string play(const Arguments& arguments) {
    check_no_more_than(arguments, 2);
    const Player player = colour_of(argument(arguments, 0, "a colour and a cell"));
    board_.play(player, argument(arguments, 1, "a cell after the colour"));
    search_.forget();
    return "";
  }
  std::string undo(const Arguments&) {
    board_.undo();
    search_.forget();
    return "";
  }
  std::string showboard(const Arguments&) { return "\n" + board_.picture(); }
  std::string final_score(const Arguments&) {
    const std::optional<Player> winner = board_.winner();
    if (!winner) throw Error(ErrorCode::kData, "cannot score: nobody has won yet");
    return winner == Player::kFirst ? "B+" : "W+";
  }

  std::string all_legal_moves(const Arguments& arguments) {
    check_no_more_than(arguments, 1);
    if (!arguments.empty()) colour_of(arguments[0]);
    if (board_.winner()) return "";
    return fmt::format("{}", fmt::join(board_.empty_cells(), " "));
  }
  // Hex has none, but programs that know Go send it.
  std::string komi(const Arguments& arguments) {
    check_no_more_than(arguments, 1);
    const std::string& text = argument(arguments, 0, "a number");
    double number = 0;
    if (!parse_real(text, &number)) {
      throw Error(ErrorCode::kData, "expected a number, not " + quoted(text));
    }
    return "";
  }

  // ---- moves -----------------------------------------------------------------------------------

  std::string genmove(const Arguments& arguments) {
    const Player player = colour_of(argument(arguments, 0, "a colour"));
    const auto begin = Clock::now();
    std::string move = chosen(player);
    board_.play(player, move);
    clock_.take(player, seconds_since(begin));
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

  std::string time_settings(const Arguments& arguments) {
    check_no_more_than(arguments, 3);
    const double main = seconds_from(argument(arguments, 0, "seconds of main time"));
    const double byo_yomi = seconds_from(argument(arguments, 1, "seconds of byo-yomi"));
    clock_.set(main, byo_yomi, moves_from(argument(arguments, 2, "moves of byo-yomi")));
    return "";
  }
  // Sets a clock; with less than a time it says what is left, as programs of benzene do.
  std::string time_left(const Arguments& arguments) {
    check_no_more_than(arguments, 3);
    if (arguments.empty()) {
      return fmt::format("Black: {}, White: {}", left_text(Player::kFirst),
                         left_text(Player::kSecond));
    }
    const Player player = colour_of(arguments[0]);
    if (arguments.size() == 1) return left_text(player);
    const double seconds = seconds_from(arguments[1]);
    clock_.set_left(player, seconds, arguments.size() > 2 ? moves_from(arguments[2]) : 0);
    return "";
  }
  std::string left_text(Player player) const {
    const std::optional<double> left = clock_.left(player);
    return left ? fmt::format("{:.1f}", *left) : "no limit";
  }
  // How long to search for a proof: random games may take as long again.
  double seconds_of(Player player) const {
    const auto moves = static_cast<int>(board_.empty_cells().size() / 4) + 2;
    const std::optional<double> share = clock_.share(player, moves);
    const double most = options_.thinking.seconds;
    return share ? std::min(most, *share / 2) : most;
  }

  // It is proven if there is time, else what random games say. HexGui interrupts by a comment.
  std::string chosen(Player player) {
    search_.forget();
    const SetUp at = board_.position(player);
    if (make_position(board_.game(), at.position)->finished()) {
      throw Error(ErrorCode::kData, "the game is over");
    }
    IdleSearch search(options_.thinking, board_.game(), at.position, "win");
    const auto begin = Clock::now();
    const auto passed = [&] { return seconds_since(begin); };
    const double seconds = seconds_of(player);
    search.run([&] { return passed() >= seconds || is_interrupted(); });
    const SolveResult result = search.solver().result();
    const bool swaps = options_.swap && player == Player::kSecond && board_.may_swap();
    if (result.verdict == Verdict::kProved) return cell_shown(*result.best_move, at);
    if (result.verdict == Verdict::kDisproved) return swaps ? "swap-pieces" : "resign";
    if (swaps && looks_lost(at.position)) return "swap-pieces";
    const std::string liked = best_by_playouts(
        options_.thinking, board_.game(), at.position, search.lost_moves(),
        [this] { return is_interrupted(); }, [&] { return passed() >= 2 * seconds; });
    if (!liked.empty()) return cell_shown(liked, at);
    // It was interrupted before random games said anything: what the search would look at next.
    if (result.best_move) return cell_shown(*result.best_move, at);
    return cell_shown(make_position(board_.game(), at.position)->moves().front(), at);
  }
  bool is_interrupted() {
    return input_.has([](std::string_view line) { return line.starts_with("# interrupt"); });
  }
  // Do random games win less than half after every move? Not so if they are interrupted.
  bool looks_lost(const std::string& position) {
    const auto moves = estimate_moves(options_.thinking, board_.game(), position,
                                      [this] { return is_interrupted(); });
    return !moves.empty() && std::all_of(moves.begin(), moves.end(),
                                         [](const MoveEstimate& move) { return move.share < 0.5; });
  }

  // ---- analysis --------------------------------------------------------------------------------

  std::string solve(const Arguments& arguments) {
    search_.begin(board_, asker_of(arguments));
    goes_on_ = true;
    return fmt::format("does {} win? {}", player_name(search_.asker()), search_.algorithm());
  }
  // The colour that a command names, if it does: whose turn the stones say.
  static std::optional<Player> asker_of(const Arguments& arguments) {
    check_no_more_than(arguments, 1);
    if (arguments.empty()) return std::nullopt;
    return colour_of(arguments[0]);
  }
  std::string stop(const Arguments&) {
    std::string text = search_.begun() ? search_.status() : "nothing is being solved";
    search_.forget();
    return text;
  }
  std::string status(const Arguments&) { return search_.status(); }
  std::string proof_numbers(const Arguments&) { return search_.proof_numbers(); }
  std::string zone(const Arguments&) { return search_.zone(); }
  std::string line(const Arguments&) { return search_.line(); }
  // Win rates are in percent.
  std::string winrates(const Arguments& arguments) {
    const SetUp at = board_.position(asker_of(arguments));
    if (make_position(board_.game(), at.position)->finished()) {
      throw Error(ErrorCode::kData, "the game is over");
    }
    const auto estimates = estimate_moves(options_.thinking, board_.game(), at.position,
                                          [this] { return is_interrupted(); });
    if (estimates.empty()) throw Error(ErrorCode::kData, "interrupted");
    std::string text;
    for (const MoveEstimate& estimate : estimates) {
      text += fmt::format("{}{} {:.1f}", text.empty() ? "" : " ", cell_shown(estimate.move, at),
                          100 * estimate.share);
    }
    return text;
  }

  // ---- what programs of benzene are asked ------------------------------------------------------

  // Searches until decided, interrupted, or out of memory or of `timelimit`. Asked again, it goes
  // on.
  std::string solve_state(const Arguments& arguments) {
    const std::optional<Player> player = asker_of(arguments);
    if (board_.winner()) return winner_name(board_.winner());
    search_.go_on(board_, player);
    goes_on_ = false;
    const auto begin = Clock::now();
    double next = kPictureSeconds;
    const auto shows = [&] { return pictures_ && seconds_since(begin) >= next; };
    while (search_.work([&] { return shows() || is_stopped(begin); }) && !is_stopped(begin)) {
      write_stdout(search_.picture());
      next = seconds_since(begin) + kPictureSeconds;
    }
    if (pictures_) write_stdout(search_.picture());
    return winner_name(search_.winner());
  }
  bool is_stopped(Clock::time_point begin) {
    return (time_limit_ > 0 && seconds_since(begin) >= time_limit_) || is_interrupted() ||
           reader_is_gone();
  }
  std::string get_bounds(const Arguments& arguments) {
    search_.check_asker(asker_of(arguments));
    return search_.bounds();
  }
  std::string get_line(const Arguments& arguments) {
    search_.check_asker(asker_of(arguments));
    return search_.line();
  }
  std::string clear_table(const Arguments& arguments) {
    check_no_more_than(arguments, 0);
    search_.forget();
    return "";
  }

  // Asks about each move, one after the other. A list that is not complete is told as a failure.
  std::string find_winning(const Arguments& arguments) {
    check_no_more_than(arguments, 1);
    const SetUp at = board_.position(colour_of(argument(arguments, 0, "a colour")));
    const auto position = make_position(board_.game(), at.position);
    if (position->finished()) throw Error(ErrorCode::kData, "the game is over");
    const auto begin = Clock::now();
    TableKeeper keeper;
    std::vector<std::string> winning;
    std::vector<std::string> open;
    for (const std::string& move : position->moves()) {
      position->play(move);
      const std::optional<bool> wins = has_won(*position, &keeper, begin);
      position->undo();
      if (!wins || *wins) (wins ? winning : open).push_back(cell_shown(move, at));
    }
    std::string found = fmt::format("{}", fmt::join(winning, " "));
    if (open.empty()) return found;
    throw Error(ErrorCode::kData,
                fmt::format("not known of {}; proven to win: {}", fmt::join(open, " "),
                            winning.empty() ? "none" : found));
  }
  // Has who made the last move? Nothing if that is not found out.
  std::optional<bool> has_won(const AnyPosition& position, TableKeeper* keeper,
                              Clock::time_point begin) {
    if (position.finished()) return true;  // nobody's last move loses
    IdleSearch search(options_.thinking, position.game(), position.text(), "win", keeper);
    search.run([&] { return is_stopped(begin); });
    if (!search.decided()) return std::nullopt;
    return search.solver().result().verdict == Verdict::kDisproved;
  }

  // Settings as benzene's programs list and set them, of which there are two here.
  std::string settings(const Arguments& arguments) {
    if (arguments.empty()) {
      return fmt::format("\n[bool] use_guifx {}\n[string] timelimit {}", pictures_ ? 1 : 0,
                         time_limit_);
    }
    check_no_more_than(arguments, 2);
    const std::string& value = argument(arguments, 1, "a value after the name");
    if (arguments[0] == "use_guifx") {
      if (value != "0" && value != "1") {
        throw Error(ErrorCode::kData, "use_guifx must be 0 or 1, not " + quoted(value));
      }
      pictures_ = value == "1";
    } else if (arguments[0] == "timelimit") {
      time_limit_ = seconds_from(value);
    } else {
      throw Error(
          ErrorCode::kData,
          fmt::format("unknown setting {}; there is: use_guifx, timelimit", quoted(arguments[0])));
    }
    return "";
  }

  HexWindowOptions options_;
  HexBoard board_;
  LineInput input_;
  GtpLoop loop_;
  GameClock clock_;
  HexSearch search_;       // of the position on the board
  bool goes_on_ = false;   // while no command comes
  bool pictures_ = false;  // of solve_state()
  double time_limit_ = 0;  // of solve_state() and find_winning(), in seconds; 0: none
};

}  // namespace

void run_hex_window(const HexWindowOptions& options) { HexWindow(options).run(); }

}  // namespace playproof
