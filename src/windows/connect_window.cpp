#include "src/windows/connect_window.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "games/connect/text.h"
#include "games/core/error.h"
#include "games/core/spec.h"
#include "src/formats/game_tree.h"
#include "src/io/line_reader.h"
#include "src/io/output.h"
#include "src/windows/connect_player.h"
#include "src/windows/line_input.h"

namespace playproof {
namespace {

using Game = Connect<6>;

constexpr std::int64_t kUsualDepth = 5;  // of the window's levels, 4 to 6

class ConnectWindow {
 public:
  explicit ConnectWindow(const ConnectWindowOptions& options)
      : work_(options.work), input_(STDIN_FILENO), state_(Game::initial(player_.rules())) {}

  void run() {
    while (!quit_) {
      std::string line;
      try {
        if (!input_.next(&line)) return;
        obey(line);
      } catch (const LongLine& error) {
        write_line(std::string("error ") + error.what());
      } catch (const Error& error) {
        if (error.code() == ErrorCode::kOutput) throw;
        write_line(std::string("error ") + error.what());
      }
    }
  }

 private:
  void obey(const std::string& line) {
    std::size_t at = 0;
    Token command;
    Token word;
    if (!next_token(line, &at, &command)) return;
    next_token(line, &at, &word);
    const std::string_view name = command.text;
    if (name == "quit" || name == "exit") {
      quit_ = true;
    } else if (name == "name") {
      write_line("name playproof");
    } else if (name == "new") {  // whose side the program is on does not matter
      state_ = Game::initial(player_.rules());
    } else if (name == "black" || name == "white") {
      place(name == "black" ? Player::kFirst : Player::kSecond, word.text);
    } else if (name == "move") {
      place(Game::to_move(player_.rules(), state_), word.text);
      answer();
    } else if (name == "next") {
      answer();
    } else if (name == "depth") {
      set_depth(word.text);
    } else if (name == "vcf" || name == "unvcf") {
      threats_ = name == "vcf";
    } else {
      throw Error(ErrorCode::kUsage, "unknown command " + quoted(name));
    }
  }

  // One level more looks at four times as many pairs.
  void set_depth(std::string_view text) {
    std::int64_t depth = 0;
    if (!parse_integer(text, &depth) || depth < 1) {
      throw Error(ErrorCode::kData, "depth: expected a number from 1, not " + quoted(text));
    }
    depth_ = std::min<std::int64_t>(depth, 2 * kUsualDepth);
  }
  std::uint64_t work() const {
    if (!threats_) return 0;
    const std::int64_t more = 2 * (depth_ - kUsualDepth);
    return std::max<std::uint64_t>(1, more < 0 ? work_ >> -more : work_ << more);
  }

  // The stones of a turn in one word; the first of the game may be there twice.
  void place(Player player, std::string_view word) {
    const Game::Rules& rules = player_.rules();
    if (Game::finished(rules, state_)) throw Error(ErrorCode::kData, "the game is over");
    if (Game::to_move(rules, state_) != player) {
      throw Error(ErrorCode::kData,
                  player == Player::kFirst ? "White is to move" : "Black is to move");
    }
    if (word.size() != 2 && word.size() != 4) {
      throw Error(ErrorCode::kData,
                  "expected the stones of a turn such as KIJH, not " + quoted(word));
    }
    Game::State next = state_;
    std::string_view before;
    for (std::string_view rest = word; !rest.empty(); rest.remove_prefix(2)) {
      const std::string_view stone = rest.substr(0, 2);
      if (stone == before) break;
      before = stone;
      const Move move = GameText<Game>::parse_move(rules, stone);
      if (move == kNoMove) throw Error(ErrorCode::kData, quoted(stone) + " is off the board");
      const bool free = !has_cell(next.stones[0], move) && !has_cell(next.stones[1], move);
      const bool his = !Game::finished(rules, next) && Game::to_move(rules, next) == player;
      if (!free || !his) {
        throw Error(ErrorCode::kData,
                    quoted(stone) + (free ? " is a stone too many" : " is not free"));
      }
      Game::play(rules, next, move);
    }
    state_ = next;
  }

  // Plays, and says what.
  void answer() {
    const Game::Rules& rules = player_.rules();
    if (Game::finished(rules, state_)) throw Error(ErrorCode::kData, "the game is over");
    const auto wanted = [](std::string_view line) { return line.starts_with("quit"); };
    const ConnectChoice choice = player_.choose(state_, work(), [&] { return input_.has(wanted); });
    const Player player = Game::to_move(rules, state_);
    std::string stones;
    for (const Move move : choice.stones) {
      if (Game::finished(rules, state_) || Game::to_move(rules, state_) != player) break;
      stones += GameText<Game>::move_text(rules, move);
      Game::play(rules, state_, move);
    }
    if (choice.proven) write_line("Win by VCF.");
    if (stones.size() == 2) stones += stones;  // readers expect two stones
    write_line("move " + stones);
  }

  std::uint64_t work_;
  std::int64_t depth_ = kUsualDepth;
  bool threats_ = true;
  LineInput input_;
  ConnectPlayer player_;
  Game::State state_;
  bool quit_ = false;
};

}  // namespace

void run_connect_window(const ConnectWindowOptions& options) { ConnectWindow(options).run(); }

}  // namespace playproof
