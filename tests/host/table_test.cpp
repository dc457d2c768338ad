// Depth-first search and its table: what the table loses, what it is made to claim, and proofs that
// come out of it.
#include <gtest/gtest.h>

#include <functional>
#include <initializer_list>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "games/hex/rules.h"
#include "host/solve/make_table_solver_impl.h"
#include "host/solve/table_solver.h"
#include "host/table/depth_first.h"
#include "saved.h"
#include "support.h"

namespace playproof::table_test {
namespace {

using Board = Hex<1>;
using Entry = TableEntry<Board>;

const DepthFirst<Board>& search_of(const Solver& solver) {
  return dynamic_cast<const DepthFirst<Board>&>(
      dynamic_cast<const TableSolver<Board>&>(solver).engine());
}
// The first entry of the table that `wanted` likes, to be spoilt.
Entry* entry_of(Solver& solver, const std::function<bool(const Entry&)>& wanted) {
  const auto& table = search_of(solver).table();
  for (std::uint64_t i = 0; i < table.size(); ++i) {
    const Entry& entry = table.entry(i);
    if (entry.used() && wanted(entry)) return const_cast<Entry*>(&entry);
  }
  ADD_FAILURE() << "no such entry";
  return nullptr;
}
const TableCounters& table_counters(const Solver& solver) {
  return search_of(solver).table_counters();
}

bool proven(const Entry& entry) { return entry.bounds().lower() == entry.bounds().upper(); }
// The entry with another claim.
void claim(Entry* entry, Value value) {
  *entry = Entry(entry->id(), entry->numbers(), Bounds::exact(value), entry->work());
}

PositionId<Board> id(const Board::State& state) { return position_id(Board{}, state); }

TEST(Table, FindsWhatWasStoredWhileThereIsRoom) {
  const auto rules = Board::make_rules(5, 5);
  ProofTable<Board> table({1 << 24, 4, 0});
  const Bounds any = Bounds::unknown(-1, 1);
  std::vector<Board::State> states;
  std::set<std::pair<std::uint64_t, std::uint64_t>> known;
  std::uint64_t draw = 1;
  while (states.size() < 20000) {
    Board::State state = Board::initial(rules);
    for (int ply = 0; ply < 8; ++ply) {
      Move moves[Board::kMaxMoves];
      const int count = Board::moves(rules, state, moves);
      draw = mix64(draw);
      Board::play(rules, state, moves[draw % static_cast<std::uint64_t>(count)]);
    }
    if (!known.emplace(state.stones[0][0], state.stones[1][0]).second) continue;
    if (table.wants_to_grow()) table.grow();
    table.store(id(state).hash(),
                {id(state), PhiDeltaPair{states.size(), 7}, any, states.size() % 2048});
    states.push_back(state);
  }
  std::uint64_t lost = 0;
  for (std::uint64_t i = 0; i < states.size(); ++i) {
    const auto entry = table.find(id(states[i]).hash(), id(states[i]));
    lost += !entry.has_value();
    if (!entry) continue;
    EXPECT_EQ(entry->numbers(), (PhiDeltaPair{i, 7}));
    EXPECT_EQ(entry->work(), i % 2048);
  }
  EXPECT_EQ(table.counters().stored, states.size());
  EXPECT_EQ(lost, 0u);
  EXPECT_FALSE(table.counters().lost_any());
}

// The least work goes first, and what is proven of a position is never forgotten for less.
TEST(Table, ReplacesTheLeastWork) {
  const auto rules = Board::make_rules(5, 5);
  ProofTable<Board> table({1, 4, 0});  // four places
  const Bounds any = Bounds::unknown(-1, 1);
  std::vector<Board::State> states;
  for (Move cell = 0; cell < 6; ++cell) {
    states.push_back(Board::initial(rules));
    Board::play(rules, states.back(), cell);
  }
  const auto store = [&](std::size_t i, const Bounds& bounds, std::uint64_t work) {
    table.store(id(states[i]).hash(), {id(states[i]), PhiDeltaPair{1, 1}, bounds, work});
  };
  const auto find = [&](std::size_t i) { return table.find(id(states[i]).hash(), id(states[i])); };
  store(0, any, 50);
  store(1, Bounds::exact(1), 3);
  store(2, any, 10);
  store(3, any, 20);
  store(1, any, 2);
  EXPECT_EQ(find(1)->bounds(), Bounds::exact(1));
  EXPECT_EQ(find(1)->work(), 3u);
  store(4, any, 5);
  EXPECT_FALSE(find(1));
  store(5, any, 1);
  EXPECT_FALSE(find(4));
  EXPECT_TRUE(find(0));
  EXPECT_EQ(table.counters().replaced, 2u);
}

// Garbage collection discards what took the least work, and finds everything else again.
TEST(Table, CollectsGarbage) {
  ProofTable<Board> table({1 << 14, 100, 0.5});
  const auto rules = Board::make_rules(8, 8);
  std::vector<Board::State> states;
  for (Move a = 0; a < 20; ++a) {
    for (Move b = 20; b < 40; ++b) {
      Board::State state = Board::initial(rules);
      Board::play(rules, state, a);
      Board::play(rules, state, b);
      states.push_back(state);
      if (table.wants_to_grow()) table.grow();
      table.store(id(state).hash(),
                  {id(state), PhiDeltaPair{1, 1}, Bounds::unknown(-1, 1), states.size()});
    }
  }
  ASSERT_EQ(table.size(), 512u);
  EXPECT_EQ(table.counters().discarded, 192u);  // half of 384
  EXPECT_EQ(table.counters().replaced, 0u);
  for (std::size_t i = 0; i < states.size(); ++i) {
    EXPECT_EQ(table.find(id(states[i]).hash(), id(states[i])).has_value(), i >= 192) << i;
  }
}

// A proof is a function of question and table: written twice, or after other questions, the same.
TEST(Table, ProofsChangeNothing) {
  for (const char* algorithm :
       {"dfpn:playouts=10", "dfpn:playouts=10,zones=off", "dfpn:playouts=10,table=1KiB",
        "dfpn:playouts=10,zones=off,table=1KiB", "dfpn:leaf=unit,zones=off,table=64KiB"}) {
    SolveRequest request = ask("hex:size=4", algorithm, "a1");
    request.certificate = true;
    const auto solver = make_solver(request);
    const SolveResult result = finish(*solver);
    ASSERT_EQ(result.reason, StopReason::kDecided);
    const std::string first = certificate(*solver);
    const std::string state = saved(*solver);
    EXPECT_EQ(certificate(*solver), first);
    EXPECT_EQ(saved(*solver), state);
    expect_same_search(solver->result(), result);
    const auto again = resumed(request, state);
    EXPECT_EQ(certificate(*again), first);
    expect_same_search(again->result(), result);
  }
}

TEST(Table, IsKeptForTheSameQuestion) {
  const auto calls = [](SolveRequest request, TableKeeper* keeper) {
    request.keeper = keeper;
    return solve(request).counters.iterations;
  };
  const SolveRequest request = ask("hex:size=4", "dfpn", "a1");
  const std::uint64_t first = calls(request, nullptr);
  TableKeeper keeper;
  EXPECT_EQ(calls(request, &keeper), first);
  EXPECT_EQ(calls(request, &keeper), 1u);
  EXPECT_EQ(calls(ask("hex:size=4", "dfpn", "d4"), &keeper), 1u);  // its image
  EXPECT_LT(calls(ask("hex:size=4", "dfpn", "b1"), &keeper),
            calls(ask("hex:size=4", "dfpn", "b1"), nullptr));
  SolveRequest seed = request;
  seed.seed = 2;
  for (const SolveRequest& other :
       {ask("hex:size=4", "dfpn", "a1 b1"), ask("hex:size=4", "dfpn:playouts=10", "a1"),
        ask("hex:rows=4,columns=5", "dfpn", "a1"), seed}) {
    EXPECT_EQ(calls(other, &keeper), calls(other, nullptr));
    EXPECT_EQ(calls(request, &keeper), first);  // it was given up
  }
  EXPECT_EQ(calls(ask("hex:size=2", "dfpn", "a1 b1 a2"), &keeper), 0u);  // finished: no search
  EXPECT_EQ(calls(request, &keeper), 1u);
}

// A table that is too full for a limit is given up, or no search after it would begin.
TEST(Table, IsKeptWithinTheLimits) {
  TableKeeper keeper;
  SolveRequest request = ask("hex:size=4", "dfpn:leaf=unit,zones=off", "a1");
  request.limits.max_memory = 600'000;
  request.keeper = &keeper;
  EXPECT_EQ(solve(request).reason, StopReason::kMemory);
  request.position = "b1 a4 b2";
  EXPECT_EQ(solve(request).verdict, Verdict::kProved);
  request.position = "a1";
  request.limits.max_memory = 0;
  request.limits.max_nodes = 1000;
  EXPECT_EQ(solve(request).reason, StopReason::kNodes);
  request.limits.max_nodes = SearchLimits::kNone;
  EXPECT_EQ(solve(request).verdict, Verdict::kProved);  // with what the one before left
}

// Two searches with one keeper: the later one's table stays, with its own name on it.
TEST(Table, IsKeptOfTheLastSearch) {
  TableKeeper keeper;
  SolveRequest white = ask("hex:size=4", "dfpn", "a1");
  SolveRequest black = ask("hex:size=4", "dfpn", "a1 b1");
  white.keeper = black.keeper = &keeper;
  {
    const auto first = make_solver(white);
    const auto second = make_solver(black);
    finish(*second);
    finish(*first);
  }
  EXPECT_EQ(solve(white).counters.iterations, 1u);
  try {
    resumed(white, saved(*make_solver(ask("hex:size=4", "dfpn", "a1"))));
    FAIL() << "a table that a file wrote was kept";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
  }
}

TEST(Table, OnlyTablesAreKept) {
  TableKeeper keeper;
  SolveRequest request = ask("hex:size=3", "pn");
  request.keeper = &keeper;
  try {
    make_solver(request);
    FAIL() << "a tree was kept";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_NE(std::string(error.what()).find("pn has no table"), std::string::npos);
  }
}

TEST(Table, SmallOnesReplace) {
  const auto small = make_solver(ask("hex:size=4", "dfpn:leaf=unit,zones=off,table=64KiB"));
  const auto large = make_solver(ask("hex:size=4", "dfpn:leaf=unit,zones=off"));
  const std::uint64_t calls = finish(*small).counters.iterations;
  EXPECT_GT(calls, finish(*large).counters.iterations);
  EXPECT_GT(table_counters(*small).replaced, 5000u);
  EXPECT_FALSE(table_counters(*large).lost_any());
}

// One false word in its table: found, not loaded, or no verdict rests on it.
void expect_false_claims_found(const char* algorithm, std::initializer_list<std::uint64_t> after) {
  SCOPED_TRACE(algorithm);
  const SolveRequest request = ask("hex:size=4", algorithm);
  for (const std::uint64_t calls : after) {
    for (const bool other_side : {false, true}) {
      const auto solver = make_solver(request);
      solver->step(calls);
      solver->self_check();
      ASSERT_EQ(table_counters(*solver).replaced, 0u) << "the check says less of such a table";
      Entry* entry =
          entry_of(*solver, [&](const Entry& e) { return e.entered() && proven(e) == other_side; });
      ASSERT_NE(entry, nullptr);
      claim(entry, other_side ? static_cast<Value>(-entry->bounds().lower()) : Value{1});
      EXPECT_THROW(solver->self_check(), Error);
      try {
        resumed(request, saved(*solver));
        ADD_FAILURE() << "loaded";
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kData) << error.what();
      }
    }
  }
}
TEST(Table, FalseClaimsAreFound) {
  expect_false_claims_found("dfpn:playouts=10,zones=off", {1000, 2500});
  expect_false_claims_found("dfpn:playouts=10", {200, 400});
}

// Tables that have lost positions cannot be held against the rules entry by entry: what they claim
// falsely must be found when a verdict rests on it.
void expect_no_verdict_on_false_claims(const char* algorithm) {
  SCOPED_TRACE(algorithm);
  int decided = 0;
  int refused = 0;
  for (const char* position : {"a1", "b2", "c3"}) {
    const SolveRequest request = ask("hex:size=4", algorithm, position);
    const Verdict right = solve(request).verdict;
    for (std::uint64_t calls = 500; calls < 5000; calls += nightly() ? 500 : 1300) {
      const auto solver = make_solver(request);
      if (solver->step(calls) != StopReason::kRunning) break;
      for (int i = 0; i < 100; ++i) {
        Entry* entry = entry_of(*solver, [&](const Entry& e) { return !proven(e); });
        claim(entry, right == Verdict::kProved ? Value{-1} : Value{1});
      }
      try {
        const SolveResult result = finish(*resumed(request, saved(*solver)));
        EXPECT_EQ(result.verdict, right);
        ++decided;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kData) << error.what();
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 5);
  EXPECT_GT(refused + decided, nightly() ? 20 : 8);
}
TEST(Table, NoVerdictRestsOnFalseClaims) {
  expect_no_verdict_on_false_claims("dfpn:leaf=unit,zones=off,table=64KiB");
  expect_no_verdict_on_false_claims("dfpn:leaf=unit,table=64KiB");
}

// Playouts that fail: the error reaches the caller, then and later, and nothing is claimed.
TEST(Table, FailingEvaluator) {
  class Failing final : public PlayoutEvaluator<Board> {
   public:
    Failing(std::unique_ptr<PlayoutEvaluator<Board>> of, int good)
        : of_(std::move(of)), left_(good) {}
    Ticket submit(std::span<const LeafRequest<Board>> requests) override {
      if (left_-- == 0) throw Error(ErrorCode::kUnavailable, "the device is gone");
      return of_->submit(requests);
    }
    void collect(Ticket ticket, std::span<Tally> tallies) override {
      of_->collect(ticket, tallies);
    }
    std::string name() const override { return of_->name(); }

   private:
    std::unique_ptr<PlayoutEvaluator<Board>> of_;
    int left_;
  };
  const auto rules = Board::make_rules(3, 3);
  const SolveRequest request = ask("hex:size=3", "dfpn:playouts=32");
  typename DepthFirst<Board>::Options options;
  options.leaf = LeafNumbers::from_playouts(32, {RateForm::Kind::kPower, 4096}, false);
  for (int good = 0; good < 8; ++good) {
    const auto solver = make_table_solver<Board>(
        rules, Board::initial(rules), {Player::kFirst, 1}, request, {},
        {std::make_unique<Failing>(make_evaluator<Board>(rules, "cpu", 1), good)}, options);
    EXPECT_THROW(solver->step(1000), Error);
    EXPECT_FALSE(solver->resumable());
    EXPECT_EQ(solver->result().verdict, Verdict::kUnknown);
    EXPECT_FALSE(solver->interim_moves().empty());
    EXPECT_THROW(solver->step(1000), Error);
  }
}

// A table that would grow beyond the memory limit ends the search; with more it goes on.
TEST(Table, MemoryLimit) {
  SolveRequest request = ask("hex:size=4", "dfpn:leaf=unit,zones=off");
  const SolveResult whole = solve(request);
  request.limits.max_memory = 1 << 20;
  const auto cut = make_solver(request);
  EXPECT_EQ(finish(*cut).reason, StopReason::kMemory);
  EXPECT_LE(cut->result().counters.peak_bytes, request.limits.max_memory);
  request.limits.max_memory = 1 << 28;
  expect_same_search(finish(*resumed(request, saved(*cut))), whole);
  request.limits.max_memory = 1 << 18;
  try {
    resumed(request, saved(*cut));
    ADD_FAILURE() << "loaded";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
  }
}

}  // namespace
}  // namespace playproof::table_test
