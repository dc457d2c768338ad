// Forged fills: certificates with cells filled in, changed in one place or a few, with checksum and
// grammar in order. None is accepted that breaks a rule, by the same rules written once more, or of
// which exhaustive search refutes the claim or any card; and each rule is needed: without it
// something false gets through.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/certificates/card_support.h"
#include "tests/certificates/forgery.h"
#include "tests/certificates/mutants.h"
#include "tests/certificates/plain_cards.h"
#include "tests/certificates/support.h"

namespace playproof::fill_forgery_test {
namespace {

using Board = Hex<1>;
using Line = SheetLine;

bool is_card(const Line& line) { return line[0].starts_with("card-"); }
bool is_node(const Line& line) { return is_card(line) || line[0] == "one"; }
bool is_fill(const Line& line) { return line[0] == "card-fill" && line.size() > 4; }
std::string letter_of(const Sheet& sheet) {
  return (sheet[5][1] == "first") == (sheet[6][2] == "proved") ? "B" : "W";
}
std::size_t cells_of(const Sheet& sheet) {
  return (*std::find_if(sheet.begin(), sheet.end(), is_card))[2].size();
}
std::string some_cell(const Sheet& sheet, Draw& draw) {
  return move_name(sheet, draw.below(cells_of(sheet)));
}
void append(Sheet& sheet, Line line) { sheet.insert(sheet.end() - 1, std::move(line)); }

// One cell of the pattern of one line of a kind becomes `to`.
bool change_cell(Sheet& sheet, Draw& draw, const std::string& from, const std::string& to) {
  Line* line = pick(sheet, draw, [&](const Line& each) {
    return is_fill(each) && each[2].find_first_of(from) != std::string::npos;
  });
  if (line == nullptr) return false;
  std::string& pattern = (*line)[2];
  std::size_t cell = 0;
  do {
    cell = draw.below(pattern.size());
  } while (from.find(pattern[cell]) == std::string::npos);
  pattern[cell] = to[draw.below(to.size())];
  return true;
}
bool reason_removed(Sheet& sheet, Draw& draw) { return change_cell(sheet, draw, "BW", ".-"); }
bool zone_cell_removed(Sheet& sheet, Draw& draw) { return change_cell(sheet, draw, "-", "."); }
bool zone_cell_added(Sheet& sheet, Draw& draw) { return change_cell(sheet, draw, ".", "-"); }
bool stone_added(Sheet& sheet, Draw& draw) {
  return change_cell(sheet, draw, "-.", letter_of(sheet));
}
// The same cell of all cards.
bool cell_of_all_cards(Sheet& sheet, Draw& draw) {
  const std::size_t cell = draw.below(cells_of(sheet));
  const std::string to = ".-" + letter_of(sheet);
  const char c = to[draw.below(to.size())];
  for (Line& line : sheet) {
    if (is_card(line)) line[2][cell] = c;
  }
  return true;
}
// A stone that what is filled rests on is not needed, by any card of the certificate.
bool stone_of_all_cards_removed(Sheet& sheet, Draw& draw) {
  const Line* fill = pick(sheet, draw, is_fill);
  if (fill == nullptr) return false;
  const std::size_t cell = (*fill)[2].find_first_of("BW");
  if (cell == std::string::npos) return false;
  const char c = ".-"[draw.below(2)];
  for (Line& line : sheet) {
    if (is_card(line)) line[2][cell] = c;
  }
  return true;
}
bool filled_set_dropped(Sheet& sheet, Draw& draw) {
  Line* line = pick(sheet, draw, [](const Line& each) { return is_fill(each) && each.size() > 5; });
  if (line == nullptr) return false;
  line->erase(line->begin() + static_cast<std::ptrdiff_t>(4 + draw.below(line->size() - 4)));
  return true;
}
bool filled_sets_swapped(Sheet& sheet, Draw& draw) {
  Line* line = pick(sheet, draw, [](const Line& each) { return is_fill(each) && each.size() > 5; });
  if (line == nullptr) return false;
  std::swap((*line)[4], (*line)[5 + draw.below(line->size() - 5)]);
  return true;
}
// One of the cells that are filled becomes another one, goes, or comes.
bool filled_cell_changed(Sheet& sheet, Draw& draw) {
  Line* line = pick(sheet, draw, is_fill);
  if (line == nullptr) return false;
  std::string& set = (*line)[4 + draw.below(line->size() - 4)];
  const std::string cell = some_cell(sheet, draw);
  const std::size_t plus = set.find('+');
  switch (draw.below(4)) {
    case 0:
      set += "+" + cell;
      return true;
    case 1:
      if (plus == std::string::npos) return false;
      set = set.substr(plus + 1);
      return true;
    case 2:
      set = plus == std::string::npos ? cell : set.substr(0, plus) + "+" + cell;
      return true;
    default:
      line->push_back(cell);
      return true;
  }
}
// Cells of a card that are said to be captured, one or a few: a stone of any card is free, or is
// not said to be so.
bool fill_claimed(Sheet& sheet, Draw& draw) {
  keep_all(sheet);
  const Line* card = pick(sheet, draw, is_card);
  if (card == nullptr) return false;
  std::string pattern = (*card)[2];
  std::vector<std::size_t> stones;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '.' && pattern[i] != '-') stones.push_back(i);
  }
  if (stones.empty()) return false;
  std::string words;
  const char to = draw.below(4) == 0 ? '.' : '-';
  for (std::size_t left = 1 + draw.below(3); left > 0 && !stones.empty(); --left) {
    const std::size_t at = draw.below(stones.size());
    pattern[stones[at]] = to;
    words += (words.empty() ? "" : "+") + move_name(sheet, stones[at]);
    stones.erase(stones.begin() + static_cast<std::ptrdiff_t>(at));
  }
  const std::string id = next_id(sheet);
  append(sheet, {"card-fill", id, pattern, (*card)[1], words});
  if (draw.below(2) == 0) sheet.back()[1] = id;
  return true;
}
// Of a bridge only one cell, or a pair with one cell that is not of it.
bool half_filled(Sheet& sheet, Draw& draw) {
  Line* line = pick(sheet, draw, is_fill);
  if (line == nullptr) return false;
  std::string& set = (*line)[4 + draw.below(line->size() - 4)];
  const std::size_t plus = set.find('+');
  if (plus == std::string::npos) return false;
  const std::string first = set.substr(0, plus);
  const std::string second = set.substr(plus + 1);
  if (draw.below(2) == 0) {
    set = draw.below(2) == 0 ? first : second;
  } else {
    set = first;
    line->push_back(second);
  }
  return true;
}
// A stone that a card needs is said to be captured together with a cell that matters to nobody.
bool pair_claimed(Sheet& sheet, Draw& draw) {
  keep_all(sheet);
  const Line* card = pick(sheet, draw, is_card);
  if (card == nullptr) return false;
  std::string pattern = (*card)[2];
  const std::size_t stone = draw.below(pattern.size());
  const std::size_t other = draw.below(pattern.size());
  if (pattern[stone] == '.' || pattern[stone] == '-' || pattern[other] != '.') return false;
  pattern[stone] = pattern[other] = '-';
  const std::string words = move_name(sheet, stone) + "+" + move_name(sheet, other);
  append(sheet, {"card-fill", next_id(sheet), pattern, (*card)[1], words});
  return true;
}
// A cell that matters to nobody is filled in a card that is good with the prover to move; then the
// move before it is taken for his.
bool wrong_mover(Sheet& sheet, Draw& draw) {
  keep_all(sheet);
  const Line* picked = pick(sheet, draw, [](const Line& line) { return line[0] == "card-one"; });
  if (picked == nullptr) return false;
  const Line one = *picked;
  std::string pattern = one[2];
  const std::size_t cell = draw.below(pattern.size());
  if (pattern[cell] != '.') return false;
  pattern[cell] = '-';
  const std::string fill = next_id(sheet);
  append(sheet, {"card-fill", fill, pattern, one[1], move_name(sheet, cell)});
  const std::size_t stone = pattern.find_first_of("BW");
  if (draw.below(2) == 0 || stone == std::string::npos) return true;
  pattern[stone] = '-';
  append(sheet, {"card-one", next_id(sheet), pattern, move_name(sheet, stone), fill});
  return true;
}
// The card of one move earlier, as if it did not matter who moves.
bool mover_forgotten(Sheet& sheet, Draw& draw) {
  keep_all(sheet);
  const Line* one = pick(sheet, draw, [](const Line& line) { return line[0] == "card-one"; });
  const Line* fill = pick(sheet, draw, is_fill);
  if (one == nullptr || fill == nullptr) return false;
  if (sheet[3].size() < 2) return false;
  sheet[3].pop_back();
  sheet.back()[1] = (*fill)[1];
  return true;
}
bool citation_replaced(Sheet& sheet, Draw& draw) {
  keep_all(sheet);
  Line* fill = pick(sheet, draw, is_fill);
  const Line* node = pick(sheet, draw, is_node);
  if (fill == nullptr || std::stoull((*node)[1]) >= std::stoull((*fill)[1])) return false;
  (*fill)[3] = (*node)[1];
  return true;
}
bool cited_downwards(Sheet& sheet, Draw& draw) {
  keep_all(sheet);
  Line* fill = pick(sheet, draw, is_fill);
  const Line* node = pick(sheet, draw, is_node);
  if (fill == nullptr || std::stoull((*node)[1]) < std::stoull((*fill)[1])) return false;
  (*fill)[3] = (*node)[1];
  return true;
}
// The other side's letters, in all patterns or in the claim.
bool other_letter(Sheet& sheet, Draw& draw) {
  const std::size_t what = draw.below(3);
  for (Line& line : sheet) {
    if (!is_card(line) || what == 0) continue;
    for (char& c : line[2]) c = c == 'B' ? 'W' : c == 'W' ? 'B' : c;
  }
  std::string& verdict = sheet[6][2];
  if (what < 2) verdict = verdict == "proved" ? "disproved" : "proved";
  return true;
}
bool other_root(Sheet& sheet, Draw& draw) {
  keep_all(sheet);
  sheet.back()[1] = (*pick(sheet, draw, is_node))[1];
  return true;
}
bool other_position(Sheet& sheet, Draw& draw) {
  if (sheet[3].size() < 2) return false;
  sheet[3][1 + draw.below(sheet[3].size() - 1)][draw.below(2)] = "abc123"[draw.below(6)];
  return true;
}

