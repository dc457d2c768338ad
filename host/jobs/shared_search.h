// A depth-first search with a table by several searchers of one question. They share what the
// question knows (host/table/table_question.h), table and patterns, and a tree of jobs
// (host/jobs/job_tree.h); each has its own stack. Who finds no job is idle.
//
// In one thread they take turns, in the order of their numbers, and what they do is a function of
// how many they are and of the seed. A turn ends after kTurn node entries, or when children need
// playouts: the leaves of one turn of all are one batch, whose tallies they take, in their order,
// when all have had their turn. So N searchers give a device N times the leaves of one.
//
// With options.threads each has a thread of its own (host/drive/workers.h), and what they do is a
// function of nothing that is known. Jobs are given and taken back under one lock, some tens of
// node entries apart; on the way there is none. Of entries that may still be made each takes
// some at a time. Where the table has to grow, or a limit is met, all rest.
//
// A search that is saved keeps what the question knows, not who was where: the searchers of the one
// that is resumed begin with an empty tree, over the table.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "games/core/connection.h"
#include "games/core/error.h"
#include "games/core/game.h"
#include "games/core/own_lines.h"
#include "host/archive/archive.h"
#include "host/drive/workers.h"
#include "host/jobs/job_tree.h"
#include "host/jobs/policy.h"
#include "host/jobs/timed_waits.h"
#include "host/question/counters.h"
#include "host/question/question.h"
#include "host/question/worker_times.h"
#include "host/table/any_table_search.h"
#include "host/table/kept_table.h"
#include "host/table/position_table.h"
#include "host/table/table_search.h"

