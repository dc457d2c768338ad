// What a depth-first search of a game that repeats keeps of a position (Kishimoto and Müller 2004):
// a base with its numbers, or with what holds whatever the path; and twins, each with what holds on
// one path. Of a bounded size: what took the least work gives way.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "games/core/game.h"
#include "host/path/repetition.h"
#include "kernels/numbers/phi_delta.h"

namespace playproof {

// On what of the path an answer rests: the place of the first position there that it needs (or must
// not have met) to have been before.
using Rests = std::int32_t;
inline constexpr Rests kOnNothing = std::numeric_limits<Rests>::max();
inline constexpr Rests kOnAll = -1;  // on all of it, and on what is not there

template <class Id>
class HistoryTable {
 public:
  static constexpr std::size_t kTwins = 2;
  struct Twin {
    std::uint64_t path = 0;  // its code (host/path/path.h)
    Rests rests = kOnAll;
    Answer answer = Answer::kOpen;
    Move move = kNoMove;
  };
  struct Entry {
    Id id{};
    PhiDeltaPair numbers;           // of the attacker: proof and disproof number
    std::uint32_t distance = 0;     // the least from the root that was seen
    std::uint32_t work = 0;         // calls below it; 0: free
    Answer answer = Answer::kOpen;  // whatever the path
    Move move = kNoMove;            // of the side that has it its way
    std::array<Twin, kTwins> twins{};

    const Twin* twin_of(std::uint64_t path) const {
      for (const Twin& twin : twins) {
        if (twin.answer != Answer::kOpen && twin.path == path) return &twin;
      }
      return nullptr;
    }
    const Twin* twin_with(Answer answer_wanted) const {
      for (const Twin& twin : twins) {
        if (twin.answer == answer_wanted) return &twin;
      }
      return nullptr;
    }
    void add(const Twin& twin) {
      std::size_t place = 0;  // the newest comes first
      while (place + 1 < kTwins && twins[place].answer != Answer::kOpen &&
             twins[place].path != twin.path) {
        ++place;
      }
      std::move_backward(twins.begin(), twins.begin() + static_cast<std::ptrdiff_t>(place),
                         twins.begin() + static_cast<std::ptrdiff_t>(place) + 1);
      twins[0] = twin;
    }
  };

  // It grows up to so many bytes; `for_ever`: beyond, and never loses anything.
  HistoryTable(std::uint64_t most_bytes, bool for_ever)
      : most_bytes_(most_bytes), for_ever_(for_ever), buckets_(1) {}
  // Becomes what the other one is, but for how it grows.
  void take(const HistoryTable& other) {
    buckets_ = other.buckets_;
    used_ = other.used_;
    lost_ = other.lost_;
  }

  const Entry* find(const Id& id, std::uint64_t hash) const {
    for (const Entry& entry : bucket(hash)) {
      if (entry.work > 0 && entry.id == id) return &entry;
    }
    return nullptr;
  }
  Entry* find(const Id& id, std::uint64_t hash) {
    for (Entry& entry : bucket(hash)) {
      if (entry.work > 0 && entry.id == id) return &entry;
    }
    return nullptr;
  }
  // That of a position, a new one if there is none; another one may be lost by that.
  Entry& entry_of(const Id& id, std::uint64_t hash) {
    if (Entry* known = find(id, hash)) return *known;
    while (2 * used_ >= 4 * buckets_.size() && may_grow()) grow();
    Entry* place = least(hash);
    while (for_ever_ && place->work > 0) {
      grow();
      place = least(hash);
    }
    lost_ += place->work > 0 ? 1 : 0;
    used_ += place->work > 0 ? 0 : 1;
    *place = Entry{};
    place->id = id;
    place->distance = std::numeric_limits<std::uint32_t>::max();
    place->work = 1;
    return *place;
  }
  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&bucket(hash)); }
  std::uint64_t lost() const { return lost_; }
  std::uint64_t used() const { return used_; }
  std::uint64_t bytes() const { return buckets_.size() * sizeof(Bucket); }

 private:
  using Bucket = std::array<Entry, 4>;

  Bucket& bucket(std::uint64_t hash) { return buckets_[hash & (buckets_.size() - 1)]; }
  const Bucket& bucket(std::uint64_t hash) const { return buckets_[hash & (buckets_.size() - 1)]; }
  Entry* least(std::uint64_t hash) {
    Bucket& all = bucket(hash);
    return &*std::min_element(all.begin(), all.end(),
                              [](const Entry& a, const Entry& b) { return a.work < b.work; });
  }
  bool may_grow() const { return for_ever_ || 2 * bytes() <= most_bytes_; }
  void grow() {
    std::vector<Bucket> old(2 * buckets_.size());
    old.swap(buckets_);
    for (const Bucket& from : old) {
      for (const Entry& entry : from) {
        if (entry.work == 0) continue;
        *least(entry.id.hash()) = entry;  // each half of a bucket has as much room as it had
      }
    }
  }

  std::uint64_t most_bytes_;
  bool for_ever_;
  std::vector<Bucket> buckets_;
  std::uint64_t lost_ = 0;
  std::uint64_t used_ = 0;
};

}  // namespace playproof
