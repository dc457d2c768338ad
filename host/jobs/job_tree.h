// The tree of jobs: the positions near the root that several searchers share, each once whatever
// the paths to it, with all its children; below its leaves searchers have jobs. So no searcher is
// in another's way, and what was found near the root is never lost, however small the table is. (As
// SPDFPN, Pawlewicz and Hayward 2013, but that its upper layer stands in the table, where it can be
// lost; a tree over df-pn jobs: nelhage's PN-DFPN in ultimattt.)
//
// A job is a leaf of the tree, called as its parent would call it in df-pn: with the thresholds
// that follow along the path from the root (host/table/thresholds.h), and with a budget of node
// entries. Who has a job shows its parent the likely outcome, as if it were proven: a win of the
// side to move if phi <= delta, else a loss. So the next job is the one that counts if the others
// end as they should; these virtual numbers never enter a table or a proof. If all jobs together
// would decide the root there is none, and who asks is idle until one ends.
//
// A leaf is expanded when its jobs have used a budget: its children are those that the job leaves.
// Budgets grow with the search, so that the tree stays small: kLeastBudget entries, or that share
// of all entries so far which leaves kJobs jobs for each searcher.
//
// `S` is a searcher whose numbers are phi and delta (host/table/depth_first.h); the tree lends it
// the frames of its nodes to reckon with, as if they stood on its stack.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "games/core/game.h"
#include "games/core/identity.h"
#include "host/table/any_searcher.h"
#include "host/table/any_table_question.h"
#include "host/table/thresholds.h"
#include "kernels/numbers/bounds.h"
#include "kernels/numbers/phi_delta.h"

namespace playproof {

template <class S>
class JobTree {
  using G = typename S::GameType;
  using State = typename G::State;
  using Stack = typename S::Stack;
  using Child = typename S::Child;
  using Found = typename S::Found;

 public:
  using Index = std::uint32_t;
  struct Job {
    Index node;
    SearchJob<G> start;
    PhiDeltaPair threshold;  // as the side to move sees it
  };

  static constexpr std::uint64_t kLeastBudget = 50;
  static constexpr std::uint64_t kJobs = 64;

  // `reckoner`: a searcher of the question that has no job; it must outlive the tree.
  JobTree(S& reckoner, std::size_t searchers) : reckoner_(reckoner), searchers_(searchers) {}

  // Begins with this root, as the board lies.
  void begin(const SearchJob<G>& root) {
    nodes_.clear();
    of_position_.clear();
    root_threshold_ = reckoner_.options().rule.of_root();
    bytes_ = 0;
    add(root);
  }

  // The next job, if there is one; `entries`: of all searchers so far.
  std::optional<Job> next(std::uint64_t entries) {
    while (node(kRoot).shown.open()) {
      if (std::optional<Job> job = walk(entries)) {
        node(job->node).busy = true;
        changed(job->node);
        return job;
      }
    }
    return std::nullopt;
  }
  // A job has ended. `left`: its root with its children, if it is not decided; taken if the tree
  // wants it.
  void finish(const Job& job, const Found& found, Stack& left) {
    Node& leaf = node(job.node);
    leaf.busy = false;
    note_work(job.node, found.entries);
    leaf.numbers = found.numbers;
    leaf.bounds = found.bounds;
    leaf.zone = found.zone;
    leaf.solved = found.solved;
    if (leaf.solved) ++solved_;
    if (job.node == kRoot || (!leaf.solved && leaf.work >= job.start.entries)) expand(leaf, left);
    changed(job.node, News::kOfTable);
  }
  // Can the job still change what is known of the root?
  bool wanted(const Job& job) const {
    std::vector<Index> open = {job.node};
    std::set<Index> seen;
    while (!open.empty()) {
      const Index at = open.back();
      open.pop_back();
      if (node(at).solved || !seen.insert(at).second) continue;
      if (at == kRoot) return true;
      for (const auto& [parent, i] : node(at).parents) {
        if (listens(parent, i)) open.push_back(parent);
      }
    }
    return false;
  }
  // Nodes that were decided: as long as it stays, every job that was wanted still is.
  std::uint64_t solved() const { return solved_; }

