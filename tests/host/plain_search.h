// Best-first proof search as the papers draw it: a tree of pointers in which every number is
// computed anew from the leaves before every selection. Slow, and shares nothing with the engine:
// the oracle of the order of expansion on P-games.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "games/pgame/reference.h"
#include "trees.h"

namespace playproof {

class PlainSearch {
 public:
  enum class Scheme { kPn, kDeepPn, kWpns, kMcpn, kPpn, kEws };
  enum class Ties { kLeft, kPath, kDeepest };
  struct Options {
    Scheme scheme = Scheme::kPn;
    Ties ties = Ties::kLeft;
    bool mobility = false;
    bool early_break = true;
    double R = 1;
    bool inv1 = false;
    std::uint32_t playouts = 0;
    double theta = 0;  // 0: the beta rule
    double A = 0;      // PN, EWS: leaves have A^(1 - R), times the moves if mobility; 0: 1
    int plies = 0;     // EWS: power of the plies left
    std::uint64_t seed = 1;
  };

  // Can MAX win? The root is MAX's.
  PlainSearch(const RefPGame::Rules& rules, const Options& options)
      : rules_(rules), options_(options) {
    root_.state = RefPGame::initial(rules);
    number(root_);
  }

  // Makes up to `limit` expansions; returns the paths of the expanded nodes, in order.
  std::vector<std::string> run(std::size_t limit) {
    std::vector<std::string> order;
    while (root_.solved == 0 && order.size() < limit) {
      Node* node = &root_;
      std::string path;
      std::vector<std::size_t> choices;
      while (!node->children.empty()) {
        const std::size_t i = choose(*node, choices);
        choices.push_back(i);
        path += std::to_string(i) + ' ';
        node = node->children[i].get();
      }
      previous_ = choices;
      expand(*node);
      order.push_back(path);
      number(root_);
    }
    return order;
  }

  // Expands what another search expanded; false as soon as that search took a child that is worse
  // than the best by more than rounding (products may be rounded in another order).
  bool follow(const std::vector<std::string>& order) {
    for (const std::string& path : order) {
      if (root_.solved != 0) return false;
      Node* node = &root_;
      for (std::size_t at = 0; at < path.size();) {
        const std::size_t end = path.find(' ', at);
        const Node& chosen = *node->children.at(std::stoul(path.substr(at, end - at)));
        const Node& wanted = *node->children[best(*node, node->children.size())];
        const long double x = rank(*node, chosen);
        const long double y = rank(*node, wanted);
        if (chosen.solved != 0 || std::abs(x - y) > 1e-12L * std::abs(y)) return false;
        node = const_cast<Node*>(&chosen);
        at = end + 1;
      }
      if (!node->children.empty()) return false;
      expand(*node);
      number(root_);
    }
    return true;
  }
  int solved() const { return root_.solved; }  // 1 proved, -1 disproved, 0 neither

 private:
  struct Node {
    RefPGame::State state;
    std::vector<std::unique_ptr<Node>> children;
    int solved = 0;
    long double pn = 1, dn = 1;
    long double p = 0, q = 1;  // PPN, EWS: the probability to win and 1 - it, apart
    double wins = 0, visits = 0;
    int depth = 0;  // of the leaf that `deep` or the most-proving node comes from
  };
  static constexpr long double kInf = std::numeric_limits<long double>::infinity();

  bool is_or(const Node& n) const { return RefPGame::to_move(rules_, n.state) == Player::kFirst; }

  // What the parent minimises.
  long double rank(const Node& parent, const Node& child) const {
    const bool or_node = is_or(parent);
    if (options_.scheme == Scheme::kPpn) {
      // The greatest p at OR, the least at AND; in the smaller of the two numbers.
      if (child.p < 0.5L) return or_node ? -child.p : child.p;
      return or_node ? child.q - 1 : 1 - child.q;
    }
    const long double delta = or_node ? child.pn : child.dn;
    if (options_.scheme == Scheme::kEws) return delta / (or_node ? child.p : child.q);
    if (options_.scheme != Scheme::kDeepPn) return delta;
    const auto d = static_cast<double>(options_.inv1 ? delta + 1 : delta);
    return (1 - 1 / d) * options_.R + 1.0 / child.depth * (1 - options_.R);
  }
  bool better(const Node& parent, const Node& a, const Node& b) const {
    const long double x = rank(parent, a);
    const long double y = rank(parent, b);
    return x < y || (x == y && options_.ties == Ties::kDeepest && a.depth > b.depth);
  }
  std::size_t best(const Node& n, std::size_t first_try) const {
    std::size_t best = first_try;
    for (std::size_t i = 0; i < n.children.size(); ++i) {
      if (n.children[i]->solved != 0) continue;
      if (best == n.children.size() || better(n, *n.children[i], *n.children[best])) best = i;
    }
    return best;
  }
  // `so_far` holds the choices above: the previous path is followed while it is the same.
  std::size_t choose(const Node& n, const std::vector<std::size_t>& so_far) const {
    std::size_t first_try = n.children.size();
    const std::size_t d = so_far.size();
    if (options_.ties == Ties::kPath && d < previous_.size() &&
        std::equal(so_far.begin(), so_far.end(), previous_.begin()) &&
        n.children[previous_[d]]->solved == 0) {
      first_try = previous_[d];
    }
    return best(n, first_try);
  }

