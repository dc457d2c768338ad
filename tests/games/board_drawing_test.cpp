// Boards drawn with characters: read back by their names of rows and columns, they are the board.
#include "games/core/board_drawing.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "games/words.h"
#include "tests/games/support.h"

namespace playproof::board_drawing_test {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  EXPECT_EQ(lines.back(), "") << "a line without its end";
  lines.pop_back();
  return lines;
}

// Without escape sequences; a character of UTF-8 is one of the result.
std::vector<std::string> characters(const std::string& line) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < line.size();) {
    if (line[i] == '\x1b') {
      i = line.find('m', i) + 1;
      continue;
    }
    std::size_t end = i + 1;
    while (end < line.size() && (static_cast<unsigned char>(line[end]) & 0xc0) == 0x80) ++end;
    found.push_back(line.substr(i, end - i));
    i = end;
  }
  return found;
}

std::string plain(const std::string& line) {
  std::string text;
  for (const std::string& c : characters(line)) text += c;
  return text;
}

struct Read {
  std::vector<char> cells;
  std::set<Move> last;
  std::set<Move> best;
};

// The column of each letter in the line of names.
std::vector<std::size_t> places_of_columns(const std::string& names, bool capitals) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == ' ') continue;
    EXPECT_EQ(names[i], static_cast<char>((capitals ? 'A' : 'a') + places.size())) << names;
    places.push_back(i);
  }
  return places;
}

Read read_board(const std::string& text, const BoardView& board) {
  static const std::map<std::string, char> kStones = {
      {"●", 'X'}, {"◉", 'X'}, {"B", 'X'}, {"Ⓑ", 'X'}, {"X", 'X'}, {"#", 'X'},
      {"○", 'O'}, {"◎", 'O'}, {"W", 'O'}, {"Ⓦ", 'O'}, {"O", 'O'}, {"@", 'O'}};
  static const std::set<std::string> kLast = {"◉", "◎", "Ⓑ", "Ⓦ", "#", "@"};
  static const std::set<std::string> kEmpty = {"·", "┌", "┬", "┐", "├", "┼", "┤",
                                               "└", "┴", "┘", ".", "+", "◆", "*"};
  const bool hexagons = board.shape == BoardView::Shape::kHexagons;
  std::vector<std::string> lines = lines_of(text);
  Read read;
  const std::size_t head = hexagons ? 1 : 0;
  EXPECT_EQ(lines.size(), static_cast<std::size_t>(board.rows()) + 2 + 2 * head);
  const auto places = places_of_columns(lines[head], board.capitals);
  EXPECT_EQ(places.size(), static_cast<std::size_t>(board.columns));
  for (int row = 0; row < board.rows(); ++row) {
    const auto line = characters(lines[head + 1 + static_cast<std::size_t>(row)]);
    const std::size_t shift = hexagons ? static_cast<std::size_t>(row) : 0;
    std::string name = line[places[0] + shift - 3] + line[places[0] + shift - 2];
    if (name[0] == ' ') name.erase(0, 1);
    EXPECT_EQ(name, board.numbered_rows ? std::to_string(row + 1)
                                        : std::string(1, static_cast<char>('A' + row)));
    for (const std::size_t place : places) {
      const std::string& c = line[place + shift];
      const auto cell = static_cast<Move>(read.cells.size());
      const auto stone = kStones.find(c);
      EXPECT_TRUE(stone != kStones.end() || kEmpty.contains(c)) << "'" << c << "'";
      read.cells.push_back(stone == kStones.end() ? ' ' : stone->second);
      if (kLast.contains(c)) read.last.insert(cell);
      if (c == "◆" || c == "*") read.best.insert(cell);
    }
  }
  return read;
}

