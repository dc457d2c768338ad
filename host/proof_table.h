// The table of depth-first search: what is known of positions, in memory that is taken once. Whole
// positions are compared, so no verdict ever rests on a hash. Buckets of four; what is replaced is
// what took the least work (Beal and Smith's probing, survey S2 section 5.1).
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "games/error.h"
#include "games/game.h"
#include "host/bounds.h"
#include "host/phi_delta.h"

namespace playproof {

struct TableCounters {
  std::uint64_t lookups = 0;
  std::uint64_t hits = 0;
  std::uint64_t stored = 0;    // positions that were not there
  std::uint64_t replaced = 0;  // of these: in the place of another
  template <class Archive>
  void serialize(Archive& archive) {  // host/archive.h
    archive(lookups, hits, stored, replaced);
  }
};

template <Game G>
class ProofTable {
 public:
  using State = typename G::State;
  struct Entry {
    State state;
    PhiDelta phi;
    PhiDelta delta;
    Value lower;  // bounds of the value for the attacker
    Value upper;
    std::uint32_t work;  // node entries below it, 0 for a leaf that was only evaluated
    bool used;
    Bounds bounds() const { return Bounds::unknown(lower, upper); }
  };
  static constexpr std::uint64_t kWays = 4;

  // At most `bytes`, at least one bucket. It begins small and may double when it is half full, so
  // that short searches stay in the caches.
  ProofTable(const typename G::Rules& rules, std::uint64_t bytes) : rules_(rules) {
    while (2 * most_buckets_ * kBucketBytes <= bytes) most_buckets_ *= 2;
    buckets_ = std::min(most_buckets_, kFirstBuckets);
    entries_ = map(buckets_);
  }
  ~ProofTable() { munmap(entries_, size()); }
  ProofTable(const ProofTable&) = delete;
  ProofTable& operator=(const ProofTable&) = delete;

  // nullptr if the position is not known. Valid until the next store().
  const Entry* find(std::uint64_t key, const State& state) const {
    const Entry* bucket = bucket_of(key);
    for (std::uint64_t i = 0; i < kWays && bucket[i].used; ++i) {
      if (bucket[i].state == state) return bucket + i;
    }
    return nullptr;
  }
  // The same, counted.
  const Entry* look_up(std::uint64_t key, const State& state) {
    const Entry* entry = find(key, state);
    ++counters_.lookups;
    counters_.hits += entry != nullptr;
    return entry;
  }
  void prefetch(std::uint64_t key) const { __builtin_prefetch(bucket_of(key)); }

  // Takes the place of what was known of the position, else a free place, else that of the entry
  // with the least work. Bounds that were proven stay.
  void store(std::uint64_t key, const State& state, const PhiDeltaPair& numbers,
             const Bounds& bounds, std::uint64_t work) {
    Entry* const bucket = bucket_of(key);
    Entry* place = nullptr;
    for (std::uint64_t i = 0; i < kWays; ++i) {
      Entry& entry = bucket[i];
      if (entry.used && entry.state == state) {
        const Bounds known = Bounds::both(entry.bounds(), bounds);
        fill(entry, state, numbers, known, std::max<std::uint64_t>(work, entry.work));
        return;
      }
      if (place == nullptr || rank(entry) < rank(*place)) place = &entry;
    }
    ++counters_.stored;
    counters_.replaced += place->used;
    used_ += !place->used;
    fill(*place, state, numbers, bounds, work);
  }

  std::uint64_t size() const { return buckets_ * kBucketBytes; }  // bytes
  // Should it double now? Never by itself, so that its owner can hold it against a limit.
  bool wants_to_grow() const { return 2 * used_ >= kWays * buckets_ && buckets_ < most_buckets_; }
  // Each bucket goes to two, so nothing is lost.
  void grow() {
    Entry* const old = entries_;
    const std::uint64_t old_buckets = buckets_;
    entries_ = map(2 * buckets_);
    buckets_ *= 2;
    for (std::uint64_t i = 0; i < kWays * old_buckets; ++i) {
      if (old[i].used) put(old[i]);
    }
    munmap(old, old_buckets * kBucketBytes);
  }
  // The number of the entry of a position, below entries(); for marks beside the table.
  std::uint64_t index(const Entry* entry) const {
    return static_cast<std::uint64_t>(entry - entries_);
  }
  std::uint64_t entries() const { return kWays * buckets_; }
  const Entry& entry(std::uint64_t i) const { return entries_[i]; }

