// Hex with any number of stones and either side to move: the fast rules against the reference
// rules, identities, keys, symmetries, mirrors that exchange the players, texts.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "games/hex/identity.h"
#include "tests/games/support.h"
#include "tests/kernels/hex_set_ups.h"

namespace playproof::hex_set_ups_test {
namespace {

using Small = Hex<1>;

constexpr std::pair<int, int> kBoards[] = {{2, 2}, {2, 3}, {3, 2}, {3, 3},
                                           {2, 4}, {4, 2}, {2, 5}, {5, 2}};

template <int W>
std::string shown(const typename Hex<W>::Rules& rules, const typename Hex<W>::State& s) {
  std::string text = GameText<Hex<W>>::canonical(rules) + ' ';
  CertificateText<Hex<W>>::append(rules, s, &text);
  return text + (Hex<W>::to_move(rules, s) == Player::kFirst ? " B" : " W");
}

// A position, its moves, and its text.
template <int W>
void expect_as_reference(const typename Hex<W>::Rules& rules, const typename Hex<W>::State& s) {
  using G = Hex<W>;
  using Of = ReferenceOf<G>;
  const RefHex::Rules ref_rules = Of::rules(rules);
  const RefHex::State ref = Of::state(rules, s);
  SCOPED_TRACE(shown<W>(rules, s));
  ASSERT_EQ(G::finished(rules, s), RefHex::finished(ref_rules, ref));
  ASSERT_EQ(G::to_move(rules, s), RefHex::to_move(ref_rules, ref));
  const std::string text = GameText<G>::format(rules, s);
  ASSERT_TRUE(GameText<G>::parse(rules, text) == s) << text;
  RefHex::State read;
  ASSERT_TRUE(RefHex::read_position(ref_rules, ref_split(text, " "), &read)) << text;
  ASSERT_TRUE(read == ref) << text;
  std::string board;
  CertificateText<G>::append(rules, s, &board);
  ASSERT_TRUE(RefHex::read_board(ref_rules, board, &read)) << board;
  ASSERT_TRUE(read == ref) << board;
  if (G::finished(rules, s)) {
    ASSERT_EQ(G::value(rules, s), RefHex::value(ref_rules, ref));
    ASSERT_EQ(G::max_plies_left(rules, s), 0);
    const auto winner = s.winner == 1 ? Player::kFirst : Player::kSecond;
    const auto chain = Connection<G>::winning_set(rules, s);
    ASSERT_TRUE(!chain.empty() && chain.within(Connection<G>::stones(s, winner)));
    return;
  }
  Move moves[G::kMaxMoves];
  const int count = G::moves(rules, s, moves);
  const std::vector<Move> wanted = RefHex::moves(ref_rules, ref);
  ASSERT_EQ(std::vector<Move>(moves, moves + count), wanted);
  ASSERT_EQ(G::max_plies_left(rules, s), count);
  for (const Move move : wanted) {
    typename G::State next = s;
    RefHex::State ref_next = ref;
    G::play(rules, next, move);
    RefHex::play(ref_rules, ref_next, move);
    ASSERT_TRUE(Of::state(rules, next) == ref_next) << move;
    ASSERT_EQ(G::finished(rules, next), RefHex::finished(ref_rules, ref_next)) << move;
    ASSERT_TRUE(G::set_up(rules, next.stones, G::to_move(rules, next)) == next) << move;
  }
}

TEST(HexSetUps, AllOfSmallBoardsAsReference) {
  for (const auto& [rows, columns] : kBoards) {
    const auto rules = Small::make_rules(rows, columns);
    int seen = 0;
    for_each_set_up(rules, [&](const Small::State& s) {
      // Of the largest boards one in nine: each has a minute's worth of texts.
      if (!HasFailure() && (rules.cells < 10 || seen % 9 == 0)) expect_as_reference<1>(rules, s);
      ++seen;
    });
    int wanted = 2;
    for (int cell = 0; cell < rules.cells; ++cell) wanted *= 3;
    EXPECT_EQ(seen, wanted);
  }
}

template <int W>
void expect_drawn_as_reference(int rows, int columns, int count) {
  const auto rules = Hex<W>::make_rules(rows, columns);
  int open = 0;
  for (int i = 0; i < count; ++i) {
    auto s = random_set_up<Hex<W>>(rules, mix64(static_cast<std::uint64_t>(1000 * rows + i)));
    expect_as_reference<W>(rules, s);
    open += Hex<W>::finished(rules, s) ? 0 : 1;
    // And on to the end.
    for (std::uint64_t ply = 0; !Hex<W>::finished(rules, s); ++ply) {
      Move moves[Hex<W>::kMaxMoves];
      const auto number = static_cast<std::uint64_t>(Hex<W>::moves(rules, s, moves));
      Hex<W>::play(rules, s, moves[mix64(ply) % number]);
    }
    expect_as_reference<W>(rules, s);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(open, count / 4);
}
TEST(HexSetUps, DrawnOnesAsReference) {
  expect_drawn_as_reference<1>(4, 4, 2000);
  expect_drawn_as_reference<1>(8, 8, 500);
  expect_drawn_as_reference<1>(3, 19, 300);
  expect_drawn_as_reference<1>(19, 2, 300);
  expect_drawn_as_reference<2>(11, 11, 150);
  expect_drawn_as_reference<2>(6, 19, 150);
  expect_drawn_as_reference<6>(13, 13, 60);
  expect_drawn_as_reference<6>(19, 19, 30);
}

// The stones of one side alone, laid one after the other: each chain is seen with its last stone.
TEST(HexSetUps, OneSideAloneCompletesItsChain) {
  for (const int player : {0, 1}) {
    const auto rules = Hex<2>::make_rules(11, 11);
    auto s = Hex<2>::set_up(rules, Hex<2>::State{}.stones, static_cast<Player>(player));
    for (int i = 0; i < 11; ++i) {
      EXPECT_FALSE(Hex<2>::finished(rules, s)) << i;
      s = Hex<2>::set_up(rules, s.stones, static_cast<Player>(player));
      Hex<2>::play(rules, s, static_cast<Move>(player == 0 ? 11 * i + 3 : 33 + i));
    }
    EXPECT_EQ(s.winner, player + 1);
  }
}

// Identity, equality and key tell the same; those of play by turns are what they were.
TEST(HexSetUps, IdentitiesTellThemApart) {
  for (const auto& [rows, columns] : {std::pair{2, 3}, {3, 3}, {2, 4}}) {
    const auto rules = Small::make_rules(rows, columns);
    std::set<PositionId<Small>> ids;
    std::set<std::uint64_t> keys;
    std::set<std::string> texts;
    std::set<std::string> packed;
    std::size_t seen = 0;
    for_each_set_up(rules, [&](const Small::State& s) {
      ++seen;
      ids.insert(position_id(Small{}, s));
      keys.insert(Small::key(rules, s));
      texts.insert(GameText<Small>::format(rules, s));
      packed.insert(RefHex::packed(ReferenceOf<Small>::state(rules, s)));
      if (s.lead != 0) return;
      EXPECT_EQ(position_id(Small{}, s), stones_id(s.stones));
      EXPECT_EQ(Small::key(rules, s), cells_key(s.stones));
    });
    EXPECT_EQ(ids.size(), seen);
    EXPECT_EQ(keys.size(), seen);
    EXPECT_EQ(texts.size(), seen);
    EXPECT_EQ(packed.size(), seen);
  }
}
// All 64 bits of a word are cells there.
TEST(HexSetUps, FullWordsTellTheMover) {
  const auto rules = Small::make_rules(8, 8);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    auto s = random_set_up<Small>(rules, i);
    if (i % 3 == 0) s.stones[1][0] = ~s.stones[0][0];  // a full board
    const auto black = Small::set_up(rules, s.stones, Player::kFirst);
    const auto white = Small::set_up(rules, s.stones, Player::kSecond);
    EXPECT_FALSE(black == white);
    EXPECT_FALSE(position_id(Small{}, black) == position_id(Small{}, white));
    EXPECT_NE(position_id(Small{}, black).hash(), position_id(Small{}, white).hash());
    EXPECT_NE(Small::key(rules, black), Small::key(rules, white));
    EXPECT_EQ(black.winner, white.winner);
  }
}

// The image that stands for all is one of the two, with the same side to move; also where it is
// made from those of the position before.
TEST(HexSetUps, SymmetriesKeepTheMover) {
  const auto rules = Small::make_rules(3, 4);
  const Symmetry<Small> symmetry(rules);
  const auto turned = [&](Small::State s) {
    for (const auto& half : SymmetryOf<Small>::all(rules)) SymmetryOf<Small>::turn(half, s);
    return s;
  };
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const auto s = random_set_up<Small>(rules, i);
    auto image = s;
    auto other = turned(s);
    EXPECT_TRUE(other == Small::set_up(rules, other.stones, Small::to_move(rules, s)));
    const bool symmetric = symmetry.to_canonical(image);
    symmetry.to_canonical(other);
    EXPECT_TRUE(image == other);
    EXPECT_TRUE(image == s || image == turned(s));
    EXPECT_EQ(symmetric, s == turned(s));
    if (Small::finished(rules, s)) continue;
    Move moves[Small::kMaxMoves];
    const int count = Small::moves(rules, s, moves);
    const auto images = symmetry.images(s);
    for (int m = 0; m < count; ++m) {
      auto child = s;
      Small::play(rules, child, moves[m]);
      auto direct = child;
      symmetry.to_canonical(direct);
      symmetry.to_canonical(child, images, Small::to_move(rules, s), moves[m]);
      EXPECT_TRUE(child == direct);
    }
  }
}

// What one side wins with one to move, the other wins in the mirror with the other one to move.
class Winner {
 public:
  explicit Winner(const Small::Rules& rules) : rules_(rules) {}
  Player of(const Small::State& s) {
    if (Small::finished(rules_, s)) return s.winner == 1 ? Player::kFirst : Player::kSecond;
    const auto [at, fresh] = known_.try_emplace(position_id(Small{}, s));
    if (!fresh) return at->second;
    const Player mover = Small::to_move(rules_, s);
    Player found = opponent(mover);
    Move moves[Small::kMaxMoves];
    const int count = Small::moves(rules_, s, moves);
    for (int i = 0; i < count && found != mover; ++i) {
      auto child = s;
      Small::play(rules_, child, moves[i]);
      found = of(child);
    }
    return known_[position_id(Small{}, s)] = found;
  }

