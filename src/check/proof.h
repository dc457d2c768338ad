// The rules of proof: what makes a node good (docs/certificate.md, "Nodes").
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "games/reference/text.h"
#include "src/check/reader.h"

namespace playproof::check {

// The value of the root for the attacker is >= threshold (proved), or it is not.
struct Claim {
  int threshold = 0;
  bool proved = true;
};

// So that no file can make a checker large or slow.
struct Limits {
  std::uint64_t max_memory = 256 << 20;  // bytes of the nodes that live
  std::uint64_t max_search = 0;          // positions for recheck nodes; 0: so many a byte of text
  static constexpr std::uint64_t kFreeSearch = 1'000'000;
  static constexpr std::uint64_t kSearchPerByte = 16;
};

struct Counts {
  std::uint64_t listed = 0;        // nodes that the certificate lists
  std::uint64_t leaves = 0;        // of these: finished positions
  std::uint64_t rechecked = 0;     // of these: `recheck` nodes
  std::uint64_t brute_forced = 0;  // positions that were searched for those
  std::uint64_t most_live = 0;     // ids that lived at once
};

inline std::uint64_t read_id(std::string_view word) {
  std::uint64_t id = 0;
  if (!ref_number(word, ~std::uint64_t{0}, &id)) unreadable("expected an id, not " + shown(word));
  return id;
}

// Two positions of a game are the same if these texts are. Cells and squares take two bits.
template <class State>
std::string packed(const State& state) {
  if constexpr (requires { state.squares; }) {
    return packed(state.squares) + state.mover;
  } else if constexpr (requires { state.cells; }) {
    return packed(state.cells);
  } else if constexpr (requires { state.ply; }) {
    return std::to_string(state.node) + ' ' + std::to_string(state.sum) + ' ' +
           std::to_string(state.ply);
  } else {
    std::string bits((state.size() + 3) / 4, '\0');
    for (std::size_t i = 0; i < state.size(); ++i) {
      const int cell = state[i] < '0' ? 0 : state[i] == 'B' || state[i] == 'X' ? 1 : 2;
      bits[i / 4] = static_cast<char>(bits[i / 4] | cell << i % 4 * 2);
    }
    return bits;
  }
}

// The nodes of one claim, line by line.
template <class R>
class Proof {
 public:
  using State = typename R::State;
  using Rules = typename R::Rules;

  // No finished position is worth less than `least` or more than -least.
  Proof(const Rules& rules, const State& root, const Claim& claim, int least, const Limits& limits,
        Counts& counts)
      : rules_(rules),
        root_(root),
        claim_(claim),
        least_(least),
        limits_(limits),
        counts_(counts) {}

  // The next line, `read` bytes of text from the first one. False once it was `root` and the claim
  // stands.
  bool line(const RefWords& words, std::uint64_t read) {
    free_search_ = Limits::kFreeSearch + Limits::kSearchPerByte * read;
    const std::string_view kind = words[0];
    if (kind == "root") {
      expect(words.size() == 2);
      const std::string& node = find(words[1])->second;
      if (node.back() == kRechecked) reject("the root may not be a recheck node");
      if (node != packed(root_) + kPlain) reject("the root is not the position of the header");
      root_move_ = root_moves_[read_id(words[1])];
      return false;
    }
    if (kind == "free") {
      expect(words.size() > 1);
      for (std::size_t i = 1; i < words.size(); ++i) {
        live_.erase(find(words[i]));
        root_moves_.erase(read_id(words[i]));
      }
    } else {
      node(kind, words);
    }
    return true;
  }
  // Of the root, as it is written; empty unless it is a node `one`.
  const std::string& root_move() const { return root_move_; }

 private:
  static constexpr char kPlain = 0;
  static constexpr char kRechecked = 1;
  static constexpr std::uint64_t kNodeBytes = 96;  // beside the text
  static void expect(bool good) {
    if (!good) unreadable("a line with too many or too few words");
  }
  auto find(std::string_view word) {
    const auto at = live_.find(read_id(word));
    if (at == live_.end()) reject("no node " + std::string(word) + " lives here");
    return at;
  }

  void node(std::string_view kind, const RefWords& words) {
    const bool recheck = kind == "recheck";  // its number of empty squares stands before the board
    expect(words.size() > (recheck ? 3 : 2));
    const std::uint64_t id = read_id(words[1]);
    const std::string_view board = words[recheck ? 3 : 2];
    State state;
    if (!R::read_board(rules_, board, &state)) reject("not a position: " + shown(board));
    if (kind == "one") {
      check_one(state, words);
    } else if (kind == "all") {
      check_all(state, words);
    } else {
      expect(words.size() == (recheck ? 4 : 3));
      if (kind == "leaf") {
        check_leaf(state);
      } else if (kind == "bound") {
        check_bound();
      } else if (recheck) {
        check_recheck(state, words[2]);
      } else {
        unreadable("unknown kind of line: " + shown(kind));
      }
    }
    if (id <= last_id_) reject("ids must ascend, so that none is used twice");
    last_id_ = id;
    const std::string& text = live_.emplace_hint(live_.end(), id, packed(state))->second +=
        (recheck ? kRechecked : kPlain);
    if (kind == "one" && state == root_) root_moves_.emplace(id, words[3]);
    if ((live_.size() + root_moves_.size()) * (kNodeBytes + text.size()) > limits_.max_memory) {
      unreadable("its nodes that live take more than " + std::to_string(limits_.max_memory >> 20) +
                 " MiB; --max-memory allows more");
    }
    ++counts_.listed;
    counts_.most_live = std::max<std::uint64_t>(counts_.most_live, live_.size());
  }

