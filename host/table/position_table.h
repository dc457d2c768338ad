// A table of positions: what is known of them, in memory of a fixed size. Whole identities are
// compared, so no verdict ever rests on a hash. What is kept of a position is the payload's:
// numbers of a proof search (host/table/proof_table.h), exact values, bounds with a best move.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "games/core/identity.h"
#include "host/archive/archive.h"
#include "host/question/events.h"
#include "host/question/shared_words.h"
#include "host/table/place_locks.h"
#include "host/table/table_options.h"

namespace playproof {

struct TableCounters {
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
  void add(const TableCounters& others) {
    lookups += others.lookups;
    hits += others.hits;
    useful += others.useful;
    stored += others.stored;
    replaced += others.replaced;
    discarded += others.discarded;
  }
  bool lost_any() const { return replaced + discarded > 0; }
  // Can a table of so many positions have counted so?
  bool stand(std::uint64_t positions) const {
    return useful <= hits && hits <= lookups && replaced <= stored &&
           discarded <= stored - replaced && positions == stored - replaced - discarded;
  }
  bool has_grown_from(const TableCounters& before) const {
    return before.lookups <= lookups && before.hits <= hits && before.useful <= useful &&
           before.stored <= stored && before.replaced <= replaced && before.discarded <= discarded;
  }
};

// What a table keeps of a position beside its identity, as plain bits. All of them zero: nothing.
// ProofPayload (host/table/proof_table.h) is one; how to add another: docs/add-an-algorithm.md.
// clang-format off
template <class P>
concept TablePayload = requires(P payload, const P& known, bool turn, Saver& saver, Loader& loader,
                                const typename P::Limits& limits) {
  requires std::is_trivially_copyable_v<P> && std::default_initializable<P>;
  // The table's own two bits, which the payload has room for: the place is taken; IdWords::turn.
  { payload.take(turn) };
  { known.used() } -> std::same_as<bool>;
  { known.turn() } -> std::same_as<bool>;
  // What is worth least is replaced or discarded first. At most kMostWorth: garbage collection
  // counts the entries of each worth.
  { known.worth() } -> std::same_as<std::uint32_t>;
  { P::kMostWorth } -> std::convertible_to<std::uint32_t>;
  // Takes in what is newly known of the same position. What is proven stays so.
  { payload.join(known) };
  // Writes or reads all of itself, the two bits included (host/archive/archive.h).
  { payload.serialize(saver) };
  { payload.serialize(loader) };
  // loader.check()s what was read; `limits` come from whoever loads the table.
  { known.check(loader, limits) };
};
// clang-format on

// It stands before the payload in memory, so that an entry is its words and then its payload.
template <class Id>
struct EntryWords {
  decltype(Id::words) words{};
};

// One place of a table: free, or a position and its payload.
template <class Id, TablePayload Payload>
class PositionEntry : private EntryWords<Id>, public Payload {
 public:
  PositionEntry() = default;
  // A place that is taken; the payload is made of what follows the identity.
  template <class First, class... More>
  PositionEntry(const Id& id, const First& first, const More&... more)
      : EntryWords<Id>{id.words}, Payload(first, more...) {
    this->take(id.turn);
  }

  bool is(const Id& id) const { return this->used() && this->id() == id; }
  Id id() const { return {this->words, this->turn()}; }
  template <class Archive>
  void serialize(Archive& archive) {
    archive.bytes(&this->words, sizeof this->words);
    Payload::serialize(archive);
  }
};

// Where nothing is kept beside the entries of a table.
struct NothingBeside {
  bool operator==(const NothingBeside&) const = default;
};

// A position stands in a window of places that begins where its hash says;
// host/table/table_options.h has the schemes. `Id` is an IdWords (games/core/identity.h).
//
// Beside the entries there may be one plain value for each, if options.beside asks for them: what
// only some searches keep, such as zones. All of its bits zero: nothing.
//
// Several threads may look up and store at once in a table that is shared: it has a check word more
// for each place, over the entry and what stands beside it (host/question/shared_words.h). Each
// thread counts for itself. What is proven stays so, unless two store the same position at
// once: then what one of them stored may be lost, as in any table, and nothing else. With
// options.locks a place has no check word, and who reads or writes it holds its lock.
// Everything but look_up(), find() and store() is for one thread, while the others rest.
template <class Id, TablePayload Payload, class Beside = NothingBeside, class Words = RelaxedWords>
class PositionTable {
 public:
  using Entry = PositionEntry<Id, Payload>;
  // What a look-up tells of a position: a copy, which no store and no growth of the table changes.
  struct Known : Entry {
    [[no_unique_address]] Beside beside;
  };

