// The table of depth-first search: what is known of positions, in memory of a fixed size. Whole
// positions are compared, so no verdict ever rests on a hash (host/table/position_id.h). A position
// stands in a window of places that begins where its hash says; host/table/table_options.h has the
// schemes.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "games/core/game.h"
#include "games/core/identity.h"
#include "host/numbers/phi_delta.h"
#include "host/question/bounds.h"
#include "host/table/kept_table.h"
#include "host/table/table_options.h"

namespace playproof {

struct TableCounters {
  // Of a node's children when it is entered, and again after a long search.
  std::uint64_t lookups = 0;
  std::uint64_t hits = 0;  // positions that were there
  // Hits that tell the parent something new: bounds or numbers that it does not have already.
  std::uint64_t useful = 0;
  std::uint64_t stored = 0;     // positions that were not there
  std::uint64_t replaced = 0;   // of these: in the place of another
  std::uint64_t discarded = 0;  // by garbage collection
  template <class Archive>
  void serialize(Archive& archive) {  // host/archive/archive.h
    archive(lookups, hits, useful, stored, replaced, discarded);
  }
  TableCounters operator-(const TableCounters& before) const {
    return {lookups - before.lookups, hits - before.hits,         useful - before.useful,
            stored - before.stored,   replaced - before.replaced, discarded - before.discarded};
  }
  bool lost_any() const { return replaced + discarded > 0; }
};

// Node entries below a position, as a table keeps them: exact below 2048, then eleven binary
// digits; order is kept.
inline constexpr std::uint32_t kMostPackedWork = 0xffff;
constexpr std::uint32_t packed_work(std::uint64_t work) {
  if (work < 2048) return static_cast<std::uint32_t>(work);
  const int shift = static_cast<int>(std::bit_width(work)) - 12;
  return static_cast<std::uint32_t>((shift + 1) << 11) +
         static_cast<std::uint32_t>((work >> shift) & 2047);
}

// What a table knows of one position. All zero: nothing.
template <Game G>
class TableEntry {
 public:
  using Id = PositionId<G>;
  TableEntry() = default;
  TableEntry(const Id& id, const PhiDeltaPair& numbers, const Bounds& bounds, std::uint64_t work)
      : words_(id.words),
        phi_((numbers.open() ? numbers.phi : kClosed) & kClosed),
        turn_(id.turn),
        work_(packed_work(std::min(work, kMostWork)) & kMostPackedWork),
        delta_((numbers.open() ? numbers.delta : kClosed) & kClosed),
        used_(1),
        lower_(bounds.lower()),
        upper_(bounds.upper()) {}

  bool used() const { return used_ != 0; }
  bool is(const Id& id) const { return used() && this->id() == id; }
  Id id() const { return {words_, turn_ != 0}; }
  // Of an unsolved position of the question that was asked when it was stored; else not open().
  PhiDeltaPair numbers() const { return phi_ == kClosed ? kMoverWins : PhiDeltaPair{phi_, delta_}; }
  Bounds bounds() const {
    return Bounds::unknown(static_cast<Value>(lower_), static_cast<Value>(upper_));
  }
  // What both say of the same position: the newer numbers (these), every bound, the greater work.
  TableEntry joined(const TableEntry& older) const {
    TableEntry both = *this;
    const Bounds bounds = Bounds::both(this->bounds(), older.bounds());
    both.lower_ = bounds.lower();
    both.upper_ = bounds.upper();
    both.work_ = std::max(work(), older.work()) & kMostPackedWork;
    return both;
  }
  std::uint32_t work() const { return work_; }  // packed
  bool entered() const { return work_ > 0; }

 private:
  static constexpr std::uint64_t kClosed = (std::uint64_t{1} << 47) - 1;
  static_assert(kPhiDeltaCap < kClosed);
  static constexpr std::uint64_t kMostWork = 0xffffffff;

  decltype(Id::words) words_{};
  std::uint64_t phi_ : 47 = 0;
  std::uint64_t turn_ : 1 = 0;
  std::uint64_t work_ : 16 = 0;
  std::uint64_t delta_ : 47 = 0;
  std::uint64_t used_ : 1 = 0;
  std::int64_t lower_ : 8 = 0;
  std::int64_t upper_ : 8 = 0;
};

template <Game G>
class ProofTable {
 public:
  using Entry = TableEntry<G>;
  using Id = PositionId<G>;

