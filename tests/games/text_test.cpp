// Positions as text: what is read, what is refused, and how the refusal reads.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/games/support.h"
#include "tests/nightly.h"

namespace playproof::text_test {
namespace {

const std::string kStart8 = "---------------------------OX------XO--------------------------- X";
const std::string kStart4 = "-----OX--XO----- X";

struct BadPosition {
  const char* game;
  std::string position;
  const char* says;  // the whole text
};

void expect_refused(const std::vector<BadPosition>& cases) {
  for (const BadPosition& bad : cases) {
    EXPECT_EQ(position_error(bad.game, bad.position), bad.says) << bad.game << " " << bad.position;
  }
}

TEST(PositionText, EmptyIsTheInitialPosition) {
  for (const char* game : {"pgame", "hex:size=3", "hex:size=19", "othello:size=6", "connect6"}) {
    for (const char* text : {"", " ", "\n", " \t\r\n"}) {
      visit_game(game, [&]<class G>(const typename G::Rules& rules) {
        EXPECT_TRUE(GameText<G>::parse(rules, text) == G::initial(rules)) << game;
      });
    }
  }
}

TEST(PositionText, Hex) {
  const auto rules = Hex<1>::make_rules(3, 4);
  const auto state = GameText<Hex<1>>::parse(rules, "b2 D1\ta3\r\n");
  EXPECT_EQ(state.stones[0][0], (1u << 5) | (1u << 8));
  EXPECT_EQ(state.stones[1][0], 1u << 3);
  EXPECT_EQ(state.count, 3);
  EXPECT_EQ(GameText<Hex<1>>::format(rules, state), "b2 d1 a3");
  expect_refused({
      {"hex:size=3", "a1 b2 e9",
       "hex position: cell 'e9' is off the board, which ends at c3, at offset 6"},
      {"hex:rows=2,columns=12", "l2 a3",
       "hex position: cell 'a3' is off the board, which ends at l2, at offset 3"},
      {"hex:size=3", "a1 b2 A1", "hex position: cell 'A1' is occupied already, at offset 6"},
      {"hex:size=3", "a1,b2", "hex position: expected a cell such as b2, not 'a1,b2', at offset 0"},
      {"hex:size=3", "a1 b02", "hex position: expected a cell such as b2, not 'b02', at offset 3"},
      {"hex:size=3", "a1 b0", "hex position: expected a cell such as b2, not 'b0', at offset 3"},
      {"hex:size=3", "a1\nb2",
       "hex position: expected a cell such as b2, not 'a1\\x0ab2', at offset 0"},
      {"hex:size=3", std::string("a1 \0", 4),
       "hex position: expected a cell such as b2, not '\\x00', at offset 3"},
      {"hex:size=3", "a1 \xc3\xa4",
       "hex position: expected a cell such as b2, not '\\xc3\\xa4', at offset 3"},
      {"hex:size=2", "a1 b1 a2 b2",
       "hex position: no stone can follow, the game is over after 3 stones, not 'b2', at offset 9"},
  });
}

TEST(PositionText, HexKeepsAFinishedPosition) {
  // In ascending order Black's chain a1 a2 a3 would be complete before his stone on c3.
  const auto rules = Hex<1>::make_rules(3, 3);
  const auto state = GameText<Hex<1>>::parse(rules, "c3 b3 a1 c2 a3 c1 a2");
  EXPECT_EQ(state.winner, 1);
  const std::string text = GameText<Hex<1>>::format(rules, state);
  EXPECT_TRUE(GameText<Hex<1>>::parse(rules, text) == state) << text;
}

TEST(PositionText, Connect6) {
  const auto rules = Connect<6>::make_rules(19, 19, 6, 2);
  using Text = GameText<Connect<6>>;
  const auto state = Text::parse(rules, "JJ ki Jh");
  EXPECT_TRUE(has_cell(state.stones[0], 9 * 19 + 9));
  EXPECT_TRUE(has_cell(state.stones[1], 8 * 19 + 10));
  EXPECT_TRUE(has_cell(state.stones[1], 7 * 19 + 9));
  EXPECT_TRUE(Text::parse(rules, ";B[JJ];W[KI];W[JH]") == state);
  EXPECT_TRUE(Text::parse(rules, " ;b[jj] ;w[KI]\t;W[jh]\r\n") == state);
  EXPECT_EQ(Text::format(rules, state), "JJ JH KI");
  // Letter I is a column and a row (other programs skip it).
  EXPECT_EQ(Text::parse_move(rules, "II"), 8 * 19 + 8);
  EXPECT_EQ(Text::move_text(rules, 8 * 19 + 9), "JI");
}

TEST(PositionText, NimRefused) {
  expect_refused({
      {"nim:heaps=1.2", "a1 c1",
       "nim position: expected a move such as b2, two objects of the second heap, not 'c1', at "
       "offset 3"},
      {"nim:heaps=1.2", "b1 b2",
       "nim position: 'b2' takes more than the 1 objects that are left of this heap, at offset 3"},
      {"nim:heaps=1.2", "a1 b2 b1",
       "nim position: no move can follow, the game is over when every heap is empty, not 'b1', at "
       "offset 6"},
  });
}

TEST(PositionText, Connect6Refused) {
  expect_refused({
      {"connect6", "JJ KI JT",
       "connect6 position: cell 'JT' is off the board, which ends at SS, at offset 6"},
      {"connect6:rows=3,columns=4,connect=3", "AA EA",
       "connect6 position: cell 'EA' is off the board, which ends at DC, at offset 3"},
      {"connect6", "JJ KI KI", "connect6 position: cell 'KI' is occupied already, at offset 6"},
      {"connect6", "JJ K9",
       "connect6 position: expected a cell such as JJ, column then row, not 'K9', at offset 3"},
      {"connect6", "JJ KIJH",
       "connect6 position: expected a cell such as JJ, column then row, not 'KIJH', at offset 3"},
      {"connect6", ";B[JJ];B[KI]",
       "connect6 position: stone 2 is White's (W), not ';B[KI]', at offset 7"},
      {"connect6", ";B[JJ];W[KI];B[KK]",
       "connect6 position: stone 3 is White's (W), not ';B[KK]', at offset 13"},
      {"connect6", ";W[JJ]",
       "connect6 position: stone 1 is Black's (B), not ';W[JJ]', at offset 1"},
      {"connect6", ";B[JJ];W[JJ]", "connect6 position: cell 'JJ' is occupied already, at offset 9"},
      {"connect6", ";B[J]",
       "connect6 position: expected one stone such as ;B[JJ], not ';B[J]', at offset 0"},
      {"connect6", ";B[JJ];W[KI]x",
       "connect6 position: expected one stone such as ;B[JJ], not 'x', at offset 12"},
      {"connect6", "JJ ;W[KI]",
       "connect6 position: expected a cell such as JJ, column then row, not ';W[KI]', at offset 3"},
      {"connect6:rows=3,columns=3,connect=2,stones=1", "AA CC AB BC",
       "connect6 position: no stone can follow, the game is over after 3 stones, not 'BC', at "
       "offset 9"},
      {"connect6:rows=3,columns=3,connect=2,stones=1", ";B[AA];W[CC];B[AB];B[BC]",
       "connect6 position: no stone can follow, the game is over after 3 stones, not 'BC', at "
       "offset 21"},
  });
}

TEST(PositionText, Othello) {
  const auto rules = Othello::make_rules(8);
  EXPECT_TRUE(GameText<Othello>::parse(rules, kStart8 + "\r\n") == Othello::initial(rules));
  EXPECT_EQ(GameText<Othello>::format(rules, Othello::initial(rules)), kStart8);
  const auto small = Othello::make_rules(4);
  EXPECT_TRUE(GameText<Othello>::parse(small, kStart4) == Othello::initial(small));
  EXPECT_EQ(GameText<Othello>::parse_move(rules, "--"), Othello::kPass);
  EXPECT_EQ(GameText<Othello>::parse_move(rules, "D3"), 19);
  EXPECT_EQ(GameText<Othello>::move_text(rules, 63), "h8");
  EXPECT_EQ(GameText<Othello>::parse_move(small, "e1"), kNoMove);
  // Finished: nobody can move; one side has been wiped out.
  const auto wiped = GameText<Othello>::parse(small, "-----XXXXXXX---- O");
  EXPECT_TRUE(Othello::finished(small, wiped));
  EXPECT_EQ(Othello::value(small, wiped), 16);
  EXPECT_EQ(Othello::max_plies_left(small, wiped), 0);
}

TEST(PositionText, OthelloRefused) {
  expect_refused({
      {"othello", kStart4, "othello position: expected 64 squares, found 16, at offset 16"},
      {"othello:size=4", kStart8,
       "othello position: expected a blank after 16 squares, not '-----------OX------XO---...', "
       "at offset 16"},
      {"othello:size=4", "-----OX--XO----",
       "othello position: expected 16 squares, found 15, at "
       "offset 15"},
      {"othello:size=4", "-----OX--XO-----",
       "othello position: expected the side to move, X or O, after the squares, at offset 16"},
      {"othello:size=4", "-----OX--XO-----X",
       "othello position: expected a blank after 16 squares, not 'X', at offset 16"},
      {"othello:size=4", "-----OX--XO----- B",
       "othello position: the side to move must be X or O, not 'B', at offset 17"},
      {"othello:size=4", "-----OX--XO----- X d3",
       "othello position: nothing may follow the side to move, but there is 'd3', at offset 19"},
      {"othello:size=4", "-----ox--xo----- X",
       "othello position: square b2 must be X, O or -, not 'o', at offset 5"},
      {"othello:size=4", "-----OX--X.----- X",
       "othello position: square c3 must be X, O or -, not '.', at offset 10"},
      {"othello:size=4", std::string("-----OX--XO--\0-- X", 18),
       "othello position: square b4 must be X, O or -, not '\\x00', at offset 13"},
      {"othello:size=4", "-----OX-\n-XO----- X",
       "othello position: square a3 must be X, O or -, not '\\x0a', at offset 8"},
      {"othello:size=4", "-----OX--X------ X",
       "othello position: the four centre squares are never empty, but c3 is, at offset 10"},
      {"othello:size=4", "O----OX--XO----- X", ""},  // a1 touches b2
      {"othello:size=4", "---O-OX--XO----- X", ""},
      {"othello:size=6", "--------------OX----XO-------------X X",
       "othello position: all discs hang together, but f6 touches no disc that does, at offset 35"},
      {"othello:size=6", "X-------------OX----XO-------------- X",
       "othello position: all discs hang together, but a1 touches no disc that does, at offset 0"},
      // The last column does not touch the first one of the next row.
      {"othello:size=6", "--------------OX---XXO--X---------X- X",
       "othello position: all discs "
       "hang together, but e6 touches no disc that does, at offset 34"},
      {"othello:size=4", "  -----XX--XO----- X",
       "othello position: impossible disc counts: with four discs each side has two and X is to "
       "move, not X 3, O 1 and X, at offset 2"},
      {"othello:size=4", "-----OX--XO----- O",
       "othello position: impossible disc counts: with four discs each side has two and X is to "
       "move, not X 2, O 2 and O, at offset 0"},
  });
}

TEST(PositionText, PGame) {
  const PGame::Rules rules{3, 11, 4};
  auto state = PGame::initial(rules);
  for (const Move branch : std::vector<Move>{10, 0, 7}) PGame::play(rules, state, branch);
  EXPECT_TRUE(GameText<PGame>::parse(rules, "10 0 7\n") == state);
  EXPECT_NE(GameText<PGame>::format(rules, state).find("at ply 3"), std::string::npos);
  expect_refused({
      {"pgame:branching=2,depth=3", "0 1 2",
       "pgame position: branch must be 0..1, not '2', at "
       "offset 4"},
      {"pgame:branching=2,depth=3", "0 1 1 0",
       "pgame position: no branch can follow, the game is over after 3 plies, not '0', at offset "
       "6"},
      {"pgame:branching=8,depth=3", "-1",
       "pgame position: expected a branch number 0..7, not '-1', at offset 0"},
      {"pgame:branching=8,depth=3", "01",
       "pgame position: expected a branch number 0..7, not '01', at offset 0"},
      {"pgame:branching=8,depth=3", "7 99999999999999999999",
       "pgame position: expected a branch number 0..7, not '99999999999999999999', at offset 2"},
      {"pgame:branching=8,depth=3", "0,1",
       "pgame position: expected a branch number 0..7, not '0,1', at offset 0"},
  });
}

// ---- robustness ------------------------------------------------------------------------------

// Either it is read, or refused with an offset inside the text, in one line of bounded length.
void expect_sane(const std::string& game, const std::string& text) {
  const std::string error = position_error(game, text);
  if (error.empty()) return;
  const std::size_t at = error.rfind(", at offset ");
  ASSERT_NE(at, std::string::npos) << error;
  EXPECT_LE(std::stoull(error.substr(at + 12)), text.size()) << error;
  EXPECT_LT(error.size(), 250u) << error;
  EXPECT_EQ(error.find('\n'), std::string::npos) << error;
}

const std::vector<std::pair<std::string, std::string>>& samples() {
  static const std::vector<std::pair<std::string, std::string>> all = {
      {"hex:size=11", "f6 e7 k11 a1 j10 c9"},
      {"othello", data_lines("othello-12-exact.txt")[0].substr(0, 66)},
      {"othello:size=4", kStart4},
      {"connect6", ";B[JJ];W[KI];W[JH];B[AA];B[SS]"},
      {"connect6:rows=4,columns=4,connect=4,stones=1", "AA BB CC DD"},
      {"pgame:branching=12,depth=6", "0 11 3 10 7"},
  };
  return all;
}

TEST(PositionText, TruncatedAtEveryByte) {
  for (const auto& [game, text] : samples()) {
    EXPECT_EQ(position_error(game, text), "") << game;
    for (std::size_t n = 0; n < text.size(); ++n) expect_sane(game, text.substr(0, n));
  }
}

TEST(PositionText, EveryBitFlippedAndEveryByteDoubled) {
  for (const auto& [game, text] : samples()) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      for (int bit = 0; bit < 8; ++bit) {
        std::string flipped = text;
        flipped[i] = static_cast<char>(flipped[i] ^ (1 << bit));
        expect_sane(game, flipped);
      }
      expect_sane(game, text.substr(0, i) + text[i] + text.substr(i));
    }
  }
}

