// What stored verdicts say against each other, and against what is known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace playproof {

// A run with a verdict, of the columns of `run` (src/store/schema.h).
struct StoredAnswer {
  std::string series, problem, game, position, goal, spec;
  bool proved = false;  // or disproved
  std::optional<std::string> expected;
};

class Contradictions {
 public:
  // Must be called in the order of the plan.
  void add(const StoredAnswer& answer);

  // "series, problem, ...": answers other than what is known, questions (whatever their repetition)
  // with two answers of which neither is such, and positions of which a goal is proved and a lower
  // one disproved: who reaches a goal reaches every lower one. Each in the order of the first run.
  std::vector<std::string> lines() const;

 private:
  // All runs with one verdict.
  struct Verdicts {
    std::optional<std::size_t> first;  // of the runs added
    std::string spec;                  // of that one
    bool wrong = false;                // one of them
  };
  struct GoalAnswers {
    std::string goal;
    std::int64_t least;  // that reaches it
    Verdicts proved, disproved;
    bool both() const { return proved.first && disproved.first; }
  };
  struct Problem {
    std::string name;  // "series, problem"
    std::vector<GoalAnswers> goals;
  };
  struct Line {
    std::size_t first;
    std::string text;
  };
  static std::optional<Line> across_goals(const Problem& problem);

  std::size_t added_ = 0;
  std::vector<std::string> known_;  // against what is known
  std::deque<Problem> problems_;
  std::unordered_map<std::string, Problem*> by_position_;
};

}  // namespace playproof
