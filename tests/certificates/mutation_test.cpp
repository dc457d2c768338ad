// Resealed mutants: never is something false accepted. PLAYPROOF_MUTANTS is the number a class.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "tests/certificates/mutants.h"

namespace playproof::mutation_test {
namespace {

int mutants_a_class() {
  const char* number = std::getenv("PLAYPROOF_MUTANTS");
  return number == nullptr ? 1000 : std::atoi(number);
}

// Small certificates of every game, algorithm and kind of goal; cards have forgeries of their own
// (card_forgery_test.cpp).
const std::vector<Sheet>& certificates() {
  static const std::vector<Sheet> kCertificates = [] {
    std::vector<Sheet> sheets;
    const std::vector<std::string> algorithms = plain_algorithms();
    const auto add = [&](const std::string& game, const std::string& position, const char* goal) {
      const std::string& algorithm = algorithms[sheets.size() % algorithms.size()];
      sheets.push_back(
          sheet_of(certificate_of(ask(game, without_zones(algorithm), position, goal))));
    };
    for (const char* position : {"", "a1", "b1", "a1 b1", "b1 a2"})
      add("hex:size=2", position, "win");
    for (const char* position : {"a1 b2", "b2 a1", "a2 b2", "c1 b1 a3", "b2 c1 a3", "a3 b2 c1"}) {
      add("hex:size=3", position, "win");
      add("hex:rows=3,columns=4", position, "draw");
    }
    for (const char* position : {"AA BB CC", "BB AA AC CA", "BA BB AC AA", "BB BA AC"}) {
      for (const char* goal : {"win", "draw", "value"}) {
        add("connect6:rows=3,columns=3,connect=3,stones=1", position, goal);
        add("connect6:rows=3,columns=3,connect=3,stones=2", position, goal);
      }
    }
    for (int tree = 1; tree <= 40; ++tree) {
      const std::string seed = ",tree=" + std::to_string(tree);
      add("pgame:branching=2,depth=4" + seed, tree % 2 == 0 ? "1" : "", "value");
      add("pgame:branching=3,depth=3" + seed, "", tree % 3 == 0 ? "draw" : "win");
    }
    for (std::uint64_t seed = 1; seed <= 44; ++seed) {
      const char* goals[] = {"win", "draw", "value", "score", "score>=2"};
      add("othello:size=4", random_othello(4, 4, seed), goals[seed % 5]);
      add("othello:size=8", random_othello(8, 3, seed), goals[seed % 5]);
    }
    return sheets;
  }();
  return kCertificates;
}

check::Report real_checker(const std::string& text) { return check_text(text); }

TEST(Mutants, NothingFalseIsAccepted) {
  const int count = mutants_a_class();
  for (const MutationClass& mutation : mutation_classes()) {
    const MutantTally tally = judge_mutants(mutation, certificates(), count, real_checker);
    std::cout << mutation.name << ": " << tally.made << " mutants, " << tally.rejected
              << " rejected, " << tally.unreadable << " unreadable, " << tally.true_anyway
              << " accepted and true, " << tally.false_ones << " accepted and false\n";
    EXPECT_EQ(tally.made, count) << mutation.name;
    EXPECT_EQ(tally.false_ones, 0) << mutation.name;
    EXPECT_GT(tally.rejected, count / 5) << mutation.name;
    if (!mutation.never_a_proof) continue;
    EXPECT_EQ(tally.rejected, count) << mutation.name;
  }
}

// Positive controls: checkers with one rule left out must be found out by the mutants, be it by
// something false that they accept or by a class of which no mutant is a proof.
check::Report without_rule(const std::string& text, const std::string& words) {
  check::Report report = check_text(text);
  if (report.status != check::kNotProof || report.error.find(words) == std::string::npos) {
    return report;
  }
  // Such a checker would say what the header and the claim say.
  for (const std::string& line : lines_of(text)) {
    const std::vector<std::string> word = words_of(line);
    if (word[0] == "claim") report.verdict = word[2];
  }
  if (report.goal != "value" && report.goal != "score") report.status = check::kValid;
  return report;
}

TEST(Mutants, FaultsOfACheckerAreFound) {
  const struct {
    const char* mutation;
    const char* rule;
  } kFaults[] = {{"dropped child", "every legal move must be there"},
                 {"swapped move", "illegal move"},
                 {"swapped move", "expected all moves in order"},
                 {"swapped move", "is not the position after its move"},
                 {"wrong root", "the root is not the position"},
                 {"cycle", "lives here"},
                 {"duplicate id", "ids must ascend"},
                 {"wrong position", "the root is not the position"},
                 {"other goal", "does not end as the claim says"},
                 {"other goal", "does not belong to the goal"}};
  for (const auto& fault : kFaults) {
    for (const MutationClass& mutation : mutation_classes()) {
      if (mutation.name != std::string(fault.mutation)) continue;
      const MutantTally tally =
          judge_mutants(mutation, certificates(), 1000,
                        [&](const std::string& text) { return without_rule(text, fault.rule); });
      EXPECT_TRUE(tally.false_ones > 0 || (mutation.never_a_proof && tally.rejected < tally.made))
          << fault.rule;
    }
  }
}

// A `recheck` node instead of the last moves of an endgame: fewer lines, and counted apart.
TEST(Mutants, RecheckNodesAreSearched) {
  int rechecked = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const std::string good =
        certificate_of(ask("othello:size=8", "pn", random_othello(8, 7, seed), "score"));
    const check::Report listed = check_text(good);
    Sheet sheet;
    for (auto& line : sheet_of(good)) {
      const bool inner = line[0] == "one" || line[0] == "all";
      const auto empties = inner ? std::count(line[2].begin(), line[2].end(), '-') : 0;
      if (empties == 5) line = {"recheck", line[1], "5", line[2]};
      sheet.push_back(line);
    }
    const check::Report report = check_text(text_of(sheet));
    ASSERT_EQ(report.status, check::kValid) << report.error;
    EXPECT_EQ(report.verdict, listed.verdict);
    EXPECT_EQ(listed.counts.brute_forced, 0u);
    EXPECT_GE(report.counts.brute_forced, report.counts.rechecked);
    rechecked += static_cast<int>(report.counts.rechecked);
  }
  EXPECT_GT(rechecked, 10);
}

TEST(Mutants, TheRootIsNeverRechecked) {
  const std::string position = random_othello(8, 3, 1);
  Sheet sheet = sheet_of(certificate_of(ask("othello:size=8", "pn", position)));
  const auto root =
      std::find_if(sheet.begin(), sheet.end(), [](const auto& line) { return line[0] == "root"; });
  const auto node = std::find_if(sheet.begin(), root, [&](const auto& line) {
    return (line[0] == "one" || line[0] == "all") && line[1] == (*root)[1];
  });
  ASSERT_NE(node, root);
  *node = {"recheck", (*node)[1], "3", (*node)[2]};
  const check::Report report = check_text(text_of(sheet));
  EXPECT_EQ(report.status, check::kNotProof);
  EXPECT_NE(report.error.find("root"), std::string::npos);
}

// What is asked for is compared with what is proved.
TEST(Mutants, AskedForSomethingElse) {
  const std::string text = certificate_of(ask("hex:size=3", "pn", "b2"));
  const auto status = [&](const check::Asked& asked) { return check_text(text, asked).status; };
  EXPECT_EQ(status({"hex:size=3", "B2 ", "win", "disproved"}), check::kValid);
  EXPECT_EQ(status({"hex:rows=3,columns=3", {}, {}, {}}), check::kValid);
  EXPECT_EQ(status({"hex:size=4", {}, {}, {}}), check::kNotProof);
  EXPECT_EQ(status({"pgame", {}, {}, {}}), check::kNotProof);
  EXPECT_EQ(status({{}, "b1", {}, {}}), check::kNotProof);
  EXPECT_EQ(status({{}, "", {}, {}}), check::kNotProof);
  EXPECT_EQ(status({{}, {}, "draw", {}}), check::kNotProof);
  EXPECT_EQ(status({{}, {}, {}, "proved"}), check::kNotProof);
  EXPECT_EQ(status({{}, {}, {}, "win"}), check::kNotProof);
  EXPECT_EQ(status({"hexx", {}, {}, {}}), check::kUsage);
  EXPECT_EQ(status({"hex:size=1", {}, {}, {}}), check::kUsage);
  EXPECT_EQ(status({{}, "b2 b2", {}, {}}), check::kUsage);
  EXPECT_EQ(status({{}, {}, "score", {}}), check::kUsage);
}

}  // namespace
}  // namespace playproof::mutation_test
