// Best-first proof-number search of games whose positions can come again, in a graph (survey S2,
// section 6.2). A line ends where a position comes again, by the rule of the game
// (host/path/repetition.h). Which nodes of one position are one:
//   dag       those that a conversion leads to (games/core/conversion.h), since nothing that was
//             before can come again below it (the DAG method: Schijf, Allis and Uiterwijk 1994)
//   dcg       all. Unsafe: a node has answers in it that rest on the path on which they were found
//             (their DCG method)
//   basetwin  none; but an answer that rests on no path, which a node has once nothing in its proof
//             comes back to what was before it, goes into the base of the position, and decides all
//             its twins (after Breuker, van den Herik, Allis and Uiterwijk 2001)
// The tree method, which shares nothing, is host/tree/best_first.h. Numbers of a node go to all of
// its parents; around a cycle each node is numbered once an expansion.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "games/core/conversion.h"
#include "games/core/identity.h"
#include "host/path/path.h"
#include "host/path/repetition.h"
#include "host/path/rests.h"
#include "host/probe/game_probe.h"
#include "host/question/counters.h"
#include "host/question/search_options.h"
#include "kernels/schemes/leaf_at.h"
#include "kernels/schemes/scheme.h"

namespace playproof {

enum class GraphMethod : std::uint8_t { kDag, kDcg, kBaseTwin };

template <class S>
struct GraphSearchOptions {
  S scheme;
  GraphMethod method = GraphMethod::kDag;
  SearchOptions search;  // limits, order of moves
};

template <Game G, Scheme S>
class GraphSearch {
  static_assert(!S::kPlayouts);

 public:
  using State = typename G::State;
  using Rules = typename G::Rules;
  using Label = typename S::Label;
  using Options = GraphSearchOptions<S>;

  GraphSearch(const Rules& rules, const Claim& claim, const Options& options)
      : rules_(rules),
        claim_(claim),
        rule_(path_rule<G>(rules)),
        options_(options),
        conversions_(std::make_shared<const Conversions<G>>(rules)),
        probe_(rules, options.search) {}

  // Asks about a position, which is not finished.
  void begin(const State& position) {
    begin_empty();
    counters_ = {};
    stopped_ = StopReason::kRunning;
    add_node(position, 0);
  }
  // Up to so many expansions more; not running once it has the answer, or may not go on.
  StopReason run(std::uint64_t expansions) {
    while (stopped_ == StopReason::kRunning && expansions-- > 0) {
      if (nodes_.size() >= options_.search.max_nodes) {
        stopped_ = StopReason::kNodes;
      } else if (bytes() > options_.search.max_bytes || nodes_.size() > kMostNodes) {
        stopped_ = StopReason::kMemory;
      } else {
        iterate();
        if (nodes_[0].answer != Answer::kOpen) stopped_ = StopReason::kDecided;
      }
    }
    return stopped_;
  }
  StopReason stopped() const { return stopped_; }
  bool proved() const { return nodes_[0].answer == Answer::kProved; }
  // Once decided: of the side to move, if it has it its way.
  Move best_move() const {
    const Answer wins = answer_for(nodes_[0].attackers);
    for (const Edge& edge : edges_of(nodes_[0])) {
      if (nodes_[edge.node].answer == wins) return edge.move;
    }
    return kNoMove;
  }
  const Claim& claim() const { return claim_; }
  const Rules& rules() const { return rules_; }
  const Options& options() const { return options_; }
  Counters counters() const {
    Counters c = counters_;
    c.nodes_created = nodes_.size();
    c.peak_bytes = bytes();
    return c;
  }
  bool is_safe() const { return options_.method != GraphMethod::kDcg; }

