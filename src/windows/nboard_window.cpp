#include "src/windows/nboard_window.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <exception>
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
#include "src/formats/game_tree.h"
#include "src/formats/record_reader.h"
#include "src/formats/replay.h"
#include "src/io/internal_error.h"
#include "src/io/line_reader.h"
#include "src/io/output.h"
#include "src/windows/line_input.h"

namespace playproof {
namespace {

constexpr const char* kName = "playproof";
constexpr const char* kNboardGame = "othello";
constexpr std::int64_t kMostDepth = 63;  // 2^63 nodes are no limit

// "F5", "PA": as the protocol writes moves.
std::string move_name(const std::string& move) {
  if (move == "--") return "PA";
  std::string name = move;
  if (name[0] >= 'a' && name[0] <= 'z') name[0] = static_cast<char>(name[0] - 'a' + 'A');
  return name;
}

// A line that asks to stop thinking: the position is about to change, or nobody wants to know.
bool ends_thinking(std::string_view line) {
  return line.starts_with("ping ") || line == "quit" || line == "quit\r";
}

class NBoardWindow {
 public:
  explicit NBoardWindow(ThinkingOptions options)
      : options_(std::move(options)),
        input_(STDIN_FILENO),
        position_(make_position(kNboardGame, "")) {
    const IdleSearch named(options_, kNboardGame, "", "score");  // a wrong name is told now
  }

  void run() {
    while (!quit_) {
      std::string line;
      try {
        if (!input_.next(&line)) return;
      } catch (const LongLine& error) {
        trouble(error.what());
        continue;
      }
      try {
        obey(line);
      } catch (const Error& error) {
        if (error.code() == ErrorCode::kOutput || error.code() == ErrorCode::kUnavailable) throw;
        trouble(error.what());
      } catch (const std::exception& error) {
        trouble(internal_error(error).what());
      }
    }
  }

 private:
  static void trouble(const std::string& text) {
    write_line(fmt::format("status {}: {}", kName, text));
  }

  // What the protocol does not have is passed over, as it asks.
  void obey(const std::string& line) {
    std::size_t at = 0;
    Token command;
    Token word;
    if (!next_token(line, &at, &command)) return;
    const std::size_t rest = at;
    next_token(line, &at, &word);
    if (command.text == "quit") quit_ = true;
    if (command.text == "ping") pong(word.text);
    if (command.text == "learn") write_line("learned");
    if (command.text == "set" && word.text == "depth") set_depth(line.substr(at));
    if (command.text == "set" && word.text == "game") set_game(line.substr(at));
    if (command.text == "move") move(word.text);
    if (command.text == "go") think([this] { go(); });
    if (command.text == "hint") {
      std::int64_t count = 1;
      parse_integer(line.substr(std::min(rest + 1, line.size())), &count);
      think([this, count] {
        hint(static_cast<std::size_t>(std::clamp<std::int64_t>(count, 1, 64)));
      });
    }
  }

  static void pong(std::string_view number) {
    std::int64_t value = 0;
    if (parse_integer(number, &value)) write_line(fmt::format("pong {}", value));
  }

  // Sets as many nodes as there are leaves so deep where each position has two moves.
  void set_depth(std::string_view text) {
    const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
    const std::string_view number = without_trailing_space(text.substr(begin));
    std::int64_t depth = 0;
    if (!parse_integer(number, &depth) || depth < 1) {
      throw Error(ErrorCode::kData, "set depth: expected a number from 1, not " + quoted(number));
    }
    options_.max_nodes = std::uint64_t{1} << std::min(depth, kMostDepth);
    write_line(fmt::format("set myname {}", kName));
  }

  // A game that cannot be read is none: what is asked of it has no answer.
  void set_game(const std::string& text) {
    position_.reset();
    if (!begins_tree(text)) throw Error(ErrorCode::kData, "expected a game in GGF");
    const Record record = read_record(kNboardGame, text);
    position_ = make_position(record.game, record.position);
  }
  void move(std::string_view text) {
    if (!position_) throw Error(ErrorCode::kData, "no game is set");
    Replay replay(position_->game(), position_->text());
    replay.play(std::nullopt, text.substr(0, text.find('/')), {});
    position_ = replay.position().copy();
  }

  // ---- thinking --------------------------------------------------------------------------------

