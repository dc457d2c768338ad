// Cards: patterns that the prover of a claim wins, as certificates of connection games list them
// (docs/certificate.md, "Cards"); and those of them that were useful of late.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "games/core/cell_set.h"

namespace playproof {

// The prover wins every position in which he has the needed stones and the opponent has none in the
// zone. The needed stones are part of the zone.
template <int W>
struct Card {
  CellSet<W> needed;
  CellSet<W> zone;
  bool provers = false;  // only with the prover to move
};

// A bounded number of cards under test against positions, by what the caller knows them by. A new
// one takes the place of one that was not useful since the hand came by.
template <int W>
class CardRing {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  explicit CardRing(std::size_t capacity) : capacity_(capacity) {}

  // Returns the handle whose place it takes, or kNone.
  std::uint32_t insert(const Card<W>& card, std::uint32_t handle) {
    if (capacity_ == 0) return handle;
    if (handles_.size() < capacity_) {
      needed_.push_back(card.needed);
      zones_.push_back(card.zone);
      provers_.push_back(card.provers ? 1 : 0);
      useful_.push_back(0);
      handles_.push_back(handle);
      return kNone;
    }
    while (useful_[hand_] != 0) {
      useful_[hand_] = 0;
      advance();
    }
    const std::uint32_t driven_out = handles_[hand_];
    needed_[hand_] = card.needed;
    zones_[hand_] = card.zone;
    provers_[hand_] = card.provers ? 1 : 0;
    handles_[hand_] = handle;
    advance();
    return driven_out;
  }
  void set_useful(std::size_t place) { useful_[place] = 1; }

  // Calls f(place, handle, missing) with the cards in whose zones the opponent (`other`) has no
  // stone and of whose needed stones the prover (`own`) lacks one at most: `missing`; none for
  // those that are good only with the prover to move.
  template <class F>
  void for_each_near(const CellSet<W>& own, const CellSet<W>& other, F&& f) const {
    constexpr std::size_t kBlock = 64;
    for (std::size_t begin = 0; begin < handles_.size(); begin += kBlock) {
      const std::size_t count = std::min(kBlock, handles_.size() - begin);
      std::uint64_t near = 0;
      for (std::size_t i = 0; i < count; ++i) {
        near |= std::uint64_t{is_near(begin + i, own, other)} << i;
      }
      for (; near != 0; near &= near - 1) {
        const std::size_t place = begin + static_cast<std::size_t>(lowest_bit64(near));
        f(place, handles_[place], needed_[place] - own);
      }
    }
  }
  // Calls f(handle) with all of them and forgets those of which it says false.
  template <class F>
  void keep_if(F&& f) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < handles_.size(); ++i) {
      if (!f(handles_[i])) continue;
      needed_[kept] = needed_[i];
      zones_[kept] = zones_[i];
      provers_[kept] = provers_[i];
      useful_[kept] = useful_[i];
      handles_[kept++] = handles_[i];
    }
    needed_.resize(kept);
    zones_.resize(kept);
    provers_.resize(kept);
    useful_.resize(kept);
    handles_.resize(kept);
    hand_ = 0;
  }

 private:
  // No branch on boards of one word.
  bool is_near(std::size_t i, const CellSet<W>& own, const CellSet<W>& other) const {
    const CellSet<W> blocked = zones_[i] & other;
    const CellSet<W> missing = needed_[i] - own;
    if constexpr (W == 1) {
      const std::uint64_t m = missing.words[0];
      const std::uint64_t more = provers_[i] != 0 ? m : m & (m - 1);
      return (blocked.words[0] | more) == 0;
    } else {
      return blocked.empty() && missing.size() <= (provers_[i] != 0 ? 0 : 1);
    }
  }
  void advance() { hand_ = hand_ + 1 < capacity_ ? hand_ + 1 : 0; }

  std::size_t capacity_;
  std::size_t hand_ = 0;
  std::vector<CellSet<W>> needed_;
  std::vector<CellSet<W>> zones_;
  std::vector<std::uint8_t> provers_;
  std::vector<std::uint8_t> useful_;
  std::vector<std::uint32_t> handles_;
};

}  // namespace playproof