namespace playproof {

template <class S>
class SharedSearch final : public AnyTableSearch<typename S::GameType>,
                           public Workers<typename S::GameType> {
  using G = typename S::GameType;
  using Base = AnyTableSearch<G>;

 public:
  using typename Base::Rules;
  using typename Base::State;
  using Options = typename S::Options;
  using Stack = typename S::Stack;
  using Question = typename S::Question;
  using Table = typename Question::Table;

  static constexpr std::uint32_t kTurn = 16;

  // options.searchers of them.
  [[gnu::cold]] SharedSearch(const Rules& rules, const State& position, const Claim& claim,
                             const Options& options)
      : SharedSearch(rules, position, claim, options, Table(options.table)) {}
  // Goes on with the table of another search, of the same rules, attacker and options.
  [[gnu::cold]] SharedSearch(const Rules& rules, const State& position, const Claim& claim,
                             const Options& options, Table&& table)
      : Base(std::make_unique<Question>(rules, claim, options, options.symmetry, std::move(table))),
        question_(static_cast<Question&>(this->own_question())),
        reckoner_(question_, options),
        tree_(reckoner_, static_cast<std::size_t>(options.searchers)),
        team_(static_cast<std::size_t>(options.searchers)) {
    for (std::size_t i = 0; i < team_.size(); ++i) {
      team_[i].number = i;
      team_[i].searcher = std::make_unique<S>(question_, options_of(i, options));
    }
    if (options.threads) {
      question_.share(team_.size());
      reckoner_.count_apart(of_table_);
      for (Member& member : team_) member.searcher->count_apart(member.of_table);
    }
    begin(position, claim, options.max_nodes);
  }

  void begin(const State& position, const Claim& claim,
             std::uint64_t max_nodes = SearchLimits::kNone) override {
    question_.begin(position, claim, max_nodes);
    before_ = {};
    peak_ = 0;
    begin_anew();
  }
  std::uint32_t propose(std::uint32_t calls, std::vector<LeafRequest<G>>& requests) override {
    root_changed_ = false;
    std::uint32_t made = 0;
    while (made < calls && !(root_changed_ && made > 0) &&
           question_.stop_reason == StopReason::kRunning) {
      if (at_ < team_.size()) {
        made += take_turn(calls - made, requests);
      } else if (asked_ == 0) {
        end_round();
      } else {
        break;
      }
    }
    return made;
  }
  void absorb(std::span<const Tally> tallies) override {
    asked_ -= std::min(asked_, tallies.size());
    if (question_.stop_reason == StopReason::kDecided) return;  // what others would do is not done
    tallies_.insert(tallies_.end(), tallies.begin(), tallies.end());
    // At a limit the round is not gone through with: what has been played is counted.
    const bool ends = at_ == team_.size() || question_.stop_reason != StopReason::kRunning;
    if (ends && asked_ == 0) end_round();
  }

  Workers<G>* threads() override { return options().threads ? this : nullptr; }
  std::size_t workers() const override { return team_.size(); }
  bool begin_run(std::uint64_t entries) override {
    sum_bytes();
    root_changed_ = false;
    if (!question_.room_for_call(0)) return false;
    const std::uint64_t left = question_.max_nodes - question_.entries;
    next_entry_ = question_.entries;
    end_ = question_.entries + std::min(left, entries);
    taken_places_ = 0;
    // Places are told of with each share: a table that is to grow is not overfilled before.
    const std::uint64_t places = question_.table.size() / 2;
    share_ = std::clamp<std::uint64_t>(std::min({left, entries, places}) / (4 * team_.size()), 1,
                                       kShare);
    resting_.store(false, std::memory_order_relaxed);
    return true;
  }
  std::uint32_t propose(std::size_t i, std::uint32_t calls,
                        std::vector<LeafRequest<G>>& requests) override {
    Member& member = team_[i];
    while (!resting()) {
      if (member.job && member.unwanted.load(std::memory_order_relaxed)) member.searcher->stop();
      if (member.job && member.searcher->done()) hand_in(member);
      if ((!member.job && !wait_for_job(member)) || !take_entries(member)) break;
      const std::uint32_t most = std::min<std::uint32_t>(calls, member.entries);
      const std::uint32_t made =
          member.searcher->propose_while(most, requests, [] { return true; });
      member.entries -= made;
      member.made += made;
      if (member.searcher->done()) hand_in(member);
      if (made > 0) return made;
    }
    return 0;
  }
  void absorb(std::size_t i, std::span<const Tally> tallies) override {
    Member& member = team_[i];
    member.searcher->absorb(tallies);
    if (member.job && member.searcher->done()) hand_in(member);
  }
  void rest() override {
    {
      const std::lock_guard lock(mutex_);
      resting_.store(true, std::memory_order_relaxed);
    }
    jobs_changed_.notify_all();
  }
  bool resting() const override { return resting_.load(std::memory_order_relaxed); }
  void end_run() override {
    for (Member& member : team_) {
      question_.entries += std::exchange(member.made, 0);
      question_.table.take(std::exchange(member.of_table, {}));
      member.entries = 0;
      member.told = 0;
    }
    question_.table.take(std::exchange(of_table_, {}));
    sum_bytes();
  }

  WorkerWaits take_waits(std::size_t i) override { return std::exchange(team_[i].waits, {}); }

  // For tallies of what was proposed last. Those of a round that is not over wait here.
  bool waiting() const override { return asked_ > 0; }
  bool root_changed() const override { return root_changed_; }
  const GameProbe<G>& probe() const override { return reckoner_.probe(); }
  const Options& options() const override { return reckoner_.options(); }
  Counters counters() const override {
    std::uint64_t stacks = 0;
    for (const Member& member : team_) stacks += member.searcher->peak_stack();
    return with_table(own_counters(), question_, stacks + std::max(peak_, tree_.bytes()));
  }
  bool plays() const override { return reckoner_.plays(); }
  std::vector<Move> root_ties() const override {
    return of_root([](const S& root) { return root.root_ties(); });
  }
  Zone<G> zone() const override { return tree_.zone(); }
  const Table& table() const { return question_.table; }
  const JobTree<S>& tree() const { return tree_; }
  // Turns in which a searcher found no job.
  std::uint64_t idle_turns() const { return idle_; }

  std::size_t root_children() const override {
    return tree_.root().empty() ? 0 : tree_.root().root().count;
  }
  const AnyCallChild<G>& root_child(std::size_t i) const override {
    return tree_.root().children_of(tree_.root().root())[i];
  }
  void for_each_held(const std::function<void(const AnyCallChild<G>&)>& f) const override {
    tree_.for_each_frame([&](const Stack& frame) { frame.for_each_child(f); });
    for (const Member& member : team_) member.searcher->stack().for_each_child(f);
  }
  std::optional<NodeNumbers> shown_root() const override {
    return of_root([](const S& root) { return root.shown_root(); });
  }
  NodeNumbers shown_child(std::size_t i) const override {
    return S::shown(tree_.root().children_of(tree_.root().root())[i]);
  }
  NodeNumbers shown_place(std::uint64_t place, bool attackers) const override {
    return S::shown(table().entry(place), attackers);
  }

  [[gnu::cold]] void serialize(Saver& saver) override { serialize_all(saver); }
  [[gnu::cold]] void serialize(Loader& loader) override { serialize_all(loader); }
  [[gnu::cold]] std::unique_ptr<KeptTable> make_room(std::string question) const override {
    return std::make_unique<KeptPositions<Table>>(std::move(question));
  }
  [[gnu::cold]] void give_table(KeptTable& room) noexcept override {
    static_cast<KeptPositions<Table>&>(room).table.emplace(std::move(question_.table));
  }
  [[gnu::cold]] std::unique_ptr<Base> another(const State& position, const Claim& claim,
                                              std::uint64_t table_bytes) const override {
    return TableSearch<S>::make_unbounded(question_, options(), position, claim, table_bytes);
  }

 private:
  struct alignas(kOwnLines) Member {
    std::size_t number = 0;
    std::unique_ptr<S> searcher;
    std::optional<typename JobTree<S>::Job> job;
    std::size_t asked = 0;  // leaves of this round
    // On a thread of its own; the others change nothing but `unwanted`.
    std::atomic<bool> unwanted = false;  // the job can no longer matter
    std::uint32_t entries = 0;           // that it has taken, and may make
    std::uint64_t made = 0;              // in this run
    TableCounters of_table;              // what it has counted of the table in this run
    std::uint64_t told = 0;              // places of the table, of those that it has taken
    WorkerWaits waits;                   // on a thread of its own
  };
  static constexpr std::uint64_t kShare = 64;  // entries that a thread takes at a time

  static Options options_of(std::size_t searcher, Options options) {
    if (job_policy(options.policy).choice == JobPolicy::Choice::kRoot && searcher > 0) {
      options.random_order = true;
      options.order_seed = mix64(options.order_seed + searcher);
    }
    return options;
  }
  void begin_anew() {
    reckoner_.begin();
    tree_.begin(reckoner_.job());
    for (Member& member : team_) {
      member.searcher->begin();
      member.job.reset();
      member.asked = 0;
      member.unwanted = false;
    }
    at_ = 0;
    left_ = kTurn;
    asked_ = 0;
    tallies_.clear();
    idle_ = 0;
    root_changed_ = false;
  }

  // Goes on with the turn of whose it is; returns the entries made.
  std::uint32_t take_turn(std::uint32_t calls, std::vector<LeafRequest<G>>& requests) {
    Member& member = team_[at_];
    if (member.job && member.searcher->done()) take_result(member);  // another has stopped it
    if (question_.stop_reason == StopReason::kDecided) return 0;
    if (!member.job && !give_job(member)) {
      if (question_.stop_reason == StopReason::kDecided) return 0;
      ++idle_;
      end_turn();
      return 0;
    }
    const std::size_t before = requests.size();
    const std::uint32_t made = member.searcher->propose(std::min(calls, left_), requests);
    left_ -= made;
    member.asked = requests.size() - before;
    asked_ += member.asked;
    if (member.searcher->done()) take_result(member);
    if (left_ == 0 || member.searcher->waiting()) end_turn();
    return made;
  }
  void end_turn() {
    ++at_;
    left_ = kTurn;
  }
  // All have had their turn, and all tallies are there.
  void end_round() {
    std::span<const Tally> rest = tallies_;
    for (Member& member : team_) {
      if (member.asked == 0) continue;
      member.searcher->absorb(rest.first(member.asked));
      rest = rest.subspan(member.asked);
      member.asked = 0;
      if (member.searcher->done()) take_result(member);
      if (question_.stop_reason == StopReason::kDecided) break;
    }
    tallies_.clear();
    at_ = 0;
    sum_bytes();
  }
  void sum_bytes() {
    question_.bytes_elsewhere = tree_.bytes();
    for (const Member& member : team_) {
      question_.bytes_elsewhere += member.searcher->stack().bytes();
    }
    peak_ = std::max(peak_, tree_.bytes());
  }
  // A thread: takes entries if it has none left. False if there are none, or the table is full.
  bool take_entries(Member& member) {
    if (member.entries > 0) return true;
    const std::uint64_t places = member.of_table.stored - member.of_table.replaced;
    const std::uint64_t news = places - std::exchange(member.told, places);
    const std::uint64_t taken = taken_places_.fetch_add(news, std::memory_order_relaxed) + news;
    const std::uint64_t first = next_entry_.fetch_add(share_, std::memory_order_relaxed);
    const Table& table = question_.table;
    const bool full = table.wants_to_grow(taken) || table.wants_to_collect(taken);
    if (first >= end_ || (full && taken > 0)) {
      rest();
      return false;
    }
    member.entries = static_cast<std::uint32_t>(std::min(share_, end_ - first));
    return true;
  }
  // False if all are to rest.
  bool wait_for_job(Member& member) {
    std::unique_lock lock = lock_timed(mutex_, member.waits.lock_seconds);
    while (!resting()) {
      if (give_job(member)) return true;
      if (question_.stop_reason == StopReason::kDecided) {
        resting_.store(true, std::memory_order_relaxed);
        jobs_changed_.notify_all();
        return false;
      }
      const bool any = std::any_of(team_.begin(), team_.end(),
                                   [](const Member& other) { return other.job.has_value(); });
      if (!any) throw Error(ErrorCode::kInternal, "no searcher has a job, and there is none");
      ++idle_;
      const WaitWatch watch(member.waits.idle_seconds);
      jobs_changed_.wait(lock);
    }
    return false;
  }
  void hand_in(Member& member) {
    {
      const std::unique_lock lock = lock_timed(mutex_, member.waits.lock_seconds);
      if (question_.stop_reason == StopReason::kDecided) {  // it comes too late
        member.job.reset();
      } else {
        take_result(member);
      }
      if (question_.stop_reason == StopReason::kDecided) {
        resting_.store(true, std::memory_order_relaxed);
      }
    }
    jobs_changed_.notify_all();
  }
  // The search may be decided then: who looks for a job may find a position that the tree knew on
  // another path.
  bool give_job(Member& member) {
    member.unwanted.store(false, std::memory_order_relaxed);
    const std::uint64_t entries =
        options().threads ? next_entry_.load(std::memory_order_relaxed) : question_.entries;
    const std::uint64_t looks = tree_.looks();
    member.job = tree_.next(entries, member.number);
    root_changed_ = root_changed_ || tree_.looks() > looks;
    note_root();
    if (!member.job) return false;
    member.searcher->start(member.job->start, member.job->threshold);
    return true;
  }
  // The job is done: what that says of the root, and of the jobs of others.
  void take_result(Member& member) {
    const std::uint64_t looks = tree_.looks();
    const std::uint64_t solved = tree_.solved();
    tree_.finish(*member.job, member.searcher->found(), member.searcher->own_stack());
    member.job.reset();
    root_changed_ = root_changed_ || tree_.looks() > looks;
    note_root();
    if (tree_.decided()) return;
    // What stands beside the table grows with the jobs; begin_run() says the same then.
    if (options().threads && bytes_of_jobs() > question_.max_bytes) {
      resting_.store(true, std::memory_order_relaxed);
    }
    if (tree_.solved() == solved) return;
    for (Member& other : team_) {
      if (!other.job || tree_.wanted(*other.job)) continue;
      if (options().threads) {
        other.unwanted.store(true, std::memory_order_relaxed);
      } else {
        other.searcher->stop();
      }
    }
  }
  void note_root() {
    question_.bounds = tree_.bounds();
    if (!tree_.decided()) return;
    root_changed_ = true;
    question_.best = best_move_of_root();
    question_.stop_reason = StopReason::kDecided;
  }
  std::uint64_t bytes_of_jobs() const {
    return question_.table.bytes() + question_.pattern_bytes() + tree_.bytes();
  }
  Move best_move_of_root() const {
    return of_root([&](const S& root) { return root.best_of_top(tree_.bounds()); });
  }
  // What a searcher says that has the root on its stack.
  auto of_root(auto&& f) const {
    Stack& root = tree_.lend_root();
    reckoner_.exchange(root);
    auto answer = f(static_cast<const S&>(reckoner_));
    reckoner_.exchange(root);
    return answer;
  }

  // What one searcher without threads has saved: what the question knew.
  [[gnu::cold]] void load_of_one(Loader& loader) {
    TableSearch<S> one(question_.rules, question_.position, question_.claim, options());
    one.serialize(loader);
    const AnyTableQuestion<G>& known = one.question();
    question_.bounds = known.bounds;
    question_.best = known.best;
    question_.stop_reason = known.stop_reason;
    question_.entries = known.entries;
    question_.table_before = known.table_before;
    question_.patterns = known.patterns;
    KeptPositions<Table> table("");
    one.give_table(table);
    question_.table = std::move(*table.table);
    question_.share(team_.size());
    begin_anew();
    before_ = one.own_counters();
  }
  template <class Archive>
  [[gnu::cold]] void serialize_all(Archive& archive) {
    if constexpr (Archive::kLoading) {
      if (options().threads && options().alone_before) return load_of_one(archive);
    }
    Counters sum = own_counters();
    Value lower = question_.bounds.lower();
    Value upper = question_.bounds.upper();
    archive(sum, question_.stop_reason, question_.table_before, question_.best, lower, upper);
    reckoner_.serialize_question(archive);
    if constexpr (Archive::kLoading) {
      begin_anew();
      before_ = sum;
      const Bounds& any = question_.unknown;
      archive.check(any.lower() <= lower && lower <= upper && upper <= any.upper(),
                    "bounds that no position has");
      question_.bounds = Bounds::unknown(lower, upper);
      question_.entries = sum.iterations;
      const bool ended = question_.stop_reason == StopReason::kDecided;
      archive.check(ended == question_.decided(question_.bounds),
                    "the search ended for another reason than it says");
      archive.check(ended ? reckoner_.is_legal(question_.position, question_.best)
                          : question_.best == kNoMove,
                    "a best move that is none");
      archive.check(sum.of_tree() && sum.nodes_created == 0 && sum.peak_bytes == 0 &&
                        question_.table.counters().has_grown_from(question_.table_before),
                    "counts that a search with its table has not");
      // The limits may be others now.
      if (!ended) question_.stop_reason = StopReason::kRunning;
    }
  }
  Counters own_counters() const {
    Counters sum = before_;
    add(sum, reckoner_.counters());
    for (const Member& member : team_) add(sum, member.searcher->counters());
    return sum;
  }
  static void add(Counters& sum, const Counters& other) {
    const std::uint64_t depth = std::max(sum.max_depth, other.max_depth);
    for (const CounterField& field : kCounterFields) sum.*field.value += other.*field.value;
    sum.max_depth = depth;
  }

  Question& question_;
  mutable S reckoner_;
  mutable JobTree<S> tree_;
  std::deque<Member> team_;
  std::size_t at_ = 0;          // whose turn it is
  std::uint32_t left_ = kTurn;  // entries of the turn
  std::size_t asked_ = 0;       // leaves that are being played
  std::vector<Tally> tallies_;  // of this round
  bool root_changed_ = false;
  std::uint64_t idle_ = 0;
  std::uint64_t peak_ = 0;  // bytes of the tree
  Counters before_;         // of a search that was saved

  // Threads. The lock is that of the tree, and of what of the question and of members changes with
  // it.
  alignas(kOwnLines) std::mutex mutex_;
  TableCounters of_table_;  // what was counted with it
  std::condition_variable jobs_changed_;
  alignas(kOwnLines) std::atomic<std::uint64_t> next_entry_ = 0;  // that nobody has taken
  std::atomic<std::uint64_t> taken_places_ = 0;  // of the table in this run, as far as told
  alignas(kOwnLines) std::atomic<bool> resting_ = true;
  std::uint64_t end_ = 0;  // no entries from here on
  std::uint64_t share_ = kShare;
};

}  // namespace playproof