  // It has at most options.bytes and at least one window. It begins small and may double when it is
  // half full, so that short searches stay in the caches.
  explicit PositionTable(const TableOptions& options) : options_(options) {
    while (most_ < options_.probe || most_ <= options_.bytes / place_bytes() / 2) most_ *= 2;
    allocate(std::min(most_, kFirst));
  }
  PositionTable(PositionTable&& other) noexcept { *this = std::move(other); }
  // What is moved from may only be assigned to or destroyed.
  PositionTable& operator=(PositionTable&& other) noexcept {
    std::swap(options_, other.options_);
    std::swap(entries_, other.entries_);
    std::swap(beside_, other.beside_);
    std::swap(checks_, other.checks_);
    std::swap(locks_, other.locks_);
    std::swap(shared_, other.shared_);
    std::swap(was_shared_, other.was_shared_);
    std::swap(size_, other.size_);
    std::swap(most_, other.most_);
    std::swap(used_, other.used_);
    std::swap(counters_, other.counters_);
    return *this;
  }
  ~PositionTable() { release(); }
  PositionTable(const PositionTable&) = delete;
  PositionTable& operator=(const PositionTable&) = delete;

  // Who is told of entries that are replaced or discarded; null: nobody. A table that is moved
  // tells nobody.
  void listen(SearchListener* listener) { listener_ = listener; }

  // From now on several threads may use it, or one alone.
  void share(bool shared) {
    if (shared == shared_) return;
    if (shared_) forget_torn();
    unmap(checks_);
    shared_ = false;
    locks_.reset();
    if (!shared) return close_gaps();
    if (options_.locks) {
      locks_ = std::make_unique<PlaceLocks>();
    } else {
      auto* const checks = reserve<std::uint64_t>();
      if (!try_open(checks, 0, size_)) {
        munmap(checks, most_ * sizeof(std::uint64_t));
        no_room();
      }
      checks_ = checks;
    }
    shared_ = was_shared_ = true;  // not if that does not fit in
    set_checks();
  }
  bool shared() const { return shared_; }
  // May a position that was stored be gone, or stand with other values than were told of it?
  // Threads lose without counting.
  bool may_have_lost() const { return counters_.lost_any() || was_shared_; }

