// PN2: Allis 1994; Breuker 1998; survey (S2) section 5.2. Two levels of PN-search: PN1 calls PN2
// for an evaluation of its most-proving node. The PN2 search ends when it keeps more than y nodes,
// or has decided its root (E11); x is the size of the PN1 tree, in nodes:
//   limit=allis     y = x
//   limit=breuker   y = min(x f(x), N - x),  f(x) = 1 / (1 + e^((a - x) / b))
//                   N: nodes that fit in memory. (Printed without b, E2.) x f(x) is rounded down,
//                   and both terms are at least 1.
// Then, of the most-proving node of PN1,
//   evaluate=delayed    the children of the PN2 root become its children, with their numbers; what
//                       is below them is dropped. They are evaluated when they become most-proving.
//   evaluate=immediate  each child is evaluated by a PN2 search of its own when it is created, all
//                       with the x of before, and takes the numbers of its root. (Within PN2 a node
//                       is evaluated at its creation, as in every PN-search.)
// Our reading: a node that PN2 has decided stays a leaf of PN1 (but the root: it needs a move), and
// bounds that do not decide the claim are dropped with the tree that they rest on.
//
// With proof zones (host/tree/tree_zones.h) both levels have them. What PN2 has decided as its root
// keeps its zone; a child of that root does not, since a search for it alone may find another: its
// zone is all but the loser's stones.
//
// A PN2 search may be long, so propose() makes a slice of one. One that was under way when the
// search was saved begins anew: it is a function of position, claim and y, and counts when it has
// ended.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "host/path/line.h"
#include "host/tree/second_level.h"
#include "kernels/numbers/natural_log.h"

namespace playproof {

struct Pn2Limit {
  bool breuker = false;
  double a = 1'800'000;  // the size at which f is 1/2
  double b = 240'000;    // how fast it grows

  // Returns y for x, the size of the PN1 tree, and N, the nodes that fit in memory.
  std::uint64_t operator()(std::uint64_t x, std::uint64_t N) const {
    if (!breuker) return x;
    const auto size = static_cast<double>(x);
    const double f = 1 / (1 + natural_exp((a - size) / b));
    const std::uint64_t left = N > x ? N - x : 1;
    return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(size * f), 1, left);
  }
};

template <Game G>
class Pn2 {
 public:
  using Label = PnLabel;
  using State = typename G::State;
  using Rules = typename G::Rules;
  using First = BestFirst<G, Pn>;
  struct Options : SearchOptions {
    Pn2Limit limit = {};
    bool immediate = false;
    Pn leaf = {};  // how leaves of PN2 begin
  };

  // The position must not be finished.
  Pn2(const Rules& rules, const State& position, const Claim& claim, const Options& options)
      : rules_(rules),
        position_(position),
        claim_(claim),
        options_(options),
        unknown_(unknown_bounds<G>(rules, claim.attacker)),
        probe_(rules, options),
        first_(rules, position, claim, scheme(), {first_options(of_all(options))}),
        second_(rules, position, claim, scheme(), of_all(options)) {}

  // A slice of a second-level search; 0 when stopped() tells why.
  std::uint32_t propose(std::uint32_t /*batch*/, std::vector<LeafRequest<G>>& /*requests*/,
                        std::uint32_t /*part*/ = kAllLeaves) {
    settled_ = false;
    if (stopped() != StopReason::kRunning) return 0;
    if (!evaluation_) begin_evaluation();
    const bool ended = options_.immediate ? evaluate_child() : evaluate_node();
    if (ended) settle();
    return 1;
  }
  bool may_go_on(std::uint32_t /*batch*/) const { return false; }
  // Nothing waits for playouts.
  void send() {}
  std::size_t out() const { return 0; }
  void ask_again(std::size_t /*i*/, std::vector<LeafRequest<G>>& /*requests*/) const {}
  std::vector<NodeIndex> waiting() const { return {}; }
  bool closed(NodeIndex node) const { return first_.closed(node); }
  void absorb(std::span<const Tally> /*tallies*/) {}

