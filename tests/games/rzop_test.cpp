// Proof search on turns (games/connect/rzop.h): openings that threats alone do not win, small
// boards against exhaustive search, searches in parts.
#include "games/connect/rzop.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "games/connect/vcdt.h"
#include "tests/games/race_support.h"
#include "tests/games/support.h"

namespace playproof {
namespace {

using Outcome = VcdtAnswer::Outcome;

template <int W>
VcdtAnswer solve(Rzop<W>& search, const ConnectThreats<W>& position, int attacker,
                 const RzopOptions& options, std::uint64_t slice = 1'000'000) {
  search.begin(position, attacker, 2, options);
  while (!search.advance(slice)) {
  }
  return search.answer();
}
// Turns after which so many stones of a reply are free.
int free_replies(const RaceProof& proof, int stones) {
  return static_cast<int>(std::ranges::count_if(proof.nodes, [&](const RaceNode& node) {
    if (node.kind != RaceNode::Kind::kQuiet) return false;
    for (std::uint32_t i = 0; i < node.children; ++i) {
      if (2 - cells_of<6>(proof.replies[node.first_child + i]).size() == stones) return true;
    }
    return false;
  }));
}

struct Board19 {
  ConnectWindows<6> windows{Connect<6>::make_rules(19, 19, 6, 2)};
  Rzop<6> search{windows};
};

TEST(Rzop, WinsOpenings) {
  const auto board = std::make_unique<Board19>();
  auto& [windows, search] = *board;
  int nulls = 0;
  for (const std::string& text : data_lines("connect6-openings.txt")) {
    const Race<6> race = RaceLine(text).race();
    const ConnectThreats<6> position(windows, race.state);
    const VcdtAnswer answer = solve(search, position, race.attacker, {});
    ASSERT_EQ(answer.outcome, Outcome::kWin) << text;
    const RaceProof proof = search.proof();
    ASSERT_TRUE(RaceWalk<6>().walk(position, race.attacker, 2, proof)) << text;
    EXPECT_EQ(answer.turns, proof.turns());
    nulls += free_replies(proof, 2);
  }
  EXPECT_GT(nulls, 0);
}

// In parts, lazily or not, with other first numbers: the same or another search, a proof each time.
TEST(Rzop, InParts) {
  const auto board = std::make_unique<Board19>();
  auto& [windows, search] = *board;
  for (const std::size_t line : {0, 1}) {
    const Race<6> race = RaceLine(data_lines("connect6-openings.txt")[line]).race();
    const ConnectThreats<6> position(windows, race.state);
    RzopOptions eager;
    eager.lazy = false;
    RzopOptions deep;
    deep.base = 5;
    deep.depth = 4;
    for (const RzopOptions& options : {RzopOptions{}, eager, deep}) {
      const VcdtAnswer whole = solve(search, position, race.attacker, options);
      const RaceProof proof = search.proof();
      const VcdtAnswer parts = solve(search, position, race.attacker, options, 7);
      EXPECT_EQ(parts.calls, whole.calls);
      EXPECT_EQ(parts.work, whole.work);
      EXPECT_EQ(search.proof().nodes.size(), proof.nodes.size());
      if (whole.outcome != Outcome::kWin) continue;
      EXPECT_TRUE(RaceWalk<6>().walk(position, race.attacker, 2, proof));
    }
  }
}

// Each reply that is left out of a turn with free stones is missed.
TEST(Rzop, ReplyLeftOutIsMissed) {
  const auto board = std::make_unique<Board19>();
  auto& [windows, search] = *board;
  const Race<6> race = RaceLine(data_lines("connect6-openings.txt")[8]).race();
  const ConnectThreats<6> position(windows, race.state);
  ASSERT_EQ(solve(search, position, race.attacker, {}).outcome, Outcome::kWin);
  const RaceProof proof = search.proof();
  const RaceNode& root = proof.root();
  ASSERT_EQ(root.kind, RaceNode::Kind::kQuiet);
  ASSERT_GT(root.children, 2u);
  const std::uint32_t last = root.first_child + root.children - 1;
  for (std::uint32_t i = root.first_child; i <= last; i += 1 + root.children / 8) {
    // Another one takes its place, so that all numbers stay.
    RaceProof changed = proof;
    const std::uint32_t other = i == last ? root.first_child : last;
    if (proof.replies[i].first == kNoMove || proof.replies[i].second != kNoMove) continue;
    changed.children[i] = proof.children[other];
    changed.replies[i] = proof.replies[other];
    EXPECT_FALSE(RaceWalk<6>().walk(position, race.attacker, 2, changed)) << i;
  }
}

// Much is drawn by night, a sample by day.
bool by_night() { return std::getenv("PLAYPROOF_NIGHTLY") != nullptr; }

// Whole replies to the first turns of openings, drawn at random: some reply of the proof has no
// other stones, and what follows it wins on the very board, whatever zones say.
TEST(Rzop, AnswersWholeReplies) {
  const auto board = std::make_unique<Board19>();
  auto& [windows, search] = *board;
  Draws draws(3);
  int replies = 0;
  for (const std::size_t line : {0, 2, 3, 4, 7, 8}) {
    const Race<6> race = RaceLine(data_lines("connect6-openings.txt")[line]).race();
    ConnectThreats<6> position(windows, race.state);
    ASSERT_EQ(solve(search, position, race.attacker, {}).outcome, Outcome::kWin);
    const RaceProof proof = search.proof();
    const RaceNode root = proof.root();
    if (root.kind != RaceNode::Kind::kQuiet) continue;
    position.add(race.attacker, root.turn);
    ConnectThreats<6>::List threats;
    position.list(race.attacker, &threats);
    for (int i = 0; i < (by_night() ? 5000 : 150); ++i) {
      ConnectTurn turn{static_cast<Move>(draws.below(361)), static_cast<Move>(draws.below(361))};
      if (threats.count > 0) {
        const Threat& hit = threats.threats[static_cast<std::size_t>(draws.below(threats.count))];
        turn.first = draws.below(2) == 0 ? hit.a : hit.b;
      }
      if (turn.first == turn.second || !cells_of<6>(turn).within(position.empty())) continue;
      ConnectThreats<6> after = position;
      after.add(1 - race.attacker, turn);
      if (after.number(race.attacker) > 0) continue;  // it does not hit all
      ++replies;
      bool won = false;
      for (std::uint32_t child = root.first_child; child < root.first_child + root.children;
           ++child) {
        if (won || !cells_of<6>(proof.replies[child]).within(cells_of<6>(turn))) continue;
        RaceProof below = proof;
        below.nodes.resize(proof.children[child] + 1);
        won = RaceWalk<6>().walk(after, race.attacker, 2, below).has_value();
      }
      EXPECT_TRUE(won) << line << ' ' << turn.first << ' ' << turn.second;
    }
  }
  EXPECT_GT(replies, 100);
}

// Does the attacker, to move with a whole turn, win, whatever is played? Exhaustive.
class Exhaustive {
 public:
  bool wins(PlainRace* race, int attacker) {
    const auto [known, fresh] = known_.try_emplace({race->cells, attacker});
    if (fresh) known->second = search(race, attacker);
    return known->second;
  }

