// Turns of an attacker that leave at least p threats and hit all of the other side's: those that
// leave no choice but among few replies, from which victory by continuous double threats (VCDT) is
// made (games/connect/vcdt.h; thesis, 3.3.2).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "games/connect/threats.h"

namespace playproof {

struct ForcingTurn {
  ConnectTurn turn;
  int score = 0;  // orders turns, larger first; nothing rests on it
};

// What a stone is worth: live windows through its cell, by the stones that they lack. It orders
// turns and replies, for positions that do not change meanwhile.
template <int W>
class CellScores {
 public:
  void read(const ConnectThreats<W>& position, int player) {
    windows_ = &position.windows();
    const int k = windows_->rules.connect;
    for (int missing = 0; missing < kKinds; ++missing) {
      own_[missing] = position.live(player, k - kFewest - 1 - missing);
      others_[missing] = position.live(1 - player, k - kFewest - missing);
    }
  }
  int operator()(int cell) const {
    int score = 0;
    for (const auto& line : windows_->lines[cell]) {
      for (int i = 0; i < kKinds; ++i) {
        score += kOwn[i] * popcount64(own_[i].words[line.word] & line.windows);
        score += kOthers[i] * popcount64(others_[i].words[line.word] & line.windows);
      }
    }
    return score;
  }

 private:
  static constexpr int kKinds = 4;
  static constexpr int kFewest = 2;
  static constexpr int kOwn[kKinds] = {14, 8, 3, 1};    // of windows that lack 3, 4, 5, 6 stones
  static constexpr int kOthers[kKinds] = {8, 5, 3, 1};  // that lack 2, 3, 4, 5
  const ConnectWindows<W>* windows_ = nullptr;
  WindowSet<W> own_[kKinds];
  WindowSet<W> others_[kKinds];
};

// The forcing turns of a whole turn of two stones in a position where the attacker has no threat
// (else he completes a line). Each stone either makes threats of its own, in windows that lacked
// three stones, or shares windows that lacked four with the other stone; all others are free.
template <int W>
class ForcingPairs {
 public:
  explicit ForcingPairs(const ConnectWindows<W>& windows) : windows_(&windows) {}

  // Pairs that were looked at since it was made.
  std::uint64_t tested() const { return tested_; }

  // Reads a position. False if no pair hits all threats of the other side, which are not heeded if
  // `heed` is false (for tests of what that leads to).
  bool read(const ConnectThreats<W>& position, int attacker, bool heed = true) {
    position_ = &position;
    attacker_ = attacker;
    for (const Move cell : makers_) cells_[cell].count = cells_[cell].alone = 0;
    makers_.clear();
    position.list(1 - attacker, &against_);
    if (!heed) against_.count = 0;
    if (hitting_number(against_.all(), 2) > 2) return false;
    const int k = windows_->rules.connect;
    lacks_three_ = position.live(attacker, k - 3);
    lacks_four_ = position.live(attacker, k - 4);
    for_each_window(*windows_, lacks_three_, [&](int window) {
      Move cells[19];
      position.empty_cells_of(window, cells);
      note(cells[0], {cells[1], cells[2]});
      note(cells[1], {cells[0], cells[2]});
      note(cells[2], {cells[0], cells[1]});
    });
    for (const Move cell : makers_) {
      Maker& maker = cells_[cell];
      maker.alone = 1;
      if (maker.common.a == kNoMove) {
        maker.alone = static_cast<std::uint8_t>(hitting_number(threats_of(maker), 2));
      }
    }
    return true;
  }

  // Tells whether a pair leaves three threats or more, and which one. Neither stone of such a pair
  // makes one threat that the other does not touch: then there would be two.
  bool triple(ConnectTurn* turn) {
    for (const Move a : makers_) {
      if (cells_[a].alone == 1) continue;
      if (cells_[a].alone == 3 && free_partner(a, turn)) return true;
      for (const Move b : makers_) {
        if (a != b && is_triple(a, b, turn)) return true;
      }
    }
    return triple_within(lacks_three_, turn) || triple_within(lacks_four_, turn);
  }