  void prefetch(std::uint64_t hash) const {
    __builtin_prefetch(entries_ + place(hash));
    if (checks_ != nullptr) __builtin_prefetch(checks_ + place(hash));
  }
  // Nothing if the position is not known. `hash` is that of the id. What stands beside an entry is
  // read only where needs_beside(entry) says so, since it costs an access to memory of its own.
  template <std::predicate<const Entry&> NeedsBeside>
  std::optional<Known> find(std::uint64_t hash, const Id& id, NeedsBeside needs_beside) const {
    if (shared_) return find_shared(hash, id, needs_beside);
    const Entry* const entry = entry_of(hash, id);
    if (entry == nullptr) return std::nullopt;
    return known(*entry, needs_beside);
  }
  std::optional<Known> find(std::uint64_t hash, const Id& id) const {
    return find(hash, id, [](const Entry&) { return true; });
  }
  // The same, counted.
  template <std::predicate<const Entry&> NeedsBeside>
  std::optional<Known> look_up(std::uint64_t hash, const Id& id, NeedsBeside needs_beside,
                               TableCounters& counters) {
    ++counters.lookups;
    if (shared_) {
      std::optional<Known> known = find_shared(hash, id, needs_beside);
      counters.hits += known.has_value();
      return known;
    }
    const Entry* const entry = entry_of(hash, id);
    if (entry == nullptr) return std::nullopt;
    ++counters.hits;
    return known(*entry, needs_beside);
  }
  template <std::predicate<const Entry&> NeedsBeside>
  std::optional<Known> look_up(std::uint64_t hash, const Id& id, NeedsBeside needs_beside) {
    return look_up(hash, id, needs_beside, counters_);
  }
  // Takes the place of what was known of the position, else the first free place of its window,
  // else that of the least worthy entry. What stands beside it stays.
  void store(std::uint64_t hash, const Entry& entry, const Beside& beside,
             TableCounters& counters) {
    if (shared_) return store_shared(hash, entry, beside, counters, true);
    Entry* place = find_place(hash, entry.id());
    const bool keeps = beside_ != nullptr && beside != Beside{};
    if (place->used() && place->is(entry.id())) {
      place->join(entry);
      if (keeps && beside_[number(place)] == Beside{}) beside_[number(place)] = beside;
      return;
    }
    ++counters.stored;
    if (place->used()) {
      ++counters.replaced;
      tell_evicted(*place);
      if (beside_ != nullptr) beside_[number(place)] = beside;
    } else {
      ++used_;
      if (keeps) beside_[number(place)] = beside;
    }
    *place = entry;
    if (wants_to_collect()) collect_garbage();
  }
  void store(std::uint64_t hash, const Entry& entry, const Beside& beside = {}) {
    store(hash, entry, beside, counters_);
  }

  // The same, but that nothing stays of what was known of the position.
  void replace(std::uint64_t hash, const Entry& entry, const Beside& beside,
               TableCounters& counters) {
    if (shared_) return store_shared(hash, entry, beside, counters, false);
    Entry* place = find_place(hash, entry.id());
    if (!place->used() || !place->is(entry.id())) return store(hash, entry, beside, counters);
    *place = entry;
    if (beside_ != nullptr) beside_[number(place)] = beside;
  }

  std::uint64_t bytes() const { return size_ * place_bytes(); }
  // Can a search that may have so many bytes go on with it?
  bool fits(std::uint64_t most_bytes) const {
    return (wants_to_grow() ? 2 * bytes() : bytes()) <= most_bytes;
  }
  // Should it double now? Never by itself, so that its owner can hold it against a limit. `more`:
  // places that were taken and take() has not told of.
  bool wants_to_grow(std::uint64_t more = 0) const {
    return 2 * (used_ + more) >= size_ && size_ < most_;
  }
  // What it holds moves to where it belongs in twice as many places; of one that is shared up to so
  // many threads move a part each.
  void grow(std::size_t threads = 1) {
    const std::uint64_t parts = shared_ ? std::clamp<std::uint64_t>(size_ / kPart, 1, threads) : 1;
    std::vector<TableCounters> moved(parts);
    std::vector<Held> held;
    held.reserve(2 * parts * kGrowingWindow);
    open(size_, 2 * size_);
    const Parts before{size_, parts};
    for (std::uint64_t part = 0; part < parts; ++part) hold_ends(before, part, held);
    size_ *= 2;
    used_ = 0;
    move_parts(before, moved);
    for (const Held& one : held) put_again(one, moved[0]);
    for (const TableCounters& of : moved) {
      counters_.replaced += of.replaced;
      if (shared_) used_ += of.stored - of.replaced;
    }
  }
  // Should the garbage of a shared table be collected? Another one does so itself.
  bool wants_to_collect(std::uint64_t more = 0) const {
    return options_.gc > 0 && size_ == most_ && 4 * (used_ + more) >= 3 * size_;
  }
  // What a thread has counted of a shared table.
  void take(const TableCounters& counted) {
    counters_.add(counted);
    used_ += counted.stored - counted.replaced;
  }
  // Returns the place where the position stands, below size(), until the next store(); for marks
  // beside the table.
  std::optional<std::uint64_t> place_of(std::uint64_t hash, const Id& id) const {
    const Entry* const entry = entry_of(hash, id);
    if (entry == nullptr || is_torn(number(entry))) return std::nullopt;
    return number(entry);
  }
  std::uint64_t size() const { return size_; }  // places
  // What stands in a place now, and beside it.
  const Entry& entry(std::uint64_t place) const { return entries_[place]; }
  Beside beside(std::uint64_t place) const {
    return beside_ == nullptr ? Beside{} : beside_[place];
  }
  const TableCounters& counters() const { return counters_; }
  TableCounters& counters() { return counters_; }