 private:
  bool search(PlainRace* race, int attacker) {
    if (race->can_complete(attacker, 2)) return true;
    if (race->empty().size() < 2) return false;
    return race->any_placement(attacker, 2, [&] {
      const int stones = std::min(2, static_cast<int>(race->empty().size()));
      if (stones == 0 || race->can_complete(1 - attacker, stones)) return false;
      return !race->any_placement(1 - attacker, stones, [&] { return !wins(race, attacker); });
    });
  }
  std::map<std::pair<std::string, int>, bool> known_;
};

// Small boards where double threats are few: what the search wins is won, whatever is played.
TEST(Rzop, WinsWhatIsWon) {
  int wins = 0;
  int beyond = 0;
  for (const auto& [rows, columns, k, most] :
       std::vector<std::tuple<int, int, int, int>>{{4, 4, 4, 9}, {5, 5, 4, 13}, {6, 6, 5, 14}}) {
    const ConnectWindows<1> windows(Connect<1>::make_rules(rows, columns, k, 2));
    Rzop<1> search(windows);
    Vcdt<1> threats(windows);
    Draws draws(7);
    for (int i = 0; i < (by_night() ? 200000 : 8000); ++i) {
      const int stones = rows * columns - most + draws.below(4);
      const Race<1> race = Race<1>::random(windows.rules, stones / 2, stones - stones / 2, &draws);
      const ConnectThreats<1> position(windows, race.state);
      if (position.can_complete(race.attacker, 2)) continue;
      RzopOptions options;
      options.threats.turns = 2;
      options.width = 3 + draws.below(20);
      const VcdtAnswer answer = solve(search, position, race.attacker, options);
      if (answer.outcome != Outcome::kWin) continue;
      ++wins;
      const RaceProof proof = search.proof();
      EXPECT_TRUE(RaceWalk<1>().walk(position, race.attacker, 2, proof));
      PlainRace plain = race.plain();
      EXPECT_TRUE(Exhaustive().wins(&plain, race.attacker)) << plain.cells;
      beyond += threats.solve(position, race.attacker, 2, options.threats).outcome != Outcome::kWin;
    }
  }
  EXPECT_GT(wins, 50);
  if (by_night()) {
    EXPECT_GT(beyond, 0);
  }
}

}  // namespace
}  // namespace playproof
