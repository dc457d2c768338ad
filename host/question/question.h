// What is asked of a search, within which limits, and how it may end.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "games/core/game.h"
#include "kernels/schemes/claim.h"

namespace playproof {

// Can the attacker (the side to move at the position given) reach the goal?
enum class Verdict : std::uint8_t { kUnknown, kProved, kDisproved };
const char* to_string(Verdict verdict);  // "unknown", "proved", "disproved"

// What is asked. kThreshold goals are one claim "value for the attacker >= threshold":
// win = 1, draw = 0, score>=N = N. kValue and kScore end in two claims.
struct Goal {
  enum class Kind : std::uint8_t { kThreshold, kValue, kScore };
  Kind kind = Kind::kThreshold;
  int threshold = 1;
  std::string text = "win";  // canonical
};
// "win", "draw", "score>=N", "value", "score". Throws Error(kUsage). Scores need a game that has
// them (check_goal() sees to that and the range).
Goal parse_goal(const std::string& text);

struct SearchLimits {
  static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t max_nodes = kNone;  // nodes created
  double max_seconds = 0;           // 0: none
  std::uint64_t max_memory = 0;     // bytes of the tree; 0: 4/5 of the machine's or container's
};

// Throws Error(kUsage) if the goal asks for scores and the game, whose values are -max_value ..
// max_value, has none, or not so many.
void check_goal(const Goal& goal, const std::string& game, int max_value);
// Bytes a search may use: the limit asked for, else four fifths of the machine's memory.
std::uint64_t memory_limit(const SearchLimits& limits);

enum class StopReason : std::uint8_t {
  kRunning,
  kDecided,
  kNodes,
  kMemory,
  kSeconds,
  kStopped,
  kExhausted,  // of a search for one kind of win alone: there is none, which decides nothing
  kCut,        // an option of the algorithm has cut it short
  kLast = kCut
};
// "decided", "nodes", "memory", "seconds", "stopped", "exhausted", "cut"
const char* to_string(StopReason reason);

}  // namespace playproof