  StopReason stopped() const {
    return stop_reason_ == StopReason::kRunning ? first_.stopped() : stop_reason_;
  }
  bool resumable() const { return true; }
  // The second-level search under way is not saved, but what an immediate evaluation has found is.
  template <class Archive>
  void serialize(Archive& archive) {
    first_.serialize(archive);
    Found found = found_so_far();
    archive(dropped_, second_bytes_, found.children, found.dropped);
    if (zones().on()) archive(found.zones);
    archive.check(options_.immediate || (found.children.empty() && found.dropped == Counters{}),
                  "children of no evaluation");
    archive.check(are_dropped(dropped_) && are_dropped(found.dropped),
                  "counts that a second level has none of");
    archive.check(second_bytes_ <= kNoNode * first_.node_bytes(),
                  "a second level beyond all memory");
    if constexpr (!Archive::kLoading) return;
    found_ = std::move(found);  // checked when it is used, after the tree
    evaluation_.reset();
    stop_reason_ = StopReason::kRunning;
  }
  // A leaf has the numbers of a search that is gone: any that an open node can have.
  bool label_agrees(NodeIndex i, const State& state, std::uint32_t depth, bool or_node) const {
    const auto& node = tree().node(i);
    if (node.edges != 0 || node.decided) return first_.label_agrees(i, state, depth, or_node);
    return is_open(node.label);
  }
  // Each search of the second level was asked of a node of the first.
  bool counts_stand() const {
    const Counters all = counters();
    return first_.counts_stand() && tree_counters().endings == 0 && tree_counters().races == 0 &&
           all.second_searches <= tree().nodes() && all.endings <= all.nodes_created &&
           all.races <= all.nodes_created;
  }
  const Options& options() const { return options_; }
  const Claim& claim() const { return claim_; }
  Bounds bounds() const { return first_.bounds(); }
  const TreeProbes<G>& probe() const { return probe_; }
  const Tree<Label>& tree() const { return first_.tree(); }
  const TreeZones<G>& zones() const { return first_.zones(); }
  // These are of the first level alone.
  Counters tree_counters() const { return first_.counters(); }
  // These are of both levels: what is in the tree, what was dropped, and the search under way.
  Counters counters() const {
    Counters c = first_.counters();
    add(dropped_, &c);
    if (evaluation_) add_nodes_of(*evaluation_, &c);
    c.nodes_created += found_.dropped.nodes_created + found_.children.size();
    c.nodes_expanded += found_.dropped.nodes_expanded;
    c.peak_bytes += std::max(second_bytes_, second_.search().used_bytes());
    return c;
  }
  int preferred_child(NodeIndex node, bool or_node) const {
    return first_.preferred_child(node, or_node);
  }
  // Hears of the first level alone.
  void listen(SearchListener* listener) { first_.listen(listener); }
  bool root_changed() const { return settled_ && first_.root_changed(); }
  void root_ties(std::vector<int>& ties) const { first_.root_ties(ties); }
  // A search like those of the second level, without limits: it finds once more what they found.
  std::unique_ptr<SecondLevel<G>> second_level() const {
    SearchOptions options = of_all(options_);
    options.max_nodes = options.max_bytes = SearchLimits::kNone;
    return std::make_unique<SecondLevel<G>>(rules_, position_, claim_, scheme(), options);
  }

 private:
  using GivenChild = typename First::GivenChild;
  static constexpr std::uint64_t kSlice = 1024;  // nodes; some tenths of a millisecond

  static bool is_open(const Label& label) {
    const auto open = [](ProofNumber n) { return 0 < n && n <= kProofNumberCap; };
    return open(label.pn) && open(label.dn);
  }

  // What an immediate evaluation has found, as it is saved.
  struct FoundChild {
    ProofNumber pn = 0;
    ProofNumber dn = 0;
    Value lower = 0;
    Value upper = 0;
    template <class Archive>
    void serialize(Archive& archive) {
      archive(pn, dn, lower, upper);
    }
  };
  struct Found {
    std::vector<FoundChild> children;
    Counters dropped;
    std::vector<std::uint64_t> zones;  // of each child, if the search has them
  };

  // The evaluation of the most-proving node, under way.
  struct Evaluation {
    typename First::MostProving node;
    std::uint64_t limit = 0;                // y
    std::vector<GivenChild> children = {};  // found so far
    Counters dropped = {};                  // what the second level created that is not among them
    bool asking = false;                    // it is searching
    Move moves[G::kMaxMoves] = {};          // immediate: in their order
    int count = 0;
  };