TEST(PositionText, RandomBytesAndRandomWords) {
  const std::string likely = "ABJXO-;[] \t019bw\n";
  Draws draws(11);
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (int n = draws.below(90); n > 0; --n) {
      text += (i & 1) != 0 ? likely[static_cast<std::size_t>(draws.below(17))]
                           : static_cast<char>(draws.below(256));
    }
    for (const auto& [game, sample] : samples()) expect_sane(game, text);
  }
}

TEST(PositionText, AbsurdlyLong) {
  static const std::size_t kLong = nightly() ? 4 << 20 : 1 << 20;
  for (const auto& [game, sample] : samples()) {
    EXPECT_EQ(position_error(game, std::string(kLong, ' ')), "");
    for (const char c : {'X', '-', ';', '0', 'a', '\0', '\n'}) {
      expect_sane(game, std::string(kLong, c));
      expect_sane(game, sample + " " + std::string(kLong, c));
    }
    EXPECT_EQ(position_error(game, sample + std::string(kLong, '\n')), "");
  }
}

// ---- data files ------------------------------------------------------------------------------

TEST(PositionText, OthelloFile) {
  const auto rules = Othello::make_rules(8);
  const auto lines = data_lines("othello-12-exact.txt");
  EXPECT_EQ(lines.size(), 60u);
  for (const std::string& line : lines) {
    const std::string position = line.substr(0, 66);
    const auto state = GameText<Othello>::parse(rules, position);
    EXPECT_EQ(popcount64(state.discs[0] | state.discs[1]), 64 - 12) << line;
    EXPECT_EQ(GameText<Othello>::format(rules, state), position);
  }
}

