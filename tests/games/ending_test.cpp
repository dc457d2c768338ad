// The exact endings against the obvious rules: whatever the reference rules say by trying
// everything, the ending says too, for both sides and every threshold.
#include "games/othello/ending.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "tests/games/support.h"
#include "tests/nightly.h"

namespace playproof::ending_test {
namespace {

static_assert(HasEnding<Othello>);
static_assert(!HasEnding<Hex<1>> && !HasEnding<PGame>);

// The exact value for Black, by trying everything with the reference rules.
class BruteForce {
 public:
  explicit BruteForce(int size) : rules_{size} {}

  Value value(const RefOthello::State& state) {
    if (RefOthello::finished(rules_, state)) return RefOthello::value(rules_, state);
    std::string key(state.squares.begin(), state.squares.end());
    key += state.mover;
    const auto known = values_.find(key);
    if (known != values_.end()) return known->second;
    const bool black = state.mover == 'X';
    Value best = black ? -128 : 127;
    for (const Move move : RefOthello::moves(rules_, state)) {
      RefOthello::State next = state;
      RefOthello::play(rules_, next, move);
      const Value found = value(next);
      best = black ? std::max(best, found) : std::min(best, found);
    }
    values_.emplace(std::move(key), best);
    return best;
  }
  void forget() { values_.clear(); }

 private:
  RefOthello::Rules rules_;
  std::unordered_map<std::string, Value> values_;
};

// By random play, with this many empty squares left; the side to move may have to pass, and the
// game may be over.
Othello::State played(const Othello::Rules& rules, int empty, Draws& draws) {
  while (true) {
    Othello::State state = Othello::initial(rules);
    while (!Othello::finished(rules, state)) {
      Move moves[Othello::kMaxMoves];
      const int count = Othello::moves(rules, state, moves);
      Othello::play(rules, state, moves[draws.below(count)]);
      if (Ending<Othello>::distance(rules, state) == empty) return state;
    }
  }
}
// Discs thrown on the board: passes, wiped-out colours and finished games are frequent.
Othello::State thrown(const Othello::Rules& rules, int empty, Draws& draws) {
  const int black = draws.below(9);  // eighths of the discs, all and none included
  std::uint64_t discs[2] = {};
  std::uint64_t open = rules.board;
  for (int left = rules.size * rules.size; left > 0; --left) {
    std::uint64_t rest = open;
    for (int skip = draws.below(left); skip > 0; --skip) rest &= rest - 1;
    const std::uint64_t square = rest & (0 - rest);
    open ^= square;
    if (left > empty) discs[draws.below(8) < black ? 0 : 1] |= square;
  }
  return Othello::make_state(rules, discs[0], discs[1], draws.below(2));
}

struct Tried {
  int positions = 0;
  int passes = 0;
  int finished = 0;
  int draws = 0;
};

// The answer decides the threshold as the value does, and its bounds hold.
void expect_answer(const Othello::Rules& rules, const Othello::State& state, Player player,
                   Value threshold, Value value) {
  const EndingAnswer answer = Ending<Othello>::solve(rules, state, player, threshold);
  EXPECT_LE(answer.lower, value);
  EXPECT_GE(answer.upper, value);
  if (value >= threshold) {
    EXPECT_GE(answer.lower, threshold);
  } else {
    EXPECT_LT(answer.upper, threshold);
  }
  EXPECT_GE(answer.nodes, 1u);
}

void expect_right(const Othello::Rules& rules, const Othello::State& state, BruteForce& truth,
                  Draws& draws, Tried& tried) {
  const Value value = truth.value(ReferenceOf<Othello>::state(rules, state));
  for (const Player player : {Player::kFirst, Player::kSecond}) {
    const Value own = value_for(player, value);
    const int most = rules.size * rules.size;
    const int thresholds[] = {
        1, 0, own - 1, own, own + 1, own + 2, -most, most, draws.below(2 * most + 1) - most};
    for (const int threshold : thresholds) {
      SCOPED_TRACE(GameText<Othello>::format(rules, state) + " >= " + std::to_string(threshold));
      expect_answer(rules, state, player, static_cast<Value>(threshold), own);
    }
  }
  ++tried.positions;
  tried.passes += state.legal == 0 && state.finished == 0;
  tried.finished += state.finished != 0;
  tried.draws += value == 0;
}

Tried try_all(int size, int least, int most, int positions, std::uint64_t seed) {
  const Othello::Rules rules = Othello::make_rules(size);
  BruteForce truth(size);
  Draws draws(seed);
  Tried tried;
  for (int i = 0; i < positions; ++i) {
    const int empty = least + i % (most - least + 1);
    const auto state = i % 3 == 0 ? thrown(rules, empty, draws) : played(rules, empty, draws);
    expect_right(rules, state, truth, draws, tried);
    truth.forget();
    if (::testing::Test::HasFailure()) break;
  }
  return tried;
}

TEST(OthelloEnding, FewEmptySquares) {
  for (const int size : {4, 6, 8}) {
    const Tried tried = try_all(size, 0, 5, 3000, 1 + static_cast<std::uint64_t>(size));
    EXPECT_EQ(tried.positions, 3000);
    EXPECT_GT(tried.passes, 100) << size;
    EXPECT_GT(tried.finished, 100) << size;
    EXPECT_GT(tried.draws, 20) << size;
  }
}

TEST(OthelloEnding, SixToEightEmptySquares) {
  const int count = nightly() ? 1200 : 150;
  for (const int size : {4, 6, 8}) {
    const Tried tried = try_all(size, 6, 8, count, 11 + static_cast<std::uint64_t>(size));
    EXPECT_EQ(tried.positions, count);
    EXPECT_GE(tried.passes, nightly() ? 3 : 1) << size;
  }
}

// 4x4 Othello from its start: White wins by 10 (by 8 discs, and two squares stay
// empty). Beyond the 8 empty squares of a recheck node.
TEST(OthelloEnding, WholeGameOnFourByFour) {
  const Othello::Rules rules = Othello::make_rules(4);
  const Othello::State start = Othello::initial(rules);
  expect_answer(rules, start, Player::kFirst, -10, -10);
  expect_answer(rules, start, Player::kFirst, -9, -10);
  expect_answer(rules, start, Player::kSecond, 10, 10);
  expect_answer(rules, start, Player::kSecond, 11, 10);
}

// Positions that two other programs have solved.
TEST(OthelloEnding, TwelveEmptySquares) {
  const Othello::Rules rules = Othello::make_rules(8);
  int lines = 0;
  for (const std::string& line : data_lines("othello-12-exact.txt")) {
    SCOPED_TRACE(line);
    const auto state = GameText<Othello>::parse(rules, line.substr(0, 66));
    const auto value = static_cast<Value>(std::stoi(line.substr(67)));
    const Player mover = Othello::to_move(rules, state);
    for (const int threshold : {1, 0, value - 1, +value, value + 1}) {
      expect_answer(rules, state, mover, static_cast<Value>(threshold), value);
      expect_answer(rules, state, opponent(mover), static_cast<Value>(threshold),
                    static_cast<Value>(-value));
    }
    ++lines;
  }
  EXPECT_EQ(lines, 60);
}

}  // namespace
}  // namespace playproof::ending_test
