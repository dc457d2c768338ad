// Zones of races (games/connect/race_zone.h) and the replies that null moves leave
// (games/connect/null_move.h): positions with known refuters, and more stones on small boards.
// Zones by faulty rules are each caught by a position.
#include "games/connect/race_zone.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "games/connect/null_move.h"
#include "games/connect/vcdt.h"
#include "tests/games/race_support.h"
#include "tests/games/support.h"
#include "tests/nightly.h"

namespace playproof::race_zone_test {
namespace {

using Outcome = VcdtAnswer::Outcome;
using Zone19 = RaceZone<6>;

struct Board19 {
  ConnectWindows<6> windows{Connect<6>::make_rules(19, 19, 6, 2)};
  Vcdt<6> search{windows};

  bool wins(const ConnectThreats<6>& position, int attacker, int turns = 9) {
    return search.solve(position, attacker, 2, to_the_end(turns)).outcome == Outcome::kWin;
  }
};
Board19& board19() {
  static const auto board = std::make_unique<Board19>();
  return *board;
}

std::string pair_of(int cell) {
  return {static_cast<char>('A' + cell % 19), static_cast<char>('A' + cell / 19)};
}

// The columns of the files: attacker, turns after a null move, then what is known of replies.
TEST(RaceZone, HasAllSingleStonesThatRefute) {
  auto& [windows, search] = board19();
  for (const std::string& text : data_lines("connect6-zone-single.txt")) {
    const RaceLine line(text);
    const Race<6> race = line.race();
    ConnectThreats<6> position(windows, race.state);
    const VcdtAnswer answer = search.solve(position, race.attacker, 2, to_the_end(9));
    ASSERT_EQ(answer.turns, line.number(1)) << text;
    const auto zone = RaceWalk<6>().walk(position, race.attacker, 2, search.proof());
    ASSERT_TRUE(zone);
    std::string refuters;
    for_each_cell(CellSet<6>(position.empty()), [&](int cell) {
      position.add(1 - race.attacker, cell);
      if (!board19().wins(position, race.attacker)) {
        refuters += (refuters.empty() ? "" : " ") + pair_of(cell);
        EXPECT_TRUE(zone->places[1].has(cell)) << text << pair_of(cell);
      }
      position.remove(1 - race.attacker, cell);
    });
    EXPECT_EQ(refuters.empty() ? "-" : refuters, line.columns.at(2)) << text;
  }
}

std::set<std::pair<int, int>> as_set(const std::vector<ConnectTurn>& pairs) {
  std::set<std::pair<int, int>> set;
  for (const ConnectTurn& pair : pairs) {
    EXPECT_TRUE(set.insert(std::minmax<int>(pair.first, pair.second)).second);
  }
  return set;
}

// Columns: pairs tried, pairs that refute, pairs undecided (where 7 turns are too few).
TEST(RaceZone, LetsInAllPairsThatRefuteAndFewOthers) {
  const auto& windows = board19().windows;
  NullMoves<6> null_moves(windows);
  const std::size_t most[] = {1450, 550};
  std::size_t index = 0;
  for (const std::string& text : data_lines("connect6-zone-pairs.txt")) {
    const RaceLine line(text);
    const Race<6> race = line.race();
    ConnectThreats<6> position(windows, race.state);
    const PairsToTry<6> answer = null_moves.pairs(position, race.attacker, to_the_end(7));
    ASSERT_TRUE(answer.null_move);
    const auto let_in = as_set(answer.pairs);
    EXPECT_LE(let_in.size(), most[index++]);
    int refuting = 0;
    for (const auto& [a, b] : let_in) {
      position.add(1 - race.attacker, ConnectTurn{static_cast<Move>(a), static_cast<Move>(b)});
      refuting += board19().wins(position, race.attacker, 7) ? 0 : 1;
      position.remove(1 - race.attacker, ConnectTurn{static_cast<Move>(a), static_cast<Move>(b)});
    }
    EXPECT_GE(refuting, line.number(3)) << text;
    EXPECT_LE(refuting, line.number(3) + line.number(4)) << text;
  }
}

// By all 61,075 pairs, by day by a fifth: none that refutes is outside.
TEST(RaceZone, LeavesNoRefutingPairOutSlow) {
  Board19& board = board19();
  NullMoves<6> null_moves(board.windows);
  for (const std::string& text : data_lines("connect6-zone-pairs.txt")) {
    const RaceLine line(text);
    const Race<6> race = line.race();
    ConnectThreats<6> position(board.windows, race.state);
    const auto let_in = as_set(null_moves.pairs(position, race.attacker, to_the_end(7)).pairs);
    int tried = 0;
    int exhausted = 0;
    const CellSet<6> empty = position.empty();
    for_each_cell(empty, [&](int a) {
      position.add(1 - race.attacker, a);
      for_each_cell(empty, [&](int b) {
        if (b <= a) return;
        ++tried;
        if (!nightly() && (a + b) % 11 != 0) return;
        position.add(1 - race.attacker, b);
        const VcdtAnswer answer = board.search.solve(position, race.attacker, 2, to_the_end(7));
        exhausted += answer.outcome == Outcome::kExhausted ? 1 : 0;
        EXPECT_TRUE(answer.outcome == Outcome::kWin || let_in.count({a, b}) == 1);
        position.remove(1 - race.attacker, b);
      });
      position.remove(1 - race.attacker, a);
    });
    EXPECT_EQ(tried, line.number(2));
    if (nightly()) {
      EXPECT_EQ(exhausted, line.number(3));
    }
  }
}

// More stones of the other side on cells of the board: the proof still holds, word for word, if the
// zone lets it.
template <int W>
bool holds_with(const ConnectThreats<W>& position, int attacker, int stones, const RaceProof& proof,
                const std::vector<int>& more) {
  ConnectThreats<W> changed = position;
  for (const int cell : more) changed.add(1 - attacker, cell);
  return changed.completed(1 - attacker) ||
         RaceWalk<W>().walk(changed, attacker, stones, proof).has_value();
}

// Whether the zone says that these stones change nothing: in some order the i-th is not in place i.
template <int W>
bool outside(const RaceZone<W>& zone, std::vector<int> more) {
  std::sort(more.begin(), more.end());
  do {
    bool all = true;
    for (std::size_t i = 0; i < more.size(); ++i) all &= !zone.places[i + 1].has(more[i]);
    if (all) return true;
  } while (std::next_permutation(more.begin(), more.end()));
  return false;
}

struct Tried {
  int zones = 0;
  std::uint64_t sets = 0;   // of more stones that the zone allows
  std::uint64_t wrong = 0;  // of these, after which the proof fails
};

// All sets of up to four more stones on random small positions with a win.
template <class Hazards>
Tried try_zones(int rows, int columns, int k, int p, int stones, int positions) {
  const auto rules = Connect<1>::make_rules(rows, columns, k, p);
  const ConnectWindows<1> windows(rules);
  Vcdt<1> search(windows, 12);
  Draws draws(static_cast<std::uint64_t>(1000 * rows + 100 * columns + 10 * k + stones));
  Tried tried;
  for (int i = 0; i < positions; ++i) {
    const int first = stones / 2 + draws.below(3) - 1;
    const Race<1> race = Race<1>::random(rules, first, stones - first, &draws);
    const int left = 1 + draws.below(p);
    const ConnectThreats<1> position(windows, race.state);
    if (position.can_complete(race.attacker, left)) continue;
    VcdtOptions options = to_the_end();
    if (i % 2 == 1) options.replies = VcdtOptions::Replies::kAll;
    if (search.solve(position, race.attacker, left, options).outcome != Outcome::kWin) continue;
    const RaceProof proof = search.proof();
    const auto zone = RaceWalk<1, Hazards>().walk(position, race.attacker, left, proof);
    if (!zone) {
      ADD_FAILURE() << race.plain().cells;
      continue;
    }
    ++tried.zones;
    const std::vector<int> empty = race.plain().empty();
    std::vector<int> more;
    const auto choose = [&](const auto& self, std::size_t from) -> void {
      if (!more.empty() && outside(*zone, more)) {
        ++tried.sets;
        tried.wrong += holds_with(position, race.attacker, left, proof, more) ? 0 : 1;
      }
      if (more.size() + 1 == static_cast<std::size_t>(RaceZone<1>::kPlaces)) return;
      for (std::size_t j = from; j < empty.size(); ++j) {
        more.push_back(empty[j]);
        self(self, j + 1);
        more.pop_back();
      }
    };
    choose(choose, 0);
  }
  return tried;
}

template <class Hazards>
Tried try_small_boards(int positions) {
  Tried all;
  const auto add = [&](const Tried& tried) {
    all.zones += tried.zones;
    all.sets += tried.sets;
    all.wrong += tried.wrong;
  };
  add(try_zones<Hazards>(4, 4, 4, 2, 5, positions));
  add(try_zones<Hazards>(4, 7, 5, 2, 16, 2 * positions));
  add(try_zones<Hazards>(6, 6, 5, 2, 24, 2 * positions));
  add(try_zones<Hazards>(7, 7, 5, 2, 33, positions));
  return all;
}

TEST(RaceZone, StonesOutsideChangeNothing) {
  const Tried tried = try_small_boards<SoundHazards>(2000);
  EXPECT_GE(tried.zones, 500);
  EXPECT_GT(tried.sets, 3000u);
  EXPECT_EQ(tried.wrong, 0u);
  const Tried fours = try_zones<SoundHazards>(6, 6, 5, 1, 20, 2000);
  EXPECT_GT(fours.zones, 20);
  EXPECT_GT(fours.sets, 100u);
  EXPECT_EQ(fours.wrong, 0u);
}

TEST(RaceZone, PlacesGrow) {
  auto& [windows, search] = board19();
  for (const std::string& text : data_lines("connect6-vcdt-win.txt")) {
    const RaceLine line(text);
    const Race<6> race = line.race();
    const ConnectThreats<6> position(windows, race.state);
    search.solve(position, race.attacker, 2, to_the_end(12));
    const auto zone = RaceWalk<6>().walk(position, race.attacker, 2, search.proof());
    ASSERT_TRUE(zone);
    for (int j = 1; j < Zone19::kPlaces; ++j) {
      EXPECT_TRUE(zone->places[j - 1].within(zone->places[j]));
    }
    EXPECT_TRUE(zone->places[Zone19::kPlaces - 1].within(position.empty()));
  }
}

// A reply with free stones takes up places: the zone of the whole is the later ones of the child.
TEST(RaceZone, FreeStonesTakeUpPlaces) {
  Zone19 child;
  for (int j = 0; j < Zone19::kPlaces; ++j) child.places[j] = CellSet<6>::all(10 * (j + 1));
  EXPECT_EQ(child.after_free_stones(0, 361), child);
  const Zone19 one = child.after_free_stones(1, 361);
  EXPECT_EQ(one.places[0], child.places[1]);
  EXPECT_EQ(one.places[3], child.places[4]);
  EXPECT_EQ(one.places[4], CellSet<6>::all(361));
  EXPECT_EQ(one.after_free_stones(1, 361), child.after_free_stones(2, 361));
}

// Every change of a proof that matters is seen: a turn, a kind, a reply left out or exchanged.
TEST(RaceWalk, RefusesDamagedProofs) {
  auto& [windows, search] = board19();
  const Race<6> race = RaceLine(data_lines("connect6-vcdt-win.txt")[12]).race();
  const ConnectThreats<6> position(windows, race.state);
  VcdtOptions options = to_the_end(12);
  options.replies = VcdtOptions::Replies::kAll;
  search.solve(position, race.attacker, 2, options);
  const RaceProof proof = search.proof();
  RaceWalk<6> walk;
  const auto refused = [&](const RaceProof& changed) {
    return !walk.walk(position, race.attacker, 2, changed);
  };
  ASSERT_FALSE(refused(proof));
  EXPECT_TRUE(refused({}));
  EXPECT_FALSE(walk.walk(position, 1 - race.attacker, 2, proof));
  EXPECT_FALSE(walk.walk(position, race.attacker, 1, proof));
  for (std::size_t i = 0; i < proof.nodes.size(); ++i) {
    RaceProof changed = proof;
    RaceNode& node = changed.nodes[i];
    if (node.kind != RaceNode::Kind::kCompletes) {
      node.turn.second = node.turn.first;
      EXPECT_TRUE(refused(changed)) << i;
      node.kind = RaceNode::Kind::kCompletes;
      EXPECT_TRUE(refused(changed)) << i;
    }
    changed = proof;
    node.kind =
        node.kind == RaceNode::Kind::kWins ? RaceNode::Kind::kForces : RaceNode::Kind::kWins;
    EXPECT_TRUE(refused(changed)) << i;
    if (proof.nodes[i].children == 0) {
      changed = proof;
      node.children = 1'000'000;
      EXPECT_TRUE(refused(changed)) << i;
      continue;
    }
    changed = proof;
    --node.children;
    EXPECT_TRUE(refused(changed)) << i;
    changed = proof;  // an endless path
    changed.children[node.first_child] = static_cast<std::uint32_t>(i);
    EXPECT_TRUE(refused(changed)) << i;
    changed.children[node.first_child] = 1'000'000;
    EXPECT_TRUE(refused(changed)) << i;
  }
}

// A turn that fills the board leaves no reply; that is no win.
TEST(RaceWalk, RefusesAFullBoard) {
  const Race<1> race = Race<1>::of_rows(3, 2, "BWB/BWW/.B.", 'W');
  const ConnectWindows<1> windows(race.rules);
  const ConnectThreats<1> position(windows, race.state);
  RaceNode fills;
  fills.kind = RaceNode::Kind::kQuiet;
  fills.turn = {6, 8};
  RaceProof proof;
  proof.nodes = {fills};
  EXPECT_FALSE(RaceWalk<1>().walk(position, race.attacker, 2, proof));
}

// Planted faults.
struct NoHazards : SoundHazards {
  static constexpr bool counts(RaceNode::Kind) { return false; }
};
struct HazardsAtTheEnd : SoundHazards {
  static constexpr bool counts(RaceNode::Kind kind) { return kind == RaceNode::Kind::kWins; }
};
struct OneStoneFewer : SoundHazards {
  static constexpr int extra_stones(int j) { return j - 1; }
};

TEST(PlantedRace, NoHazards) { EXPECT_GT(try_small_boards<NoHazards>(100).wrong, 0u); }
TEST(PlantedRace, OneStoneFewer) { EXPECT_GT(try_small_boards<OneStoneFewer>(100).wrong, 0u); }

// The place that a faulty rule makes has not the stone that refutes.
template <class Hazards>
Zone19 zone_by(const Race<6>& race, const VcdtOptions& options) {
  auto& [windows, search] = board19();
  const ConnectThreats<6> position(windows, race.state);
  EXPECT_EQ(search.solve(position, race.attacker, 2, options).outcome, Outcome::kWin);
  const auto zone = RaceWalk<6, Hazards>().walk(position, race.attacker, 2, search.proof());
  EXPECT_TRUE(zone);
  return zone.value_or(Zone19{});
}

bool refutes(Race<6> race, const std::vector<std::string>& cells) {
  auto& board = board19();
  for (const std::string& cell : cells) race.put(1 - race.attacker, Race<6>::cell_of(cell));
  return board.search
             .solve(ConnectThreats<6>(board.windows, race.state), race.attacker, 2, to_the_end())
             .outcome == Outcome::kExhausted;
}

TEST(PlantedRace, HazardsAtThePathsEndAlone) {
  const auto race =
      Race<6>::of_nodes(";B[JJ];W[KJ];W[JK];B[IL];B[IK];W[IJ];W[KL];B[KI];B[HI];W[HL];W[JI] ", 'W');
  const int cell = Race<6>::cell_of("MG");
  ASSERT_TRUE(refutes(race, {"MG"}));
  EXPECT_TRUE(zone_by<SoundHazards>(race, to_the_end()).places[1].has(cell));
  EXPECT_FALSE(zone_by<HazardsAtTheEnd>(race, to_the_end()).places[1].has(cell));
}

TEST(PlantedRace, OneStoneFewerAtOneCell) {
  const auto race =
      Race<6>::of_nodes(";B[JJ];W[KJ];W[JK];B[IL];B[IK];W[IJ];W[KL];B[KI];B[HI];W[HL];W[JI] ", 'W');
  const int cell = Race<6>::cell_of("NF");
  ASSERT_TRUE(refutes(race, {"NF"}));
  EXPECT_TRUE(zone_by<SoundHazards>(race, to_the_end()).places[1].has(cell));
  EXPECT_FALSE(zone_by<OneStoneFewer>(race, to_the_end()).places[1].has(cell));
}

TEST(PlantedRace, OneStoneFewerInPairs) {
  const auto race =
      Race<6>::of_nodes(";B[JJ];W[KK];W[JL];B[LJ];B[KI];W[KJ];W[IK];B[LK];B[JH];W[LI];W[MK] ", 'W');
  auto& [windows, search] = board19();
  const ConnectThreats<6> position(windows, race.state);
  EXPECT_TRUE(refutes(race, {"JE", "JF"}));
  const auto let_in = [&](const auto& answer) {
    const std::pair<int, int> pair = std::minmax(Race<6>::cell_of("JE"), Race<6>::cell_of("JF"));
    return as_set(answer.pairs).count(pair) == 1;
  };
  EXPECT_TRUE(let_in(NullMoves<6>(windows).pairs(position, race.attacker, to_the_end(7))));
  using Faulty = NullMoves<6, OneStoneFewer>;
  EXPECT_FALSE(let_in(Faulty(windows).pairs(position, race.attacker, to_the_end(7))));
}

}  // namespace
}  // namespace playproof::race_zone_test
