// How the threads of a warp share out the playouts of their leaves: a leaf high in its tree takes
// many times as long as one near the end, so no thread plays its own.
#pragma once

#include <cstdint>

#include "kernels/common/playout.h"
#include "kernels/common/random_words.h"
#include "kernels/numbers/arithmetic.h"

namespace playproof {

// Playouts 0 .. playouts - 1 of a leaf in portions that are all of one word.
struct Portion {
  std::uint32_t first;
  std::uint32_t count;
};
class Portions {
 public:
  static constexpr std::uint32_t kMost = 5;  // playouts

  PP_HD explicit Portions(std::uint32_t playouts) : playouts_(playouts) {}

  PP_HD std::uint32_t size() const {
    return playouts_ / kLanes * kOfWord + (playouts_ % kLanes + kMost - 1) / kMost;
  }
  PP_HD Portion operator[](std::uint32_t i) const {
    const std::uint32_t lane = i % kOfWord * kMost;
    const std::uint32_t first = i / kOfWord * kLanes + lane;
    return {first, lesser(lesser(kMost, kLanes - lane), playouts_ - first)};
  }

 private:
  static constexpr std::uint32_t kOfWord = (kLanes + kMost - 1) / kMost;

  std::uint32_t playouts_;
};

// The portions of some leaves, one leaf after the other, as one of `threads` takes them in turn.
class PortionTurns {
 public:
  PP_HD PortionTurns(std::uint32_t portions, std::uint32_t thread, std::uint32_t threads)
      : portions_(portions),
        leaf_(thread / portions),
        portion_(thread % portions),
        leaf_step_(threads / portions),
        portion_step_(threads % portions) {}

  PP_HD std::uint32_t leaf() const { return leaf_; }
  PP_HD std::uint32_t portion() const { return portion_; }
  PP_HD void next() {
    leaf_ += leaf_step_;
    portion_ += portion_step_;
    if (portion_ < portions_) return;
    portion_ -= portions_;
    ++leaf_;
  }

 private:
  std::uint32_t portions_;
  std::uint32_t leaf_;
  std::uint32_t portion_;
  std::uint32_t leaf_step_;
  std::uint32_t portion_step_;
};

}  // namespace playproof
