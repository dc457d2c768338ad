#include "tests/certificates/plain_cards.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "games/core/reference_text.h"

namespace playproof {
namespace {

std::uint64_t bit(std::size_t cell) { return std::uint64_t{1} << cell; }

bool joined(const RefHex::Rules& rules, bool black, std::uint64_t stones) {
  RefHex::State state = RefHex::initial(rules);
  for (std::size_t i = 0; i < state.cells.size(); ++i) {
    if ((stones & bit(i)) != 0) state.cells[i] = black ? 'B' : 'W';
  }
  return RefHex::joined(rules, state, black ? 'B' : 'W');
}
std::uint64_t stones_of(const RefHex::State& state, char colour) {
  std::uint64_t stones = 0;
  for (std::size_t i = 0; i < state.cells.size(); ++i) {
    if (state.cells[i] == colour) stones |= bit(i);
  }
  return stones;
}

class PlainJudge {
 public:
  PlainJudge(const Sheet& sheet, CardRule left_out)
      : sheet_(sheet), left_out_(left_out), points_(RefHex::Rules{}) {}

  PlainVerdict run() {
    verdict_.accepted = read_header() && read_nodes();
    return verdict_;
  }

 private:
  using Line = std::vector<std::string>;

  bool on(CardRule rule) const { return rule != left_out_; }
  static RefWords words(const Line& line, std::size_t from) {
    return {line.begin() + static_cast<std::ptrdiff_t>(from), line.end()};
  }
  bool read_header() {
    std::vector<std::uint64_t> sides;
    const bool version = sheet_[0] == Line{"playproof-certificate", "2"} ||
                         sheet_[0] == Line{"playproof-certificate", "3"} ||
                         sheet_[0] == Line{"playproof-certificate", "4"} ||
                         sheet_[0] == Line{"playproof-certificate", "5"};
    const bool good = sheet_.size() > 8 && version &&
                      ref_read_game<RefHex>(sheet_[1].at(1), &sides) && sheet_[3][0] == "position";
    if (!good) return false;
    verdict_.rules = RefHex::make_rules(sides);
    points_ = PlainPoints(verdict_.rules);
    if (!RefHex::read_position(verdict_.rules, words(sheet_[3], 1), &verdict_.root)) return false;
    const bool first = RefHex::to_move(verdict_.rules, verdict_.root) == Player::kFirst;
    if (sheet_[5] != Line{"attacker", first ? "first" : "second"}) return false;
    verdict_.black_wins = first == (sheet_[6].at(2) == "proved");
    return true;
  }
  bool read_nodes() {
    std::uint64_t last = 0;
    for (std::size_t i = 7; i < sheet_.size(); ++i) {
      const Line& line = sheet_[i];
      if (line[0] == "root") return lives(line[1]) && proves(nodes_.at(line[1]), verdict_.root);
      if (line[0] == "free") {
        for (std::size_t k = 1; k < line.size(); ++k) {
          if (!lives(line[k])) return false;
          if (on(CardRule::kLives)) nodes_.erase(line[k]);
        }
        continue;
      }
      PlainCard node;
      const bool good = line[0].starts_with("card-")   ? read_card(line, &node)
                        : line[0].starts_with("link-") ? read_link(line, &node)
                                                       : read_position(line, &node);
      const std::uint64_t id = std::stoull(line[1]);
      if (!good || id <= last) return false;
      last = id;
      nodes_[line[1]] = node;
    }
    return false;
  }
  bool lives(const std::string& id) {
    if (nodes_.contains(id)) return true;
    if (on(CardRule::kLives)) return false;
    // Of an id that comes later what its line says.
    for (const Line& line : sheet_) {
      PlainCard card;
      const bool link = line[0].starts_with("link-");
      if (!link && !line[0].starts_with("card-")) continue;
      if (line[1] != id || !read_pattern(line, &card)) continue;
      card.provers = line[0] == "card-one";
      if (link && !read_ends(line, &card)) continue;
      nodes_[id] = card;
      return true;
    }
    return false;
  }
  bool read_pattern(const Line& line, PlainCard* card) const {
    card->black = verdict_.black_wins;
    if (line[2].size() != verdict_.root.cells.size()) return false;
    if (!on(CardRule::kLetter)) card->black = line[2].find('B') != std::string::npos;
    for (std::size_t i = 0; i < line[2].size(); ++i) {
      const char c = line[2][i];
      if (c != '.' && c != '-' && c != (card->black ? 'B' : 'W')) return false;
      if (c != '.') card->zone |= bit(i);
      if (c != '.' && c != '-') card->needed |= bit(i);
    }
    return true;
  }
  bool read_card(const Line& line, PlainCard* card) {
    if (!read_pattern(line, card)) return false;
    card->provers = line[0] == "card-one";
    const bool good = line[0] == "card-leaf"    ? leaf(line, *card)
                      : line[0] == "card-pairs" ? pairs(line, *card)
                      : line[0] == "card-one"   ? one(line, *card)
                      : line[0] == "card-link"  ? link_card(line, *card)
                      : line[0] == "card-fill"  ? fill(line, card)
                                                : all(line, *card);
    verdict_.cards.push_back(*card);
    return good;
  }
  bool leaf(const Line& line, const PlainCard& card) const {
    return line.size() == 3 &&
           (!on(CardRule::kLeafWins) || joined(verdict_.rules, card.black, card.needed));
  }
  bool pairs(const Line& line, const PlainCard& card) const {
    if (line.size() < 5 || line.size() % 2 == 0 || line.size() > 23) return false;
    std::vector<std::uint64_t> cells;
    std::uint64_t used = 0;
    for (std::size_t i = 3; i < line.size(); ++i) {
      const Move cell = RefHex::move_named(verdict_.rules, line[i]);
      if (cell == kNoMove) return false;
      if (on(CardRule::kPairsAreFree) && (card.zone & ~card.needed & bit(cell)) == 0) return false;
      if (on(CardRule::kPairsDisjoint) && (used & bit(cell)) != 0) return false;
      used |= bit(cell);
      cells.push_back(bit(cell));
    }
    if (!on(CardRule::kPairsWin)) return true;
    return all_shares_win(card.needed, cells, 0);
  }
  bool all_shares_win(std::uint64_t own, const std::vector<std::uint64_t>& cells,
                      std::size_t from) const {
    if (from == cells.size()) return joined(verdict_.rules, verdict_.black_wins, own);
    return all_shares_win(own | cells[from], cells, from + 2) &&
           all_shares_win(own | cells[from + 1], cells, from + 2);
  }
  bool one(const Line& line, PlainCard after) {
    if (line.size() != 5) return false;
    const Move move = RefHex::move_named(verdict_.rules, line[3]);
    if (move == kNoMove) return false;
    const bool free = (after.zone & ~after.needed & bit(move)) != 0;
    if (on(CardRule::kMoveIsFree) && !free) return false;
    after.needed |= bit(move);
    after.zone |= bit(move);
    return covers(after, line[4]) && (!on(CardRule::kMoverOfCited) || !nodes_.at(line[4]).provers);
  }
  bool all(const Line& line, const PlainCard& card) {
    if (line.size() < 4) return false;
    std::uint64_t in_all = ~std::uint64_t{0};
    for (std::size_t i = 3; i < line.size(); ++i) {
      if (!covers(card, line[i])) return false;
      in_all &= nodes_.at(line[i]).zone;
    }
    return !on(CardRule::kRepliesCovered) || (in_all & ~card.needed) == 0;
  }
  bool fill(const Line& line, PlainCard* card) {
    if (line.size() < 5) return false;
    PlainCard filled = *card;
    for (std::size_t k = 4; k < line.size(); ++k) {
      std::uint64_t set = 0;
      std::size_t count = 0;
      for (std::size_t at = 0; at <= line[k].size(); ++count) {
        const std::size_t end = std::min(line[k].find('+', at), line[k].size());
        const Move cell = RefHex::move_named(verdict_.rules, line[k].substr(at, end - at));
        if (cell == kNoMove || (set & bit(cell)) != 0) return false;
        set |= bit(cell);
        at = end + 1;
      }
      const bool free = (set & filled.zone & ~filled.needed) == set;
      if (count > 6 || !free) return false;
      if (!captured(filled.black, filled.needed, filled.zone & ~filled.needed, set)) return false;
      filled.needed |= set;
      filled.zone |= set;
    }
    if (!covers(filled, line[3])) return false;
    card->provers = on(CardRule::kFillMover) && nodes_.at(line[3]).provers;
    return true;
  }
  // May the prover have all cells of the set, with these stones and free cells, and the opponent on
  // all others? Some of the set may be the opponent's already.
  bool captured(bool black, std::uint64_t own, std::uint64_t free, std::uint64_t set) const {
    for (bool more = true; more;) {
      more = false;
      for (std::size_t cell = 0; cell < 64; ++cell) {
        if ((set & bit(cell)) == 0 || !dead(black, own, free, cell)) continue;
        own |= bit(cell);
        free &= ~bit(cell);
        set &= ~bit(cell);
        more = true;
      }
    }
    const std::uint64_t open = set & free;
    if (open == 0) return set == 0 || !on(CardRule::kFilledAreDead);
    bool some = false;
    bool all = true;
    for (std::size_t cell = 0; cell < 64; ++cell) {
      if ((open & bit(cell)) == 0) continue;
      bool answered = false;
      for (std::size_t answer = 0; answer < 64 && !answered; ++answer) {
        if (answer == cell || (open & bit(answer)) == 0) continue;
        answered = captured(black, own | bit(answer), free & ~bit(answer) & ~bit(cell),
                            set & ~bit(answer));
      }
      some = some || answered;
      all = all && answered;
    }
    return on(CardRule::kEveryIntrusion) ? all : some;
  }
  // Whatever becomes of the free cells around it: are those of the prover joined by themselves?
  bool dead(bool black, std::uint64_t own, std::uint64_t free, std::size_t cell) const {
    const std::uint64_t around =
        points_.around(static_cast<int>(cell)) & (own | free | points_.edges(black));
    const std::uint64_t open = around & free & ~own;
    if (!on(CardRule::kFillStones)) return joined_by_themselves(around);
    for (std::uint64_t some = open;; some = (some - 1) & open) {
      if (!joined_by_themselves((around & ~open) | some)) return false;
      if (some == 0) return true;
    }
  }
  bool joined_by_themselves(std::uint64_t points) const {
    int first = 0;
    while (first < 64 && (points & bit(static_cast<std::size_t>(first))) == 0) ++first;
    for (int point = first + 1; point < 64; ++point) {
      const bool there = (points & bit(static_cast<std::size_t>(point))) != 0;
      if (there && !points_.joined(points, first, point)) return false;
    }
    return true;
  }
  bool covers(const PlainCard& card, const std::string& id) {
    if (!lives(id)) return false;
    const PlainCard& below = nodes_.at(id);
    if (!below.is_card && !(below.is_link && !on(CardRule::kLinkIsNoCard))) return false;
    if (on(CardRule::kNeededCovered) && (below.needed & ~card.needed) != 0) return false;
    return !on(CardRule::kZoneCovered) || (below.zone & ~card.zone) == 0;
  }