  // At most options.bytes, at least one window. It begins small and may double when it is half
  // full, so that short searches stay in the caches.
  explicit ProofTable(const TableOptions& options) : options_(options) {
    while (most_ < options_.probe || most_ <= options_.bytes / sizeof(Entry) / 2) most_ *= 2;
    size_ = std::min(most_, kFirst);
    entries_ = map(size_);
  }
  ProofTable(ProofTable&& other) noexcept { *this = std::move(other); }
  // What is moved from may only be assigned to or destroyed.
  ProofTable& operator=(ProofTable&& other) noexcept {
    std::swap(options_, other.options_);
    std::swap(entries_, other.entries_);
    std::swap(size_, other.size_);
    std::swap(most_, other.most_);
    std::swap(used_, other.used_);
    std::swap(counters_, other.counters_);
    return *this;
  }
  ~ProofTable() {
    if (entries_ != nullptr) unmap(entries_, size_);
  }
  ProofTable(const ProofTable&) = delete;
  ProofTable& operator=(const ProofTable&) = delete;

  void prefetch(std::uint64_t hash) const { __builtin_prefetch(entries_ + place(hash)); }
  // nullptr if the position is not known. Valid until the next store(). `hash` is that of the id.
  const Entry* find(std::uint64_t hash, const Id& id) const {
    const std::uint32_t window = this->window();
    for (std::uint32_t i = 0; i < window; ++i) {
      const Entry& entry = entries_[place(hash + i)];
      if (!entry.used()) return nullptr;
      if (entry.is(id)) return &entry;
    }
    return nullptr;
  }
  // The same, counted.
  const Entry* look_up(std::uint64_t hash, const Id& id) {
    const Entry* entry = find(hash, id);
    ++counters_.lookups;
    counters_.hits += entry != nullptr;
    return entry;
  }
  void note_useful(bool useful) { counters_.useful += useful; }
  // Takes the place of what was known of the position, else the first free place of its window,
  // else that of the entry with the least work. Bounds that were proven stay.
  void store(std::uint64_t hash, const Entry& entry) {
    Entry* place = find_place(hash, entry.id());
    if (place->used() && place->is(entry.id())) {
      *place = entry.joined(*place);
      return;
    }
    ++counters_.stored;
    counters_.replaced += place->used();
    used_ += !place->used();
    *place = entry;
    if (options_.gc > 0 && size_ == most_ && 4 * used_ >= 3 * size_) collect_garbage();
  }

  std::uint64_t bytes() const { return size_ * sizeof(Entry); }
  // Can a search that may have so many bytes go on with it?
  bool fits(std::uint64_t most_bytes) const {
    return (wants_to_grow() ? 2 * bytes() : bytes()) <= most_bytes;
  }
  // Should it double now? Never by itself, so that its owner can hold it against a limit.
  bool wants_to_grow() const { return 2 * used_ >= size_ && size_ < most_; }
  void grow() {
    Entry* const old = entries_;
    const std::uint64_t old_size = size_;
    entries_ = map(2 * size_);
    size_ *= 2;
    used_ = 0;
    const TableCounters before = counters_;
    for (std::uint64_t i = 0; i < old_size; ++i) {
      if (old[i].used()) store(old[i].id().hash(), old[i]);
    }
    counters_.stored = before.stored;
    unmap(old, old_size);
  }
  // The number of the place of an entry, below size(); for marks beside the table.
  std::uint64_t index(const Entry* entry) const {
    return static_cast<std::uint64_t>(entry - entries_);
  }
  std::uint64_t size() const { return size_; }  // places
  const Entry& entry(std::uint64_t i) const { return entries_[i]; }
  const TableCounters& counters() const { return counters_; }

  // Every entry in its place (host/archive/archive.h). What is loaded is what somebody wrote: `any`
  // are the bounds of every position. Throws Error(kUsage) if the table is larger than
  // `most_bytes`.
  template <class Archive>
  void serialize(Archive& archive, const Bounds& any, std::uint64_t most_bytes) {
    std::uint64_t size = size_;
    archive(size, counters_);
    if constexpr (Archive::kLoading) {
      archive.check(std::has_single_bit(size) && size <= most_ && size >= std::min(most_, kFirst),
                    "a table of a size that it cannot have");
      if (size * sizeof(Entry) > most_bytes) {
        throw Error(ErrorCode::kUsage,
                    "--max-memory leaves no room for the table of the search that is resumed");
      }
      unmap(entries_, size_);
      entries_ = map(size);
      size_ = size;
      used_ = 0;
    }
    for (std::uint64_t i = 0; i < size_; i += 64) serialize_run(archive, i, any);
  }

