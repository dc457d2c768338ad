// The obvious rules of Nim, written apart from the fast ones: the oracle of the tests and of
// playproof-check.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "games/core/game.h"
#include "games/core/reference_text.h"

namespace playproof {

struct RefNim {
  static constexpr const char* kName = "nim";
  struct Rules {
    std::vector<int> heaps;
  };
  struct State {
    std::vector<int> heaps;
    bool first_moves = true;
    bool operator==(const State&) const = default;
  };

  static Rules make_rules(const std::vector<std::uint64_t>& values) {
    return {std::vector<int>(values.begin(), values.end())};
  }
  static State initial(const Rules& rules) { return {rules.heaps, true}; }
  static bool finished(const Rules&, const State& s) {
    return std::all_of(s.heaps.begin(), s.heaps.end(), [](int heap) { return heap == 0; });
  }
  // Whoever would have to move has lost.
  static Value value(const Rules&, const State& s) {
    return static_cast<Value>(s.first_moves ? -1 : 1);
  }
  // The greatest value of any position; the least is its negative.
  static int greatest_value(const Rules&) { return 1; }
  static Player to_move(const Rules&, const State& s) {
    return s.first_moves ? Player::kFirst : Player::kSecond;
  }
  // Move 15 h + c - 1 takes c objects from heap h.
  static std::vector<Move> moves(const Rules&, const State& s) {
    std::vector<Move> list;
    for (std::size_t heap = 0; heap < s.heaps.size(); ++heap) {
      for (int count = 1; count <= s.heaps[heap]; ++count) {
        list.push_back(static_cast<Move>(15 * static_cast<int>(heap) + count - 1));
      }
    }
    return list;
  }
  static void play(const Rules&, State& s, Move move) {
    s.heaps[move / 15] -= move % 15 + 1;
    s.first_moves = !s.first_moves;
  }

  // Text: a game "nim:heaps=3.4.5"; a move "b2", two objects of the second heap; a board "3.4.5:1",
  // the heaps and whose turn it is; a position as a list of moves.
  static bool read_game(std::string_view text, std::vector<std::uint64_t>* values) {
    constexpr std::string_view kBegin = "nim:heaps=";
    values->assign({3, 4, 5});
    if (text == kName) return true;
    if (!text.starts_with(kBegin)) return false;
    return read_heaps(text.substr(kBegin.size()), 1, values);
  }
  static std::string game_text(const std::vector<std::uint64_t>& values) {
    std::string text = "nim:heaps";
    for (std::size_t i = 0; i < values.size(); ++i) {
      text += i == 0 ? '=' : '.';
      text += std::to_string(values[i]);
    }
    return text;
  }
  static Move move_named(const Rules& rules, std::string_view word) {
    std::uint64_t count = 0;
    if (word.size() < 2 || !ref_number(word.substr(1), 15, &count) || count == 0) return kNoMove;
    const int heap = ref_letter(word[0]);
    if (heap < 0 || heap >= static_cast<int>(rules.heaps.size())) return kNoMove;
    return static_cast<Move>(15 * heap + static_cast<int>(count) - 1);
  }
  static bool read_board(const Rules& rules, std::string_view word, State* s) {
    const std::size_t colon = word.find(':');
    if (colon == std::string_view::npos) return false;
    const std::string_view side = word.substr(colon + 1);
    std::vector<std::uint64_t> heaps;
    if (!read_heaps(word.substr(0, colon), 0, &heaps)) return false;
    if (heaps.size() != rules.heaps.size() || (side != "1" && side != "2")) return false;
    *s = {std::vector<int>(heaps.begin(), heaps.end()), side == "1"};
    for (std::size_t i = 0; i < heaps.size(); ++i) {
      if (s->heaps[i] > rules.heaps[i]) return false;
    }
    return true;
  }
  static std::string packed(const State& s) {
    std::string text(s.first_moves ? "1" : "2");
    for (const int heap : s.heaps) text += static_cast<char>(heap);
    return text;
  }
  static bool read_position(const Rules& rules, const RefWords& words, State* s) {
    return ref_replay<RefNim>(rules, words, s);
  }

 private:
  static bool read_heaps(std::string_view text, std::uint64_t least,
                         std::vector<std::uint64_t>* heaps) {
    heaps->clear();
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find('.', begin), text.size());
      std::uint64_t heap = 0;
      if (!ref_number(text.substr(begin, end - begin), 15, &heap) || heap < least) return false;
      heaps->push_back(heap);
      begin = end + 1;
    }
    return heaps->size() <= 8;
  }
};

}  // namespace playproof
