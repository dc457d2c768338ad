// A depth-first search with a table by several searchers of one question, in one thread: they take
// turns, in the order of their numbers, and what they do is a function of how many they are and of
// the seed. They share what the question knows (host/table/table_question.h), table and patterns,
// and a tree of jobs (host/jobs/job_tree.h); each has its own stack. A turn ends after kTurn node
// entries, or when children need playouts: the leaves of one turn of all are one batch, whose
// tallies they take, in their order, when all have had their turn. So N searchers give a device N
// times the leaves of one. Who finds no job when his turn comes is idle.
//
// A search that is saved keeps what the question knows, not who was where: the searchers of the one
// that is resumed begin with an empty tree, over the table.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "games/core/connection.h"
#include "host/archive/archive.h"
#include "host/jobs/job_tree.h"
#include "host/question/counters.h"
#include "host/question/question.h"
#include "host/table/any_table_search.h"
#include "host/table/kept_table.h"
#include "host/table/table_search.h"

namespace playproof {

template <class S>
class SharedSearch final : public AnyTableSearch<typename S::GameType> {
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
    for (Member& member : team_) member.searcher = std::make_unique<S>(question_, options);
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
    while (made < calls && !root_changed_ && question_.stop_reason == StopReason::kRunning) {
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
    if (at_ == team_.size() && asked_ == 0) end_round();
  }

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
  struct Member {
    std::unique_ptr<S> searcher;
    std::optional<typename JobTree<S>::Job> job;
    std::size_t asked = 0;  // leaves of this round
  };

  void begin_anew() {
    reckoner_.begin();
    tree_.begin(reckoner_.job());
    for (Member& member : team_) {
      member.searcher->begin();
      member.job.reset();
      member.asked = 0;
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
      if (question_.stop_reason != StopReason::kRunning) break;
    }
    tallies_.clear();
    at_ = 0;
    question_.bytes_elsewhere = tree_.bytes();
    for (const Member& member : team_) {
      question_.bytes_elsewhere += member.searcher->stack().bytes();
    }
    peak_ = std::max(peak_, tree_.bytes());
  }
  bool give_job(Member& member) {
    member.job = tree_.next(question_.entries);
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
    question_.bounds = tree_.bounds();
    if (tree_.decided()) {
      question_.best = best_move_of_root();
      question_.stop_reason = StopReason::kDecided;
      return;
    }
    if (tree_.solved() == solved) return;
    for (Member& other : team_) {
      if (other.job && !tree_.wanted(*other.job)) other.searcher->stop();
    }
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

  template <class Archive>
  [[gnu::cold]] void serialize_all(Archive& archive) {
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
  std::vector<Member> team_;
  std::size_t at_ = 0;          // whose turn it is
  std::uint32_t left_ = kTurn;  // entries of the turn
  std::size_t asked_ = 0;       // leaves that are being played
  std::vector<Tally> tallies_;  // of this round
  bool root_changed_ = false;
  std::uint64_t idle_ = 0;
  std::uint64_t peak_ = 0;  // bytes of the tree
  Counters before_;         // of a search that was saved
};

}  // namespace playproof
