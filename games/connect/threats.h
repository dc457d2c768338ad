// Threats of the Connect family with one or two stones a turn (thesis, 3.3.2; Wu and Lin 2010).
//
// A window is *live* for a player if it holds no stone of the other one. It is a *threat* if it is
// live and lacks at most p stones, so many as one turn has. The *number* of a player's threats is
// the least number of stones that the other one needs to hit them all: a hitting set, not a count
// of windows. Turns that leave p or more leave no choice but among the sets that hit (replies);
// turns that leave p + 1 win, if they hit all threats of the other side.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>

#include "games/connect/windows.h"

namespace playproof {

// The stones of a turn. Turns of one stone have no second.
struct ConnectTurn {
  Move first = kNoMove;
  Move second = kNoMove;
  auto operator<=>(const ConnectTurn&) const = default;  // NOLINT(modernize-use-nullptr)
};

// The stones of a turn as cells.
template <int W>
CellSet<W> cells_of(const ConnectTurn& turn) {
  CellSet<W> cells;
  for (const Move cell : {turn.first, turn.second}) {
    if (cell != kNoMove) cells.add(cell);
  }
  return cells;
}

// The empty cells of a threat, at most two; the same twice if it lacks one stone.
struct Threat {
  Move a;
  Move b;
  bool has(int cell) const { return a == cell || b == cell; }
};

// The least number of cells that hit all threats, or most + 1 if that is more than `most`.
inline int hitting_number(std::span<const Threat> threats, int most) {
  if (threats.empty()) return 0;
  if (most == 0) return 1;
  if (most == 1) {  // one cell of the first must be in all others
    const auto in_all = [&](Move cell) {
      return std::ranges::all_of(threats, [&](const Threat& t) { return t.has(cell); });
    };
    return in_all(threats[0].a) || in_all(threats[0].b) ? 1 : 2;
  }
  Threat rest[4 * 19 * 19];  // a window has a first cell and a direction
  int best = most + 1;
  for (const Move cell : {threats[0].a, threats[0].b}) {
    int left = 0;
    for (const Threat& t : threats) {
      if (!t.has(cell)) rest[left++] = t;
    }
    const std::span<const Threat> others(rest, static_cast<std::size_t>(left));
    best = std::min(best, 1 + hitting_number(others, best - 2));
    if (best == 1 || threats[0].a == threats[0].b) break;
  }
  return best;
}

// All sets of p cells that hit threats whose number is p, in ascending order: all replies there
// are. A pair has one of the two cells of any threat, then one of the two of a threat that this
// leaves.
struct ConnectReplies {
  static constexpr int kMost = 4;
  int count = 0;
  ConnectTurn turns[kMost];

  void add(Move first, Move second) {
    const ConnectTurn turn{std::min(first, second), std::max(first, second)};
    int place = count;
    while (place > 0 && turn < turns[place - 1]) --place;
    if (place > 0 && turns[place - 1] == turn) return;
    for (int i = count++; i > place; --i) turns[i] = turns[i - 1];
    turns[place] = turn;
  }
  // They live no longer than this does.
  std::span<const ConnectTurn> all() const& { return {turns, static_cast<std::size_t>(count)}; }
  std::span<const ConnectTurn> all() const&& = delete;
};
inline ConnectReplies hitting_replies(std::span<const Threat> threats, int p) {
  ConnectReplies replies;
  for (const Move cell : {threats[0].a, threats[0].b}) {
    const Threat* other = nullptr;  // one that the cell does not hit
    for (const Threat& t : threats) {
      if (!t.has(cell)) other = &t;
    }
    if (p == 1) {
      if (other == nullptr) replies.add(cell, kNoMove);
      continue;
    }
    if (other == nullptr) continue;  // one cell hits all: the number is 1
    for (const Move second : {other->a, other->b}) {
      if (std::ranges::all_of(threats,
                              [&](const Threat& t) { return t.has(cell) || t.has(second); })) {
        replies.add(cell, second);
      }
    }
  }
  return replies;
}

// A position by its windows: how many stones of each player each of them holds, kept while stones
// come and go, in bit planes (bit w of plane i is bit i of the count of window w), so that a stone
// costs four additions of words and a set of windows by their count one pass over the planes.
template <int W>
class ConnectThreats {
 public:
  using Game = Connect<W>;
  using Windows = ConnectWindows<W>;
  static constexpr int kPlanes = 5;  // counts up to k <= 19

  // p is 1 or 2.
  static bool supports(const typename Game::Rules& rules) { return rules.stones <= 2; }

  // `windows` must outlive it.
  ConnectThreats(const Windows& windows, const typename Game::State& state) : windows_(&windows) {
    while ((1 << planes_) <= windows.rules.connect) ++planes_;
    empty_ = CellSet<W>::all(windows.rules.cells);
    for (int player = 0; player < 2; ++player) {
      for_each_cell(CellSet<W>::of(state.stones[player]), [&](int cell) { add(player, cell); });
    }
  }

  const Windows& windows() const { return *windows_; }
  const CellSet<W>& stones(int player) const { return stones_[player]; }
  const CellSet<W>& empty() const { return empty_; }
  // Equal positions have equal keys; by both, 128 bits, tables tell positions apart.
  std::uint64_t key(int which) const { return keys_[which]; }