const std::vector<MutationClass>& forgeries() {
  static const std::vector<MutationClass> kOne = {
      {"reason removed", reason_removed, false},
      {"zone cell removed", zone_cell_removed, false},
      {"zone cell added", zone_cell_added, false},
      {"needed stone added", stone_added, false},
      {"one cell of all cards", cell_of_all_cards, false},
      {"stone of all cards removed", stone_of_all_cards_removed, false},
      {"filled set dropped", filled_set_dropped, false},
      {"filled sets swapped", filled_sets_swapped, false},
      {"filled cell changed", filled_cell_changed, false},
      {"fill claimed", fill_claimed, false},
      {"pair claimed", pair_claimed, false},
      {"half of a pair filled", half_filled, false},
      {"wrong mover", wrong_mover, false},
      {"mover forgotten", mover_forgotten, false},
      {"citation replaced", citation_replaced, false},
      {"cited downwards", cited_downwards, true},
      {"other letter", other_letter, true},
      {"other root", other_root, false},
      {"other position", other_position, false}};
  static const std::vector<MutationClass> kAll = [] {
    std::vector<MutationClass> all = kOne;
    const auto some = [](Sheet& sheet, Draw& draw) {
      bool changed = false;
      for (std::size_t left = 2 + draw.below(3); left > 0; --left) {
        changed |= kOne[draw.below(kOne.size())].apply(sheet, draw);
      }
      return changed;
    };
    all.push_back({"some of these", some, false});
    return all;
  }();
  return kAll;
}

