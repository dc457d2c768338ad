// Exact values of P-games by a search that goes left to right and leaves out what cannot matter. It
// needs no memory but the path, so that a thread of a device can do it too.
#pragma once

#include <cstdint>

#include "games/pgame/rules.h"

namespace playproof {

// The value of a position for MAX if both sides play their best, as far as it lies between two
// bounds: what is `high` or more ends a choice of MAX, what is `low` or less one of MIN. With -1
// and 1 it is the value; with t - 1 and t it says whether the value is at least t.
class PGameSearch {
 public:
  PP_HD PGameSearch(const PGame::Rules& rules, const PGame::State& position, Value low, Value high)
      : rules_(rules),
        ply_(position.ply),
        low_(low),
        high_(high),
        value_(PGame::value(rules, position)),
        done_(PGame::finished(rules, position)) {
    if (!done_) path_[0] = {position.hash, position.sum, 0, worst(ply_)};
  }

  // Makes up to `plays` moves. True once the value is known.
  PP_HD bool run(std::uint64_t plays) {
    for (; !done_ && plays != 0; --plays) {
      Node& node = path_[height_];
      PGame::State child = {node.hash, node.sum, ply_};
      PGame::play(rules_, child, node.next++);
      if (PGame::finished(rules_, child)) {
        give(PGame::value(rules_, child));
      } else {
        path_[++height_] = {child.hash, child.sum, 0, worst(++ply_)};
      }
    }
    return done_;
  }

  PP_HD Value value() const { return value_; }

 private:
  struct Node {
    std::uint64_t hash;
    std::int32_t sum;
    std::uint8_t next;  // branch
    Value best;         // of those before it
  };
  PP_HD static bool max_moves(std::uint32_t ply) { return (ply & 1) == 0; }
  PP_HD static Value worst(std::uint32_t ply) {
    return static_cast<Value>(max_moves(ply) ? -1 : 1);
  }

  // Hands a value to the positions that wait for it.
  PP_HD void give(Value value) {
    while (true) {
      Node& node = path_[height_];
      const bool max = max_moves(ply_);
      if (max ? value > node.best : value < node.best) node.best = value;
      const bool enough = max ? node.best >= high_ : node.best <= low_;
      if (!enough && node.next < rules_.branching) return;
      value = node.best;
      if (height_ == 0) break;
      --height_;
      --ply_;
    }
    value_ = value;
    done_ = true;
  }

  PGame::Rules rules_;
  std::uint32_t ply_;
  std::uint32_t height_ = 0;  // of the path above the position
  Value low_;
  Value high_;
  Value value_;
  bool done_;
  Node path_[PGame::kMaxPlies];
};

}  // namespace playproof
