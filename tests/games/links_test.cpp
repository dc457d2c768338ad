// Virtual connections of Hex (games/hex/links.h, link_proof.h) against playing them out.
#include <gtest/gtest.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "games/core/random_position.h"
#include "games/hex/bridges.h"
#include "games/hex/connection.h"
#include "games/hex/link_proof.h"

namespace playproof::links_test {
namespace {

using Board = Hex<1>;
using Cells = CellSet<1>;
using Links = HexLinks<1>;
constexpr int kMostCells = 9;  // that are played out

// Can a player join two sets of cells by stones on `carrier` beside those that he has, the opponent
// having all other cells? By trying everything.
class PlayedOut {
 public:
  PlayedOut(const Board::Rules& rules, const Cells& own, const Cells& carrier)
      : rules_(rules), own_(own), carrier_(carrier) {}

  bool joins(const Cells& from, const Cells& to, bool his_turn) {
    from_ = from;
    to_ = to;
    known_.clear();
    return tried({}, {}, his_turn);
  }

 private:
  bool tried(const Cells& his, const Cells& others, bool his_turn) {
    const Cells left = carrier_ - his - others;
    if (left.empty()) return joined(own_ | his);
    const std::uint64_t key =
        his.words[0] | others.words[0] << 32 | (his_turn ? std::uint64_t{1} << 31 : 0);
    const auto [at, fresh] = known_.try_emplace(key);
    if (!fresh) return at->second;
    bool found = !his_turn;
    for_each_cell(left, [&](int cell) {
      if (found == his_turn) return;
      Cells one;
      one.add(cell);
      const bool after =
          his_turn ? tried(his | one, others, false) : tried(his, others | one, true);
      if (after == his_turn) found = his_turn;
    });
    known_[key] = found;
    return found;
  }
  bool joined(const Cells& stones) const {
    Cells reached = from_ & stones;
    for (Cells before; !(reached == before);) {
      before = reached;
      reached |= hex_neighbours<1>(rules_, reached) & stones;
    }
    return !(reached & to_).empty();
  }

