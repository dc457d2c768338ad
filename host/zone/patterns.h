// Patterns: proven positions as what their zones leave of them. V wins every position with the same
// side to move in which the needed stones are V's and no stone of L lies in the zone (the claim of
// host/zone/zone.h); if L is to move in the pattern, also with V to move, since a move more never
// hurts V. A search keeps some recent ones and asks them about every node that it enters, once for
// all its children:
//   - a pattern that L's move cannot touch, V to move: every reply outside its zone is lost for L,
//     as by a sibling's zone (rule 3);
//   - a pattern with L to move that lacks one stone of V: V wins by playing there (rule 2).
//
// Threads share patterns as they share a table (host/question/shared_words.h): one of them adds at
// a time, any number ask meanwhile. What may be torn only says which patterns may match: each of
// these is copied, held against its check word, and matched once more.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "games/core/cell_set.h"
#include "games/core/connection.h"
#include "games/core/game.h"
#include "games/core/own_lines.h"
#include "host/question/shared_words.h"
#include "host/zone/board_maps.h"
#include "host/zone/match.h"

namespace playproof {

// A fixed number of patterns of one winner and one side to move. When they are full a new one takes
// the place of one that decided nothing since it was looked at last for that (the clock rule).
template <int W, class Words = RelaxedWords>
class PatternRing {
 public:
  using Cells = CellSet<W>;

  // `capacity`: rounded up to a multiple of 16; 0 keeps none. Of a board with so many cells.
  PatternRing(std::size_t capacity, int cells)
      : capacity_((capacity + 15) / 16 * 16),
        cells_(cells),
        // No position has stones of both everywhere.
        needed_(W * capacity_, ~std::uint64_t{0}),
        zones_(W * capacity_, ~std::uint64_t{0}),
        useful_(capacity_),
        rows_((capacity_ + kMatchPatterns - 1) / kMatchPatterns * 2 *
              static_cast<std::size_t>(cells)) {}

  // From now on threads share it.
  void share() {
    checks_.resize(capacity_);
    for (std::size_t i = 0; i < filled_; ++i) checks_[i] = check_of(needed(i), zone(i));
  }

  // Adds a pattern and returns where it is kept, if there is room for any.
  std::size_t add(const Cells& needed, const Cells& zone) {
    if (capacity_ == 0) return 0;
    while (is_useful(next_)) {
      mark(next_, 0);
      next_ = (next_ + 1) % capacity_;
    }
    if (next_ < filled_) turn_bits(next_);
    for (std::size_t w = 0; w < W; ++w) {
      Words::store(&needed_[w * capacity_ + next_], needed.words[w]);
      Words::store(&zones_[w * capacity_ + next_], zone.words[w]);
    }
    if (!checks_.empty()) Words::store(&checks_[next_], check_of(needed, zone));
    turn_bits(next_);
    const std::size_t place = next_;
    if (place == filled_) __atomic_store_n(&filled_, place + 1, __ATOMIC_RELAXED);
    next_ = (place + 1) % capacity_;
    return place;
  }
  // Calls f(i) -> stop with the patterns that lack at most `short_of` (0 or 1) of their needed
  // stones in `own` and have none of `other` in their zone, in the order of their places. f adds
  // none.
  template <class F>
  void for_each_match(const Cells& own, const Cells& other, int short_of, F&& f) const {
    const Cells empty = Cells::all(cells_) - own - other;
    const MatchQuestion question = {other.words, empty.words, W, short_of};
    const std::size_t filled = size();
    for (std::size_t first = 0; first < filled; first += kMatchPatterns) {
      MatchRow mask = first_bits(filled - first);
      const MatchRow* const rows = rows_.data() + row_of(first);
      if (!match_rows(rows, rows + cells_, question, &mask)) continue;
      for (std::size_t w = 0; w < kMatchPatterns / 64; ++w) {
        for (std::uint64_t rest = mask.words[w]; rest != 0; rest &= rest - 1) {
          if (f(first + 64 * w + static_cast<std::size_t>(std::countr_zero(rest)))) return;
        }
      }
    }
  }
  // The same for f(i, needed, zone), of copies, also while another thread adds.
  template <class F>
  void for_each_copy(const Cells& own, const Cells& other, int short_of, F&& f) const {
    for_each_match(own, other, short_of, [&](std::size_t i) {
      const Cells needed = this->needed(i);
      const Cells zone = this->zone(i);
      const bool whole =
          checks_.empty() || (Words::load(&checks_[i]) == check_of(needed, zone) &&
                              (needed - own).size() <= short_of && (zone & other).empty());
      return whole && f(i, needed, zone);
    });
  }
  void clear() {
    std::fill(needed_.begin(), needed_.end(), ~std::uint64_t{0});
    std::fill(zones_.begin(), zones_.end(), ~std::uint64_t{0});
    std::fill(useful_.begin(), useful_.end(), std::uint8_t{0});
    std::fill(rows_.begin(), rows_.end(), MatchRow{});
    filled_ = next_ = 0;
  }
  std::size_t size() const { return __atomic_load_n(&filled_, __ATOMIC_RELAXED); }
  std::size_t capacity() const { return capacity_; }
  Cells needed(std::size_t i) const { return cells(needed_, i); }
  Cells zone(std::size_t i) const { return cells(zones_, i); }
  // Pattern i decided something.
  void note_useful(std::size_t i) {
    if (!is_useful(i)) mark(i, 1);
  }