  // Discards the share gc of the entries, the least worthy and of equal ones the first,
  // and lets the others move up towards the places where their hashes say.
  void collect_garbage() {
    if (shared_) forget_torn();
    const auto share = static_cast<std::uint64_t>(options_.gc * static_cast<double>(used_));
    counters_.discarded += share;
    auto [worth, left] = last_to_go(share);
    for (std::uint64_t i = 0; i < size_; ++i) {
      Entry& entry = entries_[i];
      const bool goes = entry.used() && (entry.worth() < worth ||
                                         (entry.worth() == worth && left > 0 && left-- > 0));
      used_ -= goes;
      if (goes) tell_evicted(entry);
      if (goes) free_place(i);
    }
    close_gaps();
    if (shared_) set_checks();
  }

  // Saves or loads every entry in its place (host/archive/archive.h). What is loaded is what
  // somebody wrote, and the payload holds it against `limits`. Throws Error(kUsage) if the table is
  // larger than `most_bytes`.
  template <class Archive>
  [[gnu::cold]] void serialize(Archive& archive, const typename Payload::Limits& limits,
                               std::uint64_t most_bytes) {
    std::uint64_t size = size_;
    if (!Archive::kLoading && shared_) forget_torn();
    archive(size, counters_);
    if constexpr (Archive::kLoading) {
      archive.check(std::has_single_bit(size) && size <= most_ && size >= std::min(most_, kFirst),
                    "a table of a size that it cannot have");
      if (size * place_bytes() > most_bytes) {
        throw Error(ErrorCode::kUsage,
                    "--max-memory leaves no room for the table of the search that is resumed");
      }
      release();
      allocate(size);
      used_ = 0;
    }
    for (std::uint64_t i = 0; i < size_; i += 64) serialize_run(archive, i, limits);
    if (Archive::kLoading && shared_) set_checks();
    archive.check(counters_.stand(used_), "counts of a table with more positions, or fewer");
  }

