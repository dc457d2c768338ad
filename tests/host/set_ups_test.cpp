// Hex positions that are set up, with any stones and either side to move: every algorithm with all
// its knowledge against an exhaustive search of its own; certificates, zones, lines, what is saved.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "certified.h"
#include "games/hex/text.h"
#include "host/table/kept_table.h"
#include "saved.h"
#include "support.h"
#include "tests/conformance.h"
#include "tests/kernels/hex_set_ups.h"

namespace playproof::set_ups_test {
namespace {

using Board = Hex<1>;

// Who wins which position of a board of up to 16 cells, found once it is asked for: chains by
// neighbours, positions by numbers to the base of 3.
class SetUpTruth {
 public:
  SetUpTruth(int rows, int columns) : rows_(rows), columns_(columns), cells_(rows * columns) {
    std::size_t codes = 1;
    for (int cell = 0; cell < cells_; ++cell) codes *= 3;
    winner_.assign(std::size_t{2} * codes, 0);
  }
  bool black_wins(std::uint32_t black, std::uint32_t white, bool black_moves) {
    std::size_t code = 0;
    for (int cell = 0; cell < cells_; ++cell) {
      code = 3 * code + (black >> cell & 1) + std::size_t{2} * (white >> cell & 1);
    }
    return search(code, black, white, black_moves);
  }
  bool black_wins(const Board::State& s) {
    return black_wins(static_cast<std::uint32_t>(s.stones[0][0]),
                      static_cast<std::uint32_t>(s.stones[1][0]),
                      Board::to_move(Board::make_rules(rows_, columns_), s) == Player::kFirst);
  }

 private:
  bool search(std::size_t code, std::uint32_t black, std::uint32_t white, bool black_moves) {
    char& known = winner_[2 * code + (black_moves ? 1 : 0)];
    if (known != 0) return known == 'B';
    bool black_wins = joins(black, true);
    if (!black_wins && !joins(white, false)) {
      black_wins = !black_moves;
      std::size_t digit = 1;  // of the cell
      for (int cell = cells_; cell-- > 0 && black_wins != black_moves; digit *= 3) {
        const std::uint32_t bit = std::uint32_t{1} << cell;
        if (((black | white) & bit) != 0) continue;
        black_wins = black_moves ? search(code + digit, black | bit, white, false)
                                 : search(code + 2 * digit, black, white | bit, true);
      }
    }
    known = black_wins ? 'B' : 'W';
    return black_wins;
  }
  bool joins(std::uint32_t stones, bool black) const {
    std::vector<int> reached;
    const auto reach = [&](int row, int column) {
      if (row < 0 || row >= rows_ || column < 0 || column >= columns_) return;
      const std::uint32_t bit = std::uint32_t{1} << (row * columns_ + column);
      if ((stones & bit) == 0) return;
      stones &= ~bit;
      reached.push_back(row * columns_ + column);
    };
    for (int i = 0; i < (black ? columns_ : rows_); ++i) reach(black ? 0 : i, black ? i : 0);
    for (std::size_t i = 0; i < reached.size(); ++i) {  // NOLINT(modernize-loop-convert): it grows
      const int row = reached[i] / columns_;
      const int column = reached[i] % columns_;
      if (black ? row == rows_ - 1 : column == columns_ - 1) return true;
      for (const auto& [down, right] :
           {std::pair{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, -1}, {-1, 1}}) {
        reach(row + down, column + right);
      }
    }
    return false;
  }

