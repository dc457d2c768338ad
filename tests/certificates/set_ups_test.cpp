// Certificates of Hex positions that are set up: accepted as they are written; who is to move can
// be forged nowhere, in the header or in a node, unless what is then said is true.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "games/hex/text.h"
#include "tests/certificates/by_hand.h"
#include "tests/certificates/mutants.h"
#include "tests/kernels/hex_set_ups.h"

namespace playproof::set_ups_test {
namespace {

using Board = Hex<1>;

bool is_position(const std::string& kind) {
  return kind == "leaf" || kind == "one" || kind == "all";
}

// Written with positions as nodes, and with cards.
const std::vector<Sheet>& certificates(bool cards) {
  static const auto kMake = [](bool with_cards) {
    const std::vector<std::string> algorithms =
        with_cards ? std::vector<std::string>{"pn", "dfpn:patterns=20", "ppn:probe=connections",
                                              "dfpn:patterns=20,probe=connections,fill=full"}
                   : std::vector<std::string>{"pn:zones=off", "dfpn:zones=off", "mcts:zones=off"};
    std::vector<Sheet> sheets;
    for (const auto& [rows, columns] : {std::pair{2, 2}, {2, 3}, {3, 2}, {3, 3}, {2, 5}, {3, 4}}) {
      const auto rules = Board::make_rules(rows, columns);
      const std::size_t wanted = sheets.size() + (rows * columns < 6 ? 6 : 14);
      for (std::uint64_t seed = 1; sheets.size() < wanted; ++seed) {
        const auto s = random_set_up<Board>(rules, seed);
        if (s.lead == 0 || Board::finished(rules, s) || s.count + 8 < rules.cells) continue;
        sheets.push_back(sheet_of(certificate_of(ask(GameText<Board>::canonical(rules),
                                                     algorithms[sheets.size() % algorithms.size()],
                                                     GameText<Board>::format(rules, s)))));
      }
    }
    return sheets;
  };
  static const std::vector<Sheet> kPositions = kMake(false);
  static const std::vector<Sheet> kCards = kMake(true);
  return cards ? kCards : kPositions;
}

check::Report checked(const Sheet& sheet) { return check_text(text_of(sheet)); }
std::string other_side(const std::string& word) {
  return word.ends_with('B') ? word.substr(0, word.size() - 1) + 'W'
                             : word.substr(0, word.size() - 1) + 'B';
}
// The header's: the position's last word.
void turn_position(Sheet& sheet) { sheet[3].back() = other_side(sheet[3].back()); }
void turn_attacker(Sheet& sheet) { sheet[5][1] = sheet[5][1] == "first" ? "second" : "first"; }
void turn_claim(Sheet& sheet) { sheet[6][2] = sheet[6][2] == "proved" ? "disproved" : "proved"; }

TEST(SetUpCertificates, SayThatTheyAreNew) {
  for (const bool cards : {false, true}) {
    for (Sheet sheet : certificates(cards)) {
      EXPECT_EQ(sheet[0][1], "5");
      EXPECT_EQ(checked(sheet).status, check::kValid);
      EXPECT_TRUE(is_true(checked(sheet)));
      for (const char* older : {"1", "2", "3", "4"}) {
        sheet[0][1] = older;
        const check::Report report = checked(sheet);
        EXPECT_EQ(report.status, check::kUnreadable);
        EXPECT_EQ(report.error, "set-ups belong to version 5");
      }
    }
  }
  // What an older checker can read says so.
  EXPECT_TRUE(certificate_of(ask("hex:size=3", "pn:zones=off", "b2 a1"))
                  .starts_with("playproof-certificate 1\n"));
  EXPECT_TRUE(certificate_of(ask("hex:size=2", "pn", "a1 b2 a2 b1 :B"))
                  .starts_with("playproof-certificate 5\n"));
}

TEST(SetUpCertificates, TheMoverOfTheHeaderIsNotForged) {
  int true_anyway = 0;
  int forged = 0;
  for (const bool cards : {false, true}) {
    for (const Sheet& good : certificates(cards)) {
      Sheet sheet = good;
      turn_position(sheet);
      EXPECT_EQ(checked(sheet).error, "the attacker is not the side to move");
      sheet = good;
      turn_attacker(sheet);
      EXPECT_EQ(checked(sheet).error, "the attacker is not the side to move");
      // Both, and with another claim, of which the same player is the prover.
      for (const bool claim : {false, true}) {
        sheet = good;
        turn_position(sheet);
        turn_attacker(sheet);
        if (claim) turn_claim(sheet);
        const check::Report report = checked(sheet);
        ++forged;
        if (report.status == check::kValid) {
          // Only a card may hold whoever moves.
          EXPECT_TRUE(cards && is_true(report)) << text_of(sheet);
          ++true_anyway;
        }
      }
    }
  }
  EXPECT_GT(forged, 250);
  EXPECT_GT(true_anyway, 10);
  EXPECT_LT(true_anyway, forged / 2);
}

// Each node in turn says that the other one is to move.
TEST(SetUpCertificates, TheMoverOfANodeIsNotForged) {
  int forged = 0;
  for (const bool cards : {false, true}) {
    for (const Sheet& good : certificates(cards)) {
      for (std::size_t i = 7; i < good.size(); ++i) {
        if (!is_position(good[i][0])) continue;
        Sheet sheet = good;
        std::string& board = sheet[i][2];
        const std::size_t side = board.find(':');
        const std::string cells = board.substr(0, side);
        for (const std::string& other : {cells, cells + ":B", cells + ":W"}) {
          if (other == good[i][2]) continue;
          board = other;
          const check::Report report = checked(sheet);
          EXPECT_EQ(report.status, check::kNotProof) << report.error << '\n' << text_of(sheet);
          ++forged;
        }
      }
    }
  }
  EXPECT_GT(forged, 2000);
}

// What is said of positions of play by turns may not be said of others, nor the other way round.
TEST(SetUpCertificates, WithoutMoversItIsAnotherQuestion) {
  for (const Sheet& good : certificates(false)) {
    Sheet sheet = good;
    for (std::vector<std::string>& line : sheet) {
      if (is_position(line[0])) line[2] = line[2].substr(0, line[2].find(':'));
    }
    if (sheet == good) continue;  // the number of stones tells who is to move
    EXPECT_EQ(checked(sheet).status, check::kNotProof);
    turn_position(sheet);
    turn_attacker(sheet);
    for (const bool claim : {false, true}) {
      if (claim) turn_claim(sheet);
      const check::Report report = checked(sheet);
      EXPECT_TRUE(report.status != check::kValid || is_true(report));
    }
  }
}

// All other damage, as of other certificates (mutation_test.cpp).
TEST(SetUpCertificates, NothingFalseIsAccepted) {
  const int count = nightly() ? 1000 : 200;
  for (const MutationClass& mutation : mutation_classes()) {
    if (mutation.name == std::string("recheck")) continue;
    const MutantTally tally =
        judge_mutants(mutation, certificates(false), count,
                      [](const std::string& text) { return check_text(text); });
    EXPECT_EQ(tally.false_ones, 0) << mutation.name;
    EXPECT_GT(tally.rejected + tally.unreadable, tally.made / 5) << mutation.name;
  }
}

// White, to move on the empty 2x2 board, joins left and right.
TEST(SetUpCertificates, ByHand) {
  const Lines lines = {"playproof-certificate 5",
                       "game hex:rows=2,columns=2",
                       "rules 1",
                       "position :W",
                       "goal win",
                       "attacker second",
                       "claim >=1 proved",
                       "card-pairs 5 .-W- b1 b2",
                       "one 6 ....:W a2 5",
                       "root 6"};
  expect_valid(lines, "a2");
  expect_refused(with(lines, "one", "one 6 ....:B a2 5"), "not a position");
  expect_refused(with(lines, "one", "one 6 .... a2 5"), "the prover is to move");
  expect_refused(with(lines, "position", "position"), "the attacker is not the side to move");
  expect_refused(with(lines, "position", "position :W :X"), "not a position");
  expect_refused(with(lines, "position", "position -- --"), "the attacker is not the side to move");
  expect_refused(with(lines, "position", "position a1 :W"), "not the position of the header");
}

}  // namespace
}  // namespace playproof::set_ups_test