 private:
  Small::Rules rules_;
  std::map<PositionId<Small>, Player> known_;
};
TEST(HexSetUps, MirrorsExchangeThePlayers) {
  for (const int size : {2, 3}) {
    const auto rules = Small::make_rules(size, size);
    Winner winner(rules);
    for_each_set_up(rules, [&](const Small::State& s) {
      for (const auto& exchange : Connection<Small>::exchanges(rules)) {
        std::uint64_t stones[2][1] = {{s.stones[1][0]}, {s.stones[0][0]}};
        for (auto& cells : stones) exchange.apply(cells);
        const auto mirrored = Small::set_up(rules, stones, opponent(Small::to_move(rules, s)));
        ASSERT_EQ(winner.of(mirrored), opponent(winner.of(s))) << shown<1>(rules, s);
      }
    });
  }
}

// A stone more of his own never hurts a player, nor does a move.
TEST(HexSetUps, MoreNeverHurts) {
  const auto rules = Small::make_rules(3, 3);
  Winner winner(rules);
  for_each_set_up(rules, [&](const Small::State& s) {
    const Player won = winner.of(s);
    ASSERT_TRUE(winner.of(Small::set_up(rules, s.stones, won)) == won) << shown<1>(rules, s);
    for (int cell = 0; cell < rules.cells; ++cell) {
      if (has_cell(s.stones[0], cell) || has_cell(s.stones[1], cell)) continue;
      auto more = s;
      add_cell(more.stones[static_cast<int>(won)], cell);
      more = Small::set_up(rules, more.stones, Small::to_move(rules, s));
      ASSERT_EQ(winner.of(more), won) << shown<1>(rules, s) << " and " << cell;
    }
  });
}

TEST(HexSetUps, Texts) {
  const auto rules = Small::make_rules(5, 5);
  using Text = GameText<Small>;
  const auto written = [&](const char* text) {
    return Text::format(rules, Text::parse(rules, text));
  };
  for (const auto& [text, canonical] : std::vector<std::pair<const char*, const char*>>{
           {"b4 -- b5", "b4 -- b5 :W"},
           {"B5 --\tb4 :W", "b4 -- b5 :W"},
           {"b4 -- b5 --", "b4 -- b5 :B"},
           {"-- b4 -- b5 :W", "-- b4 -- b5 :W"},
           {":W", ":W"},
           {":B", ""},
           {"--", ":W"},
           {"-- --", ""},
           {":W :B b2 :B c3 :B", "b2 -- c3 :B"},
           {"b4 -- b5 :W c3", "b4 c3 b5 :B"},
           {"b4 :W b5", "b4 b5"},
           {"c3 :B", "c3 :B"},
           {"c3 :W", "c3"},
           {"b2 c3 :B", "b2 c3"},
           {"-- c3 b2 :W", "b2 c3 :W"},
           {"a1 -- a2 -- a3 -- a4 -- a5 -- c3", "a1 -- a2 -- a3 -- c3 -- a4 -- a5 :W"},
           // Black has won, and no play ends like that: he has two chains, or White moved last.
           {"a1 c1 a2 c2 a3 c3 a4 c4 a5 e1 :B", "a1 c1 a2 e1 a3 c2 a4 c3 a5 c4 :B"},
           {"a1 c1 a2 c2 a3 c3 a4 c4 a5", "a1 c1 a2 c2 a3 c3 a4 c4 a5"}}) {
    EXPECT_EQ(written(text), canonical) << text;
    EXPECT_EQ(written(canonical), canonical);
  }
  EXPECT_TRUE(Text::sets_up("b4 -- b5") && Text::sets_up(" :W") && !Text::sets_up("b4 b5"));
  // A pass is no move.
  EXPECT_EQ(Text::parse_move(rules, "--"), kNoMove);
  EXPECT_EQ(Text::parse_move(rules, ":B"), kNoMove);
}
TEST(HexSetUps, TextsRefused) {
  for (const auto& [text, says] : std::vector<std::pair<const char*, const char*>>{
           {"b4 -- b4 :W", "hex position: cell 'b4' is occupied already, at offset 6"},
           {"b4 -- f1", "hex position: cell 'f1' is off the board, which ends at e5, at offset 6"},
           {"b4 :X b5",
            "hex position: expected :B or :W for the side to move, not ':X', at offset 3"},
           {":w", "hex position: expected :B or :W for the side to move, not ':w', at offset 0"},
           {"b4 --- b5", "hex position: expected a cell such as b2, not '---', at offset 3"},
           {"b4 b5 W", "hex position: expected a cell such as b2, not 'W', at offset 6"}}) {
    EXPECT_EQ(position_error("hex:size=5", text), says);
    RefHex::State state;
    EXPECT_FALSE(RefHex::read_position({5, 5}, ref_split(text, " "), &state)) << text;
  }
}

// One text a position: who is to move is said only where the stones say otherwise.
TEST(HexSetUps, BoardsOfCertificatesHaveOneText) {
  RefHex::State state;
  const RefHex::Rules rules{2, 2};
  for (const char* good :
       {"....", "....:W", "B...", "B...:B", "BB..", "BB..:W", ".W..:B", ".WB.:W"}) {
    EXPECT_TRUE(RefHex::read_board(rules, good, &state)) << good;
  }
  EXPECT_EQ(RefHex::to_move(rules, state), Player::kSecond);
  for (const char* bad : {"....:B", "B...:W", "BB..:B", "....:", "....W", "....:w", "....:WW",
                          "...:W", ".....:W", ":W", "....:W:W"}) {
    EXPECT_FALSE(RefHex::read_board(rules, bad, &state)) << bad;
  }
}

}  // namespace
}  // namespace playproof::hex_set_ups_test