  int rows_;
  int columns_;
  int cells_;
  std::vector<char> winner_;
};

// Every algorithm; those that can know something of Hex with nothing, some and all of it.
const std::vector<std::string>& algorithms() {
  static const std::vector<std::string> kAll = [] {
    std::vector<std::string> all = {"minimax", "mcts", "uct:order=random", "pn2"};
    const std::string small = "table=64KiB,";
    for (const char* tree : {"pn", "deeppn", "wpns", "mcpn", "ppn", "ews"}) {
      const std::string name = std::string(tree) + ':';
      all.push_back(name + "zones=off");
      all.push_back(name + "patterns=20,probe=bridges,fill=captured");
      all.push_back(name + "patterns=20,probe=connections,fill=full");
      all.push_back(name + "patterns=20,probe=connections,fill=full,ask=created");
    }
    for (const char* table : {"dfpn", "pds", "pnstar", "dfppn", "dfews", "alphabeta"}) {
      const std::string name = std::string(table) + ':' + small;
      all.push_back(name + "zones=off");
      all.push_back(name + "patterns=20,probe=bridges,fill=captured");
      all.push_back(name + "patterns=20,probe=connections,fill=full");
    }
    all.push_back("dfpn:" + small + "patterns=20,order=resistance,fill=full");
    all.push_back("dfpn:" + small +
                  "leaf=mustplay,epsilon=0.25,patterns=64,widening=0.25,fill=full");
    return all;
  }();
  return kAll;
}

std::string game_of(const Board::Rules& rules) { return GameText<Board>::canonical(rules); }

// The zone of a position: who wins it wins also where the other one has every cell outside.
bool zone_holds(const Board::Rules& rules, SetUpTruth& truth, const Board::State& s,
                const std::vector<std::string>& cells, bool black_wins) {
  std::uint64_t zone = 0;
  for (const std::string& cell : cells) {
    zone |= std::uint64_t{1} << GameText<Board>::parse_move(rules, cell);
  }
  std::uint64_t stones[2][1] = {{s.stones[0][0]}, {s.stones[1][0]}};
  const int loser = black_wins ? 1 : 0;
  stones[1 - loser][0] &= zone;
  stones[loser][0] = board_word(rules.cells, 0) & ~zone;
  const bool clean = (s.stones[loser][0] & zone) == 0;
  const auto worst = Board::set_up(rules, stones, Board::to_move(rules, s));
  return clean && truth.black_wins(worst) == black_wins;
}

class Asked {
 public:
  Asked(int rows, int columns) : rules_(Board::make_rules(rows, columns)), truth_(rows, columns) {}

  const Board::Rules& rules() const { return rules_; }
  SetUpTruth& truth() { return truth_; }
  // The verdict, its certificate and its zone.
  void expect_right(const Board::State& s, const std::string& algorithm) {
    SolveRequest request = ask(game_of(rules_), algorithm, GameText<Board>::format(rules_, s));
    request.certificate = true;
    const auto solver = make_solver(request);
    const SolveResult result = finish(*solver);
    const bool black_wins = truth_.black_wins(s);
    const bool proved = black_wins == (Board::to_move(rules_, s) == Player::kFirst);
    EXPECT_EQ(result.verdict, proved ? Verdict::kProved : Verdict::kDisproved);
    EXPECT_EQ(result.best_move.has_value(), proved && !Board::finished(rules_, s));
    expect_certified(*solver, request, result);
    if (!result.zone.empty()) {
      EXPECT_TRUE(zone_holds(rules_, truth_, s, result.zone, black_wins));
      ++zones_;
    }
    ++asked_;
    if (::testing::Test::HasFailure()) {
      ADD_FAILURE() << request.game << " '" << request.position << "' " << algorithm;
    }
  }
  int asked() const { return asked_; }
  int zones() const { return zones_; }