// Small certificates in which cells are filled in.
const std::vector<Sheet>& certificates() {
  static const std::vector<Sheet> kSheets = [] {
    std::vector<Sheet> sheets;
    Draw draw(11);
    for (const auto& [rows, columns, count] :
         {std::tuple{2, 3, 15}, {3, 2, 15}, {3, 3, 120}, {2, 4, 30}, {3, 4, 60}, {4, 3, 60}}) {
      const auto rules = Board::make_rules(rows, columns);
      for (int i = 0; i < (nightly() ? 8 : 1) * count;) {
        Board::State root = Board::initial(rules);
        for (std::size_t ply = draw.below(6); ply > 0 && !Board::finished(rules, root); --ply) {
          Move moves[Board::kMaxMoves];
          const int legal = Board::moves(rules, root, moves);
          Board::play(rules, root, moves[draw.below(static_cast<std::size_t>(legal))]);
        }
        if (Board::finished(rules, root)) continue;
        CardLimits limits;
        limits.knowledge.bridges = false;
        limits.knowledge.fill = FillLevel::kFull;
        Sheet sheet =
            sheet_of(hex_certificate<1>(rules, root, true, static_cast<Listed>(i % 3), limits));
        if (std::none_of(sheet.begin(), sheet.end(), is_fill)) continue;
        sheets.push_back(std::move(sheet));
        ++i;
      }
    }
    return sheets;
  }();
  return kSheets;
}

