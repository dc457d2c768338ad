// What a depth-first search of a game that repeats keeps of a position (Kishimoto and Müller 2004):
// a base with its numbers, or with what holds whatever the path; and twins, each with what holds on
// one path. Of a bounded size: what took the least work gives way.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "games/core/game.h"
#include "host/path/repetition.h"
#include "host/path/rests.h"
#include "host/table/label_payload.h"

namespace playproof {

// Saves or loads the numbers of an open position, whatever they are.
template <class Archive, class Numbers>
void serialize_numbers(Archive& archive, Numbers& numbers) {
  if constexpr (requires { numbers.serialize(archive); }) {
    archive(numbers);
  } else {
    KeptLabel<Numbers>::serialize(archive, numbers);
  }
}

template <class Id, class Numbers>
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
    Numbers numbers{};              // where the answer is open
    std::uint32_t distance = 0;     // the least from the root that was seen
    std::uint32_t work = 0;         // calls below it, and 1; 0: free
    Answer answer = Answer::kOpen;  // whatever the path
    Move move = kNoMove;            // of the side that has it its way
    std::array<Twin, kTwins> twins{};

    bool is_new() const { return distance == std::numeric_limits<std::uint32_t>::max(); }
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

  // What a search can have written that has counted so.
  struct Limits {
    std::uint64_t calls = 0;
    std::uint64_t depth = 0;  // positions on its longest path
    bool blames = false;      // does an answer rest on what is not on the path?
  };

  // It grows up to so many bytes; `for_ever`: beyond, and never loses anything.
  HistoryTable(std::uint64_t most_bytes, bool for_ever)
      : most_bytes_(most_bytes), for_ever_(for_ever), buckets_(1) {}
  // Becomes what the other one is, but for how it grows.
  void take(const HistoryTable& other) {
    buckets_ = other.buckets_;
    used_ = other.used_;
    lost_ = other.lost_;
    while (for_ever_ && is_full()) grow();
  }

