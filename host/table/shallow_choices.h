// The moves that a depth-first search chose last near its root. A node forgets its choices when it
// is left, so switches at the root and up to two plies below it are counted here (E24 c).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "games/core/game.h"
#include "host/question/search_options.h"

namespace playproof {

class ShallowChoices {
 public:
  void clear() { last_.clear(); }
  // Calls f(moves, last) with the moves that lead to each such position and the one that was chosen
  // last there, as long as it returns true; does it always?
  template <class F>
  bool all_of(F&& f) const {
    for (const auto& [path, last] : last_) {
      std::vector<Move> moves;
      for (const std::uint32_t move : {path >> 16, path & 0xffff}) {
        if (move == 0 && !moves.empty()) return false;
        if (move != 0) moves.push_back(static_cast<Move>(move - 1));
      }
      if (!f(moves, last)) return false;
    }
    return true;
  }
  // Notes that the position on top of the stack is left by `move`. True if it is a shallow one that
  // another move was chosen in before.
  template <class Stack>
  bool note(const Stack& stack, Move move) {
    if (stack.size() > kShallow + 1) return false;
    std::uint32_t path = 0;  // the moves that lead there
    for (std::size_t depth = 0; depth + 1 < stack.size(); ++depth) {
      path = (path << 16) + stack.chosen_child(stack.frame(depth)).move + 1;
    }
    const auto [last, first_time] = last_.try_emplace(path, move);
    const bool switched = !first_time && last->second != move;
    last->second = move;
    return switched;
  }
  template <class Archive>
  [[gnu::cold]] void serialize(Archive& archive) {  // host/archive/archive.h
    auto size = static_cast<std::uint32_t>(last_.size());
    archive(size);
    if constexpr (Archive::kLoading) {
      last_.clear();
      for (; size > 0; --size) {
        std::uint32_t path = 0;
        Move move = 0;
        archive(path, move);
        archive.check(last_.empty() || last_.rbegin()->first < path, "choices out of order");
        last_[path] = move;
      }
    } else {
      for (auto& [path, move] : last_) {
        auto key = path;
        archive(key, move);
      }
    }
  }

 private:
  std::map<std::uint32_t, Move> last_;
};

}  // namespace playproof