  bool read_ends(const Line& line, PlainCard* link) const {
    link->is_card = false;
    link->is_link = true;
    if (line.size() < 6) return false;
    link->ends[0] = points_.named(line[3]);
    link->ends[1] = points_.named(line[4]);
    if (line[0] == "link-and" && on(CardRule::kCellIsMove)) {
      const int cell = points_.named(line[5]);
      link->provers = cell >= 0 && (link->needed & bit(static_cast<std::size_t>(cell))) == 0;
    }
    return link->ends[0] >= 0 && link->ends[1] >= 0;
  }
  bool is_own_edge_or_cell(const PlainCard& link, int end) const {
    const std::uint64_t edges = points_.edges(link.black);
    return points_.is_cell(end) || (edges & bit(static_cast<std::size_t>(end))) != 0;
  }
  // Everything that is the prover's where the link is used: stones, ends, edges.
  std::uint64_t own_of(const PlainCard& link) const {
    return link.needed | bit(static_cast<std::size_t>(link.ends[0])) |
           bit(static_cast<std::size_t>(link.ends[1])) | points_.edges(link.black);
  }
  bool read_link(const Line& line, PlainCard* link) {
    if (!read_pattern(line, link) || !read_ends(line, link)) return false;
    verdict_.links.push_back(*link);
    for (const int end : link->ends) {
      if (on(CardRule::kOwnEdges) && !is_own_edge_or_cell(*link, end)) return false;
    }
    return line[0] == "link-and" ? link_and(line, *link) : link_or(line, *link);
  }
  bool link_and(const Line& line, const PlainCard& link) {
    const int cell = line.size() == 8 ? points_.named(line[5]) : -1;
    if (cell < 0 || !points_.is_cell(cell)) return false;
    const std::uint64_t stone = bit(static_cast<std::size_t>(cell));
    if (on(CardRule::kCellInPattern) && (link.zone & stone) == 0) return false;
    const std::uint64_t own = own_of(link) | stone;
    std::uint64_t taken = 0;
    for (const int which : {0, 1}) {
      const std::string& id = line[static_cast<std::size_t>(6 + which)];
      if (id == "-") {
        if (on(CardRule::kStonesTouch) && !points_.joined(own, link.ends[which], cell))
          return false;
        continue;
      }
      const int half[2] = {link.ends[which], cell};
      if (!may_cite(link, own, id, half, CardRule::kHalfEnds)) return false;
      const PlainCard& below = nodes_.at(id);
      if (on(CardRule::kHalvesFull) && below.provers) return false;
      const std::uint64_t carrier = below.zone & ~below.needed & ~own;
      if (on(CardRule::kHalvesDisjoint) && (taken & carrier) != 0) return false;
      taken |= carrier;
    }
    return true;
  }
  bool link_or(const Line& line, const PlainCard& link) {
    std::uint64_t in_all = ~std::uint64_t{0};
    for (std::size_t i = 5; i < line.size(); ++i) {
      if (!may_cite(link, own_of(link), line[i], link.ends, CardRule::kOrEnds)) return false;
      in_all &= nodes_.at(line[i]).zone;
    }
    return !on(CardRule::kOrReplies) || (in_all & ~own_of(link)) == 0;
  }
  bool link_card(const Line& line, const PlainCard& card) {
    const int first = points_.first_edge(card.black);
    const int edges[2] = {first, first + 1};
    const std::uint64_t own = card.needed | points_.edges(card.black);
    return line.size() == 4 && may_cite(card, own, line[3], edges, CardRule::kLinkCardEnds) &&
           (!on(CardRule::kLinkCardFull) || !nodes_.at(line[3]).provers);
  }
  // A link that is a case of this pattern with `own` stones, and joins these ends there.
  bool may_cite(const PlainCard& pattern, std::uint64_t own, const std::string& id,
                const int (&ends)[2], CardRule rule_of_ends) {
    if (!lives(id)) return false;
    const PlainCard& below = nodes_.at(id);
    if (!below.is_link && !(below.is_card && !on(CardRule::kLinkIsLink))) return false;
    if (on(CardRule::kLinkNeeded) && (below.needed & ~own) != 0) return false;
    if (on(CardRule::kLinkCarrier) && (below.zone & ~below.needed & ~(pattern.zone | own)) != 0) {
      return false;
    }
    if (!below.is_link || !on(rule_of_ends)) return true;
    const auto same = [&](int a, int b) {
      return points_.joined(own, below.ends[0], a) && points_.joined(own, below.ends[1], b);
    };
    return same(ends[0], ends[1]) || same(ends[1], ends[0]);
  }

