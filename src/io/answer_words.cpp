#include "src/io/answer_words.h"

#include <fmt/format.h>

#include <memory>
#include <string_view>

#include "games/words.h"
#include "host/solve/position.h"
#include "src/io/quantities.h"

namespace playproof {
namespace {

// The players as the record calls them that was asked about.
GameWords names_of(const SolveAnswer& answer) {
  const GameWords words = game_words(answer.game);
  return answer.names ? answer.names->words(words) : words;
}

// The two sides of a question in words. Values are for the attacker; of a game without draws a
// value of at least 0 is a win.
class Sides {
 public:
  Sides(const SolveAnswer& answer, const AnyPosition& position)
      : words_(names_of(answer)),
        by_score_(answer.goal.kind == Goal::Kind::kScore || answer.goal.text.starts_with("score")),
        attacker_(words_.of(position.to_move())),
        defender_(words_.of(opponent(position.to_move()))) {}

  bool draws() const { return words_.draws; }
  // "Black to move", "the first player, to move,".
  std::string attacker() const {
    const bool long_name = attacker_.find(' ') != std::string_view::npos;
    return std::string(attacker_) + (long_name ? ", to move," : " to move");
  }
  std::string_view attackers_name() const { return attacker_; }
  std::string_view defender() const { return defender_; }
  std::string against_defender() const { return fmt::format("whatever {} plays", defender_); }
  std::string against_attacker() const { return fmt::format("whatever {} plays", attacker_); }

  // What a side does whose value is at least this: "wins by 4 or more", "at least draws", "ends at
  // most 2 behind".
  std::string at_least(int value) const {
    if (!words_.draws && value == 0) value = 1;
    if (value < 0) return fmt::format("ends at most {} behind", -value);
    if (value == 0) return "at least draws";
    return by_score_ && value > 1 ? fmt::format("wins by {} or more", value) : "wins";
  }
  // What it does not do if its value is less than this.
  std::string not_at_least(int value) const {
    if (value < 1 || (!words_.draws && value == 1)) {
      return value < 0 ? fmt::format("loses by {} or more", 1 - value) : "loses";
    }
    return value > 1 ? fmt::format("cannot force a win by {} or more", value)
                     : "cannot force a win";
  }

 private:
  GameWords words_;
  bool by_score_;
  std::string_view attacker_;
  std::string_view defender_;
};

std::string reason_words(StopReason reason) {
  switch (reason) {
    case StopReason::kNodes:
      return "the limit of nodes came first";
    case StopReason::kMemory:
      return "the limit of memory came first";
    case StopReason::kSeconds:
      return "the limit of time came first";
    case StopReason::kStopped:
      return "the search was stopped";
    case StopReason::kExhausted:
      return "there is no win of the kind that is searched for, however long";
    case StopReason::kCut:
      return "the algorithm's own limits came first";
    default:
      return "the search has not ended";
  }
}

std::string game_over(const AnyPosition& position, const GameWords& words) {
  const int value = position.value();
  if (value == 0) return "the game is over: it is a draw";
  const std::string_view winner = words.of(value > 0 ? Player::kFirst : Player::kSecond);
  const std::string by = words.scores ? fmt::format(" by {}", value > 0 ? value : -value) : "";
  return fmt::format("the game is over: {} has won{}", winner, by);
}

// The value for the attacker is at least the threshold, or is not.
std::string claim_words(const Sides& sides, int threshold, bool proved) {
  if (proved) {
    return fmt::format("{} {}, {}", sides.attacker(), sides.at_least(threshold),
                       sides.against_defender());
  }
  return fmt::format("{} {}: {} {}, {}", sides.attacker(), sides.not_at_least(threshold),
                     sides.defender(), sides.at_least(1 - threshold), sides.against_attacker());
}

std::string value_words(const Sides& sides, int value, bool score) {
  if (value == 0) {
    return fmt::format("the game is a draw: neither {} nor {} can force a win",
                       sides.attackers_name(), sides.defender());
  }
  if (!score) return claim_words(sides, value > 0 ? 1 : 0, value > 0);
  return fmt::format("{} {} by {} if both play their best", sides.attacker(),
                     value > 0 ? "wins" : "loses", value > 0 ? value : -value);
}

std::string open_words(const Sides& sides, const Goal& goal, const SolveResult& result) {
  if (goal.kind == Goal::Kind::kThreshold) {
    return fmt::format("whether {} {} is not decided", sides.attacker(),
                       sides.at_least(goal.threshold));
  }
  if (goal.kind == Goal::Kind::kScore) {
    return fmt::format("the score of {} lies between {} and {}; more is not decided",
                       sides.attacker(), result.lower, result.upper);
  }
  if (!sides.draws()) {
    return fmt::format("whether {} wins or loses is not decided", sides.attacker());
  }
  if (result.lower >= 0) {
    return fmt::format("{}; whether it wins is not decided", claim_words(sides, 0, true));
  }
  if (result.upper <= 0) {
    return fmt::format("{}; whether it draws is not decided", claim_words(sides, 1, false));
  }
  return fmt::format("whether {} wins, draws or loses is not decided", sides.attacker());
}

std::string words_of(const SolveAnswer& answer) {
  const auto position = make_position(answer.game, answer.position);
  if (position->finished()) return game_over(*position, names_of(answer));
  const Sides sides(answer, *position);
  const SolveResult& result = answer.result;
  if (!decided(answer)) {
    return open_words(sides, answer.goal, result) + ": " + reason_words(answer.reason);
  }
  if (answer.goal.kind == Goal::Kind::kThreshold) {
    return claim_words(sides, answer.goal.threshold, result.verdict == Verdict::kProved);
  }
  return value_words(sides, result.lower, answer.goal.kind == Goal::Kind::kScore);
}

}  // namespace

std::string answer_words(const SolveAnswer& answer) {
  std::string text = words_of(answer) + '.';
  const auto& threats = answer.result.threats;
  if (threats && threats->turns > 0) {
    text += threats->turns == 1 ? " This turn completes a line."
            : !threats->alone
                ? fmt::format(" The proof found takes at most {} turns.", threats->turns)
                : fmt::format(" Threats alone win in {} turns.", threats->turns);
  }
  if (text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  if (answer.proof_nodes > 0) {
    text += fmt::format(" The proof has {} {}.", grouped(answer.proof_nodes),
                        answer.proof_nodes == 1 ? "node" : "nodes");
  }
  return text;
}

}  // namespace playproof