  // What is not of PN2 alone.
  static const SearchOptions& of_all(const Options& options) { return options; }
  Pn scheme() const { return options_.leaf; }
  static SearchOptions first_options(SearchOptions options) {
    options.max_nodes = SearchLimits::kNone;  // of both levels: held here
    return options;
  }
  static void add(const Counters& more, Counters* to) {
    to->nodes_created += more.nodes_created;
    to->nodes_expanded += more.nodes_expanded;
    to->max_depth = std::max(to->max_depth, more.max_depth);
    to->endings += more.endings;
    to->ending_nodes += more.ending_nodes;
    to->races += more.races;
    to->race_nodes += more.race_nodes;
    to->second_searches += more.second_searches;
    to->second_decided += more.second_decided;
  }

  // Is it a sum of such?
  static bool are_dropped(const Counters& counters) {
    Counters sum;
    add(counters, &sum);
    return sum == counters && counters.nodes_expanded <= counters.nodes_created &&
           counters.max_depth <= most_plies<G>();
  }

  // Adds the nodes of the evaluation under way.
  void add_nodes_of(const Evaluation& e, Counters* to) const {
    to->nodes_created += e.dropped.nodes_created + e.children.size();
    to->nodes_expanded += e.dropped.nodes_expanded;
    if (!e.asking) return;
    const Counters search = second_.search().counters();
    to->nodes_created += search.nodes_created - (options_.immediate ? 0 : 1);
    to->nodes_expanded += search.nodes_expanded;
  }

  void begin_evaluation() {
    evaluation_.emplace(Evaluation{.node = first_.most_proving()});
    Evaluation& e = *evaluation_;
    e.limit = options_.limit(tree().nodes(), options_.max_bytes / first_.node_bytes());
    if (options_.immediate) {
      e.count = G::moves(rules_, *e.node.state, e.moves);
      order_moves(options_, G::key(rules_, *e.node.state), e.moves, e.count);
      go_on_with(std::exchange(found_, {}));
    } else {
      ask(*e.node.state, 1);
    }
  }
  // Begins a second-level search whose root is one of `counted` nodes that count already.
  void ask(const State& state, std::uint64_t counted) {
    const std::uint64_t made = counters().nodes_created - counted;
    const std::uint64_t kept = first_.most_bytes(G::kMaxMoves);
    second_.give_room({evaluation_->limit, options_.max_nodes - std::min(options_.max_nodes, made),
                       options_.max_bytes - std::min(options_.max_bytes, kept)});
    if constexpr (!AcyclicGame<G>) {
      std::vector<State> before;
      for (const auto& step : first_.way()) before.push_back(step.state);
      if (!options_.immediate) before.pop_back();  // it is asked about the node itself
      second_.give_past(before);
    }
    second_.begin(state, claim_);
    evaluation_->asking = true;
  }
  // Goes on with the search; true if it has its answer.
  bool run_second() {
    if (!second_.run(kSlice)) return false;
    // Breuker's limit ends it where memory does, if its root has got its children.
    const bool fills_memory = options_.limit.breuker && second_.stopped() == StopReason::kMemory &&
                              second_.search().tree().node(0).edges > 0;
    if (cut_by_limit(second_.stopped()) && !fills_memory) {
      stop_reason_ = second_.stopped();
      return false;
    }
    Evaluation& e = *evaluation_;
    second_.count(e.dropped);
    second_bytes_ = std::max(second_bytes_, second_.search().used_bytes());
    const std::uint64_t below = e.node.depth + (options_.immediate ? 1 : 0);
    e.dropped.max_depth =
        std::max(e.dropped.max_depth, below + second_.search().counters().max_depth);
    e.asking = false;
    return true;
  }

  // Delayed: finds the children of the PN2 root; none if the node is decided, and needs no move.
  bool evaluate_node() {
    if (!run_second()) return false;
    Evaluation& e = *evaluation_;
    --e.dropped.nodes_created;  // the PN2 root is the node itself
    const Tree<Label>& tree = second_.search().tree();
    if (tree.node(0).decided && e.node.node != 0) {
      ++e.dropped.second_decided;
      return true;
    }
    const auto children = tree.children(tree.node(0));
    for (int i = 0; i < children.size(); ++i) {
      const auto& child = children[i];
      const Bounds bounds = child.decided ? child.bounds : unknown_;
      const Move move = children.edge(i).move;
      e.children.push_back({move, child.label, bounds, leaf_zone(after(move), bounds)});
      const bool searched =
          child.edges != 0 || second_.search().zones().by_sibling(children.edge(i).node);
      e.dropped.second_decided += searched && child.decided;
    }
    e.dropped.nodes_created -= e.children.size();
    --e.dropped.nodes_expanded;
    return true;
  }

