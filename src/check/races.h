// The rules of proof for races (docs/certificate.md, "Races"): turns that leave threats, what hits
// them, and where more stones of the opponent would matter.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "games/core/reference_text.h"
#include "src/check/counts.h"
#include "src/check/live_nodes.h"
#include "src/check/race_windows.h"
#include "src/check/reader.h"

namespace playproof::check {

// Games without races.
template <class R>
class Races {
 public:
  Races(const typename R::Rules&, const Claim&, Player, const LiveNodes&, SearchBudget&) {}
  NodeText check(std::string_view, const RefWords&) const { reject("this game has no races"); }
  bool proves(const LiveNode&, const typename R::State&) const { return false; }
};

// A node: the board before a turn of the prover, places on its free cells; his stones left in it.
template <class R>
requires requires(const typename R::Rules& rules) { rules.connect + rules.stones; }
class Races<R> {
  using State = typename R::State;
  using Rules = typename R::Rules;
  using Cells = RaceWindows::Cells;
  using Children = std::map<Cells, std::string_view>;

 public:
  Races(const Rules& rules, const Claim& claim, Player attacker, const LiveNodes& live,
        SearchBudget& budget)
      : rules_(rules),
        turn_(static_cast<std::size_t>(rules.stones)),
        prover_(claim.proved ? attacker : opponent(attacker)),
        own_(R::letter(prover_)),
        other_(R::letter(opponent(prover_))),
        settles_(claim.proved ? claim.threshold <= 1 : claim.threshold > -1),
        live_(live),
        budget_(budget),
        windows_(rules.rows, rules.columns, rules.connect, rules.stones) {}

  // The node of a line that must be good.
  NodeText check(std::string_view kind, const RefWords& words) const {
    const bool ends = kind == "race-end";
    if (!ends && kind != "race-turn") unreadable("unknown kind of line: " + shown(kind));
    expect(words.size() > 4);
    std::uint64_t stones = 0;
    const bool turn = ref_number(words[2], turn_, &stones) && stones > 0;
    if (!turn) reject("no such turn: " + shown(words[2]));
    const std::size_t end = ends ? words.size() : 4 + stones;
    expect(end <= std::min(4 + stones, words.size()) && (words.size() - end) % 2 == 0);
    if (!settles_) reject("that the prover wins does not settle the claim");
    const std::string before(words[3]);
    if (R::finished(rules_, board(before))) reject("no move can follow, the game is over");
    std::string after = before;
    for (std::size_t k = 4; k < end; ++k) {
      const Move move = R::move_named(rules_, words[k]);
      if (move == kNoMove || after[move] != '0') reject("no cell of place 0: " + shown(words[k]));
      after[move] = own_;
    }
    const bool won = value_for(prover_, R::value(rules_, board(after))) > 0;
    if (won != ends) reject(ends ? "the turn completes no line" : "the turn completes a line");
    if (!ends) check_turn(before, after, words, end);
    return {before + static_cast<char>(stones), NodeKind::kRace};
  }
  // Is it the position of the node, the prover to move with so many stones left, or room for fewer?
  bool proves(const LiveNode& node, State state) const {
    if (!race_same({state.cells.begin(), state.cells.end()}, node.position)) return false;
    char stones = 0;
    for (char& cell : state.cells) {
      if (cell != '.') continue;
      if (R::to_move(rules_, state) != prover_) return stones == node.position.back();
      ++stones;
      cell = own_;
    }
    return stones <= node.position.back();
  }

 private:
  State board(std::string cells) const {
    State state = R::initial(rules_);
    for (char& cell : cells) cell = race_free(cell) ? '.' : cell;
    if (!R::read_board(rules_, cells, &state)) reject("not a board: " + shown(cells));
    return state;
  }

