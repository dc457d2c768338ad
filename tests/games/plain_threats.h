// Threats, victory by continuous double threats and all replies to a proof for the Connect family,
// slow and obvious: on arrays of cells, by trying placements; shares nothing with games/connect but
// the proof that it reads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "games/connect/race_proof.h"
#include "games/connect/rules.h"

namespace playproof {

struct PlainRace {
  int rows = 0;
  int columns = 0;
  int k = 0;
  int p = 0;
  std::string cells;                      // '.', 'B', 'W'
  std::vector<std::vector<int>> windows;  // all segments of k cells

  PlainRace(int m, int n, int line, int stones, std::string text)
      : rows(m), columns(n), k(line), p(stones), cells(std::move(text)), windows(all_windows()) {}

  static char colour(int player) { return player == 0 ? 'B' : 'W'; }
  char& at(int cell) { return cells[static_cast<std::size_t>(cell)]; }
  char at(int cell) const { return cells[static_cast<std::size_t>(cell)]; }

  std::vector<int> empty() const {
    std::vector<int> list;
    for (int i = 0; i < rows * columns; ++i) {
      if (at(i) == '.') list.push_back(i);
    }
    return list;
  }

  std::vector<std::vector<int>> all_windows() const {
    std::vector<std::vector<int>> all;
    const int steps[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    for (const auto& step : steps) {
      for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
          const int last_row = row + (k - 1) * step[0];
          const int last_column = column + (k - 1) * step[1];
          if (last_row >= rows || last_column < 0 || last_column >= columns) continue;
          std::vector<int> window;
          for (int i = 0; i < k; ++i) {
            window.push_back((row + i * step[0]) * columns + column + i * step[1]);
          }
          all.push_back(window);
        }
      }
    }
    return all;
  }

  bool completed(int player) const {
    for (const std::vector<int>& window : windows) {
      bool full = true;
      for (const int cell : window) full &= at(cell) == colour(player);
      if (full) return true;
    }
    return false;
  }

  // Calls f after each way to place exactly `stones` stones of a player until it says true; all
  // stones are taken off again.
  bool any_placement(int player, int stones, const std::function<bool()>& f, int from = 0) {
    if (stones == 0) return f();
    for (int cell = from; cell < rows * columns; ++cell) {
      if (at(cell) != '.') continue;
      at(cell) = colour(player);
      const bool found = any_placement(player, stones - 1, f, cell + 1);
      at(cell) = '.';
      if (found) return true;
    }
    return false;
  }

  // Whether some way to place up to so many stones completes a line.
  bool can_complete(int player, int stones) {
    for (int n = 0; n <= stones; ++n) {
      if (any_placement(player, n, [&] { return completed(player); })) return true;
    }
    return false;
  }

  // The least number of the other side's stones after which a turn completes no line; p + 1 if more
  // than p.
  int number(int player) {
    for (int n = 0; n <= p; ++n) {
      if (any_placement(1 - player, n, [&] { return !can_complete(player, p); })) return n;
    }
    return p + 1;
  }

  // The turns of the shortest victory by continuous double threats of at most `turns`; 0 if there
  // is none so short. *open: whether one may be longer.
  int vcdt(int attacker, int stones, int turns, bool* open) {
    for (int n = 1; n <= turns; ++n) {
      *open = false;
      if (wins_within(attacker, stones, n, open)) return n;
      if (!*open) return 0;
    }
    return 0;
  }

 private:
  bool wins_within(int attacker, int stones, int turns, bool* open) {
    if (can_complete(attacker, stones)) return true;
    if (turns <= 1) {
      *open = true;
      return false;
    }
    return any_placement(attacker, stones, [&] {
      if (can_complete(1 - attacker, p)) return false;
      const int threats = number(attacker);
      if (threats > p) return true;
      if (threats < p) return false;
      return !any_placement(1 - attacker, p, [&] {  // a reply that refutes
        return !can_complete(attacker, p) && !wins_within(attacker, p, turns - 1, open);
      });
    });
  }
};

// Plays a proof against all replies: every set of p empty cells is either one after which the
// attacker completes a line at once, or is answered by the proof. Says what is wrong, "" if
// nothing. After a macro reply the other side has all its cells at once.
class PlainReplies {
 public:
  PlainReplies(PlainRace race, int attacker, const RaceProof& proof)
      : race_(std::move(race)), attacker_(attacker), proof_(proof) {}

