// Rules, playouts and nodes as programs and Python see them: without templates.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "games/core/error.h"
#include "games/list.h"
#include "host/playouts/playouts.h"
#include "host/solve/position.h"
#include "host/solve/solver.h"

namespace playproof::without_templates_test {
namespace {

std::vector<std::string> every_small_game() {
  std::vector<std::string> games;
  AllGames::for_each([&]<class Entry>() { games.emplace_back(Entry::kSmall); });
  return games;
}

// Plays the middle one of the legal moves until the game is over.
std::vector<std::unique_ptr<AnyPosition>> game_of(const std::string& game) {
  std::vector<std::unique_ptr<AnyPosition>> positions;
  positions.push_back(make_position(game, ""));
  while (!positions.back()->finished()) {
    const std::vector<std::string> moves = positions.back()->moves();
    positions.push_back(positions.back()->copy());
    positions.back()->play(moves[moves.size() / 2]);
  }
  return positions;
}

TEST(AnyPosition, EveryGameForthAndBack) {
  for (const std::string& game : every_small_game()) {
    SCOPED_TRACE(game);
    const auto positions = game_of(game);
    const auto last = positions.back()->copy();
    EXPECT_EQ(last->played().size() + 1, positions.size());
    EXPECT_EQ(last->max_plies_left().value_or(0), 0);  // none: positions can come again
    EXPECT_TRUE(last->moves().empty());
    for (std::size_t i = positions.size(); i-- > 0;) {
      const AnyPosition& position = *positions[i];
      const auto read = make_position(game, position.text());
      EXPECT_TRUE(read->same(position));
      EXPECT_TRUE(last->same(position));
      EXPECT_EQ(read->key(), position.key());
      if (!last->played().empty()) last->undo();
    }
    EXPECT_THROW(last->undo(), Error);
    EXPECT_THROW(last->value(), Error);
  }
}

TEST(AnyPosition, PicturesShowStonesAndMarks) {
  const auto count = [](const std::string& text, const std::string& part) {
    int times = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
      ++times;
    }
    return times;
  };
  const auto position = make_position("hex:size=3", "a1 b2");
  EXPECT_EQ(count(position->svg("", 300), "<circle"), 2 + 1);  // the last move of the text
  position->play("c3");
  EXPECT_EQ(count(position->svg("a2", 300), "<circle"), 3 + 2);  // last move, best move
  EXPECT_EQ(count(make_position("othello", "")->svg("", 300), "<circle"), 4);
  EXPECT_EQ(count(make_position("nim:heaps=1.2", "")->svg("", 300), "nim:heaps=1.2: (initial)"), 2);
  EXPECT_THROW(position->svg("z9", 300), Error);
}

PlayoutRequest request_of(const std::string& game, const std::string& backend) {
  PlayoutRequest request;
  request.game = game;
  request.backend = backend;
  request.seed = 7;
  for (const auto& position : game_of(game)) request.positions.push_back(position->text());
  return request;
}

TEST(AnyPlayouts, EveryGameEqualsReference) {
  constexpr std::uint32_t kPlayouts = 1000;
  for (const std::string& game : every_small_game()) {
    SCOPED_TRACE(game);
    PlayoutRequest request = request_of(game, "reference");
    std::vector<Tally> expected(request.positions.size());
    ASSERT_TRUE(make_playouts(request)->play(kPlayouts, expected, {}));
    for (const Tally& tally : expected) {
      EXPECT_EQ(tally.wins + tally.draws + tally.losses, kPlayouts);
    }
    request.backend = "cpu";
    for (const int threads : {1, 3}) {
      request.threads = threads;
      std::vector<Tally> tallies(request.positions.size());
      ASSERT_TRUE(make_playouts(request)->play(kPlayouts, tallies, {}));
      EXPECT_EQ(tallies, expected);
    }
  }
}

TEST(AnyPlayouts, ManyOfOnePositionAreTheSumOfTheirParts) {
  PlayoutRequest request;
  request.game = "hex:size=5";
  request.positions = {"", "c3"};
  request.threads = 2;
  std::vector<Tally> many(2);
  ASSERT_TRUE(make_playouts(request)->play(1'000'001, many, {}));
  EXPECT_EQ(many[0].wins + many[0].losses, 1'000'001u);
  // What was played when it was stopped counts, and no more.
  std::vector<Tally> some(2);
  int asked = 0;
  EXPECT_FALSE(make_playouts(request)->play(1'000'001, some, [&] { return ++asked == 2; }));
  EXPECT_GT(some[0].wins, 0u);
  EXPECT_LT(some[0].wins + some[0].losses + some[1].wins + some[1].losses, 2'000'002u);
}

TEST(AnyPlayouts, ErrorsNameThePosition) {
  PlayoutRequest request;
  request.game = "hex:size=3";
  request.positions = {"a1", "zz"};
  try {
    make_playouts(request);
    FAIL() << "a position that is none was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kData);
    EXPECT_NE(std::string(error.what()).find("position 1: hex position: "), std::string::npos);
  }
}

double number_of(const NodeRow& row, const std::string& name) {
  const auto found =
      std::ranges::find_if(row.numbers, [&](const auto& n) { return n.first == name; });
  return found == row.numbers.end() ? -1 : found->second;
}

// What holds of the nodes of any search of the game, `depth` plies deep.
void expect_a_tree(const std::string& game, const std::vector<NodeRow>& rows, int depth) {
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(rows[0].depth, 0);
  EXPECT_TRUE(rows[0].attackers);
  std::vector<std::unique_ptr<AnyPosition>> positions;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const NodeRow& row = rows[i];
    if (i == 0) {
      positions.push_back(make_position(game, ""));
      continue;
    }
    ASSERT_LT(row.parent, i);
    EXPECT_EQ(row.depth, rows[row.parent].depth + 1);
    EXPECT_LE(row.depth, depth);
    EXPECT_GE(row.depth, rows[i - 1].depth);
    EXPECT_TRUE(rows[row.parent].expanded);
    positions.push_back(positions[row.parent]->copy());
    positions.back()->play(row.move);  // throws if it is not legal
    EXPECT_EQ(row.attackers, positions.back()->to_move() == positions[0]->to_move());
    EXPECT_LE(row.lower, row.upper);
  }
}