 private:
  Board::Rules rules_;
  SetUpTruth truth_;
  int asked_ = 0;
  int zones_ = 0;
};

// Every position, by every algorithm or by some that take turns; by day one position in `by_day`.
void expect_all_right(int rows, int columns, int by_day, std::size_t algorithms_a_position) {
  Asked asked(rows, columns);
  const std::size_t a_position = nightly() ? algorithms_a_position : 1;
  std::uint64_t number = 0;
  std::size_t turn = 0;
  for_each_set_up(asked.rules(), [&](const Board::State& s) {
    if (::testing::Test::HasFailure()) return;
    if (!nightly() && mix64(number++) % static_cast<std::uint64_t>(by_day) != 0) return;
    for (std::size_t i = 0; i < std::min(a_position, algorithms().size()); ++i) {
      asked.expect_right(s, algorithms()[turn++ % algorithms().size()]);
    }
  });
  EXPECT_GT(asked.asked(), 100);
  EXPECT_GT(asked.zones(), asked.asked() / 4);
}

constexpr std::size_t kEvery = ~std::size_t{0};
constexpr std::size_t kFour = 4;

TEST(SetUps, AllOfTwoRowsAndColumns) {
  for (const auto& [rows, columns] : {std::pair{2, 2}, {2, 3}, {3, 2}}) {
    expect_all_right(rows, columns, 1, kEvery);
  }
}
TEST(SetUps, AllOf3x3) { expect_all_right(3, 3, 9, kEvery); }
TEST(SetUps, AllOf2x4) { expect_all_right(2, 4, 5, kEvery); }
TEST(SetUps, AllOf4x2) { expect_all_right(4, 2, 5, kEvery); }
TEST(SetUps, AllOf2x5) { expect_all_right(2, 5, 25, kFour); }
TEST(SetUps, AllOf5x2) { expect_all_right(5, 2, 25, kFour); }

// Of larger boards some, not finished; with few empty cells mostly.
TEST(SetUps, DrawnOnesTo4x4) {
  const int count = nightly() ? 20'000 : 800;
  int made = 0;
  std::size_t turn = 0;
  for (const auto& [rows, columns] : {std::pair{4, 4}, {3, 4}, {4, 3}, {3, 5}, {2, 7}}) {
    Asked asked(rows, columns);
    const int share = rows * columns == 16 ? count / 2 : count / 8;
    for (std::uint64_t seed = 1; asked.asked() < share && !HasFailure(); ++seed) {
      const auto s = random_set_up<Board>(asked.rules(), seed);
      if (Board::finished(asked.rules(), s) || s.count < asked.rules().cells / 4) continue;
      asked.expect_right(s, algorithms()[turn++ % algorithms().size()]);
    }
    made += asked.asked();
  }
  EXPECT_EQ(made, count);
}

// Best moves, lines, bounds and both claims of `value`.
TEST(SetUps, LinesAndValues) {
  std::size_t turn = 0;
  for (const auto& [rows, columns] : {std::pair{3, 3}, {2, 4}, {3, 4}}) {
    const auto rules = Board::make_rules(rows, columns);
    for (std::uint64_t seed = 1; seed <= (nightly() ? 400 : 8) && !HasFailure(); ++seed) {
      const auto s = random_set_up<Board>(rules, seed);
      const std::string position = GameText<Board>::format(rules, s);
      const Truth right = truth(game_of(rules), position);
      for (const char* goal : {"win", "value"}) {
        SolveRequest request =
            ask(game_of(rules), algorithms()[turn++ % algorithms().size()], position, goal);
        request.batch = seed % 2 == 0 || has_table(request.algorithm) ? 1 : 4;
        expect_right(request, right);
      }
    }
  }
}

// Saved after every few steps and loaded again it is the same search.
TEST(SetUps, InPiecesIsTheSameSearch) {
  Draws draws(1);
  for (const std::string& algorithm : algorithms()) {
    if (algorithm == "minimax") continue;
    SCOPED_TRACE(algorithm);
    for (const char* position : {"b3 -- c2 :B", "b3 -- c2 :W", "-- b2 -- c3 a4 :W"}) {
      SolveRequest request = ask("hex:size=4", algorithm, position);
      request.certificate = true;
      request.limits.max_nodes = 3000;
      const auto whole = make_solver(request);
      finish(*whole);
      auto pieces = make_solver(request);
      while (pieces->step(1 + static_cast<std::uint64_t>(draws.below(60))) ==
             StopReason::kRunning) {
        pieces = resumed(request, saved(*pieces));
      }
      expect_same_search(pieces->result(), whole->result());
      whole->self_check();
    }
  }
}

// One table for many positions: among them the same stones with the other side to move, and with
// the same side to move after an even and after an odd number of stones.
TEST(SetUps, OneTableForMany) {
  for (const std::string& name : table_algorithms()) {
    SCOPED_TRACE(name);
    for (const Player attacker : {Player::kFirst, Player::kSecond}) {
      Asked asked(2, 4);
      TableKeeper keeper;
      std::uint64_t number = 0;
      for_each_set_up(asked.rules(), [&](const Board::State& s) {
        if (HasFailure() || mix64(number++) % (nightly() ? 1 : 8) != 0) return;
        if (Board::finished(asked.rules(), s) || Board::to_move(asked.rules(), s) != attacker) {
          return;
        }
        SolveRequest request = ask(game_of(asked.rules()), name + ":table=64KiB",
                                   GameText<Board>::format(asked.rules(), s));
        request.keeper = &keeper;
        const SolveResult result = finish(*make_solver(request));
        const bool proved = asked.truth().black_wins(s) == (attacker == Player::kFirst);
        EXPECT_EQ(result.verdict, proved ? Verdict::kProved : Verdict::kDisproved)
            << request.position;
      });
    }
  }
}

}  // namespace
}  // namespace playproof::set_ups_test