  // Immediate: finds the way of the next child. True when there is none left.
  bool evaluate_child() {
    Evaluation& e = *evaluation_;
    if (has_all_children()) return true;
    if (counters().nodes_created >= options_.max_nodes) {
      stop_reason_ = StopReason::kNodes;
      return false;
    }
    if (!e.asking && needs_no_search()) {
      give(unknown_, {1, 1}, {});  // its parent decides it
    } else if (!e.asking) {
      leaf_way(NewLeaf{*this, e, after(next_move())});
    }
    if (e.asking) {
      if (!run_second()) return false;
      --e.dropped.nodes_created;  // the PN2 root is the child itself
      const ProbeAnswer<G> answer = second_.answer();
      const bool decided = !answer.numbers.given();
      e.dropped.second_decided += decided;
      give(answer.bounds, decided ? Label{} : Label{answer.numbers.pn, answer.numbers.dn},
           second_.search().zones().zone(0));
    }
    return has_all_children();
  }
  // One for each move, or the last one decides the node.
  bool has_all_children() const {
    const Evaluation& e = *evaluation_;
    if (e.children.empty()) return false;
    const Bounds& last = e.children.back().bounds;
    const bool broke = options_.early_break && last.decides(claim_.threshold) &&
                       last.proves(claim_.threshold) == e.node.attackers;
    return broke || e.children.size() == static_cast<std::size_t>(e.count);
  }
  Move next_move() const { return evaluation_->moves[evaluation_->children.size()]; }
  State after(Move move) const {
    State state = *evaluation_->node.state;
    G::play(rules_, state, move);
    return state;
  }
  // Does the next child lie outside the zone of one that is lost for who chooses?
  bool needs_no_search() const {
    if constexpr (ZonedGame<G>) {
      const Mover mover{evaluation_->node.attackers, claim_.threshold};
      for (const GivenChild& child : evaluation_->children) {
        const bool decided = child.bounds.decides(claim_.threshold);
        const bool won = child.bounds.proves(claim_.threshold) == mover.attacker;
        if (zones().on() && decided && !won && !child.zone.has(next_move())) return true;
      }
    }
    return false;
  }
  // Nothing was searched below the child: its zone, as far as anybody can find it out again.
  Zone<G> leaf_zone(const State& state, const Bounds& bounds) const {
    if constexpr (ZonedGame<G>) {
      const bool proved = bounds.proves(claim_.threshold);
      const Player winner = proved ? claim_.attacker : opponent(claim_.attacker);
      if (zones().on() && bounds.decides(claim_.threshold)) return zones().leaf(state, winner);
    }
    return {};
  }
  // The next child.
  void give(const Bounds& bounds, const Label& label, const Zone<G>& zone) {
    evaluation_->children.push_back({next_move(), label, bounds, zone});
  }
  Found found_so_far() const {
    if (!evaluation_ || !options_.immediate) return found_;
    Found found{{}, evaluation_->dropped, {}};
    for (const auto& [move, label, bounds, zone] : evaluation_->children) {
      found.children.push_back({label.pn, label.dn, bounds.lower(), bounds.upper()});
      if constexpr (ZonedGame<G>) {
        if (zones().on()) found.zones.insert(found.zones.end(), zone.words, std::end(zone.words));
      }
    }
    return found;
  }
  // Throws Error(kData) if they are not those of so many children.
  std::vector<Zone<G>> zones_of(const Found& found) const {
    std::vector<Zone<G>> all(found.children.size());
    if constexpr (ZonedGame<G>) {
      constexpr std::size_t kWords = std::size(Zone<G>{}.words);
      if (!zones().on()) return all;
      if (found.zones.size() != kWords * all.size()) refuse_child();
      for (std::size_t i = 0; i < found.zones.size(); ++i) {
        all[i / kWords].words[i % kWords] = found.zones[i];
      }
    }
    return all;
  }
  [[noreturn]] static void refuse_child() {
    throw Error(ErrorCode::kData,
                "the search that was resumed: a child is not what its evaluation says");
  }
  // What a file says of children. Throws Error(kData) if they cannot be.
  void go_on_with(const Found& found) {
    const std::vector<Zone<G>> zones = zones_of(found);
    for (std::size_t i = 0; i < zones.size(); ++i) {
      const FoundChild& child = found.children[i];
      if (has_all_children() || !is_possible(child, zones[i])) refuse_child();
      give(Bounds::unknown(child.lower, child.upper), {child.pn, child.dn}, zones[i]);
    }
    evaluation_->dropped = found.dropped;
  }
  // May the next child be so? What a second level has decided is believed until the proof is
  // walked.
  bool is_possible(const FoundChild& child, const Zone<G>& zone) {
    const Bounds bounds = Bounds::unknown(child.lower, child.upper);
    const State state = after(next_move());
    if (!is_possible_zone(zone, state, bounds)) return false;
    if constexpr (!AcyclicGame<G>) {
      if (const auto repeated = first_.repetition(state)) return bounds == *repeated;
    }
    if (G::finished(rules_, state)) {
      const Value value = G::value(rules_, state);
      return bounds == zones().proved(Bounds::exact(value_for(claim_.attacker, value)), claim_);
    }
    if (probe_.applies_to(state)) {
      const Bounds known = zones().proved(playproof::ask(probe_, state, claim_).bounds, claim_);
      if (known.decides(claim_.threshold)) return bounds == known;
    }
    if (!bounds.decides(claim_.threshold))
      return bounds == unknown_ && is_open({child.pn, child.dn});
    return unknown_.lower() <= child.lower && child.upper <= unknown_.upper();
  }
  // The zone of an open child is not used.
  bool is_possible_zone(const Zone<G>& zone, const State& state, const Bounds& bounds) const {
    if constexpr (ZonedGame<G>) {
      const bool decides = bounds.decides(claim_.threshold);
      return !zones().on() || !decides || zone.within(leaf_zone(state, bounds));
    }
    return true;
  }
  struct NewLeaf {
    Pn2& search;
    Evaluation& evaluation;
    State state;

