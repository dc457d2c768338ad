// Best moves and lines of random positions by every algorithm with random options, against
// exhaustive search: none is wrong, and none is missing. Endings of Othello (4x4 and 8x8, at most
// eight empty squares, one in four with a pass), Connect with draws, Hex, P-games; searches in one
// piece, in batches, with kept tables, resumed, and cut short. A quick run draws 400 positions;
//
//   PLAYPROOF_POSITIONS=20000 build/host_test --gtest_filter='BestMoves.*'
//
// draws 20,000 (and as many of Hex, of which every search has proof zones) and is part of `make
// soak`. PLAYPROOF_FIRST=N begins with position N, so that one can be asked for alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "certified.h"
#include "games/list.h"
#include "random_search.h"
#include "saved.h"
#include "support.h"

namespace playproof::best_moves_test {
namespace {

// Every position below one, by the rules alone.
template <Game G>
class Exhaustive {
 public:
  using State = typename G::State;

  Exhaustive(const typename G::Rules& rules, Player attacker)
      : rules_(rules), attacker_(attacker), known_(64, Hash{&rules_}) {}

  // The value for the attacker.
  int value(const State& state) {
    if (G::finished(rules_, state)) return value_for(attacker_, G::value(rules_, state));
    if (const auto found = known_.find(state); found != known_.end()) return found->second;
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, state, moves);
    const bool most = G::to_move(rules_, state) == attacker_;
    int best = most ? -100 : 100;
    for (int i = 0; i < count; ++i) {
      State child = state;
      G::play(rules_, child, moves[i]);
      best = most ? std::max(best, value(child)) : std::min(best, value(child));
    }
    known_.emplace(state, best);
    return best;
  }

 private:
  struct Hash {
    const typename G::Rules* rules;
    std::size_t operator()(const State& state) const { return mix64(G::key(*rules, state)); }
  };
  typename G::Rules rules_;
  Player attacker_;
  std::unordered_map<State, int, Hash> known_;
};

int sign(int value) { return (value > 0) - (value < 0); }

// What an answer promises of every position of its line, if the root is worth `root`.
struct Promise {
  Goal goal;
  int root;
  bool kept(int value) const {
    if (goal.kind == Goal::Kind::kScore) return value == root;
    if (goal.kind == Goal::Kind::kValue) return sign(value) == sign(root);
    return (value >= goal.threshold) == (root >= goal.threshold);
  }
  // Is there a move that reaches what was asked, or keeps what is?
  bool names_a_move() const {
    if (goal.kind == Goal::Kind::kScore) return true;
    return goal.kind == Goal::Kind::kValue ? root >= 0 : root >= goal.threshold;
  }
};

struct Tally {
  std::uint64_t searches = 0;
  std::uint64_t undecided = 0;
  std::uint64_t draws = 0;
  std::uint64_t finished = 0;
};

template <Game G>
class Judge {
 public:
  using State = typename G::State;

  Judge(const typename G::Rules& rules, const State& position)
      : rules_(rules),
        position_(position),
        exhaustive_(rules, G::to_move(rules, position)),
        value_(exhaustive_.value(position)) {}

  int value() const { return value_; }

  void judge(const Goal& goal, const SolveResult& result) {
    const bool finished = G::finished(rules_, position_);
    if (result.verdict == Verdict::kUnknown) {
      judge_unknown(goal, result);
      return;
    }
    const Promise promise{goal, value_};
    if (goal.kind == Goal::Kind::kThreshold) {
      ASSERT_EQ(result.verdict == Verdict::kProved, value_ >= goal.threshold);
    } else {
      ASSERT_EQ(result.lower, goal.kind == Goal::Kind::kScore ? value_ : sign(value_));
      ASSERT_EQ(result.upper, result.lower);
    }
    ASSERT_EQ(result.best_move.has_value(), !finished && promise.names_a_move());
    const std::vector<std::string>& line = result.principal_variation;
    if (result.best_move) {
      ASSERT_FALSE(line.empty());
      ASSERT_EQ(line[0], *result.best_move);
    }
    State state = position_;
    for (const std::string& text : line) {
      ASSERT_TRUE(play(state, text)) << text;
      ASSERT_TRUE(promise.kept(exhaustive_.value(state)))
          << text << " leads to " << exhaustive_.value(state) << ", the position is " << value_;
    }
    ASSERT_TRUE(G::finished(rules_, state)) << "the line stops before the end";
  }

