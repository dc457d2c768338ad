// One best-first search (survey S2, sections 3.2 and 3.3) as one thread runs it, on a device or on
// the CPU: select, expand, evaluate by playouts, back up, as host/tree/best_first.h does with one
// leaf at a time. The formulas are those of kernels/schemes, and all counts are the same: sums run
// in the order of the children, and a tally is a function of seed and position alone.
#pragma once

#include <cstdint>

#include "games/core/game.h"
#include "kernels/common/playout.h"
#include "kernels/numbers/bounds.h"
#include "kernels/schemes/child_bounds.h"
#include "kernels/schemes/claim.h"
#include "kernels/schemes/leaf_at.h"
#include "kernels/schemes/move_order.h"
#include "kernels/schemes/replaced_label.h"
#include "kernels/schemes/root_ties.h"
#include "kernels/schemes/scheme.h"
#include "kernels/schemes/stop_rule.h"
#include "kernels/search/leaf_playouts.h"

namespace playproof {

// How all searches of a fleet are set up.
struct TreeOptions {
  StopRule stop = StopRule::kAllis;
  bool stay_on_path = false;  // ties: the previous path while tied, else the left-most
  bool random_order = false;  // children in an order drawn from (order_seed, position)
  bool early_break = true;    // stop generating children once one decides the node
};

// One search: what it begins with.
template <Game G>
struct TreeRequest {
  typename G::State position;  // not finished
  Claim claim;
  std::uint64_t seed = 1;  // of the playouts
  std::uint64_t order_seed = 0;
  std::uint64_t max_nodes = ~std::uint64_t{0};
  // An error curve (thesis 5.3) needs the moves that reach the goal, by number, and how many legal
  // ones there are. 0: none is wanted.
  std::uint64_t right_moves = 0;
  std::uint32_t legal_moves = 0;
};

// From this iteration on so many of the moves that tie for best are wrong.
struct CurvePoint {
  std::uint32_t iteration = 0;
  std::uint16_t wrong = 0;
  std::uint16_t tied = 1;
  bool operator==(const CurvePoint&) const = default;
};
// Those of one search; the first ones are kept.
struct CurveRoom {
  CurvePoint* points = nullptr;
  std::uint32_t count = 0;
};

enum class SearchEnd : std::uint8_t {
  kRunning,
  kDecided,
  kNodes,    // max_nodes forbids the next expansion
  kOutgrown  // its memory does: another one has to search it from the beginning
};

// What a search has counted: the same numbers as in host/question/counters.h (docs/numbers.md).
struct TreeResult {
  std::uint64_t iterations = 0;
  std::uint64_t nodes_created = 0;
  std::uint64_t nodes_expanded = 0;
  std::uint64_t evaluations = 0;
  std::uint64_t playouts = 0;
  std::uint64_t max_depth = 0;
  std::uint64_t node_visits = 0;
  std::uint64_t re_entries = 0;
  std::uint64_t branch_switches = 0;
  std::uint64_t root_switches = 0;
  std::uint64_t shallow_switches = 0;
  std::uint64_t points = 0;  // of its error curve, also those that there was no room for
  Value lower = 0;           // bounds of the position's value for the attacker
  Value upper = 0;
  SearchEnd end = SearchEnd::kRunning;
  // The first move that is proved to reach the goal; undecided, one that the scheme prefers, drawn
  // from all that tie; none where nothing was expanded.
  Move best_move = kNoMove;
  bool operator==(const TreeResult&) const = default;
};

// The children of a node lie side by side. `choice` is the parent's: in its first child the one
// chosen last, in its second the other one chosen before that.
template <class Label>
struct SearchNode {
  Label label;
  std::uint32_t first_child;
  std::uint16_t edges;  // children
  std::uint16_t choice;
  Move move;
  bool decided;
  Bounds bounds;
  PP_HD bool open() const { return !decided; }
};

template <class Label>
struct SearchChildren {
  const SearchNode<Label>* first;
  int count;
  PP_HD int size() const { return count; }
  PP_HD const SearchNode<Label>& operator[](int i) const { return first[i]; }
};

template <AcyclicGame G, Scheme S>
class ThreadSearch {
 public:
  using Label = typename S::Label;
  using Node = SearchNode<Label>;
  using State = typename G::State;
  using Rules = typename G::Rules;