  // Appends all pairs that leave two threats, in a fixed order; for positions without a triple.
  void doubles(std::vector<ForcingTurn>* turns) {
    scores_.read(*position_, attacker_);
    const std::size_t begin = turns->size();
    for (std::size_t i = 0; i < makers_.size(); ++i) {
      for (std::size_t j = i + 1; j < makers_.size(); ++j) {
        if (is_double(makers_[i], makers_[j])) append(makers_[i], makers_[j], 0, turns);
      }
    }
    for_each_window(*windows_, lacks_four_, [&](int window) {
      for_each_pair(window, [&](Move a, Move b) {
        if (makes(a) && makes(b)) return false;  // above
        // A pair belongs to the first window that lacks four and holds both.
        const Shared windows = shared(a, b);
        const int first = 64 * static_cast<int>(windows.word) + lowest_bit64(windows.four);
        if (first == window && is_double(a, b)) append(a, b, 0, turns);
        return false;
      });
    });
    for (const Move a : makers_) {
      if (cells_[a].alone >= 2) append_free(a, turns);
    }
    for (std::size_t i = begin; i < turns->size(); ++i) {
      ForcingTurn& t = (*turns)[i];
      t.score += score_of(t.turn.first) + score_of(t.turn.second);
    }
    for (const Move cell : scored_) score_[cell] = kUnknown;
    scored_.clear();
  }

 private:
  static constexpr int kMostThrough = 40;  // windows through a cell: 10 a direction if k = 10
  static constexpr std::int16_t kUnknown = -1;
  static constexpr int kFreeStone = -4;  // a free stone comes after one that makes threats

  // What a stone on a cell makes: a threat in each window through it that lacks three stones.
  struct Maker {
    std::uint8_t count = 0;
    std::uint8_t alone = 0;  // the number of its threats: 1, 2, 3 (or more)
    Threat common;           // cells that hit all of them, at most two
    std::array<Threat, kMostThrough> threats;
  };

  static std::span<const Threat> threats_of(const Maker& maker) {
    return {maker.threats.data(), maker.count};
  }
  bool makes(Move cell) const { return cells_[cell].count != 0; }

  void note(Move cell, Threat threat) {
    Maker& maker = cells_[cell];
    if (maker.count == 0) {
      makers_.push_back(cell);
      maker.common = threat;
    } else {
      if (!threat.has(maker.common.a)) maker.common.a = maker.common.b;
      if (!threat.has(maker.common.b)) maker.common.b = maker.common.a;
      if (!threat.has(maker.common.a)) maker.common = {kNoMove, kNoMove};
    }
    maker.threats[maker.count++] = threat;
  }

  bool hits(Move a, Move b) const {
    return std::ranges::all_of(against_.all(),
                               [&](const Threat& t) { return t.has(a) || t.has(b); });
  }

  // The windows that hold both cells: bits of one word.
  struct Shared {
    std::uint32_t word = 0;
    std::uint64_t three = 0;  // those that lack three stones
    std::uint64_t four = 0;   // four
  };
  Shared shared(Move a, Move b) const {
    if (!windows_->lines_meet(a, b)) return {};
    for (int d = 0; d < ConnectWindows<W>::kDirections; ++d) {
      const auto& first = windows_->lines[a][d];
      const auto& second = windows_->lines[b][d];
      const std::uint64_t both = first.windows & second.windows;
      if (first.word != second.word || both == 0) continue;
      return {first.word, both & lacks_three_.words[first.word],
              both & lacks_four_.words[first.word]};
    }
    return {};
  }

  // The number of threats after both stones, most + 1 if it is more.
  int number(Move a, Move b, const Shared& windows, int most) const {
    Threat all[3 * kMostThrough];
    int count = 0;
    for (const Threat& t : threats_of(cells_[a])) {
      all[count++] = t.a == b ? Threat{t.b, t.b} : t.b == b ? Threat{t.a, t.a} : t;
    }
    for (const Threat& t : threats_of(cells_[b])) {
      if (!t.has(a)) all[count++] = t;
    }
    for (std::uint64_t rest = windows.four; rest != 0; rest &= rest - 1) {
      Move cells[19];
      position_->empty_cells_of(64 * static_cast<int>(windows.word) + lowest_bit64(rest), cells);
      Move others[4];
      int left = 0;
      for (int i = 0; i < 4; ++i) {
        if (cells[i] != a && cells[i] != b) others[left++] = cells[i];
      }
      all[count++] = {others[0], others[1]};
    }
    return hitting_number({all, static_cast<std::size_t>(count)}, most);
  }