 private:
  // An entry out of its place, while a table grows.
  struct Held {
    Entry entry;
    Beside beside;
  };
  // The places before that.
  struct Parts {
    std::uint64_t places;
    std::uint64_t count;
    std::uint64_t first(std::uint64_t part) const { return places * part / count; }
    // Does a window that begins there end within this part? Then it does so in the larger table,
    // too, in this part or in what is new as far behind it.
    bool within(std::uint64_t part, std::uint64_t hash) const {
      const std::uint64_t begin = hash & (places - 1);
      return begin >= first(part) && begin + kGrowingWindow <= first(part + 1);
    }
  };
  // Takes out what stands at the ends of a part and is not within it.
  void hold_ends(const Parts& before, std::uint64_t part, std::vector<Held>& held) {
    const std::uint64_t end = before.first(part + 1);
    for (std::uint64_t i = before.first(part); i < end; ++i) {
      if (i == before.first(part) + kGrowingWindow) i = end - kGrowingWindow;
      if (!entries_[i].used() || before.within(part, entries_[i].id().hash())) continue;
      if (!is_torn(i)) held.push_back({entries_[i], beside(i)});
      free_place(i);
    }
  }
  // In the order of their places, so that whatever is in the way of an entry stands there for good.
  void move_part(const Parts& before, std::uint64_t part, TableCounters& moved) {
    TableCounters counted;
    for (std::uint64_t i = before.first(part); i < before.first(part + 1); ++i) {
      if (!entries_[i].used()) continue;
      const Held one{entries_[i], beside(i)};
      const bool torn = is_torn(i);
      free_place(i);
      if (!torn) put_again(one, counted);
    }
    moved = counted;
  }
  void move_parts(const Parts& before, std::vector<TableCounters>& moved) {
    std::vector<std::jthread> others;
    for (std::uint64_t part = 1; part < before.count; ++part) {
      try {
        others.emplace_back([&, part] { move_part(before, part, moved[part]); });
      } catch (...) {  // the machine allows no more of them
        move_part(before, part, moved[part]);
      }
    }
    move_part(before, 0, moved[0]);
  }
  void put_again(const Held& one, TableCounters& counted) {
    const std::uint64_t hash = one.entry.id().hash();
    // Threads may have stored it twice, with values of two claims: a zone stays with its bounds.
    if (one.beside != Beside{}) {
      replace(hash, one.entry, one.beside, counted);
    } else {
      store(hash, one.entry, {}, counted);
    }
  }

  std::uint64_t number(const Entry* place) const {
    return static_cast<std::uint64_t>(place - entries_);
  }
  // nullptr if the position is not known.
  const Entry* entry_of(std::uint64_t hash, const Id& id) const {
    const std::uint32_t window = this->window();
    for (std::uint32_t i = 0; i < window; ++i) {
      const Entry& entry = entries_[place(hash + i)];
      if (!entry.used()) return nullptr;
      if (entry.id() == id) return &entry;
    }
    return nullptr;
  }
  Known known(const Entry& entry, auto& needs_beside) const {
    return {entry, needs_beside(entry) ? beside(number(&entry)) : Beside{}};
  }
  void tell_evicted(const Entry& entry) const {
    if (listener_ != nullptr) listener_->on_evicted(entry.id().hash());
  }

  static constexpr std::uint64_t kFirst = 1 << 12;     // places
  static constexpr std::uint64_t kPart = 1 << 15;      // places that are worth a thread
  static constexpr std::uint32_t kGrowingWindow = 64;  // while there is room, little is lost

  std::uint64_t place(std::uint64_t i) const { return i & (size_ - 1); }
  std::uint32_t window() const { return size_ < most_ ? kGrowingWindow : options_.probe; }

