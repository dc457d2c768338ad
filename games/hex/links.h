// Virtual connections of Hex, here called links (on the command line and in results: connections),
// by H-search (Anshelevich 2002, "A hierarchical approach to computer Hex", Artificial Intelligence
// 134). A link says that a player can join its two ends by answering inside its carrier, a set of
// empty cells. An end is an edge of his, a group of his stones, or an empty cell, as if it were
// his.
//   full  whoever moves
//   semi  he moves first, on the key
// Rules:
//   touch  ends that neighbour each other: full, no carrier
//   AND    full links X-Z and Z-Y with disjoint carriers: X-Y full with both if Z is a group; semi
//          with both and the key Z if Z is an empty cell
//   OR     semi links X-Y whose carriers have no cell in common: full, the union
// Links between his two edges decide positions (host/knowledge/finders.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "games/core/cell_set.h"
#include "games/hex/neighbours.h"
#include "games/hex/rules.h"

namespace playproof {

// What an H-search keeps, at most. What does not fit is not found; what is found is so.
struct LinkLimits {
  int fulls = 16;     // of two ends
  int semis = 32;     // of two ends
  int threats = 128;  // semi links between the edges
  int parts = 5;      // semi links of an OR
  std::size_t links = 1 << 14;
};

template <int W>
class HexLinks {
 public:
  using Cells = CellSet<W>;
  using Rules = typename Hex<W>::Rules;
  using End = std::uint16_t;    // 0 and 1: the edges
  using Index = std::uint32_t;  // of a link

  static constexpr End kNoEnd = ~End{0};
  static constexpr Index kNone = ~Index{0};

  struct Link {
    Cells carrier;
    End ends[2];
    End over;  // AND: the end between them; else kNoEnd
    bool full;
    // The number of its part()s. AND: the full links from ends[0] and to ends[1]; OR: the semi
    // links; none: the ends touch.
    Index parts = 0;
    Index first_part = 0;
    Index slot = 0;  // of its ends
  };

  HexLinks(const Rules& rules, int player, const LinkLimits& limits = {})
      : rules_(rules),
        limits_(limits),
        edges_{hex_edge<W>(rules, player, 0), hex_edge<W>(rules, player, 1)} {}

  // What search() is to find.
  enum class Goal : std::uint8_t {
    kSemi,  // the player is to move: one link between his edges, semi will do
    kFull,  // he is not: a full one, or as many semi links as there are
    kAll    // whatever there is
  };
  // Finds links; the smallest carriers come first. True if a link between the edges was found that
  // wins for the player.
  bool search(const Cells& own, const Cells& other, Goal goal) {
    begin(own, other);
    while (take_next()) {
      if (goal == Goal::kAll) continue;
      if (full_ != kNone || (goal == Goal::kSemi && !between_.empty())) return true;
    }
    return goal == Goal::kFull ? join_all() : full_ != kNone;
  }
  // What joins the edges: a full link, or kNone; the semi links.
  Index full() const { return full_; }
  const std::vector<Index>& semis() const { return between_; }
  const Link& link(Index i) const { return links_[i]; }
  Index part(const Link& link, Index i) const { return parts_[link.first_part + i]; }
  std::size_t size() const { return links_.size(); }
  // Calls f(a, b, common) of every two ends that full links join; common: cells in all of their
  // carriers, of those that were kept.
  template <class F>
  void for_each_joined(F&& f) const {
    for (std::size_t a = 0; a < ends_.size(); ++a) {
      for (std::size_t b = a + 1; b < ends_.size(); ++b) {
        const Index slot = slots_[a * ends_.size() + b];
        if (slot == kNone || fulls_.carriers(slot).empty()) continue;
        f(static_cast<End>(a), static_cast<End>(b), fulls_.common(slot));
      }
    }
  }
  std::size_t ends() const { return ends_.size(); }

  // The cells of an end: one empty cell, or stones (an edge's may be none).
  const Cells& cells(End end) const { return ends_[end].cells; }
  bool is_cell(End end) const { return end >= first_cell_; }
  static bool is_edge(End end) { return end < 2; }
  const Cells& edge(int which) const { return edges_[which]; }
  const Rules& rules() const { return rules_; }

 private:
  struct EndCells {
    Cells cells;
    Cells around;  // cells that touch it
  };
  // A full link at one of its ends.
  struct Here {
    Cells carrier;
    End other;
    Index link;
  };

