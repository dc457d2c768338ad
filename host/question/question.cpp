#include "host/question/question.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string_view>
#include <vector>

#include "games/core/error.h"
#include "games/core/spec.h"

namespace playproof {
namespace {

// What the control group of the process may use; no limit where there is none.
std::uint64_t container_memory() {
  std::uint64_t bytes = SearchLimits::kNone;
  std::ifstream file("/sys/fs/cgroup/memory.max");  // a number, or the word "max"
  if (!(file >> bytes)) bytes = SearchLimits::kNone;
  return bytes;
}

// The memory of the machine or of the container.
std::uint64_t machine_memory() {
  const auto pages = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES));
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return std::min(pages * page, container_memory());
}

}  // namespace

void check_goal(const Goal& goal, const std::string& game, int max_value) {
  const bool score = goal.kind == Goal::Kind::kScore || goal.text.starts_with("score");
  if (!score) return;
  if (max_value <= 1) {
    throw Error(ErrorCode::kUsage,
                "goal " + goal.text + ": " + game + " has no scores; there is: win, draw, value");
  }
  if (goal.kind == Goal::Kind::kThreshold &&
      (goal.threshold < -max_value || goal.threshold > max_value)) {
    throw Error(ErrorCode::kUsage, "goal " + goal.text + ": N must be " +
                                       std::to_string(-max_value) + ".." +
                                       std::to_string(max_value) + " in " + game);
  }
}

const char* to_string(Verdict verdict) {
  static constexpr const char* kNames[] = {"unknown", "proved", "disproved"};
  return kNames[static_cast<int>(verdict)];
}

const char* to_string(StopReason reason) {
  static constexpr const char* kNames[] = {"running", "decided", "nodes",     "memory",
                                           "seconds", "stopped", "exhausted", "cut"};
  return kNames[static_cast<int>(reason)];
}

Goal parse_goal(const std::string& text) {
  if (text == "win") return {Goal::Kind::kThreshold, 1, text};
  if (text == "draw") return {Goal::Kind::kThreshold, 0, text};
  if (text == "value") return {Goal::Kind::kValue, 0, text};
  if (text == "score") return {Goal::Kind::kScore, 0, text};
  constexpr std::string_view kScore = "score>=";
  std::int64_t n = 0;
  if (text.starts_with(kScore)) {
    const std::string_view whole = text;
    std::string_view digits = whole.substr(kScore.size());
    if (digits.starts_with('+')) digits.remove_prefix(1);
    if (parse_integer(digits, &n) && n >= -64 && n <= 64) {
      return {Goal::Kind::kThreshold, static_cast<int>(n), std::string(kScore) + std::to_string(n)};
    }
    throw Error(ErrorCode::kUsage,
                "goal score>=N: N must be a whole number -64..64" + not_a_number(digits));
  }
  const std::vector<std::string> known = {"win", "draw", "score>=N", "value", "score"};
  throw Error(ErrorCode::kUsage, "unknown goal '" + text +
                                     "'; there is: win, draw, score>=N, value, score; nearest: '" +
                                     nearest_match(text, known) + "'");
}

std::uint64_t memory_limit(const SearchLimits& limits) {
  if (limits.max_memory != 0) return limits.max_memory;
  static const std::uint64_t bytes = machine_memory();  // a short search asks ten times
  return bytes / 5 * 4;
}

}  // namespace playproof