  Player attacker() const { return R::to_move(rules_, root_); }
  bool holds(const State& finished) const {
    const Value value = value_for(attacker(), R::value(rules_, finished));
    return (value >= claim_.threshold) == claim_.proved;
  }
  void check_leaf(const State& state) {
    if (!R::finished(rules_, state)) reject("a leaf must be a finished position");
    if (!holds(state)) reject("the leaf does not end as the claim says");
    ++counts_.leaves;
  }
  // The claim holds whatever happens.
  void check_bound() const {
    const int least = claim_.proved ? claim_.threshold : -(claim_.threshold - 1);
    if (least > least_) reject("the bounds of the game do not settle the claim");
  }

  // The legal moves, where the prover (or his opponent) is to move.
  std::vector<Move> moves_of(const State& state, bool prover) const {
    if (R::finished(rules_, state)) reject("no move can follow, the game is over");
    const bool attackers = R::to_move(rules_, state) == attacker();
    if ((attackers == claim_.proved) != prover) {
      reject(prover ? "one move is enough only where the prover is to move"
                    : "all moves are needed only where the opponent is to move");
    }
    return R::moves(rules_, state);
  }
  // The move leads from `state` to the node that `id` names.
  void check_reply(State state, Move move, std::string_view id) {
    R::play(rules_, state, move);
    std::string_view text = find(id)->second;
    text.remove_suffix(1);  // what it rests on
    if (text == packed(state)) return;
    reject("node " + std::string(id) + " is not the position after its move");
  }
  Move read_move(std::string_view word) const {
    const Move move = R::move_named(rules_, word);
    if (move == kNoMove) reject("expected a move, not " + shown(word));
    return move;
  }
  void check_one(const State& state, const RefWords& words) {
    expect(words.size() == 5);
    const Move move = read_move(words[3]);
    const std::vector<Move> legal = moves_of(state, true);
    if (std::find(legal.begin(), legal.end(), move) == legal.end()) {
      reject("illegal move " + shown(words[3]));
    }
    check_reply(state, move, words[4]);
  }
  void check_all(const State& state, const RefWords& words) {
    expect(words.size() % 2 == 1);
    const std::vector<Move> legal = moves_of(state, false);
    if (words.size() != 3 + 2 * legal.size()) reject("every legal move must be there once");
    for (std::size_t i = 0; i < legal.size(); ++i) {
      const std::string_view word = words[3 + 2 * i];
      if (read_move(word) != legal[i]) reject("expected all moves in order, not " + shown(word));
      check_reply(state, legal[i], words[4 + 2 * i]);
    }
  }

  void check_recheck(const State& state, std::string_view empties) {
    if constexpr (requires { state.squares; }) {
      const auto counted = std::count(state.squares.begin(), state.squares.end(), '-');
      if (counted > 8) reject("a recheck node may have at most 8 empty squares");
      if (std::to_string(counted) != empties) reject("the number of empty squares is wrong");
      if (reached(state) != claim_.proved) reject("searching does not confirm the recheck node");
      ++counts_.rechecked;
    } else {
      reject("this game has no recheck nodes");
    }
  }
  // Does the attacker reach the threshold? By trying everything.
  bool reached(const State& state) {
    const std::uint64_t most = limits_.max_search > 0 ? limits_.max_search : free_search_;
    if (++counts_.brute_forced > most) {
      unreadable("its recheck nodes need a search of more than " + std::to_string(most) +
                 " positions; --max-search allows more");
    }
    const std::vector<Move> moves = R::moves(rules_, state);
    const bool passes = moves[0] == R::kPass;  // only then the game may be over
    if (passes && R::finished(rules_, state)) return holds(state) == claim_.proved;
    const bool attackers = R::to_move(rules_, state) == attacker();
    for (const Move move : moves) {
      State next = state;
      R::play(rules_, next, move);
      if (reached(next) == attackers) return attackers;
    }
    return !attackers;
  }

  const Rules& rules_;
  const State& root_;
  Claim claim_;
  int least_;
  const Limits& limits_;
  Counts& counts_;
  std::uint64_t free_search_ = 0;
  // Of ids, which may be chosen badly, to positions and what they rest on: no hashing.
  std::map<std::uint64_t, std::string> live_;
  std::uint64_t last_id_ = 0;
  std::map<std::uint64_t, std::string> root_moves_;  // of nodes that could be the root
  std::string root_move_;
};

}  // namespace playproof::check