  void begin(const Cells& own, const Cells& other) {
    links_.clear();
    parts_.clear();
    between_.clear();
    full_ = kNone;
    const Cells empty = Cells::all(rules_.cells) - own - other;
    make_ends(own, empty);
    const std::size_t ends = ends_.size();
    at_.resize(std::max(at_.size(), ends));
    for (auto& here : at_) here.clear();
    slots_.assign(ends * ends, kNone);
    slot_count_ = 0;
    fulls_.clear();
    semis_.clear();
    for (auto& waiting : waiting_) waiting.clear();
    waiting_.resize(static_cast<std::size_t>(rules_.cells) + 1);
    size_ = 0;
    for (End a = 0; a < ends; ++a) {
      for (End b = static_cast<End>(a + 1); b < ends; ++b) {
        if (touch(ends_[a], ends_[b])) add({}, a, b, kNoEnd, true, nullptr, 0);
      }
    }
  }
  // An edge may have no cells, and then has neighbours.
  static bool touch(const EndCells& a, const EndCells& b) {
    return !((a.around & b.cells) | (a.cells & b.around)).empty();
  }
  void make_ends(const Cells& own, const Cells& empty) {
    ends_.clear();
    Cells left = own;
    for (const Cells& edge : edges_) {
      const Cells group = hex_group<W>(rules_, edge & left, left);
      left = left - group;
      ends_.push_back({group, edge | hex_neighbours<W>(rules_, group)});
    }
    while (!left.empty()) {
      const Cells group = hex_group<W>(rules_, Cells::one(left.lowest()), left);
      left = left - group;
      ends_.push_back({group, hex_neighbours<W>(rules_, group)});
    }
    first_cell_ = static_cast<End>(ends_.size());
    for_each_cell(empty, [&](int cell) {
      const Cells one = Cells::one(cell);
      ends_.push_back({one, hex_neighbours<W>(rules_, one)});
    });
  }

  // Each two ends have so many links at most: those that were taken, in this order, then some that
  // wait. None needs all the cells of another one. Two ends have a slot once there is a link of
  // theirs.
  class Kept {
   public:
    void clear() {
      slots_.clear();
      used_ = 0;
    }
    // Adds a slot with room for so many links, at least 1 and at most 255.
    void add_slot(int room) {
      slots_.emplace_back();
      slots_.back().first = used_;
      slots_.back().room = static_cast<std::uint8_t>(room);
      used_ += static_cast<std::size_t>(room);
      if (links_.size() >= used_) return;
      links_.resize(used_);
      carriers_.resize(used_);
    }
    std::span<const Cells> carriers(Index slot) const { return {first(slot), slots_[slot].count}; }
    std::span<const Cells> taken(Index slot) const { return {first(slot), slots_[slot].taken}; }
    Index link(Index slot, std::size_t k) const { return links_[slots_[slot].first + k]; }
    // What all of them have in common; of none: nothing.
    const Cells& common(Index slot) const { return slots_[slot].common; }
    // Does one of them need no other cells than these?
    bool has_within(Index slot, const Cells& cells) const {
      return common(slot).within(cells) && any_within(carriers(slot), cells);
    }
    // Is there no room for one with this carrier?
    bool is_full(Index slot, const Cells& carrier) const {
      const std::uint16_t limit = slots_[slot].limit;
      return limit != kNoLimit && carrier.size() >= limit;
    }

    // Link i, which needs all the cells of no other one, waits; the waiting ones that need all of
    // its cells go, or the last of the largest where there is no room.
    void add(Index slot, const Cells& carrier, Index i) {
      remove_containing(slot, carrier);
      Slot& at = slots_[slot];
      if (at.count == at.room) remove(slot, largest(slot));
      at.common = at.count == 0 ? carrier : at.common & carrier;
      first(slot)[at.count] = carrier;
      links_[at.first + at.count] = i;
      ++at.count;
      if (at.count == at.room) set_limit(slot);
    }
    // Removes those that wait and need all of these cells.
    void remove_containing(Index slot, const Cells& cells) {
      for (std::size_t k = slots_[slot].count; k-- > slots_[slot].taken;) {
        if (cells.within(first(slot)[k])) remove(slot, k);
      }
    }
    // Link i waits no longer; false if it has gone.
    bool take(Index slot, Index i) {
      Slot& at = slots_[slot];
      Index* const links = links_.data() + at.first;
      Index* const found = std::find(links + at.taken, links + at.count, i);
      if (found == links + at.count) return false;
      std::swap(first(slot)[at.taken], first(slot)[found - links]);
      std::swap(links[at.taken], *found);
      ++at.taken;
      return true;
    }