 private:
  // Bounds are right, and the move that looks best is a move and, where something is proven, holds
  // it.
  void judge_unknown(const Goal& goal, const SolveResult& result) {
    const int value = goal.kind == Goal::Kind::kValue ? sign(value_) : value_;
    ASSERT_LE(result.lower, value);
    ASSERT_GE(result.upper, value);
    ASSERT_TRUE(result.best_move);
    const std::vector<std::string>& line = result.principal_variation;
    if (!line.empty()) {
      ASSERT_EQ(line[0], *result.best_move);
    }
    State state = position_;
    ASSERT_TRUE(play(state, *result.best_move));
    if (goal.kind == Goal::Kind::kThreshold) return;
    const int after = exhaustive_.value(state);
    ASSERT_GE(goal.kind == Goal::Kind::kValue ? sign(after) : after, result.lower);
  }
  bool play(State& state, const std::string& text) const {
    if (G::finished(rules_, state)) return false;
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, state, moves);
    for (int i = 0; i < count; ++i) {
      if (GameText<G>::move_text(rules_, moves[i]) != text) continue;
      G::play(rules_, state, moves[i]);
      return true;
    }
    return false;
  }

  typename G::Rules rules_;
  State position_;
  Exhaustive<G> exhaustive_;
  int value_;
};

std::string seen(const SolveResult& result) {
  std::string text = std::string(to_string(result.verdict)) + ' ' + std::to_string(result.lower) +
                     ".." + std::to_string(result.upper) + ' ' + result.best_move.value_or("-") +
                     ':';
  for (const std::string& move : result.principal_variation) text += ' ' + move;
  return text;
}

std::string shown(const SolveRequest& request) {
  return request.game + " '" + request.position + "' " + request.algorithm + ' ' + request.goal +
         " batch " + std::to_string(request.batch) + " nodes " +
         std::to_string(request.limits.max_nodes) + " seed " + std::to_string(request.seed);
}

// The questions about one position.
class Questions {
 public:
  Questions(RandomChoices& draws, std::map<std::string, TableKeeper>& kept, Tally& tally)
      : draws_(draws), kept_(kept), tally_(tally) {}
  // Of the algorithms that have zones, with them.
  void with_zones() { zones_ = true; }

  void ask_all(const std::string& game, const std::string& position) {
    visit_game(game, [&]<class G>(const typename G::Rules& rules) {
      Judge<G> judge(rules, GameText<G>::parse(rules, position));
      const bool scores = G::max_value(rules) > 1;
      tally_.draws += judge.value() == 0;
      for (const CatalogueEntry& entry : algorithm_catalogue().entries) {
        if (!entry.game.empty() || (zones_ && !has_zones(entry))) continue;
        std::vector<std::string> goals = {"value"};
        if (scores) goals.emplace_back("score");
        if (draws_.once_in(4)) goals.push_back(threshold(scores, G::max_value(rules)));
        for (const std::string& goal : goals) {
          const SolveRequest request = random_request(game, position, entry, goal);
          SCOPED_TRACE(shown(request));
          SolveResult result;
          ASSERT_NO_THROW(result = solve_somehow(request));
          ++tally_.searches;
          tally_.undecided += result.verdict == Verdict::kUnknown;
          judge.judge(parse_goal(goal), result);
          if (::testing::Test::HasFailure()) {
            ADD_FAILURE() << seen(result);
            return;
          }
        }
      }
    });
  }

