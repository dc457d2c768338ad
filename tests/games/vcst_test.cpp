// Victory by continuous single threats (games/connect/vcst.h): an opening, random small boards with
// more stones, and a faulty rule that a position catches.
#include "games/connect/vcst.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/games/race_support.h"

namespace playproof::vcst_test {
namespace {

using Outcome = VcdtAnswer::Outcome;

VcstOptions options_of(std::uint64_t work, int width) {
  VcstOptions options;
  options.threats.work = 20'000;
  options.work = work;
  options.width = width;
  return options;
}

template <int W, class Hazards>
VcdtAnswer solve(Vcst<W, Hazards>& search, const ConnectThreats<W>& position, int attacker,
                 const VcstOptions& options, std::uint64_t slice = 1'000'000) {
  search.begin(position, attacker, 2, options);
  while (!search.advance(slice)) {
  }
  return search.answer();
}
std::ptrdiff_t quiet_turns(const RaceProof& proof) {
  return std::ranges::count_if(
      proof.nodes, [](const RaceNode& node) { return node.kind == RaceNode::Kind::kQuiet; });
}

TEST(Vcst, WinsAnOpeningThatDoubleThreatsDoNot) {
  const ConnectWindows<6> windows(Connect<6>::make_rules(19, 19, 6, 2));
  Vcst<6> search(windows);
  const auto race =
      Race<6>::of_nodes(";B[JJ];W[HK];W[IK];B[IJ];B[GJ];W[HJ];W[KK];B[JK];B[FH] ", 'W');
  const ConnectThreats<6> position(windows, race.state);
  EXPECT_NE(Vcdt<6>(windows).solve(position, race.attacker, 2, to_the_end(8)).outcome,
            Outcome::kWin);
  const VcdtAnswer answer = solve(search, position, race.attacker, options_of(3'000'000, 7));
  ASSERT_EQ(answer.outcome, Outcome::kWin);
  const RaceProof proof = search.proof();
  EXPECT_GT(quiet_turns(proof), 0);
  EXPECT_TRUE(RaceWalk<6>().walk(position, race.attacker, 2, proof));
  // In parts it is the same search.
  const VcdtAnswer parts = solve(search, position, race.attacker, options_of(3'000'000, 7), 3);
  EXPECT_EQ(parts.calls, answer.calls);
  EXPECT_EQ(parts.work, answer.work);
  EXPECT_EQ(search.proof().nodes.size(), proof.nodes.size());
  // Each reply that is left out is missed.
  for (std::size_t i = 0; i < proof.nodes.size(); ++i) {
    if (proof.nodes[i].kind != RaceNode::Kind::kQuiet) continue;
    RaceProof changed = proof;
    --changed.nodes[i].children;
    EXPECT_FALSE(RaceWalk<6>().walk(position, race.attacker, 2, changed)) << i;
  }
}

// Proofs of random positions hold with more stones where the zone leaves them out.
TEST(Vcst, StonesOutsideChangeNothing) {
  const ConnectWindows<1> windows(Connect<1>::make_rules(7, 7, 5, 2));
  Vcst<1> search(windows);
  Draws draws(5);
  int quiet = 0;
  int tried = 0;
  for (int i = 0; i < 600; ++i) {
    const int stones = 15 + draws.below(5);
    const Race<1> race = Race<1>::random(windows.rules, stones / 2, stones - stones / 2, &draws);
    const ConnectThreats<1> position(windows, race.state);
    if (position.can_complete(race.attacker, 2)) continue;
    const VcdtAnswer answer = solve(search, position, race.attacker, options_of(50'000, 5));
    const RaceProof proof = search.proof();
    if (answer.outcome != Outcome::kWin || quiet_turns(proof) == 0) continue;
    ++quiet;
    const auto zone = RaceWalk<1>().walk(position, race.attacker, 2, proof);
    ASSERT_TRUE(zone);
    const std::vector<int> empty = race.plain().empty();
    for (int times = 0; times < 400; ++times) {
      ConnectThreats<1> more = position;
      for (int j = 1; j <= 4; ++j) {  // the j-th is not in place j
        const int cell =
            empty[static_cast<std::size_t>(draws.below(static_cast<int>(empty.size())))];
        if (zone->places[j].has(cell) || !more.empty().has(cell)) break;
        more.add(1 - race.attacker, cell);
        if (more.completed(1 - race.attacker)) break;
        ++tried;
        EXPECT_TRUE(RaceWalk<1>().walk(more, race.attacker, 2, proof)) << race.plain().cells;
      }
    }
  }
  EXPECT_GT(quiet, 1);
  EXPECT_GT(tried, 10);
}

// A single threat is answered by the cells alone that hit it alone.
struct CommonCells : SoundHazards {
  static constexpr bool kPairsHitTogether = false;
};

TEST(PlantedRace, SingleThreatsAnsweredByCommonCellsAlone) {
  const auto race =
      Race<1>::of_rows(5, 2, ".BB..../WWB.W../B.W..../WBW..../B.....B/.....W./......W/", 'B');
  const ConnectWindows<1> windows(race.rules);
  const ConnectThreats<1> position(windows, race.state);
  VcstOptions options = options_of(3'000'000, 10);
  options.threats.turns = 6;
  Vcst<1, CommonCells> faulty(windows);
  ASSERT_EQ(solve(faulty, position, race.attacker, options).outcome, Outcome::kWin);
  using Faulty = RaceWalk<1, CommonCells>;
  EXPECT_TRUE(Faulty().walk(position, race.attacker, 2, faulty.proof()));
  EXPECT_FALSE(RaceWalk<1>().walk(position, race.attacker, 2, faulty.proof()));
  Vcst<1> sound(windows);
  ASSERT_EQ(solve(sound, position, race.attacker, options).outcome, Outcome::kWin);
  EXPECT_TRUE(RaceWalk<1>().walk(position, race.attacker, 2, sound.proof()));
}

// A reply that leaves stones free takes up no places of what follows it: what the child's zone says
// of one stone more is then said of the node, where that may be the second.
struct NestedForgotten : SoundHazards {
  static constexpr bool kFreeStonesTakePlaces = false;
};

TEST(PlantedRace, FreeStonesOfReplyForgotten) {
  const auto race =
      Race<1>::of_rows(5, 2, "..W...B/..B.WB./BW...../WB...../.WB.W../.B...W./.W.B.../", 'W');
  const ConnectWindows<1> windows(race.rules);
  const ConnectThreats<1> position(windows, race.state);
  VcstOptions options = options_of(300'000, 10);
  options.threats.turns = 6;
  Vcst<1> search(windows);
  ASSERT_EQ(solve(search, position, race.attacker, options).outcome, Outcome::kWin);
  const RaceProof proof = search.proof();
  ASSERT_GT(quiet_turns(proof), 0);
  const auto sound = RaceWalk<1>().walk(position, race.attacker, 2, proof);
  const auto faulty = RaceWalk<1, NestedForgotten>().walk(position, race.attacker, 2, proof);
  ASSERT_TRUE(sound && faulty);
  const int cell = 4 * 7 + 3;
  EXPECT_TRUE(sound->places[1].has(cell));
  EXPECT_FALSE(faulty->places[1].has(cell));
  // With this stone the proof fails, and there is none with more turns tried.
  ConnectThreats<1> more = position;
  more.add(1 - race.attacker, cell);
  ASSERT_FALSE(more.completed(1 - race.attacker));
  EXPECT_FALSE(RaceWalk<1>().walk(more, race.attacker, 2, proof));
  options.width = 40;
  options.singles = 3;
  EXPECT_NE(solve(search, more, race.attacker, options).outcome, Outcome::kWin);
}

}  // namespace
}  // namespace playproof::vcst_test