  // Every entry in its place (host/archive.h). What is loaded is what somebody wrote: `any` are the
  // bounds of every position. Throws Error(kUsage) if it is larger than `bytes`.
  template <class Archive>
  void serialize(Archive& archive, const Bounds& any, std::uint64_t bytes) {
    std::uint64_t buckets = buckets_;
    archive(buckets, counters_);
    if constexpr (Archive::kLoading) {
      archive.check(std::has_single_bit(buckets) && buckets <= most_buckets_,
                    "a table of a size that it cannot have");
      if (buckets * kBucketBytes > bytes) {
        throw Error(ErrorCode::kUsage,
                    "--max-memory leaves no room for the table of the search that is resumed");
      }
      resize(buckets);
    }
    for (std::uint64_t b = 0; b < buckets_; ++b) serialize_bucket(archive, b, any);
  }
  const TableCounters& counters() const { return counters_; }

 private:
  static constexpr std::uint64_t kBucketBytes = kWays * sizeof(Entry);
  static constexpr std::uint64_t kFirstBuckets = 1 << 10;

  // All zero: not used.
  static Entry* map(std::uint64_t buckets) {
    const std::uint64_t bytes = buckets * kBucketBytes;
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
      throw Error(ErrorCode::kInternal, "out of memory: the table does not fit");
    }
    constexpr std::uint64_t kSmall = std::uint64_t{4} << 20;
    if (bytes > kSmall) madvise(memory, bytes, MADV_HUGEPAGE);
    return static_cast<Entry*>(memory);
  }
  // Forgets everything.
  void resize(std::uint64_t buckets) {
    munmap(entries_, size());
    entries_ = map(buckets);
    buckets_ = buckets;
    used_ = 0;
  }
  // An entry that is not there, into a bucket that is not full.
  void put(const Entry& entry) {
    Entry* place = bucket_of(G::key(rules_, entry.state));
    while (place->used) ++place;
    *place = entry;
  }
  // Entries fill a bucket from its first place on.
  template <class Archive>
  void serialize_bucket(Archive& archive, std::uint64_t b, const Bounds& any) {
    Entry* const bucket = entries_ + kWays * b;
    std::uint8_t count = 0;
    while (count < kWays && bucket[count].used) ++count;
    archive(count);
    archive.check(count <= kWays, "a bucket that is too full");
    archive.bytes(bucket, count * sizeof(Entry));
    if constexpr (!Archive::kLoading) return;
    used_ += count;
    for (int i = 0; i < count; ++i) {
      const Entry& entry = bucket[i];
      std::uint8_t used = 0;
      std::memcpy(&used, &entry.used, 1);
      archive.check(used == 1 && bucket_of(G::key(rules_, entry.state)) == bucket,
                    "a position in the wrong place");
      archive.check(
          any.lower() <= entry.lower && entry.lower <= entry.upper && entry.upper <= any.upper(),
          "bounds that no position has");
    }
  }
  Entry* bucket_of(std::uint64_t key) const {
    return entries_ + kWays * (mix64(key) & (buckets_ - 1));
  }
  static std::uint64_t rank(const Entry& entry) {
    return entry.used ? std::uint64_t{1} + entry.work : 0;
  }
  static void fill(Entry& entry, const State& state, const PhiDeltaPair& numbers,
                   const Bounds& bounds, std::uint64_t work) {
    constexpr std::uint64_t kMostWork = 0xffffffff;
    entry.state = state;
    entry.phi = numbers.phi;
    entry.delta = numbers.delta;
    entry.lower = bounds.lower();
    entry.upper = bounds.upper();
    entry.work = static_cast<std::uint32_t>(std::min(work, kMostWork));
    entry.used = true;
  }

  typename G::Rules rules_;
  Entry* entries_ = nullptr;
  std::uint64_t buckets_ = 1;
  std::uint64_t most_buckets_ = 1;
  std::uint64_t used_ = 0;  // entries
  TableCounters counters_;
};

}  // namespace playproof
