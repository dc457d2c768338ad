// Certificates of searches with exact endings: the plies above eight empty squares are listed, the
// rest is left to the checker in `recheck` nodes, and none of them is taken for granted.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/certificates/mutants.h"
#include "tests/certificates/support.h"

namespace playproof::recheck_test {
namespace {

std::int64_t empties_of(const std::string& board) {
  return std::count(board.begin(), board.end(), '-');
}
// The places of the recheck lines.
std::vector<std::size_t> rechecks(const Sheet& sheet) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < sheet.size(); ++i) {
    if (sheet[i][0] == "recheck") places.push_back(i);
  }
  return places;
}

TEST(Recheck, PliesAboveEightEmptySquaresAreListed) {
  for (const char* goal : {"win", "score", "value"}) {
    for (const int empties : {6, 9, 11}) {
      const std::string position = random_othello(8, empties, 5);
      check::Report report;
      const Sheet sheet = sheet_of(
          certificate_of(ask("othello", "dfpn:leaf=mobility,endings=10", position, goal), &report));
      std::uint64_t found = 0;
      for (const auto& line : sheet) {
        const bool inner = line[0] == "one" || line[0] == "all";
        // The root is never left to the checker.
        if (inner) {
          EXPECT_GT(empties_of(line[2]), std::min(8, empties - 1));
        }
        if (line[0] != "recheck") continue;
        EXPECT_LE(empties_of(line[3]), 8);
        EXPECT_EQ(line[2], std::to_string(empties_of(line[3])));
        ++found;
      }
      EXPECT_GT(found, 0u) << goal << empties;
      EXPECT_EQ(report.counts.rechecked, found);
      EXPECT_GT(report.counts.brute_forced, found);
    }
  }
}

TEST(Recheck, WithoutEndingsNothingIsLeftToTheChecker) {
  check::Report report;
  certificate_of(ask("othello", "dfpn:leaf=mobility,endings=0", random_othello(8, 9, 5)), &report);
  EXPECT_EQ(report.counts.rechecked, 0u);
}

// A position that several lines of play reach is searched once for each claim.
TEST(Recheck, NodesAreShared) {
  const std::string text =
      certificate_of(ask("othello", "dfpn:leaf=mobility", random_othello(8, 12, 3), "score"));
  Sheet sheet = sheet_of(text);
  const auto end =
      std::find_if(sheet.begin(), sheet.end(), [](const auto& line) { return line[0] == "root"; });
  sheet.erase(end, sheet.end());  // the second claim
  std::vector<std::string> boards;
  for (const std::size_t place : rechecks(sheet)) boards.push_back(sheet[place][3]);
  std::sort(boards.begin(), boards.end());
  ASSERT_GT(boards.size(), 20u);
  EXPECT_EQ(std::adjacent_find(boards.begin(), boards.end()), boards.end());
}

// Every class of mutants, of certificates that consist of rechecks for the most part.
TEST(Recheck, MutantsOfThem) {
  std::vector<Sheet> sheets;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    const char* goals[] = {"win", "draw", "score", "score>=6", "value"};
    const int size = seed % 2 == 0 ? 8 : 6;
    sheets.push_back(
        sheet_of(certificate_of(ask("othello:size=" + std::to_string(size), "dfpn:leaf=mobility",
                                    random_othello(size, 4, seed), goals[seed % 5]))));
    EXPECT_FALSE(rechecks(sheets.back()).empty()) << seed;
  }
  for (const MutationClass& mutation : mutation_classes()) {
    const MutantTally tally = judge_mutants(
        mutation, sheets, 200, [](const std::string& text) { return check_text(text); });
    EXPECT_EQ(tally.false_ones, 0) << mutation.name;
    if (!mutation.never_a_proof) continue;
    EXPECT_EQ(tally.rejected, tally.made) << mutation.name;
  }
}

check::Report report_with(Sheet sheet, std::size_t line, std::size_t word,
                          const std::string& text) {
  sheet[line][word] = text;
  return check_text(text_of(sheet));
}

// One word of one recheck line changed.
TEST(Recheck, ChangedInOneWord) {
  const Sheet sheet = sheet_of(
      certificate_of(ask("othello", "dfpn:leaf=mobility", random_othello(8, 7, 3), "score")));
  ASSERT_EQ(check_text(text_of(sheet)).status, check::kValid);
  for (const std::size_t place : rechecks(sheet)) {
    const std::string board = sheet[place][3];
    const std::string count = sheet[place][2];
    const auto expect_refused = [&](std::size_t word, const std::string& text, const char* why) {
      const check::Report report = report_with(sheet, place, word, text);
      EXPECT_NE(report.status, check::kValid) << why;
      EXPECT_NE(report.error.find(why), std::string::npos) << report.error;
    };
    expect_refused(2, std::to_string(std::stoi(count) + 1), "the number of empty squares is wrong");
    expect_refused(2, "0" + count, "the number of empty squares is wrong");
    expect_refused(3, "-" + board, "not a position");
    // The side to move, a colour: what it is then is not the position after the move, if it still
    // holds the claim.
    std::string other = board;
    other.back() = other.back() == 'X' ? 'O' : 'X';
    EXPECT_EQ(report_with(sheet, place, 3, other).status, check::kNotProof);
    other = board;
    const std::size_t disc = other.find('X');
    other[disc] = 'O';
    EXPECT_EQ(report_with(sheet, place, 3, other).status, check::kNotProof);
  }
}

// The claim raised over the exact score: the positions that are searched contradict it.
TEST(Recheck, FalseClaimsAreFoundBySearching) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const std::string position = random_othello(8, 7, seed);
    const SolveResult score = solve(ask("othello", "dfpn", position, "score"));
    if (score.lower > 60) continue;
    Sheet sheet = sheet_of(
        certificate_of(ask("othello", "dfpn", position, "score>=" + std::to_string(score.lower))));
    const std::string raised = std::to_string(score.lower + 2);
    for (auto& line : sheet) {
      if (line[0] == "goal") line[1] = "score>=" + raised;
      if (line[0] == "claim") line[1] = ">=" + raised;
    }
    const check::Report report = check_text(text_of(sheet));
    EXPECT_EQ(report.status, check::kNotProof);
    EXPECT_NE(report.error.find("searching does not confirm"), std::string::npos) << report.error;
  }
}

}  // namespace
}  // namespace playproof::recheck_test
