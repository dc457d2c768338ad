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
// would decide the root there is none, and who asks is idle until one ends. (Of other policies,
// host/jobs/policy.h, what they say.)
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
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "games/core/game.h"
#include "games/core/identity.h"
#include "host/jobs/policy.h"
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
    PhiDeltaPair threshold;        // as the side to move sees it
    std::vector<Index> path = {};  // from the root, if jobs are counted
  };

  static constexpr std::uint64_t kLeastBudget = 50;
  static constexpr std::uint64_t kJobs = 64;

  // `reckoner`: a searcher of the question that has no job; it must outlive the tree.
  JobTree(S& reckoner, std::size_t searchers)
      : reckoner_(reckoner),
        searchers_(searchers),
        policy_(job_policy(reckoner.options().policy, reckoner.options().job_depth)) {}

  // Begins with this root, as the board lies.
  void begin(const SearchJob<G>& root) {
    nodes_.clear();
    of_position_.clear();
    root_threshold_ = reckoner_.options().rule.of_root();
    queue_.clear();
    draws_.begin(reckoner_.options().seed);
    bytes_ = 0;
    add(root);
  }

  // The next job for this searcher, if there is one; `entries`: of all searchers so far.
  std::optional<Job> next(std::uint64_t entries, std::size_t searcher) {
    std::optional<Job> job = choose_job(entries, searcher);
    if (!job) return std::nullopt;
    node(job->node).busy = true;
    for (const Index at : job->path) ++node(at).jobs;
    changed(job->node);
    return job;
  }
  // A job has ended. `left`: its root with its children, if it is not decided; taken if the tree
  // wants it.
  void finish(const Job& job, const Found& found, Stack& left) {
    Node& leaf = node(job.node);
    leaf.busy = false;
    for (const Index at : job.path) --node(at).jobs;
    leaf.start.entered = true;
    note_work(job.node, found.entries);
    leaf.numbers = found.numbers;
    leaf.bounds = found.bounds;
    leaf.zone = found.zone;
    leaf.solved = found.solved;
    if (leaf.solved) ++solved_;
    const bool grows = !leaf.solved && leaf.work >= job.start.entries &&
                       policy_.grows(leaf.start.depth) && wanted(job.node);
    if (job.node == kRoot || grows) expand(leaf, left);
    changed(job.node, News::kOfTable);
  }
  // Can the job still change what is known of the root?
  bool wanted(const Job& job) const { return wanted(job.node); }
  // Nodes that were decided. Most jobs that are no longer wanted are so since it has grown; one
  // whose position the table or a zone has decided ends with its budget.
  std::uint64_t solved() const { return solved_; }

  // Of the root: what is found, and its frame, empty before the first job has ended.
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
    for (const auto& one : nodes_) {
      if (!one->frame.empty()) f(one->frame);
    }
  }
  std::uint64_t bytes() const {
    return bytes_ + nodes_.size() * (sizeof(Node) + sizeof(PositionId<G>) + kPlaceBytes);
  }
  std::size_t size() const { return nodes_.size(); }

 private:
  static constexpr Index kRoot = 0;
  static constexpr Index kNone = ~Index{0};
  static constexpr std::uint64_t kPlaceBytes = 56;  // of a node in its lists, and as a child

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
    std::uint32_t jobs = 0;  // here and below, if they are counted
    bool busy = false;
    bool solved = false;
    bool flagged = false;  // nothing is left to take here, if leaves under way are passed by
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

  Node& node(Index i) { return *nodes_[i]; }
  const Node& node(Index i) const { return *nodes_[i]; }
  Index add(const SearchJob<G>& start) {
    const auto index = static_cast<Index>(nodes_.size());
    nodes_.push_back(std::make_unique<Node>(start, reckoner_.question().unknown));
    of_position_.emplace(AnyTableQuestion<G>::id(start.state), index);
    return index;
  }
  bool wanted(Index from) const {
    std::vector<Index> open = {from};
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
  void expand(Node& leaf, Stack& left) {
    if (!leaf.frame.empty()) drop_frame(leaf);
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

  std::optional<Job> choose_job(std::uint64_t entries, std::size_t searcher) {
    if (policy_.choice == JobPolicy::Choice::kRoot) return whole_question(entries);
    if (policy_.choice == JobPolicy::Choice::kSolutionTree) return next_in_queue(entries);
    while (node(kRoot).shown.open() && !node(kRoot).flagged) {
      if (std::optional<Job> job = walk(entries, searcher)) return job;
    }
    return std::nullopt;
  }
  Job job_at(Index at, const PhiDeltaPair& threshold, std::uint64_t entries) const {
    Job job{at, node(at).start, threshold};
    job.start.entries =
        at == kRoot ? 1
                    : policy_.entries(node(at).start.depth, budget(entries), SearchLimits::kNone);
    return job;
  }

  // Goes down from the root along what is shown. Nothing if a node was met on the way that another
  // path had led to before: what it knows has changed the numbers.
  std::optional<Job> walk(std::uint64_t entries, std::size_t searcher) {
    const ThresholdRule& rule = reckoner_.options().rule;
    const PhiDeltaPair& root = node(kRoot).shown;
    PhiDeltaPair threshold = root_threshold_;
    if (rule.met(threshold, root)) threshold = rule.of_root_again(root);
    bool draws = policy_.draws(searcher);
    std::vector<Index> path;
    Index at = kRoot;
    while (!node(at).frame.empty()) {
      if (policy_.counts_jobs()) path.push_back(at);
      auto outlook = policy_.flags() ? look_at_free(at, threshold) : look(at, threshold);
      if (draws && is_leaf(at, outlook.best)) {
        outlook = draw(at, threshold, outlook);
        draws = false;
      }
      if (outlook.best < 0) throw Error(ErrorCode::kInternal, "no job where one was shown");
      const auto chosen = static_cast<std::uint32_t>(outlook.best);
      if (node(at).below[chosen] == kNone && link(at, chosen)) return std::nullopt;
      threshold = outlook.threshold;
      at = node(at).below[chosen];
    }
    if (policy_.counts_jobs()) path.push_back(at);
    Job job = job_at(at, threshold, entries);
    job.path = std::move(path);
    return job;
  }
  bool is_leaf(Index at, std::int32_t child) const {
    if (child < 0) return false;
    const Index below = node(at).below[static_cast<std::size_t>(child)];
    return below == kNone || node(below).frame.empty();
  }
  auto look(Index at, const PhiDeltaPair& threshold) {
    return look_by(at, threshold, [](std::size_t) { return true; });
  }
  // The same where what `counts` says no of is as if it were lost for who is to move.
  template <class Counts>
  auto look_by(Index at, const PhiDeltaPair& threshold, Counts&& counts) {
    Node& parent = node(at);
    const Loan loan(reckoner_, parent);
    return reckoner_.outlook(threshold, [&](std::size_t i, const Child& child) {
      const Index below = parent.below[i];
      if (!counts(i)) return kMoverWins;
      // What is put off counts as it does, whoever searches it on another path.
      if (below == kNone || !child.numbers.open()) return child.numbers;
      return child.turned_for_parent(node(below).shown);
    });
  }
  bool is_free(Index at, std::size_t child) const {
    const Index below = node(at).below[child];
    return below == kNone || !node(below).flagged;
  }
  // Without what is passed by. No child is best if nothing is left. What is left may be worth less
  // than the parent's own parent reckoned with: then the threshold is raised, lest a job end before
  // it has begun.
  auto look_at_free(Index at, const PhiDeltaPair& threshold) {
    return look_beyond(at, threshold, [&](std::size_t i) { return is_free(at, i); });
  }
  template <class Counts>
  auto look_beyond(Index at, const PhiDeltaPair& threshold, Counts&& counts) {
    auto outlook = look_by(at, threshold, counts);
    if (outlook.best >= 0 && !counts(static_cast<std::size_t>(outlook.best))) outlook.best = -1;
    if (outlook.best < 0 || !reckoner_.options().rule.met(threshold, outlook.numbers)) {
      return outlook;
    }
    const PhiDeltaPair& own = outlook.numbers;
    return look_by(at,
                   {std::max(threshold.phi, as_threshold(own.phi + 1)),
                    std::max(threshold.delta, as_threshold(own.delta + 1))},
                   counts);
  }
  // One of the children that are left to take, each as likely as the others.
  template <class Outlook>
  Outlook draw(Index at, const PhiDeltaPair& threshold, const Outlook& best) {
    const Stack& frame = node(at).frame;
    const auto children = frame.children_of(frame.root());
    std::vector<std::size_t> free;
    for (std::size_t i = 0; i < children.size(); ++i) {
      const bool open =
          children[i].numbers.open() && !reckoner_.question().decided(children[i].bounds);
      if (open && is_free(at, i)) free.push_back(i);
    }
    if (free.empty()) return best;
    const std::size_t drawn = free[draws_.below(free.size())];
    const Outlook other = look_beyond(at, threshold, [&](std::size_t i) { return i == drawn; });
    return other.best < 0 ? best : other;
  }

  // What a searcher does that searches the whole question. The first one looks at the root before
  // the others begin.
  std::optional<Job> whole_question(std::uint64_t entries) {
    const Node& root = node(kRoot);
    if (root.solved || (root.frame.empty() && root.busy)) return std::nullopt;
    if (root.frame.empty()) return job_at(kRoot, root_threshold_, entries);
    return Job{kRoot, root.start, {kPhiDeltaInfinity, kPhiDeltaInfinity}};
  }

  // The leaves of the solution tree, one after the other; then it is looked at anew.
  std::optional<Job> next_in_queue(std::uint64_t entries) {
    for (const bool again : {false, true}) {
      if (again) fill_queue();
      while (!queue_.empty()) {
        const Index at = queue_.front();
        queue_.pop_front();
        if (node(at).busy || !node(at).frame.empty() || !wanted(at)) continue;
        return job_at(at, {kPhiDeltaInfinity, kPhiDeltaInfinity}, entries);
      }
    }
    return std::nullopt;
  }
  void fill_queue() {
    while (!node(kRoot).solved && !gather()) {
    }
  }
  // False if a node was met that another path had led to before, as in walk().
  bool gather() {
    queue_.clear();
    const PhiDeltaPair& root = node(kRoot).numbers;
    const bool attackers_lead = root.phi <= root.delta;  // they are to move there
    std::vector<Index> open = {kRoot};
    std::set<Index> seen;
    while (!open.empty() && queue_.size() < JobPolicy::kMostQueued) {
      const Index at = open.back();
      open.pop_back();
      if (node(at).solved || !seen.insert(at).second) continue;
      if (node(at).frame.empty()) {
        if (!node(at).busy) queue_.push_back(at);
        continue;
      }
      for (const std::uint32_t i : of_solution_tree(at, attackers_lead)) {
        if (node(at).below[i] == kNone && link(at, i)) return false;
        open.push_back(node(at).below[i]);
      }
    }
    return true;
  }
  // The last one is looked at first.
  std::vector<std::uint32_t> of_solution_tree(Index at, bool attackers_lead) {
    const auto best = static_cast<std::uint32_t>(look(at, root_threshold_).best);
    const Stack& frame = node(at).frame;
    const auto children = frame.children_of(frame.root());
    const bool leads = frame.root().attackers == attackers_lead;
    std::vector<std::uint32_t> chosen;
    for (auto i = static_cast<std::uint32_t>(children.size()); i-- > 0;) {
      const Child& child = children[i];
      const bool open = child.numbers.open() && !reckoner_.question().decided(child.bounds);
      const bool as_good =
          child.numbers.delta == children[best].numbers.delta && child.cost == children[best].cost;
      if (i == best || (open && (!leads || as_good))) chosen.push_back(i);
    }
    return chosen;
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
      node(below).start.entered = child.entered;
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
      const bool is_news = reckon(at, news) || always;
      always = false;
      if (at == kRoot) note_root();  // its children may have other numbers, and it the same
      if (!is_news) continue;
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
    const bool was_flagged = one.flagged;
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
      const bool attackers = reckoner_.question().is_attackers(one.start.state);
      one.shown = policy_.shown(one.numbers, attackers);
    } else if (one.frame.empty() || !policy_.shows_jobs()) {
      one.shown = one.numbers;
    } else {
      one.shown = policy_.with_jobs(look(at, root_threshold_).numbers, one.jobs);
    }
    one.flagged = policy_.flags() && !one.solved &&
                  (one.frame.empty() ? one.busy : look_at_free(at, root_threshold_).best < 0);
    return one.numbers != before || one.shown != shown_before || one.solved != was_solved ||
           one.flagged != was_flagged || one.bounds != bounds_before;
  }

  S& reckoner_;
  std::size_t searchers_;
  JobPolicy policy_;
  JobDraws draws_;
  std::deque<Index> queue_;  // leaves of a solution tree
  std::vector<std::unique_ptr<Node>> nodes_;
  std::unordered_map<PositionId<G>, Index, Hash> of_position_;
  PhiDeltaPair root_threshold_;
  std::uint64_t bytes_ = 0;  // of frames
  std::uint64_t solved_ = 0;
  std::uint64_t looks_ = 0;
};

}  // namespace playproof
