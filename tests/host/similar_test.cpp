// What is like a reply that has just been lost (host/table/similar.h): right on random graphs, on
// boards of few stones and on endgames, where it changes counts; with limits, certificates and
// checkpoints as other searches.
#include "host/table/similar.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "games/graph/identity.h"
#include "games/loa/entry.h"
#include "host/path/exhaustive.h"
#include "host/table/path_search.h"
#include "saved.h"
#include "support.h"
#include "tests/graphs.h"

namespace playproof::similar_test {
namespace {

constexpr SimilarRule kRules[] = {SimilarRule::kSimulation, SimilarRule::kKiller};
constexpr ThresholdRule::Kind kKinds[] = {ThresholdRule::Kind::kConstant, ThresholdRule::Kind::kPds,
                                          ThresholdRule::Kind::kPnStar, ThresholdRule::Kind::kNone};

// Of a search that is made to its end; nothing if a limit came.
template <Game G>
std::optional<bool> answer_of(PathSearch<G>& search, const typename G::State& at) {
  search.begin(at);
  if (search.run(~std::uint64_t{0}) != StopReason::kDecided) return std::nullopt;
  return search.proved();
}

TEST(Similar, AgreesWithEveryPathOnRandomGraphs) {
  Draws draws(1);
  int searches = 0;
  int undecided = 0;
  int in_vain = 0;
  int differ[2] = {};
  for (int i = 0; i < (nightly() ? 20'000 : 2000); ++i) {
    const std::string rule = kAllRules[static_cast<std::size_t>(i) % kAllRules.size()];
    const auto graph = graph_of(random_graph(draws, rule, 4 + draws.below(7)));
    const Graph::Rules& rules = graph->rules();
    for (std::uint32_t node = 0; node < graph->nodes(); ++node) {
      const Graph::State at{node};
      if (Graph::finished(rules, at)) continue;
      const Claim claim{Graph::to_move(rules, at), static_cast<Value>(node % 2)};
      EveryPath<Graph> paths(rules, claim);
      paths.begin(at, {});
      if (!paths.run(200'000)) continue;
      for (const ThresholdRule::Kind kind : kKinds) {
        PathSearchOptions options;
        options.history = draws.below(2) == 0 ? HistoryRule::kTwins : HistoryRule::kBaseTwin;
        options.loops = draws.below(2) == 0 ? LoopRule::kTca : LoopRule::kPatience;
        options.patience = 20;
        options.rule.kind = kind;
        options.table_bytes = draws.below(2) == 0 ? 600 : 1 << 16;
        options.search.max_nodes = 20'000;
        options.search.early_break = draws.below(2) == 0;
        PathSearch<Graph> plain(rules, claim, options);
        answer_of(plain, at);
        for (const SimilarRule similar : kRules) {
          options.similar = similar;
          PathSearch<Graph> search(rules, claim, options);
          const std::optional<bool> answer = answer_of(search, at);
          ++searches;
          undecided += static_cast<int>(!answer);
          if (answer) {
            ASSERT_EQ(*answer, paths.answer());
          }
          differ[similar == SimilarRule::kKiller] +=
              static_cast<int>(search.counters() != plain.counters());
          in_vain += static_cast<int>(search.counters().node_visits < search.counters().iterations);
        }
      }
    }
  }
  EXPECT_GT(searches, 50'000);
  EXPECT_LT(undecided, searches / 500);
  EXPECT_GT(differ[0], 100);
  EXPECT_GT(differ[1], 100);
  EXPECT_GT(in_vain, 20);
}

// All positions of two stones against two, or three.
template <class F>
void for_each_position(const Loa::Rules& rules, int black, F&& f) {
  std::vector<std::uint64_t> cells;
  for (std::uint64_t rest = rules.board; rest != 0; rest &= rest - 1) {
    cells.push_back(rest & (~rest + 1));
  }
  const auto subsets = [&](int size) {
    std::vector<std::uint64_t> all;
    for (std::uint64_t set = 0; set < std::uint64_t{1} << cells.size(); ++set) {
      if (popcount64(set) != size) continue;
      std::uint64_t stones = 0;
      for (std::uint64_t rest = set; rest != 0; rest &= rest - 1) {
        stones |= cells[static_cast<std::size_t>(lowest_bit64(rest))];
      }
      all.push_back(stones);
    }
    return all;
  };
  for (const std::uint64_t first : subsets(black)) {
    for (const std::uint64_t second : subsets(2)) {
      if ((first & second) != 0) continue;
      for (const int to_move : {0, 1}) {
        const Loa::State state = Loa::make_state(rules, first, second, to_move);
        if (!Loa::finished(rules, state)) f(state);
      }
    }
  }
}

TEST(Similar, AgreesWithRetrogradeAnalysisOnFewStones) {
  for (const int black : {2, 3}) {
    for (const Value threshold : {Value{0}, Value{1}}) {
      const Loa::Rules rules = Loa::make_rules(4, PathRule::kThirdDraws, false);
      const Claim claim{Player::kFirst, threshold};
      Retrograde<Loa> truth(rules, claim);
      std::vector<Loa::State> positions;
      for_each_position(rules, black, [&](const Loa::State& state) { positions.push_back(state); });
      Draws draws(black);
      for (const ThresholdRule::Kind kind : kKinds) {
        for (const SimilarRule similar : kRules) {
          PathSearchOptions options;
          options.rule.kind = kind;
          options.similar = similar;
          PathSearch<Loa> keeps(rules, claim, options);
          for (const Loa::State& state : positions) {
            const int every = black == 2 ? 40 : 400;
            if (!nightly() && draws.below(every) != 0) continue;
            ASSERT_TRUE(truth.run(state, ~std::uint64_t{0}));
            const bool right = truth.reached(state);
            ASSERT_EQ(answer_of(keeps, state), right);
            if (draws.below(4) != 0) continue;
            PathSearch<Loa> alone(rules, claim, options);
            ASSERT_EQ(answer_of(alone, state), right);
          }
        }
      }
    }
  }
}

struct Endgame {
  const char* position;
  const char* algorithm;
  std::uint64_t none, simulation, killer;  // entries
};
constexpr Endgame kEndgames[] = {
    {"---------XX------OXX-X----OOX-OO--OXX-O---O--X-OX------O-X------ X", "dfpn", 1935, 1934,
     1802},
    {"--XXX-----X--XO--O-XOX-OO-X-O--O---O---------X-------X------X--- X", "dfpn", 1068, 1072,
     1056},
    {"---------XX------OXX-X----OOX-OO--OXX-O---O--X-OX------O-X------ X",
     "pds:leaf=quads,probe=look1", 3033, 952, 586},
    {"--XXX--------------X-OO--O-XXO-OO-XX-X-OO---X-O-O--X--------X--- X",
     "pds:leaf=quads,probe=look1", 590, 370, 568}};
std::string with(const std::string& algorithm, const std::string& similar) {
  const char* separator = algorithm.find(':') == std::string::npos ? ":similar=" : ",similar=";
  return algorithm + separator + similar;
}

TEST(Similar, EndgamesWithTheirCounts) {
  for (const Endgame& endgame : kEndgames) {
    const auto entries = [&](const char* similar) {
      const SolveResult result =
          solve(ask("loa", with(endgame.algorithm, similar), endgame.position, "win"));
      EXPECT_EQ(result.verdict, Verdict::kProved) << endgame.position;
      return result.counters.iterations;
    };
    SCOPED_TRACE(std::string(endgame.algorithm) + ' ' + endgame.position);
    EXPECT_EQ(entries("none"), endgame.none);
    EXPECT_EQ(entries("simulation"), endgame.simulation);
    EXPECT_EQ(entries("killer"), endgame.killer);
  }
}

// What a simulation enters counts as all that is entered: no limit is passed, and pieces of any
// size, in the midst of one too, make the whole search.
TEST(Similar, LimitsAndPieces) {
  Draws draws(2);
  for (const Endgame& endgame : kEndgames) {
    for (const char* similar : {"simulation", "killer"}) {
      SolveRequest request = ask("loa", with(endgame.algorithm, similar), endgame.position, "win");
      SCOPED_TRACE(request.algorithm);
      const SolveResult whole = solve(request);
      auto solver = make_solver(request);
      while (solver->step(1 + static_cast<std::uint64_t>(draws.below(200))) ==
             StopReason::kRunning) {
        solver = resumed(request, saved(*solver));
      }
      expect_same_search(solver->result(), whole);
      for (int i = 0; i < (nightly() ? 20 : 6); ++i) {
        request.limits.max_nodes =
            1 +
            static_cast<std::uint64_t>(draws.below(static_cast<int>(whole.counters.iterations)));
        const auto cut = make_solver(request);
        EXPECT_EQ(finish(*cut).counters.iterations, request.limits.max_nodes);
        SolveRequest more = request;
        more.limits.max_nodes = ask("loa", "dfpn", "", "win").limits.max_nodes;
        const auto rest = resumed(more, saved(*cut));
        expect_same_search(finish(*rest), whole);
      }
    }
  }
}

// Models are what the same moves lead to; none follow a move that is not legal there, or the end.
TEST(Similar, ModelsFollowTheMoves) {
  const auto graph = graph_of(
      "a or b c\nb and d e\nc and f g h\nd or z\ne or d z\nf or d\ng or e\nh or a\nz win\n");
  const Graph::Rules& rules = graph->rules();
  const auto node = [&](std::uint32_t number) { return Graph::State{number}; };
  using Replies = SimilarReplies<Graph>;
  Replies replies(rules, SimilarRule::kSimulation);
  std::optional<Move> known = kNoMove;
  const auto solved = [&](const Graph::State&, Answer) { return known; };
  replies.push({}, solved);
  EXPECT_FALSE(replies.below(node(0), Answer::kProved, 1).is_there());
  replies.refute(0);
  EXPECT_TRUE(replies.trying());
  const Replies::Model model = replies.below(node(0), Answer::kProved, 1);
  EXPECT_TRUE(model.is_there());
  EXPECT_EQ(model.state, node(1));
  EXPECT_EQ(model.answer, Answer::kProved);
  EXPECT_TRUE(replies.leads_on(node(2), model, solved));
  EXPECT_FALSE(replies.leads_on(node(5), model, solved));  // another side moves
  known.reset();
  EXPECT_FALSE(replies.leads_on(node(2), model, solved));
  replies.push(model, solved);
  EXPECT_EQ(replies.below(node(2), Answer::kDisproved, 1).state, node(4));
  EXPECT_FALSE(replies.below(node(2), Answer::kDisproved, 2).is_there());
  for (std::uint32_t i = 1; i < Replies::kMostEntries; ++i) {
    EXPECT_TRUE(replies.may_enter());
    replies.push(model, solved);
  }
  EXPECT_FALSE(replies.may_enter());
  for (std::uint32_t i = 0; i < Replies::kMostEntries; ++i) EXPECT_FALSE(replies.pop());
  replies.begin_sibling();
  EXPECT_TRUE(replies.may_enter());
  replies.end();
  EXPECT_FALSE(replies.trying());
}

}  // namespace
}  // namespace playproof::similar_test