  void think(const std::function<void()>& work) {
    if (!position_) throw Error(ErrorCode::kData, "no game is set");
    if (position_->finished()) throw Error(ErrorCode::kData, "the game is over");
    begin_ = std::chrono::steady_clock::now();
    write_line(fmt::format("status {} is thinking", kName));
    work();
    write_line(fmt::format("status {} is waiting", kName));
  }
  double passed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }
  bool stopped() { return input_.has(ends_thinking); }

  // A search of a position, until so many seconds of thinking have passed.
  IdleSearch search(const std::string& position, double until) {
    IdleSearch search(options_, position_->game(), position, "score");
    search.run([&] { return passed() >= until || stopped(); });
    const SolveResult result = search.solver().result();
    nodes_ += result.counters.nodes_created;
    write_line(fmt::format("nodestats {} {:.2f}", nodes_, passed()));
    return search;
  }

  void go() {
    nodes_ = 0;
    const std::vector<std::string> moves = position_->moves();
    if (moves.size() == 1) {
      write_line(fmt::format("=== {}", move_name(moves[0])));
      return;
    }
    const IdleSearch found = search(position_->text(), options_.seconds);
    if (stopped()) return;
    const SolveResult result = found.solver().result();
    // It is solved, or won: the move keeps what is proven.
    if (found.decided() || result.lower > 0) {
      write_line(fmt::format("=== {}/{:.2f}/{:.2f}", move_name(*result.best_move),
                             static_cast<double>(result.lower), passed()));
      return;
    }
    const std::string move = best_by_playouts(
        options_, position_->game(), position_->text(), found.lost_moves(),
        [this] { return stopped(); }, [this] { return passed() >= 2 * options_.seconds; });
    if (!stopped()) write_line(fmt::format("=== {}//{:.2f}", move_name(move), passed()));
  }

  // The best moves with their exact scores if there is time, else by random games.
  void hint(std::size_t count) {
    nodes_ = 0;
    const IdleSearch found = search(position_->text(), options_.seconds / 2);
    if (stopped()) return;
    if (!found.decided()) {
      random_hints(count);
      return;
    }
    const SolveResult result = found.solver().result();
    std::string line;
    for (const std::string& move : result.principal_variation) line += move_name(move);
    proven_hint(line, result.lower);
    if (count > 1) other_hints(*result.best_move, count - 1);
  }
  static void proven_hint(const std::string& line, int score) {
    write_line(fmt::format("search {} {:.2f} 0 100% proven", line, static_cast<double>(score)));
  }

  // The scores of the other moves, best first.
  void other_hints(const std::string& best, std::size_t count) {
    std::vector<std::pair<int, std::string>> scores;
    const std::unique_ptr<AnyPosition> at = position_->copy();
    for (const std::string& move : position_->moves()) {
      if (move == best) continue;
      at->play(move);
      const Player mover = position_->to_move();
      std::optional<int> score;
      if (at->finished()) {
        score = mover == Player::kFirst ? at->value() : -at->value();
      } else if (passed() < options_.seconds) {
        const IdleSearch found = search(at->text(), options_.seconds);
        if (stopped()) return;
        // After a move it is the other player's score.
        if (found.decided()) score = -found.solver().result().lower;
      }
      at->undo();
      if (score) scores.emplace_back(-*score, move_name(move));
    }
    std::sort(scores.begin(), scores.end());
    for (std::size_t i = 0; i < std::min(count, scores.size()); ++i) {
      proven_hint(scores[i].second, -scores[i].first);
    }
  }

  // The evaluation is the mean result, -1 to 1.
  void random_hints(std::size_t count) {
    auto estimates = estimate_moves(options_, position_->game(), position_->text(),
                                    [this] { return stopped(); });
    std::stable_sort(estimates.begin(), estimates.end(),
                     [](const auto& a, const auto& b) { return a.share > b.share; });
    for (std::size_t i = 0; i < std::min(count, estimates.size()); ++i) {
      write_line(fmt::format("search {} {:.2f} 0 0 {:.1f} % of {} random games",
                             move_name(estimates[i].move), 2 * estimates[i].share - 1,
                             100 * estimates[i].share, options_.playouts));
    }
  }

  ThinkingOptions options_;
  LineInput input_;
  std::unique_ptr<AnyPosition> position_;  // null: the last game could not be read
  std::chrono::steady_clock::time_point begin_;
  std::uint64_t nodes_ = 0;  // since then
  bool quit_ = false;
};

}  // namespace

void run_nboard_window(const ThinkingOptions& options) { NBoardWindow(options).run(); }

}  // namespace playproof
