#include "src/formats/expected.h"

#include <fmt/format.h>

#include <algorithm>

namespace playproof {
namespace {

int sign(int value) { return (value > 0) - (value < 0); }

const char* word_of(int value) { return value > 0 ? "win" : value < 0 ? "loss" : "draw"; }

// The goals `score` and `value` ask for the number itself.
Expected of_number(const SolveAnswer& answer, int value, std::string text) {
  Expected expected;
  expected.text = std::move(text);
  const SolveResult& result = answer.result;
  if (decided(answer)) expected.agrees = result.lower == value;
  if (value < result.lower || value > result.upper) expected.agrees = false;
  return expected;
}

// What is expected of one claim.
Expected of_claim(const SolveAnswer& answer, bool reached) {
  Expected expected;
  expected.text = to_string(reached ? Verdict::kProved : Verdict::kDisproved);
  if (decided(answer))
    expected.agrees = answer.result.verdict == (reached ? Verdict::kProved : Verdict::kDisproved);
  return expected;
}

// The file's score of the best move, if it is another one than that of the position.
std::string other_score(const SolveAnswer& answer, const Known& known) {
  if (!decided(answer) || answer.goal.kind != Goal::Kind::kScore) return {};
  for (const auto& [move, score] : known.moves) {
    if (move == answer.result.best_move && score != answer.result.lower) {
      return fmt::format("the record gives {} a score of {}, the search {}", move, score,
                         answer.result.lower);
    }
  }
  return {};
}

}  // namespace

std::optional<Expected> expected_of(const SolveAnswer& answer, const Record& record) {
  if (!record.known) return std::nullopt;
  const Known& known = *record.known;
  Expected expected;
  if (answer.goal.kind == Goal::Kind::kScore) {
    if (!known.score) return std::nullopt;
    expected = of_number(answer, known.value, std::to_string(known.value));
  } else if (answer.goal.kind == Goal::Kind::kValue) {
    expected = of_number(answer, sign(known.value), word_of(known.value));
  } else {
    const int threshold = answer.goal.threshold;
    // Who knows only the winner knows no score.
    if (!known.score && threshold != 0 && threshold != 1) return std::nullopt;
    expected = of_claim(answer, known.value >= threshold);
  }
  if (expected.agrees == false) {
    expected.why = fmt::format(
        "the record says {}, the search {}", expected.text,
        decided(answer) ? verdict_text(answer)
                        : fmt::format("{}..{}", answer.result.lower, answer.result.upper));
  } else if (std::string other = other_score(answer, known); !other.empty()) {
    expected.agrees = false;
    expected.why = std::move(other);
  }
  return expected;
}

}  // namespace playproof