  std::uint64_t place_bytes() const {
    return sizeof(Entry) + (options_.beside ? sizeof(Beside) : 0) +
           (has_checks() ? sizeof(std::uint64_t) : 0);
  }
  void allocate(std::uint64_t size) {
    beside_ = options_.beside ? reserve<Beside>() : nullptr;
    checks_ = has_checks() ? reserve<std::uint64_t>() : nullptr;
    entries_ = reserve<Entry>();
    open(0, size);
    size_ = size;
  }
  void release() {
    unmap(entries_);
    unmap(beside_);
    unmap(checks_);
  }
  // Addresses for as many places as there may ever be, so that a table grows where it is.
  template <class T>
  T* reserve() const {
    void* memory = mmap(nullptr, most_ * sizeof(T), PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return static_cast<T*>(memory != MAP_FAILED ? memory : no_room());
  }
  template <class T>
  void unmap(T*& values) {
    if (values != nullptr) munmap(values, most_ * sizeof(T));
    values = nullptr;
  }
  void open(std::uint64_t from, std::uint64_t to) {
    if (!try_open(entries_, from, to) || !try_open(beside_, from, to) ||
        !try_open(checks_, from, to)) {
      no_room();
    }
  }
  // Memory for these places, with whatever else is on the first of their pages; an entry that is
  // all zero is not used.
  template <class T>
  static bool try_open(T* values, std::uint64_t from, std::uint64_t to) {
    if (values == nullptr) return true;
    static const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    auto* const base = reinterpret_cast<std::byte*>(values);
    const std::uint64_t first = from * sizeof(T) / page * page;
    const std::uint64_t end = to * sizeof(T);
    if (mprotect(base + first, end - first, PROT_READ | PROT_WRITE) != 0) return false;
    // Huge pages are few. What grows will be filled.
    constexpr std::uint64_t kSmall = std::uint64_t{4} << 20;
    if (end > kSmall) madvise(base, end, MADV_HUGEPAGE);
#ifdef MADV_POPULATE_WRITE
    if (from > 0 && end - first <= kSmall) madvise(base + first, end - first, MADV_POPULATE_WRITE);
#endif
    return true;
  }
  [[noreturn]] static void* no_room() {
    throw Error(ErrorCode::kInternal, "out of memory: the table does not fit");
  }

  Entry* find_place(std::uint64_t hash, const Id& id) {
    const std::uint32_t window = this->window();
    Entry* least = entries_ + place(hash);
    for (std::uint32_t i = 0; i < window; ++i) {
      Entry* entry = entries_ + place(hash + i);
      if (!entry->used() || entry->id() == id) return entry;
      if (entry->worth() < least->worth()) least = entry;
    }
    return least;
  }

  bool has_checks() const { return shared_ && !options_.locks; }
  std::optional<Known> find_shared(std::uint64_t hash, const Id& id, auto& needs_beside) const {
    return locks_ ? find_locked(hash, id, needs_beside) : find_whole(hash, id);
  }
  void store_shared(std::uint64_t hash, const Entry& entry, const Beside& beside,
                    TableCounters& counters, bool joins) {
    if (locks_) return store_locked(hash, entry, beside, counters, joins);
    store_whole(hash, entry, beside, counters, joins);
  }

  // A shared table without locks: what stands in a place is copied word by word, and is whole if
  // its check says so. Where nothing stands beside it, nothing is read there.
  using EntryCopy = WordsOf<Entry>;
  static bool is_free(const EntryCopy& copy) {
    std::uint64_t any = 0;
    for (const std::uint64_t word : copy) any |= word;
    return any == 0;
  }
  // Words are compared where they are: most places are of other positions.
  static bool is_of(const EntryCopy& copy, const Id& id) {
    std::uint64_t differ = 0;
    for (std::size_t i = 0; i < id.words.size(); ++i) differ |= copy[i] ^ id.words[i];
    return differ == 0 && value_of<Entry>(copy).turn() == id.turn;
  }
  [[gnu::noinline]] std::optional<Known> find_whole(std::uint64_t hash, const Id& id) const {
    const std::uint32_t window = this->window();
    for (std::uint32_t i = 0; i < window; ++i) {
      const EntryCopy copy = load_words<Words>(entries_ + place(hash + i));
      if (is_free(copy)) return std::nullopt;
      if (is_of(copy, id)) return whole(place(hash + i), copy);
    }
    return std::nullopt;
  }
  std::optional<Known> whole(std::uint64_t at, const EntryCopy& copy) const {
    const std::uint64_t check = load_words<Words>(checks_ + at)[0];
    const std::uint64_t own = Words::check(copy);
    if (check == own) return Known{value_of<Entry>(copy), {}};
    if (beside_ == nullptr) return std::nullopt;
    const WordsOf<Beside> beside = load_words<Words>(beside_ + at);
    if (check != (own ^ Words::check_beside(beside))) return std::nullopt;
    return Known{value_of<Entry>(copy), value_of<Beside>(beside)};
  }
  [[gnu::noinline]] void store_whole(std::uint64_t hash, const Entry& entry, const Beside& beside,
                                     TableCounters& counters, bool joins) {
    const std::uint32_t window = this->window();
    const Id id = entry.id();
    std::uint64_t to = place(hash);
    std::uint32_t least = Payload::kMostWorth + 1;
    for (std::uint32_t i = 0; i < window; ++i) {
      const std::uint64_t at = place(hash + i);
      const EntryCopy copy = load_words<Words>(entries_ + at);
      if (is_free(copy)) {
        ++counters.stored;
        return write(at, entry, beside);
      }
      if (is_of(copy, id)) {
        std::optional<Known> known = joins ? whole(at, copy) : std::nullopt;
        if (!known) return write(at, entry, beside);
        known->join(entry);
        return write(at, *known, known->beside == Beside{} ? beside : known->beside);
      }
      const std::uint32_t worth = value_of<Entry>(copy).worth();
      if (worth < least) {
        to = at;
        least = worth;
      }
    }
    ++counters.stored;
    ++counters.replaced;
    write(to, entry, beside);
  }
  void write(std::uint64_t at, const Entry& entry, const Beside& beside) {
    store_words<Words>(entries_ + at, words_of(entry));
    if (beside_ != nullptr) store_words<Words>(beside_ + at, words_of(beside));
    if (checks_ == nullptr) return;
    store_words<Words>(checks_ + at, {check_of(entry, beside_ != nullptr ? beside : Beside{})});
  }

  // A shared table with locks: the same one place after the other, whose words stand still
  // meanwhile.
  [[gnu::noinline]] std::optional<Known> find_locked(std::uint64_t hash, const Id& id,
                                                     auto& needs_beside) const {
    const std::uint32_t window = this->window();
    PlaceLocks::Hold hold(*locks_, place(hash));
    for (std::uint32_t i = 0; i < window; ++i) {
      const std::uint64_t at = place(hash + i);
      hold.move_to(at);
      const EntryCopy copy = load_words<Words>(entries_ + at);
      if (is_free(copy)) return std::nullopt;
      if (!is_of(copy, id)) continue;
      const auto entry = value_of<Entry>(copy);
      const bool needs = beside_ != nullptr && needs_beside(entry);
      return Known{entry, needs ? value_of<Beside>(load_words<Words>(beside_ + at)) : Beside{}};
    }
    return std::nullopt;
  }
  [[gnu::noinline]] void store_locked(std::uint64_t hash, const Entry& entry, const Beside& beside,
                                      TableCounters& counters, bool joins) {
    const std::uint32_t window = this->window();
    const Id id = entry.id();
    std::uint64_t to = place(hash);
    std::uint32_t least = Payload::kMostWorth + 1;
    PlaceLocks::Hold hold(*locks_, to);
    for (std::uint32_t i = 0; i < window; ++i) {
      const std::uint64_t at = place(hash + i);
      hold.move_to(at);
      const EntryCopy copy = load_words<Words>(entries_ + at);
      if (is_free(copy)) {
        ++counters.stored;
        return write(at, entry, beside);
      }
      if (is_of(copy, id)) return write_again(at, entry, beside, joins);
      const std::uint32_t worth = value_of<Entry>(copy).worth();
      if (worth < least) {
        to = at;
        least = worth;
      }
    }
    hold.move_to(to);
    // Another may have stored the position there meanwhile.
    if (is_of(load_words<Words>(entries_ + to), id)) return write_again(to, entry, beside, joins);
    ++counters.stored;
    ++counters.replaced;
    write(to, entry, beside);
  }
  // Where the position stands.
  void write_again(std::uint64_t at, const Entry& entry, const Beside& beside, bool joins) {
    if (!joins) return write(at, entry, beside);
    auto known = value_of<Entry>(load_words<Words>(entries_ + at));
    known.join(entry);
    store_words<Words>(entries_ + at, words_of(known));
    if (beside_ == nullptr || beside == Beside{}) return;
    if (value_of<Beside>(load_words<Words>(beside_ + at)) != Beside{}) return;
    store_words<Words>(beside_ + at, words_of(beside));
  }

  static std::uint64_t check_of(const Entry& entry, const Beside& beside) {
    return Words::check(words_of(entry)) ^ Words::check_beside(words_of(beside));
  }
  // While all rest.
  bool is_torn(std::uint64_t i) const {
    return checks_ != nullptr && checks_[i] != check_of(entries_[i], beside(i));
  }
  void set_checks() {
    if (checks_ == nullptr) return;
    for (std::uint64_t i = 0; i < size_; ++i) checks_[i] = check_of(entries_[i], beside(i));
  }
  // Two threads may have taken the same place: counts are set right.
  void forget_torn() {
    std::uint64_t whole = 0;
    bool any = false;
    for (std::uint64_t i = 0; i < size_; ++i) {
      if (!entries_[i].used()) continue;
      const bool torn = is_torn(i);
      if (torn) free_place(i);
      any = any || torn;
      whole += !torn;
    }
    used_ = whole;
    counters_.discarded = counters_.stored - counters_.replaced - whole;
    if (!any) return;
    close_gaps();
    set_checks();
  }
  // Places have become free: the others move up towards the places where their hashes say. A
  // position that threads have stored twice stands once then.
  void close_gaps() {
    std::uint64_t last_free = size_ - 1;
    while (last_free > 0 && entries_[last_free].used()) --last_free;
    for (std::uint64_t i = last_free + 1; i <= last_free + size_; ++i) {
      const Entry entry = entries_[place(i)];
      if (!entry.used()) continue;
      const Beside beside = this->beside(place(i));
      free_place(place(i));
      Entry* const to = find_place(entry.id().hash(), entry.id());
      const bool twice = to->used();
      if (twice) {
        --used_;
        ++counters_.discarded;
      }
      if (twice && beside == Beside{}) {
        to->join(entry);
      } else {
        *to = entry;
        if (beside_ != nullptr) beside_[number(to)] = beside;
      }
    }
  }

  // Nothing stands beside a free place.
  void free_place(std::uint64_t i) {
    entries_[i] = Entry();
    if (beside_ != nullptr) beside_[i] = Beside{};
  }

  // What the last of the `left` least worthy entries is worth, and how many of them are worth that.
  // Digit by digit: small tables are collected often, and have far fewer entries than worths.
  std::pair<std::uint32_t, std::uint64_t> last_to_go(std::uint64_t left) const {
    static_assert(Payload::kMostWorth < 1U << 16);
    std::uint32_t worth = 0;  // its upper digits
    for (const int shift : {8, 0}) {
      std::array<std::uint64_t, 256> count{};
      for (std::uint64_t i = 0; i < size_; ++i) {
        const std::uint32_t digits = entries_[i].worth() >> shift;
        if (entries_[i].used() && digits >> 8 == worth) ++count[digits & 255];
      }
      std::uint32_t digit = 0;
      while (count[digit] < left) left -= count[digit++];
      worth = worth << 8 | digit;
    }
    return {worth, left};
  }

  // Saves or loads 64 places, or all: which of them are used, and what they hold.
  template <class Archive>
  [[gnu::cold]] void serialize_run(Archive& archive, std::uint64_t first,
                                   const typename Payload::Limits& limits) {
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
      entry.serialize(archive);
      if (beside_ != nullptr) archive.bytes(&beside_[i], sizeof(Beside));
      if constexpr (!Archive::kLoading) continue;
      ++used_;
      archive.check(entry.used() && place(i - entry.id().hash()) < window(),
                    "a position in the wrong place");
      entry.check(archive, limits);
    }
  }

  TableOptions options_;
  Entry* entries_ = nullptr;
  Beside* beside_ = nullptr;         // if options_.beside
  std::uint64_t* checks_ = nullptr;  // if it is shared, without locks
  std::unique_ptr<PlaceLocks> locks_;
  bool shared_ = false;
  bool was_shared_ = false;  // now, or before
  std::uint64_t size_ = 1;   // places; a power of two, like most_
  std::uint64_t most_ = 1;
  std::uint64_t used_ = 0;
  TableCounters counters_;
  SearchListener* listener_ = nullptr;
};

}  // namespace playproof
