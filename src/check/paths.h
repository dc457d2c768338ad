// The rules of proof where positions can come again (docs/certificate.md, "Positions that come
// again").
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "games/core/reference_text.h"
#include "src/check/counts.h"
#include "src/check/live_nodes.h"
#include "src/check/path_nodes.h"
#include "src/check/reader.h"

namespace playproof::check {

// Does it say what a repetition is worth?
template <class R>
inline constexpr bool kRepeats = requires(const typename R::Rules& rules, Player mover) {
  R::repeated(rules, mover);
};

// The nodes of one claim, line by line: the interface of Proof (proof.h).
template <class R>
class PathProof {
 public:
  using State = typename R::State;
  using Rules = typename R::Rules;

  PathProof(const Rules& rules, const State& root, const Claim& claim, int /*version*/,
            const Limits& limits, Counts& counts)
      : rules_(rules),
        root_(root),
        claim_(claim),
        attacker_(R::to_move(rules, root)),
        fair_(R::is_fair(rules)),
        most_(R::greatest_value(rules)),
        counts_(counts),
        nodes_(limits) {}

  // Returns false if it was `root`: the claim stands.
  bool line(const RefWords& words, std::uint64_t /*read*/) {
    if (words[0] == "root") {
      expect(words.size() == 2);
      const Node& node = nodes_.at(words[1]);
      if (node.again || node.position != R::packed(root_)) {
        reject("the root is not the position of the header");
      }
      if (!node.before.empty()) reject("the root has no past, so nothing was before");
      if (nodes_.lacks_any()) reject("a position is cited as `again`, and no line has it");
      root_move_ = node.move;
      return false;
    }
    expect(words.size() > (words[0] == "free" ? 1 : 2));
    if (words[0] == "free") {
      for (std::size_t i = 1; i < words.size(); ++i) nodes_.free(words[i]);
    } else {
      node(words);
    }
    return true;
  }
  // The move of the root, as it is written; empty unless it is a node `one`.
  const std::string& root_move() const { return root_move_; }

 private:
  using Node = PathNode;

  void node(const RefWords& all) {
    const std::uint64_t id = read_id(all[1]);
    const auto end = std::find(all.begin() + 3, all.end(), "if");
    const RefWords words(all.begin(), end);
    State state;
    if (!R::read_board(rules_, words[2], &state)) reject("not a position: " + shown(words[2]));
    Node node;
    node.position = R::packed(state);
    if (end != all.end()) read_conditions(RefWords(end + 1, all.end()), &node);
    if (words[0] == "one" || words[0] == "all") {
      check_inner(state, words, &node);
      nodes_.keep_promise(node.position);
    } else {
      expect(all.size() == 3);
      if (words[0] == "leaf") {
        check_leaf(state);
      } else if (words[0] == "again") {
        node.again = true;
      } else if (words[0] == "bound") {
        check_bound();
      } else {
        unreadable("unknown kind of line here: " + shown(words[0]));
      }
    }
    nodes_.add(id, std::move(node));
    ++counts_.listed;
    counts_.most_live = std::max<std::uint64_t>(counts_.most_live, nodes_.size());
  }
  void read_conditions(const RefWords& words, Node* node) const {
    expect(!words.empty());
    if (fair_) reject("by these rules nothing depends on what was before");
    for (const std::string_view word : words) {
      const bool is_not = word.starts_with('!');
      State state;
      if (!R::read_board(rules_, word.substr(is_not ? 1 : 0), &state)) {
        reject("not a position: " + shown(word));
      }
      (is_not ? node->not_before : node->before).insert(R::packed(state));
    }
  }

  bool holds(Value first_players) const {
    return (value_for(attacker_, first_players) >= claim_.threshold) == claim_.proved;
  }
  void check_leaf(const State& state) {
    if (!R::finished(rules_, state)) reject("a leaf must be a finished position");
    if (!holds(R::value(rules_, state))) reject("the leaf does not end as the claim says");
    ++counts_.leaves;
  }
  void check_bound() const {
    const int least = claim_.proved ? claim_.threshold : -(claim_.threshold - 1);
    if (least > -most_) reject("the bounds of the game do not settle the claim");
  }
  void check_inner(const State& state, const RefWords& words, Node* node) {
    if (R::finished(rules_, state)) reject("no move can follow, the game is over");
    const bool provers = (R::to_move(rules_, state) == attacker_) == claim_.proved;
    if (provers != (words[0] == "one")) {
      reject(provers ? "all moves are needed only where the opponent is to move"
                     : "one move is enough only where the prover is to move");
    }
    const std::vector<Move> legal = R::moves(rules_, state);
    expect(words.size() % 2 == 1 && (!provers || words.size() == 5));
    if (!provers && words.size() != 3 + 2 * legal.size()) {
      reject("every legal move must be there once");
    }
    for (std::size_t i = 3; i < words.size(); i += 2) {
      const Move move = R::move_named(rules_, words[i]);
      const bool good = provers ? std::find(legal.begin(), legal.end(), move) != legal.end()
                                : move == legal[(i - 3) / 2];
      if (!good) reject("not the move that is to be here: " + shown(words[i]));
      check_reply(state, move, words[i + 1], *node);
    }
    if (provers) node->move = words[3];
  }
  // The move leads from `state` to the node that `id` names, which holds on every path on which
  // `node` does.
  void check_reply(State state, Move move, std::string_view id, const Node& node) {
    const Player mover = R::to_move(rules_, state);
    const bool suits = holds(R::repeated(rules_, mover));
    R::play(rules_, state, move);
    const std::string position = R::packed(state);
    const Node& reply = nodes_.at(id);
    if (reply.position != position) {
      reject("node " + std::string(id) + " is not the position after its move");
    }
    if (reply.again) {
      if (!suits) reject("to come again does not suit the prover here");
      if (fair_) {  // for ever, among positions that all have a line
        if (position != node.position) nodes_.promise(position);
      } else if (position != node.position && !node.before.contains(position)) {
        reject("node " + std::string(id) + " asks for a position that need not have been before");
      }
      return;
    }
    if (fair_) return;
    for (const std::string& one : reply.before) {
      if (one != node.position && !node.before.contains(one)) {
        reject("node " + std::string(id) + " asks for a position that need not have been before");
      }
    }
    const auto must_be_new = [&](const std::string& one) {
      if (one == node.position || !node.not_before.contains(one)) {
        reject("node " + std::string(id) + " asks for a position that may have been before");
      }
    };
    for (const std::string& one : reply.not_before) must_be_new(one);
    if (!suits && !R::finished(rules_, state)) must_be_new(position);
  }

  const Rules& rules_;
  const State& root_;
  Claim claim_;
  Player attacker_;
  bool fair_;  // a repetition has one value, whoever brings it about
  int most_;   // that the game can be worth; a graph is gone through to know it
  Counts& counts_;
  PathNodes nodes_;
  std::string root_move_;
};

}  // namespace playproof::check