  // Saves, or replaces everything by what was saved (host/archive/archive.h), between two
  // expansions. States follow from the moves. Answers are believed until they are found once more.
  template <class Archive>
  [[gnu::cold]] void serialize(Archive& archive) {
    archive(stopped_, counters_);
    std::uint64_t nodes = nodes_.size();
    std::uint64_t edges = edges_.size();
    std::uint64_t parents = parents_.size();
    archive(nodes, edges, parents);
    if constexpr (Archive::kLoading) {
      const std::uint64_t most = archive.source().most_left();
      archive.check(nodes > 0 && nodes <= most && edges <= most && parents <= most &&
                        nodes <= kMostNodes && edges <= kMostNodes && parents <= kMostNodes,
                    "more nodes than what is left");
      const State position = nodes_[0].state;
      begin_empty();
      nodes_.resize(nodes);
      edges_.resize(edges);
      parents_.resize(parents);
      nodes_[0].state = position;
    }
    for (Node& node : nodes_) {
      archive.bytes(&node.label, sizeof node.label);
      archive(node.first, node.count, node.parent, node.depth, node.numbered, node.rests,
              node.answer, node.stands_for_all, node.repeated);
      archive.check(std::uint64_t{node.first} + node.count <= edges, "edges that there are not");
      archive.check(node.parent == kNone || node.parent < parents, "a parent that there is not");
    }
    for (Edge& edge : edges_) {
      archive(edge.node, edge.move);
      archive.check(edge.node < nodes, "an edge to no node");
    }
    for (std::size_t i = 0; i < parents_.size(); ++i) {
      archive(parents_[i].node, parents_[i].next);
      archive.check(parents_[i].node < nodes, "a parent that there is not");
      archive.check(parents_[i].next == kNone || parents_[i].next < i, "parents in a circle");
    }
    if constexpr (!Archive::kLoading) return;
    if (stopped_ != StopReason::kDecided) stopped_ = StopReason::kRunning;
    find_states(archive);
    check_parents(archive);
    check_nodes(archive);
  }

  // Children of the root as they are counted now: move, state, answer, numbers.
  template <class V>
  void for_each_root_child(V&& visit) const {
    for (const Edge& edge : edges_of(nodes_[0])) {
      const Node& child = nodes_[edge.node];
      visit(edge.move, child.state, child.answer, child.label);
    }
  }

 private:
  using Index = std::uint32_t;
  static constexpr Index kNone = ~Index{0};
  static constexpr std::size_t kMostNodes = std::size_t{1} << 31;

  struct Node {
    State state{};
    Label label{};
    std::uint32_t first = 0;  // of its edges
    std::uint32_t count = 0;
    Index parent = kNone;        // in parents_, the first of its list
    std::uint32_t depth = 0;     // of the first way to it
    std::uint64_t numbered = 0;  // by this iteration, last
    Rests rests = kOnNothing;    // once decided; of use where nodes are not one
    Answer answer = Answer::kOpen;
    bool attackers = true;
    bool stands_for_all = false;  // it is the node of its position
    bool repeated = false;        // it ends the line
  };
  struct Edge {
    Index node = 0;
    Move move = kNoMove;
  };
  struct Parent {
    Index node = 0;
    Index next = kNone;
  };
  // What is known of a position: the node that stands for it, or its base and its twins.
  struct Known {
    Index node = kNone;
    Answer base = Answer::kOpen;
    std::vector<Index> twins;
  };
  // The children of a node, as schemes look at them.
  struct Children {
    struct One {
      const Label& label;
      bool decided;
      bool open() const { return !decided; }
    };
    const GraphSearch& search;
    std::span<const Edge> edges;

    int size() const { return static_cast<int>(edges.size()); }
    One operator[](int i) const {
      const Node& node = search.nodes_[edges[static_cast<std::size_t>(i)].node];
      return {node.label, node.answer != Answer::kOpen};
    }
  };

  static Answer answer_for(bool proved) { return proved ? Answer::kProved : Answer::kDisproved; }
  std::span<const Edge> edges_of(const Node& node) const {
    return {edges_.data() + node.first, node.count};
  }
  std::uint64_t bytes() const {
    return nodes_.size() * (sizeof(Node) + sizeof(Edge)) + parents_.size() * sizeof(Parent) +
           known_.size() * (sizeof(Known) + sizeof(State) + 64);
  }

