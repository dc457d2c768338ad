// Finished positions, refused requests, names: what a solver says before any search.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "games/core/error.h"
#include "support.h"

namespace playproof::beginnings_test {
namespace {

struct Finished {
  const char* game;
  const char* position;
  int value;  // for the side whose turn it would be
};

// In each game a won, a lost and, where there is one, a drawn position.
const std::vector<Finished>& finished_positions() {
  static const std::vector<Finished> positions = {
      {"hex:size=2", "a1 b1 a2", -1},
      {"hex:size=2", "a1 a2 b1 b2", -1},
      {"connect6:rows=3,columns=3,connect=3", "AA BA BB CA AB CB AC BC CC", 0},
      {"othello:size=4", "XXXXXXXXXXXXXXX- O", -16},
      {"othello:size=4", "XXXXXXXXXXXXXXX- X", 16},
      {"othello:size=4", "XXXXXXXXOOOOOOOO O", 0},
  };
  return positions;
}

TEST(FinishedPositions, AreDecidedByTheRulesAlone) {
  for (const Finished& finished : finished_positions()) {
    const Truth right = truth(finished.game, finished.position);
    ASSERT_TRUE(right.moves.empty());
    EXPECT_EQ(right.value, finished.value) << finished.game << ' ' << finished.position;
    for (const std::string& algorithm : plain_algorithms()) {
      for (const char* goal : {"win", "draw"}) {
        const auto solver = make_solver(ask(finished.game, algorithm, finished.position, goal));
        SCOPED_TRACE(std::string(finished.game) + ' ' + finished.position + ' ' + algorithm);
        EXPECT_TRUE(solver->interim_moves().empty());
        EXPECT_EQ(solver->interim_move(), kNoMove);
        EXPECT_EQ(solver->step(100), StopReason::kDecided);
        const SolveResult result = solver->result();
        const bool reached = right.value >= threshold_of(goal);
        EXPECT_EQ(result.verdict, reached ? Verdict::kProved : Verdict::kDisproved);
        EXPECT_EQ(result.lower, right.value);
        EXPECT_EQ(result.upper, right.value);
        EXPECT_FALSE(result.best_move.has_value());
        EXPECT_TRUE(result.principal_variation.empty());
        EXPECT_EQ(result.counters.iterations, 0u);
        EXPECT_EQ(result.counters.playouts, 0u);
      }
      const SolveResult value = solve(ask(finished.game, algorithm, finished.position, "value"));
      EXPECT_EQ(value.verdict, Verdict::kProved);
      EXPECT_EQ(value.lower, (right.value > 0) - (right.value < 0));
      EXPECT_FALSE(value.best_move.has_value());
      EXPECT_EQ(value.counters.iterations, 0u);
    }
  }
}

TEST(FinishedPositions, PGames) {
  for (int tree = 1; tree <= 10; ++tree) {
    const std::string game = "pgame:branching=2,depth=3,tree=" + std::to_string(tree);
    const Truth right = truth(game, "0 1 1");
    for (const std::string& algorithm : plain_algorithms()) {
      const SolveResult result = solve(ask(game, algorithm, "0 1 1"));
      EXPECT_EQ(result.verdict, right.value > 0 ? Verdict::kProved : Verdict::kDisproved);
      EXPECT_EQ(result.counters.iterations, 0u);
      EXPECT_FALSE(result.best_move.has_value());
    }
  }
}

void expect_refused(const SolveRequest& request, ErrorCode code, const std::string& words) {
  try {
    make_solver(request);
    ADD_FAILURE() << "accepted: " << request.game << ' ' << request.algorithm;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(Requests, Refused) {
  const auto refuse = [](const std::string& game, const std::string& algorithm,
                         const std::string& goal, const std::string& words) {
    expect_refused(ask(game, algorithm, "", goal), ErrorCode::kUsage, words);
  };
  refuse("hexx", "pn", "win", "hex");
  refuse("hex:size=99", "pn", "win", "2..19");
  refuse("hex", "pnn", "win", "pn");
  refuse("hex", "pn:tie=left", "win", "ties");
  refuse("hex", "pn:ties=right", "win", "left");
  refuse("hex", "pn:ties=deepest,stop=own", "win", "stop=allis");
  refuse("hex", "deeppn:R=1.5", "win", "R");
  refuse("hex", "ppn:playouts=10,theta=0.05", "win", "theta");
  refuse("hex", "mcpn:playouts=1,theta=0.5", "win", "theta");
  refuse("hex", "uct:C=-1", "win", "C");
  refuse("hex", "pn", "score", "no scores");
  refuse("hex", "pn", "score>=1", "no scores");
  refuse("othello:size=4", "pn", "score>=17", "-16..16");
  refuse("hex", "pn", "wins", "win");
  SolveRequest request = ask("hex", "ppn");
  request.batch = 0;
  expect_refused(request, ErrorCode::kUsage, "batch");
  request.batch = 1;
  request.threads = 0;
  expect_refused(request, ErrorCode::kUsage, "threads");
  request.threads = 1;
  request.backend = "gpu";
  expect_refused(request, ErrorCode::kUsage, "gpu");
  expect_refused(ask("hex", "pn", "a1 a1"), ErrorCode::kData, "offset");
}

TEST(Requests, NamesAreCanonicalAndComplete) {
  const auto solver = make_solver(ask("hex:columns=3,rows=3", "ppn:playouts=8"));
  EXPECT_EQ(solver->game(), "hex:size=3");
  EXPECT_EQ(solver->algorithm(),
            "ppn:playouts=8,rule=clamp,theta=0.03125,earlybreak=on,order=natural,zones=on");
  EXPECT_EQ(solver->goal(), "win");
  EXPECT_NE(solver->backend(), "none");
  EXPECT_EQ(make_solver(ask("hex", "pn"))->backend(), "none");
  EXPECT_EQ(make_solver(ask("othello", "pn", "", "score>=+4"))->goal(), "score>=4");
  // The canonical name is a name: it makes the same solver again.
  for (const std::string& algorithm : plain_algorithms()) {
    const std::string name = make_solver(ask("hex", algorithm))->algorithm();
    EXPECT_EQ(make_solver(ask("hex", name))->algorithm(), name);
  }
}

// Where the game has zones they are the default, and a name says so or says that they are off.
TEST(Requests, ZonesAreTheDefaultWhereThereAreAny) {
  const auto name = [](const char* game, const std::string& algorithm) {
    return make_solver(ask(game, algorithm))->algorithm();
  };
  for (const std::string& algorithm : plain_algorithms()) {
    if (algorithm == "minimax") continue;
    SCOPED_TRACE(algorithm);
    const std::string here = name("hex:size=3", algorithm);
    EXPECT_TRUE(here.ends_with(",zones=on"));
    EXPECT_EQ(here, name("hex:size=3", algorithm + ":zones=on"));
    const std::string off = name("hex:size=3", algorithm + ":zones=off");
    EXPECT_TRUE(off.ends_with(",zones=off"));
    const std::string elsewhere = name("othello:size=4", algorithm);
    EXPECT_EQ(elsewhere, name("othello:size=4", algorithm + ":zones=off"));
    EXPECT_EQ(elsewhere + ",zones=off", off);
    EXPECT_EQ(elsewhere + ",zones=on", name("othello:size=4", algorithm + ":zones=on"));
  }
  EXPECT_TRUE(name("hex:size=3", "dfpn:patterns=8").ends_with(",zones=on,patterns=8"));
}

// Before there were zones, searches of Hex were stored under names that do not speak of them: these
// mean the search of then, whatever the default is.
TEST(Requests, StoredNamesKeepTheirMeaning) {
  for (const char* game : {"hex:size=3", "othello:size=4"}) {
    const auto name = [&](const std::string& algorithm) {
      return make_solver(ask(game, algorithm))->algorithm();
    };
    for (const std::string& algorithm : all_variants()) {
      const std::string canonical = name(algorithm);
      SCOPED_TRACE(canonical);
      const std::string stored = stored_algorithm(canonical);
      EXPECT_EQ(stored.find("zones=off"), std::string::npos);
      EXPECT_EQ(stored.find("patterns=0"), std::string::npos);
      EXPECT_EQ(name(algorithm_as_stored(stored)), canonical);
      EXPECT_EQ(name(algorithm_as_stored(canonical)), canonical);
    }
  }
  const std::string plain = "pn:ties=left,stop=own,leaf=unit,earlybreak=on,order=natural";
  EXPECT_EQ(stored_algorithm(plain + ",zones=off"), plain);
  EXPECT_EQ(stored_algorithm(plain), plain);
  EXPECT_EQ(stored_algorithm(plain + ",zones=on"), plain + ",zones=on");
  EXPECT_EQ(algorithm_as_stored(plain), plain + ",zones=off,ask=created");
  EXPECT_EQ(algorithm_as_stored(plain + ",zones=on"), plain + ",zones=on,ask=created");
  EXPECT_EQ(algorithm_as_stored("minimax"), "minimax");
  EXPECT_EQ(algorithm_as_stored("uct"), "uct:zones=off");
  EXPECT_THROW(algorithm_as_stored("nope"), Error);
  EXPECT_THROW(stored_algorithm("pn:zones=maybe"), Error);
}

// Trees asked every new leaf for connections before they asked those that are selected.
TEST(Requests, NamesSayWhenConnectionsAreAskedFor) {
  const auto name = [](const std::string& algorithm) {
    return make_solver(ask("hex:size=3", algorithm))->algorithm();
  };
  const std::string connections = "ppn:probe=connections";
  EXPECT_TRUE(name(connections).ends_with(",probe=connections,zones=on,ask=selected"));
  EXPECT_TRUE(name("ews:fill=dead").ends_with(",zones=on,fill=dead,ask=selected"));
  EXPECT_TRUE(name("ppn:probe=bridges").ends_with(",probe=bridges,zones=on"));
  for (const std::string& algorithm :
       {connections, connections + ",ask=created", connections + ",ask=selected",
        std::string("pn:fill=full"), std::string("pn:fill=full,ask=created"),
        std::string("ews:ask=created"), std::string("ews:ask=selected")}) {
    const std::string whole = name(algorithm);
    EXPECT_EQ(name(whole), whole);
    EXPECT_EQ(name(algorithm_as_stored(stored_algorithm(whole))), whole);
  }
  const std::string before =
      "ppn:playouts=8,rule=clamp,theta=0.03125,earlybreak=on,order=natural,probe=connections,zones="
      "on";
  EXPECT_EQ(name(algorithm_as_stored(before)), before + ",ask=created");
}

}  // namespace
}  // namespace playproof::beginnings_test
