#include "src/store/contradictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace playproof {
namespace {

constexpr std::string_view kScore = "score>=";

// The value of a game that just reaches the goal.
std::int64_t least_of(std::string_view goal) {
  if (goal == "win") return 1;
  std::int64_t least = 0;  // a draw
  if (goal.starts_with(kScore)) {
    goal.remove_prefix(kScore.size());
    std::from_chars(goal.data(), goal.data() + goal.size(), least);
  }
  return least;
}

const char* name_of(bool proved) { return proved ? "proved" : "disproved"; }

}  // namespace

void Contradictions::add(const StoredAnswer& answer) {
  const std::size_t number = added_++;
  std::string position = answer.series;
  for (const std::string* part : {&answer.problem, &answer.game, &answer.position}) {
    position.push_back('\0');
    position += *part;
  }
  Problem*& problem = by_position_[std::move(position)];
  if (problem == nullptr) {
    problem =
        &problems_.emplace_back(Problem{fmt::format("{}, {}", answer.series, answer.problem), {}});
  }
  auto goal = std::find_if(problem->goals.begin(), problem->goals.end(),
                           [&](const GoalAnswers& known) { return known.goal == answer.goal; });
  if (goal == problem->goals.end()) {
    goal = problem->goals.insert(goal, {answer.goal, least_of(answer.goal), {}, {}});
  }
  Verdicts& verdicts = answer.proved ? goal->proved : goal->disproved;
  if (!verdicts.first) {
    verdicts.first = number;
    verdicts.spec = answer.spec;
  }
  if (!answer.expected || *answer.expected == name_of(answer.proved)) return;
  verdicts.wrong = true;
  known_.push_back(fmt::format("{}, goal {}, {}: {}, expected {}", problem->name, answer.goal,
                               answer.spec, name_of(answer.proved), *answer.expected));
}

// The highest goal that was proved and the lowest that was disproved.
std::optional<Contradictions::Line> Contradictions::across_goals(const Problem& problem) {
  const GoalAnswers* proved = nullptr;
  const GoalAnswers* disproved = nullptr;
  for (const GoalAnswers& goal : problem.goals) {
    if (goal.both()) return std::nullopt;  // that is told
    if (goal.proved.first && (proved == nullptr || goal.least > proved->least)) proved = &goal;
    if (goal.disproved.first && (disproved == nullptr || goal.least < disproved->least)) {
      disproved = &goal;
    }
  }
  if (proved == nullptr || disproved == nullptr || proved->least <= disproved->least ||
      proved->proved.wrong || disproved->disproved.wrong) {
    return std::nullopt;
  }
  return Line{
      std::min(*proved->proved.first, *disproved->disproved.first),
      fmt::format("{}: goal {} proved by {}, goal {} disproved by {}", problem.name, proved->goal,
                  proved->proved.spec, disproved->goal, disproved->disproved.spec)};
}

std::vector<std::string> Contradictions::lines() const {
  std::vector<Line> questions;
  std::vector<Line> goals;
  for (const Problem& problem : problems_) {
    for (const GoalAnswers& goal : problem.goals) {
      if (!goal.both() || goal.proved.wrong || goal.disproved.wrong) continue;
      questions.push_back({std::min(*goal.proved.first, *goal.disproved.first),
                           fmt::format("{}, goal {}: proved by {}, disproved by {}", problem.name,
                                       goal.goal, goal.proved.spec, goal.disproved.spec)});
    }
    if (auto line = across_goals(problem)) goals.push_back(std::move(*line));
  }
  std::vector<std::string> lines = known_;
  for (std::vector<Line>* some : {&questions, &goals}) {
    std::sort(some->begin(), some->end(),
              [](const Line& a, const Line& b) { return a.first < b.first; });
    for (Line& line : *some) lines.push_back(std::move(line.text));
  }
  return lines;
}

}  // namespace playproof