  bool read_position(const Line& line, PlainCard* node) {
    node->is_card = false;
    const auto& rules = verdict_.rules;
    if (line.size() < 3 || !RefHex::read_board(rules, line[2], &node->position)) return false;
    if (line[0] == "leaf") {
      return line.size() == 3 && joined(rules, verdict_.black_wins,
                                        stones_of(node->position, verdict_.black_wins ? 'B' : 'W'));
    }
    if (RefHex::finished(rules, node->position)) return false;
    const bool black = RefHex::to_move(rules, node->position) == Player::kFirst;
    if ((line[0] == "one") != (black == verdict_.black_wins)) return false;
    const std::vector<Move> legal = RefHex::moves(rules, node->position);
    if (line[0] == "one" && line.size() != 5) return false;
    if (line.size() % 2 == 0) return false;
    if (line[0] == "all" && on(CardRule::kEveryReply) && line.size() != 3 + 2 * legal.size()) {
      return false;
    }
    for (std::size_t i = 3; i < line.size(); i += 2) {
      const Move move = RefHex::move_named(rules, line[i]);
      if (move == kNoMove || node->position.cells[move] != '.') return false;
      if (line[0] == "all" && on(CardRule::kEveryReply) && move != legal[(i - 3) / 2]) return false;
      RefHex::State after = node->position;
      RefHex::play(rules, after, move);
      if (!lives(line[i + 1]) || !proves(nodes_.at(line[i + 1]), after)) return false;
    }
    return true;
  }
  bool proves(const PlainCard& node, const RefHex::State& state) const {
    if (node.is_link && on(CardRule::kLinkIsNoCard)) return false;
    if (!node.is_card && !node.is_link) {
      return !on(CardRule::kAfterMove) || node.position == state;
    }
    const std::uint64_t own = stones_of(state, node.black ? 'B' : 'W');
    const std::uint64_t other = stones_of(state, node.black ? 'W' : 'B');
    const bool black = RefHex::to_move(verdict_.rules, state) == Player::kFirst;
    if (on(CardRule::kNeededMatches) && (node.needed & ~own) != 0) return false;
    if (on(CardRule::kZoneMatches) && (node.zone & other) != 0) return false;
    return !on(CardRule::kMoverMatches) || !node.provers || black == node.black;
  }