  Board::Rules rules_;
  Cells own_;
  Cells carrier_;
  Cells from_;
  Cells to_;
  std::unordered_map<std::uint64_t, bool> known_;
};

Board::State drawn(const Board::Rules& rules, int stones, std::uint64_t seed) {
  Board::State state = Board::initial(rules);
  for (int i = 0; i < stones; ++i) {
    Move moves[Board::kMaxMoves];
    const auto count = static_cast<std::uint64_t>(Board::moves(rules, state, moves));
    seed = mix64(seed);
    Board::State next = state;
    Board::play(rules, next, moves[seed % count]);
    if (Board::finished(rules, next)) break;
    state = next;
  }
  return state;
}

// Calls f(rules, state, player) with positions of small boards, and both players.
template <class F>
void for_each_sample(F&& f) {
  for (const auto& [rows, columns] : {std::pair(2, 2), {2, 4}, {3, 3}, {3, 4}, {4, 3}, {4, 4}}) {
    const Board::Rules rules = Board::make_rules(rows, columns);
    for (int i = 0; i < 120; ++i) {
      const auto seed = static_cast<std::uint64_t>(1000 * rules.cells + i);
      const Board::State state = drawn(rules, i % (rules.cells - 2), seed);
      for (int player = 0; player < 2; ++player) f(rules, state, player);
      if (::testing::Test::HasFailure()) return;
    }
  }
}

TEST(HexLinks, EveryLinkJoinsItsEndsWhenPlayedOut) {
  int fulls = 0;
  int semis = 0;
  for_each_sample([&](const Board::Rules& rules, const Board::State& state, int player) {
    const Cells own = Cells::of(state.stones[player]);
    // Some with so little room that links are left out.
    Links links(rules, player, state.count % 3 == 0 ? LinkLimits{2, 3, 4, 2, 100} : LinkLimits{});
    links.search(own, Cells::of(state.stones[1 - player]), Links::Goal::kFull);
    for (Links::Index i = 0; i < links.size(); ++i) {
      const Links::Link& link = links.link(i);
      if (link.carrier.size() > kMostCells) continue;
      // Where a cell counts as his, or as touching an edge of his.
      Cells stones = own;
      Cells ends[2];
      for (int e = 0; e < 2; ++e) {
        ends[e] = links.cells(link.ends[e]);
        EXPECT_TRUE((ends[e] & link.carrier).empty());
        stones |= ends[e];
        if (Links::is_edge(link.ends[e])) ends[e] |= links.edge(link.ends[e]);
      }
      EXPECT_TRUE((link.carrier & own).empty());
      EXPECT_TRUE(PlayedOut(rules, stones, link.carrier).joins(ends[0], ends[1], !link.full));
      // A semi link is one because he may have to play first on the key.
      if (!link.full) {
        EXPECT_TRUE(links.cells(link.over).within(link.carrier));
      }
      ++(link.full ? fulls : semis);
    }
  });
  EXPECT_GT(fulls, 20000);
  EXPECT_GT(semis, 40000);
}

// Of the links between the edges: what they say of the position, and of what lies in their zones.
TEST(HexLinks, ZonesHoldWhateverLiesOutside) {
  int wins = 0;
  int losses = 0;
  int threats = 0;
  for_each_sample([&](const Board::Rules& rules, const Board::State& state, int player) {
    const Cells own = Cells::of(state.stones[player]);
    const Cells other = Cells::of(state.stones[1 - player]);
    LinkSearch<1> links(rules, player);
    const Links edges(rules, player);
    const auto holds = [&](const Cells& zone, const Cells& stones, bool his_turn) {
      EXPECT_TRUE((zone & other).empty());
      return PlayedOut(rules, zone & stones, zone - stones)
          .joins(edges.edge(0), edges.edge(1), his_turn);
    };
    links.win(own, other, [&](Move move, const Cells& zone) {
      Cells stones = own;
      if (move != kNoMove) stones.add(move);
      if ((zone - stones).size() > kMostCells) return;
      EXPECT_TRUE(holds(zone, stones, false));
      ++wins;
    });
    std::vector<Cells> zones;
    const bool lost = links.threats(own, other, [&](const Cells& zone) { zones.push_back(zone); });
    EXPECT_TRUE(!lost || zones.size() == 1);
    for (const Cells& zone : zones) {
      if ((zone - own).size() > kMostCells) continue;
      EXPECT_TRUE(holds(zone, own, !lost));
      ++(lost ? losses : threats);
    }
  });
  EXPECT_GT(wins, 500);
  EXPECT_GT(losses, 100);
  EXPECT_GT(threats, 1000);
}

// Who asks again is told the same, whatever was asked between, and what one who was never asked
// before says.
TEST(HexLinks, ThreatsAreTheSameWhenAskedAgain) {
  struct Told {
    bool lost = false;
    std::vector<Cells> zones;
    bool operator==(const Told&) const = default;
  };
  const auto ask = [](LinkSearch<1>& links, const Cells& own, const Cells& other) {
    Told told;
    told.lost = links.threats(own, other, [&](const Cells& zone) { told.zones.push_back(zone); });
    return told;
  };
  // More positions than are remembered.
  const Board::Rules rules = Board::make_rules(3, 4);
  LinkSearch<1> asked(rules, 0);
  for (int round = 0; round < 2; ++round) {
    for (std::uint64_t i = 0; i < 6000; ++i) {
      const Board::State state = drawn(rules, 2 + static_cast<int>(i % 6), i);
      const Cells own = Cells::of(state.stones[0]);
      const Cells other = Cells::of(state.stones[1]);
      LinkSearch<1> fresh(rules, 0);
      const Told first = ask(fresh, own, other);
      ASSERT_EQ(ask(asked, own, other), first) << i;
      ASSERT_EQ(ask(asked, own, other), first) << i;
      // The same cells, of the other one.
      if (i % 10 == 0) {
        LinkSearch<1> turned(rules, 0);
        ASSERT_EQ(ask(asked, other, own), ask(turned, other, own)) << i;
      }
    }
  }
}

// Stones that a zone has are all needed.
TEST(HexLinks, ZonesHaveNoStoneTooMany) {
  const Board::Rules rules = Board::make_rules(3, 3);
  // Black a1 b1 c1 b2: two of them reach from the top to the pair a3 b3.
  Cells own;
  for (const int cell : {0, 1, 2, 4}) own.add(cell);
  LinkSearch<1> links(rules, 0);
  Cells zone;
  EXPECT_TRUE(links.threats(own, {}, [&](const Cells& found) { zone = found; }));
  EXPECT_EQ((zone & own).size(), 2);
  EXPECT_EQ(zone.words[0] & ~own.words[0], (1u << 6 | 1u << 7));
}

// Nothing is lost that cheaper knowledge knows, and little of what there is.
TEST(HexLinks, FindsChainsOfBridgesAndMostWins) {
  int found = 0;
  int there = 0;
  for_each_sample([&](const Board::Rules& rules, const Board::State& state, int player) {
    const Cells own = Cells::of(state.stones[player]);
    const Cells other = Cells::of(state.stones[1 - player]);
    const Cells empty = Cells::all(rules.cells) - own - other;
    LinkSearch<1> links(rules, player);
    const bool lost = links.threats(own, other, [](const Cells&) {});
    HexBridges<1>::Chain chain;
    EXPECT_TRUE(lost || !HexBridges<1>(rules, player).find(own, other, &chain));
    if (empty.size() > kMostCells) return;
    const Links edges(rules, player);
    const bool wins = PlayedOut(rules, own, empty).joins(edges.edge(0), edges.edge(1), false);
    EXPECT_TRUE(wins || !lost);
    there += wins;
    found += lost;
  });
  EXPECT_GT(there, 150);
  EXPECT_GE(100 * found, 90 * there) << found << " of " << there;
}

// A stone on the row-th row from an edge, with only its column beyond: the opponent has the other
// cells there. The columns of a board of that width from which its links reach the edge.
std::vector<int> reach_the_edge(int row, int width) {
  using Wide = CellSet<6>;
  const auto rules = Hex<6>::make_rules(row + 1, width);
  std::vector<int> columns;
  for (int column = 0; column < width; ++column) {
    Wide own;
    Wide other;
    for (int i = 0; i < width; ++i) (i == column ? own : other).add(i);
    own.add(width + column);
    if (LinkSearch<6>(rules, 0).threats(own, other, [](const Wide&) {})) columns.push_back(column);
  }
  return columns;
}

// Edge templates of one stone up to the fourth row are links; those of the fifth are not found.
TEST(HexLinks, FindEdgeTemplatesUpToTheFourthRow) {
  using Columns = std::vector<int>;
  EXPECT_EQ(reach_the_edge(2, 2), Columns({1}));
  EXPECT_EQ(reach_the_edge(2, 3), Columns({1, 2}));
  EXPECT_EQ(reach_the_edge(3, 3), Columns());
  EXPECT_EQ(reach_the_edge(3, 4), Columns({2, 3}));
  EXPECT_EQ(reach_the_edge(3, 5), Columns({2, 3, 4}));  // the ziggurat
  EXPECT_EQ(reach_the_edge(4, 6), Columns());
  EXPECT_EQ(reach_the_edge(4, 7), Columns({4, 5}));
  EXPECT_EQ(reach_the_edge(5, 13), Columns());
}

// Limits leave out links; those that stay are as good.
TEST(HexLinks, LimitsLoseLinksOnly) {
  const Board::Rules rules = Board::make_rules(5, 5);
  std::size_t before = 0;
  for (const std::size_t most : {0u, 1u, 10u, 100u, 1000u}) {
    LinkLimits limits;
    limits.links = most;
    Links links(rules, 0, limits);
    const bool wins = links.search({}, {}, Links::Goal::kSemi);
    EXPECT_LE(links.size(), most);
    EXPECT_GE(links.size(), before);
    EXPECT_EQ(wins, most == 1000);
    before = links.size();
  }
}

}  // namespace
}  // namespace playproof::links_test
