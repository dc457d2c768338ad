// What a game says of a position that comes again (games/core/game.h, PathRule), and which claims
// that is good for.
//
// Of one path a search need see no more than its first repetition. Where the rule gives every
// repetition the same value, also one that comes late (the third time) or never (infinite play),
// the side that this is good for can stay for ever among the positions where it is safe, and the
// other side, if it can win, can win by getting nearer to the end with every move, which repeats
// nothing. So from a position without a past the game in which the first repetition ends the line
// has the value of the game itself, for any of these rules; the tests compare both. Which rule it
// is matters again once a position has a past: no question has one.
#pragma once

#include <cstdint>

#include "games/core/game.h"
#include "kernels/common/endless_play.h"
#include "kernels/schemes/claim.h"

namespace playproof {

// To the first player, when `mover` has brought it about.
constexpr Value value_of_repetition(PathRule rule, Player mover) {
  if (rule == PathRule::kRepeaterLoses) return mover == Player::kFirst ? Value{-1} : Value{1};
  return value_of_endless_play(rule);
}

// Does who repeats make a difference? Then a proof may need that positions were not there before,
// else at most that some were.
constexpr bool blames_mover(PathRule rule) { return rule == PathRule::kRepeaterLoses; }

// Does the attacker reach what he claims if `mover` repeats a position?
inline bool reached_by_repetition(PathRule rule, const Claim& claim, Player mover) {
  return value_for(claim.attacker, value_of_repetition(rule, mover)) >= claim.threshold;
}

// What a search knows of a claim about a position.
enum class Answer : std::uint8_t { kOpen, kProved, kDisproved, kLast = kDisproved };

// How a search without end, or one that meets a position again, is kept right. Two questions.
// What is said of a position that rests on the path to it (Kishimoto and Müller 2004):
enum class HistoryRule : std::uint8_t {
  kTwins,     // it serves on another path once its proof is walked there and found to hold
  kBaseTwin,  // on its own path alone
  kNone       // wherever it is met, which is wrong: what careless programs do
};
// Numbers that feed on themselves around a cycle (survey S2, section 6.3):
enum class LoopRule : std::uint8_t {
  kTca,       // thresholds rise where a child lies no farther from the root (Kishimoto 2010)
  kDfpnR,     // such children are left out of sums until the others are solved
  kPatience,  // thresholds rise once there was no new leaf for a while (Nagai)
  kNone       // nothing: the search may go on for ever
};

}  // namespace playproof