  const Sheet& sheet_;
  CardRule left_out_;
  PlainPoints points_;
  PlainVerdict verdict_;
  std::map<std::string, PlainCard> nodes_;
};

}  // namespace

PlainVerdict judge_plainly(const Sheet& sheet, CardRule left_out) {
  return PlainJudge(sheet, left_out).run();
}

bool HexTruth::wins(bool black, std::uint64_t own, std::uint64_t free, bool to_move) {
  if (joined(rules_, black, own)) return true;
  if (!joined(rules_, black, own | free)) return false;  // the opponent has all the rest
  const auto key = std::tuple(black, own, free, to_move);
  const auto found = known_.find(key);
  if (found != known_.end()) return found->second;
  bool won = !to_move;
  for (std::uint64_t rest = free; rest != 0 && won != to_move; rest &= rest - 1) {
    const std::uint64_t cell = rest & -rest;
    won = wins(black, to_move ? own | cell : own, free & ~cell, !to_move);
  }
  known_[key] = won;
  return won;
}

PlainPoints::PlainPoints(const RefHex::Rules& rules)
    : rules_(rules), cells_(rules.rows * rules.columns) {
  around_.resize(static_cast<std::size_t>(cells_) + 4);
  const auto meet = [&](int a, int b) {
    around_[static_cast<std::size_t>(a)] |= bit(static_cast<std::size_t>(b));
    around_[static_cast<std::size_t>(b)] |= bit(static_cast<std::size_t>(a));
  };
  for (int a = 0; a < cells_; ++a) {
    const int row = a / rules.columns;
    const int column = a % rules.columns;
    for (int b = 0; b < a; ++b) {
      const int down = row - b / rules.columns;
      const int right = column - b % rules.columns;
      // Of the eight squares around a cell all but two: up left, down right.
      if (down <= 1 && right >= -1 && right <= 1 && right != down) meet(a, b);
    }
    if (row == 0) meet(a, cells_);
    if (row == rules.rows - 1) meet(a, cells_ + 1);
    if (column == 0) meet(a, cells_ + 2);
    if (column == rules.columns - 1) meet(a, cells_ + 3);
  }
}

int PlainPoints::named(const std::string& word) const {
  const std::vector<std::string> edges = {"top", "bottom", "left", "right"};
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (word == edges[i]) return cells_ + static_cast<int>(i);
  }
  const Move cell = RefHex::move_named(rules_, word);
  return cell == kNoMove ? -1 : cell;
}

