// Bounds that rest on the path (kernels/numbers/path_bounds.h), on random small graphs whose
// positions come again: a search with a table of what holds whatever the path is right about every
// position, and one that takes what holds on one path for more is not.
#include "kernels/numbers/path_bounds.h"

#include <gtest/gtest.h>

#include <array>
#include <concepts>
#include <cstdint>
#include <set>
#include <vector>

#include "games/core/identity.h"
#include "games/hex/identity.h"
#include "host/table/proof_table.h"
#include "tests/conformance.h"

namespace playproof {

// A token goes along the arrows of a drawn graph; the sides take turns. Some nodes are ends, with
// a value. Whoever comes to a node again where the same side was to move has drawn.
struct DrawnGraph {
  static constexpr int kNodes = 7;
  struct Rules {
    std::array<std::uint8_t, kNodes>
        arrows{};                        // a bit for each node that it leads to; none: an end
    std::array<Value, kNodes> values{};  // of the ends
    std::uint8_t start = 0;
  };
  struct State {
    std::uint8_t at = 0;
    std::uint8_t to_move = 0;
    bool operator==(const State&) const = default;
  };
  static constexpr int kMaxMoves = kNodes;
  static constexpr PathRule kPaths = PathRule::kRepetitionDraws;

  static State initial(const Rules& r) { return {r.start, 0}; }
  static bool finished(const Rules& r, const State& s) { return r.arrows[s.at] == 0; }
  static Value value(const Rules& r, const State& s) { return r.values[s.at]; }
  static Value min_value(const Rules&) { return -1; }
  static Value max_value(const Rules&) { return 1; }
  static Player to_move(const Rules&, const State& s) { return static_cast<Player>(s.to_move); }
  static int moves(const Rules& r, const State& s, Move* out) {
    int count = 0;
    for (Move to = 0; to < kNodes; ++to) {
      if ((r.arrows[s.at] >> to & 1) != 0) out[count++] = to;
    }
    return count;
  }
  static void play(const Rules&, State& s, Move to) {
    s.at = static_cast<std::uint8_t>(to);
    s.to_move ^= 1;
  }
  static std::uint64_t key(const Rules&, const State& s) { return mix64(s.at * 2u + s.to_move); }
};
inline IdWords<1> position_id(const DrawnGraph&, const DrawnGraph::State& s) {
  return {{s.at}, s.to_move != 0};
}

namespace path_bounds_test {
namespace {

static_assert(Game<DrawnGraph> && !AcyclicGame<DrawnGraph>);
static_assert(std::same_as<BoundsOf<DrawnGraph>::Type, PathBounds>);
static_assert(std::same_as<BoundsOf<Hex<1>>::Type, Bounds>);
static_assert(sizeof(Bounds) == 2);
// No table takes them.
static_assert(!std::convertible_to<PathBounds, Bounds> &&
              !std::constructible_from<Bounds, PathBounds>);
static_assert(std::constructible_from<ProofPayload, PhiDeltaPair, Bounds, std::uint64_t>);
static_assert(!std::constructible_from<ProofPayload, PhiDeltaPair, PathBounds, std::uint64_t>);

DrawnGraph::Rules draw_graph(Draws& draws) {
  DrawnGraph::Rules rules;
  for (int node = 0; node < DrawnGraph::kNodes; ++node) {
    const auto at = static_cast<std::size_t>(node);
    rules.values[at] = static_cast<Value>(draws.below(3) - 1);
    if (node != 0 && draws.below(4) == 0) continue;
    rules.arrows[at] = static_cast<std::uint8_t>(draws.next() & draws.next() & 0x7f);
    if (rules.arrows[at] == 0) rules.arrows[at] = 2;
  }
  return rules;
}

constexpr int kStates = 2 * DrawnGraph::kNodes;
int index_of(const DrawnGraph::State& state) { return 2 * state.at + state.to_move; }

// Exact values on the path, every path walked.
class EveryPath {
 public:
  explicit EveryPath(const DrawnGraph::Rules& rules) : rules_(rules) {}
  Value value(const DrawnGraph::State& state) {
    if (DrawnGraph::finished(rules_, state)) return DrawnGraph::value(rules_, state);
    if (!path_.insert(index_of(state)).second) return 0;
    Move moves[DrawnGraph::kMaxMoves];
    const int count = DrawnGraph::moves(rules_, state, moves);
    const bool first = state.to_move == 0;
    Value best = first ? Value{-1} : Value{1};
    for (int i = 0; i < count; ++i) {
      DrawnGraph::State child = state;
      DrawnGraph::play(rules_, child, moves[i]);
      const Value of_child = value(child);
      best = first ? std::max(best, of_child) : std::min(best, of_child);
    }
    path_.erase(index_of(state));
    return best;
  }

 private:
  DrawnGraph::Rules rules_;
  std::set<int> path_;
};

// Depth first, with a table that outlives every question. `careless`: it keeps what holds on the
// path of the moment.
class TableOfGraph {
 public:
  TableOfGraph(const DrawnGraph::Rules& rules, bool careless)
      : rules_(rules), careless_(careless), table_(kStates, kAny) {}