  void begin_empty() {
    nodes_.clear();
    edges_.clear();
    parents_.clear();
    known_.clear();
    path_.clear();
  }
  Index add_node(const State& state, std::uint32_t depth) {
    Node& node = nodes_.emplace_back();
    node.state = state;
    node.depth = depth;
    if (G::finished(rules_, state)) {
      const Value value = value_for(claim_.attacker, G::value(rules_, state));
      decide(&node, answer_for(value >= claim_.threshold), kOnNothing);
    } else {
      node.attackers = G::to_move(rules_, state) == claim_.attacker;
      node.label = options_.scheme.leaf(leaf_at<G>(rules_, claim_, options_.scheme, state, depth));
    }
    counters_.max_depth = std::max<std::uint64_t>(counters_.max_depth, depth);
    return static_cast<Index>(nodes_.size() - 1);
  }
  // A node that is not the root, nor repeated: a probe may decide it.
  Index add_leaf(const State& state, std::uint32_t depth) {
    const Index index = add_node(state, depth);
    if (nodes_[index].answer != Answer::kOpen || !probe_.applies_to(state)) return index;
    const Bounds bounds = ask(probe_, state, claim_).bounds;
    probe_.count(counters_);
    if (bounds.decides(claim_.threshold)) {
      decide(&nodes_[index], answer_for(bounds.proves(claim_.threshold)), kOnNothing);
    }
    return index;
  }
  void decide(Node* node, Answer answer, Rests rests) const {
    node->answer = answer;
    node->rests = rests;
    node->label =
        answer == Answer::kProved ? options_.scheme.proved() : options_.scheme.disproved();
  }
  void add_parent(Index child, Index parent) {
    parents_.push_back({parent, nodes_[child].parent});
    nodes_[child].parent = static_cast<Index>(parents_.size() - 1);
  }

  // It goes from the root to a leaf, which gets children.
  void iterate() {
    ++counters_.iterations;
    path_.clear();
    Index at = 0;
    while (true) {
      const Node& node = nodes_[at];
      path_.push(node.state);
      if (node.count == 0) {
        expand(at);
        break;
      }
      const int best =
          best_open_child(options_.scheme, node.attackers, Children{*this, edges_of(node)});
      Edge& edge = edges_[node.first + static_cast<std::size_t>(best)];
      const std::int32_t place = path_.find(nodes_[edge.node].state);
      if (place != Path<G>::kNowhere) {  // a node of another path leads back to this one
        const State again = nodes_[edge.node].state;
        edge.node = add_repeated(again, at, place);
        break;
      }
      counters_.re_entries += 1;
      at = edge.node;
    }
    update(at);
  }
  void expand(Index at) {
    ++counters_.nodes_expanded;
    const State state = nodes_[at].state;
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, state, moves);
    order_moves(options_.search, G::key(rules_, state), moves, count);
    nodes_[at].first = static_cast<std::uint32_t>(edges_.size());
    edges_.resize(edges_.size() + static_cast<std::size_t>(count));
    int made = 0;
    while (made < count) {
      State child = state;
      G::play(rules_, child, moves[made]);
      const Index node = child_node(at, state, child);
      edges_[nodes_[at].first + static_cast<std::size_t>(made)] = {node, moves[made]};
      ++made;
      if (nodes_[node].answer == answer_for(nodes_[at].attackers) && options_.search.early_break) {
        break;
      }
    }
    edges_.resize(nodes_[at].first + static_cast<std::size_t>(made));
    nodes_[at].count = static_cast<std::uint32_t>(made);
  }
  Index child_node(Index at, const State& state, const State& child) {
    const std::int32_t place = G::finished(rules_, child) ? Path<G>::kNowhere : path_.find(child);
    if (place != Path<G>::kNowhere) return add_repeated(child, at, place);
    const std::uint32_t depth = nodes_[at].depth + 1;
    if (options_.method == GraphMethod::kBaseTwin) {
      const Index node = add_leaf(child, depth);
      add_parent(node, at);
      if (nodes_[node].answer == Answer::kOpen) meet_base(node);
      return node;
    }
    if (options_.method == GraphMethod::kDag && !conversions_->converts(state, child)) {
      const Index node = add_leaf(child, depth);
      add_parent(node, at);
      return node;
    }
    ++counters_.table_lookups;
    Known& known = known_[position_id(G{}, child)];
    if (known.node == kNone) {
      known.node = add_leaf(child, depth);
      nodes_[known.node].stands_for_all = true;
    } else {
      ++counters_.table_hits;
    }
    add_parent(known.node, at);
    return known.node;
  }
  // `at` leads to a position that is on the path already, in this place.
  Index add_repeated(const State& state, Index at, std::int32_t place) {
    const Player mover = G::to_move(rules_, nodes_[at].state);
    const Index node = add_node(state, nodes_[at].depth + 1);
    decide(&nodes_[node], answer_for(reached_by_repetition(rule_, claim_, mover)), place);
    nodes_[node].repeated = true;
    add_parent(node, at);
    return node;
  }
  // A new twin: does its base decide it?
  void meet_base(Index node) {
    ++counters_.table_lookups;
    Known& known = known_[position_id(G{}, nodes_[node].state)];
    if (known.base != Answer::kOpen) {
      ++counters_.table_hits;
      decide(&nodes_[node], known.base, kOnNothing);
    } else {
      known.twins.push_back(node);
    }
  }

