// The positions on the way from where a question began to where a search stands, none of them
// twice: which is where, at once, and a code of the way, so that a table can tell it from others.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "games/core/game.h"
#include "games/core/identity.h"

namespace playproof {

template <Game G>
class Path {
 public:
  using Id = PositionId<G>;
  static constexpr std::int32_t kNowhere = -1;

  std::int32_t size() const { return static_cast<std::int32_t>(steps_.size()); }
  void clear() {
    while (!steps_.empty()) pop();
  }
  // A position that is not there.
  void push(const Id& id, std::uint64_t hash) {
    if (2 * (steps_.size() + 1) > slots_.size()) grow();
    steps_.push_back({id, hash, mix64(code() ^ hash)});
    slots_[free_slot(hash)] = size();
  }
  void push(const typename G::State& state) {
    const Id id = position_id(G{}, state);
    push(id, id.hash());
  }
  // The last one. What came last into its row of slots leaves it as it was before.
  void pop() {
    std::size_t i = steps_.back().hash & mask();
    while (slots_[i] != size()) i = (i + 1) & mask();
    slots_[i] = 0;
    steps_.pop_back();
  }
  // Where it stands, from 0; kNowhere.
  std::int32_t find(const Id& id, std::uint64_t hash) const {
    if (slots_.empty()) return kNowhere;
    for (std::size_t i = hash & mask();; i = (i + 1) & mask()) {
      if (slots_[i] == 0) return kNowhere;
      const Step& step = steps_[static_cast<std::size_t>(slots_[i] - 1)];
      if (step.hash == hash && step.id == id) return slots_[i] - 1;
    }
  }
  std::int32_t find(const typename G::State& state) const {
    const Id id = position_id(G{}, state);
    return find(id, id.hash());
  }
  // Of the whole way, its order included. Two ways may share one: no certificate rests on it.
  std::uint64_t code() const { return steps_.empty() ? 0 : steps_.back().code; }
  // What a path takes that was never longer than so many positions.
  static std::uint64_t bytes(std::uint64_t longest) {
    return std::bit_ceil(longest) * (sizeof(Step) + 2 * sizeof(std::int32_t));
  }

 private:
  struct Step {
    Id id;
    std::uint64_t hash;
    std::uint64_t code;
  };
  std::size_t mask() const { return slots_.size() - 1; }
  std::size_t free_slot(std::uint64_t hash) const {
    std::size_t i = hash & mask();
    while (slots_[i] != 0) i = (i + 1) & mask();
    return i;
  }
  void grow() {
    slots_.assign(slots_.empty() ? 64 : 2 * slots_.size(), 0);
    for (std::int32_t k = 0; k < size(); ++k) {
      slots_[free_slot(steps_[static_cast<std::size_t>(k)].hash)] = k + 1;
    }
  }

  std::vector<Step> steps_;
  std::vector<std::int32_t> slots_;  // a step + 1; 0: free
};

}  // namespace playproof