  const Entry* find(const Id& id, std::uint64_t hash) const { return find_in(*this, id, hash); }
  Entry* find(const Id& id, std::uint64_t hash) { return find_in(*this, id, hash); }
  // That of a position, a new one if there is none; another one may be lost by that.
  Entry& entry_of(const Id& id, std::uint64_t hash) {
    if (Entry* known = find(id, hash)) return *known;
    while (is_full() && may_grow()) grow();
    Entry* place = place_for(hash);
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

  // Saves or loads every entry in its place (host/archive/archive.h). What is loaded is held
  // against what a search can have written; answers and moves are believed until a proof is walked.
  // Throws Error(kUsage) if the table is larger than `room`. number_stands(numbers, answer): can a
  // position have them?
  template <class Archive, class Stands>
  [[gnu::cold]] void serialize(Archive& archive, const Limits& limits, std::uint64_t room,
                               const Stands& number_stands) {
    std::uint64_t size = buckets_.size();
    archive(size, lost_);
    if constexpr (Archive::kLoading) {
      const bool can_be = std::has_single_bit(size) &&
                          (size == 1 || size <= most_bytes_ / sizeof(Bucket)) &&
                          size / kRun <= archive.source().most_left() / sizeof(std::uint64_t);
      archive.check(can_be, "a table of a size that it cannot have");
      if (size * sizeof(Bucket) > room) {
        throw Error(ErrorCode::kUsage,
                    "--max-memory leaves no room for the table of the search that is resumed");
      }
      buckets_.assign(size, {});
      used_ = 0;
    }
    for (std::uint64_t first = 0; first < size; first += kRun) {
      serialize_run(archive, first, std::min(kRun, size - first), limits, number_stands);
    }
  }

 private:
  using Bucket = std::array<Entry, 4>;
  static constexpr std::uint64_t kRun = 16;  // buckets whose used entries are told by one word

  // Saves or loads so many buckets: which entries are used, and what they hold.
  template <class Archive, class Stands>
  [[gnu::cold]] void serialize_run(Archive& archive, std::uint64_t first, std::uint64_t count,
                                   const Limits& limits, const Stands& number_stands) {
    std::uint64_t used = 0;
    for (std::uint64_t i = 0; i < 4 * count; ++i) {
      used |= std::uint64_t{entry_at(first, i).work > 0 ? 1U : 0U} << i;
    }
    archive(used);
    archive.check(count == kRun || used >> (4 * count) == 0, "positions beyond the table");
    for (std::uint64_t i = 0; i < 4 * count; ++i) {
      if ((used >> i & 1) == 0) continue;
      Entry entry = entry_at(first, i);
      archive.bytes(&entry.id.words, sizeof entry.id.words);
      archive(entry.id.turn);
      serialize_numbers(archive, entry.numbers);
      archive(entry.distance, entry.work, entry.answer, entry.move);
      for (Twin& twin : entry.twins) archive(twin.path, twin.rests, twin.answer, twin.move);
      if constexpr (!Archive::kLoading) continue;
      const std::uint64_t hash = entry.id.hash();
      archive.check((hash & (size_of_table() - 1)) == first + i / 4, "a position in a wrong place");
      archive.check(find(entry.id, hash) == nullptr, "a position in two places");
      archive.check(stands(entry, limits) && number_stands(entry.numbers, entry.answer),
                    "what no search says of a position");
      entry_at(first, i) = entry;
      ++used_;
    }
  }
  static bool stands(const Entry& entry, const Limits& limits) {
    if (entry.work == 0 || entry.work > limits.calls + 1 || entry.distance > limits.depth) {
      return false;
    }
    const Rests least = limits.blames ? kOnAll : 0;
    bool free = false;  // twins stand before free places
    for (const Twin& twin : entry.twins) {
      const bool none = twin.answer == Answer::kOpen;
      if (!none &&
          (free || twin.rests < least || twin.rests >= static_cast<std::int64_t>(limits.depth))) {
        return false;
      }
      free = none;
    }
    return true;
  }
  Entry& entry_at(std::uint64_t first, std::uint64_t i) { return buckets_[first + i / 4][i % 4]; }
  std::uint64_t size_of_table() const { return buckets_.size(); }

  Bucket& bucket(std::uint64_t hash) { return buckets_[hash & (buckets_.size() - 1)]; }
  const Bucket& bucket(std::uint64_t hash) const { return buckets_[hash & (buckets_.size() - 1)]; }
  Entry* least(std::uint64_t hash) {
    Bucket& all = bucket(hash);
    return &*std::min_element(all.begin(), all.end(),
                              [](const Entry& a, const Entry& b) { return a.work < b.work; });
  }
  template <class Self>
  static auto find_in(Self& self, const Id& id, std::uint64_t hash)
      -> decltype(self.bucket(hash).data()) {
    while (true) {
      auto& entries = self.bucket(hash);
      for (auto& entry : entries) {
        if (entry.work > 0 && entry.id == id) return &entry;
      }
      if (!self.for_ever_ || has_room(entries)) return nullptr;
      ++hash;
    }
  }
  static bool has_room(const Bucket& entries) {
    return std::any_of(entries.begin(), entries.end(),
                       [](const Entry& entry) { return entry.work == 0; });
  }
  // Where a new position goes: what took the least work gives way. Where nothing may be lost, to
  // the first bucket with room from its own on. (A table that grew until each had room in its own
  // would need as much memory as the number of positions to the power of 5/4: 20 GB for three
  // million.)
  Entry* place_for(std::uint64_t hash) {
    Entry* place = least(hash);
    while (for_ever_ && place->work > 0) place = least(++hash);
    return place;
  }
  bool is_full() const { return 2 * used_ >= 4 * buckets_.size(); }
  bool may_grow() const { return for_ever_ || 2 * bytes() <= most_bytes_; }
  void grow() {
    std::vector<Bucket> old(2 * buckets_.size());
    old.swap(buckets_);
    for (const Bucket& from : old) {
      for (const Entry& entry : from) {
        if (entry.work == 0) continue;
        *place_for(entry.id.hash()) = entry;  // each half of a bucket has as much room as it had
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