  // Each turn of the opponent after the prover's must be answered.
  void check_turn(const std::string& before, const std::string& after, const RefWords& words,
                  std::size_t from) const {
    const std::vector<Cells> threats = windows_.threats(after, own_);
    Children children;
    Children macros;
    for (std::size_t k = from; k < words.size(); k += 2) {
      const bool macro = words[k].find('*') != std::string_view::npos;
      const auto [cells, child] = reply(after, words[k], words[k + 1]);
      // What matters there matters here, where stones that it leaves free are among those more.
      const std::size_t free = turn_ - std::min(turn_, cells.size());
      for (std::size_t i = 0; i < before.size(); ++i) {
        if (!race_free(before[i]) || !race_free(child[i])) continue;
        const std::size_t needed = std::max(race_place(child[i]), free) - free;
        if (race_place(before[i]) <= needed) continue;
        reject("cell " + std::to_string(i + 1) + " is not in place " + std::to_string(needed));
      }
      (macro ? macros : children).emplace(cells, child);
    }
    Cells turn;
    for_replies(after, threats, turn, [&] { check_reply(turn, children, macros); });
  }
  // "JJ+JK 7", "JJ 7", without a stone "- 7", a macro "JJ*JK*KK 7": the cells and the node's board.
  std::pair<Cells, std::string_view> reply(std::string board, std::string_view word,
                                           std::string_view id) const {
    Cells cells;
    for (std::size_t from = 0; word != "-" && from <= word.size();) {
      const std::size_t end = std::min(word.find_first_of("+*", from), word.size());
      cells.push_back(R::move_named(rules_, word.substr(from, end - from)));
      if (cells.back() == kNoMove || !race_free(board[cells.back()])) {
        reject("no reply: " + shown(word));
      }
      board[cells.back()] = other_;
      from = end + 1;
    }
    std::sort(cells.begin(), cells.end());
    const LiveNode child = live_.find(id);
    const bool whole = child.kind == NodeKind::kRace && child.position.back() == rules_.stones;
    if (!whole || !race_same(board, child.position)) {
      reject("node " + std::string(id) + " is not the position after the reply");
    }
    return {cells, child.position};
  }
  // Calls f() with each whole turn of the opponent, or what is free, that hits all threats.
  void for_replies(const std::string& board, const std::vector<Cells>& threats, Cells& reply,
                   const auto& f) const {
    budget_.spend();
    const auto free = [&](Move m) {
      return std::find(reply.begin(), reply.end(), m) == reply.end();
    };
    const auto open = std::find_if(threats.begin(), threats.end(), [&](const Cells& threat) {
      return std::all_of(threat.begin(), threat.end(), free);
    });
    Cells next = open != threats.end() ? *open : Cells();
    for (Move m = 0; open == threats.end() && m < board.size(); ++m) {
      if (race_free(board[m]) && free(m)) next.push_back(m);
    }
    const bool whole = reply.size() == turn_ || next.empty();
    if (whole && open == threats.end()) f();
    for (std::size_t i = 0; !whole && i < next.size(); ++i) {
      reply.push_back(next[i]);
      for_replies(board, threats, reply, f);
      reply.pop_back();
    }
  }
  // A macro has all of it; or a child has some, and the i-th other, in some order, is beyond place
  // i.
  void check_reply(Cells reply, const Children& children, const Children& macros) const {
    if (reply.empty()) reject("the board is full after this turn, and no line is complete");
    std::sort(reply.begin(), reply.end());
    bool good = std::any_of(macros.begin(), macros.end(), [&](const auto& macro) {
      return std::includes(macro.first.begin(), macro.first.end(), reply.begin(), reply.end());
    });
    for (std::size_t some = 0; !good && some < std::size_t{1} << reply.size(); ++some) {
      Cells cells;
      for (std::size_t i = 0; i < reply.size(); ++i) {
        if ((some >> i & 1) != 0) cells.push_back(reply[i]);
      }
      const auto child = children.find(cells);
      if (child == children.end()) continue;
      std::vector<std::size_t> places;
      for (const Move cell : reply) {
        if (race_free(child->second[cell])) places.push_back(race_place(child->second[cell]));
      }
      std::sort(places.begin(), places.end());
      good = true;
      for (std::size_t i = 0; i < places.size(); ++i) good = good && places[i] > i + 1;
    }
    if (!good) reject("no node is against a reply on cell " + std::to_string(reply.front() + 1));
  }

  const Rules& rules_;
  std::size_t turn_;
  Player prover_;
  char own_;
  char other_;
  bool settles_;
  const LiveNodes& live_;
  SearchBudget& budget_;
  RaceWindows windows_;
};

}  // namespace playproof::check
