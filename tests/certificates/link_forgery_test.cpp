// Forged links: certificates changed in one place or a few, with checksum and grammar in order.
// None is accepted that breaks a rule, by the same rules written once more, or of which exhaustive
// search refutes the claim, any card or any link; and each rule is needed: without it something
// false gets through.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "games/core/reference_text.h"
#include "tests/certificates/forgery.h"
#include "tests/certificates/link_support.h"
#include "tests/certificates/mutants.h"
#include "tests/certificates/plain_cards.h"
#include "tests/certificates/support.h"

namespace playproof::link_forgery_test {
namespace {

using Line = SheetLine;

bool is_link(const Line& line) { return line[0].starts_with("link-"); }
bool is_card(const Line& line) { return line[0].starts_with("card-"); }
bool has_pattern(const Line& line) { return is_link(line) || is_card(line); }
bool is_node(const Line& line) { return has_pattern(line) || line[0] == "one"; }
bool is_and(const Line& line) { return line[0] == "link-and"; }
bool is_or(const Line& line) { return line[0] == "link-or"; }
// What the line says of a cell that it names; '.' if it names none of the board.
char said_of(const Sheet& sheet, const Line& line, const std::string& name) {
  const std::size_t cell = cell_of(sheet, name, line[2].size());
  return cell < line[2].size() ? line[2][cell] : '.';
}
bool is_semi(const Sheet& sheet, const Line& line) {
  return is_and(line) && said_of(sheet, line, line[5]) == '-';
}
// The places of the ids that a line cites.
std::vector<std::size_t> cites_of(const Line& line) {
  std::vector<std::size_t> places;
  if (line[0] == "card-link") places = {3};
  if (line[0] == "card-one" || line[0] == "one") places = {4};
  for (std::size_t i = is_and(line) ? 6 : is_or(line) ? 5 : line.size(); i < line.size(); ++i) {
    if (line[i] != "-") places.push_back(i);
  }
  return places;
}
Line* pick_citing(Sheet& sheet, Draw& draw) {
  return pick(sheet, draw, [](const Line& line) { return !cites_of(line).empty(); });
}
std::string* pick_cite(Line* line, Draw& draw) {
  if (line == nullptr) return nullptr;
  const std::vector<std::size_t> places = cites_of(*line);
  return &(*line)[places[draw.below(places.size())]];
}
RefHex::Rules rules_of(const Sheet& sheet) {
  std::vector<std::uint64_t> sides;
  ref_read_game<RefHex>(sheet[1][1], &sides);
  return RefHex::make_rules(sides);
}
std::size_t cells_of(const Sheet& sheet) {
  const RefHex::Rules rules = rules_of(sheet);
  return static_cast<std::size_t>(rules.rows * rules.columns);
}
bool proves_black(const Sheet& sheet) {
  return (sheet[5][1] == "first") == (sheet[6][2] == "proved");
}
std::string some_cell(const Sheet& sheet, Draw& draw) {
  return move_name(sheet, draw.below(cells_of(sheet)));
}
// A cell that touches this one; the name of a cell of the board.
std::string some_neighbour(const Sheet& sheet, Draw& draw, const std::string& name) {
  const auto cell = static_cast<int>(cell_of(sheet, name, cells_of(sheet)));
  std::vector<std::string> names;
  for (std::size_t other = 0; other < cells_of(sheet); ++other) {
    if (RefHex::touch(rules_of(sheet), 'B', cell, static_cast<int>(other))) {
      names.push_back(move_name(sheet, other));
    }
  }
  return names[draw.below(names.size())];
}
bool names_cell(const Sheet& sheet, const std::string& name) {
  return cell_of(sheet, name, cells_of(sheet)) < cells_of(sheet);
}
std::string with_cell(const Sheet& sheet, std::string pattern, const std::string& name, char c) {
  pattern[cell_of(sheet, name, pattern.size())] = c;
  return pattern;
}
std::string no_pattern(const Sheet& sheet) {
  std::string dots;
  dots.assign(cells_of(sheet), '.');
  return dots;
}
// What covers both.
std::string merged(std::string a, const std::string& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == '.' || (a[i] == '-' && b[i] != '.')) a[i] = b[i];
  }
  return a;
}
void append(Sheet& sheet, Line line) { sheet.insert(sheet.end() - 1, std::move(line)); }

