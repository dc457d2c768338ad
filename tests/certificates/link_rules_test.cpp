// The rules of proof for links, one by one: certificates written by hand, with checksum and grammar
// in order.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/certificates/by_hand.h"
#include "tests/certificates/support.h"
#include "tests/host/saved.h"

namespace playproof::link_rules_test {
namespace {

Lines links_header(const std::string& game, const std::string& position,
                   const std::string& verdict) {
  return header(game, position, verdict, "3");
}
// 2x2: Black has b1, which touches the top, and joins it to the bottom by a2 or b2.
const Lines& pair_links() {
  static const Lines kLinks = {"link-and 1 ..-. b1 bottom a2 - -",
                               "link-and 2 ...- b1 bottom b2 - -", "link-or 3 ..-- b1 bottom 1 2",
                               "link-and 4 .B-- top bottom b1 - 3", "card-link 5 .B-- 4"};
  return kLinks;
}
Lines proved() {
  return links_header("rows=2,columns=2", "", "proved") + pair_links() +
         Lines{"one 6 .... b1 5", "root 6"};
}
Lines disproved() {
  return links_header("rows=2,columns=2", "b1", "disproved") + pair_links() + Lines{"root 5"};
}
// 3x3 after b2: a bridge to either edge.
Lines two_bridges() {
  return links_header("rows=3,columns=3", "b2", "disproved") +
         Lines{"link-and 1 .-....... b2 top b1 - -",
               "link-and 2 ..-...... b2 top c1 - -",
               "link-or 3 .--...... b2 top 1 2",
               "link-and 4 ......-.. b2 bottom a3 - -",
               "link-and 5 .......-. b2 bottom b3 - -",
               "link-or 6 ......--. b2 bottom 4 5",
               "link-and 7 .--.B.--. top bottom b2 3 6",
               "card-link 8 .--.B.--. 7",
               "free 1 2 3 4 5 6 7",
               "root 8"};
}
// Three rows, four columns, after c1: the edge template of the third row, by b2, c2 or d2.
Lines third_row() {
  return links_header("rows=3,columns=4", "c1", "disproved") +
         Lines{"link-and 1 ........-... b2 bottom a3 - -",
               "link-and 2 .........-.. b2 bottom b3 - -",
               "link-or 3 ........--.. b2 bottom 1 2",
               "link-and 4 .....-..--.. c1 bottom b2 - 3",
               "link-and 5 .........-.. c2 bottom b3 - -",
               "link-and 6 ..........-. c2 bottom c3 - -",
               "link-or 7 .........--. c2 bottom 5 6",
               "link-and 8 ......-..--. c1 bottom c2 - 7",
               "link-and 9 ..........-. d2 bottom c3 - -",
               "link-and 10 ...........- d2 bottom d3 - -",
               "link-or 11 ..........-- d2 bottom 9 10",
               "link-and 12 ...-........ c1 d2 d1 - -",
               "link-and 13 ......-..... c1 d2 c2 - -",
               "link-or 14 ...-..-..... c1 d2 12 13",
               "link-and 15 ...-..--..-- c1 bottom d2 14 11",
               "link-or 16 ...-.------- c1 bottom 4 8 15",
               "link-and 17 ..B-.------- top bottom c1 - 16",
               "card-link 18 ..B-.------- 17",
               "root 18"};
}
// b1 and b2 of 3x3 touch each other and the top: either may stand for the other.
Lines group(const Lines& last) {
  return links_header("rows=3,columns=3", "b1 a1 b2", "disproved") +
         Lines{"link-and 4 ......-.. b2 bottom a3 - -", "link-and 5 .......-. b2 bottom b3 - -",
               "link-or 6 ......--. b2 bottom 4 5"} +
         last;
}

TEST(LinkRules, GoodOnesAreAccepted) {
  expect_valid(proved(), "b1");
  expect_valid(disproved());
  expect_valid(two_bridges());
  expect_valid(third_row());
  const check::Report report = check_text(sealed(proved()));
  EXPECT_EQ(report.counts.listed, 6u);
  EXPECT_EQ(report.counts.leaves, 0u);
  EXPECT_EQ(report.counts.most_live, 6u);
}

// White joins left and right: the mirror of the two bridges, whoever moves.
TEST(LinkRules, White) {
  const Lines links = {"link-and 1 ...-..... b2 left a2 - -",
                       "link-and 2 ......-.. a3 b2 left - -",
                       "link-and 2 ......-.. b2 left a3 - -",
                       "link-or 3 ...-..-.. left b2 2 1",
                       "link-and 4 .....-... right b2 c2 - -",
                       "link-and 5 ..-...... b2 right c1 - -",
                       "link-or 6 ..-..-... b2 right 4 5",
                       "link-and 7 ..--W--.. right left b2 6 3",
                       "card-link 8 ..--W--.. 7",
                       "root 8"};
  Lines good = links;
  good.erase(good.begin() + 1);
  expect_valid(links_header("rows=3,columns=3", "a1 b2 b1", "proved") + good);
  expect_valid(links_header("rows=3,columns=3", "a1 b2", "disproved") + good);
  expect_refused(links_header("rows=3,columns=3", "a1 b2", "disproved") + links,
                 "the cell must be in the pattern, not 'left'");
  for (const char* edge : {"top", "bottom", "d1", "-", "Left"}) {
    expect_refused(with(links_header("rows=3,columns=3", "a1 b2", "disproved") + good, "link-and 1",
                        std::string("link-and 1 ...-..... b2 ") + edge + " a2 - -"),
                   "an end must be a cell or an edge of the prover's, not");
  }
}

TEST(LinkRules, GroupsStandForTheirStones) {
  expect_valid(
      group({"link-and 7 .B..B.--. top bottom b1 - 6", "card-link 8 .B..B.--. 7", "root 8"}));
  expect_valid(
      group({"link-and 7 .B..B.--. top bottom b2 - 6", "card-link 8 .B..B.--. 7", "root 8"}));
  expect_valid(group({"link-or 7 .B..B.--. b1 bottom 4 5", "card-link 8 .B..B.--. 7", "root 8"}));
  expect_valid(group({"link-or 7 .B..B.--. bottom top 4 5", "card-link 8 .B..B.--. 7", "root 8"}));
  expect_valid(group({"card-link 7 .B..B.--. 6", "root 7"}));
  // Only needed stones do.
  expect_refused(group({"card-link 7 ....B.--. 6"}), "link 6 has other ends");
  expect_refused(group({"card-link 7 .B....--. 6"}), "link 6 has other ends");
  expect_refused(group({"card-link 7 .-..B.--. 6"}), "link 6 has other ends");
  expect_refused(group({"link-and 7 ....B.--. top bottom b2 - 6"}), "no stones join top and b2");
  expect_refused(group({"link-or 7 .B....--. b1 bottom 6"}), "link 6 has other ends");
  // The stone of the cell joins too: b1 touches b2 once it is played.
  expect_valid(with(two_bridges(), "free", "link-and 9 .-..B.--. top bottom b1 - 6"));
}

// What may differ in lines that are good all the same.
TEST(LinkRules, OrdersAndMoreThanIsNeeded) {
  for (const char* line : {"link-or 3 ..-- bottom b1 1 2", "link-or 3 ..-- b1 bottom 2 1",
                           "link-or 3 .B-- b1 bottom 1 2", "link-or 3 .--- b1 bottom 1 2",
                           "link-or 3 ..-- b1 bottom 1 2 1"}) {
    expect_valid(with(proved(), "link-or 3", line), "b1");
  }
  expect_valid(with(proved(), "link-and 4", "link-and 4 .B-- bottom top b1 3 -"), "b1");
  expect_refused(with(proved(), "link-and 4", "link-and 4 .B-- bottom top b1 - 3"),
                 "no stones join bottom and b1");
  // A link that is good whoever moves serves where the prover moves.
  expect_valid(with(disproved(), "root", "link-or 6 ..-- b1 bottom 3 1 2") +
               Lines{"card-link 7 .B-- 6", "root 7"});
  // Version 3 without links is read as version 2.
  expect_valid(links_header("rows=2,columns=2", "b1", "disproved") +
               Lines{"card-pairs 1 .B-- a2 b2", "root 1"});
}

TEST(LinkRules, TheirCardIsACardAsOthers) {
  expect_valid(links_header("rows=2,columns=2", "", "proved") + pair_links() +
               Lines{"card-one 6 .--- b1 5", "root 6"});
  expect_valid(links_header("rows=2,columns=2", "b1 a1", "proved") + pair_links() +
               Lines{"root 5"});
}

TEST(LinkRules, OtherVersionsHaveNone) {
  Lines lines = proved();
  lines[0] = "playproof-certificate 2";
  EXPECT_NE(check_text(sealed(lines)).status, check::kValid);
  lines.erase(lines.begin() + 7, lines.begin() + 11);
  expect_refused(lines, "unknown kind of line: 'card-link'", check::kUnreadable);
  expect_refused(with(proved(), "link-and 1", "link-xor 1 ..-. b1 bottom a2 - -"),
                 "unknown kind of line: 'link-xor'", check::kUnreadable);
}

TEST(LinkRules, OnlyHexHasThem) {
  for (const char* game : {"connect6:rows=3,columns=3,connect=3,stones=1", "othello:size=4",
                           "pgame:branching=2,depth=3,tree=5"}) {
    Lines lines = lines_of(certificate_of(ask(game, "pn")));
    lines[0] = "playproof-certificate 3";
    lines.insert(lines.begin() + 7, "link-and 1 ..-. b1 bottom a2 - -");
    expect_refused(lines, "this game has no links");
  }
}

TEST(LinkRules, PatternsAndWords) {
  for (const char* pattern : {"..-", "..-..", "..-x", "W.-."}) {
    expect_refused(
        with(proved(), "link-and 1", std::string("link-and 1 ") + pattern + " b1 bottom a2 - -"),
        "not a pattern of '.', '-' and 'B'");
  }
  for (const char* line :
       {"link-and 1", "link-and 1 ..-. b1 bottom", "link-and 1 ..-. b1 bottom a2",
        "link-and 1 ..-. b1 bottom a2 -", "link-and 1 ..-. b1 bottom a2 - - -",
        "link-or 1 ..-. b1 bottom", "card-link 1", "link-and x ..-. b1 bottom a2 - -"}) {
    expect_refused(with(proved(), "link-and 1", line), "", check::kUnreadable);
  }
  expect_refused(with(proved(), "card-link", "card-link 5 .B--"), "words", check::kUnreadable);
  expect_refused(with(proved(), "card-link", "card-link 5 .B-- 4 4"), "words", check::kUnreadable);
  expect_refused(with(proved(), "link-or 3", "link-or 3 ..-- b1 bottom 1 -"), "an id",
                 check::kUnreadable);
  Lines lines = proved();
  lines[6] = "claim >=1 disproved";
  expect_refused(lines, "an end must be");
  expect_refused(with(lines, "link-and 1", "link-or 4 .B-- b1 a1 1"), "not a pattern");
  lines[6] = "claim >=2 proved";
  expect_refused(lines, "does not settle the claim");
}

TEST(LinkRules, TheCellIsInThePattern) {
  for (const char* cell : {"a1", "b1", "b2", "c1", "bottom", "-"}) {
    expect_refused(
        with(proved(), "link-and 1", std::string("link-and 1 ..-. b1 bottom ") + cell + " - -"),
        "the cell must be in the pattern");
  }
}

TEST(LinkRules, HalvesJoinTheEndsWithTheCell) {
  expect_refused(with(proved(), "link-and 1", "link-and 1 -... b1 bottom a1 - -"),
                 "no stones join a1 and bottom");
  expect_refused(with(two_bridges(), "link-and 1", "link-and 1 -........ b2 top a1 - -"),
                 "no stones join b2 and a1");
  for (const char* halves : {"6 3", "3 3", "6 6"}) {
    expect_refused(with(two_bridges(), "link-and 7",
                        std::string("link-and 7 .--.B.--. top bottom b2 ") + halves),
                   "has other ends");
  }
  for (const char* ends : {"top top", "b2 bottom", "c3 bottom", "bottom top"}) {
    expect_refused(
        with(two_bridges(), "link-and 7", std::string("link-and 7 .--.B.--. ") + ends + " b2 3 6"),
        "has other ends");
  }
  expect_refused(with(two_bridges(), "link-and 7", "link-and 7 .--.B.--. top bottom b2 - 6"),
                 "no stones join top and b2");
  for (const char* halves : {"1 6", "3 4"}) {
    expect_refused(with(two_bridges(), "link-and 7",
                        std::string("link-and 7 .--.B.--. top bottom b2 ") + halves),
                   "is good only with the prover to move");
  }
}

TEST(LinkRules, HalvesShareNoFreeCell) {
  const auto and_then = [](const std::string& line) {
    return with(disproved(), "root", line) + Lines{"root 5"};
  };
  expect_refused(and_then("link-and 6 .B-- bottom bottom b1 3 3"), "both halves need cell 3");
  expect_refused(and_then("link-and 6 .BB- bottom bottom b1 3 3"), "both halves need cell 4");
  expect_valid(and_then("link-and 6 .BBB bottom bottom b1 3 3"));
}

TEST(LinkRules, PatternsCoverWhatTheyCite) {
  expect_refused(with(proved(), "link-or 3", "link-or 3 ..-. b1 bottom 1 2"),
                 "link 2 asks for more on cell 4");
  expect_refused(with(proved(), "link-and 4", "link-and 4 .B.- top bottom b1 - 3"),
                 "link 3 asks for more on cell 3");
  expect_refused(with(proved(), "card-link", "card-link 5 .B-. 4"),
                 "link 4 asks for more on cell 4");
  expect_refused(with(proved(), "card-link", "card-link 5 .--- 4"),
                 "link 4 asks for more on cell 2");
  expect_refused(with(proved(), "link-or 3", "link-or 3 B.-- b1 bottom 1 2"),
                 "link 3 asks for more on cell 1");
  // An end is the prover's, whatever its own pattern says.
  expect_refused(with(with(proved(), "link-and 1", "link-and 1 .B-. b1 bottom a2 - -"), "link-or 3",
                      "link-or 3 ..-- b1 bottom 1 2"),
                 "", check::kValid);
}

TEST(LinkRules, NoReplyHurtsAllLinks) {
  expect_refused(with(proved(), "link-or 3", "link-or 3 ..-- b1 bottom 1"),
                 "all links need cell 3");
  expect_refused(with(proved(), "link-or 3", "link-or 3 ..-- b1 bottom 2 2"),
                 "all links need cell 4");
  expect_refused(with(third_row(), "link-or 16", "link-or 16 ...-.------- c1 bottom 4 8"),
                 "all links need cell 10");
  expect_refused(with(third_row(), "link-or 16", "link-or 16 ...-.------- c1 bottom 8 15"),
                 "all links need cell 7");
  expect_refused(with(third_row(), "link-or 16", "link-or 16 ...-.------- c1 bottom 4 11 15"),
                 "link 11 has other ends");
  // What is a stone here cannot be taken.
  expect_valid(with(disproved(), "root", "link-or 6 ..B. b1 bottom 1") + Lines{"root 5"});
}

TEST(LinkRules, CardsJoinTheEdgesWhoeverMoves) {
  expect_refused(with(proved(), "card-link", "card-link 5 ..-- 3"), "link 3 has other ends");
  expect_refused(with(proved(), "card-link", "card-link 5 .B-- 1"), "good only with the prover");
  expect_refused(with(with(proved(), "link-and 4", "link-and 4 .--- top bottom b1 - 3"),
                      "card-link", "card-link 5 .--- 4"),
                 "link 4 is good only with the prover to move");
  expect_valid(with(proved(), "card-link", "card-link 5 .B-- 3"), "b1");  // b1 touches the top
}

TEST(LinkRules, LinksAreNoCardsAndNoPositions) {
  expect_refused(with(disproved(), "root", "root 4"), "the root is not the position");
  expect_refused(with(proved(), "one 6", "one 6 .... b1 4"), "node 4 is not the position after");
  expect_refused(with(disproved(), "root", "all 6 .B.. a1 4 a2 5 b2 5"),
                 "node 4 is not the position");
  expect_refused(with(disproved(), "root", "card-all 6 .B-- 4"), "node 4 is no card");
  expect_refused(with(disproved(), "root", "card-one 6 .--- b1 4"), "node 4 is no card");
  expect_refused(with(disproved(), "root", "card-link 6 .B-- 5"), "node 5 is no link");
  expect_refused(with(disproved(), "root", "link-or 6 .B-- b1 bottom 5"), "node 5 is no link");
  expect_refused(with(disproved(), "root", "link-and 6 .B-- top bottom b1 - 5"),
                 "node 5 is no link");
  expect_refused(with(proved(), "root", "link-and 7 .B-- top bottom b1 - 6"), "node 6 is no link");
}

TEST(LinkRules, CitedLinksLive) {
  expect_refused(with(proved(), "link-or 3", "link-or 3 ..-- b1 bottom 1 4"), "no node 4 lives");
  expect_refused(with(proved(), "link-or 3", "link-or 3 ..-- b1 bottom 1 3"), "no node 3 lives");
  expect_refused(with(proved(), "link-and 4", "link-and 4 .B-- top bottom b1 - 4"),
                 "no node 4 lives");
  Lines lines = proved();
  lines.insert(lines.begin() + 9, "free 2");
  expect_refused(lines, "no node 2 lives");
  expect_refused(with(proved(), "link-and 2", "link-and 1 ...- b1 bottom b2 - -"),
                 "ids must ascend");
}

// 101 bytes and the pattern, two bits a cell: four for the ends.
TEST(LinkRules, LinksThatLiveTakeLittleMemory) {
  Lines lines = links_header("rows=2,columns=2", "", "proved");
  for (int id = 1; id <= 20'000; ++id) {
    lines.push_back("link-and " + std::to_string(id) + " ..-. b1 bottom a2 - -");
  }
  check::Limits limits;
  limits.max_memory = 1 << 20;
  const File file = file_of(sealed(lines));
  const check::Report report = check::check(file.get(), false, {}, limits);
  EXPECT_EQ(report.status, check::kUnreadable);
  EXPECT_NE(report.error.find("--max-memory"), std::string::npos) << report.error;
  EXPECT_NEAR(static_cast<double>(report.counts.most_live), (1 << 20) / 102.0, 2.0);
}

// Ends and edges of the largest boards have numbers of more than one byte.
TEST(LinkRules, LargeBoards) {
  std::string stones(361, '.');
  const auto links = [&](const char* last) {
    std::string with_move = stones;
    with_move[19 * 18 + 9] = '-';
    return links_header("rows=19,columns=19", "", "proved") +
           Lines{"link-and 1 " + with_move + " j18 bottom j19 - -",
                 std::string("link-or 2 ") + stones + " " + last};
  };
  EXPECT_NE(check_text(sealed(links("j18 bottom 1"))).error.find("asks for more on cell 352"),
            std::string::npos);
  stones[19 * 18 + 9] = 'B';
  EXPECT_NE(check_text(sealed(links("j18 bottom 1"))).error.find("no line 'root'"),
            std::string::npos);
  EXPECT_NE(check_text(sealed(links("j18 top 1"))).error.find("has other ends"), std::string::npos);
  EXPECT_NE(check_text(sealed(links("j17 bottom 1"))).error.find("has other ends"),
            std::string::npos);
}

}  // namespace
}  // namespace playproof::link_rules_test
