// Positions that a certificate has listed and whose ids still live, so that a position that many
// lines of play reach is listed once: a table of bounded size that forgets what is in the way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "games/core/game.h"

namespace playproof {

template <Game G>
class WrittenPositions {
 public:
  using State = typename G::State;

  // Keeps at most `capacity` positions, a power of two.
  explicit WrittenPositions(std::size_t capacity) : capacity_(capacity) {}

  // `key` is G::key() of the state. The id of the position, held until release(); 0 if it is not
  // known.
  std::uint64_t hold(std::uint64_t key, const State& state) {
    Entry* entry = find(key, [&](const Entry& e) { return e.id != 0 && e.state == state; });
    if (entry == nullptr) return 0;
    ++entry->holds;
    return entry->id;
  }
  // Takes and holds a new position, unless others that are held are in its way. Returns the id that
  // it drives out, 0 for none.
  std::uint64_t insert(std::uint64_t key, const State& state, std::uint64_t id) {
    if (2 * (used_ + 1) > slots_.size() && slots_.size() < capacity_) grow();
    Entry* entry = place(key);
    if (entry == nullptr) return 0;
    used_ += entry->id == 0 ? 1 : 0;
    return std::exchange(*entry, Entry{state, key, id, 1}).id;
  }
  // Ends one hold; false if the position was not taken: its id has no further use.
  bool release(std::uint64_t key, std::uint64_t id) {
    Entry* entry = find(key, [&](const Entry& e) { return e.id == id; });
    if (entry != nullptr) --entry->holds;
    return entry != nullptr;
  }

 private:
  static constexpr std::size_t kFirstSlots = 64;
  static constexpr std::size_t kWays = 8;  // slots in which a position can stand
  struct Entry {
    State state{};
    std::uint64_t key = 0;
    std::uint64_t id = 0;  // 0: empty
    std::uint32_t holds = 0;
  };
  std::size_t first_slot(std::uint64_t key) const {
    return static_cast<std::size_t>(key) * kWays & (slots_.size() - 1);
  }
  Entry* find(std::uint64_t key, const auto& wanted) {
    for (std::size_t way = 0; way < kWays && !slots_.empty(); ++way) {
      Entry& entry = slots_[first_slot(key) + way];
      if (wanted(entry)) return &entry;
    }
    return nullptr;
  }
  // An empty slot, else the one of the oldest position that nobody holds.
  Entry* place(std::uint64_t key) {
    Entry* oldest = nullptr;
    for (std::size_t way = 0; way < kWays; ++way) {
      Entry& entry = slots_[first_slot(key) + way];
      if (entry.holds == 0 && (oldest == nullptr || entry.id < oldest->id)) oldest = &entry;
    }
    return oldest;
  }
  void grow() {
    std::vector<Entry> old(slots_.empty() ? kFirstSlots : 2 * slots_.size());
    old.swap(slots_);
    for (Entry& entry : old) {
      if (entry.id != 0) *find(entry.key, [](const Entry& e) { return e.id == 0; }) = entry;
    }
  }

  std::size_t capacity_;
  std::size_t used_ = 0;
  std::vector<Entry> slots_;
};

}  // namespace playproof