const Forger& forger() {
  static const Forger kForger{certificates(), forgeries()};
  return kForger;
}

TEST(FillForgery, CertificatesAreGood) {
  std::map<std::string, int> kinds;
  for (const Sheet& sheet : certificates()) {
    const check::Report report = check_text(text_of(sheet));
    ASSERT_EQ(report.status, check::kValid) << report.error << "\n" << text_of(sheet);
    const PlainVerdict verdict = judge_plainly(sheet);
    EXPECT_TRUE(verdict.accepted) << text_of(sheet);
    EXPECT_TRUE(is_true(verdict)) << text_of(sheet);
    for (const Line& line : sheet) {
      ++kinds[is_fill(line) && line.size() > 5 ? "card-fill of many" : line[0]];
    }
  }
  for (const char* kind : {"card-fill", "card-fill of many", "card-one", "card-all", "one"}) {
    EXPECT_GT(kinds[kind], 20) << kind;
    std::cout << kinds[kind] << " " << kind << "\n";
  }
}

TEST(FillForgery, NothingFalseIsAccepted) {
  expect_nothing_false(forger(), nightly() ? 6000 : 400, {20, 6, nightly() ? 80'000 : 6'000, 50});
}

// Each rule of the checker alone keeps something false out: what it refuses for it.
TEST(FillForgery, EveryRuleOfTheCheckerRefusesSomethingFalse) {
  const Refusals rules = {{"what is filled must be '-'", "zone cell removed"},
                          {"not all is captured", "reason removed"},
                          {"not all is captured", "fill claimed"},
                          {"asks for more on cell", "reason removed"},
                          {"is good only with the prover to move", "wrong mover"},
                          {"not a pattern of", "other letter"}};
  expect_each_refuses(forger(), rules, 2000);
}

// Each rule left out in turn: of the forgeries above something false is accepted.
TEST(FillForgery, EveryRuleIsNeeded) {
  const Faults faults = {
      {CardRule::kFilledAreDead, "fill claimed"},   {CardRule::kEveryIntrusion, "pair claimed"},
      {CardRule::kFillStones, "reason removed"},    {CardRule::kFillMover, "wrong mover"},
      {CardRule::kNeededCovered, "reason removed"}, {CardRule::kZoneCovered, "zone cell removed"},
      {CardRule::kLetter, "other letter"}};
  expect_each_needed(forger(), faults, 4000);
}

}  // namespace
}  // namespace playproof::fill_forgery_test
