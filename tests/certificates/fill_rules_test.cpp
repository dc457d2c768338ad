// The rules of proof for cells that are filled in, one by one: certificates written by hand, with
// checksum and grammar in order.
#include <gtest/gtest.h>

#include <string>

#include "tests/certificates/by_hand.h"
#include "tests/certificates/support.h"
#include "tests/host/saved.h"

namespace playproof::fill_rules_test {
namespace {

Lines fill_header(const std::string& game, const std::string& position,
                  const std::string& verdict) {
  return header(game, position, verdict, "4");
}
// 3x3 after b2: the cells on either side of it are captured.
Lines second_row() {
  return fill_header("rows=3,columns=3", "b2", "disproved") +
         Lines{"card-leaf 1 .B..B.B..", "card-fill 2 .--.B.--. 1 b1+c1 a3+b3", "root 2"};
}
// 3x3: b2 is dead between b1, c1, c2 and b3.
Lines dead_cell() {
  return fill_header("rows=3,columns=3", "b1 a1 c1 a2 c2 c3 b3", "disproved") +
         Lines{"card-leaf 1 .B..B..B.", "card-fill 2 .BB.-B.B. 1 b2", "root 2"};
}

TEST(FillRules, GoodOnesAreAccepted) {
  expect_valid(second_row());
  expect_valid(dead_cell());
  // In another order, as one set, with more than is needed.
  expect_valid(with(second_row(), "card-fill", "card-fill 2 .--.B.--. 1 b3+a3 c1+b1"));
  expect_valid(with(second_row(), "card-fill", "card-fill 2 .--.B.--. 1 b1+c1+a3+b3"));
  expect_valid(with(second_row(), "card-fill", "card-fill 2 ---.B.--. 1 b1+c1 a3+b3"));
  expect_valid(with(second_row(), "card-leaf", "card-leaf 1 .BB.B.BB."));
  expect_valid(with(dead_cell(), "card-fill", "card-fill 2 .BB.-B-B. 1 b2"));
  const check::Report report = check_text(sealed(second_row()));
  EXPECT_EQ(report.counts.listed, 2u);
  EXPECT_EQ(report.counts.leaves, 1u);
}

// White joins left and right: the mirror.
TEST(FillRules, White) {
  const Lines lines = fill_header("rows=3,columns=3", "a1 b2", "disproved") +
                      Lines{"card-leaf 1 ..W.W.W..", "root 1"};
  expect_refused(lines, "the root is not the position");
  expect_valid(fill_header("rows=3,columns=3", "b1 b2", "disproved") +
               Lines{"card-leaf 1 ..W.W.W..", "card-fill 2 ..--W--.. 1 a2+a3 c1+c2", "root 2"});
}

// What was filled before counts as the prover's stone.
TEST(FillRules, SetsInTurn) {
  const Lines lines =
      fill_header("rows=3,columns=3", "b2", "disproved") +
      Lines{"card-leaf 1 BB..B.B..", "card-fill 2 ---.B.--. 1 b1+c1 a1 a3+b3", "root 2"};
  expect_valid(with(lines, "card-fill", "card-fill 2 ----B.--. 1 b1+c1 a3+b3 a1+a2"));
  expect_refused(with(lines, "card-fill", "card-fill 2 ----B.--. 1 a1+a2 b1+c1 a3+b3"),
                 "not all is captured of 'a1+a2'");
  expect_valid(with(lines, "card-fill", "card-fill 2 ---.B.--. 1 b1+c1 a1 a3+b3"));
}

TEST(FillRules, OnlyWhatIsCaptured) {
  const auto fill = [](const std::string& line) {
    return with(second_row(), "card-fill", "card-fill 2 " + line);
  };
  for (const char* set : {"b1", "c1", "b1+a3", "a3", "b1+c1+a3"}) {
    expect_refused(fill(std::string(".--.B.--. 1 ") + set), "not all is captured of");
  }
  // 3x4, with a stone that is none yet.
  const Lines lines =
      fill_header("rows=3,columns=4", "b2", "disproved") +
      Lines{"card-leaf 1 .B...B..B...", "card-fill 2 .--..B..--.. 1 b1+c1 a3+b3", "root 2"};
  expect_valid(lines);
  expect_refused(with(lines, "card-fill", "card-fill 2 .--.-B..--.. 1 b1+c1 a3+b3 a2+b3"),
                 "what is filled must be '-'");
  // Where the opponent may get the place of a stone, or of another one.
  for (const char* pattern : {".B-.-B.B.", ".BB.--.B."}) {
    expect_refused(with(dead_cell(), "card-fill", std::string("card-fill 2 ") + pattern + " 1 b2"),
                   "not all is captured of 'b2'");
  }
}

TEST(FillRules, FilledCellsAreFree) {
  const auto fill = [](const std::string& line) {
    return with(second_row(), "card-fill", "card-fill 2 " + line);
  };
  for (const char* line :
       {"..-.B.--. 1 b1+c1", ".-..B.--. 1 b1+c1", ".--.B.--. 1 b1+c1 b1+c1", ".--.B.--. 1 b1+b1",
        ".--.B.--. 1 b2", ".--.B.--. 1 d1", ".--.B.--. 1 b1+", ".--.B.--. 1 +b1", ".--.B.--. 1 +",
        ".--.B.--. 1 top", ".--.B.--. 1 b1+c1+2"}) {
    expect_refused(fill(line), "what is filled must be '-' of the pattern, not");
  }
  expect_refused(with(second_row(), "card-fill", "card-fill 2 ----B---- 1 a1+b1+c1+a2+c2+a3+b3"),
                 "more than 6 cells are filled at a time");
  expect_refused(with(second_row(), "card-fill", "card-fill 2 .--.B.--. 1"), "",
                 check::kUnreadable);
  expect_refused(with(second_row(), "card-fill", "card-fill 2 .--.B.--."), "", check::kUnreadable);
}

TEST(FillRules, ThePatternCoversTheCard) {
  const auto fill = [](const std::string& line) {
    return with(second_row(), "card-fill", "card-fill 2 " + line);
  };
  expect_refused(fill(".--.B.... 1 b1+c1"), "card 1 asks for more on cell 7");
  expect_refused(fill(".--.B.--. 1 b1+c1"), "card 1 asks for more on cell 7");
  expect_refused(fill(".--.B.--. 2 b1+c1"), "no node 2 lives here");
  expect_refused(with(second_row(), "card-leaf", "card-leaf 1 BB..B.B.."),
                 "card 1 asks for more on cell 1");
}

// A card that is good with the prover to move stays so.
TEST(FillRules, TheMoverStays) {
  const Lines lines = fill_header("rows=3,columns=3", "b2 c1", "proved") +
                      Lines{"card-leaf 1 .B..B.B..", "card-one 2 .-..B.B.. b1 1",
                            "card-fill 3 .-..B.--. 2 a3+b3", "root 3"};
  expect_valid(lines);
  expect_refused(with(lines, "root", "card-one 4 .-..-.--. b2 3"),
                 "card 3 is good only with the prover to move");
  expect_refused(with(with(lines, "position", "position b2"), "claim", "claim >=1 disproved"), "");
  Lines waits =
      fill_header("rows=3,columns=3", "b2", "disproved") + Lines(lines.begin() + 7, lines.end());
  expect_refused(waits, "the root is not the position of the header");
}

TEST(FillRules, VersionThreeHasNone) {
  Lines lines = second_row();
  lines[0] = "playproof-certificate 3";
  expect_refused(lines, "not a position: '.--.B.--.'");
  expect_refused(with(second_row(), "card-fill", "card-fills 2 .--.B.--. 1 b1+c1"),
                 "unknown kind of line: 'card-fills'", check::kUnreadable);
}

// What is tried counts.
TEST(FillRules, TheSearchIsBounded) {
  const check::Report report = check_text(sealed(second_row()));
  EXPECT_GT(report.counts.brute_forced, 4u);
  EXPECT_LT(report.counts.brute_forced, 1000u);
}

}  // namespace
}  // namespace playproof::fill_rules_test