// Draws positions of random games in every style, and reads them back.
void round_trips(const std::string& game, int games) {
  visit_game(game, [&]<class G>(const typename G::Rules& rules) {
    if constexpr (requires(const typename G::State& s) { GameText<G>::board(rules, s); }) {
      const GameWords words = game_words(game);
      Draws draws(7);
      for (int i = 0; i < games; ++i) {
        auto state = G::initial(rules);
        Move last = kNoMove;
        while (!G::finished(rules, state)) {
          Move moves[G::kMaxMoves];
          const int count = G::moves(rules, state, moves);
          const Move best = moves[draws.below(count)];
          const BoardStyle style{draws.below(2) == 0, draws.below(2) == 0, words.first,
                                 words.second, "best move"};
          const BoardView board = GameText<G>::board(rules, state);
          const std::string text = drawn_board(board, last, best, style);
          const Read read = read_board(text, board);
          const auto cells = static_cast<Move>(board.cells.size());
          ASSERT_EQ(read.cells, board.cells) << text;
          const auto marks = [&](Move move) {
            return move < cells ? std::set<Move>{move} : std::set<Move>{};
          };
          ASSERT_EQ(read.last, marks(last)) << text;
          ASSERT_EQ(read.best, marks(best)) << text;
          ASSERT_EQ(text.find('\x1b') != std::string::npos, style.colours);
          const std::string legend = plain(lines_of(text).back());
          ASSERT_EQ(legend.find("last move") != std::string::npos, last < cells) << legend;
          ASSERT_EQ(legend.find("best move") != std::string::npos, best < cells) << legend;
          last = moves[draws.below(count)];
          G::play(rules, state, last);
        }
      }
    } else {
      FAIL() << game << " has no board";
    }
  });
}

TEST(BoardDrawing, ReadBackItIsTheBoard) {
  for (const char* game :
       {"hex:size=2", "hex:size=5", "hex:rows=3,columns=7", "hex:rows=19,columns=2", "hex:size=19",
        "othello:size=4", "othello:size=8", "connect6:size=2,connect=2,stones=1",
        "connect6:rows=4,columns=6,connect=4", "connect6"}) {
    round_trips(game, 3);
  }
}

TEST(BoardDrawing, HexHasEdgesWithNames) {
  visit_game("hex:rows=3,columns=4", []<class G>(const typename G::Rules& rules) {
    if constexpr (requires(const typename G::State& s) { GameText<G>::board(rules, s); }) {
      const auto state = GameText<G>::parse(rules, "b2 c3");
      EXPECT_EQ(drawn_board(GameText<G>::board(rules, state), 10, 4,
                            {true, false, "Black", "White", "best move"}),
                "          Black\n"
                "         a b c d\n"
                "       1 · · · ·\n"
                "White   2 ◆ B · ·  White\n"
                "         3 · · Ⓦ ·\n"
                "            Black\n"
                "B Black  W White  Ⓦ last move  ◆ best move\n");
      // Players whose initials are one: nobody's stones.
      EXPECT_EQ(drawn_board(GameText<G>::board(rules, state), 10, 4,
                            {true, false, "Red", "Rose", "best move"}),
                "          Red\n"
                "        a b c d\n"
                "      1 · · · ·\n"
                "Rose   2 ◆ ● · ·  Rose\n"
                "        3 · · ◎ ·\n"
                "            Red\n"
                "● Red  ○ Rose  ◎ last move  ◆ best move\n");
      EXPECT_EQ(drawn_board(GameText<G>::board(rules, state), kNoMove, kNoMove,
                            {false, false, "Black", "White", "best move"}),
                "          Black\n"
                "         a b c d\n"
                "       1 . . . .\n"
                "White   2 . X . .  White\n"
                "         3 . . O .\n"
                "            Black\n"
                "X Black  O White\n");
    }
  });
}

TEST(BoardDrawing, ConnectHasCrossings) {
  visit_game("connect6:rows=3,columns=4,connect=3,stones=1", []<class G>(
                                                                 const typename G::Rules& rules) {
    if constexpr (requires(const typename G::State& s) { GameText<G>::board(rules, s); }) {
      const auto state = GameText<G>::parse(rules, "BB CB");
      const std::string text = drawn_board(GameText<G>::board(rules, state), 6, 0,
                                           {true, true, "Black", "White", "looks best"});
      std::string drawn;
      for (const std::string& line : lines_of(text)) drawn += plain(line) + '\n';
      EXPECT_EQ(drawn,
                "   A B C D\n"
                " A ◆─┬─┬─┐\n"
                " B ├─●─◎─┤\n"
                " C └─┴─┴─┘\n"
                "● Black  ○ White  ◎ last move  ◆ looks best\n");
      // Black on wood, the last move on red, the best one on green.
      for (const char* cell : {"\x1b[38;5;16;48;5;137m●\x1b[0m", "\x1b[38;5;231;48;5;160m◎\x1b[0m",
                               "\x1b[38;5;16;48;5;34m◆\x1b[0m"}) {
        EXPECT_NE(text.find(cell), std::string::npos) << cell;
      }
    }
  });
}

