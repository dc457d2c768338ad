// Proofs written as cards, from exhaustive search: the checker accepts all of them, and they are
// short.
#include "host/proof/card_walk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "games/hex/identity.h"
#include "tests/certificates/card_support.h"
#include "tests/certificates/mutants.h"
#include "tests/certificates/support.h"

namespace playproof::card_walk_test {
namespace {

using Board = Hex<1>;

struct Sizes {
  std::uint64_t positions = 0;
  std::uint64_t proved = 0;
  std::uint64_t listed[2] = {};  // as positions, as cards
  std::uint64_t bytes[2] = {};
};

// Writes the proof of a position in both forms and holds them against the truth.
void write_both(const Board::Rules& rules, const Board::State& root, Listed listed,
                const CardLimits& limits, Sizes& sizes) {
  Minimax<Board> search(rules, {Board::to_move(rules, root), 1});
  const bool proved = search.ask(root);
  ++sizes.positions;
  sizes.proved += proved ? 1 : 0;
  for (const bool cards : {false, true}) {
    const std::string text = hex_certificate<1>(rules, root, cards, listed, limits);
    const check::Report report = check_text(text);
    ASSERT_EQ(report.status, check::kValid)
        << report.error << " in line " << report.line_number << " of\n"
        << text.substr(0, 4000);
    ASSERT_EQ(report.verdict, proved ? "proved" : "disproved") << text;
    ASSERT_EQ(report.best_move.empty(), !proved) << text;
    if (proved) {
      Board::State after = root;
      Board::play(rules, after, GameText<Board>::parse_move(rules, report.best_move));
      ASSERT_TRUE(search.ask(after)) << text;
    }
    sizes.listed[cards ? 1 : 0] += report.counts.listed;
    sizes.bytes[cards ? 1 : 0] += text.size();
  }
}

void print(const std::string& board, const Sizes& sizes) {
  std::cout << board << ": " << sizes.positions << " positions, " << sizes.proved
            << " proved; nodes " << sizes.listed[0] << " as positions, " << sizes.listed[1]
            << " as cards; bytes " << sizes.bytes[0] << ", " << sizes.bytes[1] << "\n";
}

// All unfinished positions that play can reach.
std::vector<Board::State> all_positions(const Board::Rules& rules) {
  std::vector<Board::State> found{Board::initial(rules)};
  std::set<std::pair<std::uint64_t, std::uint64_t>> known;
  for (std::size_t at = 0; at < found.size(); ++at) {
    Move moves[Board::kMaxMoves];
    const int count = Board::moves(rules, found[at], moves);
    for (int i = 0; i < count; ++i) {
      Board::State next = found[at];
      Board::play(rules, next, moves[i]);
      if (Board::finished(rules, next)) continue;
      if (known.emplace(next.stones[0][0], next.stones[1][0]).second) found.push_back(next);
    }
  }
  return found;
}

TEST(CardWalk, AllPositionsOfSmallBoards) {
  for (const auto& [rows, columns] :
       {std::pair{2, 2}, {2, 3}, {3, 2}, {2, 4}, {4, 2}, {2, 5}, {3, 3}}) {
    const auto rules = Board::make_rules(rows, columns);
    Sizes sizes;
    const int every = rows * columns > 8 && !nightly() ? 7 : 1;
    int turn = 0;
    int next = 0;
    for (const Board::State& root : all_positions(rules)) {
      if (next++ % every != 0) continue;
      CardLimits limits;
      limits.knowledge.bridges = turn / 3 % 2 == 0;
      limits.knowledge.fill = static_cast<FillLevel>(turn / 6 % 4);
      limits.knowledge.links = turn / 24 % 4 == 0;
      write_both(rules, root, static_cast<Listed>(turn++ % 3), limits, sizes);
      if (HasFatalFailure()) return;
    }
    print(std::to_string(rows) + "x" + std::to_string(columns), sizes);
    EXPECT_GT(sizes.proved, sizes.positions / 3);
    EXPECT_LT(sizes.proved, sizes.positions);
    EXPECT_LT(sizes.listed[1], sizes.listed[0]);
  }
}

// A position after so many random moves; again if it is finished.
Board::State random_position(const Board::Rules& rules, int plies, Draw& draw) {
  for (;;) {
    Board::State state = Board::initial(rules);
    for (int ply = 0; ply < plies && !Board::finished(rules, state); ++ply) {
      Move moves[Board::kMaxMoves];
      const int count = Board::moves(rules, state, moves);
      Board::play(rules, state, moves[draw.below(static_cast<std::size_t>(count))]);
    }
    if (!Board::finished(rules, state)) return state;
  }
}

TEST(CardWalk, SampledPositionsOfLargerBoards) {
  Draw draw(1);
  for (const auto& [rows, columns, plies, count] : {std::tuple{3, 4, 0, 1},
                                                    {4, 3, 0, 1},
                                                    {3, 4, 2, 60},
                                                    {4, 3, 3, 60},
                                                    {4, 4, 4, 20},
                                                    {4, 4, 5, 20},
                                                    {4, 4, 8, 60},
                                                    {5, 5, 15, 60},
                                                    {4, 6, 14, 60}}) {
    const auto rules = Board::make_rules(rows, columns);
    Sizes sizes;
    for (int i = 0; i < count; ++i) {
      CardLimits limits;
      limits.knowledge.fill = static_cast<FillLevel>(i % 2 * 3);
      limits.knowledge.links = i % 8 == 7;
      write_both(rules, random_position(rules, plies, draw), static_cast<Listed>(i % 3), limits,
                 sizes);
      if (HasFatalFailure()) return;
    }
    print(std::to_string(rows) + "x" + std::to_string(columns) + " after " + std::to_string(plies),
          sizes);
    EXPECT_LT(2 * sizes.listed[1], sizes.listed[0]);
  }
}

// What docs/certificate.md says of them.
TEST(CardWalk, EmptyBoards) {
  for (const auto& [rows, columns, positions, cards, with_pairs] :
       {std::tuple{3, 3, 307u, 18u, 10u},
        {3, 4, 3225u, 84u, 29u},
        {4, 3, 3171u, 182u, 131u},
        {4, 4, 75557u, 172u, 51u}}) {
    if (rows * columns == 16 && !nightly()) continue;
    const auto rules = Board::make_rules(rows, columns);
    for (const bool pairs : {false, true}) {
      CardLimits limits;
      limits.knowledge.bridges = pairs;
      Sizes sizes;
      write_both(rules, Board::initial(rules), Listed::kNone, limits, sizes);
      EXPECT_EQ(sizes.listed[0], positions);
      EXPECT_EQ(sizes.listed[1], pairs ? with_pairs : cards) << rows << 'x' << columns;
    }
  }
}

// What is chosen anew before lines are written (host/proof/card_minimiser.h) makes proofs smaller,
// and none of these larger.
TEST(CardWalk, ProofsAreMinimised) {
  Draw draw(3);
  std::uint64_t bytes[2] = {};
  for (const auto& [rows, columns, plies, count] :
       {std::tuple{4, 4, 2, 4}, {4, 4, 4, 20}, {5, 5, 13, 20}, {4, 6, 12, 20}}) {
    const auto rules = Board::make_rules(rows, columns);
    for (int i = 0; i < count; ++i) {
      const Board::State root = random_position(rules, plies, draw);
      std::uint64_t listed[2] = {};
      for (const bool minimise : {false, true}) {
        CardLimits limits;
        limits.knowledge.bridges = i % 2 == 0;
        limits.knowledge.fill = static_cast<FillLevel>(i / 2 % 2 * 3);
        limits.minimise = minimise;
        const std::string text =
            hex_certificate<1>(rules, root, true, static_cast<Listed>(i % 3), limits);
        const check::Report report = check_text(text);
        ASSERT_EQ(report.status, check::kValid) << report.error << text.substr(0, 4000);
        listed[minimise ? 1 : 0] = report.counts.listed;
        bytes[minimise ? 1 : 0] += text.size();
      }
      EXPECT_LE(listed[1], listed[0]);
    }
  }
  std::cout << "bytes " << bytes[0] << ", minimised " << bytes[1] << "\n";
  EXPECT_LT(10 * bytes[1], 9 * bytes[0]);
}

// Whatever a walk may keep, the proof is good; a checker never holds more ids than it keeps.
TEST(CardWalk, LimitsOfWhatIsKept) {
  Draw draw(2);
  const auto rules = Board::make_rules(4, 4);
  std::uint64_t least = ~std::uint64_t{0};
  std::uint64_t most = 0;
  const auto root = random_position(rules, 3, draw);
  for (const std::size_t ring : {0, 1, 3, 64, 1024}) {
    for (const std::size_t positions : {1, 64, 1 << 16}) {
      for (const std::size_t held_back : {0, 5, 1 << 16}) {
        const std::string text = hex_certificate<1>(rules, root, true, Listed::kNone,
                                                    {.knowledge = {.zones = true},
                                                     .ring = ring,
                                                     .positions = positions,
                                                     .held_back = held_back});
        const check::Report report = check_text(text);
        ASSERT_EQ(report.status, check::kValid) << report.error << ring << positions << held_back;
        // Beside what is kept: the replies to a line of play.
        EXPECT_LE(report.counts.most_live, ring + positions + held_back + 169);
        least = std::min(least, report.counts.listed);
        most = std::max(most, report.counts.listed);
      }
    }
  }
  std::cout << least << " to " << most << " nodes\n";
  EXPECT_LT(3 * least, most);
}

// Lines that are written before the proof is whole, whatever the cards rest on.
TEST(CardWalk, IsWrittenInParts) {
  Draw draw(4);
  const auto rules = Board::make_rules(4, 4);
  for (int i = 0; i < (nightly() ? 12 : 5); ++i) {
    const auto root = random_position(rules, 3 + i % 4, draw);
    for (const FillLevel fill : {FillLevel::kOff, FillLevel::kCaptured, FillLevel::kFull}) {
      for (const bool links : {false, true}) {
        for (const std::size_t held_back : {0, 5, 40}) {
          CardLimits limits;
          limits.knowledge.bridges = !links;
          limits.knowledge.links = links;
          limits.knowledge.fill = fill;
          limits.held_back = held_back;
          const std::string text =
              hex_certificate<1>(rules, root, true, static_cast<Listed>(i % 3), limits);
          const check::Report report = check_text(text);
          ASSERT_EQ(report.status, check::kValid) << report.error << text.substr(0, 4000);
        }
      }
    }
  }
}

// Boards of more than one word are written by the same rules.
TEST(CardWalk, WordsDoNotMatter) {
  Draw draw(3);
  for (const auto& [rows, columns] : {std::pair{3, 3}, {3, 4}, {4, 4}}) {
    const auto rules = Board::make_rules(rows, columns);
    const auto wide = Hex<6>::make_rules(rows, columns);
    for (int i = 0; i < 10; ++i) {
      const auto root = random_position(rules, 4 + i % 3, draw);
      const auto same = GameText<Hex<6>>::parse(wide, GameText<Board>::format(rules, root));
      EXPECT_EQ(hex_certificate<1>(rules, root, true), hex_certificate<6>(wide, same, true));
    }
  }
  // A board that needs them: the last cells of 8x9.
  const auto rules = Hex<6>::make_rules(8, 9);
  int decided = 0;
  for (int i = 0; i < 200; ++i) {
    auto root = Hex<6>::initial(rules);
    while (!Hex<6>::finished(rules, root) && root.count < 64) {
      Move moves[Hex<6>::kMaxMoves];
      const int count = Hex<6>::moves(rules, root, moves);
      Hex<6>::play(rules, root, moves[draw.below(static_cast<std::size_t>(count))]);
    }
    if (Hex<6>::finished(rules, root)) continue;
    ++decided;
    const check::Report report = check_text(hex_certificate<6>(rules, root, true));
    EXPECT_EQ(report.status, check::kValid) << report.error;
  }
  EXPECT_GT(decided, 10);
}

// No line that nothing cites, while all can be held back.
TEST(CardWalk, EveryCardIsCited) {
  for (const auto& [rows, columns] : {std::pair{3, 3}, {3, 4}, {4, 3}, {4, 4}}) {
    const auto rules = Board::make_rules(rows, columns);
    std::set<std::string> left;
    for (const auto& line :
         sheet_of(hex_certificate<1>(rules, Board::initial(rules), true, Listed::kNone))) {
      if (line[0] == "free") continue;
      if (line[0] == "root") left.erase(line[1]);
      const std::size_t first = line[0] == "card-all"                       ? 3
                                : line[0] == "card-one" || line[0] == "one" ? 4
                                                                            : line.size();
      for (std::size_t i = first; i < line.size(); ++i) left.erase(line[i]);
      if (line[0].starts_with("card-") || line[0] == "one") left.insert(line[1]);
    }
    EXPECT_TRUE(left.empty()) << left.size() << " of " << rows << "x" << columns;
  }
}

// What is not so cannot be written, whoever says so.
TEST(CardWalk, AFalseClaimHasNoProof) {
  for (const auto& [rows, columns] : {std::pair{2, 2}, {2, 3}, {3, 3}}) {
    const auto rules = Board::make_rules(rows, columns);
    for (const Board::State& root : all_positions(rules)) {
      EXPECT_THROW(hex_certificate<1>(rules, root, true, Listed::kUp, {}, true), Error);
    }
  }
}

}  // namespace
}  // namespace playproof::card_walk_test
