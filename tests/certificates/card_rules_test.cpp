// The rules of proof for cards, one by one: certificates written by hand, with checksum and grammar
// in order.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/certificates/by_hand.h"
#include "tests/certificates/support.h"
#include "tests/host/saved.h"

namespace playproof::card_rules_test {
namespace {

// 2x2: Black has b1 and joins it by a2 or b2, whoever moves.
const Lines& pair_cards() {
  static const Lines kCards = {"card-leaf 1 .BB.", "card-one 2 .B-. a2 1", "card-leaf 3 .B.B",
                               "card-one 4 .B.- b2 3", "card-all 5 .B-- 2 4"};
  return kCards;
}
Lines proved() {
  return header("rows=2,columns=2", "", "proved") + pair_cards() +
         Lines{"one 6 .... b1 5", "root 6"};
}
Lines disproved() {
  return header("rows=2,columns=2", "b1", "disproved") + pair_cards() + Lines{"root 5"};
}
TEST(CardRules, GoodOnesAreAccepted) {
  expect_valid(proved(), "b1");
  expect_valid(disproved());
  const check::Report report = check_text(sealed(proved()));
  EXPECT_EQ(report.counts.listed, 6u);
  EXPECT_EQ(report.counts.leaves, 2u);
  EXPECT_EQ(report.counts.most_live, 6u);
}

// A card matches whatever stands on its dots; needed stones may be more than are needed.
TEST(CardRules, DotsAndNeedlessStones) {
  expect_valid(header("rows=2,columns=2", "b1 a1", "proved") +
                   Lines{"card-leaf 1 .BB.", "one 2 WB.. a2 1", "root 2"},
               "a2");
  expect_valid(header("rows=2,columns=2", "b1 a1", "proved") +
               Lines{"card-leaf 1 .B.B", "card-one 2 .B.- b2 1", "root 2"});
  expect_valid(with(with(disproved(), "card-leaf 1", "card-leaf 1 .BB."), "card-all 5",
                    "card-all 5 .B-- 4 2"));
}

// With the prover to move a card that is good with the opponent to move serves as well.
TEST(CardRules, AnExtraMoveDoesNotHurt) {
  expect_valid(header("rows=3,columns=2", "a3 b3 a2 a1", "proved") +
               Lines{"card-leaf 1 .BB.B.", "card-one 2 .-B.B. b1 1", "root 2"});
  // Black to move, by a card with White to move.
  expect_valid(header("rows=2,columns=2", "b1 a1", "proved") + pair_cards() + Lines{"root 5"});
}

TEST(CardRules, VersionOneHasNone) {
  Lines lines = proved();
  lines[0] = "playproof-certificate 1";
  expect_refused(lines, "unknown kind of line: 'card-leaf'", check::kUnreadable);
  for (const char* other : {"0", "8", "15", "1.0"}) {
    lines[0] = std::string("playproof-certificate ") + other;
    expect_refused(lines, "not a certificate of version 1 to 7", check::kUnreadable);
  }
  // Version 2 without cards is read as version 1.
  Lines plain = lines_of(certificate_of(ask("hex:size=2", "pn:zones=off")));
  plain[0] = "playproof-certificate 2";
  EXPECT_EQ(check_text(sealed(plain)).status, check::kValid);
  expect_refused(with(proved(), "card-leaf 1", "card-leaves 1 .BB."), "unknown kind of line",
                 check::kUnreadable);
}

TEST(CardRules, OnlyConnectionGamesHaveThem) {
  for (const char* game : {"connect6:rows=3,columns=3,connect=3,stones=1", "othello:size=4",
                           "pgame:branching=2,depth=3,tree=5"}) {
    Lines lines = lines_of(certificate_of(ask(game, "pn")));
    lines[0] = "playproof-certificate 2";
    lines.insert(lines.begin() + 7, "card-leaf 1 .BB.");
    expect_refused(lines, "this game has no cards");
  }
}

TEST(CardRules, Patterns) {
  for (const char* pattern : {".BB", ".BB..", ".BBx", ".BBW", "WBBW", "B"}) {
    expect_refused(with(proved(), "card-leaf 1", std::string("card-leaf 1 ") + pattern),
                   "not a pattern of '.', '-' and 'B'");
  }
  expect_refused(with(proved(), "card-leaf 1", "card-leaf 1"), "words", check::kUnreadable);
  expect_refused(with(proved(), "card-leaf 1", "card-leaf 1 .BB. a2"), "words", check::kUnreadable);
  expect_refused(with(proved(), "card-one 2", "card-one 2 .B-. a2"), "words", check::kUnreadable);
  expect_refused(with(proved(), "card-one 2", "card-one 2 .B-. a2 1 1"), "words",
                 check::kUnreadable);
  expect_refused(with(proved(), "card-all 5", "card-all 5 .B--"), "words", check::kUnreadable);
  expect_refused(with(proved(), "card-leaf 1", "card-leaf x .BB."), "an id", check::kUnreadable);
}

TEST(CardRules, LeavesHoldAWinningSet) {
  for (const char* pattern : {".B-.", ".B..", "BB..", "B..B", ".-B.", "----"}) {
    expect_refused(with(proved(), "card-leaf 1", std::string("card-leaf 1 ") + pattern),
                   "do not hold a winning set");
  }
}

// 2x2: Black has b1, and one of a2 and b2 in the end.
TEST(CardRules, PairsAreSharedOut) {
  const auto of = [](const std::string& card) {
    return header("rows=2,columns=2", "", "proved") + Lines{card, "one 2 .... b1 1", "root 2"};
  };
  expect_valid(of("card-pairs 1 .B-- a2 b2"), "b1");
  expect_valid(of("card-pairs 1 .B-- b2 a2"), "b1");
  for (const char* card :
       {".B-- a2 a2", ".B-- a2 b1", ".B-. a2 b2", ".B-- a2 c1", ".B-B a2 b2", "-B-- a1 a2 b2 a1"}) {
    expect_refused(of(std::string("card-pairs 1 ") + card), "pairs must be of '-'");
  }
  for (const char* card : {".--- a2 b2", "-B-- a1 b2", "-B-. a1 a2", ".--- b1 b2"}) {
    expect_refused(of(std::string("card-pairs 1 ") + card), "cells that do not win");
  }
  for (const char* card : {".B--", ".B-- a2", "-B-- a1 a2 b2"}) {
    expect_refused(of(std::string("card-pairs 1 ") + card), "words", check::kUnreadable);
  }
}

TEST(CardRules, TheMoveIsAFreeCellOfThePattern) {
  for (const char* move : {"b2", "a1", "b1", "c1", "a9", "--"}) {
    expect_refused(with(proved(), "card-one 2", std::string("card-one 2 .B-. ") + move + " 1"),
                   "the move must be a '-'");
  }
}

TEST(CardRules, AMoveLeadsToACardWithTheOpponentToMove) {
  Lines lines = header("rows=2,columns=2", "", "proved") +
                Lines{"card-leaf 1 .BB.", "card-one 2 .B-. a2 1", "card-one 3 .--. b1 2", "root 3"};
  expect_refused(lines, "card 2 is good only with the prover to move");
}

TEST(CardRules, PatternsCoverWhatTheyCite) {
  expect_refused(with(proved(), "card-one 2", "card-one 2 ..-. a2 1"), "asks for more on cell 2");
  expect_refused(with(proved(), "card-one 2", "card-one 2 .--. a2 1"), "asks for more on cell 2");
  expect_refused(with(proved(), "card-all 5", "card-all 5 .B.- 2 4"), "asks for more on cell 3");
  expect_refused(with(proved(), "card-all 5", "card-all 5 .B-. 2 4"), "asks for more on cell 4");
  expect_refused(with(proved(), "card-all 5", "card-all 5 .--- 2 4"), "asks for more on cell 2");
  // More than they need is no fault, but then what cites them asks for it too.
  const Lines more = with(proved(), "card-one 2", "card-one 2 -B-. a2 1");
  expect_refused(more, "asks for more on cell 1");
  expect_refused(with(more, "card-all 5", "card-all 5 -B-- 2 4"), "", check::kValid);
}

TEST(CardRules, EveryReplyIsAnswered) {
  expect_refused(with(proved(), "card-all 5", "card-all 5 .B-- 2"), "a reply on cell 3");
  expect_refused(with(proved(), "card-all 5", "card-all 5 .B-- 4"), "a reply on cell 4");
  expect_refused(with(proved(), "card-all 5", "card-all 5 .B-- 4 4"), "a reply on cell 4");
  // What is in all zones may be needed, not only free.
  expect_refused(header("rows=2,columns=2", "b1", "disproved") +
                     Lines{"card-leaf 1 .BB.", "card-one 2 .-B. b1 1", "card-all 3 .-B. 2"},
                 "a reply on cell 2");
}

TEST(CardRules, CitedNodesLiveAndAreCards) {
  expect_refused(with(proved(), "card-all 5", "card-all 5 .B-- 2 6"), "no node 6 lives here");
  expect_refused(with(proved(), "card-all 5", "card-all 5 .B-- 2 5"), "no node 5 lives here");
  expect_refused(with(proved(), "card-one 2", "card-one 2 .B-. a2 2"), "no node 2 lives here");
  expect_refused(with(proved(), "card-leaf 3", "free 1"), "no node 3 lives here");
  expect_refused(with(with(proved(), "card-leaf 1", "leaf 1 WBB."), "one 6", "one 6 .... b1 5"),
                 "node 1 is no card");
  expect_refused(with(proved(), "card-one 4", "card-one 3 .B.- b2 3"), "ids must ascend");
}

TEST(CardRules, NodesCiteCardsThatMatch) {
  for (const char* line : {"one 6 .... a1 5", "one 6 .... a2 5", "one 6 .... b1 2",
                           "one 6 .... b1 4", "one 6 .... b1 1"}) {
    expect_refused(with(proved(), "one 6", line), "is not the position after its move");
  }
  // `all`: a card for each reply, with the prover to move.
  const Lines all = header("rows=2,columns=2", "b1", "disproved") + pair_cards();
  expect_valid(all + Lines{"all 6 .B.. a1 5 a2 4 b2 2", "root 6"});
  expect_valid(all + Lines{"all 6 .B.. a1 2 a2 4 b2 2", "root 6"});
  expect_refused(all + Lines{"all 6 .B.. a1 5 a2 2 b2 2", "root 6"}, "not the position after");
  expect_refused(all + Lines{"all 6 .B.. a1 5 a2 5 b2 2", "root 6"}, "not the position after");
}

TEST(CardRules, TheRootMatches) {
  expect_refused(with(disproved(), "root", "root 2"), "root is not the position");  // wrong mover
  expect_refused(with(disproved(), "root", "root 1"), "root is not the position");
  expect_refused(with(proved(), "root", "root 5"), "root is not the position");
  for (const char* position : {"a1", "a2", "b2", "b1 a2 b2", "a1 b1"}) {
    const bool first = words_of(std::string(position)).size() % 2 == 0;
    Lines lines = header("rows=2,columns=2", position, first ? "proved" : "disproved") +
                  pair_cards() + Lines{"root 5"};
    expect_refused(lines, "root is not the position");
  }
}

// Whose stones the letters are follows from the claim.
TEST(CardRules, TheLetterIsTheProvers) {
  Lines lines = proved();
  lines[6] = "claim >=1 disproved";
  expect_refused(lines, "not a pattern of '.', '-' and 'W'");
  lines[6] = "claim >=2 proved";
  expect_refused(lines, "does not settle the claim");
  lines[6] = "claim >=-1 disproved";
  expect_refused(lines, "does not settle the claim");
  lines = disproved();
  lines[6] = "claim >=-1 disproved";
  EXPECT_EQ(check_text(sealed(lines)).status, check::kNotProof);
  lines[6] = "claim >=0 disproved";
  lines[4] = "goal draw";
  expect_valid(lines);
}

// 97 bytes and the pattern, two bits a cell.
TEST(CardRules, CardsThatLiveTakeLittleMemory) {
  Lines lines = header("rows=2,columns=2", "", "proved");
  for (int id = 1; id <= 20'000; ++id) lines.push_back("card-leaf " + std::to_string(id) + " .BB.");
  const std::string text = sealed(lines);
  check::Limits limits;
  limits.max_memory = 1 << 20;
  const File file = file_of(text);
  const check::Report report = check::check(file.get(), false, {}, limits);
  EXPECT_EQ(report.status, check::kUnreadable);
  EXPECT_NE(report.error.find("--max-memory"), std::string::npos) << report.error;
  EXPECT_NEAR(static_cast<double>(report.counts.most_live), (1 << 20) / 98.0, 2.0);
}

}  // namespace
}  // namespace playproof::card_rules_test