  // Of the root: what is found, and its frame, empty before the first job has ended and once it is
  // decided by a job of its own.
  PhiDeltaPair numbers() const { return node(kRoot).numbers; }
  const Bounds& bounds() const { return node(kRoot).bounds; }
  const Zone<G>& zone() const { return node(kRoot).zone; }
  bool decided() const { return node(kRoot).solved; }
  const Stack& root() const { return node(kRoot).frame; }
  Stack& lend_root() { return node(kRoot).frame; }
  // How often the root was looked at.
  std::uint64_t looks() const { return looks_; }
  template <class F>
  void for_each_frame(F&& f) const {
    for (const Node& one : nodes_) {
      if (!one.frame.empty()) f(one.frame);
    }
  }
  std::uint64_t bytes() const { return bytes_ + nodes_.size() * sizeof(Node); }
  std::size_t size() const { return nodes_.size(); }

 private:
  static constexpr Index kRoot = 0;
  static constexpr Index kNone = ~Index{0};

  struct Node {
    Node(const SearchJob<G>& job, const Bounds& unknown) : start(job), bounds(unknown) {}

    SearchJob<G> start;
    Stack frame;               // one position with its children; none: a leaf of the tree
    std::vector<Index> below;  // of its children, those that were chosen once
    std::vector<std::pair<Index, std::uint32_t>> parents;  // as which of their children
    PhiDeltaPair numbers;                                  // as the side to move sees them
    PhiDeltaPair shown;  // the same with the likely outcomes of jobs
    Bounds bounds;
    Zone<G> zone;  // once it is solved
    std::uint64_t work = 0;
    bool busy = false;
    bool solved = false;
  };
  struct Hash {
    std::size_t operator()(const PositionId<G>& id) const { return id.hash(); }
  };
  // Lends the frame of a node to the reckoner.
  class Loan {
   public:
    Loan(S& reckoner, Node& node) : reckoner_(reckoner), node_(node) {
      reckoner_.exchange(node_.frame);
    }
    ~Loan() { reckoner_.exchange(node_.frame); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;

   private:
    S& reckoner_;
    Node& node_;
  };

  enum class News : bool { kOfJobs, kOfTable };

  Node& node(Index i) { return nodes_[i]; }
  const Node& node(Index i) const { return nodes_[i]; }
  Index add(const SearchJob<G>& start) {
    const auto index = static_cast<Index>(nodes_.size());
    nodes_.emplace_back(start, reckoner_.question().unknown);
    of_position_.emplace(AnyTableQuestion<G>::id(start.state), index);
    return index;
  }
  void expand(Node& leaf, Stack& left) {
    std::swap(leaf.frame, left);
    leaf.frame.shrink();
    leaf.below.assign(leaf.frame.root().count, kNone);
    bytes_ += leaf.frame.bytes() + leaf.below.size() * sizeof(Index);
  }
  void drop_frame(Node& solved) {
    bytes_ -= solved.frame.bytes() + solved.below.size() * sizeof(Index);
    solved.frame = {};
    solved.below = {};
  }
  // Of the first way to the node: the table counts so, too.
  void note_work(Index at, std::uint64_t entries) {
    node(at).work += entries;
    while (!node(at).parents.empty()) {
      at = node(at).parents.front().first;
      node(at).work += entries;
    }
  }
  // Does it matter to the parent what its child is worth?
  bool listens(Index parent, std::uint32_t child) const {
    const Stack& frame = node(parent).frame;
    return !node(parent).solved &&
           !reckoner_.question().decided(frame.children_of(frame.root())[child].bounds);
  }
  std::uint64_t budget(std::uint64_t entries) const {
    return std::max<std::uint64_t>(kLeastBudget, entries / (kJobs * searchers_));
  }

