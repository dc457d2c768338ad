#include "src/formats/answer_formats.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <memory>
#include <sstream>

#include "games/core/error.h"
#include "games/core/spec.h"
#include "games/core/text_tools.h"
#include "host/solve/position.h"
#include "src/formats/record.h"
#include "src/formats/replay.h"
#include "src/io/machine.h"

namespace playproof {
namespace {

constexpr std::array<const char*, 4> kNames = {"text", "obf", "ggf", "sgf"};

std::string in_capitals(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

// Values of SGF: what would end them, or the name of a program, is escaped.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == ']' || c == '\\' || c == ':') out += '\\';
    out += c;
  }
  return out;
}

std::string comment(const SolveAnswer& answer) {
  std::string text = fmt::format("goal {}, {}", answer.goal.text, to_string(answer.result.verdict));
  if (decided(answer) && answer.goal.kind != Goal::Kind::kThreshold) {
    text = fmt::format("{} {} for the side to move", answer.goal.text, verdict_text(answer));
  }
  const char* move = decided(answer) ? "best move" : "what looks best";
  if (answer.result.best_move) text += fmt::format("; {} {}", move, *answer.result.best_move);
  if (decided(answer) && answer.result.principal_variation.size() > 1) {
    text += fmt::format("; line {}", fmt::join(answer.result.principal_variation, " "));
  }
  return text + fmt::format("; by {}", answer.algorithm);
}

// Is the best move's score proven? That of the position is, then.
bool has_score(const SolveAnswer& answer) {
  return answer.goal.kind == Goal::Kind::kScore && decided(answer) && answer.result.best_move;
}

std::string obf(const SolveAnswer& answer) {
  std::string text = make_position(answer.game, answer.position)->text() + ";";
  if (!has_score(answer)) return text;
  const std::string& move = *answer.result.best_move;
  return text +
         fmt::format(" {}:{:+};", move == "--" ? "PA" : in_capitals(move), answer.result.lower);
}

std::string ggf(const SolveAnswer& answer) {
  std::string board = make_position(answer.game, answer.position)->text();
  std::replace(board.begin(), board.end(), 'X', '*');
  const std::string size = answer.game.substr(answer.game.find('=') + 1);
  return fmt::format("(;GM[Othello]PC[playproof]PB[?]PW[?]RE[?]TY[{0}]BO[{0} {1}]C[{2}];)", size,
                     board, comment(answer));
}

// A move as a point of SGF.
std::string point(const std::string& game, const std::string& move) {
  if (game == "connect6") return in_lower_case(move);
  int column = 0;
  int row = 0;
  const bool as_written = game == "hex" || game == "loa";
  if (as_written || !parse_letter_number(move, &column, &row)) return move;
  return {static_cast<char>('a' + column), static_cast<char>('a' + row)};
}

struct Setup {
  std::string points[2];  // "[a1][b2]", by player
  Player to_move = Player::kFirst;
};

// The stones of a position of a game whose positions are lists of them; in those of Hex passes and
// sides to move may stand.
Setup stones_of(const std::string& game, const AnyPosition& position, bool mirrored) {
  Setup setup;
  const auto shown = [&](Player player) { return mirrored ? opponent(player) : player; };
  const bool by_turns = game == "hex";
  const std::unique_ptr<AnyPosition> replay = make_position(position.game(), "");
  std::istringstream words(position.text());
  Player player = Player::kFirst;
  for (std::string word; words >> word;) {
    if (word[0] == ':') {
      player = word == ":B" ? Player::kFirst : Player::kSecond;
      continue;
    }
    if (!by_turns) player = replay->to_move();
    if (word != "--") {
      const std::string cell = mirrored ? mirrored_cell(word) : word;
      setup.points[static_cast<int>(shown(player))] += fmt::format("[{}]", point(game, cell));
    }
    if (!by_turns) replay->play(word);
    player = opponent(player);
  }
  setup.to_move = shown(position.to_move());
  return setup;
}

// Those of a position that is written as its board.
Setup discs_of(const std::string& game, const AnyPosition& position, int size) {
  Setup setup;
  const std::string board = position.text();
  for (int square = 0; square < size * size; ++square) {
    const char disc = board[static_cast<std::size_t>(square)];
    if (disc == '-') continue;
    setup.points[disc == 'X' ? 0 : 1] +=
        fmt::format("[{}]", point(game, letter_number(square % size, square / size)));
  }
  setup.to_move = position.to_move();
  return setup;
}

// The moves of the answer as the file of a mirrored record names them.
SolveAnswer with_mirrored_moves(SolveAnswer answer) {
  SolveResult& result = answer.result;
  if (result.best_move) result.best_move = mirrored_cell(*result.best_move);
  for (std::string& move : result.principal_variation) move = mirrored_cell(move);
  return answer;
}

std::string sgf(const SolveAnswer& answer, bool mirrored) {
  const AskedGame game(answer.game);
  const std::unique_ptr<AnyPosition> position = make_position(answer.game, answer.position);
  const bool board = game.name() == "othello" || game.name() == "loa";
  const Setup setup = board ? discs_of(game.name(), *position, game.rows())
                            : stones_of(game.name(), *position, mirrored);
  const bool square = game.rows() == game.columns();
  const int rows = mirrored ? game.columns() : game.rows();
  const int columns = mirrored ? game.rows() : game.columns();
  std::string text =
      fmt::format("(;FF[4]GM[{}]AP[playproof]SZ[{}]",
                  game.name() == "hex"       ? 11
                  : game.name() == "othello" ? 2
                  : game.name() == "loa"     ? 9
                                             : 4,  // of lines of five: Connect6 has none of its own
                  square ? std::to_string(rows) : fmt::format("{}:{}", columns, rows));
  if (game.name() == "connect6") text += fmt::format("RU[{}]", escaped(game.canonical()));
  if (!setup.points[0].empty()) text += "AB" + setup.points[0];
  if (!setup.points[1].empty()) text += "AW" + setup.points[1];
  text += setup.to_move == Player::kFirst ? "PL[B]" : "PL[W]";
  text += fmt::format("\nC[{}]", escaped(comment(answer)));
  if (answer.result.best_move && *answer.result.best_move != "--") {
    // Of a move from one point to another, as b1-b3, the one that it ends on.
    const std::string& best = *answer.result.best_move;
    text += fmt::format("LB[{}:1]", point(game.name(), best.substr(best.find('-') + 1)));
  }
  return text + ")";
}

}  // namespace