  struct Verdict {
    Answer answer = Answer::kOpen;
    Rests rests = kOnNothing;
  };
  Verdict verdict_of(const Node& node) const {
    const Answer wins = answer_for(node.attackers);
    Verdict verdict;
    Rests of_all = kOnNothing;
    bool all_lost = true;
    for (const Edge& edge : edges_of(node)) {
      const Node& child = nodes_[edge.node];
      all_lost = all_lost && child.answer != Answer::kOpen && child.answer != wins;
      of_all = std::min(of_all, child.rests);
      if (child.answer != wins) continue;
      const bool ends = G::finished(rules_, child.state);
      const Rests rests = ends || !blames_mover(rule_) ? child.rests : kOnAll;
      if (verdict.answer == Answer::kOpen || rests > verdict.rests) verdict = {wins, rests};
    }
    if (all_lost) verdict = {answer_for(!node.attackers), of_all};
    if (verdict.rests >= static_cast<Rests>(node.depth)) verdict.rests = kOnNothing;
    return verdict;
  }
  // A node has children, or one of them is another: tells its parents, and theirs. An answer always
  // goes up; a number once an expansion.
  void update(Index changed) {
    waiting_.assign(1, changed);
    std::size_t next = 0;  // they become more
    while (next < waiting_.size()) {
      const Index at = waiting_[next++];
      Node& node = nodes_[at];
      if (node.answer != Answer::kOpen) continue;
      ++counters_.node_visits;
      const bool again =
          options_.method == GraphMethod::kDcg && node.numbered == counters_.iterations;
      const Verdict verdict = verdict_of(node);
      if (verdict.answer != Answer::kOpen) {
        decide(&node, verdict.answer, verdict.rests);
        if (options_.method == GraphMethod::kBaseTwin && verdict.rests == kOnNothing) {
          tell_twins(at);
        }
      } else if (again) {
        continue;
      } else {
        const Label before = node.label;
        options_.scheme.back_up(node.attackers, Children{*this, edges_of(node)}, node.label);
        node.numbered = counters_.iterations;
        if (node.label == before) continue;
      }
      for (Index p = nodes_[at].parent; p != kNone; p = parents_[p].next) {
        waiting_.push_back(parents_[p].node);
      }
    }
  }
  // A node has an answer that rests on no path: so have all of its position.
  void tell_twins(Index decided) {
    if (decided == 0) return;  // it has no twins: to come back to it ends a line
    Known& known = known_[position_id(G{}, nodes_[decided].state)];
    if (known.base != Answer::kOpen) return;
    known.base = nodes_[decided].answer;
    for (const Index twin : std::exchange(known.twins, {})) {
      if (nodes_[twin].answer != Answer::kOpen) continue;
      decide(&nodes_[twin], known.base, kOnNothing);
      for (Index p = nodes_[twin].parent; p != kNone; p = parents_[p].next) {
        waiting_.push_back(parents_[p].node);
      }
    }
  }