  // Goes down from the root along what is shown. Nothing if a node was met on the way that another
  // path had led to before: what it knows has changed the numbers.
  std::optional<Job> walk(std::uint64_t entries) {
    const ThresholdRule& rule = reckoner_.options().rule;
    const PhiDeltaPair& root = node(kRoot).shown;
    PhiDeltaPair threshold = root_threshold_;
    if (rule.met(threshold, root)) threshold = rule.of_root_again(root);
    Index at = kRoot;
    while (!node(at).frame.empty()) {
      const auto outlook = look(at, threshold);
      const auto chosen = static_cast<std::uint32_t>(outlook.best);
      if (node(at).below[chosen] == kNone && link(at, chosen)) return std::nullopt;
      threshold = outlook.threshold;
      at = node(at).below[chosen];
    }
    Job job{at, node(at).start, threshold};
    job.start.entries = at == kRoot ? 1 : budget(entries);
    return job;
  }
  auto look(Index at, const PhiDeltaPair& threshold) {
    Node& parent = node(at);
    const Loan loan(reckoner_, parent);
    return reckoner_.outlook(threshold, [&](std::size_t i, const Child& child) {
      const Index below = parent.below[i];
      // What is put off counts as it does, whoever searches it on another path.
      if (below == kNone || !child.numbers.open()) return child.numbers;
      return child.turned_for_parent(node(below).shown);
    });
  }
  // The child gets its node. True if that was there before.
  bool link(Index at, std::uint32_t chosen) {
    const Child child = node(at).frame.children_of(node(at).frame.root())[chosen];
    const auto known = of_position_.find(AnyTableQuestion<G>::id(child.state));
    const bool was_there = known != of_position_.end();
    const Index below =
        was_there ? known->second
                  : add({child.state, child.hash, child.symmetric, node(at).start.depth + 1});
    node(at).below[chosen] = below;
    node(below).parents.emplace_back(at, chosen);
    if (!was_there) {
      node(below).numbers = node(below).shown = child.turned_for_parent(child.numbers);
      return false;
    }
    tell(at, chosen);
    changed(at);
    return true;
  }
  // A node tells a parent what is found of it.
  void tell(Index at, std::uint32_t chosen) {
    Node& parent = node(at);
    const Node& child = node(parent.below[chosen]);
    const Loan loan(reckoner_, parent);
    reckoner_.take_child(chosen, {child.numbers, child.bounds, child.zone, child.solved, 0});
  }

  // What is known or shown of a node has changed: so has, maybe, what its parents say. The deepest
  // are asked first.
  void changed(Index from, News news = News::kOfJobs) {
    std::set<std::pair<std::uint32_t, Index>> open = {{node(from).start.depth, from}};
    bool always = true;
    while (!open.empty()) {
      const Index at = std::prev(open.end())->second;
      open.erase(std::prev(open.end()));
      if (!reckon(at, news) && !always) continue;
      always = false;
      if (at == kRoot) note_root();
      for (const auto& [parent, i] : node(at).parents) {
        if (!listens(parent, i)) continue;
        tell(parent, i);
        open.emplace(node(parent).start.depth, parent);
      }
    }
  }
  void note_root() {
    ++looks_;
    const ThresholdRule& rule = reckoner_.options().rule;
    const Node& root = node(kRoot);
    if (!root.solved && rule.met(root_threshold_, root.numbers)) {
      root_threshold_ = rule.of_root_again(root.numbers);
    }
  }
  // Takes numbers and outcome of a node from its children. True if that is news.
  bool reckon(Index at, News news) {
    Node& one = node(at);
    const PhiDeltaPair before = one.numbers;
    const PhiDeltaPair shown_before = one.shown;
    const bool was_solved = one.solved;
    const Bounds bounds_before = one.bounds;
    if (!one.solved && !one.frame.empty()) {
      const Loan loan(reckoner_, one);
      // A job may have met positions of its siblings.
      if (news == News::kOfTable) {
        reckoner_.refresh_top([&](std::size_t i) { return one.below[i] != kNone; });
      }
      const Found found = reckoner_.settle(one.work);
      one.numbers = found.numbers;
      one.bounds = found.bounds;
      one.zone = found.zone;
      one.solved = found.solved;
    }
    if (one.solved) {
      one.shown = one.numbers;
      solved_ += !was_solved;
      if (!one.frame.empty() && at != kRoot) drop_frame(one);
    } else if (one.busy) {
      one.shown = one.numbers.phi <= one.numbers.delta ? kMoverWins : kMoverLoses;
    } else {
      one.shown = one.frame.empty() ? one.numbers : look(at, root_threshold_).numbers;
    }
    return one.numbers != before || one.shown != shown_before || one.solved != was_solved ||
           one.bounds != bounds_before;
  }

  S& reckoner_;
  std::size_t searchers_;
  std::deque<Node> nodes_;
  std::unordered_map<PositionId<G>, Index, Hash> of_position_;
  PhiDeltaPair root_threshold_;
  std::uint64_t bytes_ = 0;  // of frames
  std::uint64_t solved_ = 0;
  std::uint64_t looks_ = 0;
};

}  // namespace playproof
