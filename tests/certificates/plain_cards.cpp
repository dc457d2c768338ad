#include "tests/certificates/plain_cards.h"

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
  PlainJudge(const Sheet& sheet, CardRule left_out) : sheet_(sheet), left_out_(left_out) {}

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
    const bool good = sheet_.size() > 8 && sheet_[0] == Line{"playproof-certificate", "2"} &&
                      ref_read_game<RefHex>(sheet_[1].at(1), &sides) && sheet_[3][0] == "position";
    if (!good) return false;
    verdict_.rules = RefHex::make_rules(sides);
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
      const bool good =
          line[0].starts_with("card-") ? read_card(line, &node) : read_position(line, &node);
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
      if (!line[0].starts_with("card-") || line[1] != id || !read_pattern(line, &card)) continue;
      card.provers = line[0] == "card-one";
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
  bool covers(const PlainCard& card, const std::string& id) {
    if (!lives(id) || !nodes_.at(id).is_card) return false;
    const PlainCard& below = nodes_.at(id);
    if (on(CardRule::kNeededCovered) && (below.needed & ~card.needed) != 0) return false;
    return !on(CardRule::kZoneCovered) || (below.zone & ~card.zone) == 0;
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
    if (!node.is_card) return !on(CardRule::kAfterMove) || node.position == state;
    const std::uint64_t own = stones_of(state, node.black ? 'B' : 'W');
    const std::uint64_t other = stones_of(state, node.black ? 'W' : 'B');
    const bool black = RefHex::to_move(verdict_.rules, state) == Player::kFirst;
    if (on(CardRule::kNeededMatches) && (node.needed & ~own) != 0) return false;
    if (on(CardRule::kZoneMatches) && (node.zone & other) != 0) return false;
    return !on(CardRule::kMoverMatches) || !node.provers || black == node.black;
  }

  const Sheet& sheet_;
  CardRule left_out_;
  PlainVerdict verdict_;
  std::map<std::string, PlainCard> nodes_;
};

}  // namespace

PlainVerdict judge_plainly(const Sheet& sheet, CardRule left_out) {
  return PlainJudge(sheet, left_out).run();
}

bool HexTruth::wins(bool black, std::uint64_t own, std::uint64_t free, bool to_move) {
  if (joined(rules_, black, own)) return true;
  if (free == 0) return false;  // the opponent has all the rest
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

bool HexTruth::black_wins(const RefHex::State& root) {
  return wins(true, stones_of(root, 'B'), stones_of(root, '.'),
              RefHex::to_move(rules_, root) == Player::kFirst);
}

}  // namespace playproof