  // Plays the moves that were loaded.
  template <class Archive>
  [[gnu::cold]] void find_states(Archive& archive) {
    std::vector<bool> found(nodes_.size());
    found[0] = true;
    waiting_.assign(1, 0);
    std::size_t next = 0;  // they become more
    while (next < waiting_.size()) {
      const Node& node = nodes_[waiting_[next++]];
      if (node.count == 0) continue;
      archive.check(!G::finished(rules_, node.state) && !node.repeated, "moves after the end");
      Move moves[G::kMaxMoves];
      const Move* const end = moves + G::moves(rules_, node.state, moves);
      for (const Edge& edge : edges_of(node)) {
        archive.check(std::find<const Move*>(moves, end, edge.move) != end, "an illegal move");
        State child = node.state;
        G::play(rules_, child, edge.move);
        const Node& to = nodes_[edge.node];
        archive.check(!found[edge.node] || (to.state == child && may_join(node.state, to)),
                      "an edge to a node of another position, or path");
        if (found[edge.node]) continue;
        found[edge.node] = true;
        nodes_[edge.node].state = child;
        waiting_.push_back(edge.node);
      }
    }
    archive.check(waiting_.size() == nodes_.size(), "there are nodes that no edge leads to");
  }
  // May a second edge lead there? Then no circle comes of it, but where all nodes are one.
  bool may_join(const State& from, const Node& to) const {
    return to.stands_for_all &&
           (options_.method == GraphMethod::kDcg ||
            (options_.method == GraphMethod::kDag && conversions_->converts(from, to.state)));
  }
  // Whoever changes must tell all that rest on it.
  template <class Archive>
  [[gnu::cold]] void check_parents(Archive& archive) {
    std::vector<std::pair<Index, Index>> told;
    for (Index child = 0; child < nodes_.size(); ++child) {
      for (Index p = nodes_[child].parent; p != kNone; p = parents_[p].next) {
        archive.check(nodes_[parents_[p].node].count > 0 && told.size() < parents_.size(),
                      "a parent without children, or too many");
        told.emplace_back(child, parents_[p].node);
      }
    }
    std::sort(told.begin(), told.end());
    for (Index parent = 0; parent < nodes_.size(); ++parent) {
      for (const Edge& edge : edges_of(nodes_[parent])) {
        archive.check(std::binary_search(told.begin(), told.end(), std::pair{edge.node, parent}),
                      "a parent that is not told");
      }
    }
  }
  template <class Archive>
  [[gnu::cold]] void check_nodes(Archive& archive) {
    Counters counted = counters_;
    counted.nodes_expanded = counted.max_depth = 0;
    for (Index i = 0; i < nodes_.size(); ++i) {
      Node& node = nodes_[i];
      const bool finished = G::finished(rules_, node.state);
      node.attackers = finished || G::to_move(rules_, node.state) == claim_.attacker;
      counted.nodes_expanded += node.count > 0 ? 1 : 0;
      counted.max_depth = std::max<std::uint64_t>(counted.max_depth, node.depth);
      const bool decided = node.answer != Answer::kOpen;
      archive.check(decided || node.count == 0 || verdict_of(node).answer == Answer::kOpen,
                    "an open node whose children decide it");
      archive.check(decided || !(finished || node.repeated), "an end that is open");
      archive.check(node.numbered <= counters_.iterations, "numbers of an iteration to come");
      if (node.stands_for_all) known_[position_id(G{}, node.state)].node = i;
      const bool twin = options_.method == GraphMethod::kBaseTwin && i > 0;
      if (!twin || finished || node.repeated) continue;
      Known& known = known_[position_id(G{}, node.state)];
      if (decided && node.rests == kOnNothing) known.base = node.answer;
      if (!decided) known.twins.push_back(i);
    }
    const bool stand = counted == counters_ && counters_.nodes_expanded <= counters_.iterations &&
                       counters_.table_hits <= counters_.table_lookups &&
                       (stopped_ == StopReason::kDecided) == (nodes_[0].answer != Answer::kOpen);
    archive.check(stand, "counts that a search with its nodes has not");
  }

  Rules rules_;
  Claim claim_;
  PathRule rule_;
  Options options_;
  std::shared_ptr<const Conversions<G>> conversions_;
  GameProbe<G> probe_;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<Parent> parents_;
  std::map<PositionId<G>, Known> known_;
  Path<G> path_;
  std::vector<Index> waiting_;  // for an update
  StopReason stopped_ = StopReason::kRunning;
  Counters counters_;
};

}  // namespace playproof
