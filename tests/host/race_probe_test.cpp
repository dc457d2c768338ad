// Wins by threats as a probe of every search with leaves (host/probe/races.h): the same truth as
// without, less work, certificates that the checker accepts, with races where leaves were won.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "host/solve/position.h"
#include "tests/conformance.h"
#include "tests/host/certified.h"
#include "tests/host/saved.h"
#include "tests/host/support.h"

namespace playproof::race_probe_test {
namespace {

const std::vector<std::string> kSearches = {
    "pn:probe=P",
    "pn:probe=P,leaf=mobility,ties=path,stop=none,earlybreak=off,order=random",
    "pn2:probe=P",
    "pn2:probe=P,evaluate=immediate,leaf=mobility",
    "deeppn:probe=P",
    "wpns:probe=P",
    "mcpn:probe=P,playouts=8",
    "ppn:probe=P,playouts=8,earlybreak=off",
    "ews:probe=P,playouts=8",
    "mcts:probe=P",
    "uct:probe=P,order=random",
    "dfpn:probe=P,playouts=8",
    "dfpn:probe=P,leaf=unit,epsilon=0.25,table=4KiB",
    "dfpn:probe=P,leaf=mobility,symmetry=off",
    "pds:probe=P",
    "pnstar:probe=P",
    "dfppn:probe=P,playouts=8",
    "dfppn:probe=P,playouts=8,epsilon=0,table=4KiB",
    "dfews:probe=P,playouts=8",
    "alphabeta:probe=P",
};
const std::vector<std::string> kProbes = {"vcdt", "vcst", "vcdt,vcdtturns=3,vcdtwork=40",
                                          "vcst,vcdtturns=4,vcdtwork=60,vcstwork=2000,singles=1"};

std::string with_probe(std::string algorithm, const std::string& probe) {
  const std::size_t at = algorithm.find("=P");
  return algorithm.replace(at + 1, 1, probe);
}

// Random play up to so many stones; the game goes on.
std::string random_position(const std::string& game, int stones, std::uint64_t seed) {
  for (Draws draws(seed);;) {
    const auto position = make_position(game, "");
    std::string text;
    for (int i = 0; i < stones && !position->finished(); ++i) {
      const std::vector<std::string> moves = position->moves();
      const auto at = static_cast<std::size_t>(draws.below(static_cast<int>(moves.size())));
      text += (i == 0 ? "" : " ") + moves[at];
      position->play(moves[at]);
    }
    if (!position->finished()) return text;
  }
}

struct Board {
  std::string game;
  int stones;  // at least: two more may be there
};
const std::vector<Board> kBoards = {
    {"connect6:rows=3,columns=3,connect=3,stones=2", 0},
    {"connect6:rows=3,columns=4,connect=3,stones=2", 3},
    {"connect6:rows=4,columns=4,connect=4,stones=2", 7},
    {"connect6:rows=4,columns=7,connect=5,stones=2", 20},
    {"connect6:rows=5,columns=5,connect=4,stones=1", 15},
};

TEST(RaceProbe, EverySearchOnSmallBoards) {
  std::vector<std::uint64_t> races(kSearches.size());
  std::vector<int> written(kSearches.size());
  std::uint64_t seed = 0;
  for (const Board& board : kBoards) {
    for (int times = 0; times < (nightly() ? 40 : 1); ++times) {
      const int stones = board.stones + static_cast<int>(++seed % 3);
      const std::string position = random_position(board.game, stones, seed);
      const Truth exact = truth(board.game, position);
      for (std::size_t i = 0; i < kSearches.size(); ++i) {
        const std::string& probe = kProbes[(seed + i) % kProbes.size()];
        SolveRequest request = ask(board.game, with_probe(kSearches[i], probe), position);
        request.seed = seed;
        request.batch = (seed + i) % 2 == 0 ? 1 : 4;
        std::size_t turn = seed + i;
        for (const char* goal : {"win", "draw", "value"}) {
          if (turn++ % 3 != 0 && !nightly()) continue;  // by day they take turns
          request.goal = goal;
          const SolveResult result = expect_right(request, exact);
          races[i] += result.counters.races;
          EXPECT_LE(result.counters.races, result.counters.race_nodes);
          if (HasFailure()) {
            ADD_FAILURE() << request.game << ' ' << position << ' ' << request.algorithm;
            return;
          }
        }
        request.goal = "win";
        request.certificate = true;
        const auto solver = make_solver(request);
        const SolveResult result = finish(*solver);
        std::string text;
        const check::Report report = expect_certified(*solver, request, result, &text);
        EXPECT_EQ(report.status, check::kValid);
        written[i] += text.find("\nrace-") != std::string::npos ? 1 : 0;
        if (HasFailure()) return;
      }
    }
  }
  for (std::size_t i = 0; i < kSearches.size(); ++i) {
    EXPECT_GT(races[i], 0u) << kSearches[i];
    EXPECT_GT(written[i], 0) << kSearches[i];
  }
}

// What is asked about a leaf is part of the saved search.
TEST(RaceProbe, SearchesInPieces) {
  const Board& board = kBoards[2];
  for (std::size_t i = 0; i < kSearches.size(); ++i) {
    const std::string position = random_position(board.game, 8, 40 + i);
    for (const char* goal : {"win", "value"}) {
      if ((i / 2 % 2 == 0) == (*goal == 'w') && !nightly()) continue;
      SolveRequest request =
          ask(board.game, with_probe(kSearches[i], kProbes[i % 2]), position, goal);
      SCOPED_TRACE(request.algorithm + ' ' + position + ' ' + goal);
      request.certificate = true;
      const auto whole = make_solver(request);
      const SolveResult expected = finish(*whole);
      auto pieces = make_solver(request);
      std::uint64_t step = 1;
      while (pieces->step(step) == StopReason::kRunning) {
        pieces = resumed(request, saved(*pieces));
        pieces->self_check();
        step *= 2;
      }
      expect_same_search(pieces->result(), expected);
      pieces = resumed(request, saved(*pieces));
      EXPECT_EQ(certificate(*whole), certificate(*pieces));
    }
  }
}

// What is asked is counted, and other games are none of its business.
TEST(RaceProbe, IsCounted) {
  const std::string position = random_position(kBoards[2].game, 6, 3);
  for (const std::string& algorithm : kSearches) {
    SCOPED_TRACE(algorithm);
    const SolveResult without =
        finish(*make_solver(ask(kBoards[2].game, with_probe(algorithm, "none"), position)));
    EXPECT_EQ(without.counters.races, 0u);
    EXPECT_EQ(without.counters.race_nodes, 0u);
    const SolveResult with =
        finish(*make_solver(ask(kBoards[2].game, with_probe(algorithm, "vcdt"), position)));
    EXPECT_EQ(with.verdict, without.verdict);
    EXPECT_GT(with.counters.races, 0u);
    EXPECT_EQ(solve(ask("hex:size=3", with_probe(algorithm, "vcst"))).counters.races, 0u);
  }
  const std::string three = "connect6:rows=4,columns=4,connect=4,stones=3";
  EXPECT_EQ(solve(ask(three, "dfpn:probe=vcdt", "AA")).counters.race_nodes, 0u);
}

// A position of 19 x 19 that the opponent has just made: every search sees at its first leaves what
// takes vcdt five turns.
TEST(RaceProbe, DeepWinsOfConnect6) {
  int proved = 0;
  const auto lines = data_lines("connect6-vcdt-win.txt");
  for (const std::size_t i : {6, 17}) {
    if (i == 17 && !nightly()) continue;
    const std::string position = words_of(lines[i])[0];
    for (const std::string& algorithm : kSearches) {
      SolveRequest request = ask("connect6", with_probe(algorithm, "vcdt"), position);
      SCOPED_TRACE(request.algorithm);
      request.limits.max_nodes = 2000;
      const SolveResult result = solve(request);
      EXPECT_NE(result.verdict, Verdict::kDisproved);
      if (result.verdict == Verdict::kProved) {
        ++proved;
        expect_good_line(request, result, 1);
      }
    }
  }
  EXPECT_GT(proved, nightly() ? 35 : 17);
}

}  // namespace
}  // namespace playproof::race_probe_test