  // Its nodes are `capacity` ones from `nodes` on.
  PP_HD ThreadSearch(const Rules& rules, const S& scheme, const TreeOptions& options, Node* nodes,
                     std::uint32_t capacity)
      : rules_(rules), scheme_(scheme), options_(options), nodes_(nodes), capacity_(capacity) {}

  PP_HD void begin(const TreeRequest<G>& request, const CurveRoom& curve = {}) {
    request_ = request;
    curve_ = curve;
    wrong_ = request.legal_moves - static_cast<std::uint32_t>(popcount64(request.right_moves));
    tied_ = request.legal_moves;
    unknown_lower_ = unknown_bounds<G>(rules_, request.claim.attacker).lower();
    unknown_upper_ = unknown_bounds<G>(rules_, request.claim.attacker).upper();
    result_ = {};
    last_root_child_ = -1;
    Leaf root = leaf_at<G>(rules_, request.claim, scheme_, request.position, 0);
    root.or_node = G::to_move(rules_, request.position) == request.claim.attacker;
    root.playouts = 1;
    root.reached = 0.5;  // the root is never chosen, so it needs no estimate
    used_ = 0;
    add_node(scheme_.leaf(root), unknown(), false, kNoMove);
    result_.nodes_created = 1;
    depth_ = previous_ = 0;
    entries_ = 1;
    path_[0] = {0, -1, root.or_node, request.position};
  }

  // One iteration, unless a limit forbids it.
  PP_HD SearchEnd iterate() {
    descend();
    const bool expanded = expand();
    if (expanded) {
      ++result_.iterations;
      previous_ = depth_;
      back_up();
    }
    const bool changed = expanded && (depth_ <= 1 || leaves_old_numbers(options_.stop));
    if ((changed && curve_.count != 0) || result_.end == SearchEnd::kNodes) look_at_root();
    return result_.end;
  }

  PP_HD TreeResult result() const {
    TreeResult result = result_;
    const Node& root = nodes_[0];
    result.lower = root.bounds.lower();
    result.upper = root.bounds.upper();
    if (root.decided) result.best_move = lowest_proof();
    return result;
  }

 private:
  struct Step {
    std::uint32_t node;
    int child;  // the index of the child chosen here; -1 if none yet
    bool or_node;
    State state;
  };
  using Replaced = ReplacedLabel<SearchChildren<Label>, Label>;
  static constexpr std::uint32_t kShallow = 2;  // plies down to which changed choices count (E24 c)

  PP_HD Value threshold() const { return request_.claim.threshold; }
  PP_HD Bounds unknown() const { return Bounds::unknown(unknown_lower_, unknown_upper_); }
  PP_HD Label solved(bool proved) const { return proved ? scheme_.proved() : scheme_.disproved(); }
  PP_HD SearchChildren<Label> children(const Node& node) const {
    return {nodes_ + node.first_child, node.edges};
  }
  PP_HD void add_node(const Label& label, const Bounds& bounds, bool decided, Move move) {
    nodes_[used_++] = Node{label, 0, 0, kNoMove, move, decided, bounds};
  }

  // To a leaf, by the scheme's preference.
  PP_HD void descend() {
    while (true) {
      Step& step = path_[depth_];
      const Node& node = nodes_[step.node];
      if (node.edges == 0) return;
      const SearchChildren<Label> all = children(node);
      const bool stay = options_.stay_on_path && depth_ < previous_ && all[step.child].open();
      step.child = best_open_child(scheme_, step.or_node, all, stay ? step.child : -1);
      count_choice(node, step.child);
      enter(node.first_child + static_cast<std::uint32_t>(step.child));
      result_.re_entries += nodes_[path_[depth_].node].edges != 0;
    }
  }
  PP_HD void enter(std::uint32_t index) {
    ++depth_;
    Step& step = path_[depth_];
    if (depth_ == entries_) {
      ++entries_;
    } else if (step.node == index) {
      return;  // its state is still there from before
    }
    if (depth_ < previous_) previous_ = depth_;
    step.state = path_[depth_ - 1].state;
    step.node = index;
    step.child = -1;
    G::play(rules_, step.state, nodes_[index].move);
    step.or_node = G::to_move(rules_, step.state) == request_.claim.attacker;
  }
  PP_HD void count_choice(const Node& node, int chosen) {
    if (depth_ == 0 && chosen != last_root_child_) {
      result_.root_switches += last_root_child_ >= 0;
      last_root_child_ = chosen;
    }
    if (node.edges < 2) return;
    const auto now = static_cast<std::uint16_t>(chosen);
    std::uint16_t& last = nodes_[node.first_child].choice;
    if (last == now) return;
    if (depth_ <= kShallow) result_.shallow_switches += last != kNoMove;
    std::uint16_t& before = nodes_[node.first_child + 1].choice;
    result_.branch_switches += before == now;  // A-B-A (E24 b)
    before = last;
    last = now;
  }

