// Searches of games whose positions can come again, saved and resumed: in pieces they are the
// search that nobody interrupted, and what somebody made up is refused or leads to the truth.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "games/graph/identity.h"
#include "host/table/path_search.h"
#include "saved.h"
#include "support.h"
#include "tests/graphs.h"

namespace playproof::path_resume_test {
namespace {

constexpr HistoryRule kHistories[] = {HistoryRule::kTwins, HistoryRule::kBaseTwin,
                                      HistoryRule::kNone};
constexpr LoopRule kLoops[] = {LoopRule::kTca, LoopRule::kDfpnR, LoopRule::kPatience,
                               LoopRule::kNone};
constexpr ThresholdRule::Kind kKinds[] = {
    ThresholdRule::Kind::kConstant, ThresholdRule::Kind::kAverage, ThresholdRule::Kind::kEpsilon,
    ThresholdRule::Kind::kPds,      ThresholdRule::Kind::kPnStar,  ThresholdRule::Kind::kNone};

constexpr SimilarRule kSimilar[] = {SimilarRule::kNone, SimilarRule::kSimulation,
                                    SimilarRule::kKiller};

std::string saved(PathSearch<Graph>& search) {
  StringSink sink;
  Saver saver(sink);
  search.serialize(saver);
  return std::move(sink.text);
}
void load(PathSearch<Graph>* search, const std::string& state) {
  StringSource source(state);
  Loader loader(source);
  search->serialize(loader);
  if (source.most_left() != 0) source.fail("something is left");
}

// The pieces are a few calls each; returns how many there were.
int expect_same_in_pieces(const Graph::Rules& rules, const Claim& claim, const Graph::State& at,
                          const PathSearchOptions& options, Draws& draws) {
  PathSearch<Graph> whole(rules, claim, options);
  whole.begin(at);
  whole.run(~std::uint64_t{0});
  PathSearch<Graph> first(rules, claim, options);
  first.begin(at);
  std::string state = saved(first);
  for (int pieces = 0;; ++pieces) {
    PathSearch<Graph> next(rules, claim, options);
    next.begin(at);
    load(&next, state);
    EXPECT_EQ(saved(next), state);
    if (next.run(1 + static_cast<std::uint64_t>(draws.below(7))) == StopReason::kRunning) {
      state = saved(next);
      continue;
    }
    EXPECT_EQ(next.stopped(), whole.stopped());
    EXPECT_EQ(next.proved(), whole.proved());
    EXPECT_EQ(next.best_move(), whole.best_move());
    EXPECT_EQ(next.counters(), whole.counters());
    EXPECT_EQ(saved(next), saved(whole));
    return pieces;
  }
}

TEST(PathResume, InPiecesIsTheSameSearch) {
  Draws draws(1);
  int pieces = 0;
  for (int i = 0; i < (nightly() ? 100'000 : 10'000); ++i) {
    const std::string rule = kAllRules[static_cast<std::size_t>(i) % kAllRules.size()];
    const auto graph = graph_of(random_graph(draws, rule, 6 + draws.below(20)));
    const Graph::Rules& rules = graph->rules();
    const Graph::State at = Graph::initial(rules);
    const Claim claim{Graph::to_move(rules, at), static_cast<Value>(draws.below(2))};
    PathSearchOptions options;
    options.history = kHistories[draws.below(3)];
    options.loops = kLoops[draws.below(4)];
    options.rule.kind = kKinds[draws.below(6)];
    options.rule.epsilon = 0.25;
    options.patience = 5;
    options.similar = kSimilar[draws.below(3)];
    options.table_bytes = draws.below(2) == 0 ? 600 : 1 << 16;
    options.search.max_nodes = 300;
    options.search.early_break = draws.below(2) == 0;
    options.search.random_order = draws.below(2) == 0;
    pieces += expect_same_in_pieces(rules, claim, at, options, draws);
    if (HasFailure()) return;
  }
  EXPECT_GT(pieces, 4000);
}

constexpr const char* kAlgorithms[] = {"dfpn",
                                       "dfpn:history=basetwin,epsilon=0.25",
                                       "dfpn:table=1KiB",
                                       "dfpn:loops=dfpnr",
                                       "dfpn:similar=simulation",
                                       "pds:similar=killer",
                                       "pds:loops=patience,patience=3",
                                       "pnstar",
                                       "alphabeta",
                                       "pn:merge=dag",
                                       "pn:merge=basetwin",
                                       "wpns:merge=dag",
                                       "dfppn:playouts=2",
                                       "dfppn:playouts=2,table=1KiB,history=basetwin",
                                       "dfews:playouts=2,epsilon=0"};
// One that takes some calls, of each rule.
std::vector<std::string> games() {
  std::vector<std::string> all;
  Draws draws(2);
  for (const char* rule : kAllRules) {
    std::string name = ::testing::TempDir() + "path_resume_" + std::to_string(::getpid()) + '_' +
                       std::to_string(all.size());
    std::uint64_t calls = 0;
    for (int tries = 0; tries < 1000 && (calls < 12 || calls > 60); ++tries) {
      std::ofstream(name) << random_graph(draws, rule, 40);
      calls = solve(ask("graph:file=" + name, "dfpn", "", "win")).counters.iterations;
    }
    EXPECT_GE(calls, 12u);
    all.push_back("graph:file=" + std::move(name));
  }
  return all;
}
std::string state_after(const SolveRequest& request, std::uint64_t calls) {
  const auto solver = make_solver(request);
  solver->step(calls);
  EXPECT_TRUE(solver->resumable());
  return saved(*solver);
}
SolveRequest question(const std::string& game, const std::string& algorithm) {
  SolveRequest request = ask(game, algorithm, "", "win");
  request.limits.max_nodes = 20'000;
  return request;
}

TEST(PathResume, QuestionsOfTwoClaims) {
  for (const std::string& game : games()) {
    for (const char* algorithm : kAlgorithms) {
      SolveRequest request = ask(game, algorithm, "", "value");
      request.limits.max_nodes = 20'000;
      request.certificate = true;
      const auto whole = make_solver(request);
      finish(*whole);
      auto pieces = make_solver(request);
      while (pieces->step(3) == StopReason::kRunning) pieces = resumed(request, saved(*pieces));
      expect_same_search(pieces->result(), whole->result());
      if (whole->result().reason != StopReason::kDecided) continue;
      EXPECT_EQ(certificate(*pieces), certificate(*whole));
    }
  }
}

TEST(PathResume, TruncatedAnywhere) {
  for (const std::string& game : games()) {
    for (const char* algorithm : kAlgorithms) {
      const SolveRequest request = question(game, algorithm);
      for (const std::uint64_t calls : {std::uint64_t{0}, std::uint64_t{5}, ~std::uint64_t{0}}) {
        const std::string state = state_after(request, calls);
        for (std::size_t size = 0; size < state.size(); size += nightly() ? 1 : 1 + size / 25) {
          EXPECT_THROW(resumed(request, state.substr(0, size)), Error) << algorithm;
        }
        EXPECT_THROW(resumed(request, state + 'x'), Error);
      }
    }
  }
}

TEST(PathResume, EveryByteReplaced) {
  int refused = 0;
  int taken = 0;
  for (const std::string& game : games()) {
    for (const char* algorithm : kAlgorithms) {
      const SolveRequest request = question(game, algorithm);
      const Verdict right = solve(request).verdict;
      ASSERT_NE(right, Verdict::kUnknown) << game << ' ' << algorithm;
      for (const std::uint64_t calls : {std::uint64_t{4}, std::uint64_t{11}, ~std::uint64_t{0}}) {
        const std::string state = state_after(request, calls);
        for (std::size_t i = 0; i < state.size(); i += nightly() ? 1 : 47) {
          for (const int other : {1, 2, 0x80}) {
            if (other == 2 && !nightly()) continue;
            std::string forged = state;
            forged[i] = static_cast<char>(forged[i] ^ other);
            SCOPED_TRACE(std::string(algorithm) + ", byte " + std::to_string(i));
            accepts_state(request, forged, right) ? ++taken : ++refused;
            if (HasFailure()) return;
          }
        }
      }
    }
  }
  // What is taken: times, numbers, codes of paths, and answers that no proof needs.
  EXPECT_GT(refused, taken / 2);
}

TEST(PathResume, RunsOfBytesReplaced) {
  Draws draws(3);
  for (const std::string& game : games()) {
    for (const char* algorithm : kAlgorithms) {
      const SolveRequest request = question(game, algorithm);
      const Verdict right = solve(request).verdict;
      const std::string state = state_after(request, 9);
      for (int round = 0; round < (nightly() ? 2000 : 40); ++round) {
        std::string forged = state;
        const auto size = static_cast<int>(state.size());
        const auto to = static_cast<std::size_t>(draws.below(size));
        const auto from = static_cast<std::size_t>(draws.below(size));
        const auto length = static_cast<std::size_t>(1 + draws.below(24));
        forged.replace(to, std::min(length, forged.size() - to), state, from,
                       std::min(length, forged.size() - to));
        if (forged.size() > state.size()) forged.resize(state.size());
        accepts_state(request, forged, right);
        if (HasFailure()) return;
      }
    }
  }
}

// A state of another graph is refused, though its name is the same.
TEST(PathResume, TheGraphMustBeTheSame) {
  const std::string name = ::testing::TempDir() + "path_resume_same";
  for (const char* algorithm : {"dfpn", "pn"}) {
    const SolveRequest request = question("graph:file=" + name, algorithm);
    std::ofstream(name) << "a or b c\nb and a c\nc win\n";
    const std::string state = state_after(request, 1);
    EXPECT_TRUE(accepts_state(request, state, Verdict::kProved));
    std::ofstream(name) << "a or b c\nb and a c\nc loss\n";
    try {
      resumed(request, state);
      ADD_FAILURE() << algorithm;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kData);
      EXPECT_NE(std::string(error.what()).find("file of the game"), std::string::npos);
    }
  }
}

TEST(PathResume, MemoryLimit) {
  SolveRequest request = question(games()[1], "dfpn");
  const std::string state = state_after(request, 11);
  request.limits.max_memory = 300;
  try {
    resumed(request, state);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_NE(std::string(error.what()).find("--max-memory"), std::string::npos);
  }
}

TEST(PathResume, TheOracleRefuses) {
  const auto solver = make_solver(ask("graph", "minimax", "", "win"));
  EXPECT_FALSE(solver->resumable());
  StringSink sink;
  EXPECT_THROW(solver->save(sink), Error);
}

}  // namespace
}  // namespace playproof::path_resume_test