 private:
  static constexpr std::uint64_t kFirst = 1 << 12;     // places
  static constexpr std::uint32_t kGrowingWindow = 64;  // while there is room, little is lost

  std::uint64_t place(std::uint64_t i) const { return i & (size_ - 1); }
  std::uint32_t window() const { return size_ < most_ ? kGrowingWindow : options_.probe; }

  // All zero: not used.
  static Entry* map(std::uint64_t size) {
    const std::uint64_t bytes = size * sizeof(Entry);
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
      throw Error(ErrorCode::kInternal, "out of memory: the table does not fit");
    }
    constexpr std::uint64_t kSmall = std::uint64_t{4} << 20;
    if (bytes > kSmall) madvise(memory, bytes, MADV_HUGEPAGE);
    return static_cast<Entry*>(memory);
  }
  static void unmap(Entry* entries, std::uint64_t size) { munmap(entries, size * sizeof(Entry)); }

  Entry* find_place(std::uint64_t hash, const Id& id) {
    const std::uint32_t window = this->window();
    Entry* least = entries_ + place(hash);
    for (std::uint32_t i = 0; i < window; ++i) {
      Entry* entry = entries_ + place(hash + i);
      if (!entry->used() || entry->is(id)) return entry;
      if (entry->work() < least->work()) least = entry;
    }
    return least;
  }

  // Discards the share gc of the entries, those with the least work and of equal ones the first,
  // and lets the others move up towards the places where their hashes say.
  void collect_garbage() {
    std::vector<std::uint64_t> count(kMostPackedWork + 1);
    for (std::uint64_t i = 0; i < size_; ++i) {
      if (entries_[i].used()) ++count[entries_[i].work()];
    }
    auto left = static_cast<std::uint64_t>(options_.gc * static_cast<double>(used_));
    counters_.discarded += left;
    std::uint32_t work = 0;
    std::uint64_t below = 0;  // entries with less than `work`
    while (below + count[work] < left) below += count[work++];
    left -= below;  // of those with `work`
    std::uint64_t last_free = 0;
    for (std::uint64_t i = 0; i < size_; ++i) {
      Entry& entry = entries_[i];
      const bool goes =
          entry.used() && (entry.work() < work || (entry.work() == work && left > 0 && left-- > 0));
      used_ -= goes;
      if (goes) entry = Entry();
      if (!entry.used()) last_free = i;
    }
    for (std::uint64_t i = last_free + 1; i <= last_free + size_; ++i) {
      const Entry entry = std::exchange(entries_[place(i)], Entry());
      if (entry.used()) *find_place(entry.id().hash(), entry.id()) = entry;
    }
  }

  // 64 places, or all: which of them are used, and what they hold.
  template <class Archive>
  void serialize_run(Archive& archive, std::uint64_t first, const Bounds& any) {
    const std::uint64_t end = std::min<std::uint64_t>(first + 64, size_);
    std::uint64_t used = 0;
    for (std::uint64_t i = first; i < end; ++i) {
      used |= static_cast<std::uint64_t>(entries_[i].used()) << (i - first);
    }
    archive(used);
    archive.check(end - first == 64 || used >> (end - first) == 0, "places beyond the table");
    for (std::uint64_t i = first; i < end; ++i) {
      if (((used >> (i - first)) & 1) == 0) continue;
      Entry& entry = entries_[i];
      archive.bytes(&entry, sizeof entry);
      if constexpr (!Archive::kLoading) continue;
      ++used_;
      const Bounds bounds = entry.bounds();
      archive.check(entry.used() && place(i - entry.id().hash()) < window(),
                    "a position in the wrong place");
      archive.check(entry.entered(), "a node that was never entered");
      archive.check(any.lower() <= bounds.lower() && bounds.lower() <= bounds.upper() &&
                        bounds.upper() <= any.upper(),
                    "bounds that no position has");
    }
  }

  TableOptions options_;
  Entry* entries_ = nullptr;
  std::uint64_t size_ = 1;  // places; a power of two, like most_
  std::uint64_t most_ = 1;
  std::uint64_t used_ = 0;
  TableCounters counters_;
};

// A table between two searches.
template <Game G>
struct KeptProofTable final : KeptTable {
  KeptProofTable(std::string question, const TableOptions& options)
      : KeptTable(std::move(question)), table(options) {}
  ProofTable<G> table;
};

}  // namespace playproof
