// The rules of proof: what makes a node good (docs/certificate.md, "Nodes").
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "games/core/reference_text.h"
#include "src/check/cards.h"
#include "src/check/links.h"
#include "src/check/live_nodes.h"
#include "src/check/races.h"
#include "src/check/reader.h"

namespace playproof::check {

// The nodes of one claim, line by line.
template <class R>
class Proof {
 public:
  using State = typename R::State;
  using Rules = typename R::Rules;

  Proof(const Rules& rules, const State& root, const Claim& claim, int version,
        const Limits& limits, Counts& counts)
      : rules_(rules),
        root_(root),
        claim_(claim),
        version_(version),
        counts_(counts),
        budget_(limits, counts),
        live_(limits),
        cards_(rules, claim, attacker(), live_, budget_),
        links_(rules, cards_, live_),
        races_(rules, claim, attacker(), live_, budget_) {}

  // The next line, `read` bytes of text from the first one. False: it was `root`, the claim stands.
  bool line(const RefWords& words, std::uint64_t read) {
    budget_.read(read);
    const std::string_view kind = words[0];
    const bool race = version_ > 5 && kind.starts_with("race-");
    const bool link = version_ > 2 && (kind == "card-link" || kind.starts_with("link-"));
    const bool card = version_ > (kind == "card-fill" ? 3 : 1) && kind.starts_with("card-");
    if (kind == "root") {
      expect(words.size() == 2);
      const LiveNode node = live_.find(words[1]);
      if (node.kind == NodeKind::kRechecked) reject("the root may not be a recheck node");
      if (!proves(node, root_)) reject("the root is not the position of the header");
      root_move_ = live_.root_move(words[1]);
      return false;
    }
    expect(words.size() > (kind == "free" ? 1 : 2));
    if (kind == "free") {
      for (std::size_t i = 1; i < words.size(); ++i) live_.free(words[i]);
    } else if (race || link || card) {
      const NodeText text = race   ? races_.check(kind, words)
                            : link ? links_.check(kind, words)
                                   : cards_.check(kind, words);
      add(read_id(words[1]), text, race ? words[4] : "");
      counts_.leaves += kind == "card-leaf" || kind == "race-end" ? 1 : 0;
    } else {
      node(kind, words);
    }
    return true;
  }
  // The move of the root, as it is written; empty unless it is a node `one` or a race.
  const std::string& root_move() const { return root_move_; }

 private:
  void node(std::string_view kind, const RefWords& words) {
    const bool recheck = kind == "recheck";  // its number of empty squares stands before the board
    expect(words.size() > (recheck ? 3 : 2));
    const std::uint64_t id = read_id(words[1]);
    const std::string_view board = words[recheck ? 3 : 2];
    State state;
    if (!R::read_board(rules_, board, &state)) reject("not a position: " + shown(board));
    if (kind == "one") {
      check_one(state, words);
    } else if (kind == "all") {
      check_all(state, words);
    } else if (expect(words.size() == (recheck ? 4 : 3)); kind == "leaf") {
      check_leaf(state);
    } else if (kind == "bound") {
      check_bound();
    } else if (recheck) {
      check_recheck(state, words[2]);
    } else {
      unreadable("unknown kind of line: " + shown(kind));
    }
    const NodeKind rest = recheck ? NodeKind::kRechecked : NodeKind::kPosition;
    add(id, {R::packed(state), rest}, kind == "one" && state == root_ ? words[3] : "");
  }
  void add(std::uint64_t id, NodeText node, std::string_view root_move) {
    live_.add(id, std::move(node.first), node.second, root_move);
    ++counts_.listed;
    counts_.most_live = std::max<std::uint64_t>(counts_.most_live, live_.size());
  }