   private:
    static constexpr std::uint16_t kNoLimit = 0xffff;
    struct Slot {
      Cells common;
      std::size_t first = 0;  // in carriers_ and links_
      std::uint8_t room = 0;
      std::uint8_t count = 0;
      std::uint8_t taken = 0;
      std::uint16_t limit = kNoLimit;  // no room for so many cells or more
    };
    Cells* first(Index slot) { return carriers_.data() + slots_[slot].first; }
    const Cells* first(Index slot) const { return carriers_.data() + slots_[slot].first; }
    // Looks at all of them: without branches that is faster than to stop early.
    static bool any_within(std::span<const Cells> carriers, const Cells& cells) {
      std::uint64_t found = 0;
      for (const Cells& one : carriers) found |= one.within(cells) ? 1 : 0;
      return found != 0;
    }
    void remove(Index slot, std::size_t k) {
      Slot& at = slots_[slot];
      Cells* const carriers = first(slot);
      Index* const links = links_.data() + at.first;
      --at.count;
      std::copy(carriers + k + 1, carriers + at.count + 1, carriers + k);
      std::copy(links + k + 1, links + at.count + 1, links + k);
      at.limit = kNoLimit;
      if (at.count == 0) return at.common = {}, void();
      at.common = carriers[0];
      for (std::size_t other = 1; other < at.count; ++other) at.common &= carriers[other];
    }
    std::size_t largest(Index slot) const {
      const auto sizes = carriers(slot);
      std::size_t best = 0;
      for (std::size_t k = 1; k < sizes.size(); ++k) {
        if (sizes[k].size() >= sizes[best].size()) best = k;
      }
      return best;
    }
    void set_limit(Index slot) {
      slots_[slot].limit = static_cast<std::uint16_t>(first(slot)[largest(slot)].size());
    }

    std::vector<Slot> slots_;
    std::size_t used_ = 0;
    std::vector<Cells> carriers_;  // by slots, `room` of each
    std::vector<Index> links_;     // the same
  };

  // The place of the links of two ends.
  Index slot_of(End a, End b) {
    const auto [low, high] = std::minmax(a, b);
    Index& slot = slots_[low * ends_.size() + high];
    if (slot == kNone) {
      slot = slot_count_++;
      fulls_.add_slot(limits_.fulls);
      semis_.add_slot(is_edge(a) && is_edge(b) ? limits_.threats : limits_.semis);
    }
    return slot;
  }

  // Waits to be taken, unless it needs more cells than another one does.
  void add(const Cells& carrier, End a, End b, End over, bool full, const Index* parts,
           Index count) {
    if (links_.size() >= limits_.links) return;
    const Index slot = slot_of(a, b);
    if (is_needless(slot, carrier, full)) return;
    const auto i = static_cast<Index>(links_.size());
    if (full) {
      fulls_.add(slot, carrier, i);
      semis_.remove_containing(slot, carrier);
    } else {
      semis_.add(slot, carrier, i);
    }
    const auto first_part = static_cast<Index>(parts_.size());
    parts_.resize(parts_.size() + count);
    std::copy_n(parts, count, parts_.data() + first_part);
    const auto size = static_cast<std::size_t>(carrier.size());
    size_ = std::min(size_, size);
    waiting_[size].push_back(i);
    links_.push_back({carrier, {a, b}, over, full, count, first_part, slot});
  }
  bool is_needless(Index slot, const Cells& carrier, bool full) const {
    return fulls_.has_within(slot, carrier) || (!full && semis_.has_within(slot, carrier)) ||
           (full ? fulls_ : semis_).is_full(slot, carrier);
  }

