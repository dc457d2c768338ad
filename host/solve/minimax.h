// The oracle: memoised exhaustive search for one claim, left to right, no numbers and no playouts.
// It knows only the rules; tests hold every other algorithm against it. Explicit stack, so that it
// can be stopped after any number of calls.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "games/core/error.h"
#include "games/core/game.h"
#include "host/solve/solver.h"
#include "host/tree/tree.h"

namespace playproof {

// Set of positions with their outcome; full positions are compared, never keys alone.
template <Game G>
class OutcomeTable {
 public:
  using State = typename G::State;

  // Returns nullptr if the position is not known.
  const bool* find(std::uint64_t key, const State& state) const {
    if (slots_.empty()) return nullptr;
    for (std::uint64_t i = slot(key);; i = (i + 1) & mask()) {
      const Entry& entry = slots_[i];
      if (!entry.used) return nullptr;
      if (entry.state == state) return &entry.reached;
    }
  }
  void insert(std::uint64_t key, const State& state, bool reached) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    place(key, state, reached);
    ++used_;
  }
  // Calls visit(state, reached) for every position.
  void for_each(const auto& visit) const {
    for (const Entry& entry : slots_) {
      if (entry.used) visit(entry.state, entry.reached);
    }
  }
  std::uint64_t bytes() const { return slots_.size() * sizeof(Entry); }
  // The most it takes during the next insert: while it grows, the old and the new table.
  std::uint64_t bytes_of_insert() const {
    if (2 * (used_ + 1) <= slots_.size()) return bytes();
    return std::max<std::uint64_t>(3 * bytes(), kFirstSlots * sizeof(Entry));
  }

 private:
  static constexpr std::size_t kFirstSlots = 1024;
  struct Entry {
    State state;
    std::uint64_t key;
    bool reached;
    bool used;
  };
  std::uint64_t mask() const { return slots_.size() - 1; }
  std::uint64_t slot(std::uint64_t key) const { return mix64(key) & mask(); }
  void place(std::uint64_t key, const State& state, bool reached) {
    std::uint64_t i = slot(key);
    while (slots_[i].used) i = (i + 1) & mask();
    slots_[i] = {state, key, reached, true};
  }
  void grow() {
    std::vector<Entry> old(slots_.empty() ? kFirstSlots : 2 * slots_.size());
    old.swap(slots_);
    for (const Entry& entry : old) {
      if (entry.used) place(entry.key, entry.state, entry.reached);
    }
  }
  std::vector<Entry> slots_;
  std::uint64_t used_ = 0;
};

template <AcyclicGame G>
class Minimax {
 public:
  using State = typename G::State;
  using Rules = typename G::Rules;

  Minimax(const Rules& rules, const Claim& claim, std::uint64_t max_bytes = SearchLimits::kNone)
      : rules_(rules), claim_(claim), max_bytes_(max_bytes) {}

  // Begins the question whether the attacker reaches the goal from `state`.
  void begin(const State& state) {
    stack_.clear();
    answered_ = false;
    call(state);
  }
  // Makes up to `calls` node entries. True once the answer is known; false, too, when full().
  bool run(std::uint64_t calls) {
    const std::uint64_t end =
        calls > SearchLimits::kNone - calls_ ? SearchLimits::kNone : calls_ + calls;
    while (!answered_ && !full_ && calls_ < end) advance();
    return answered_;
  }
  const Rules& rules() const { return rules_; }
  bool answer() const { return answer_; }
  // The next position to remember would exceed the memory limit.
  bool full() const { return full_; }
  // Answers whatever the limits: once they are reached, with no more memory, but again and again.
  bool ask(const State& state) {
    begin(state);
    while (!answered_) advance();
    return answer_;
  }

  std::uint64_t calls() const { return calls_; }
  std::uint64_t expanded() const { return expanded_; }
  std::uint64_t max_depth() const { return max_depth_; }
  std::uint64_t bytes() const { return table_.bytes() + stack_.capacity() * sizeof(Frame); }
  // Throws Error(kInternal) unless every outcome in the table follows from those of its moves.
  void self_check() const {
    table_.for_each([&](const State& state, bool reached) {
      if (outcome_of_moves(state) != reached) {
        throw Error(ErrorCode::kInternal, "minimax: an outcome does not follow from its moves");
      }
    });
  }

 private:
  static constexpr bool kUseTable = !requires { requires G::kTree; };
  struct Frame {
    State state;
    std::uint64_t key;
    bool or_node;
    std::uint16_t count;
    std::uint16_t next;  // the next move to try
    Move moves[G::kMaxMoves];
  };

  // None if the table does not settle it.
  std::optional<bool> outcome_of_moves(const State& state) const {
    const bool or_node = G::to_move(rules_, state) == claim_.attacker;
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, state, moves);
    bool all_known = true;
    for (int i = 0; i < count; ++i) {
      State child = state;
      G::play(rules_, child, moves[i]);
      const std::optional<bool> known = outcome(child);
      if (known == or_node) return or_node;
      all_known = all_known && known;
    }
    if (!all_known) return std::nullopt;
    return !or_node;
  }
  std::optional<bool> outcome(const State& state) const {
    if (G::finished(rules_, state)) return reaches(state);
    const bool* known = table_.find(G::key(rules_, state), state);
    if (known == nullptr) return std::nullopt;
    return *known;
  }
  bool reaches(const State& finished) const {
    return value_for(claim_.attacker, G::value(rules_, finished)) >= claim_.threshold;
  }

  // Enters a position: answers it at once or pushes a frame.
  void call(const State& state) {
    ++calls_;
    if (G::finished(rules_, state)) {
      give(reaches(state));
      return;
    }
    std::uint64_t key = 0;
    if constexpr (kUseTable) {
      key = G::key(rules_, state);
      if (const bool* known = table_.find(key, state)) {
        give(*known);
        return;
      }
    }
    ++expanded_;
    stack_.emplace_back();
    Frame& frame = stack_.back();
    frame.state = state;
    frame.key = key;
    frame.or_node = G::to_move(rules_, state) == claim_.attacker;
    frame.count = static_cast<std::uint16_t>(G::moves(rules_, state, frame.moves));
    frame.next = 0;
    max_depth_ = std::max<std::uint64_t>(max_depth_, stack_.size());
  }

  void advance() {
    Frame& frame = stack_.back();
    State child = frame.state;
    G::play(rules_, child, frame.moves[frame.next++]);
    call(child);
  }

  // Hands an answer to the frames that wait for it.
  void give(bool reached) {
    while (!stack_.empty()) {
      const Frame& frame = stack_.back();
      const bool decides = reached == frame.or_node;
      if (!decides && frame.next < frame.count) return;
      if constexpr (kUseTable) remember(frame, reached);
      stack_.pop_back();
    }
    answer_ = reached;
    answered_ = true;
  }

  void remember(const Frame& frame, bool reached) {
    full_ = full_ || table_.bytes_of_insert() + stack_.capacity() * sizeof(Frame) > max_bytes_;
    if (!full_) table_.insert(frame.key, frame.state, reached);
  }

  Rules rules_;
  Claim claim_;
  std::uint64_t max_bytes_;
  bool full_ = false;
  OutcomeTable<G> table_;
  std::vector<Frame> stack_;
  bool answered_ = false;
  bool answer_ = false;
  std::uint64_t calls_ = 0;
  std::uint64_t expanded_ = 0;
  std::uint64_t max_depth_ = 0;
};

}  // namespace playproof