  void expand(Node& n) {
    for (const Move move : RefPGame::moves(rules_, n.state)) {
      n.children.push_back(std::make_unique<Node>());
      Node& child = *n.children.back();
      child.state = n.state;
      RefPGame::play(rules_, child.state, move);
      number(child);
      const bool decides = child.solved == (is_or(n) ? 1 : -1);
      if (decides && options_.early_break) return;
    }
  }

  // All numbers below and at n.
  void number(Node& n) {
    if (n.children.empty()) {
      number_leaf(n);
      return;
    }
    const bool or_node = is_or(n);
    long double least = kInf, sum = 0, product = 1, most = 0;
    bool all_solved = true;
    int unsolved = 0;
    n.solved = 0;
    for (auto& child : n.children) {
      number(*child);
      least = std::min(least, or_node ? child->pn : child->dn);
      // MCPN's sums are sums of doubles.
      sum = static_cast<double>(sum + (or_node ? child->dn : child->pn));
      product *= or_node ? child->q : child->p;
      all_solved = all_solved && child->solved != 0;
      if (child->solved == (or_node ? 1 : -1)) n.solved = child->solved;
      if (child->solved != 0) continue;
      ++unsolved;
      most = std::max(most, or_node ? child->dn : child->pn);
    }
    if (n.solved == 0 && all_solved) n.solved = or_node ? -1 : 1;
    if (n.solved != 0) {
      number_solved(n);
      return;
    }
    if (options_.scheme == Scheme::kWpns) sum = most + unsolved - 1;
    if (options_.scheme == Scheme::kEws) least = expected_work(n);
    n.pn = or_node ? least : sum;
    n.dn = or_node ? sum : least;
    n.p = or_node ? 1 - product : product;
    n.q = or_node ? product : 1 - product;
    if (options_.scheme == Scheme::kEws) number_rates(n);
    n.depth = n.children[best(n, n.children.size())]->depth;
  }
  // EWS: of trying the unsolved children until one decides n, each time the best that is left.
  long double expected_work(const Node& n) const {
    std::vector<const Node*> left;
    for (const auto& child : n.children) {
      if (child->solved == 0) left.push_back(child.get());
    }
    long double work = 0, none = 1;
    while (!left.empty()) {
      const auto next = std::min_element(
          left.begin(), left.end(), [&](auto* a, auto* b) { return rank(n, *a) < rank(n, *b); });
      work += none * (is_or(n) ? (*next)->pn : (*next)->dn);
      none *= is_or(n) ? (*next)->q : (*next)->p;
      left.erase(next);
    }
    return work;
  }
  // EWS: those of all playouts below n but in solved children, and one win in two.
  static void number_rates(Node& n) {
    if (!n.children.empty()) n.wins = n.visits = 0;
    for (const auto& child : n.children) {
      if (child->solved != 0) continue;
      n.wins += child->wins;
      n.visits += child->visits;
    }
    n.p = (n.wins + 1) / (n.visits + 2);
    n.q = 1 - n.p;
  }
  static void number_solved(Node& n) {
    n.pn = n.solved == 1 ? 0 : kInf;
    n.dn = n.solved == 1 ? kInf : 0;
    n.p = n.solved == 1 ? 1 : 0;
    n.q = 1 - n.p;
  }
  void number_leaf(Node& n) const {
    n.depth = n.state.ply == 0 ? 1 : n.state.ply;
    if (RefPGame::finished(rules_, n.state)) {
      n.solved = RefPGame::value(rules_, n.state) > 0 ? 1 : -1;
      number_solved(n);
    } else if (options_.A > 0) {
      number_playouts(n);
    } else if (options_.playouts > 0) {
      const double rate = estimate(hashed_tally(options_.seed, n.state.node, options_.playouts));
      n.pn = 1 - rate;
      n.dn = rate;
      n.p = rate;
      n.q = 1 - rate;
    } else {
      const double moves = options_.mobility ? rules_.branching : 1;
      n.pn = is_or(n) ? 1 : moves;
      n.dn = is_or(n) ? moves : 1;
    }
  }
  void number_playouts(Node& n) const {
    const Tally tally = hashed_tally(options_.seed, n.state.node, options_.playouts);
    const double wins = is_or(n) ? tally.wins : options_.playouts - tally.wins;
    const double rate = (wins + 0.5) / (options_.playouts + 1);
    const double phi = std::max(1.0, std::round(std::pow(options_.A, 1 - rate)));
    const double times = options_.mobility ? rules_.branching : 1;
    const double delta = times * std::max(1.0, std::round(std::pow(options_.A, rate)));
    n.pn = is_or(n) ? phi : delta;
    n.dn = is_or(n) ? delta : phi;
    if (options_.scheme != Scheme::kEws) return;
    const double factor = std::pow(rules_.depth - n.state.ply, options_.plies);
    n.pn *= factor;
    n.dn *= factor;
    n.wins = tally.wins;
    n.visits = options_.playouts;
    number_rates(n);
  }
  double estimate(const Tally& tally) const {
    const double n = options_.playouts;
    if (options_.theta == 0) return (tally.wins + 0.5) / (n + 1);
    return std::min(1 - options_.theta, std::max(options_.theta, tally.wins / n));
  }

  RefPGame::Rules rules_;
  Options options_;
  Node root_;
  std::vector<std::size_t> previous_;
};

}  // namespace playproof