  bool is_double(Move a, Move b) {
    ++tested_;
    if (!hits(a, b)) return false;
    const Shared windows = shared(a, b);
    if ((windows.three | windows.four) != 0) return number(a, b, windows, 1) == 2;
    const Maker& one = cells_[a];
    const Maker& two = cells_[b];
    if (one.count == 0 || two.count == 0) return false;
    return one.common.a == kNoMove || two.common.a == kNoMove ||
           !(one.common.has(two.common.a) || one.common.has(two.common.b));
  }
  bool is_triple(Move a, Move b, ConnectTurn* turn) {
    ++tested_;
    if (!hits(a, b)) return false;
    const Shared windows = shared(a, b);
    // A stone takes a cell that hit the other's threats only in a window that both make a threat.
    // Windows of one line that hold both are hit by two cells: the nearest on either side.
    const int most = cells_[a].alone + cells_[b].alone + std::min(2, popcount64(windows.four));
    if (windows.three == 0 && most < 3) return false;
    if (number(a, b, windows, 2) != 3) return false;
    *turn = {a, b};
    return true;
  }
  bool triple_within(const WindowSet<W>& set, ConnectTurn* turn) {
    bool found = false;
    for_each_window(*windows_, set, [&](int window) {
      if (!found)
        for_each_pair(window, [&](Move a, Move b) { return found = is_triple(a, b, turn); });
    });
    return found;
  }

  // Calls f(a, b) with the pairs of empty cells of a window until it says true.
  template <class F>
  void for_each_pair(int window, F&& f) const {
    Move cells[19];
    const int count = position_->empty_cells_of(window, cells);
    for (int i = 0; i < count; ++i) {
      for (int j = i + 1; j < count; ++j) {
        if (f(cells[i], cells[j])) return;
      }
    }
  }

  // A stone that goes with one that wins alone: it need only hit what that leaves.
  bool free_partner(Move a, ConnectTurn* turn) {
    bool found = false;
    for_each_cell(position_->empty(), [&](int b) {
      if (found || b == a || !hits(a, static_cast<Move>(b))) return;
      *turn = {a, static_cast<Move>(b)};
      found = true;
    });
    return found;
  }
  void append_free(Move a, std::vector<ForcingTurn>* turns) {
    for_each_cell(position_->empty(), [&](int cell) {
      const auto b = static_cast<Move>(cell);
      if (b == a || makes(b) || shared(a, b).four != 0) return;  // listed with what both make
      ++tested_;
      if (hits(a, b)) append(a, b, kFreeStone, turns);
    });
  }

  static void append(Move a, Move b, int score, std::vector<ForcingTurn>* turns) {
    turns->push_back({{std::min(a, b), std::max(a, b)}, score});
  }
  int score_of(Move cell) {
    if (score_[cell] == kUnknown) {
      score_[cell] = static_cast<std::int16_t>(scores_(cell));
      scored_.push_back(cell);
    }
    return score_[cell];
  }
  static constexpr std::array<std::int16_t, Connect<W>::kMaxCells> no_scores() {
    std::array<std::int16_t, Connect<W>::kMaxCells> scores{};
    scores.fill(kUnknown);
    return scores;
  }

  const ConnectWindows<W>* windows_;
  const ConnectThreats<W>* position_ = nullptr;
  int attacker_ = 0;
  std::uint64_t tested_ = 0;
  typename ConnectThreats<W>::List against_;
  WindowSet<W> lacks_three_;
  WindowSet<W> lacks_four_;
  std::vector<Move> makers_;  // cells where one stone makes a threat
  std::array<Maker, Connect<W>::kMaxCells> cells_;
  CellScores<W> scores_;
  std::vector<Move> scored_;
  std::array<std::int16_t, Connect<W>::kMaxCells> score_ = no_scores();
};

// The same one stone at a time, by placing it: of turns of one stone (p = 1), and of what is left
// of a turn that has begun. `winning` is one that leaves more than p threats, if there is one.
struct ForcingStones {
  std::vector<ForcingTurn> turns;
  ConnectTurn winning;
};
template <int W>
ForcingStones forcing_stones(ConnectThreats<W>* position, int attacker, bool heed = true) {
  const int p = position->windows().rules.stones;
  ForcingStones found;
  typename ConnectThreats<W>::List threats;
  CellScores<W> scores;
  scores.read(*position, attacker);
  const CellSet<W> cells = position->empty();
  for_each_cell(cells, [&](int cell) {
    position->add(attacker, cell);
    position->list(attacker, &threats);
    const int number = hitting_number(threats.all(), p);
    const bool lost = heed && position->can_complete(1 - attacker, p);
    position->remove(attacker, cell);
    if (number < p || lost) return;
    const ConnectTurn turn{static_cast<Move>(cell), kNoMove};
    if (number > p) found.winning = turn;
    found.turns.push_back({turn, scores(cell)});
  });
  return found;
}

}  // namespace playproof