  Player attacker() const { return R::to_move(rules_, root_); }
  bool proves(const LiveNode& node, const State& state) const {
    return node.kind == NodeKind::kRace ? races_.proves(node, state) : cards_.proves(node, state);
  }
  bool holds(const State& finished) const {
    const Value value = value_for(attacker(), R::value(rules_, finished));
    return (value >= claim_.threshold) == claim_.proved;
  }
  void check_leaf(const State& state) {
    if (!R::finished(rules_, state)) reject("a leaf must be a finished position");
    if (!holds(state)) reject("the leaf does not end as the claim says");
    ++counts_.leaves;
  }
  void check_bound() const {
    const int least = claim_.proved ? claim_.threshold : -(claim_.threshold - 1);
    if (least > -R::greatest_value(rules_))
      reject("the bounds of the game do not settle the claim");
  }

  // The legal moves, where the prover (or his opponent) is to move.
  std::vector<Move> moves_of(const State& state, bool prover) const {
    if (R::finished(rules_, state)) reject("no move can follow, the game is over");
    const bool attackers = R::to_move(rules_, state) == attacker();
    if ((attackers == claim_.proved) != prover) {
      reject(prover ? "one move is enough only where the prover is to move"
                    : "all moves are needed only where the opponent is to move");
    }
    return R::moves(rules_, state);
  }
  // The move leads from `state` to the node that `id` names.
  void check_reply(State state, Move move, std::string_view id) {
    R::play(rules_, state, move);
    if (proves(live_.find(id), state)) return;
    reject("node " + std::string(id) + " is not the position after its move");
  }
  Move read_move(std::string_view word) const {
    const Move move = R::move_named(rules_, word);
    if (move == kNoMove) reject("expected a move, not " + shown(word));
    return move;
  }
  void check_one(const State& state, const RefWords& words) {
    expect(words.size() == 5);
    const Move move = read_move(words[3]);
    const std::vector<Move> legal = moves_of(state, true);
    const bool is_legal = std::find(legal.begin(), legal.end(), move) != legal.end();
    if (!is_legal) reject("illegal move " + shown(words[3]));
    check_reply(state, move, words[4]);
  }
  void check_all(const State& state, const RefWords& words) {
    expect(words.size() % 2 == 1);
    const std::vector<Move> legal = moves_of(state, false);
    if (words.size() != 3 + 2 * legal.size()) reject("every legal move must be there once");
    for (std::size_t i = 0; i < legal.size(); ++i) {
      const std::string_view word = words[3 + 2 * i];
      if (read_move(word) != legal[i]) reject("expected all moves in order, not " + shown(word));
      check_reply(state, legal[i], words[4 + 2 * i]);
    }
  }

  void check_recheck(const State& state, std::string_view empties) {
    if constexpr (requires { R::kMostRecheck; }) {
      const int counted = R::recheck_distance(state);
      const std::string most = std::to_string(R::kMostRecheck) + " empty squares";
      if (counted > R::kMostRecheck) reject("a recheck node may have at most " + most);
      if (std::to_string(counted) != empties) reject("the number of empty squares is wrong");
      if (reached(state) != claim_.proved) reject("searching does not confirm the recheck node");
      ++counts_.rechecked;
    } else {
      reject("this game has no recheck nodes");
    }
  }
  // Does the attacker reach the threshold? By trying everything.
  bool reached(const State& state) {
    budget_.spend();
    const std::vector<Move> moves = R::moves(rules_, state);
    if (R::may_be_finished(moves) && R::finished(rules_, state)) {
      return holds(state) == claim_.proved;
    }
    const bool attackers = R::to_move(rules_, state) == attacker();
    for (const Move move : moves) {
      State next = state;
      R::play(rules_, next, move);
      if (reached(next) == attackers) return attackers;
    }
    return !attackers;
  }

  const Rules& rules_;
  const State& root_;
  Claim claim_;
  int version_;  // of the grammar: 2 has cards, 3 links, 4 filled cells, 6 races
  Counts& counts_;
  SearchBudget budget_;
  LiveNodes live_;
  Cards<R> cards_;
  Links<R> links_;
  Races<R> races_;
  std::string root_move_;
};

}  // namespace playproof::check
