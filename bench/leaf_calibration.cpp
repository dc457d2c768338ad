// What the numbers of a leaf of proof search on turns (games/connect/rzop.h) say against what is
// so: of distinct positions of random play on small boards, the side to move having a whole turn
// and no line to complete at once, the share that it really wins, by exhaustive search, for each
// tenth that a number says. The numbers: both sides' live windows (leaf=lines), playouts
// (leaf=playouts), and whether there is a win by single threats (probe=vcst; its log loss is
// infinite where it misses a win). Ends with status 1 if a win by threats is none, or if another
// search says other than the exhaustive one.
//
// usage: leaf_calibration [--seed N] [--positions 1..100000] [--bins FILE] [--csv FILE]
//        (cmake --build build --target leaf_calibration; --bins: the tables as CSV; --csv: a row a
//        position; N positions a board)
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "games/connect/text.h"
#include "games/connect/vcst.h"
#include "games/connect/window_value.h"
#include "games/core/random_position.h"
#include "host/playouts/evaluator.h"
#include "host/solve/solver.h"
#include "kernels/schemes/claim.h"

namespace playproof {
namespace {

using Game = Connect<1>;
using Position = ConnectThreats<1>;
using Outcome = VcdtAnswer::Outcome;

constexpr int kVersion = 1;  // of what is drawn, counted and printed
constexpr std::uint32_t kPlayouts = 1024;
constexpr std::size_t kChecked = 50;  // one of so many is solved by another search, too
constexpr const char* kOtherSearch = "alphabeta:table=16MiB,probe=vcdt";
constexpr std::uint64_t kOtherNodes = 100'000;

struct Board {
  int rows, columns, connect;
  int stones;  // or two more, or four
  std::string name() const {
    return std::to_string(rows) + "x" + std::to_string(columns) + ", " + std::to_string(connect) +
           " in a line";
  }
  std::string game() const {
    return "connect6:rows=" + std::to_string(rows) + ",columns=" + std::to_string(columns) +
           ",connect=" + std::to_string(connect);
  }
};
constexpr Board kBoards[] = {{4, 5, 4, 3}, {5, 5, 4, 5}, {6, 6, 5, 17}, {7, 7, 6, 29}};

// Does the attacker, to move with a whole turn, win, whatever is played? All turns are tried, but
// where the attacker has no live window.
class Exhaustive {
 public:
  bool wins(Position* at, int attacker) {
    if (at->can_complete(attacker, 2)) return true;
    const auto live = at->live_from(attacker, 0);
    const bool any = std::ranges::any_of(live.words, [](std::uint64_t word) { return word != 0; });
    if (!any || at->empty().size() < 2) return false;
    const Key key{at->key(0), at->key(1)};
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    const bool won = any_turn(at, attacker, nullptr, [&] {
      return !at->can_complete(1 - attacker, 2) && !is_refuted(at, attacker);
    });
    known_.emplace(key, won);
    return won;
  }

 private:
  using Key = std::pair<std::uint64_t, std::uint64_t>;

  // The reply that refuted the turn before goes first.
  bool is_refuted(Position* at, int attacker) {
    if (at->empty().size() < 2) return true;
    ConnectTurn& last = last_[static_cast<std::size_t>(at->empty().size())];
    const auto refutes = [&] { return !wins(at, attacker); };
    if (last.first != kNoMove && cells_of<1>(last).within(at->empty()) &&
        after(at, 1 - attacker, last, refutes)) {
      return true;
    }
    return any_turn(at, 1 - attacker, &last, refutes);
  }
  template <class F>
  static bool after(Position* at, int player, const ConnectTurn& turn, const F& f) {
    at->add(player, turn);
    const bool found = f();
    at->remove(player, turn);
    return found;
  }
  template <class F>
  static bool any_turn(Position* at, int player, ConnectTurn* which, const F& f) {
    std::vector<Move> cells;
    for_each_cell(at->empty(), [&](int cell) { cells.push_back(static_cast<Move>(cell)); });
    for (std::size_t i = 0; i < cells.size(); ++i) {
      for (std::size_t j = i + 1; j < cells.size(); ++j) {
        const ConnectTurn turn{cells[i], cells[j]};
        if (!after(at, player, turn, f)) continue;
        if (which != nullptr) *which = turn;
        return true;
      }
    }
    return false;
  }