  std::string wrong(int stones) {
    if (proof_.nodes.empty()) return "no proof";
    return node(proof_.root(), stones);
  }
  std::uint64_t replies() const { return replies_; }

 private:
  using Cells = std::vector<int>;

  // The empty cells of the player's windows that lack at most `stones`.
  std::vector<Cells> lacking(int player, int stones) const {
    std::vector<Cells> found;
    for (const Cells& window : race_.windows) {
      Cells missing;
      bool live = true;
      for (const int cell : window) {
        if (race_.at(cell) == '.') missing.push_back(cell);
        live &= race_.at(cell) != PlainRace::colour(1 - player);
      }
      if (live && static_cast<int>(missing.size()) <= stones) found.push_back(missing);
    }
    return found;
  }
  static Cells cells_of(const ConnectTurn& turn) {
    Cells cells{turn.first};
    if (turn.second != kNoMove) cells.push_back(turn.second);
    std::ranges::sort(cells);
    return cells;
  }
  bool place(int player, const Cells& cells) {
    return std::ranges::all_of(cells, [&](int cell) {
      if (race_.at(cell) != '.') return false;
      race_.at(cell) = PlainRace::colour(player);
      return true;
    });
  }
  void take(const Cells& cells) {
    for (const int cell : cells) race_.at(cell) = '.';
  }

  std::string node(const RaceNode& at, int stones) {
    if (!lacking(1 - attacker_, 0).empty()) return "the other side has a line";
    if (at.kind == RaceNode::Kind::kCompletes) {
      return lacking(attacker_, stones).empty() ? "no line to complete" : "";
    }
    const Cells turn = cells_of(at.turn);
    if (static_cast<int>(turn.size()) != stones) return "a turn of other stones";
    if (!place(attacker_, turn)) return "not empty";
    std::string wrong;
    if (!lacking(1 - attacker_, race_.p).empty()) wrong = "the other side can complete a line";
    if (wrong.empty()) wrong = after(at);
    take(turn);
    return wrong;
  }

  static std::vector<Cells> not_hit(const std::vector<Cells>& threats, int cell) {
    std::vector<Cells> left;
    for (const Cells& missing : threats) {
      if (std::ranges::find(missing, cell) == missing.end()) left.push_back(missing);
    }
    return left;
  }

  static bool hits_all(const std::vector<Cells>& threats, int cell) {
    return std::ranges::all_of(threats, [&](const Cells& missing) {
      return std::ranges::find(missing, cell) != missing.end();
    });
  }

  std::string after(const RaceNode& at) {
    const std::vector<Cells> threats = lacking(attacker_, race_.p);
    std::set<Cells> hitting;
    const Cells empty = race_.empty();
    for (std::size_t i = 0; i < empty.size(); ++i) {
      const std::vector<Cells> left = not_hit(threats, empty[i]);
      if (race_.p == 1) {
        ++replies_;
        if (left.empty()) hitting.insert({empty[i]});
        continue;
      }
      for (std::size_t j = i + 1; j < empty.size(); ++j) {
        ++replies_;
        if (hits_all(left, empty[j])) hitting.insert({empty[i], empty[j]});
      }
    }
    if (at.kind == RaceNode::Kind::kWins) return hitting.empty() ? "" : "a reply hits all";
    if (at.kind == RaceNode::Kind::kMacro) {
      std::set<int> all;
      for (const Cells& cells : hitting) all.insert(cells.begin(), cells.end());
      return child(at, 0, {all.begin(), all.end()});
    }
    if (hitting.size() != at.children) return "replies are missing";
    std::uint32_t index = 0;
    for (const Cells& cells : hitting) {  // children stand in ascending order
      const std::string wrong = child(at, index++, cells);
      if (!wrong.empty()) return wrong;
    }
    return "";
  }
  std::string child(const RaceNode& at, std::uint32_t index, const Cells& reply) {
    if (index >= at.children) return "no child";
    if (!place(1 - attacker_, reply)) return "a reply on a stone";
    const std::string wrong = node(proof_.nodes[proof_.children[at.first_child + index]], race_.p);
    take(reply);
    return wrong;
  }

  PlainRace race_;
  int attacker_;
  const RaceProof& proof_;
  std::uint64_t replies_ = 0;
};

}  // namespace playproof
