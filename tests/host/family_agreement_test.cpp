// The depth-first family against known values: every threshold rule with every leaf number, also
// with tables so small that whatever they hold is replaced. Each verdict has a certificate that
// playproof-check accepts. Where the product of schemes and problems is large, the schemes take
// turns on the problems; the product is in tests/programs/agreement.toml and `make nightly`.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "games/othello/rules.h"
#include "support.h"

namespace playproof::family_agreement_test {
namespace {

const std::vector<std::string>& schemes() {
  static const std::vector<std::string> kSchemes = [] {
    const std::vector<std::string> leaves = {"leaf=unit",
                                             "leaf=mobility",
                                             "leaf=playouts,playouts=16",
                                             "leaf=both,playouts=16",
                                             "E=3,D=4",
                                             "E=0"};
    std::vector<std::string> all =
        combinations("dfpn", {leaves,
                              {"increment=1", "increment=5", "increment=0", "epsilon=0.25",
                               "edge=3", "edge=2,edges=moves"}});
    for (const char* name : {"pds", "pnstar"}) {
      for (auto& scheme : combinations(name, {leaves})) all.push_back(std::move(scheme));
    }
    for (auto& scheme : combinations("pds", {{"deepen=child"}, leaves})) {
      all.push_back(std::move(scheme));
    }
    for (auto& scheme :
         combinations("alphabeta", {{"leaf=unit", "leaf=mobility", "leaf=playouts,playouts=16",
                                     "leaf=both,playouts=16"}})) {
      all.push_back(std::move(scheme));
    }
    return all;
  }();
  return kSchemes;
}

// `value` is that of the position for the side to move, as far as the goal asks for it.
SolveResult expect_value(const SolveRequest& request, int value) {
  SCOPED_TRACE(request.game + " '" + request.position + "' " + request.algorithm + ' ' +
               request.goal);
  const SolveResult result = solve(request);
  if (request.goal == "value" || request.goal == "score") {
    EXPECT_EQ(result.verdict, Verdict::kProved);
    EXPECT_EQ(result.lower, value);
    EXPECT_EQ(result.upper, value);
  } else {
    const int threshold = threshold_of(request.goal);
    EXPECT_EQ(result.verdict, value >= threshold ? Verdict::kProved : Verdict::kDisproved);
    expect_good_line(request, result, threshold);
  }
  return result;
}

// Which schemes have their turn on problem `i`: one of `of`, all of them in `of` problems.
std::vector<std::string> turn(std::size_t i, std::size_t of) {
  if (nightly()) return schemes();
  std::vector<std::string> chosen;
  for (std::size_t s = i % of; s < schemes().size(); s += of) chosen.push_back(schemes()[s]);
  return chosen;
}

// The openings of one board, White to move: cell and value.
std::vector<std::pair<std::string, int>> openings(const std::string& size) {
  std::vector<std::pair<std::string, int>> found;
  for (const std::string& line : data_lines("hex-openings.txt")) {
    const auto fields = words_of(line);
    if (fields[0] == size) found.emplace_back(fields[1], fields[2] == "W" ? 1 : -1);
  }
  EXPECT_EQ(found.size(), std::stoul(size) * std::stoul(size));
  return found;
}

TEST(FamilyAgreement, Hex3x3) {
  for (const auto& [cell, value] : openings("3")) {
    for (const std::string& scheme : schemes()) {
      for (const char* table : {"", ",table=1KiB"}) {
        expect_value(ask("hex:size=3", scheme + table, cell), value);
      }
    }
    if (HasFailure()) return;
  }
}

TEST(FamilyAgreement, Hex4x4) {
  std::size_t i = 0;
  for (const auto& [cell, value] : openings("4")) {
    for (const std::string& scheme : turn(i, 30))
      expect_value(ask("hex:size=4", scheme, cell), value);
    if (HasFailure()) return;
    ++i;
  }
}

// 2,048 entries for tens of thousands of positions: most of them are replaced many times.
TEST(FamilyAgreement, SlowHex4x4WithASmallTable) {
  std::size_t i = 0;
  for (const auto& [cell, value] : openings("4")) {
    const std::string& scheme = schemes()[5 * i % schemes().size()];
    if (++i % 4 != 1 && !nightly()) continue;
    expect_value(ask("hex:size=4", scheme + ",table=64KiB", cell), value);
    if (HasFailure()) return;
  }
}

// All five lines of the table.
TEST(FamilyAgreement, Connect) {
  const auto lines = data_lines("connect-small.txt");
  ASSERT_EQ(lines.size(), 5u);
  std::size_t i = 0;
  for (const std::string& line : lines) {
    const auto fields = words_of(line);
    const std::string game =
        "connect6:rows=" + fields[0] + ",columns=" + fields[1] + ",connect=" + fields[2];
    const int value = fields[3] == "draw" ? 0 : 1;
    const bool large = fields[2] == "4";
    for (const std::string& scheme : turn(i++, large ? 60 : 12)) {
      SolveRequest request = ask(game, scheme, "", "value");
      request.limits.max_memory = std::uint64_t{1} << 30;
      expect_value(request, value);
      if (!large) expect_value(ask(game, scheme + ",table=1KiB", "", "value"), value);
    }
    if (HasFailure()) return;
  }
}

// The searches go to the end by themselves, or leave the last squares to the exact ending.
TEST(FamilyAgreement, OthelloWithTwelveEmpties) {
  const auto lines = data_lines("othello-12-exact.txt");
  ASSERT_EQ(lines.size(), 60u);
  for (std::size_t i = 0; i < lines.size(); i += nightly() ? 1 : 12) {
    const auto fields = words_of(lines[i]);
    const std::string position = fields[0] + ' ' + fields[1];
    for (const std::string& scheme : turn(i, 41)) {
      for (const char* goal : {"win", "draw"}) {
        expect_value(ask("othello", scheme + ",endings=0", position, goal), std::stoi(fields[2]));
      }
      expect_value(ask("othello", scheme + ",endings=8", position, "score"), std::stoi(fields[2]));
    }
    if (HasFailure()) return;
  }
}

// The positions of one random game on the small board, from the first to the last.
std::vector<std::string> positions_of_game(std::uint64_t seed) {
  const auto rules = Othello::make_rules(4);
  auto state = Othello::initial(rules);
  std::vector<std::string> positions;
  for (std::uint64_t draw = mix64(seed);; draw = mix64(draw)) {
    positions.push_back(GameText<Othello>::format(rules, state));
    if (Othello::finished(rules, state)) return positions;
    Move moves[Othello::kMaxMoves];
    const int count = Othello::moves(rules, state, moves);
    Othello::play(rules, state, moves[draw % static_cast<std::uint64_t>(count)]);
  }
}

TEST(FamilyAgreement, EveryPositionOfSixGamesOfOthello4x4) {
  std::size_t i = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    for (const std::string& position : positions_of_game(seed)) {
      const SolveResult known = solve(ask("othello:size=4", "minimax", position, "score"));
      ASSERT_EQ(known.lower, known.upper);
      for (const std::string& scheme : turn(i++, 26)) {
        for (const char* rest : {",endings=0", ",endings=0,table=1KiB", ",endings=6"}) {
          for (const char* goal : {"win", "draw", "score"}) {
            expect_value(ask("othello:size=4", scheme + rest, position, goal), known.lower);
          }
        }
      }
      if (HasFailure()) return;
    }
  }
}

// One table from position to position; at each change of the attacker it is given up.
TEST(FamilyAgreement, Hex4x4WithOneTable) {
  for (std::size_t s = 0; s < schemes().size(); s += nightly() ? 7 : 31) {
    for (const char* table : {"", ",table=64KiB"}) {
      if (*table != '\0' && s > 0) continue;  // slow
      TableKeeper keeper;
      for (const auto& [cell, value] : openings("4")) {
        SolveRequest request = ask("hex:size=4", schemes()[s] + table, cell);
        request.keeper = &keeper;
        expect_value(request, value);
        if (HasFailure()) return;
      }
    }
  }
}
TEST(FamilyAgreement, Othello4x4WithOneTable) {
  std::vector<TableKeeper> keepers(schemes().size());
  for (std::uint64_t seed = 11; seed <= 13; ++seed) {
    for (const std::string& position : positions_of_game(seed)) {
      const SolveResult known = solve(ask("othello:size=4", "minimax", position, "score"));
      for (std::size_t s = seed % 5; s < schemes().size(); s += nightly() ? 5 : 10) {
        for (const char* goal : {"draw", "win", "score", "value", "draw"}) {
          SolveRequest request = ask("othello:size=4", schemes()[s] + ",endings=0", position, goal);
          request.keeper = &keepers[s];
          const bool value = std::string(goal) == "value";
          expect_value(request, value ? (known.lower > 0) - (known.lower < 0) : known.lower);
        }
      }
      if (HasFailure()) return;
    }
  }
}

TEST(FamilyAgreement, PGames) {
  std::uint64_t tree = 700;
  for (const char* shape : {"branching=2,depth=10", "branching=3,depth=6", "branching=8,depth=4"}) {
    for (int i = 0; i < 8; ++i, ++tree) {
      const std::string game = std::string("pgame:") + shape + ",tree=" + std::to_string(tree);
      const int value = truth(game, "").value;
      for (const std::string& scheme : turn(tree, 3)) {
        expect_value(ask(game, scheme, "", "value"), (value > 0) - (value < 0));
        expect_value(ask(game, scheme + ",table=1KiB"), value);
      }
      if (HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace playproof::family_agreement_test
