// Proof zones in the searches that keep a tree: verdicts, moves and certificates against exhaustive
// search, the claim of each zone against positions drawn to match it, searches in batches and in
// pieces. Broken rules and planted faults: zones_tree_broken_test.cpp, zones_tree_faults_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "certified.h"
#include "games/hex/connection.h"
#include "host/proof/strategy.h"
#include "host/proof/tree_proof.h"
#include "host/tree/pn2.h"
#include "kernels/schemes/deep_pn.h"
#include "kernels/schemes/ews.h"
#include "kernels/schemes/mcpn.h"
#include "kernels/schemes/ppn.h"
#include "kernels/schemes/wpns.h"
#include "saved.h"
#include "zones_tree.h"

namespace playproof::zones_tree_test {
namespace {

constexpr Knows kAll[] = {
    kNothing,
    kBridges,
    kLinks,
    kPatterns,
    {.patterns = 16},
    {.bridges = true, .patterns = 64},
    {.links = true, .patterns = 64},
    {.fill = FillLevel::kDead},
    {.fill = FillLevel::kCaptured},
    {.bridges = true, .fill = FillLevel::kFull, .ask_selected = true},
    {.links = true, .fill = FillLevel::kFull},
    {.links = true, .patterns = 16, .ask_selected = true},
    {.links = true, .patterns = 64, .fill = FillLevel::kFull, .ask_selected = true}};

// Calls f(driven, seen) with every scheme of best-first search, made for this position.
template <class F>
void for_each_best_first(const Board::Rules& rules, const Board::State& position,
                         std::uint64_t seed, Knows knows, F&& f) {
  const Claim claim{Board::to_move(rules, position), 1};
  const SearchOptions options = with_zones(seed, knows);
  const auto best_first = [&]<class S>(const S& scheme, StopRule stop, bool path = false) {
    using Engine = BestFirst<Board, S>;
    with_engine<Board, Engine>(f, rules, position, claim, scheme,
                               typename Engine::Options{options, stop, path});
  };
  best_first(Pn{}, StopRule::kOwn);
  best_first(Pn{true}, StopRule::kOne, true);
  best_first(DeepestPn{}, StopRule::kAllis);
  best_first(DeepPn{0.65, false}, StopRule::kAllis);
  best_first(Wpns{}, StopRule::kNone);
  best_first(Mcpn{10, {true, 0}}, StopRule::kAllis);
  best_first(Ppn{10, {false, 0.025}}, StopRule::kAllis);
  best_first(Ews{10, EwsLeafWork::rollout()}, StopRule::kAllis);
}
// Calls f(driven, seen) with every engine and scheme, the best-first ones with all that they may
// know.
template <class F>
void for_each_engine(const Board::Rules& rules, const Board::State& position, std::uint64_t seed,
                     F&& f) {
  const Claim claim{Board::to_move(rules, position), 1};
  const SearchOptions options = with_zones(seed);
  for (const Knows knows : kAll) for_each_best_first(rules, position, seed, knows, f);
  for (const bool immediate : {false, true}) {
    Pn2<Board>::Options two{options};
    two.immediate = immediate;
    with_engine<Board, Pn2<Board>>(f, rules, position, claim, two);
  }
  const MctsRule sign{10, MctsRule::Form::kOutside, 2, MctsRule::Reward::kSign};
  const MctsRule pure{5, MctsRule::Form::kPure, 0};
  with_engine<Board, Mcts<Board>>(f, rules, position, claim, sign, options);
  with_engine<Board, Mcts<Board>>(f, rules, position, claim, pure, options);
}

constexpr std::pair<int, int> kBoards[] = {{2, 2}, {2, 3}, {3, 2}, {2, 4}, {4, 2}, {3, 3}};

// Leaves that cite what another player won, and those whose winner has one stone less.
template <class Engine>
void count_citations(const Engine& engine, const Board::Rules& rules, const Board::State& position,
                     std::uint64_t* exchanged, std::uint64_t* missing) {
  if constexpr (requires { engine.patterns(); }) {
    if (engine.patterns() == nullptr || engine.patterns()->citations() == 0) return;
    const auto& patterns = *engine.patterns();
    std::vector<Board::State> states(engine.tree().nodes());
    walk<Board>(engine.tree(), rules, position,
                [&](NodeIndex index, auto&, auto& state) { states[index] = state; });
    for (std::uint32_t i = 0; i < patterns.citations(); ++i) {
      const auto& [leaf, source] = patterns.citation(i);
      const auto& maps = patterns.kept().maps();
      *exchanged += maps.exchanges(source.map);
      const bool proved = engine.tree().node(source.node).bounds.proves(1);
      const Player winner = proved ? engine.claim().attacker : opponent(engine.claim().attacker);
      const auto stones = Connection<Board>::stones(states[source.node], winner);
      const auto needed = maps.turned(source.map, stones & engine.zones().zone(source.node));
      const Player there = maps.turned(source.map, winner);
      *missing += !needed.within(Connection<Board>::stones(states[leaf], there));
    }
  }
}

TEST(ZonesTree, EveryEngineIsRight) {
  std::uint64_t searches = 0;
  std::uint64_t solved = 0;
  std::uint64_t cited = 0;
  std::uint64_t exchanged = 0;
  std::uint64_t missing = 0;
  for (const auto& [rows, columns] : kBoards) {
    const int cells = rows * columns;
    const std::size_t by_day = cells < 6 ? 1 : cells == 6 ? 3 : cells == 8 ? 61 : 301;
    const std::size_t step = nightly() ? 1 : by_day;
    for_some(rows, columns, step, [&](const auto& rules, auto& all, const auto& position, auto i) {
      const bool attacker = Board::to_move(rules, position) == Player::kFirst;
      const bool reached = all.black_wins(position) == attacker;
      for (const std::uint32_t batch : {1u, 5u}) {
        int number = 0;
        for_each_engine(rules, position, i, [&](auto& driven, const auto& engine) {
          driven.drive(kToTheEnd, batch, i);
          EXPECT_EQ(fault_of<Board>(engine, rules, position, reached), "")
              << all.cells_of(position) << " batch " << batch << " engine " << number++;
          ++searches;
          for (NodeIndex node = 0; node < engine.tree().nodes(); ++node) {
            solved += engine.zones().by_sibling(node);
          }
          cited += engine.counters().pattern_hits;
          count_citations(engine, rules, position, &exchanged, &missing);
        });
      }
    });
  }
  EXPECT_GT(searches, 1000u);
  EXPECT_GT(solved, searches / 2);
  EXPECT_GT(cited, 1000u);
  EXPECT_GT(exchanged, 100u);
  EXPECT_GT(missing, nightly() ? 100u : 50u);
}

// Between two batches too.
TEST(ZonesTree, EveryStepIsSound) {
  for_some(3, 3, nightly() ? 40 : 400, [](const auto& rules, auto&, const auto& position, auto i) {
    for (const std::uint32_t batch : {1u, 3u, 16u}) {
      for_each_engine(rules, position, i, [&](auto& driven, const auto& engine) {
        while (engine.stopped() == StopReason::kRunning) {
          driven.drive(1, batch, i);
          TreeCheck<Board>(rules, engine.claim(), engine).run(position, true);
        }
      });
    }
  });
}
TEST(ZonesTree, ZonesClaimWhatIsTrue) {
  std::uint64_t zones = 0;
  Draws draws(7);
  const auto check = [&](const auto& rules, auto& all, const auto& position, auto i) {
    for_each_engine(rules, position, i, [&](auto& driven, const auto& engine) {
      driven.drive(kToTheEnd, 1 + i % 4, i);
      walk<Board>(engine.tree(), rules, position, [&](NodeIndex index, auto& node, auto& state) {
        if (!node.decided || !engine.zones().on()) return;
        ++zones;
        EXPECT_TRUE(claim_holds<Board>(engine, rules, state, index, all, draws))
            << all.cells_of(state) << " of " << all.cells_of(position);
      });
    });
  };
  for (const auto& [rows, columns] : kBoards) {
    for_some(rows, columns, nightly() ? 5 : 67, check);
  }
  EXPECT_GT(zones, 10'000u);
}

// The prover's moves hold against whatever the opponent plays, also where a sibling has solved his
// reply, and a strategy that is kept plays the same, as far as it goes: not below what a probe
// decides.
template <class Engine>
void expect_answered(const Engine& engine, const Board::Rules& rules,
                     const Board::State& position) {
  using Proof = TreeProof<Board>;
  const ProofClaim claim{engine.claim(), engine.bounds().proves(1)};
  Proof proof(rules, engine, claim, Proof::cite(rules, engine, position));
  const Strategy strategy = strategy_of<Board>(rules, position, proof, {});
  struct Place {
    Board::State state;
    typename Proof::Handle at;
    bool kept;
  };
  std::vector<Place> waiting{{position, {}, true}};
  std::size_t next = 0;
  while (!waiting.empty()) {
    const auto [state, at, kept] = waiting.back();
    waiting.pop_back();
    if (Board::finished(rules, state)) {
      const bool proved = value_for(engine.claim().attacker, Board::value(rules, state)) > 0;
      EXPECT_EQ(proved, claim.proved);
      continue;
    }
    const bool one = Board::to_move(rules, state) == claim.prover();
    typename Proof::Replies replies;
    proof.replies(at, state, one, replies);
    Move moves[Board::kMaxMoves];
    const auto legal = static_cast<std::size_t>(Board::moves(rules, state, moves));
    ASSERT_EQ(replies.size(), one ? 1 : legal);
    if (one && kept) {
      EXPECT_EQ(strategy.at(next++), replies[0].first);
    }
    for (auto reply = replies.rbegin(); reply != replies.rend(); ++reply) {
      EXPECT_TRUE(std::find(moves, moves + legal, reply->first) != moves + legal);
      EXPECT_NO_THROW(proof.after(at, state, reply->first));
      Board::State child = state;
      Board::play(rules, child, reply->first);
      const bool ends = Board::finished(rules, child) || proof.is_probed(child);
      waiting.push_back({child, reply->second, kept && !ends});
    }
  }
  EXPECT_EQ(next, strategy.size());
}
TEST(ZonesTree, EveryReplyIsAnswered) {
  const auto check = [](const auto& rules, auto&, const auto& position, auto i) {
    for_each_engine(rules, position, i, [&](auto& driven, const auto& engine) {
      driven.drive(kToTheEnd, i % 2 == 0 ? 1 : 3, i);
      expect_answered(engine, rules, position);
    });
  };
  for (const auto& [rows, columns] : kBoards) for_some(rows, columns, nightly() ? 7 : 101, check);
}
// Whole searches with certificates, moves and lines. A text as "b2 a1 c3".
std::string random_moves(const Board::Rules& rules, int stones, Draws& draws) {
  while (true) {
    Board::State state = Board::initial(rules);
    std::string text;
    while (state.count < stones && !Board::finished(rules, state)) {
      Move moves[Board::kMaxMoves];
      const Move move = moves[draws.below(Board::moves(rules, state, moves))];
      text += GameText<Board>::move_text(rules, move) + ' ';
      Board::play(rules, state, move);
    }
    if (!Board::finished(rules, state)) return text;
  }
}
const std::vector<std::string>& algorithms() {
  static const std::vector<std::string> all = {"pn",
                                               "pn:ties=path,stop=one",
                                               "pn:leaf=playouts,playouts=8",
                                               "pn2",
                                               "pn2:evaluate=immediate",
                                               "deeppn",
                                               "wpns",
                                               "mcpn",
                                               "ppn:order=random",
                                               "ppn:playouts=4",
                                               "ews",
                                               "ews:leaf=rollout,playouts=4",
                                               "mcts",
                                               "uct",
                                               "uct:reward=sign,order=random",
                                               "pn:probe=bridges",
                                               "pn:probe=connections",
                                               "deeppn:probe=connections",
                                               "wpns:probe=bridges",
                                               "mcpn:probe=connections",
                                               "ppn:probe=bridges",
                                               "ppn:probe=connections,order=random",
                                               "ews:probe=bridges",
                                               "ews:probe=connections",
                                               "pn:patterns=20",
                                               "pn:leaf=both,patterns=20,earlybreak=off",
                                               "deeppn:patterns=20",
                                               "wpns:patterns=20,probe=bridges",
                                               "mcpn:patterns=1000",
                                               "ppn:patterns=20,order=random",
                                               "ppn:patterns=1000,probe=bridges",
                                               "ppn:patterns=20,probe=connections",
                                               "ews:patterns=20",
                                               "ews:patterns=1000,probe=bridges",
                                               "pn:fill=full,ask=selected",
                                               "pn:stop=one,fill=captured,ask=created",
                                               "deeppn:fill=dead,patterns=20",
                                               "wpns:fill=full,ask=created",
                                               "mcpn:probe=bridges,fill=full,earlybreak=off",
                                               "ppn:fill=full,order=random",
                                               "ppn:probe=connections,ask=selected",
                                               "ppn:probe=connections,fill=full,patterns=20",
                                               "ews:probe=connections,fill=captured,ask=created",
                                               "ews:patterns=1000,fill=full"};
  return all;
}
void expect_all_right(int rows, int columns, int stones, int positions, std::uint64_t seed) {
  const auto rules = Board::make_rules(rows, columns);
  const std::string game =
      "hex:rows=" + std::to_string(rows) + ",columns=" + std::to_string(columns);
  Draws draws(seed);
  for (int i = 0; i < positions; ++i) {
    const std::string position = random_moves(rules, stones, draws);
    const Truth right = truth(game, position);
    std::size_t turn = 0;
    for (const std::string& algorithm : algorithms()) {
      if (++turn % 3 != static_cast<std::size_t>(i % 3) && !nightly()) continue;
      for (const char* goal : {"win", "value"}) {
        SolveRequest request = ask(game, algorithm, position, goal);
        request.batch = i % 2 == 0 ? 1 : 4;
        expect_right(request, right);
      }
    }
    if (::testing::Test::HasFailure()) return;
  }
}
TEST(ZonesTree, SolversAgree) {
  const int more = nightly() ? 40 : 1;
  expect_all_right(3, 3, 0, 1, 1);
  expect_all_right(3, 3, 1, 3 * more, 2);
  expect_all_right(3, 3, 2, 6 * more, 3);
  expect_all_right(4, 4, 6, 4 * more, 4);
  expect_all_right(3, 5, 5, 4 * more, 5);
  expect_all_right(2, 8, 6, 4 * more, 6);
}

// What proves it is written as cards, few of them.
TEST(ZonesTree, ProofsAreCards) {
  for (const std::string& algorithm : algorithms()) {
    SolveRequest request = ask("hex:size=3", algorithm, "a1", "win");
    request.certificate = true;
    const auto solver = make_solver(request);
    finish(*solver);
    std::string text;
    expect_certified(*solver, request, solver->result(), &text);
    const bool links = algorithm.find("connections") != std::string::npos;
    const bool fills = algorithm.find("fill=full") != std::string::npos ||
                       algorithm.find("fill=captured") != std::string::npos;
    const char* version = fills ? "4" : links ? "3" : "2";
    EXPECT_TRUE(text.starts_with(std::string("playproof-certificate ") + version + '\n')) << text;
    EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 120) << algorithm;
  }
}

TEST(ZonesTree, InPiecesIsTheSameSearch) {
  for (const std::string& algorithm : algorithms()) {
    for (const std::uint32_t batch : {1u, 6u}) {
      SCOPED_TRACE(algorithm + " batch " + std::to_string(batch));
      SolveRequest request = ask("hex:size=4", algorithm, "b3 c2");
      request.batch = batch;
      request.certificate = true;
      request.limits.max_nodes = 4000;
      const auto whole = make_solver(request);
      finish(*whole);
      auto pieces = make_solver(request);
      Draws draws(batch);
      while (pieces->step(1 + draws.below(60)) == StopReason::kRunning) {
        pieces = resumed(request, saved(*pieces));
      }
      expect_same_search(pieces->result(), whole->result());
      EXPECT_EQ(pieces->interim_moves(), whole->interim_moves());
    }
  }
}

// Searches become smaller, by default, and games without zones take the option and do nothing.
TEST(ZonesTree, OnAndOff) {
  for (const char* name : {"pn", "ppn", "mcts"}) {
    const auto nodes = [&](const std::string& game, const char* position, const char* zones) {
      return solve(ask(game, std::string(name) + zones, position)).counters.nodes_created;
    };
    const std::uint64_t on = nodes("hex:size=4", "b3 b2", "");
    EXPECT_EQ(on, nodes("hex:size=4", "b3 b2", ":zones=on")) << name;
    EXPECT_LT(on, nodes("hex:size=4", "b3 b2", ":zones=off")) << name;
    EXPECT_EQ(nodes("othello:size=4", "", ":zones=on"), nodes("othello:size=4", "", ""));
    EXPECT_EQ(nodes("othello:size=4", "", ":zones=off"), nodes("othello:size=4", "", ""));
  }
}

}  // namespace
}  // namespace playproof::zones_tree_test