  std::uint64_t bytes() const {
    return capacity_ * (2 * sizeof(Cells) + 1) + rows_.size() * sizeof(MatchRow) +
           checks_.size() * sizeof(std::uint64_t);
  }
  template <class Archive>
  void serialize(Archive& archive) {  // host/archive/archive.h
    std::uint64_t filled = filled_;
    std::uint64_t next = next_;
    archive(filled, next);
    archive.check(filled <= capacity_ && (next == 0 || next < capacity_),
                  "more patterns than there is room for");
    filled_ = filled;
    next_ = next;
    archive.bytes(needed_.data(), needed_.size() * sizeof(std::uint64_t));
    archive.bytes(zones_.data(), zones_.size() * sizeof(std::uint64_t));
    archive.bytes(useful_.data(), useful_.size());
    // Places beyond the last pattern are filled in turn, and are as they were at first until then.
    const auto all_beyond = [&](const auto& of, std::size_t word, const auto& good) {
      const auto first = of.begin() + static_cast<std::ptrdiff_t>(word * capacity_);
      return std::all_of(first + static_cast<std::ptrdiff_t>(filled_),
                         first + static_cast<std::ptrdiff_t>(capacity_), good);
    };
    archive.check(std::all_of(useful_.begin(), useful_.end(), [](auto used) { return used <= 1; }),
                  "neither of use nor of none");
    bool in_turn = (filled_ == capacity_ || next_ == filled_) &&
                   all_beyond(useful_, 0, [](std::uint8_t used) { return used == 0; });
    for (std::size_t w = 0; w < W; ++w) {
      for (const auto* words : {&needed_, &zones_}) {
        in_turn = in_turn && all_beyond(*words, w, [](std::uint64_t word) { return ~word == 0; });
      }
    }
    archive.check(in_turn, "patterns out of turn");
  }
  // Makes the rows after loading, when all patterns are known to lie on the board.
  void make_rows() {
    std::fill(rows_.begin(), rows_.end(), MatchRow{});
    for (std::size_t i = 0; i < filled_; ++i) turn_bits(i);
    if (!checks_.empty()) share();
  }

 private:
  Cells cells(const std::vector<std::uint64_t>& of, std::size_t i) const {
    Cells cells;
    for (std::size_t w = 0; w < W; ++w) cells.words[w] = Words::load(&of[w * capacity_ + i]);
    return cells;
  }
  static std::uint64_t check_of(const Cells& needed, const Cells& zone) {
    return Words::check(words_of(needed)) ^ Words::check_beside(words_of(zone));
  }
  bool is_useful(std::size_t i) const {
    return __atomic_load_n(&useful_[i], __ATOMIC_RELAXED) != 0;
  }
  void mark(std::size_t i, std::uint8_t useful) {
    __atomic_store_n(&useful_[i], useful, __ATOMIC_RELAXED);
  }
  std::size_t row_of(std::size_t i) const {
    return i / kMatchPatterns * 2 * static_cast<std::size_t>(cells_);
  }
  static MatchRow first_bits(std::size_t count) {
    MatchRow row;
    if (count >= kMatchPatterns) {  // most often
      std::fill(std::begin(row.words), std::end(row.words), ~std::uint64_t{0});
      return row;
    }
    for (std::uint64_t& word : row.words) {
      word = count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
      count -= std::min<std::size_t>(count, 64);
    }
    return row;
  }
  // Turns the bits of pattern i, in the rows of its cells.
  void turn_bits(std::size_t i) {
    MatchRow* const rows = rows_.data() + row_of(i);
    const std::size_t word = i % kMatchPatterns / 64;
    const std::uint64_t bit = std::uint64_t{1} << (i % 64);
    const auto turn = [&](MatchRow& row) { Words::store(&row.words[word], row.words[word] ^ bit); };
    for_each_cell(needed(i), [&](int c) { turn(rows[c]); });
    for_each_cell(zone(i), [&](int c) { turn(rows[cells_ + c]); });
  }