  // Takes the waiting link with the fewest cells; false if there is none.
  bool take_next() {
    while (size_ < waiting_.size() && waiting_[size_].empty()) ++size_;
    if (size_ == waiting_.size()) return false;
    const Index i = waiting_[size_].back();
    waiting_[size_].pop_back();
    const Link link = links_[i];
    if (!(link.full ? fulls_ : semis_).take(link.slot, i)) return true;
    const bool between_edges = is_edge(link.ends[0]) && is_edge(link.ends[1]);
    if (link.full) {
      if (between_edges) full_ = i;
      join_over(i, link, 0);
      join_over(i, link, 1);
      at_[link.ends[0]].push_back({link.carrier, link.ends[1], i});
      at_[link.ends[1]].push_back({link.carrier, link.ends[0], i});
    } else {
      if (between_edges) between_.push_back(i);
      join_semis(i, link);
    }
    return true;
  }
  // An AND is a full link with those at one of its ends.
  void join_over(Index i, const Link& link, int which) {
    const End over = link.ends[which];
    const End end = link.ends[1 - which];
    if (is_edge(over)) return;
    const bool key = is_cell(over);
    for (const Here& here : at_[over]) {
      if (here.other == end || !(here.carrier & link.carrier).empty()) continue;
      if (touch(ends_[end], ends_[here.other])) continue;  // nothing else is needed
      if (is_cell(end) && !(here.carrier & ends_[end].cells).empty()) continue;
      if (is_cell(here.other) && !(link.carrier & ends_[here.other].cells).empty()) continue;
      Cells carrier = here.carrier | link.carrier;
      if (key) carrier |= ends_[over].cells;
      const Index halves[] = {i, here.link};
      add(carrier, end, here.other, over, !key, halves, 2);
    }
  }
  // An OR is a semi link that is to be taken with some of those that were.
  void join_semis(Index i, const Link& link) {
    const std::span<const Cells> taken = semis_.taken(link.slot);
    const std::span<const Cells> semis = taken.first(taken.size() - 1);
    rest_.resize(semis.size());
    Cells common = Cells::all(rules_.cells);
    for (std::size_t k = semis.size(); k-- > 0;) rest_[k] = common &= semis[k];
    chosen_.assign(1, i);
    join_semis(link, semis, 0, link.carrier, link.carrier);
  }
  // The semi links in chosen_, whose common cells and union these are, with some of `semis` from
  // number `from` on. What is added has the ends of `link`, which have a slot: `semis` stays where
  // it is.
  void join_semis(const Link& link, std::span<const Cells> semis, std::size_t from,
                  const Cells& common, const Cells& all) {
    const bool last = chosen_.size() + 1 >= static_cast<std::size_t>(limits_.parts);
    for (std::size_t k = from; k < semis.size() && (common & rest_[k]).empty(); ++k) {
      const Cells left = common & semis[k];
      if (last ? !left.empty() : left == common) continue;
      const Cells both = all | semis[k];
      if (is_needless(link.slot, both, true)) continue;
      chosen_.push_back(semis_.link(link.slot, k));
      if (left.empty()) {
        add(both, link.ends[0], link.ends[1], kNoEnd, true, chosen_.data(),
            static_cast<Index>(chosen_.size()));
      } else {
        join_semis(link, semis, k + 1, left, both);
      }
      chosen_.pop_back();
    }
  }
  // Joins the edges by an OR of as many semi links between them as it takes.
  bool join_all() {
    Cells common = Cells::all(rules_.cells);
    Cells all;
    chosen_.clear();
    for (const Index i : between_) {
      const Cells left = common & links_[i].carrier;
      if (left == common) continue;
      common = left;
      all |= links_[i].carrier;
      chosen_.push_back(i);
      if (!common.empty()) continue;
      full_ = static_cast<Index>(links_.size());
      const Link link{all,
                      {0, 1},
                      kNoEnd,
                      true,
                      static_cast<Index>(chosen_.size()),
                      static_cast<Index>(parts_.size()),
                      slot_of(0, 1)};
      parts_.insert(parts_.end(), chosen_.begin(), chosen_.end());
      links_.push_back(link);
      return true;
    }
    return false;
  }

  Rules rules_;
  LinkLimits limits_;
  Cells edges_[2];
  std::vector<EndCells> ends_;
  End first_cell_ = 0;
  std::vector<Link> links_;
  std::vector<Index> parts_;
  std::vector<Index> slots_;  // by pairs of ends; kNone: they have had no link
  Index slot_count_ = 0;
  Kept fulls_;
  Kept semis_;
  std::vector<std::vector<Here>> at_;        // full links taken, by their ends
  std::vector<std::vector<Index>> waiting_;  // links not taken yet, by the sizes of their carriers
  std::size_t size_ = 0;                     // none is smaller
  std::vector<Index> between_;
  Index full_ = kNone;
  std::vector<Index> chosen_;
  std::vector<Cells> rest_;  // of an OR: what the semi links from there on have in common
};

}  // namespace playproof