TEST(PositionText, Connect6File) {
  const auto rules = Connect<6>::make_rules(19, 19, 6, 2);
  const auto lines = data_lines("connect6-vcdt-win.txt");
  EXPECT_EQ(lines.size(), 35u);
  for (const std::string& line : lines) {
    const std::size_t bar = line.find(" | ");
    ASSERT_NE(bar, std::string::npos) << line;
    const auto state = GameText<Connect<6>>::parse(rules, line.substr(0, bar));
    EXPECT_FALSE(Connect<6>::finished(rules, state)) << line;
    const char side = Connect<6>::to_move(rules, state) == Player::kFirst ? 'B' : 'W';
    EXPECT_EQ(side, line[bar + 3]) << line;
    EXPECT_EQ(Connect<6>::stones_left_in_turn(rules, state), 2) << line;
    const auto back =
        GameText<Connect<6>>::parse(rules, GameText<Connect<6>>::format(rules, state));
    EXPECT_TRUE(back == state) << line;
  }
}

// Random positions of every kind of game: written, read, the same.
TEST(PositionText, RoundTrips) {
  for (const char* game : {"hex:size=2", "hex:rows=3,columns=17", "hex:rows=19,columns=2",
                           "hex:size=19", "othello:size=4", "othello:size=6", "othello:size=8",
                           "connect6:size=19", "connect6:rows=3,columns=5,connect=4,stones=3"}) {
    visit_game(game, [&]<class G>(const typename G::Rules& rules) {
      for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const auto state = random_position<G>(rules, static_cast<int>(seed * 4), seed);
        const std::string text = GameText<G>::format(rules, state);
        EXPECT_TRUE(GameText<G>::parse(rules, text) == state) << game << ": " << text;
      }
    });
  }
}

}  // namespace
}  // namespace playproof::text_test
