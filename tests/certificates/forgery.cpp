#include "tests/certificates/forgery.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <memory>
#include <set>

#include "tests/certificates/support.h"

namespace playproof {
namespace {

HexTruth& truth_of(const RefHex::Rules& rules) {
  static std::map<std::pair<int, int>, std::unique_ptr<HexTruth>> known;
  auto& found = known[{rules.rows, rules.columns}];
  if (!found) found = std::make_unique<HexTruth>(rules);
  return *found;
}

}  // namespace

const MutationClass& Forger::named(const std::string& name) const {
  const auto found = std::find_if(forgeries.begin(), forgeries.end(),
                                  [&](const MutationClass& each) { return each.name == name; });
  EXPECT_NE(found, forgeries.end()) << "no class of forgeries: " << name;
  return found == forgeries.end() ? forgeries.front() : *found;
}

int Forger::forge(const MutationClass& forgery, int count,
                  const std::function<bool(const Sheet&)>& visit) const {
  std::uint64_t seed = 0;
  for (const char* c = forgery.name; *c != 0; ++c) {
    seed = mix64(seed + static_cast<unsigned char>(*c));
  }
  Draw draw(seed);
  std::set<std::string> seen;
  int made = 0;
  for (int barren = 0; made < count && barren < 3000; ++barren) {
    Sheet sheet = certificates[draw.below(certificates.size())];
    const Sheet before = sheet;
    if (!forgery.apply(sheet, draw) || sheet == before) continue;
    if (!seen.insert(text_of(sheet)).second) continue;
    ++made;
    barren = 0;
    if (!visit(sheet)) break;
  }
  return made;
}

bool is_true(const PlainVerdict& verdict) {
  HexTruth& truth = truth_of(verdict.rules);
  const auto good = [&](const PlainCard& each) { return truth.is_true(each); };
  return truth.black_wins(verdict.root) == verdict.black_wins &&
         std::all_of(verdict.cards.begin(), verdict.cards.end(), good) &&
         std::all_of(verdict.links.begin(), verdict.links.end(), good);
}

void expect_nothing_false(const Forger& forger, int count, const LeastForged& least) {
  int total = 0;
  int few = 0;  // classes of one forgery a certificate
  for (const MutationClass& forgery : forger.forgeries) {
    int accepted = 0;
    const int made = forger.forge(forgery, count, [&](const Sheet& sheet) {
      const std::string text = text_of(sheet);
      const check::Report report = check_text(text);
      const PlainVerdict verdict = judge_plainly(sheet);
      EXPECT_EQ(report.status == check::kValid, verdict.accepted) << report.error << "\n" << text;
      EXPECT_NE(report.status, check::kUnreadable) << report.error << "\n" << text;
      if (report.status != check::kValid) return true;
      ++accepted;
      EXPECT_TRUE(is_true(verdict)) << text;
      EXPECT_FALSE(forgery.never_a_proof) << text;
      return true;
    });
    total += made;
    std::cout << forgery.name << ": " << made << " forged, " << made - accepted << " rejected, "
              << accepted << " accepted and true\n";
    EXPECT_GE(made, least.of_class) << forgery.name;
    few += made < count ? 1 : 0;
    EXPECT_GT(made - accepted, made / least.refused) << forgery.name;
  }
  std::cout << total << " forged certificates\n";
  EXPECT_LE(few, least.few_classes);
  EXPECT_GE(total, least.total);
}

void expect_each_refuses(const Forger& forger, const Refusals& rules, int tries) {
  for (const auto& [words, name] : rules) {
    bool found = false;
    forger.forge(forger.named(name), tries, [&, part = words](const Sheet& sheet) {
      const check::Report report = check_text(text_of(sheet));
      found = report.error.find(part) != std::string::npos && !is_true(judge_plainly(sheet));
      return !found;
    });
    EXPECT_TRUE(found) << words << ", " << name;
  }
}

void expect_each_needed(const Forger& forger, const Faults& rules, int tries) {
  for (const auto& [rule, name] : rules) {
    bool found = false;
    forger.forge(forger.named(name), tries, [&, left_out = rule](const Sheet& sheet) {
      const PlainVerdict verdict = judge_plainly(sheet, left_out);
      found = verdict.accepted && !is_true(verdict);
      return !found;
    });
    EXPECT_TRUE(found) << name << ", rule " << static_cast<int>(rule);
  }
}

}  // namespace playproof
