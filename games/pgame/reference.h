// The obvious rules of P-games (games/pgame/rules.h says what they are), written apart from the
// fast ones: the oracle of the tests and of playproof-check.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "games/core/game.h"
#include "games/core/reference_text.h"

namespace playproof {

struct RefPGame {
  static constexpr const char* kName = "pgame";
  static constexpr RefOption kOptions[] = {
      {"branching", 2, 2, 64}, {"depth", 20, 1, 64}, {"tree", 1, 0, 0xffffffff}};
  struct Rules {
    std::uint64_t tree = 1;
    int branching = 2;
    int depth = 20;
  };
  struct State {
    std::uint64_t node = 0;  // hash of the path
    int sum = 0;             // MAX's edges minus MIN's edges
    int ply = 0;
    bool operator==(const State&) const = default;
  };

  static Rules make_rules(const std::vector<std::uint64_t>& values) {
    return {values[2], static_cast<int>(values[0]), static_cast<int>(values[1])};
  }
  static State initial(const Rules& rules) { return {splitmix(rules.tree), 0, 0}; }
  static bool finished(const Rules& rules, const State& s) { return s.ply == rules.depth; }
  static Value value(const Rules&, const State& s) {
    if (s.sum > 0) return 1;
    if (s.sum < 0) return -1;
    return 0;
  }
  // The greatest value of any position; the least is its negative.
  static int greatest_value(const Rules&) { return 1; }
  static Player to_move(const Rules&, const State& s) {
    return s.ply % 2 == 0 ? Player::kFirst : Player::kSecond;
  }
  static std::vector<Move> moves(const Rules& rules, const State&) {
    std::vector<Move> list;
    list.reserve(static_cast<std::size_t>(rules.branching));
    for (int branch = 0; branch < rules.branching; ++branch) {
      list.push_back(static_cast<Move>(branch));
    }
    return list;
  }
  static void play(const Rules& rules, State& s, Move branch) {
    std::uint64_t seed = s.node;
    for (int i = 0; i <= branch; ++i) seed += 0x9e3779b97f4a7c15u;
    s.node = splitmix(seed);
    const int edge = static_cast<int>(s.node / (std::uint64_t{1} << 57));  // the top seven bits
    if (to_move(rules, s) == Player::kFirst) {
      s.sum += edge;
    } else {
      s.sum -= edge;
    }
    s.ply += 1;
  }

  // Text: a move "3", a position as the list of moves, "0 1 1", as a word "0.1.1" ("-": the root).
  static Move move_named(const Rules&, std::string_view word) {
    std::uint64_t branch = 0;
    return ref_number(word, kNoMove - 1, &branch) ? static_cast<Move>(branch) : kNoMove;
  }
  static bool read_board(const Rules& rules, std::string_view word, State* s) {
    return read_position(rules, word == "-" ? RefWords() : ref_parts(word, '.'), s);
  }
  static std::string packed(const State& s) {
    return std::to_string(s.node) + ' ' + std::to_string(s.sum) + ' ' + std::to_string(s.ply);
  }
  static bool read_position(const Rules& rules, const RefWords& words, State* s) {
    return ref_replay<RefPGame>(rules, words, s);
  }

 private:
  // One output of the generator SplitMix64 with this seed.
  static std::uint64_t splitmix(std::uint64_t seed) {
    std::uint64_t z = seed + 0x9e3779b97f4a7c15u;
    z ^= z >> 30;
    z *= 0xbf58476d1ce4e5b9u;
    z ^= z >> 27;
    z *= 0x94d049bb133111ebu;
    z ^= z >> 31;
    return z;
  }
};

}  // namespace playproof
