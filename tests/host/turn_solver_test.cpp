// Searches on turns in pieces: saved and resumed wherever they can be left, driven step by step
// with leaves of very many playouts, and with playouts that fail.
#include "host/solve/turn_solver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "games/connect/rzop.h"
#include "host/archive/archive.h"
#include "host/solve/fleet.h"
#include "tests/games/race_support.h"
#include "tests/host/failing_evaluator.h"
#include "tests/host/saved.h"
#include "tests/host/support.h"

namespace playproof::turn_solver_test {
namespace {

// Playouts that are none, a group of them at a time.
template <class State>
std::uint32_t made_up_wins(const State& state, std::uint32_t first, std::uint32_t count) {
  constexpr std::uint32_t kGroup = 1024;
  std::uint32_t wins = 0;
  for (std::uint32_t at = first; at < first + count; at += kGroup) {
    std::uint64_t key = mix64(at);
    for (const auto& player : state.stones) {
      for (const std::uint64_t word : player) key = mix64(key ^ word);
    }
    wins += static_cast<std::uint32_t>(key % std::min(kGroup, first + count - at));
  }
  return wins;
}

// What a search has said, and how far it is.
template <class Search>
std::vector<std::uint64_t> standing(const Search& search) {
  const VcdtAnswer& answer = search.answer();
  std::vector<std::uint64_t> all = {static_cast<std::uint64_t>(answer.outcome),
                                    answer.calls,
                                    answer.work,
                                    answer.nodes,
                                    answer.nodes_by[0],
                                    answer.nodes_by[1],
                                    answer.depth,
                                    search.ways().entries,
                                    search.ways().re_entries,
                                    search.ways().branch,
                                    search.ways().root,
                                    search.ways().shallow,
                                    search.evaluations(),
                                    search.playouts(),
                                    search.proof().nodes.size()};
  return all;
}

// Driven for as little as can be asked for, and at each halt gone on with by a search that has
// loaded what was saved there: how often.
template <class Numbers>
int resume_everywhere(const Race<1>& race, const Numbers& numbers, int width, bool lazy,
                      bool by_zones = false, bool singles = false) {
  using Search = Rzop<1, Numbers>;
  const ConnectWindows<1> windows(race.rules);
  const ConnectThreats<1> position(windows, race.state);
  typename Search::Settings options{{}, numbers, made_up_wins<typename Search::State>};
  options.threats.turns = 1;
  options.width = width;
  options.lazy = lazy;
  options.by_zones = by_zones;
  if (singles) options.singles = VcstOptions{.singles = 1, .work = 2'000};
  options.work = 20'000;
  Search whole(windows);
  whole.begin(position, race.attacker, 2, options);
  while (!whole.advance(1'000'000)) {
  }
  auto search = std::make_unique<Search>(windows);
  search->begin(position, race.attacker, 2, options);
  int halts = 0;
  int within = 0;
  while (!search->advance(1)) {
    ++halts;
    within += search->within_leaf();
    StringSink sink;
    Saver saver(sink);
    search->serialize(saver);
    auto other = std::make_unique<Search>(windows);
    other->begin(position, race.attacker, 2, options);
    StringSource source(sink.text);
    Loader loader(source);
    other->serialize(loader);
    EXPECT_EQ(source.most_left(), 0u);
    EXPECT_EQ(standing(*other), standing(*search)) << halts;
    EXPECT_EQ(other->within_leaf(), search->within_leaf());
    search = std::move(other);
    if (halts > 4000) break;
  }
  EXPECT_EQ(standing(*search), standing(whole));
  EXPECT_EQ(within > 0, numbers.playouts() > 0);
  return halts;
}

TEST(TurnSolver, GoesOnWhereverItIsLeft) {
  int halts = 0;
  const auto leaf = LeafNumbers::from_playouts(3000, {RateForm::Kind::kPower, 32768}, false);
  const std::vector<std::string> lines = data_lines("connect6-small-turns.txt");
  for (const std::size_t line : {0, 1, 4}) {
    const RaceLine each(lines[line]);
    const Race<1> race =
        Race<1>::of_rows(each.stones[0] - '0', 2, each.columns[0], each.columns[1][0]);
    halts += resume_everywhere(race, TurnProofNumbers{}, 5, true);
    halts += resume_everywhere(race, TurnProofNumbers{{}, ThresholdRule{}}, 9, false);
    halts += resume_everywhere(race, TurnProofNumbers{leaf, ThresholdRule{}}, 4, true);
    halts += resume_everywhere(race, TurnProofNumbers{leaf}, RzopOptions::kAll, true);
    halts += resume_everywhere(race, TurnProofNumbers{{}, ThresholdRule{}}, 4, true, true);
    halts += resume_everywhere(race, TurnProofNumbers{}, 6, false, true, true);
    halts += resume_everywhere(race, TurnProofNumbers{leaf}, 3, true, true, true);
  }
  EXPECT_GT(halts, 300);
}

// A search of a small board after its first stroke: what it saves, and what loads.
class FirstStroke {
 public:
  using Search = Rzop<1, TurnProofNumbers>;
  explicit FirstStroke(Search::Settings options) : options_(std::move(options)), search_(windows_) {
    search_.begin(position_, race_.attacker, 2, options_);
    EXPECT_FALSE(search_.advance(1));
  }
  bool within_leaf() const { return search_.within_leaf(); }
  std::string saved() {
    StringSink sink;
    Saver saver(sink);
    search_.serialize(saver);
    return sink.text;
  }
  // Empty if all of the text loads.
  std::string refused(const std::string& text) {
    Search other(windows_);
    other.begin(position_, race_.attacker, 2, options_);
    StringSource source(text);
    Loader loader(source);
    try {
      other.serialize(loader);
      return source.most_left() == 0 ? "" : "there is more";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kData);
      return error.what();
    }
  }

 private:
  static Race<1> small() {
    const RaceLine line(data_lines("connect6-small-turns.txt")[0]);
    return Race<1>::of_rows(line.stones[0] - '0', 2, line.columns[0], line.columns[1][0]);
  }
  Search::Settings options_;
  Race<1> race_ = small();
  ConnectWindows<1> windows_{race_.rules};
  ConnectThreats<1> position_{windows_, race_.state};
  Search search_;
};

// What a file says of the leaf that is under way is held against it.
TEST(TurnSolver, PlayoutsOfNoLeafAreRefused) {
  FirstStroke::Search::Settings options;
  options.numbers.leaf = LeafNumbers::from_playouts(5000, {RateForm::Kind::kPower, 32768}, false);
  options.play = made_up_wins<FirstStroke::Search::State>;
  FirstStroke search(options);
  ASSERT_TRUE(search.within_leaf());
  const std::string saved = search.saved();
  const auto loads = [&](const std::string& text) { return search.refused(text).empty(); };
  EXPECT_TRUE(loads(saved));
  for (std::size_t size = 0; size < saved.size(); ++size) {
    EXPECT_FALSE(loads(saved.substr(0, size))) << size;
  }
  // Strokes, answers, leaves, is one under way, playouts that it has, and of these won.
  const std::size_t given = 24;
  ASSERT_EQ(saved.size(), given + 9);
  const auto with = [&](std::size_t place, char byte) {
    std::string text = saved;
    text[place] = byte;
    return text;
  };
  EXPECT_FALSE(loads(with(0, 1))) << "a stroke more";
  EXPECT_FALSE(loads(with(given, 0))) << "no leaf";
  EXPECT_FALSE(loads(with(given + 1, 1))) << "1025 playouts";
  EXPECT_FALSE(loads(with(given + 2, 0x20))) << "8192 playouts of 5000";
  EXPECT_FALSE(loads(with(given + 7, 0x7f))) << "more won than played";
}

// So is what searches by double threats have said of themselves, if none can say that.
TEST(TurnSolver, SearchesOfNoSearchAreRefused) {
  FirstStroke::Search::Settings options;
  options.threats.turns = 2;
  FirstStroke search(options);
  const std::string saved = search.saved();
  EXPECT_EQ(search.refused(saved), "");
  const std::size_t first = 24;  // strokes, leaves, answers; then the work and nodes of an answer
  for (const int byte : {3, 7}) {
    for (const int number : {0, 1, 2}) {
      std::string text = saved;
      text[first + static_cast<std::size_t>(8 * number + byte)] = '\x40';
      EXPECT_NE(search.refused(text).find(number == 0 ? "more work" : "more positions"),
                std::string::npos);
    }
  }
}

// What it says of memory is the most that there was.
TEST(TurnSolver, PeakOfMemory) {
  using Search = Rzop<6, TurnProofNumbers>;
  const Race<6> race = RaceLine(data_lines("connect6-openings.txt")[1]).race();
  const ConnectWindows<6> windows(race.rules);
  const ConnectThreats<6> position(windows, race.state);
  auto search = std::make_unique<Search>(windows);
  search->begin(position, race.attacker, 2, {});
  std::uint64_t most = 0;
  for (bool answered = false; !answered;) {
    answered = search->advance(16);
    EXPECT_GE(search->peak_bytes(), std::max(most, search->bytes()));
    most = search->peak_bytes();
  }
  EXPECT_GT(most, search->bytes());
}

const char* const kOpening = "JJ KI JH";

// Of leaves of a million playouts, one takes seconds: steps are short nevertheless, also while a
// whole board of pairs is tried.
TEST(TurnSolver, StepsAreShort) {
  // Of CPU time: a machine may do other things.
  const auto seconds = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
  for (const char* algorithm :
       {"pn:turns=all,leaf=playouts,playouts=1048576", "dfpn:turns=all,vcdtwork=1000",
        "dfpn:turns=5,probe=vcst,order=zones", "ppn:turns=20,playouts=1048576"}) {
    SCOPED_TRACE(algorithm);
    SolveRequest request = ask("connect6", algorithm, kOpening);
    request.backend = "cpu";
    const double begin = seconds();
    const auto solver = make_solver(request);
    EXPECT_LT(seconds() - begin, 5);
    std::string state;
    for (int i = 0; i < (nightly() ? 5 : 2); ++i) {
      const double step = seconds();
      EXPECT_EQ(solver->step(64), StopReason::kRunning);
      EXPECT_LT(seconds() - step, 5);
      state = saved(*solver);
    }
    const auto other = resumed(request, state);
    Counters counters = other->result().counters;
    // What searches by double threats have kept between two of them is not made again.
    counters.peak_bytes = solver->result().counters.peak_bytes;
    expect_same_counters(counters, solver->result().counters);
    EXPECT_TRUE(solver->resumable());
  }
}

// A limit of nodes is met exactly, wherever in a position it lies.
TEST(TurnSolver, MeetsItsLimit) {
  for (const std::uint64_t nodes : {1, 2, 17, 40}) {
    SolveRequest request = ask("connect6", "pn:turns=20", kOpening);
    request.limits.max_nodes = nodes;
    const SolveResult result = finish(*make_solver(request));
    EXPECT_EQ(result.reason, StopReason::kNodes);
    EXPECT_EQ(result.counters.nodes_created, nodes);
  }
}

// False if the search ended before its n-th batch.
bool fails_and_stays_failed(EvaluatorFault fault, int n) {
  constexpr const char* kGame = "connect6:rows=5,columns=5,connect=4,stones=2";
  const Connect<1>::Rules rules = Connect<1>::make_rules(5, 5, 4, 2);
  const SolveRequest request = ask(kGame, "pn:turns=4,leaf=playouts", "CC");
  const auto leaf = LeafNumbers::from_playouts(1500, {RateForm::Kind::kPower, 32768}, false);
  RzopOptions options;
  options.width = 4;
  options.threats.turns = 1;
  options.work = 3000;
  const auto solver = TurnSolver<1, TurnProofNumbers>::make(
      rules, GameText<Connect<1>>::parse(rules, request.position), {Player::kSecond, 1}, request,
      {kGame, "failing", "win"}, options, {leaf},
      std::make_shared<Failing<Connect<1>>>(rules, fault, n));
  std::string error;
  const auto step = [&] {
    try {
      while (solver->step(1'000'000) == StopReason::kRunning) {
      }
    } catch (const Error& thrown) {
      EXPECT_EQ(thrown.code(), ErrorCode::kUnavailable);
      error = thrown.what();
    } catch (const std::bad_alloc&) {
      error = "memory";
    }
  };
  EXPECT_TRUE(solver->resumable());
  step();
  if (error.empty()) return false;
  EXPECT_EQ(error, fault == EvaluatorFault::kMemory ? "memory" : "the device is lost");
  const SolveResult result = solver->result();
  EXPECT_EQ(result.verdict, Verdict::kUnknown);
  EXPECT_FALSE(solver->interim_moves().empty());
  EXPECT_FALSE(solver->resumable());
  error.clear();
  step();
  EXPECT_FALSE(error.empty()) << "it goes on";
  expect_same_counters(solver->result().counters, result.counters);
  EXPECT_ANY_THROW(saved(*solver));
  return true;
}

TEST(TurnSolver, FailsForGood) {
  for (const EvaluatorFault fault :
       {EvaluatorFault::kSubmit, EvaluatorFault::kCollect, EvaluatorFault::kMemory}) {
    int n = 1;
    while (n < 60 && fails_and_stays_failed(fault, n)) n += n < 12 ? 1 : 7;
    EXPECT_GT(n, 6) << "the search is too short to say anything";
  }
}

// A device is no reason to share what a search plays by itself.
TEST(TurnSolver, SharesNoPlayouts) {
  for (const char* algorithm : {"ppn:turns=5", "mcpn:turns=5", "pn:turns=5,leaf=playouts"}) {
    SCOPED_TRACE(algorithm);
    SolveRequest request = ask("connect6:size=5,connect=4", algorithm);
    request.backend = "fake";
    const auto solver = make_solver(request);
    EXPECT_EQ(solver->backend(), "fake");
    EXPECT_FALSE(shares_playouts(*solver));
    FleetRequest fleet;
    fleet.backend = "fake";
    const std::vector<SolveRequest> searches = {request};
    EXPECT_THROW(run_fleet(searches, fleet, {}), Error);
  }
  SolveRequest request = ask("connect6:size=5,connect=4", "ppn");
  request.backend = "fake";
  EXPECT_TRUE(shares_playouts(*make_solver(request)));
  request.goal = "value";
  EXPECT_FALSE(shares_playouts(*make_solver(request)));
  request.algorithm = "pn";
  request.goal = "win";
  EXPECT_FALSE(shares_playouts(*make_solver(request)));
}

}  // namespace
}  // namespace playproof::turn_solver_test
