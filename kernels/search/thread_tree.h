// What searches of one thread have in common, whatever guides them: what is asked and counted, the
// tree, the path from its root, and what is played now. host/tree has the same for the CPU.
#pragma once

#include <cstdint>

#include "games/core/game.h"
#include "kernels/common/playout.h"
#include "kernels/numbers/arithmetic.h"
#include "kernels/numbers/bounds.h"
#include "kernels/schemes/claim.h"
#include "kernels/schemes/root_ties.h"
#include "kernels/schemes/stop_rule.h"

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
// The points of one search are written here; the first ones are kept.
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
  // The first move that is proved to reach the goal, or the lower bound if that is less; undecided,
  // one that the scheme prefers, drawn from all that tie; none where nothing was expanded.
  Move best_move = kNoMove;
  bool operator==(const TreeResult&) const = default;
};

// Of the children of a node, by number; kNone: there was none.
struct Choices {
  static constexpr std::uint16_t kNone = 0xffff;
  std::uint16_t last = kNone;
  std::uint16_t before = kNone;
};
// The children of a node lie side by side. Of those that were chosen it knows the last one, and the
// other one that was chosen before that.
template <class Label>
struct SearchNode {
  Label label;
  std::uint32_t first_child;
  std::uint16_t edges;  // children
  Move move;
  Choices choices;
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

// What a search is between two iterations, apart from its nodes, which stay where they are.
struct PausedTree {
  TreeResult result;
  std::uint32_t used;
  std::uint32_t depth;
  std::uint32_t previous;
  std::uint32_t wrong;
  std::uint32_t tied;
  int last_root_child;
};

// A search whose nodes have labels of this type.
template <AcyclicGame G, class Label>
class ThreadTree {
 public:
  using Node = SearchNode<Label>;
  using State = typename G::State;
  using Rules = typename G::Rules;

  PP_HD TreeResult result() const {
    TreeResult result = result_;
    const Node& root = nodes_[0];
    result.lower = root.bounds.lower();
    result.upper = root.bounds.upper();
    if (root.decided) result.best_move = lowest_proof();
    return result;
  }

  PP_HD PausedTree pause() const {
    return {result_, used_, depth_, previous_, wrong_, tied_, last_root_child_};
  }
  // Goes on where the search of this request was paused whose nodes these are. Its path is what was
  // chosen last from the root on.
  PP_HD void resume(const PausedTree& paused, const TreeRequest<G>& request,
                    const CurveRoom& curve) {
    ask(request, curve);
    result_ = paused.result;
    used_ = paused.used;
    wrong_ = paused.wrong;
    tied_ = paused.tied;
    last_root_child_ = paused.last_root_child;
    const std::uint32_t deepest = greater(paused.depth, paused.previous);
    while (depth_ < deepest) {
      const Node& node = nodes_[path_[depth_].node];
      path_[depth_].child = node.edges < 2 ? 0 : node.choices.last;
      enter(node.first_child + static_cast<std::uint32_t>(path_[depth_].child));
    }
    depth_ = paused.depth;
    previous_ = paused.previous;
  }

 protected:
  struct Step {
    std::uint32_t node;
    int child;  // the index of the child chosen here; -1 if none yet
    bool or_node;
    State state;
  };
  static constexpr std::uint32_t kShallow = 2;  // plies down to which changed choices count (E24 c)

  // Its nodes are `capacity` ones from `nodes` on.
  PP_HD ThreadTree(const Rules& rules, const TreeOptions& options, Node* nodes,
                   std::uint32_t capacity)
      : rules_(rules), options_(options), nodes_(nodes), capacity_(capacity) {}

  // A tree of its root alone.
  PP_HD void begin_tree(const TreeRequest<G>& request, const CurveRoom& curve, const Label& root) {
    ask(request, curve);
    wrong_ = request.legal_moves - static_cast<std::uint32_t>(popcount64(request.right_moves));
    tied_ = request.legal_moves;
    result_ = {};
    last_root_child_ = -1;
    used_ = 0;
    add_node(root, unknown(), false, kNoMove);
    result_.nodes_created = 1;
  }
  // Begins at the root.
  PP_HD void ask(const TreeRequest<G>& request, const CurveRoom& curve) {
    request_ = request;
    curve_ = curve;
    unknown_lower_ = unknown_bounds<G>(rules_, request.claim.attacker).lower();
    unknown_upper_ = unknown_bounds<G>(rules_, request.claim.attacker).upper();
    depth_ = previous_ = 0;
    entries_ = 1;
    path_[0] = {0, -1, attacks(request.position), request.position};
  }

  PP_HD bool attacks(const State& state) const {
    return G::to_move(rules_, state) == request_.claim.attacker;
  }
  PP_HD Value threshold() const { return request_.claim.threshold; }
  PP_HD Bounds unknown() const { return Bounds::unknown(unknown_lower_, unknown_upper_); }
  PP_HD SearchChildren<Label> children(const Node& node) const {
    return {nodes_ + node.first_child, node.edges};
  }
  PP_HD void add_node(const Label& label, const Bounds& bounds, bool decided, Move move) {
    nodes_[used_++] = Node{label, 0, 0, move, {}, decided, bounds};
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
  PP_HD void count_choice(Node& node, int chosen) {
    if (depth_ == 0 && chosen != last_root_child_) {
      result_.root_switches += last_root_child_ >= 0;
      last_root_child_ = chosen;
    }
    if (node.edges < 2) return;
    const auto now = static_cast<std::uint16_t>(chosen);
    const Choices were = node.choices;
    if (were.last == now) return;
    if (depth_ <= kShallow) result_.shallow_switches += were.last != Choices::kNone;
    result_.branch_switches += were.before == now;  // A-B-A (E24 b)
    node.choices = {now, were.last};
  }

  // The lowest of the moves of the root whose children prove the goal or, where it is lost, the
  // lower bound.
  PP_HD Move lowest_proof() const {
    const SearchChildren<Label> all = children(nodes_[0]);
    const Value bound = lesser(threshold(), nodes_[0].bounds.lower());
    Move lowest = kNoMove;
    for (int i = 0; i < all.size(); ++i) {
      if (all[i].bounds.proves(bound) && all[i].move < lowest) lowest = all[i].move;
    }
    return lowest;
  }
  // How a search that has ended by a limit says what it would play: one of the moves that tie.
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

  const Rules& rules_;
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
