// The rules of proof, one by one: certificates changed by hand, with checksum and grammar in order.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "tests/certificates/mutants.h"
#include "tests/certificates/support.h"

namespace playproof::rules_test {
namespace {

void expect_refused(const Sheet& sheet, const std::string& why) {
  const check::Report report = check_text(text_of(sheet));
  EXPECT_EQ(report.status, check::kNotProof) << report.error;
  EXPECT_NE(report.error.find(why), std::string::npos) << report.error << ", expected " << why;
}

// The lines of each claim; the header is the first part.
std::vector<Sheet> parts_of(const Sheet& sheet) {
  std::vector<Sheet> parts(1);
  for (const auto& line : sheet) {
    if (line[0] == "claim") parts.emplace_back();
    parts.back().push_back(line);
  }
  return parts;
}
Sheet joined(const std::vector<Sheet>& parts) {
  Sheet sheet;
  for (const Sheet& part : parts) sheet.insert(sheet.end(), part.begin(), part.end());
  return sheet;
}

Sheet of_two_claims() {
  const Sheet sheet =
      sheet_of(certificate_of(ask("othello:size=4", "pn", random_othello(4, 4, 2), "score")));
  EXPECT_EQ(parts_of(sheet).size(), 3u);
  return sheet;
}

TEST(Rules, BothClaimsAreNeeded) {
  const std::vector<Sheet> parts = parts_of(of_two_claims());
  ASSERT_EQ(check_text(text_of(joined({parts[0], parts[1], parts[2]}))).status, check::kValid);
  ASSERT_EQ(check_text(text_of(joined({parts[0], parts[2], parts[1]}))).status, check::kValid);
  expect_refused(joined({parts[0]}), "do not settle");
  expect_refused(joined({parts[0], parts[1]}), "do not settle");
  expect_refused(joined({parts[0], parts[2]}), "do not settle");
  expect_refused(joined({parts[0], parts[1], parts[1]}), "does not belong");
  expect_refused(joined({parts[0], parts[2], parts[2], parts[1]}), "does not belong");
  expect_refused(joined({parts[0], parts[1], parts[2], parts[1]}), "does not belong");
}

// A position is written in one way: no separator too many, and none alone.
TEST(Rules, PositionsHaveNoEmptyParts) {
  struct Case {
    Sheet sheet;
    char separator;
  };
  for (const Case& one :
       {Case{sheet_of(certificate_of(ask("othello:size=4", "pn", random_othello(4, 4, 2)))), ':'},
        Case{sheet_of(certificate_of(ask("pgame:branching=2,depth=4,tree=1", "pn"))), '.'}}) {
    ASSERT_EQ(check_text(text_of(one.sheet)).status, check::kValid);
    const std::string s(1, one.separator);
    int changed = 0;
    for (std::size_t i = 0; i < one.sheet.size(); ++i) {
      const auto& line = one.sheet[i];
      if (line.size() < 3 || line[2].find(one.separator) == std::string::npos) continue;
      const std::string& right = line[2];
      const std::size_t at = right.find(one.separator);
      for (const std::string& wrong :
           {s + right, right + s, right.substr(0, at) + s + right.substr(at), s}) {
        Sheet sheet = one.sheet;
        sheet[i][2] = wrong;
        EXPECT_EQ(check_text(text_of(sheet)).status, check::kNotProof) << wrong;
        ++changed;
      }
    }
    EXPECT_GT(changed, 8);
  }
}

TEST(Rules, NodesOfOneClaimAreNoneOfTheNext) {
  std::vector<Sheet> parts = parts_of(of_two_claims());
  for (Sheet& part : parts) {
    std::erase_if(part, [](const auto& line) { return line[0] == "free"; });
  }
  ASSERT_EQ(check_text(text_of(joined(parts))).status, check::kValid);
  parts[2] = {parts[2].front(), parts[1].back()};  // the claim and the other one's root
  expect_refused(joined(parts), "lives here");
}

TEST(Rules, AClaimHasTheThresholdOfItsGoal) {
  for (const char* goal : {"win", "draw", "score>=2"}) {
    Sheet sheet =
        sheet_of(certificate_of(ask("othello:size=4", "pn", random_othello(4, 4, 3), goal)));
    const auto claim = std::find_if(sheet.begin(), sheet.end(),
                                    [](const auto& line) { return line[0] == "claim"; });
    for (const char* threshold : {">=-16", ">=-1", ">=3", ">=16", ">=17", ">=18", ">=-17"}) {
      (*claim)[1] = threshold;
      EXPECT_EQ(check_text(text_of(sheet)).status, check::kNotProof) << goal << threshold;
    }
  }
}

// Passes are moves: they are listed, and a side without one has not lost.
TEST(Rules, PassesAreListed) {
  int passes = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Sheet good =
        sheet_of(certificate_of(ask("othello:size=4", "pn", random_othello(4, 6, seed), "win")));
    for (std::size_t i = 0; i < good.size(); ++i) {
      if (good[i].size() != 5 || good[i][3] != "--") continue;
      ++passes;
      Sheet sheet = good;
      sheet[i] = {"leaf", good[i][1], good[i][2]};
      expect_refused(sheet, "finished");
      sheet[i] = {good[i][0] == "one" ? "all" : "one", good[i][1], good[i][2], "--", good[i][4]};
      expect_refused(sheet, "to move");
      sheet[i] = good[i];
      sheet[i][3] = "a1";
      EXPECT_EQ(check_text(text_of(sheet)).status, check::kNotProof);
      if (good[i][0] != "all") continue;
      sheet[i] = {"all", good[i][1], good[i][2]};
      expect_refused(sheet, "every legal move");
    }
  }
  EXPECT_GT(passes, 5);
}

TEST(Rules, AFreedIdIsGone) {
  Sheet sheet = sheet_of(certificate_of(ask("hex:size=2", "pn:zones=off")));
  const auto root =
      std::find_if(sheet.begin(), sheet.end(), [](const auto& line) { return line[0] == "root"; });
  const std::string id = (*root)[1];
  sheet.insert(root, {"free", id});
  expect_refused(sheet, "lives here");
  *std::find(sheet.begin(), sheet.end(), std::vector<std::string>{"free", id}) = {"free", "1", "1"};
  expect_refused(sheet, "lives here");
}

// Lines in good order whose words mean nothing in the game are no proof, but not damage either.
TEST(Rules, WordsWithoutMeaning) {
  const Sheet good = sheet_of(certificate_of(ask("hex:size=2", "pn:zones=off", "a1")));
  const auto changed = [&](const char* key, std::size_t word, const char* to) {
    Sheet sheet = good;
    std::find_if(sheet.begin(), sheet.end(), [&](const auto& line) {
      return line[0] == key;
    })->at(word) = to;
    return sheet;
  };
  expect_refused(changed("position", 1, "c1"), "not a position");
  expect_refused(changed("goal", 1, "score"), "unknown goal");
  expect_refused(changed("attacker", 1, "first"), "attacker");
  expect_refused(changed("leaf", 2, "BWB"), "not a position");
  expect_refused(changed("leaf", 2, "BXB."), "not a position");
  expect_refused(changed("all", 3, "c9"), "expected a move");
  expect_refused(changed("claim", 1, ">=3"), "up to");
}

// The oracle answers what its table had no room for by searching again.
TEST(Rules, MinimaxShortOfMemory) {
  int decided = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    SolveRequest request = ask("othello:size=4", "minimax", random_othello(4, 7, seed));
    request.limits.max_memory = 1 << 16;
    request.certificate = true;
    const auto solver = make_solver(request);
    if (finish(*solver).verdict == Verdict::kUnknown) continue;
    ++decided;
    TextSink sink;
    solver->write_certificate(sink);
    EXPECT_EQ(check_text(sink.text()).status, check::kValid) << request.position;
  }
  EXPECT_GT(decided, 20);
}

}  // namespace
}  // namespace playproof::rules_test
