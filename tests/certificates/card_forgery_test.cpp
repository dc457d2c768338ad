// Forged cards: certificates changed in one place or a few, with checksum and grammar in order.
// None is accepted that breaks a rule, by the same rules written once more, or of which exhaustive
// search refutes the claim or any card; and each rule is needed: without it something false gets
// through.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/certificates/card_support.h"
#include "tests/certificates/forgery.h"
#include "tests/certificates/mutants.h"
#include "tests/certificates/plain_cards.h"
#include "tests/certificates/support.h"

namespace playproof::card_forgery_test {
namespace {

using Board = Hex<1>;
using Line = SheetLine;

bool is_card(const Line& line) { return line[0].starts_with("card-"); }
bool is_node(const Line& line) {
  return is_card(line) || line[0] == "one" || line[0] == "all" || line[0] == "leaf";
}
// Where the ids of a line that cites begin, and how far they are apart.
std::pair<std::size_t, std::size_t> cites_of(const Line& line) {
  if (line[0] == "card-all") return {3, 1};
  if (line[0] == "card-one" || line[0] == "one") return {4, 1};
  if (line[0] == "all") return {4, 2};
  return {line.size(), 1};
}
Line* pick_kind(Sheet& sheet, Draw& draw, const std::string& kind) {
  return pick(sheet, draw, [&](const Line& line) { return line[0] == kind; });
}
Line* pick_citing(Sheet& sheet, Draw& draw) {
  return pick(sheet, draw, [](const Line& line) { return cites_of(line).first < line.size(); });
}
std::string* pick_cite(Line* line, Draw& draw) {
  if (line == nullptr) return nullptr;
  const auto [first, step] = cites_of(*line);
  return &(*line)[first + step * draw.below((line->size() - first + step - 1) / step)];
}
// One cell of one card's pattern becomes `to`.
bool change_cell(Sheet& sheet, Draw& draw, const std::string& from, const std::string& to) {
  Line* line = pick(sheet, draw, [&](const Line& each) {
    return is_card(each) && each[2].find_first_of(from) != std::string::npos;
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
std::string letter_of(const Sheet& sheet) {
  for (const Line& line : sheet) {
    if (line[0] == "card-leaf") return line[2].find('B') != std::string::npos ? "B" : "W";
  }
  return "B";
}
bool zone_cell_removed(Sheet& sheet, Draw& draw) { return change_cell(sheet, draw, "-", "."); }
bool zone_cell_added(Sheet& sheet, Draw& draw) { return change_cell(sheet, draw, ".", "-"); }
bool stone_removed(Sheet& sheet, Draw& draw) { return change_cell(sheet, draw, "BW", ".-"); }
bool stone_added(Sheet& sheet, Draw& draw) {
  return change_cell(sheet, draw, "-.", letter_of(sheet));
}
// The same cell of all cards.
bool cell_of_all_cards(Sheet& sheet, Draw& draw) {
  Line* first = pick(sheet, draw, is_card);
  const std::size_t cell = draw.below((*first)[2].size());
  const std::string to = ".-" + letter_of(sheet);
  const char c = to[draw.below(to.size())];
  const Sheet before = sheet;
  for (Line& line : sheet) {
    if (is_card(line)) line[2][cell] = c;
  }
  return sheet != before;
}
bool citation_dropped(Sheet& sheet, Draw& draw) {
  Line* line = pick(sheet, draw, [](const Line& each) {
    return (each[0] == "card-all" && each.size() > 4) || each[0] == "all";
  });
  if (line == nullptr) return false;
  if ((*line)[0] == "card-all") {
    line->erase(line->begin() + static_cast<std::ptrdiff_t>(3 + draw.below(line->size() - 3)));
  } else {
    const std::size_t at = 3 + 2 * draw.below((line->size() - 3) / 2);
    line->erase(line->begin() + static_cast<std::ptrdiff_t>(at),
                line->begin() + static_cast<std::ptrdiff_t>(at + 2));
  }
  return true;
}
// Another node above is cited.
bool citation_replaced(Sheet& sheet, Draw& draw) {
  keep_all(sheet);
  std::string* cite = pick_cite(pick_citing(sheet, draw), draw);
  const Line* node = pick(sheet, draw, is_node);
  if (cite == nullptr || std::stoull((*node)[1]) >= std::stoull(sheet.back()[1])) return false;
  return std::exchange(*cite, (*node)[1]) != (*node)[1];
}
// The line itself is cited, or one below.
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
// A card with the prover to move is taken for one with the opponent to move: before a move that
// gives one of the stones that it needs.
bool wrong_mover(Sheet& sheet, Draw& draw) {
  keep_all(sheet);
  Line* card = pick_kind(sheet, draw, "card-one");
  if (card == nullptr) return false;
  const Line below = *card;
  std::string pattern = below[2];
  std::vector<std::size_t> stones;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '.' && pattern[i] != '-') stones.push_back(i);
  }
  if (stones.empty()) return false;
  const std::size_t cell = stones[draw.below(stones.size())];
  pattern[cell] = '-';
  const std::string move = move_name(sheet, cell);
  // Last before the root, and the root itself is this card or what it was.
  const std::string id = next_id(sheet);
  sheet.insert(sheet.end() - 1, {"card-one", id, pattern, move, below[1]});
  if (draw.below(2) == 0) sheet.back()[1] = id;
  return true;
}
bool moves_by_itself(const Line& line) { return line[0] == "card-one" || line[0] == "one"; }
// The header's position, which a `one` plays on, without its last move: with the opponent to move.
// False if there is no such move. Gives the move and what the root was.
bool take_back(Sheet& sheet, std::string* move, Line* root) {
  keep_all(sheet);
  *root = sheet[sheet.size() - 2];
  if ((*root)[0] != "one" || sheet.back()[1] != (*root)[1] || sheet[3].size() < 2) return false;
  *move = sheet[3].back();
  sheet[3].pop_back();
  sheet[5][1] = sheet[5][1] == "first" ? "second" : "first";
  sheet[6][2] = "disproved";
  return true;
}
// A card with the prover to move for a position with the opponent to move.
bool wrong_mover_at_the_root(Sheet& sheet, Draw&) {
  std::string move;
  Line root;
  if (!take_back(sheet, &move, &root)) return false;
  for (const Line& line : sheet) {
    if (line[1] != root[4] || !is_card(line)) continue;
    std::string pattern = line[2];
    const std::size_t cell = cell_of(sheet, root[3], pattern.size());
    if (cell == pattern.size()) return false;
    pattern[cell] = '-';
    sheet[sheet.size() - 2] = {"card-one", root[1], pattern, root[3], root[4]};
    return true;
  }
  return false;
}
// `all` with the reply that was played.
bool one_reply_of_all(Sheet& sheet, Draw&) {
  std::string move;
  Line root;
  if (!take_back(sheet, &move, &root)) return false;
  std::string board = root[2];
  const std::size_t cell = cell_of(sheet, move, board.size());
  if (cell == board.size()) return false;
  board[cell] = '.';
  sheet.back()[1] = next_id(sheet);
  sheet.insert(sheet.end() - 1, {"all", sheet.back()[1], board, move, root[1]});
  return true;
}
// Cards that rest on each other.
bool circle(Sheet& sheet, Draw& draw) {
  keep_all(sheet);
  std::string pattern = (*pick(sheet, draw, is_card))[2];
  const std::string first = next_id(sheet);
  const std::string second = next_id(sheet, 2);
  std::replace(pattern.begin(), pattern.end(), '-', '.');
  const std::size_t cell = draw.below(pattern.size());
  pattern[cell] = '-';
  const std::string move = move_name(sheet, cell);
  sheet.insert(sheet.end() - 1, {"card-one", first, pattern, move, second});
  pattern[cell] = letter_of(sheet)[0];
  sheet.insert(sheet.end() - 1, {"card-all", second, pattern, first});
  if (draw.below(2) == 0) sheet.back()[1] = first;
  return true;
}
// A card-all of some of its replies, and as small as they are.
bool replies_forgotten(Sheet& sheet, Draw& draw) {
  Line* line =
      pick(sheet, draw, [](const Line& each) { return each[0] == "card-all" && each.size() > 4; });
  if (line == nullptr) return false;
  line->erase(line->begin() + static_cast<std::ptrdiff_t>(3 + draw.below(line->size() - 3)));
  std::string& pattern = (*line)[2];
  std::fill(pattern.begin(), pattern.end(), '.');
  for (const Line& below : sheet) {
    if (!is_card(below) || std::find(line->begin() + 3, line->end(), below[1]) == line->end()) {
      continue;
    }
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      if (below[2][i] != '.' && (pattern[i] == '.' || below[2][i] != '-')) pattern[i] = below[2][i];
    }
  }
  return true;
}
bool move_replaced(Sheet& sheet, Draw& draw) {
  Line* line = pick(sheet, draw, moves_by_itself);
  if (line == nullptr) return false;
  const std::string to = (*pick(sheet, draw, moves_by_itself))[3];
  return std::exchange((*line)[3], to) != to;
}
bool made_a_leaf(Sheet& sheet, Draw& draw) {
  Line* line =
      pick(sheet, draw, [](const Line& each) { return is_card(each) && each[0] != "card-leaf"; });
  if (line == nullptr) return false;
  *line = {"card-leaf", (*line)[1], (*line)[2]};
  return true;
}
// A pair replaced, dropped (and the pattern without it), or with a cell of another one.
bool pairs_changed(Sheet& sheet, Draw& draw) {
  Line* line = pick_kind(sheet, draw, "card-pairs");
  if (line == nullptr) return false;
  const auto some = [&] { return 3 + draw.below(line->size() - 3); };
  if (line->size() > 5 && draw.below(3) == 0) {
    const auto pair =
        line->begin() + static_cast<std::ptrdiff_t>(3 + 2 * draw.below((line->size() - 3) / 2));
    std::string& pattern = (*line)[2];
    for (const std::string& name : {pair[0], pair[1]}) {
      const std::size_t at = cell_of(sheet, name, pattern.size());
      if (at < pattern.size()) pattern[at] = '.';
    }
    line->erase(pair, pair + 2);
    return true;
  }
  std::string& cell = (*line)[some()];
  const std::string to =
      draw.below(2) == 0 ? (*line)[some()] : move_name(sheet, draw.below((*line)[2].size()));
  return std::exchange(cell, to) != to;
}
// Two pairs that share a cell, in the place of any card.
bool pairs_that_overlap(Sheet& sheet, Draw& draw) {
  Line* line = pick(sheet, draw, is_card);
  std::string& pattern = (*line)[2];
  std::string cells[3];
  for (std::string& cell : cells) {
    const std::size_t at = draw.below(pattern.size());
    cell = move_name(sheet, at);
    if (pattern[at] == '.') pattern[at] = '-';
    if (pattern[at] != '-') return false;
  }
  *line = {"card-pairs", (*line)[1], pattern, cells[0], cells[1], cells[1], cells[2]};
  return true;
}
// The other side's letters, in a card, in all of them, or in the claim.
bool other_letter(Sheet& sheet, Draw& draw) {
  const std::size_t what = draw.below(4);
  const Line* one = pick(sheet, draw, is_card);
  for (Line& line : sheet) {
    if (!is_card(line) || what == 0 || (what == 1 && &line != one)) continue;
    for (char& c : line[2]) c = c == 'B' ? 'W' : c == 'W' ? 'B' : c;
  }
  std::string& verdict = sheet[6][2];
  if (what % 2 == 0) verdict = verdict == "proved" ? "disproved" : "proved";
  return true;
}
// Another node ends the claim, or a card that matches is laid open move by move.
bool other_root(Sheet& sheet, Draw& draw) {
  keep_all(sheet);
  const Line* node = pick(sheet, draw, is_node);
  return std::exchange(sheet.back()[1], (*node)[1]) != (*node)[1];
}
// A stone stands elsewhere, in the header and in the node of the root.
bool stone_moved(Sheet& sheet, Draw& draw) {
  keep_all(sheet);
  Line& root = sheet[sheet.size() - 2];
  if ((root[0] != "one" && root[0] != "all") || sheet[3].size() < 2) return false;
  std::string& move = sheet[3][1 + draw.below(sheet[3].size() - 1)];
  const std::size_t from = cell_of(sheet, move, root[2].size());
  const std::size_t to = draw.below(root[2].size());
  if (from == root[2].size() || root[2][to] != '.') return false;
  std::swap(root[2][from], root[2][to]);
  move = move_name(sheet, to);
  return true;
}
bool other_position(Sheet& sheet, Draw& draw) {
  if (draw.below(3) == 0) return stone_moved(sheet, draw);
  Line* line =
      pick(sheet, draw, [](const Line& each) { return each[0] == "one" || each[0] == "all"; });
  if (line == nullptr || draw.below(2) == 0) {
    if (sheet[3].size() < 2) return false;
    sheet[3][1 + draw.below(sheet[3].size() - 1)][draw.below(2)] = "abc123"[draw.below(6)];
    return true;
  }
  (*line)[2][draw.below((*line)[2].size())] = ".BW"[draw.below(3)];
  return true;
}
bool line_dropped(Sheet& sheet, Draw& draw) {
  const Line* line = pick(sheet, draw, is_node);
  sheet.erase(sheet.begin() + (line - sheet.data()));
  return true;
}

const std::vector<MutationClass>& forgeries() {
  static const std::vector<MutationClass> kOne = {
      {"zone cell removed", zone_cell_removed, false},
      {"zone cell added", zone_cell_added, false},
      {"needed stone removed", stone_removed, false},
      {"needed stone added", stone_added, false},
      {"one cell of all cards", cell_of_all_cards, false},
      {"citation dropped", citation_dropped, false},
      {"citation replaced", citation_replaced, false},
      {"cited downwards", cited_downwards, true},
      {"cited after its end", cited_after_its_end, true},
      {"wrong mover", wrong_mover, true},
      {"wrong mover at the root", wrong_mover_at_the_root, true},
      {"one reply of all", one_reply_of_all, true},
      {"circle", circle, true},
      {"replies forgotten", replies_forgotten, false},
      {"move replaced", move_replaced, false},
      {"made a leaf", made_a_leaf, false},
      {"pairs changed", pairs_changed, false},
      {"pairs that overlap", pairs_that_overlap, true},
      {"other letter", other_letter, true},
      {"other root", other_root, false},
      {"other position", other_position, false},
      {"line dropped", line_dropped, false}};
  static const std::vector<MutationClass> kAll = [] {
    std::vector<MutationClass> all = kOne;
    const auto some = [](Sheet& sheet, Draw& draw) {
      bool changed = false;
      for (std::size_t left = 2 + draw.below(3); left > 0; --left) {
        if (pick(sheet, draw, is_card) == nullptr) break;  // all were dropped
        changed |= kOne[draw.below(kOne.size())].apply(sheet, draw);
      }
      return changed;
    };
    all.push_back({"some of these", some, false});
    return all;
  }();
  return kAll;
}

// A root that is a card-all, as the position with every legal move and the card that decides it.
void lay_open(Sheet& sheet, const std::string& board) {
  Line root;
  for (const Line& line : sheet) {
    if (line[0] == "card-all" && line[1] == sheet.back()[1]) root = line;
  }
  if (root.empty()) return;
  keep_all(sheet);
  const auto pattern = [&](const std::string& id) {
    return (*std::find_if(sheet.begin(), sheet.end(),
                          [&](const Line& line) { return is_card(line) && line[1] == id; }))[2];
  };
  Line all = {"all", std::to_string(std::stoull(root[1]) + 1), board};
  for (std::size_t cell = 0; cell < board.size(); ++cell) {
    if (board[cell] != '.') continue;
    for (std::size_t i = 3; i < root.size(); ++i) {
      if (pattern(root[i])[cell] != '.') continue;
      all.push_back(move_name(sheet, cell));
      all.push_back(root[i]);
      break;
    }
  }
  sheet.back()[1] = all[1];
  sheet.insert(sheet.end() - 1, all);
}

// Small certificates: every size, both verdicts, roots of every kind.
const std::vector<Sheet>& certificates() {
  static const std::vector<Sheet> kSheets = [] {
    std::vector<Sheet> sheets;
    Draw draw(5);
    for (const auto& [rows, columns, count] : {std::tuple{2, 2, 10},
                                               {2, 3, 30},
                                               {3, 2, 30},
                                               {3, 3, 120},
                                               {2, 4, 30},
                                               {3, 4, 40},
                                               {4, 3, 40}}) {
      const auto rules = Board::make_rules(rows, columns);
      for (int i = 0; i < (nightly() ? 8 : 1) * count;) {
        Board::State root = Board::initial(rules);
        for (std::size_t ply = draw.below(4); ply > 0; --ply) {
          Move moves[Board::kMaxMoves];
          const int legal = Board::moves(rules, root, moves);
          Board::play(rules, root, moves[draw.below(static_cast<std::size_t>(legal))]);
        }
        if (Board::finished(rules, root)) continue;
        CardLimits limits;
        limits.knowledge.bridges = i % 4 < 2;
        Sheet sheet =
            sheet_of(hex_certificate<1>(rules, root, true, static_cast<Listed>(i % 3), limits));
        std::string board;
        CertificateText<Board>::append(rules, root, &board);
        if (i % 2 == 0) lay_open(sheet, board);
        sheets.push_back(sheet);
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

TEST(CardForgery, CertificatesAreGood) {
  int lays_open = 0;
  for (const Sheet& sheet : certificates()) {
    const check::Report report = check_text(text_of(sheet));
    ASSERT_EQ(report.status, check::kValid) << report.error << "\n" << text_of(sheet);
    const PlainVerdict verdict = judge_plainly(sheet);
    EXPECT_TRUE(verdict.accepted) << text_of(sheet);
    EXPECT_TRUE(is_true(verdict)) << text_of(sheet);
    lays_open += sheet[sheet.size() - 2][0] == "all" ? 1 : 0;
  }
  EXPECT_GT(lays_open, 20);
}

TEST(CardForgery, NothingFalseIsAccepted) {
  expect_nothing_false(forger(), nightly() ? 5500 : 450, {50, 2, nightly() ? 100'000 : 8'000, 10});
}

// Each rule of the checker alone keeps something false out: what it refuses for it.
TEST(CardForgery, EveryRuleOfTheCheckerRefusesSomethingFalse) {
  const Refusals rules = {{"do not hold a winning set", "made a leaf"},
                          {"the move must be a '-'", "zone cell removed"},
                          {"is good only with the prover to move", "wrong mover"},
                          {"asks for more on cell", "needed stone removed"},
                          {"no card is cited against a reply", "replies forgotten"},
                          {"is not the position after its move", "other position"},
                          {"every legal move must be there", "one reply of all"},
                          {"the root is not the position", "wrong mover at the root"},
                          {"not a pattern of", "other letter"},
                          {"lives here", "circle"},
                          {"pairs must be of '-'", "pairs that overlap"},
                          {"may get cells that do not win", "pairs changed"}};
  expect_each_refuses(forger(), rules, 400);
}

// Each rule left out in turn: of the forgeries above something false is accepted.
TEST(CardForgery, EveryRuleIsNeeded) {
  const Faults faults = {{CardRule::kLeafWins, "made a leaf"},
                         {CardRule::kPairsAreFree, "zone cell removed"},
                         {CardRule::kPairsDisjoint, "pairs that overlap"},
                         {CardRule::kPairsWin, "pairs changed"},
                         {CardRule::kMoveIsFree, "zone cell removed"},
                         {CardRule::kMoverOfCited, "wrong mover"},
                         {CardRule::kNeededCovered, "needed stone removed"},
                         {CardRule::kZoneCovered, "zone cell removed"},
                         {CardRule::kRepliesCovered, "replies forgotten"},
                         {CardRule::kNeededMatches, "other position"},
                         {CardRule::kZoneMatches, "other position"},
                         {CardRule::kMoverMatches, "wrong mover at the root"},
                         {CardRule::kEveryReply, "one reply of all"},
                         {CardRule::kAfterMove, "other position"},
                         {CardRule::kLetter, "other letter"},
                         {CardRule::kLives, "circle"}};
  expect_each_needed(forger(), faults, 2000);
}

}  // namespace
}  // namespace playproof::card_forgery_test
