// The threads of a warp play their leaves together: kernels/search/pooled_leaves.h says who plays
// what. Tallies are sums of integers, so who has played is of no account.
#pragma once

#include "kernels/device/work_items.cuh"
#include "kernels/search/leaf_playouts.h"
#include "kernels/search/pooled_leaves.h"

namespace playproof {

// Can portions of a leaf's playouts be played by themselves? Then whoever waits shares in them.
template <class G>
inline constexpr bool kPooled = requires(const typename G::Rules& rules,
                                         const typename G::State& leaf, const RandomKey& key,
                                         Tally& tally) {
  LeafPlayouts<G>::template play_lanes<Portions::kMost>(rules, leaf, key, 0, 0, tally);
};

// The memory of a warp: the leaves of each thread that are played now, the longest ones first.
template <class G>
class LeafPool {
 public:
  // All threads of the warp call it: those that wait have extended a tree. All the children that
  // wait are evaluated.
  template <class Search>
  __device__ void play(const typename G::Rules& rules, Search& search, bool waiting,
                       std::uint32_t playouts) {
    const Portions portions(playouts);
    const int children = waiting ? search.new_children() : 0;
    for (int first = 0; __any_sync(kWholeWarp, first < children); first += kEach) {
      const int end = lesser(first + kEach, children);
      std::uint32_t waits = 0;  // bit i: child first + i
#pragma unroll 1
      for (int i = first; i < end; ++i) waits |= std::uint32_t{search.waits(i)} << (i - first);
      const std::uint32_t place = place_of(waits == 0 ? 0 : search.plies_left(), waits);
      add(search, first, waits, place);
      __syncwarp();
      play_portions(rules, portions);
      __syncwarp();
      for_each(waits, place, [&](int i, std::uint32_t slot) {
        Tally tally;
        tally.wins = wins_[slot];
        tally.losses = losses_[slot];
        tally.draws = playouts - tally.wins - tally.losses;
        search.evaluate(first + i, leaves_[slot], tally);
      });
      __syncwarp();
    }
  }

 private:
  static constexpr int kEach = 3;  // children of a thread at a time; kEach + 1 is a power of two
  static constexpr std::uint32_t kSlots = kEach * kWarp;

  // Calls f(i, slot) for each bit i of `waits`; the slots are `place` and those after it.
  template <class F>
  __device__ static void for_each(std::uint32_t waits, std::uint32_t place, const F& f) {
#pragma unroll 1
    for (int i = 0; i < kEach; ++i) {
      if ((waits >> i & 1) != 0) f(i, place++);
    }
  }
  // Where the leaves of this thread stand, so many plies from their end.
  __device__ std::uint32_t place_of(std::uint32_t plies, std::uint32_t waits) {
    const unsigned lane = threadIdx.x % kWarp;
    const auto mine = static_cast<std::uint32_t>(__popc(waits));
    const std::uint32_t order = (plies * kWarp + lane) * (kEach + 1) + mine;
    std::uint32_t place = 0;
    std::uint32_t all = 0;
#pragma unroll
    for (unsigned l = 0; l < kWarp; ++l) {
      const std::uint32_t other = __shfl_sync(kWholeWarp, order, l);
      const std::uint32_t count = other % (kEach + 1);
      all += count;
      if (other > order) place += count;
    }
    if (lane == 0) size_ = all;
    return place;
  }
  template <class Search>
  __device__ void add(const Search& search, int first, std::uint32_t waits, std::uint32_t place) {
    for_each(waits, place, [&](int i, std::uint32_t slot) {
      leaves_[slot] = search.child_state(first + i);
      seeds_[slot] = search.seed();
      wins_[slot] = 0;
      losses_[slot] = 0;
    });
  }
  __device__ void play_portions(const typename G::Rules& rules, const Portions& portions) {
    PortionTurns turn(portions.size(), threadIdx.x % kWarp, kWarp);
    for (; turn.leaf() < size_; turn.next()) {
      const std::uint32_t slot = turn.leaf();
      const typename G::State& leaf = leaves_[slot];
      const Portion portion = portions[turn.portion()];
      const RandomKey key = {seeds_[slot], G::key(rules, leaf)};
      Tally tally;
      LeafPlayouts<G>::template play_lanes<Portions::kMost>(rules, leaf, key, portion.first,
                                                            portion.count, tally);
      if (tally.wins != 0) atomicAdd(&wins_[slot], tally.wins);
      if (tally.losses != 0) atomicAdd(&losses_[slot], tally.losses);
    }
  }

  typename G::State leaves_[kSlots];
  std::uint64_t seeds_[kSlots];
  std::uint32_t wins_[kSlots];
  std::uint32_t losses_[kSlots];
  std::uint32_t size_;
};

}  // namespace playproof
