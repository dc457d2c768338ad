// What is told of verdicts that cannot all be right, and in which order.
#include "src/store/contradictions.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace playproof::contradictions_test {
namespace {

StoredAnswer answer(const char* problem, const char* goal, const char* spec, bool proved,
                    std::optional<std::string> expected = {}) {
  return {"s", problem, "hex:size=3", "", goal, spec, proved, std::move(expected)};
}

std::vector<std::string> lines_of(const std::vector<StoredAnswer>& answers) {
  Contradictions contradictions;
  for (const StoredAnswer& a : answers) contradictions.add(a);
  return contradictions.lines();
}

using Lines = std::vector<std::string>;

TEST(Contradictions, AgainstWhatIsKnownInTheOrderOfThePlan) {
  EXPECT_EQ(lines_of({answer("b", "win", "pn", true, "disproved"),
                      answer("a", "win", "pn", false, "proved"),
                      answer("a", "win", "mcts", true, "proved"), answer("c", "win", "pn", true)}),
            (Lines{"s, b, goal win, pn: proved, expected disproved",
                   "s, a, goal win, pn: disproved, expected proved"}));
}

TEST(Contradictions, OfOneQuestionByTheFirstOfEach) {
  EXPECT_EQ(lines_of({answer("b", "win", "x", true), answer("a", "win", "pn", false),
                      answer("a", "win", "pn:2", false), answer("a", "win", "mcts", true),
                      answer("b", "win", "y", false), answer("b", "draw", "y", false)}),
            (Lines{"s, b, goal win: proved by x, disproved by y",
                   "s, a, goal win: proved by mcts, disproved by pn"}));
}

TEST(Contradictions, OnlyWhereNeitherIsToldAlready) {
  EXPECT_EQ(lines_of({answer("a", "win", "pn", true, "proved"),
                      answer("a", "win", "ppn", false, "proved")}),
            (Lines{"s, a, goal win, ppn: disproved, expected proved"}));
  EXPECT_EQ(
      lines_of({answer("a", "win", "pn", true, "disproved"), answer("a", "draw", "x", false)}),
      (Lines{"s, a, goal win, pn: proved, expected disproved"}));
}

TEST(Contradictions, AcrossGoalsTheHighestProvedAndTheLowestDisproved) {
  EXPECT_EQ(lines_of({answer("a", "score>=-2", "w", false), answer("a", "win", "pn", true),
                      answer("a", "draw", "q", false), answer("a", "score>=6", "ppn", true),
                      answer("a", "score>=8", "z", false)}),
            (Lines{"s, a: goal score>=6 proved by ppn, goal score>=-2 disproved by w"}));
  EXPECT_EQ(lines_of({answer("a", "draw", "x", true), answer("a", "win", "pn", false),
                      answer("b", "win", "x", true), answer("c", "draw", "pn", false)}),
            Lines{});
}

}  // namespace
}  // namespace playproof::contradictions_test
