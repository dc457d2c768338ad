// A game with an evaluation: solvers carry what it guesses, and it decides nothing.
#include "games/core/evaluation.h"

#include <gtest/gtest.h>

#include <concepts>
#include <memory>
#include <string>
#include <vector>

#include "games/list.h"
#include "host/solve/make_table_solver_impl.h"
#include "host/solve/minimax_solver.h"
#include "kernels/numbers/bounds.h"
#include "tests/small_games.h"

namespace playproof {

using Heap = Takings<true, true>;

template <>
struct GameText<Heap> {
  static std::string move_text(const Heap::Rules&, Move move) { return std::to_string(move); }
};
template <>
struct CertificateText<Heap> {
  static std::string game(const Heap::Rules&) { return "heap"; }
  static void append(const Heap::Rules&, const Heap::State& state, std::string* out) {
    *out += std::to_string(state.heap);
  }
};
// Wrong as often as not, and as sure as it can be.
template <>
struct Evaluation<Heap> {
  static Estimate estimate(const Heap::Rules&, const Heap::State& state) {
    return Estimate(state.to_move == 0 ? 1 : -1);
  }
};

namespace evaluation_test {
namespace {

static_assert(HasEvaluation<Heap> && !HasEvaluation<Takings<true, false>>);
// No estimate is taken for a proof, and none is made of one by mistake.
static_assert(!std::convertible_to<Estimate, Value> && !std::convertible_to<Value, Estimate>);
static_assert(!std::constructible_from<Bounds, Estimate>);
template <class T>
concept ValueOfBounds = requires(T value) {
  Bounds::exact(value);
};
static_assert(ValueOfBounds<Value> && !ValueOfBounds<Estimate>);

SolveRequest request(std::uint64_t max_nodes) {
  SolveRequest request;
  request.limits.max_nodes = max_nodes;
  return request;
}
std::unique_ptr<SolverBase<Heap>> by_table(const Heap::Rules& rules, const Heap::State& position,
                                           const Claim& claim, std::uint64_t max_nodes) {
  DepthFirstOptions options;
  options.leaf = {};
  options.symmetry = false;
  options.max_nodes = max_nodes;
  return make_table_solver<Heap>(rules, position, claim, request(max_nodes), {}, {}, options);
}
std::unique_ptr<SolverBase<Heap>> by_minimax(const Heap::Rules& rules, const Heap::State& position,
                                             const Claim& claim, std::uint64_t max_nodes) {
  return std::make_unique<MinimaxSolver<Heap>>(rules, position, claim, request(max_nodes),
                                               SolverNames{}, std::uint64_t{1} << 20);
}

SolveResult solved(SolverBase<Heap>& solver) {
  while (solver.step(100) == StopReason::kRunning) continue;
  return solver.result();
}

TEST(Evaluation, IsCarriedForTheAttackerAndDecidesNothing) {
  int proved = 0;
  int disproved = 0;
  for (std::uint8_t objects = 5; objects <= 12; ++objects) {
    const Heap::Rules rules{objects};
    for (const std::uint8_t side : {std::uint8_t{0}, std::uint8_t{1}}) {
      const Heap::State position{objects, side, 2};
      const Claim claim{static_cast<Player>(side), 1};
      for (const auto& make : {by_table, by_minimax}) {
        const SolveResult cut = solved(*make(rules, position, claim, 2));
        EXPECT_EQ(cut.verdict, Verdict::kUnknown);
        EXPECT_EQ(cut.lower, -1);
        EXPECT_EQ(cut.upper, 1);
        EXPECT_EQ(cut.estimate, Estimate(1));  // whoever is to move
        const SolveResult whole = solved(*make(rules, position, claim, 1 << 20));
        EXPECT_NE(whole.verdict, Verdict::kUnknown);
        EXPECT_EQ(whole.estimate, Estimate(1));
        ++(whole.verdict == Verdict::kProved ? proved : disproved);
      }
    }
  }
  EXPECT_GT(proved, 0);
  EXPECT_GT(disproved, 0);  // whatever was guessed
  // What is over has a value, and is not guessed at.
  EXPECT_FALSE(solved(*by_table({5}, {0, 0, 2}, {Player::kFirst, 1}, 9)).estimate);
}

}  // namespace
}  // namespace evaluation_test
}  // namespace playproof