  std::map<Key, bool> known_;
  std::array<ConnectTurn, 65> last_;  // by empty cells
};

struct Row {
  std::size_t board = 0;
  int stones = 0;
  std::uint32_t own = 0, other = 0;         // live windows
  std::uint32_t playouts = 0;               // that are won
  bool two_turns = false, doubles = false;  // a win by double threats: in two turns, in any number
  bool singles = false, won = false;
  bool threatened = false;  // the other side could complete a line
};

struct Wrong {
  int threats = 0, checked = 0, undecided = 0, differ = 0;
};

void check(const Board& board, const std::string& position, bool won, Wrong* wrong) {
  SolveRequest request;
  request.game = board.game();
  request.position = position;
  request.algorithm = kOtherSearch;
  request.limits.max_nodes = kOtherNodes;
  const auto solver = make_solver(request);
  while (solver->step(100'000) == StopReason::kRunning) {
  }
  const Verdict verdict = solver->result().verdict;
  ++wrong->checked;
  wrong->undecided += verdict == Verdict::kUnknown;
  wrong->differ += verdict == (won ? Verdict::kDisproved : Verdict::kProved);
}

void draw(std::size_t which, std::uint64_t seed, std::size_t count, std::vector<Row>* rows,
          Wrong* wrong) {
  const Board& board = kBoards[which];
  const auto rules = Game::make_rules(board.rows, board.columns, board.connect, 2);
  const ConnectWindows<1> windows(rules);
  Vcdt<1> doubles(windows);
  Vcst<1> singles(windows);
  VcdtOptions two_turns;
  two_turns.turns = 2;
  const auto evaluator = make_evaluator<Game>(rules, "cpu", 1);
  std::set<std::pair<std::uint64_t, std::uint64_t>> drawn;
  for (std::uint64_t i = 0; drawn.size() < count; ++i) {
    const std::uint64_t random = mix64(mix64(seed + which * kGoldenGamma) + i * kGoldenGamma);
    const int stones = board.stones + 2 * static_cast<int>(random % 3);
    const auto state = random_position<Game>(rules, stones, random);
    Position position(windows, state);
    const int attacker = static_cast<int>(Game::to_move(rules, state));
    if (state.count != stones || position.can_complete(attacker, 2) ||
        !drawn.emplace(position.key(0), position.key(1)).second) {
      continue;
    }
    const auto wins = [](const VcdtAnswer& answer) { return answer.outcome == Outcome::kWin; };
    Row row;
    row.board = which;
    row.stones = stones;
    row.own = static_cast<std::uint32_t>(window_value(position, attacker));
    row.other = static_cast<std::uint32_t>(window_value(position, 1 - attacker));
    const LeafRequest<Game> leaf{state, {seed, Game::key(rules, state)}, 0, kPlayouts};
    std::array<Tally, 1> tally;
    evaluator->collect(evaluator->submit({&leaf, 1}), tally);
    const Claim claim{Game::to_move(rules, state), 1};
    row.playouts = static_cast<std::uint32_t>(reached(tally[0], claim));
    row.two_turns = wins(doubles.solve(position, attacker, 2, two_turns));
    row.doubles = wins(doubles.solve(position, attacker, 2, {}));
    row.singles = wins(singles.solve(position, attacker, 2, {}));
    singles.forget();
    row.threatened = position.can_complete(1 - attacker, 2);
    row.won = Exhaustive().wins(&position, attacker);
    wrong->threats += !row.won && (row.two_turns || row.doubles || row.singles);
    if (drawn.size() % kChecked == 1) {
      check(board, GameText<Game>::format(rules, state), row.won, wrong);
    }
    rows->push_back(row);
  }
}

// A share as leaves are given it (kernels/numbers/leaf_numbers.h).
double rate(std::uint32_t part, std::uint32_t all) { return (part + 0.5) / (all + 1.0); }

struct Number {
  const char* name;
  int bins;
  double (*says)(const Row&);
};
constexpr Number kNumbers[] = {
    {"lines", 10, [](const Row& row) { return rate(row.own, row.own + row.other); }},
    {"playouts", 10, [](const Row& row) { return rate(row.playouts, kPlayouts); }},
    {"vcst", 2, [](const Row& row) { return row.singles ? 1.0 : 0.0; }}};

struct Said {
  double says;
  bool won;
};

struct Share {
  double positions = 0, says = 0, won = 0;
  void add(const Said& said) {
    ++positions;
    says += said.says;
    won += said.won;
  }
  // The end of the share's 95 % interval (Wilson); side: -1 or 1.
  double end(int side) const {
    const double z = 1.959964;
    const double p = won / positions;
    const double half =
        z * std::sqrt(p * (1 - p) / positions + z * z / (4 * positions * positions));
    const double end = (p + z * z / (2 * positions) + side * half) / (1 + z * z / positions);
    return std::clamp(end, 0.0, 1.0);
  }
};

struct Scores {
  double brier = 0, log_loss = 0;
  double ordered = 0;  // of pairs, one won and one not: the won one has more, half if both the same
};

Scores scores(std::vector<Said> all) {
  Scores sum;
  for (const Said& said : all) {
    sum.brier += std::pow(said.won - said.says, 2);
    sum.log_loss -= std::log(said.won ? said.says : 1 - said.says);
  }
  std::ranges::sort(all, {}, &Said::says);
  double lower = 0;
  double won = 0;
  for (std::size_t i = 0; i < all.size();) {
    Share same;
    for (const double says = all[i].says; i < all.size() && all[i].says == says; ++i) {
      same.add(all[i]);
    }
    sum.ordered += same.won * (lower + (same.positions - same.won) / 2);
    lower += same.positions - same.won;
    won += same.won;
  }
  const auto n = static_cast<double>(all.size());
  return {sum.brier / n, sum.log_loss / n, sum.ordered / (won * lower)};
}

void print_bins(const std::string& group, const Number& number, const std::vector<Said>& all,
                std::FILE* csv) {
  std::map<int, Share> bins;
  for (const Said& said : all) {
    bins[std::min(static_cast<int>(said.says * number.bins), number.bins - 1)].add(said);
  }
  for (const auto& [bin, share] : bins) {
    char range[32];
    std::snprintf(range, sizeof range, "%.1f to %.1f", 1.0 * bin / number.bins,
                  1.0 * (bin + 1) / number.bins);
    const char* text = number.bins > 2 ? range : bin == 0 ? "no win" : "win";
    const double n = share.positions;
    std::printf("| %s | %s | %.0f | %.3f | %.3f | %.3f to %.3f |\n", number.name, text, n,
                share.says / n, share.won / n, share.end(-1), share.end(1));
    if (csv == nullptr) continue;
    std::fprintf(csv, "\"%s\",%s,%s,%.0f,%.4f,%.4f,%.4f,%.4f,,,,,\n", group.c_str(), number.name,
                 text, n, share.says / n, share.won / n, share.end(-1), share.end(1));
  }
}

void print_scores(const std::string& group, const Number& number, const std::vector<Said>& all,
                  std::FILE* csv) {
  Share share;
  for (const Said& said : all) share.add(said);
  const double n = share.positions;
  const double base = share.won / n;
  std::vector<Said> by_base = all;
  for (Said& said : by_base) said.says = base;
  const Scores own = scores(all);
  const Scores plain = scores(by_base);
  std::printf("| %s | %.4f | %.4f | %.4f | %.4f | %.3f |\n", number.name, own.brier, plain.brier,
              own.log_loss, plain.log_loss, own.ordered);
  if (csv == nullptr) return;
  std::fprintf(csv, "\"%s\",%s,all,%.0f,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f\n",
               group.c_str(), number.name, n, share.says / n, base, share.end(-1), share.end(1),
               own.brier, plain.brier, own.log_loss, plain.log_loss, own.ordered);
}

template <class Is>
void print(const std::string& group, const std::vector<Row>& rows, const Is& is, std::FILE* csv) {
  std::printf(
      "\n%s\n\n| number | says | positions | mean | won | 95 %% interval |\n"
      "| --- | --- | --- | --- | --- | --- |\n",
      group.c_str());
  const auto said = [&](const Number& number) {
    std::vector<Said> all;
    for (const Row& row : rows) {
      if (is(row)) all.push_back({number.says(row), row.won});
    }
    return all;
  };
  for (const Number& number : kNumbers) print_bins(group, number, said(number), csv);
  std::printf(
      "\n| number | Brier score | of the base rate | log loss | of the base rate | ordered |\n"
      "| --- | --- | --- | --- | --- | --- |\n");
  for (const Number& number : kNumbers) print_scores(group, number, said(number), csv);
}

void write_rows(std::FILE* csv, const std::vector<Row>& rows) {
  std::fprintf(csv, "board,stones,own,other,playouts,two_turns,vcdt,vcst,threatened,won\n");
  for (const Row& row : rows) {
    std::fprintf(csv, "\"%s\",%d,%u,%u,%u,%d,%d,%d,%d,%d\n", kBoards[row.board].name().c_str(),
                 row.stones, row.own, row.other, row.playouts, row.two_turns, row.doubles,
                 row.singles, row.threatened, row.won);
  }
}

struct Asked {
  std::uint64_t seed = 1;
  std::size_t positions = 2000;
  std::FILE* bins = nullptr;
  std::FILE* rows = nullptr;
};

int run(const Asked& asked) {
  std::vector<Row> rows;
  Wrong wrong;
  for (std::size_t i = 0; i < std::size(kBoards); ++i) {
    draw(i, asked.seed, asked.positions, &rows, &wrong);
  }
  char head[128];
  std::snprintf(head, sizeof head,
                "leaf_calibration %d, seed %llu, %zu positions a board, %u playouts", kVersion,
                static_cast<unsigned long long>(asked.seed), asked.positions, kPlayouts);
  std::printf("%s\n", head);
  if (asked.bins != nullptr) {
    std::fprintf(asked.bins,
                 "# %s\ngroup,number,says,positions,mean,won,low,high,brier,brier of base rate,"
                 "log loss,log loss of base rate,ordered\n",
                 head);
  }
  if (asked.rows != nullptr) write_rows(asked.rows, rows);
  for (std::size_t i = 0; i < std::size(kBoards); ++i) {
    print(
        kBoards[i].name(), rows, [&](const Row& row) { return row.board == i; }, asked.bins);
  }
  print(
      "all", rows, [](const Row&) { return true; }, asked.bins);
  print(
      "no threats of the other side", rows, [](const Row& row) { return !row.threatened; },
      asked.bins);
  print(
      "no win by double threats in two turns", rows, [](const Row& r) { return !r.two_turns; },
      asked.bins);
  const auto count = [&](const auto& is) { return std::ranges::count_if(rows, is); };
  std::printf(
      "\nNo win by double threats: %td positions, %td of them won; nor by single ones: %td, "
      "%td of them won.\n",
      count([](const Row& row) { return !row.doubles; }),
      count([](const Row& row) { return !row.doubles && row.won; }),
      count([](const Row& row) { return !row.singles; }),
      count([](const Row& row) { return !row.singles && row.won; }));
  std::printf(
      "Wins by threats that are none: %d. Solved by %s, too: %d positions, %d of them open "
      "after %llu nodes, %d with another answer.\n",
      wrong.threats, kOtherSearch, wrong.checked, wrong.undecided,
      static_cast<unsigned long long>(kOtherNodes), wrong.differ);
  return wrong.threats + wrong.differ == 0 ? 0 : 1;
}

}  // namespace
}  // namespace playproof

int main(int argc, char** argv) {
  playproof::Asked asked;
  bool good = argc % 2 == 1;
  for (int i = 1; good && i < argc; i += 2) {
    const std::string name = argv[i];
    if (name == "--seed") {
      asked.seed = std::strtoull(argv[i + 1], nullptr, 10);
    } else if (name == "--positions") {
      asked.positions = std::strtoull(argv[i + 1], nullptr, 10);
    } else if (name == "--bins" || name == "--csv") {
      std::FILE*& file = name == "--bins" ? asked.bins : asked.rows;
      file = std::fopen(argv[i + 1], "w");
      good = file != nullptr;
    } else {
      good = false;
    }
  }
  if (!good || asked.positions == 0 || asked.positions > 100'000) {
    std::fprintf(
        stderr,
        "usage: leaf_calibration [--seed N] [--positions 1..100000] [--bins FILE] [--csv FILE]\n");
    return 2;
  }
  return playproof::run(asked);
}