  // The lowest of the moves of the root whose children prove the goal.
  PP_HD Move lowest_proof() const {
    const SearchChildren<Label> all = children(nodes_[0]);
    Move lowest = kNoMove;
    for (int i = 0; i < all.size(); ++i) {
      if (all[i].bounds.proves(threshold()) && all[i].move < lowest) lowest = all[i].move;
    }
    return lowest;
  }
  // What the scheme would play now: the children of the root that tie, as they would be after a
  // full update. A search that has ended by a limit draws one of them; one with an error curve adds
  // a point to it if the share of wrong moves among them is another one than before. (In one place,
  // since all that is inlined here would be there again for each.)
  PP_HD void look_at_root() {
    const bool old_path = depth_ > 0 && leaves_old_numbers(options_.stop);
    const Label* fresh = &nodes_[path_[depth_].node].label;
    Label below;
    for (std::uint32_t d = depth_ - 1; old_path && d >= 1; --d) {
      const Node& node = nodes_[path_[d].node];
      Label label = node.label;
      scheme_.back_up(path_[d].or_node, Replaced{children(node), path_[d].child, *fresh}, label);
      below = label;
      fresh = &below;
    }
    const Replaced root{children(nodes_[0]), old_path ? path_[0].child : -1, *fresh};
    Move moves[G::kMaxMoves];
    std::uint32_t tied = 0;
    for_each_root_tie(scheme_, root, [&](int i) { moves[tied++] = root.children[i].move; });
    if (result_.end == SearchEnd::kNodes) {
      draw(moves, tied);
    } else {
      note_errors(moves, tied);
    }
  }
  PP_HD void draw(const Move* moves, std::uint32_t tied) {
    const std::uint32_t drawn = drawn_tie(request_.seed, result_.iterations, tied);
    for (std::uint32_t i = 0; i < tied; ++i) {
      std::uint32_t lower = 0;
      for (std::uint32_t j = 0; j < tied; ++j) lower += moves[j] < moves[i];
      if (lower == drawn) result_.best_move = moves[i];
    }
  }
  PP_HD void note_errors(const Move* moves, std::uint32_t tied) {
    std::uint32_t wrong = 0;
    if (nodes_[0].decided || tied == 0) {
      tied = 1;  // there is a proof, and its move is right
    } else {
      for (std::uint32_t i = 0; i < tied; ++i) {
        wrong += (request_.right_moves >> moves[i] & 1) == 0;
      }
    }
    if (wrong * tied_ == wrong_ * tied) return;
    if (result_.points < curve_.count) {
      curve_.points[result_.points] = {static_cast<std::uint32_t>(result_.iterations),
                                       static_cast<std::uint16_t>(wrong),
                                       static_cast<std::uint16_t>(tied)};
    }
    ++result_.points;
    wrong_ = wrong;
    tied_ = tied;
  }

