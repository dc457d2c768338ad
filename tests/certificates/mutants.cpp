#include "tests/certificates/mutants.h"

#include <algorithm>
#include <set>
#include <utility>

namespace playproof {
namespace {

using Line = std::vector<std::string>;

bool is_node(const Line& line) {
  static const std::set<std::string> kKinds = {"leaf", "one", "all", "bound", "recheck"};
  return kKinds.contains(line[0]);
}
// Where the board of a node stands.
std::size_t board_at(const Line& line) { return line[0] == "recheck" ? 3 : 2; }

// One of the lines of these kinds; nullptr if there is none. "node": any node.
Line* pick(Sheet& sheet, Draw& draw, const std::string& kind) {
  std::vector<Line*> lines;
  for (Line& line : sheet) {
    if (kind == "node" ? is_node(line) : line[0] == kind) lines.push_back(&line);
  }
  return lines.empty() ? nullptr : lines[draw.below(lines.size())];
}

bool drop_child(Sheet& sheet, Draw& draw) {
  Line* line = pick(sheet, draw, "all");
  if (line == nullptr || line->size() < 5) return false;
  const auto at = static_cast<std::ptrdiff_t>(3 + 2 * draw.below((line->size() - 3) / 2));
  line->erase(line->begin() + at, line->begin() + at + 2);
  return true;
}

// A reply takes the move or the node of another line's reply.
bool swap_reply(Sheet& sheet, Draw& draw, std::size_t part) {
  Line* a = pick(sheet, draw, draw.below(2) == 0 ? "one" : "all");
  Line* b = pick(sheet, draw, draw.below(2) == 0 ? "one" : "all");
  if (a == nullptr || b == nullptr) return false;
  std::string& to = (*a)[3 + 2 * draw.below((a->size() - 3) / 2) + part];
  const std::string from = (*b)[3 + 2 * draw.below((b->size() - 3) / 2) + part];
  return std::exchange(to, from) != from;
}
bool swap_move(Sheet& sheet, Draw& draw) { return swap_reply(sheet, draw, 0); }
bool swap_child(Sheet& sheet, Draw& draw) { return swap_reply(sheet, draw, 1); }

// An inner node becomes a leaf, or a leaf one that shows the other side's colours.
bool flip_leaf(Sheet& sheet, Draw& draw) {
  Line* line = pick(sheet, draw, "node");
  if (line == nullptr) return false;
  if ((*line)[0] != "leaf") {
    *line = {draw.below(4) == 0 ? "bound" : "leaf", (*line)[1], (*line)[board_at(*line)]};
    return true;
  }
  std::string& board = (*line)[2];
  const std::string before = board;
  for (char& c : board) {
    constexpr std::string_view kColours = "BWXO";
    const std::size_t colour = kColours.find(c);
    if (colour != std::string_view::npos) c = kColours[colour ^ 1];
  }
  if (board == before && board.back() >= '0' && board.back() <= '9') {
    board.back() = board.back() == '0' ? '1' : '0';  // a P-game: the sister leaf
  }
  return board != before;
}

void take_id_from_free(Sheet& sheet, const std::string& id) {
  for (Line& line : sheet) {
    if (line[0] == "free") line.erase(std::remove(line.begin() + 1, line.end(), id), line.end());
  }
  std::erase_if(sheet, [](const Line& line) { return line[0] == "free" && line.size() == 1; });
}

bool wrong_root(Sheet& sheet, Draw& draw) {
  const Line* node = pick(sheet, draw, "node");
  Line* root = pick(sheet, draw, "root");
  if (node == nullptr || (*root)[1] == (*node)[1]) return false;
  (*root)[1] = (*node)[1];
  take_id_from_free(sheet, std::string((*root)[1]));
  return true;
}

// A reply leads to its own line or to one that comes later.
bool cycle(Sheet& sheet, Draw& draw) {
  Line* line = pick(sheet, draw, draw.below(2) == 0 ? "one" : "all");
  const Line* later = pick(sheet, draw, "node");
  if (line == nullptr || std::stoull((*later)[1]) < std::stoull((*line)[1])) return false;
  (*line)[4 + 2 * draw.below((line->size() - 3) / 2)] = (*later)[1];
  return true;
}

// Another cell, side to move or branch in one position; sometimes in the header's.
bool wrong_position(Sheet& sheet, Draw& draw) {
  const bool header = draw.below(8) == 0;
  Line* line = pick(sheet, draw, header ? "position" : "node");
  if (header && line->size() < 2) return false;
  std::string& text = header ? (*line)[1 + draw.below(line->size() - 1)] : (*line)[board_at(*line)];
  char& c = text[draw.below(text.size())];
  const char before = c;
  for (const std::string_view alphabet : {".BW", "-XO", "0123", "abcdefgh", "AB"}) {
    if (alphabet.find(c) == std::string_view::npos) continue;
    c = alphabet[draw.below(alphabet.size())];
    break;
  }
  return c != before;
}

bool duplicate_id(Sheet& sheet, Draw& draw) {
  Line* line = pick(sheet, draw, "node");
  const Line* other = pick(sheet, draw, "node");
  if (line == nullptr || (*line)[1] == (*other)[1]) return false;
  (*line)[1] = (*other)[1];
  return true;
}

bool other_goal(Sheet& sheet, Draw& draw) {
  Line* goal = pick(sheet, draw, "goal");
  Line* claim = pick(sheet, draw, "claim");
  const Sheet before = sheet;
  static const std::vector<std::string> kGoals = {"win", "draw", "value", "score", "score>=2"};
  static const std::vector<std::string> kThresholds = {">=1", ">=0", ">=2", ">=-1", ">=4"};
  const std::size_t what = draw.below(7);
  if (what % 2 == 0 || what == 5) (*goal)[1] = kGoals[draw.below(kGoals.size())];
  if (what % 3 == 0 || what == 5) (*claim)[1] = kThresholds[draw.below(kThresholds.size())];
  if (what == 1 || what == 4) (*claim)[2] = (*claim)[2] == "proved" ? "disproved" : "proved";
  if (what == 2) {
    std::string& attacker = (*pick(sheet, draw, "attacker"))[1];
    attacker = attacker == "first" ? "second" : "first";
  }
  return sheet != before;
}

bool other_game(Sheet& sheet, Draw& draw) {
  std::string& game = (*pick(sheet, draw, "game"))[1];
  const std::string before = game;
  std::vector<std::size_t> digits;
  for (std::size_t i = game.find(':'); i < game.size(); ++i) {
    if (game[i] >= '0' && game[i] <= '9') digits.push_back(i);
  }
  game[digits[draw.below(digits.size())]] = "123456789"[draw.below(9)];
  return game != before;
}

// A node and everything that is said of it is left out, or it ends too early.
bool drop_line(Sheet& sheet, Draw& draw) {
  const Line* picked = pick(sheet, draw, draw.below(2) == 0 ? "node" : "leaf");
  if (picked == nullptr) return false;
  const Line line = *picked;
  if (draw.below(2) == 0) {
    std::erase(sheet, line);
  } else {
    sheet.insert(std::find(sheet.begin(), sheet.end(), line) + 1, {"free", line[1]});
  }
  return true;
}

// An inner node of Othello is only searched for, rightly or with a wrong number.
bool make_recheck(Sheet& sheet, Draw& draw) {
  Line* line = pick(sheet, draw, "node");
  if (line == nullptr || line->at(board_at(*line)).find(':') == std::string::npos) return false;
  const std::string board = (*line)[board_at(*line)];
  const auto empties = std::count(board.begin(), board.end(), '-');
  const auto said = static_cast<std::size_t>(empties) + (draw.below(4) == 0 ? 1 : 0);
  const Line before = *line;
  *line = {"recheck", (*line)[1], std::to_string(said), board};
  return *line != before;
}

}  // namespace

Sheet sheet_of(const std::string& certificate) {
  Sheet sheet;
  for (const std::string& line : lines_of(certificate)) sheet.push_back(words_of(line));
  return sheet;
}

std::string text_of(const Sheet& sheet) {
  std::vector<std::string> lines;
  for (const Line& line : sheet) {
    std::string text = line[0];
    for (std::size_t i = 1; i < line.size(); ++i) text += " " + line[i];
    lines.push_back(std::move(text));
  }
  return sealed(lines);
}

const std::vector<MutationClass>& mutation_classes() {
  static const std::vector<MutationClass> kClasses = {
      {"dropped child", drop_child, true},       {"swapped move", swap_move, true},
      {"swapped child", swap_child, false},      {"flipped leaf", flip_leaf, false},
      {"wrong root", wrong_root, true},          {"cycle", cycle, true},
      {"wrong position", wrong_position, false}, {"duplicate id", duplicate_id, true},
      {"other goal", other_goal, false},         {"other game", other_game, false},
      {"dropped line", drop_line, false},        {"recheck", make_recheck, false}};
  return kClasses;
}

MutantTally judge_mutants(const MutationClass& mutation, const std::vector<Sheet>& certificates,
                          int count, const Judge& judge) {
  MutantTally tally;
  std::set<std::string> seen;
  std::uint64_t seed = 0;
  for (const char* c = mutation.name; *c != 0; ++c)
    seed = mix64(seed + static_cast<unsigned char>(*c));
  Draw draw(seed);
  for (int tries = 0; tally.made < count && tries < 50 * count; ++tries) {
    Sheet sheet = certificates[draw.below(certificates.size())];
    if (!mutation.apply(sheet, draw)) continue;
    const std::string text = text_of(sheet);
    if (!seen.insert(text).second) continue;
    ++tally.made;
    const check::Report report = judge(text);
    if (report.status == check::kNotProof) ++tally.rejected;
    if (report.status == check::kUnreadable) ++tally.unreadable;
    if (report.status != check::kValid) continue;
    ++(is_true(report) ? tally.true_anyway : tally.false_ones);
  }
  return tally;
}

}  // namespace playproof