TEST(Nodes, OfEverySearchFollowTheRules) {
  for (const CatalogueEntry& entry : algorithm_catalogue().entries) {
    if (!entry.game.empty()) continue;  // Hex is looked at
    SCOPED_TRACE(entry.name);
    SolveRequest request;
    request.game = "hex:size=3";
    request.algorithm = entry.name;
    const auto solver = make_solver(request);
    solver->step(25);
    if (entry.name == "minimax") {
      EXPECT_THROW(solver->nodes({}), Error);
      continue;
    }
    const std::vector<NodeRow> rows = solver->nodes({.depth = 3});
    expect_a_tree("hex:size=3", rows, 3);
    EXPECT_GT(rows.size(), 3u);
    EXPECT_FALSE(rows[1].numbers.empty());
    EXPECT_EQ(solver->nodes({.depth = 3, .most = 3}).size(), 3u);
    EXPECT_EQ(solver->nodes({.depth = 0}).size(), 1u);
  }
}

TEST(Nodes, HaveTheNumbersOfProofNumberSearch) {
  SolveRequest request;
  request.game = "othello:size=4";
  request.algorithm = "pn";
  const auto solver = make_solver(request);
  solver->step(60);
  const std::vector<NodeRow> rows = solver->nodes({});
  double least = number_of(rows[1], "pn");
  double sum = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    least = std::min(least, number_of(rows[i], "pn"));
    sum += number_of(rows[i], "dn");
  }
  EXPECT_EQ(number_of(rows[0], "pn"), least);
  EXPECT_EQ(number_of(rows[0], "dn"), sum);
}

TEST(Nodes, OfAFinishedPositionAreItsRoot) {
  SolveRequest request;
  request.game = "hex:size=2";
  request.position = "a1 b1 a2";
  request.algorithm = "dfpn";
  const std::vector<NodeRow> rows = make_solver(request)->nodes({});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].verdict, Verdict::kDisproved);
}

}  // namespace
}  // namespace playproof::without_templates_test