  std::size_t capacity_;
  int cells_;
  std::vector<std::uint64_t> needed_;  // word 0 of all patterns, word 1, ...
  std::vector<std::uint64_t> zones_;
  std::vector<std::uint8_t> useful_;
  // There are, for every kMatchPatterns, cells_ of those that need a cell, then cells_ of zones
  // (match.h).
  std::vector<MatchRow> rows_;
  std::vector<std::uint64_t> checks_;  // of each pattern, if threads share it
  std::size_t filled_ = 0;
  alignas(kOwnLines) std::size_t next_ = 0;  // the others are read by all
};

// Patterns of all winners and sides to move; what symmetries of the game make of one is one too.
template <ConnectionGame G>
class Patterns {
 public:
  static constexpr int kWords = Connection<G>::kWords;
  static constexpr std::size_t kRings = 4;  // a winner, a side to move
  using Cells = CellSet<kWords>;
  using Map = typename BoardMaps<G>::Map;
  // Where a pattern is kept, until another takes its place.
  struct Place {
    std::size_t ring;
    std::size_t i;
  };

  Patterns(const typename G::Rules& rules, std::size_t capacity)
      : board_(Cells::all(Connection<G>::cells(rules))),
        rings_(kRings, PatternRing<kWords>(capacity, Connection<G>::cells(rules))),
        maps_(rules) {}

  // Calls kept(place, map) with where the pattern is kept as each map of the board turns it.
  template <class F>
  void add(Player winner, Player mover, const Cells& needed, const Cells& zone, F&& kept) {
    if (rings_[0].capacity() == 0) return;
    for (Map map = 0; map < maps_.size(); ++map) {
      const Cells needed_there = maps_.turned(map, needed);
      const Cells zone_there = maps_.turned(map, zone);
      const bool same = !maps_.exchanges(map) && needed_there == needed && zone_there == zone;
      if (same && map != maps_.kIdentity) continue;
      const std::size_t ring = ring_of(maps_.turned(map, winner), maps_.turned(map, mover));
      kept(Place{ring, rings_[ring].add(needed_there, zone_there)}, map);
    }
  }
  void add(Player winner, Player mover, const Cells& needed, const Cells& zone) {
    add(winner, mover, needed, zone, [](Place, Map) {});
  }
  void clear() {
    for (auto& ring : rings_) ring.clear();
  }
  // From now on threads share them.
  void share() {
    for (auto& ring : rings_) ring.share();
  }
  // Calls lost(zone) -> used with the zones of patterns that say: whatever `mover`, with the stones
  // `own`, plays outside this zone, he loses. It says whether that was of use.
  template <class F>
  void for_each_refutation(Player mover, const Cells& own, const Cells& other, F&& lost) {
    const Player waits = opponent(mover);
    for (const Player to_move : {mover, waits}) {
      PatternRing<kWords>& patterns = rings_[ring_of(waits, to_move)];
      patterns.for_each_copy(other, own, 0, [&](std::size_t i, const Cells&, const Cells& zone) {
        if (lost(zone)) patterns.note_useful(i);
        return false;
      });
    }
  }
  // Calls won(cells, zone) -> used with patterns that say: `mover` wins with this zone by playing
  // one of these cells, or anywhere if there are none. Ends with the first that was of use.
  template <class F>
  void find_win(Player mover, const Cells& own, const Cells& other, F&& won) {
    PatternRing<kWords>& patterns = rings_[ring_of(mover, opponent(mover))];
    patterns.for_each_copy(own, other, 1,
                           [&](std::size_t i, const Cells& needed, const Cells& zone) {
                             const bool used = won(needed - own, zone);
                             if (used) patterns.note_useful(i);
                             return used;
                           });
  }
  // Calls f(place) -> stop with the patterns with this winner and side to move that lack at most
  // `short_of` (0 or 1) of their needed stones in those of the winner, and have none of the loser
  // in their zone.
  template <class F>
  void for_each_match(Player winner, Player mover, const Cells& winners, const Cells& losers,
                      int short_of, F&& f) const {
    const std::size_t ring = ring_of(winner, mover);
    rings_[ring].for_each_match(winners, losers, short_of, [&](std::size_t i) {
      return f(Place{ring, i});
    });
  }
  const PatternRing<kWords>& ring(std::size_t ring) const { return rings_[ring]; }
  static std::size_t ring_of(Player winner, Player mover) {
    return 2 * static_cast<std::size_t>(winner) + (winner == mover ? 1 : 0);
  }
  // The pattern there decided something.
  void note_useful(Place at) { rings_[at.ring].note_useful(at.i); }
  const BoardMaps<G>& maps() const { return maps_; }
  std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const auto& ring : rings_) sum += ring.bytes();
    return sum;
  }
  template <class Archive>
  void serialize(Archive& archive) {
    for (auto& ring : rings_) {
      ring.serialize(archive);
      for (std::size_t i = 0; i < ring.size(); ++i) {
        const bool good = ring.needed(i).within(ring.zone(i)) && ring.zone(i).within(board_);
        archive.check(good, "a pattern beyond the board");
      }
      if constexpr (Archive::kLoading) ring.make_rows();
    }
  }

 private:
  Cells board_;
  std::vector<PatternRing<kWords>> rings_;
  BoardMaps<G> maps_;
};

}  // namespace playproof