AnswerFormat parse_answer_format(const std::string& text) {
  const auto found = std::find(kNames.begin(), kNames.end(), text);
  if (found == kNames.end()) {
    throw Error(ErrorCode::kUsage, fmt::format("--format must be one of {}, not {}",
                                               fmt::join(kNames, ", "), quoted(text)));
  }
  return static_cast<AnswerFormat>(found - kNames.begin());
}

void check_answer_format(AnswerFormat format, const std::string& game) {
  const std::string name = parse_spec(game).name;
  const bool othello = name == "othello";
  const bool board = othello || name == "hex" || name == "connect6" || name == "loa";
  if (format == AnswerFormat::kText || (format == AnswerFormat::kSgf ? board : othello)) return;
  throw Error(
      ErrorCode::kUsage,
      fmt::format("--format {} is of {}, not of {}", kNames[static_cast<int>(format)],
                  format == AnswerFormat::kSgf ? "hex, othello, loa and connect6" : "othello",
                  name));
}

std::string answer_in(AnswerFormat format, const SolveAnswer& answer, bool mirrored) {
  switch (format) {
    case AnswerFormat::kObf:
      return obf(answer);
    case AnswerFormat::kGgf:
      return ggf(answer);
    case AnswerFormat::kSgf:
      return sgf(mirrored ? with_mirrored_moves(answer) : answer, mirrored);
    case AnswerFormat::kText:
      break;
  }
  return answer_text(answer);
}

}  // namespace playproof