  // Creates the children of the leaf at the end of the path. False if a limit forbids it.
  PP_HD bool expand() {
    const Step& step = path_[depth_];
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, step.state, moves);
    if (result_.nodes_created + static_cast<std::uint64_t>(count) > request_.max_nodes) {
      result_.end = SearchEnd::kNodes;
    } else if (static_cast<std::uint32_t>(count) > capacity_ - used_) {
      result_.end = SearchEnd::kOutgrown;
    }
    if (result_.end != SearchEnd::kRunning) return false;
    if (options_.random_order) {
      shuffle_moves(request_.order_seed, G::key(rules_, step.state), moves, count);
    }
    Node& node = nodes_[step.node];
    node.first_child = used_;
    bool broke = false;
    int made = 0;
    while (made < count && !broke) {
      broke = add_child(step, moves[made]) && options_.early_break;
      ++made;
    }
    node.edges = static_cast<std::uint16_t>(made);
    result_.nodes_created += static_cast<std::uint64_t>(made);
    if (result_.max_depth <= depth_) result_.max_depth = depth_ + 1;
    ++result_.nodes_expanded;
    if constexpr (S::kPlayouts) {
      if (!broke) evaluate(step, node);  // else the node is decided: nobody asks about the others
    }
    return true;
  }
  // True if the child decides its parent.
  PP_HD bool add_child(const Step& parent, Move move) {
    State state = parent.state;
    G::play(rules_, state, move);
    if (G::finished(rules_, state)) {
      const Value value = value_for(request_.claim.attacker, G::value(rules_, state));
      const bool proved = Bounds::exact(value).proves(threshold());
      add_node(solved(proved), Bounds::exact(value), true, move);
      return proved == parent.or_node;
    }
    if constexpr (S::kPlayouts) {
      add_node(scheme_.disproved(), unknown(), false, move);  // until it is evaluated
    } else {
      const Leaf leaf = leaf_at<G>(rules_, request_.claim, scheme_, state, depth_ + 1);
      add_node(scheme_.leaf(leaf), unknown(), false, move);
    }
    return false;
  }
  PP_HD void evaluate(const Step& parent, const Node& node) {
    const auto playouts = static_cast<std::uint32_t>(scheme_.playouts);
    for (int i = 0; i < node.edges; ++i) {
      Node& child = nodes_[node.first_child + static_cast<std::uint32_t>(i)];
      if (child.decided) continue;
      State state = parent.state;
      G::play(rules_, state, child.move);
      const RandomKey key = {request_.seed, G::key(rules_, state)};
      const Tally tally = LeafPlayouts<G>::play(rules_, state, key, playouts);
      Leaf leaf = leaf_at<G>(rules_, request_.claim, scheme_, state, depth_ + 1);
      leaf.reached = reached(tally, request_.claim);
      leaf.playouts = scheme_.playouts;
      child.label = scheme_.leaf(leaf);
      ++result_.evaluations;
      result_.playouts += playouts;
    }
  }

  // Recomputes the nodes of the path from its end upwards, until the stop rule holds; the next
  // descent goes on from there.
  PP_HD void back_up() {
    bool bounds_changed = has_decided_child(nodes_[path_[depth_].node]);
    while (true) {
      const Step& step = path_[depth_];
      Node& node = nodes_[step.node];
      const Label old_label = node.label;
      const Bounds old_bounds = node.bounds;
      update(node, step.or_node, bounds_changed);
      ++result_.node_visits;
      bounds_changed = !(node.bounds == old_bounds);
      if (depth_ == 0) break;
      const Step& above = path_[depth_ - 1];
      const bool open = !node.decided && !bounds_changed;
      if (open &&
          may_stop(options_.stop, node.label, old_label, nodes_[above.node].label, above.or_node)) {
        break;
      }
      --depth_;
    }
    if (nodes_[0].decided) result_.end = SearchEnd::kDecided;
  }
  PP_HD bool has_decided_child(const Node& node) const {
    const SearchChildren<Label> all = children(node);
    for (int i = 0; i < all.size(); ++i) {
      if (all[i].decided) return true;
    }
    return false;
  }
  PP_HD void update(Node& node, bool or_node, bool bounds_changed) {
    const SearchChildren<Label> all = children(node);
    if (bounds_changed) {
      const Bounds bounds =
          back_up_bounds(or_node, all, threshold(), options_.early_break, unknown());
      node.bounds = Bounds::both(node.bounds, bounds);
      if (node.bounds.decides(threshold())) {
        node.decided = true;
        node.label = solved(node.bounds.proves(threshold()));
        return;
      }
    }
    scheme_.back_up(or_node, all, node.label);
  }

  const Rules& rules_;
  const S& scheme_;
  const TreeOptions& options_;
  Node* nodes_;
  std::uint32_t capacity_;
  std::uint32_t used_ = 0;
  TreeRequest<G> request_;
  TreeResult result_;
  Value unknown_lower_ = 0;
  Value unknown_upper_ = 0;
  int last_root_child_ = -1;
  CurveRoom curve_;
  std::uint32_t wrong_ = 0;  // of the moves that tied at the last point of the curve,
  std::uint32_t tied_ = 1;   // of how many
  std::uint32_t depth_ = 0;
  std::uint32_t previous_ = 0;  // down to here the path is that of the last iteration
  std::uint32_t entries_ = 0;   // steps that were ever there
  Step path_[G::kMaxPlies + 1];
};

}  // namespace playproof
