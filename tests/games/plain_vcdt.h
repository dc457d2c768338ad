// Victory by continuous double threats on large boards with two stones a turn, slow and obvious: of
// each position all windows are looked at, all pairs of stones near them, all pairs of cells that
// hit. Shares nothing with games/connect.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "tests/games/plain_threats.h"

namespace playproof {

class PlainVcdt {
 public:
  explicit PlainVcdt(PlainRace race) : race_(std::move(race)) {}

  // The turns of the shortest win of at most `turns` for who is to move with two stones; 0 if there
  // is none so short. *open: whether one may be longer.
  int shortest(int attacker, int turns, bool* open) {
    for (int n = 1; n <= turns; ++n) {
      *open = false;
      if (wins(attacker, n, open)) return n;
      if (!*open) return 0;
    }
    return 0;
  }

 private:
  using Cells = std::vector<int>;
  using Pair = std::pair<int, int>;

  // The empty cells of a player's live windows with at least so many stones.
  std::vector<Cells> lacking(int player, int stones) const {
    std::vector<Cells> found;
    for (const Cells& window : race_.windows) {
      Cells missing;
      bool live = true;
      for (const int cell : window) {
        if (race_.at(cell) == '.') missing.push_back(cell);
        live &= race_.at(cell) != PlainRace::colour(1 - player);
      }
      if (live && static_cast<int>(missing.size()) <= race_.k - stones) found.push_back(missing);
    }
    return found;
  }
  static bool has(const Cells& cells, int cell) {
    return std::ranges::find(cells, cell) != cells.end();
  }
  static bool hit(const std::vector<Cells>& threats, const Pair& pair) {
    return std::ranges::all_of(threats, [&](const Cells& missing) {
      return has(missing, pair.first) || has(missing, pair.second);
    });
  }
  // The pairs of cells that hit all threats; a cell with itself hits alone.
  static std::vector<Pair> hitting(const std::vector<Cells>& threats) {
    Cells cells;
    for (const Cells& missing : threats) cells.insert(cells.end(), missing.begin(), missing.end());
    std::ranges::sort(cells);
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    std::vector<Pair> pairs;
    for (const int a : cells) {
      for (const int b : cells) {
        if (b >= a && hit(threats, {a, b})) pairs.emplace_back(a, b);
      }
    }
    return pairs;
  }
  static bool hits_alone(const std::vector<Pair>& pairs) {
    return std::ranges::any_of(pairs, [](const Pair& pair) { return pair.first == pair.second; });
  }
  // The threats after a turn, of windows that lacked at most four cells.
  static std::vector<Cells> after(const std::vector<Cells>& windows, const Pair& turn) {
    std::vector<Cells> threats;
    for (const Cells& missing : windows) {
      Cells left;
      for (const int cell : missing) {
        if (cell != turn.first && cell != turn.second) left.push_back(cell);
      }
      if (left.size() <= 2) threats.push_back(left);
    }
    return threats;
  }
  void place(int player, const Pair& pair) { set(pair, PlainRace::colour(player)); }
  void take(const Pair& pair) { set(pair, '.'); }
  void set(const Pair& pair, char c) { race_.at(pair.first) = race_.at(pair.second) = c; }

  bool wins(int attacker, int turns, bool* open) {
    if (!lacking(attacker, race_.k - 2).empty()) return true;
    if (turns <= 1) {
      *open = true;
      return false;
    }
    const std::vector<Cells> windows = lacking(attacker, race_.k - 4);
    const std::vector<Cells> against = lacking(1 - attacker, race_.k - 2);
    Cells near;  // a stone elsewhere makes no threat, and shares no window
    for (const Cells& missing : windows) near.insert(near.end(), missing.begin(), missing.end());
    std::ranges::sort(near);
    near.erase(std::unique(near.begin(), near.end()), near.end());
    const Cells empty = race_.empty();
    std::vector<Pair> doubles;
    for (const int a : near) {
      for (const int b : empty) {
        if (a == b || (b < a && has(near, b)) || !hit(against, {a, b})) continue;
        const std::vector<Cells> threats = after(windows, {a, b});
        if (threats.empty()) continue;
        const std::vector<Pair> replies = hitting(threats);
        if (replies.empty()) return true;
        if (!hits_alone(replies)) doubles.emplace_back(a, b);
      }
    }
    return std::ranges::any_of(doubles, [&](const Pair& turn) {
      const std::vector<Pair> replies = hitting(after(windows, turn));
      if (turns == 2) {
        *open = true;
        return false;
      }
      place(attacker, turn);
      const bool all = std::ranges::all_of(replies, [&](const Pair& reply) {
        place(1 - attacker, reply);
        const bool won = wins(attacker, turns - 1, open);
        take(reply);
        return won;
      });
      take(turn);
      return all;
    });
  }

  PlainRace race_;
};

}  // namespace playproof