  // Places a stone of player 0 or 1 on an empty cell, or takes it off again.
  void add(int player, int cell) {
    for (const auto& line : windows_->lines[cell]) {
      std::uint64_t carry = line.windows;
      touched_[player][line.word] |= carry;
      for (int i = 0; i < planes_; ++i) {
        std::uint64_t& plane = planes_of_[player][i][line.word];
        plane ^= carry;
        carry &= ~plane;
      }
    }
    change(player, cell);
    stones_[player].add(cell);
    empty_.remove(cell);
  }
  void remove(int player, int cell) {
    for (const auto& line : windows_->lines[cell]) {
      std::uint64_t borrow = line.windows;
      std::uint64_t any = 0;
      for (int i = 0; i < planes_; ++i) {
        std::uint64_t& plane = planes_of_[player][i][line.word];
        plane ^= borrow;
        borrow &= plane;
        any |= plane;
      }
      touched_[player][line.word] = any;
    }
    change(player, cell);
    stones_[player].remove(cell);
    empty_.add(cell);
  }
  void add(int player, const ConnectTurn& turn) {
    add(player, turn.first);
    if (turn.second != kNoMove) add(player, turn.second);
  }
  void remove(int player, const ConnectTurn& turn) {
    if (turn.second != kNoMove) remove(player, turn.second);
    remove(player, turn.first);
  }

  // Live windows of a player with exactly, or with at least, `count` of his stones.
  WindowSet<W> live(int player, int count) const {
    WindowSet<W> set;
    if (count < 0) return set;
    for (int i = 0; i < windows_->words; ++i) set.words[i] = ~touched_[1 - player][i];
    for (int plane = 0; plane < planes_; ++plane) {
      const std::uint64_t invert = ((count >> plane) & 1) != 0 ? 0 : ~std::uint64_t{0};
      for (int i = 0; i < windows_->words; ++i) {
        set.words[i] &= planes_of_[player][plane][i] ^ invert;
      }
    }
    // Bits that are no windows hold 0 stones.
    if (count == 0) drop_gaps(&set);
    return set;
  }
  WindowSet<W> live_from(int player, int count) const {
    if (count <= 0) {
      WindowSet<W> set;
      for (int i = 0; i < windows_->words; ++i) set.words[i] = ~touched_[1 - player][i];
      drop_gaps(&set);
      return set;
    }
    WindowSet<W> set;
    for (int i = 0; i < windows_->words; ++i) {
      set.words[i] = at_least(player, count, i) & ~touched_[1 - player][i];
    }
    return set;
  }

  // Returns whether a turn of `stones` stones completes a line.
  bool can_complete(int player, int stones) const {
    const int least = std::max(windows_->rules.connect - stones, 0);
    if (least == 0) {  // k <= p: any live window
      const WindowSet<W> set = live_from(player, 0);
      return std::any_of(set.words, set.words + windows_->words, [](auto w) { return w != 0; });
    }
    std::uint64_t any = 0;
    for (int i = 0; i < windows_->words; ++i) {
      any |= at_least(player, least, i) & ~touched_[1 - player][i];
    }
    return any != 0;
  }

  // The empty cells of a window; writes them to `out`, which has room for k.
  int empty_cells_of(int window, Move* out) const {
    int cells = 0;
    for (int i = 0; i < windows_->rules.connect; ++i) {
      const int cell = windows_->first[window] + i * windows_->step[window];
      if (empty_.has(cell)) out[cells++] = static_cast<Move>(cell);
    }
    return cells;
  }

  // The windows of a player that lack at most p stones, as their empty cells.
  struct List {
    int count = 0;
    std::array<Threat, 64 * WindowSet<W>::kWords> threats;
    std::span<const Threat> all() const {
      return {threats.data(), static_cast<std::size_t>(count)};
    }
  };
  void list(int player, List* list) const {
    list->count = 0;
    const int most = windows_->rules.stones;
    for_each_window(*windows_, live_from(player, windows_->rules.connect - most), [&](int window) {
      Move cells[19];
      const int missing = empty_cells_of(window, cells);
      if (missing == 0) return;  // the line is complete: nothing hits it (completed)
      list->threats[static_cast<std::size_t>(list->count++)] = {cells[0], cells[missing - 1]};
    });
  }
  // The number of a player's threats, p + 1 if it is more than p.
  int number(int player) const {
    List threats;
    list(player, &threats);
    return hitting_number(threats.all(), windows_->rules.stones);
  }
  bool completed(int player) const { return can_complete(player, 0); }

 private:
  // Windows of word i with at least `count` (1 ..) stones, by comparison from the highest plane.
  std::uint64_t at_least(int player, int count, int i) const {
    std::uint64_t more = 0;
    std::uint64_t equal = ~std::uint64_t{0};
    for (int plane = planes_ - 1; plane >= 0; --plane) {
      const std::uint64_t bits = planes_of_[player][plane][i];
      if (((count >> plane) & 1) != 0) {
        equal &= bits;
      } else {
        more |= equal & bits;
        equal &= ~bits;
      }
    }
    return more | equal;
  }
  void drop_gaps(WindowSet<W>* set) const {
    for (int i = 0; i < windows_->words; ++i) set->words[i] &= windows_->used[i];
  }
  void change(int player, int cell) {
    keys_[0] ^= windows_->keys[player][cell][0];
    keys_[1] ^= windows_->keys[player][cell][1];
  }

  const Windows* windows_;
  int planes_ = 0;
  std::uint64_t planes_of_[2][kPlanes][WindowSet<W>::kWords] = {};
  std::uint64_t touched_[2][WindowSet<W>::kWords] = {};  // windows with a stone of the player
  CellSet<W> stones_[2];
  CellSet<W> empty_;
  std::uint64_t keys_[2] = {};
};

}  // namespace playproof