  PathBounds solve(const DrawnGraph::State& state) {
    if (DrawnGraph::finished(rules_, state)) {
      return PathBounds::whatever_the_path(Bounds::exact(DrawnGraph::value(rules_, state)));
    }
    Bounds& known = table_[static_cast<std::size_t>(index_of(state))];
    if (known.lower() == known.upper()) return PathBounds::whatever_the_path(known);
    if (!path_.insert(index_of(state)).second) return PathBounds::on_this_path(0, kAny);
    Move moves[DrawnGraph::kMaxMoves];
    const int count = DrawnGraph::moves(rules_, state, moves);
    PathBounds bounds = child_of(state, moves[0]);
    for (int i = 1; i < count; ++i) {
      const PathBounds more = child_of(state, moves[i]);
      bounds =
          state.to_move == 0 ? PathBounds::best(bounds, more) : PathBounds::worst(bounds, more);
    }
    path_.erase(index_of(state));
    EXPECT_EQ(bounds.lower(), bounds.upper());
    EXPECT_LE(bounds.whatever_the_path().lower(), bounds.lower());
    EXPECT_GE(bounds.whatever_the_path().upper(), bounds.upper());
    rested_ += static_cast<int>(bounds.rests_on_path(0) || bounds.rests_on_path(1));
    known = careless_ ? Bounds::unknown(bounds.lower(), bounds.upper())
                      : Bounds::both(known, bounds.whatever_the_path());
    return bounds;
  }
  int rested() const { return rested_; }

 private:
  static inline const Bounds kAny = Bounds::unknown(-1, 1);

  PathBounds child_of(DrawnGraph::State state, Move move) {
    DrawnGraph::play(rules_, state, move);
    return solve(state);
  }

  DrawnGraph::Rules rules_;
  bool careless_;
  std::vector<Bounds> table_;
  std::set<int> path_;
  int rested_ = 0;
};

// How many positions of random graphs a search with a table is wrong about, and how much of what it
// found rested on a path.
struct Outcome {
  int wrong = 0;
  int rested = 0;
};
Outcome solve_graphs(bool careless) {
  Draws draws(1);
  Outcome outcome;
  for (int graph = 0; graph < 400; ++graph) {
    DrawnGraph::Rules rules = draw_graph(draws);
    TableOfGraph table(rules, careless);
    for (std::uint8_t start = 0; start < DrawnGraph::kNodes; ++start) {
      for (const std::uint8_t side : {std::uint8_t{0}, std::uint8_t{1}}) {
        const DrawnGraph::State state{start, side};
        const PathBounds found = table.solve(state);
        outcome.wrong += static_cast<int>(found.lower() != EveryPath(rules).value(state));
      }
    }
    outcome.rested += table.rested();
  }
  return outcome;
}

TEST(PathBounds, ATableOfWhatHoldsWhateverThePathIsRight) {
  const Outcome outcome = solve_graphs(false);
  EXPECT_EQ(outcome.wrong, 0);
  EXPECT_GT(outcome.rested, 1000);
}

TEST(PathBounds, ATableOfWhatHoldsOnOnePathIsNot) { EXPECT_GT(solve_graphs(true).wrong, 50); }

// The graphs are games, and what they say of paths is so.
TEST(PathBounds, TheGraphsAreGamesThatRepeat) {
  Draws draws(2);
  int repeat = 0;
  for (int graph = 0; graph < 100; ++graph) {
    Walk<DrawnGraph> walk(draw_graph(draws), 1000);
    walk.run();
    repeat += static_cast<int>(walk.repeats());
  }
  EXPECT_GT(repeat, 50);
}

TEST(PathBounds, MeetAndJoin) {
  const Bounds any = Bounds::unknown(-1, 1);
  const PathBounds draw = PathBounds::on_this_path(0, any);
  const PathBounds loss = PathBounds::whatever_the_path(Bounds::exact(-1));
  const PathBounds win = PathBounds::whatever_the_path(Bounds::exact(1));
  EXPECT_TRUE(draw.proves(0));
  EXPECT_TRUE(draw.disproves(1));
  EXPECT_TRUE(draw.rests_on_path(0));
  EXPECT_EQ(draw.whatever_the_path(), any);
  EXPECT_EQ(PathBounds::best(draw, win), win);  // the win needs no repetition
  EXPECT_EQ(PathBounds::worst(draw, loss), loss);
  EXPECT_TRUE(PathBounds::best(draw, loss).rests_on_path(0));
  EXPECT_TRUE(PathBounds::worst(draw, win).rests_on_path(1));
  EXPECT_EQ(PathBounds::best(draw, loss).whatever_the_path(), any);
  EXPECT_EQ(PathBounds::worst(draw, win).whatever_the_path(), any);
  // Which path it was matters no more once it is known whatever the path.
  EXPECT_FALSE(
      PathBounds::both(draw, PathBounds::whatever_the_path(Bounds::exact(0))).rests_on_path(0));
}

}  // namespace
}  // namespace path_bounds_test
}  // namespace playproof