bool PlainPoints::joined(std::uint64_t over, int a, int b) const {
  std::uint64_t reached = over & bit(static_cast<std::size_t>(a));
  for (std::uint64_t fresh = reached; fresh != 0;) {
    std::uint64_t next = 0;
    for (std::size_t i = 0; i < around_.size(); ++i) {
      if ((fresh & bit(i)) != 0) next |= around_[i];
    }
    fresh = next & over & ~reached;
    reached |= fresh;
  }
  return (reached & bit(static_cast<std::size_t>(b))) != 0;
}

bool HexTruth::joins(bool black, std::uint64_t own, std::uint64_t free, int a, int b,
                     bool to_move) {
  if (points_.joined(own, a, b)) return true;
  if (!points_.joined(own | free, a, b)) return false;
  const auto key = std::tuple(black, own, free, a, b, to_move);
  const auto found = known_links_.find(key);
  if (found != known_links_.end()) return found->second;
  bool joins_them = !to_move;
  for (std::uint64_t rest = free; rest != 0 && joins_them != to_move; rest &= rest - 1) {
    const std::uint64_t cell = rest & -rest;
    joins_them = joins(black, to_move ? own | cell : own, free & ~cell, a, b, !to_move);
  }
  known_links_[key] = joins_them;
  return joins_them;
}

bool HexTruth::is_true_link(const PlainCard& link) {
  const std::uint64_t edges = points_.edges(link.black);
  std::uint64_t own = link.needed | edges;
  for (const int end : link.ends) {
    const std::uint64_t point = bit(static_cast<std::size_t>(end));
    if (!points_.is_cell(end) && (edges & point) == 0) return false;  // not an edge of his
    own |= point;
  }
  return joins(link.black, own, link.zone & ~own, link.ends[0], link.ends[1], link.provers);
}

bool HexTruth::black_wins(const RefHex::State& root) {
  return wins(true, stones_of(root, 'B'), stones_of(root, '.'),
              RefHex::to_move(rules_, root) == Player::kFirst);
}

}  // namespace playproof