 private:
  static bool has_zones(const CatalogueEntry& entry) {
    return std::any_of(entry.options.begin(), entry.options.end(),
                       [](const OptionInfo& option) { return option.name == "zones"; });
  }
  std::string threshold(bool scores, int most) {
    const auto words = std::to_array<const char*>({"win", "draw"});
    if (!scores || draws_.once_in(3)) return draws_.of(words);
    const int range = draws_.once_in(4) ? most : 8;
    const auto n = static_cast<int>(draws_.below(static_cast<std::uint64_t>(2 * range + 1)));
    return "score>=" + std::to_string(draws_.once_in(6) ? -most : n - range);
  }
  SolveRequest random_request(const std::string& game, const std::string& position,
                              const CatalogueEntry& entry, const std::string& goal) {
    std::string algorithm = random_algorithm(draws_, entry);
    while (zones_ && algorithm.find("zones=off") != std::string::npos) {
      algorithm = random_algorithm(draws_, entry);
    }
    SolveRequest request = ask(game, algorithm, position, goal);
    request.batch = static_cast<std::uint32_t>(draws_.once_in(3) ? 1 + draws_.below(9) : 1);
    request.seed = draws_.below(1000);
    request.certificate = draws_.once_in(4);
    if (draws_.once_in(8)) request.limits.max_nodes = 1 + draws_.below(draws_.once_in(2) ? 6 : 200);
    return request;
  }

  SolveResult solve_somehow(SolveRequest request) {
    const std::string name = request.algorithm.substr(0, request.algorithm.find(':'));
    const bool keeps = has_table(name) && draws_.once_in(4);
    if (keeps) {
      request.algorithm = name + (name == "dfppn" ? ":table=64KiB" : ":leaf=unit,table=64KiB");
      request.algorithm += ",patterns=16";
      if (request.game.starts_with("hex")) request.algorithm += draws_.of(kKnowledge);
      request.keeper = &kept_[request.algorithm];
    }
    auto solver = make_solver(request);
    if (name != "minimax" && !keeps && draws_.once_in(4)) {
      solver->step(1 + draws_.below(40));
      if (solver->resumable()) {
        const std::string state = saved(*solver);
        solver = resumed(request, state);
      }
    }
    SolveResult result = finish(*solver);
    if (result.verdict != Verdict::kUnknown && request.certificate) {
      expect_certified(*solver, request, result);
    }
    // A decided search says the same after it was saved and loaded.
    if (name != "minimax" && !keeps && draws_.once_in(4) && solver->resumable()) {
      const std::string state = saved(*solver);
      const SolveResult again = finish(*resumed(request, state));
      if (result.verdict != Verdict::kUnknown) {
        EXPECT_EQ(again.best_move, result.best_move);
        EXPECT_EQ(again.principal_variation, result.principal_variation);
      }
    }
    return result;
  }

  static constexpr std::array<const char*, 4> kKnowledge = {"", ",probe=bridges", ",fill=full",
                                                            ",probe=connections,fill=full"};

  RandomChoices& draws_;
  std::map<std::string, TableKeeper>& kept_;
  Tally& tally_;
  bool zones_ = false;
};

std::string beginning_of(const std::string& game, RandomChoices& draws, std::uint64_t most_left) {
  return visit_game(game, [&]<class G>(const typename G::Rules& rules) -> std::string {
    if constexpr (!AcyclicGame<G>) {
      return "";
    } else {
      const auto plies = static_cast<std::uint64_t>(G::max_plies_left(rules, G::initial(rules)));
      const std::uint64_t left = draws.below(std::min(plies, most_left) + 1);
      return random_beginning<G>(rules, draws, plies - left);
    }
  });
}

// Squares and rectangles of up to 16 cells.
std::pair<std::string, std::string> random_hex_question(RandomChoices& draws) {
  const auto boards = std::to_array<const char*>(
      {"size=2", "size=3", "rows=2,columns=4", "rows=3,columns=2", "rows=3,columns=4", "size=4"});
  const std::string game = std::string("hex:") + draws.of(boards);
  return {game, beginning_of(game, draws, 9)};
}