    bool by_rules() {
      if constexpr (!AcyclicGame<G>) {
        if (const auto bounds = search.first_.repetition(state)) {
          give(*bounds);
          return true;
        }
      }
      if (!G::finished(search.rules_, state)) return false;
      const Value value = G::value(search.rules_, state);
      give(Bounds::exact(value_for(search.claim_.attacker, value)));
      return true;
    }
    bool by_probe() {
      if (search.probe_.applies_to(state)) {
        const Bounds bounds = playproof::ask(search.probe_, state, search.claim_).bounds;
        search.probe_.count(evaluation.dropped);
        if (bounds.decides(search.claim_.threshold)) {
          give(bounds);
          return true;
        }
      }
      search.ask(state, 0);
      return true;
    }
    void by_number() {}  // the second level says it

   private:
    void give(const Bounds& known) {
      const Bounds bounds = search.zones().proved(known, search.claim_);
      search.give(bounds, {}, search.leaf_zone(state, bounds));
    }
  };

  // Goes back to the first level.
  void settle() {
    const Evaluation& e = *evaluation_;
    const bool kept = !e.children.empty();
    const bool room =
        kept ? first_.expand(e.children)
             : first_.decide(second_.answer().bounds, second_.search().zones().zone(0));
    if (!room) return;
    add(e.dropped, &dropped_);
    evaluation_.reset();
    settled_ = true;
  }

  Rules rules_;
  State position_;
  Claim claim_;
  Options options_;
  Bounds unknown_;
  TreeProbes<G> probe_;
  First first_;
  SecondLevel<G> second_;
  std::optional<Evaluation> evaluation_;
  Found found_;                     // of an evaluation that was loaded and not taken up again
  Counters dropped_;                // what the second level created and the first has not kept
  std::uint64_t second_bytes_ = 0;  // of its tree at its largest
  bool settled_ = false;            // by the last propose()
  StopReason stop_reason_ = StopReason::kRunning;
};

}  // namespace playproof
