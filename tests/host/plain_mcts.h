// The MCTS solver as the thesis describes it (2.2.3, 5.3.2), on a tree of pointers, with means as
// fractions and proofs computed anew from the leaves: the oracle of the order in which the engine
// adds nodes to P-games.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "games/pgame/reference.h"
#include "host/tree/mcts.h"
#include "trees.h"

namespace playproof {

class PlainMcts {
 public:
  PlainMcts(const RefPGame::Rules& rules, const MctsRule& rule) : rules_(rules), rule_(rule) {
    root_.state = RefPGame::initial(rules);
  }

  // Adds up to `limit` nodes; returns their paths in order.
  std::vector<std::string> run(std::size_t limit) {
    std::vector<std::string> order;
    while (root_.solved == 0 && order.size() < limit) order.push_back(iterate());
    return order;
  }
  int solved() const { return root_.solved; }

  // The root moves with the greatest v + A/sqrt(n) among the unsolved.
  std::vector<Move> interim() const {
    std::vector<Move> ties;
    long double best = 0;
    for (std::size_t i = 0; i < root_.children.size(); ++i) {
      const Node& child = *root_.children[i];
      if (child.solved != 0) continue;
      const long double score =
          mean(child) + rule_.A / std::sqrt(static_cast<long double>(child.visits));
      if (!ties.empty() && score < best - 1e-15L) continue;
      if (!ties.empty() && score > best + 1e-15L) ties.clear();
      best = score;
      ties.push_back(static_cast<Move>(i));
    }
    return ties;
  }

 private:
  struct Node {
    RefPGame::State state;
    std::vector<std::unique_ptr<Node>> children;
    std::int64_t reward = 0;  // of all playouts, as printed
    std::uint64_t visits = 0;
    int solved = 0;
  };

  bool is_or(const Node& n) const { return RefPGame::to_move(rules_, n.state) == Player::kFirst; }
  bool sign() const { return rule_.reward == MctsRule::Reward::kSign; }
  long double mean(const Node& n) const {
    return static_cast<long double>(n.reward) / static_cast<long double>(n.visits) /
           static_cast<long double>(rule_.playouts);
  }
  long double score(const Node& parent, const Node& child) const {
    const long double other = sign() ? -mean(child) : 1 - mean(child);
    const long double v = is_or(parent) ? mean(child) : other;
    const long double share = std::log(static_cast<long double>(parent.visits)) / child.visits;
    if (rule_.form == MctsRule::Form::kInside) return v + std::sqrt(rule_.C * share);
    if (rule_.form == MctsRule::Form::kOutside) return v + rule_.C * std::sqrt(share);
    return v;
  }

  std::string iterate() {
    std::vector<Node*> path = {&root_};
    std::string text;
    const auto branching = static_cast<std::size_t>(rules_.branching);
    while (path.back()->children.size() == branching) {
      const Node& node = *path.back();
      std::size_t best = branching;
      for (std::size_t i = 0; i < branching; ++i) {
        if (node.children[i]->solved != 0) continue;
        if (best == branching ||
            score(node, *node.children[i]) > score(node, *node.children[best]) + 1e-15L) {
          best = i;
        }
      }
      text += std::to_string(best) + ' ';
      path.push_back(node.children[best].get());
    }
    Node& parent = *path.back();
    text += std::to_string(parent.children.size()) + ' ';
    parent.children.push_back(std::make_unique<Node>());
    Node& leaf = *parent.children.back();
    leaf.state = parent.state;
    RefPGame::play(rules_, leaf.state, static_cast<Move>(parent.children.size() - 1));
    path.push_back(&leaf);
    const std::int64_t reward = evaluate(leaf);
    for (std::size_t i = path.size(); i-- > 0;) {
      path[i]->visits += 1;
      path[i]->reward += reward;
      solve(*path[i]);
    }
    return text;
  }

  std::int64_t evaluate(const Node& leaf) const {
    const auto playouts = static_cast<std::uint32_t>(rule_.playouts);
    const Tally tally = RefPGame::finished(rules_, leaf.state)
                            ? certain_tally(RefPGame::value(rules_, leaf.state), playouts)
                            : hashed_tally(1, leaf.state.node, playouts);
    return std::int64_t{tally.wins} - (sign() ? std::int64_t{tally.losses} : 0);
  }

  // From the children alone; one that does not exist yet may be worth anything.
  void solve(Node& n) const {
    if (RefPGame::finished(rules_, n.state)) {
      n.solved = RefPGame::value(rules_, n.state) > 0 ? 1 : -1;
      return;
    }
    const int good = is_or(n) ? 1 : -1;
    bool all_bad = n.children.size() == static_cast<std::size_t>(rules_.branching);
    for (const auto& child : n.children) {
      if (child->solved == good) n.solved = good;
      all_bad = all_bad && child->solved == -good;
    }
    if (all_bad) n.solved = -good;
  }

  RefPGame::Rules rules_;
  MctsRule rule_;
  Node root_;
};

}  // namespace playproof