TEST(BoardDrawing, PicturesAreDescribed) {
  EXPECT_EQ(with_description("<svg><title>a</title><rect/></svg>", "b < \"c\" & d"),
            "<svg><title>a</title><desc>b &lt; &quot;c&quot; &amp; d</desc><rect/></svg>");
  EXPECT_THROW(with_description("<svg></svg>", "b"), Error);
  const BoardView board{BoardView::Shape::kSquares, 2, {' ', 'X', 'O', ' '}, true, false};
  const std::string svg = board_svg(board, 1, 0, "x</title>y", 100);
  EXPECT_NE(with_description(svg, "z").find("<title>x&lt;/title&gt;y</title><desc>z</desc>"),
            std::string::npos);
}

TEST(BoardDrawing, CarriersAreDrawn) {
  BoardView board{BoardView::Shape::kHexagons, 3, std::vector<char>(9, ' ')};
  board.cells[1] = 'X';
  board.cells[5] = 'O';
  board.carrier = {3, 4, 6};
  EXPECT_EQ(drawn_board(board, kNoMove, 4, {false, false, "Black", "White", "best"}),
            "         Black\n"
            "         a b c\n"
            "       1 . X .\n"
            "White   2 + * O  White\n"
            "         3 + . .\n"
            "           Black\n"
            "X Black  O White  * best  + carrier\n");
  const std::string plain_legend =
      lines_of(drawn_board(board, kNoMove, kNoMove, {true, false, "Black", "White"})).back();
  EXPECT_EQ(plain_legend, "B Black  W White  + carrier");
  const auto shaded = [&] {
    const std::string svg = board_svg(board, kNoMove, kNoMove, "x", 100);
    std::size_t count = 0;
    for (std::size_t at = 0; (at = svg.find("#bcd7a4", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  EXPECT_EQ(shaded(), 3u);
  board.carrier.clear();
  EXPECT_EQ(shaded(), 0u);
}

// What words say of a game (games/words.h) is so: no draw and no score in games of random play.
TEST(GameWords, GamesEndAsTheirWordsSay) {
  for (const CatalogueEntry& entry : game_catalogue().entries) {
    // They may go on for ever, and a graph ends as its file says.
    if (entry.name == "graph" || entry.name == "loa") continue;
    const GameWords words = game_words(entry.name);
    EXPECT_NE(words.first, words.second);
    const std::string game = entry.name == "othello"    ? "othello:size=4"
                             : entry.name == "connect6" ? "connect6:size=3,connect=3,stones=1"
                                                        : entry.name;
    std::set<int> values;
    visit_game(game, [&]<class G>(const typename G::Rules& rules) {
      EXPECT_EQ(words.scores, G::max_value(rules) > 1) << entry.name;
      for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        auto at = random_position<G>(rules, 512, seed);
        while (!G::finished(rules, at)) {
          Move moves[G::kMaxMoves];
          G::moves(rules, at, moves);
          G::play(rules, at, moves[0]);
        }
        values.insert(G::value(rules, at));
      }
    });
    EXPECT_GE(values.size(), 2u) << entry.name;
    if (!words.draws) {
      EXPECT_FALSE(values.contains(0)) << entry.name;
    }
    if (entry.name != "pgame") {
      EXPECT_EQ(values.contains(0), words.draws) << entry.name;
    }
  }
  EXPECT_EQ(game_words("hex:size=3").of(Player::kSecond), "White");
  EXPECT_EQ(game_words("pgame").of(Player::kFirst), "the first player");
  EXPECT_THROW(game_words("hexx"), Error);
}

}  // namespace
}  // namespace playproof::board_drawing_test