// One cell of one pattern becomes `to`.
bool change_cell(Sheet& sheet, Draw& draw, const std::string& from, const std::string& to) {
  Line* line = pick(sheet, draw, [&](const Line& each) {
    return has_pattern(each) && each[2].find_first_of(from) != std::string::npos;
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
std::string letter_of(const Sheet& sheet) { return proves_black(sheet) ? "B" : "W"; }
bool carrier_cell_removed(Sheet& sheet, Draw& draw) { return change_cell(sheet, draw, "-", "."); }
bool carrier_cell_added(Sheet& sheet, Draw& draw) { return change_cell(sheet, draw, ".", "-"); }
bool stone_removed(Sheet& sheet, Draw& draw) { return change_cell(sheet, draw, "BW", ".-"); }
bool stone_added(Sheet& sheet, Draw& draw) {
  return change_cell(sheet, draw, "-.", letter_of(sheet));
}
// The same cell of all patterns.
bool cell_of_all_patterns(Sheet& sheet, Draw& draw) {
  const std::size_t cell = draw.below(cells_of(sheet));
  const std::string to = ".-" + letter_of(sheet);
  const char c = to[draw.below(to.size())];
  for (Line& line : sheet) {
    if (has_pattern(line)) line[2][cell] = c;
  }
  return true;
}
bool ends_swapped(Sheet& sheet, Draw& draw) {
  Line* line = pick(sheet, draw, is_link);
  if (line == nullptr) return false;
  std::swap((*line)[3], (*line)[4]);
  return true;
}
bool end_replaced(Sheet& sheet, Draw& draw) {
  Line* line = pick(sheet, draw, is_link);
  if (line == nullptr) return false;
  const Line* other = pick(sheet, draw, is_link);
  const std::string to = draw.below(2) == 0 ? (*other)[3 + draw.below(2)] : some_cell(sheet, draw);
  (*line)[3 + draw.below(2)] = to;
  return true;
}
bool cell_replaced(Sheet& sheet, Draw& draw) {
  Line* line = pick(sheet, draw, is_and);
  if (line == nullptr) return false;
  const Line* other = pick(sheet, draw, is_and);
  const std::string to = draw.below(3) == 0 ? (*other)[5] : some_cell(sheet, draw);
  (*line)[5] = to;
  return true;
}
// A half becomes another link above, or what touches.
bool half_replaced(Sheet& sheet, Draw& draw) {
  keep_all(sheet);
  Line* line = pick(sheet, draw, is_and);
  const Line* other = pick(sheet, draw, is_link);
  if (line == nullptr || std::stoull((*other)[1]) >= std::stoull((*line)[1])) return false;
  const std::size_t half = 6 + draw.below(2);
  const std::string to = draw.below(3) == 0 ? (*line)[13 - half] : (*other)[1];
  (*line)[half] = to;
  return true;
}
// Stones that do not touch: in the place of a half, or over one cell between any two.
bool touch_claimed(Sheet& sheet, Draw& draw) {
  Line* line = pick(sheet, draw, is_and);
  if (line != nullptr && draw.below(2) == 0) {
    (*line)[6 + draw.below(2)] = "-";
    return true;
  }
  keep_all(sheet);
  const std::string over = some_cell(sheet, draw);
  append(sheet, {"link-and", next_id(sheet), with_cell(sheet, no_pattern(sheet), over, '-'),
                 some_cell(sheet, draw), some_cell(sheet, draw), over, "-", "-"});
  return true;
}
// Two links over a cell, which both need another one.
bool halves_that_overlap(Sheet& sheet, Draw& draw) {
  keep_all(sheet);
  const auto full = [&](const Line& line) { return is_link(line) && !is_semi(sheet, line); };
  for (int tries = 0; tries < 300; ++tries) {
    const Line* first = pick(sheet, draw, full);
    const Line* second = pick(sheet, draw, full);
    if (first == nullptr) return false;
    const std::size_t i = draw.below(2);
    const std::size_t j = draw.below(2);
    const std::string over = (*first)[3 + i];
    const std::string from = (*first)[4 - i];
    const std::string to = (*second)[4 - j];
    if (over != (*second)[3 + j] || from == to || !names_cell(sheet, over)) continue;
    bool overlap = false;
    for (std::size_t k = 0; k < (*first)[2].size(); ++k) {
      overlap |= (*first)[2][k] == '-' && (*second)[2][k] == '-';
    }
    if (!overlap) continue;
    std::string pattern = merged((*first)[2], (*second)[2]);
    if (said_of(sheet, {"", "", pattern}, over) == '.') {
      pattern = with_cell(sheet, pattern, over, '-');
    }
    append(sheet, {"link-and", next_id(sheet), pattern, from, to, over, (*first)[1], (*second)[1]});
    return true;
  }
  return false;
}
// A link that is good with the prover to move, as a half: the other one touches.
bool semi_as_full(Sheet& sheet, Draw& draw) {
  keep_all(sheet);
  const Line* semi = pick(sheet, draw, [&](const Line& line) { return is_semi(sheet, line); });
  if (semi == nullptr) return false;
  const std::size_t i = draw.below(2);
  const std::string over = (*semi)[3 + i];
  const std::string from = (*semi)[4 - i];
  if (!names_cell(sheet, over)) return false;
  const std::string to = some_neighbour(sheet, draw, over);
  std::string pattern = (*semi)[2];
  if (said_of(sheet, *semi, over) == '.') pattern = with_cell(sheet, pattern, over, '-');
  append(sheet, {"link-and", next_id(sheet), pattern, from, to, over, (*semi)[1], "-"});
  return true;
}
// The link between the edges before its stone is played, as a card whoever moves.
bool stone_not_played(Sheet& sheet, Draw& draw) {
  Line* card = pick(sheet, draw, [](const Line& line) { return line[0] == "card-link"; });
  if (card == nullptr) return false;
  Line* link = pick(sheet, draw, [&](const Line& line) { return line[1] == (*card)[3]; });
  if (link == nullptr || !is_and(*link)) return false;
  const char stone = said_of(sheet, *link, (*link)[5]);
  if (stone == '-' || stone == '.') return false;
  for (Line* line : {card, link}) (*line)[2] = with_cell(sheet, (*line)[2], (*link)[5], '-');
  return true;
}
bool citation_dropped(Sheet& sheet, Draw& draw) {
  Line* line = pick(sheet, draw, [](const Line& each) { return is_or(each) && each.size() > 6; });
  if (line == nullptr) return false;
  line->erase(line->begin() + static_cast<std::ptrdiff_t>(5 + draw.below(line->size() - 5)));
  return true;
}
// A link-or of some of its links, and as small as they are.
bool replies_forgotten(Sheet& sheet, Draw& draw) {
  Line* line = pick(sheet, draw, [](const Line& each) { return is_or(each) && each.size() > 6; });
  if (line == nullptr || !citation_dropped(sheet, draw)) return false;
  std::string pattern = no_pattern(sheet);
  for (const Line& below : sheet) {
    if (!is_link(below) || std::find(line->begin() + 5, line->end(), below[1]) == line->end()) {
      continue;
    }
    pattern = merged(pattern, below[2]);
  }
  (*line)[2] = pattern;
  return true;
}
// Another node above is cited.
bool citation_replaced(Sheet& sheet, Draw& draw) {
  keep_all(sheet);
  Line* line = pick_citing(sheet, draw);
  std::string* cite = pick_cite(line, draw);
  const Line* node = pick(sheet, draw, is_node);
  if (cite == nullptr || std::stoull((*node)[1]) >= std::stoull((*line)[1])) return false;
  *cite = (*node)[1];
  return true;
}
bool cited_downwards(Sheet& sheet, Draw& draw) {
  keep_all(sheet);
  Line* line = pick_citing(sheet, draw);
  const Line* node = pick(sheet, draw, is_node);
  if (line == nullptr || std::stoull((*node)[1]) < std::stoull((*line)[1])) return false;
  *pick_cite(line, draw) = (*node)[1];
  return true;
}
bool cited_after_its_end(Sheet& sheet, Draw& draw) {
  keep_all(sheet);
  Line* line = pick_citing(sheet, draw);
  if (line == nullptr) return false;
  const std::string id = *pick_cite(line, draw);
  sheet.insert(sheet.begin() + (line - sheet.data()), {"free", id});
  return true;
}
// Links that rest on each other.
bool circle(Sheet& sheet, Draw& draw) {
  keep_all(sheet);
  const std::string from = some_cell(sheet, draw);
  const std::string to = some_cell(sheet, draw);
  const std::string first = next_id(sheet);
  const std::string second = next_id(sheet, 2);
  append(sheet, {"link-or", first, no_pattern(sheet), from, to, second});
  append(sheet, {"link-or", second, no_pattern(sheet), to, from, first});
  return true;
}
// A link in the place of a card or a position.
bool link_as_card(Sheet& sheet, Draw& draw) {
  keep_all(sheet);
  const Line* picked = pick(sheet, draw, is_link);
  if (picked == nullptr) return false;
  const Line link = *picked;
  const std::string id = next_id(sheet);
  switch (draw.below(3)) {
    case 0:
      sheet.back()[1] = link[1];
      break;
    case 1: {
      const std::string move = some_cell(sheet, draw);
      append(sheet, {"card-one", id, with_cell(sheet, link[2], move, '-'), move, link[1]});
      break;
    }
    default: {
      std::string stones = link[2];
      std::replace(stones.begin(), stones.end(), '-', letter_of(sheet)[0]);
      append(sheet, {"card-all", id, stones, link[1]});
    }
  }
  return true;
}
// Two moves earlier, so that what is claimed may be false.
bool link_as_root(Sheet& sheet, Draw& draw) {
  keep_all(sheet);
  const Line* link = pick(sheet, draw, is_link);
  if (link == nullptr || sheet[3].size() < 3) return false;
  sheet[3].resize(sheet[3].size() - 2);
  sheet.back()[1] = (*link)[1];
  return true;
}
bool card_as_link(Sheet& sheet, Draw& draw) {
  keep_all(sheet);
  const Line* card = pick(sheet, draw, is_card);
  if (card == nullptr) return false;
  const std::string over = some_cell(sheet, draw);
  if (said_of(sheet, *card, over) == '.') return false;
  append(sheet, {"link-and", next_id(sheet), (*card)[2], some_cell(sheet, draw),
                 some_neighbour(sheet, draw, over), over, (*card)[1], "-"});
  return true;
}
// Another link, with its pattern, is the card.
bool card_of_another_link(Sheet& sheet, Draw& draw) {
  keep_all(sheet);
  Line* card = pick(sheet, draw, [](const Line& line) { return line[0] == "card-link"; });
  const Line* link = pick(sheet, draw, is_link);
  if (card == nullptr || link == nullptr) return false;
  if (std::stoull((*link)[1]) >= std::stoull((*card)[1])) return false;
  *card = {"card-link", (*card)[1], (*link)[2], (*link)[1]};
  return true;
}
// An edge that the opponent joins: in the place of an end, or beside a cell that lies on it.
bool edge_of_the_opponent(Sheet& sheet, Draw& draw) {
  keep_all(sheet);
  const bool black = proves_black(sheet);
  const std::size_t which = draw.below(2);
  const std::string edge =
      std::vector<std::string>{"top", "bottom", "left", "right"}[which + (black ? 2 : 0)];
  if (draw.below(2) == 0) {
    Line* line = pick(sheet, draw, is_link);
    if (line == nullptr) return false;
    (*line)[3 + draw.below(2)] = edge;
    return true;
  }
  const std::size_t cells = cells_of(sheet);
  const std::size_t cell = draw.below(cells);
  if (!RefHex::touch(rules_of(sheet), black ? 'W' : 'B', static_cast<int>(cell),
                     static_cast<int>(cells + which))) {
    return false;
  }
  const std::string over = move_name(sheet, cell);
  append(sheet, {"link-and", next_id(sheet), with_cell(sheet, no_pattern(sheet), over, '-'),
                 some_neighbour(sheet, draw, over), edge, over, "-", "-"});
  return true;
}
// The other side's letters, in a pattern, in all of them, or in the claim.
bool other_letter(Sheet& sheet, Draw& draw) {
  const std::size_t what = draw.below(4);
  const Line* one = pick(sheet, draw, has_pattern);
  for (Line& line : sheet) {
    if (!has_pattern(line) || what == 0 || (what == 1 && &line != one)) continue;
    for (char& c : line[2]) c = c == 'B' ? 'W' : c == 'W' ? 'B' : c;
  }
  std::string& verdict = sheet[6][2];
  if (what % 2 == 0) verdict = verdict == "proved" ? "disproved" : "proved";
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
bool line_dropped(Sheet& sheet, Draw& draw) {
  if (draw.below(2) == 0) keep_all(sheet);
  const Line* line = pick(sheet, draw, is_node);
  sheet.erase(sheet.begin() + (line - sheet.data()));
  return true;
}

const std::vector<MutationClass>& forgeries() {
  static const std::vector<MutationClass> kOne = {
      {"carrier cell removed", carrier_cell_removed, false},
      {"carrier cell added", carrier_cell_added, false},
      {"needed stone removed", stone_removed, false},
      {"needed stone added", stone_added, false},
      {"one cell of all patterns", cell_of_all_patterns, false},
      {"ends swapped", ends_swapped, false},
      {"end replaced", end_replaced, false},
      {"cell replaced", cell_replaced, false},
      {"half replaced", half_replaced, false},
      {"touch claimed", touch_claimed, false},
      {"halves that overlap", halves_that_overlap, true},
      {"semi as full", semi_as_full, true},
      {"stone not played", stone_not_played, true},
      {"citation dropped", citation_dropped, false},
      {"replies forgotten", replies_forgotten, false},
      {"citation replaced", citation_replaced, false},
      {"cited downwards", cited_downwards, true},
      {"cited after its end", cited_after_its_end, true},
      {"circle", circle, true},
      {"link as card", link_as_card, true},
      {"link as root", link_as_root, true},
      {"card as link", card_as_link, true},
      {"card of another link", card_of_another_link, false},
      {"edge of the opponent", edge_of_the_opponent, true},
      {"other letter", other_letter, true},
      {"other root", other_root, false},
      {"other position", other_position, false},
      {"line dropped", line_dropped, false}};
  static const std::vector<MutationClass> kAll = [] {
    std::vector<MutationClass> all = kOne;
    const auto some = [](Sheet& sheet, Draw& draw) {
      bool changed = false;
      for (std::size_t left = 2 + draw.below(3); left > 0; --left) {
        if (pick(sheet, draw, is_node) == nullptr) break;  // all were dropped
        changed |= kOne[draw.below(kOne.size())].apply(sheet, draw);
      }
      return changed;
    };
    all.push_back({"some of these", some, false});
    return all;
  }();
  return kAll;
}
// Small certificates: every size, both sides, roots of every kind.
const std::vector<Sheet>& certificates() {
  static const std::vector<Sheet> kSheets = [] {
    std::vector<Sheet> sheets;
    Draw draw(7);
    for (const auto& [rows, columns, count] : {std::tuple{2, 2, 10},
                                               {2, 3, 30},
                                               {3, 2, 30},
                                               {3, 3, 100},
                                               {2, 4, 30},
                                               {3, 4, 40},
                                               {4, 3, 40},
                                               {4, 4, 20}}) {
      const RefHex::Rules rules{rows, columns};
      for (int i = 0; i < (nightly() ? 4 : 1) * count;) {
        RefHex::State root = RefHex::initial(rules);
        std::vector<std::string> moves;
        std::size_t ply = draw.below(6) + (rows * columns < 16 ? 0 : 3);
        for (; ply > 0 && !RefHex::finished(rules, root); --ply) {
          const std::vector<Move> legal = RefHex::moves(rules, root);
          const Move move = legal[draw.below(legal.size())];
          RefHex::play(rules, root, move);
          moves.push_back(static_cast<char>('a' + move % columns) +
                          std::to_string(move / columns + 1));
        }
        if (RefHex::finished(rules, root)) continue;
        const LinkWish wish{i % 2 == 0, i % 4 < 2, static_cast<std::size_t>(i % 3 * 12)};
        Sheet sheet = link_sheet(rules, moves, wish);
        if (sheet.empty()) continue;
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

TEST(LinkForgery, CertificatesAreGood) {
  std::map<std::string, int> kinds;
  std::size_t widest = 0;  // links of a link-or
  for (const Sheet& sheet : certificates()) {
    const check::Report report = check_text(text_of(sheet));
    ASSERT_EQ(report.status, check::kValid) << report.error << "\n" << text_of(sheet);
    const PlainVerdict verdict = judge_plainly(sheet);
    EXPECT_TRUE(verdict.accepted) << text_of(sheet);
    EXPECT_TRUE(is_true(verdict)) << text_of(sheet);
    for (const Line& line : sheet) {
      ++kinds[is_and(line) && !is_semi(sheet, line) ? "link-and, full" : line[0]];
      if (is_or(line)) widest = std::max(widest, line.size() - 5);
    }
  }
  for (const char* kind :
       {"link-and", "link-and, full", "link-or", "card-link", "card-one", "one"}) {
    EXPECT_GT(kinds[kind], 20) << kind;
    std::cout << kinds[kind] << " " << kind << "\n";
  }
  EXPECT_GE(widest, 3u);
}

TEST(LinkForgery, NothingFalseIsAccepted) {
  expect_nothing_false(forger(), nightly() ? 4500 : 100, {40, 3, nightly() ? 100'000 : 2'500, 20});
}

// Each rule of the checker alone keeps something false out: what it refuses for it.
TEST(LinkForgery, EveryRuleOfTheCheckerRefusesSomethingFalse) {
  const Refusals rules = {
      {"an end must be a cell or an edge of the prover's", "edge of the opponent"},
      {"the cell must be in the pattern", "carrier cell removed"},
      {"no stones join", "touch claimed"},
      {"is good only with the prover to move", "semi as full"},
      {"both halves need cell", "halves that overlap"},
      {"all links need cell", "replies forgotten"},
      {"is no link", "card as link"},
      {"is no card", "link as card"},
      {"the root is not the position", "link as root"},
      {"asks for more on cell", "carrier cell removed"},
      {"asks for more on cell", "needed stone removed"},
      {"has other ends", "card of another link"},
      {"has other ends", "end replaced"},
      {"not a pattern of", "other letter"},
      {"lives here", "circle"}};
  expect_each_refuses(forger(), rules, 1000);
}

// Each rule left out in turn: of the forgeries above something false is accepted.
TEST(LinkForgery, EveryRuleIsNeeded) {
  const Faults faults = {{CardRule::kLinkIsLink, "card as link"},
                         {CardRule::kLinkIsNoCard, "link as card"},
                         {CardRule::kOwnEdges, "edge of the opponent"},
                         {CardRule::kCellInPattern, "carrier cell removed"},
                         {CardRule::kCellIsMove, "semi as full"},
                         {CardRule::kHalvesFull, "semi as full"},
                         {CardRule::kHalfEnds, "end replaced"},
                         {CardRule::kStonesTouch, "touch claimed"},
                         {CardRule::kHalvesDisjoint, "halves that overlap"},
                         {CardRule::kLinkNeeded, "needed stone removed"},
                         {CardRule::kLinkCarrier, "carrier cell removed"},
                         {CardRule::kOrEnds, "end replaced"},
                         {CardRule::kOrReplies, "replies forgotten"},
                         {CardRule::kLinkCardFull, "stone not played"},
                         {CardRule::kLinkCardEnds, "card of another link"},
                         {CardRule::kLetter, "other letter"},
                         {CardRule::kLives, "circle"}};
  expect_each_needed(forger(), faults, 4000);
}

}  // namespace
}  // namespace playproof::link_forgery_test