// A game and a position of it.
std::pair<std::string, std::string> random_question(RandomChoices& draws) {
  const auto boards = std::to_array<const char*>(
      {"rows=3,columns=3,connect=3,stones=1", "rows=2,columns=4,connect=3,stones=1",
       "rows=3,columns=3,connect=3,stones=2", "rows=3,columns=4,connect=4,stones=1",
       "rows=2,columns=5,connect=3,stones=2", "rows=4,columns=3,connect=3,stones=1"});
  const auto trees = std::to_array<const char*>({"branching=2,depth=8", "branching=3,depth=5",
                                                 "branching=4,depth=4", "branching=8,depth=3",
                                                 "branching=2,depth=1"});
  const std::uint64_t kind = draws.below(6);
  if (kind == 5) return random_hex_question(draws);
  if (kind == 0) {
    const std::string game = std::string("connect6:") + draws.of(boards);
    return {game, beginning_of(game, draws, 8)};
  }
  if (kind == 1) {
    const std::string game = std::string("pgame:") + draws.of(trees) +
                             ",tree=" + std::to_string(1 + draws.below(100000));
    return {game, beginning_of(game, draws, 8)};
  }
  const bool small = draws.once_in(2);
  const auto most = 2 + draws.below(7);  // fewer empty squares more often: they take less time
  const auto empties = static_cast<int>(1 + draws.below(most));
  return {small ? "othello:size=4" : "othello:size=8",
          random_ending(draws, small ? 4 : 8, empties, draws.once_in(4))};
}

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// `count` positions (or PLAYPROOF_POSITIONS), each drawn by draw(choices) from its number and
// `seed`, then asked about.
Tally ask_about_many(std::uint64_t seed, std::uint64_t& count, bool zones, const auto& draw) {
  const std::uint64_t first = from_environment("PLAYPROOF_FIRST", 0);
  count = from_environment("PLAYPROOF_POSITIONS", count);
  std::map<std::string, TableKeeper> kept;
  Tally tally;
  for (std::uint64_t i = first; i < first + count && !::testing::Test::HasFailure(); ++i) {
    RandomChoices draws(mix64(seed) + i);
    const auto [game, position] = draw(draws);
    SCOPED_TRACE("PLAYPROOF_FIRST=" + std::to_string(i));
    Questions questions(draws, kept, tally);
    if (zones) questions.with_zones();
    questions.ask_all(game, position);
  }
  std::printf("%llu positions, %llu of them draws; %llu searches, %llu undecided\n",
              static_cast<unsigned long long>(count), static_cast<unsigned long long>(tally.draws),
              static_cast<unsigned long long>(tally.searches),
              static_cast<unsigned long long>(tally.undecided));
  return tally;
}

TEST(BestMoves, OfRandomPositions) {
  std::uint64_t count = nightly() ? 400 : 60;
  const Tally tally = ask_about_many(0x6d6f7665, count, false, random_question);
  if (count >= 150 && !HasFailure()) {
    EXPECT_GT(tally.draws, count / 50);
  }
}

// Each of these searches prunes by zones, some of those with a table by patterns too.
TEST(BestMoves, OfHexWithZones) {
  std::uint64_t count = nightly() ? 200 : 60;
  const Tally tally = ask_about_many(0x7a6f6e65, count, true, random_hex_question);
  if (!HasFailure()) {
    EXPECT_GE(tally.searches, 10 * count) << "algorithms have lost their zones";
  }
}

// A finished position has its value from the rules: no line, and no proof to look for one in.
TEST(BestMoves, FinishedPositions) {
  const std::vector<std::pair<std::string, std::string>> finished = {
      {"othello:size=4", "OOOOOOOOOOOOOOOO X"},
      {"othello:size=4", "OOOOOOOOXXXXXXXO X"},
      {"othello:size=4", "-X--OOOOOOOOOOOO X"},
      {"othello:size=4", "XXXXXXXXXXXXXXXX X"},
      {"connect6:rows=2,columns=2,connect=2,stones=1", "AA AB BA"},
      {"pgame:branching=2,depth=2,tree=5", "0 1"}};
  for (const CatalogueEntry& entry : algorithm_catalogue().entries) {
    if (!entry.game.empty()) continue;
    for (const auto& [game, position] : finished) {
      for (const std::string goal : {"value", "score"}) {
        if (goal == "score" && !game.starts_with("othello")) continue;
        SCOPED_TRACE(entry.name + ' ' + game + ' ' + position + ' ' + goal);
        const SolveRequest request = ask(game, entry.name, position, goal);
        EXPECT_FALSE(make_solver(request)->result().best_move.has_value()) << "before any step";
        const SolveResult result = solve(request);
        EXPECT_EQ(result.verdict, Verdict::kProved);
        EXPECT_EQ(result.lower, result.upper);
        EXPECT_FALSE(result.best_move.has_value());
        EXPECT_TRUE(result.principal_variation.empty());
      }
    }
  }
}

}  // namespace
}  // namespace playproof::best_moves_test
