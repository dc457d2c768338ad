// Puts the playout words of many requests into vectors. Words of different leaves share a vector,
// so that small requests cost little more a playout than large ones.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "kernels/common/playout.h"
#include "kernels/common/random_words.h"

namespace playproof {

inline constexpr int kMaxVectorWords = 16;

// The words that a vector plays, all under one seed. Leaf is what an engine wants to know of a
// request, with its `key`. Words that are there to fill the vector have no lanes.
template <class Leaf>
struct WordPack {
  std::uint64_t seed = 0;
  const Leaf* leaf[kMaxVectorWords];
  std::uint32_t stream_low[kMaxVectorWords];
  std::uint32_t stream_high[kMaxVectorWords];
  std::uint32_t word[kMaxVectorWords];
  std::uint32_t lanes[kMaxVectorWords];
};

// The lanes of each word that Black wins, and that are drawn.
struct WordResults {
  std::vector<std::uint32_t>* trace = nullptr;  // where engines with a trace append it, if not null
  std::uint32_t won[kMaxVectorWords] = {};
  std::uint32_t drawn[kMaxVectorWords] = {};
};

// Play(const WordPack<Leaf>&, WordResults&) plays a vector.
template <class Leaf, class Play>
class WordPacker {
 public:
  // Packs `words` to a vector, at most kMaxVectorWords.
  WordPacker(int words, const Play& play) : words_(words), play_(play) {}

  // Adds a request with at least one playout; read(leaf) fills in its leaf. Tallies get wins and
  // draws once the vector is full, or with flush(), and must live until then.
  template <class Read>
  void add(std::uint32_t first, std::uint32_t playouts, Tally& tally, const Read& read) {
    Leaf* leaf = &leaves_[filled_];
    read(*leaf);
    if (leaf->key.seed != pack_.seed) {
      flush();
      leaves_[0] = *leaf;
      leaf = leaves_;
      pack_.seed = leaf->key.seed;
    }
    for_each_word(first, playouts, [&](std::uint32_t word, std::uint32_t lanes) {
      if (filled_ == words_) {
        flush();
        if (leaf != leaves_) leaves_[0] = *leaf;  // the rest of its words come first
        leaf = leaves_;
      }
      add_word(*leaf, word, lane_mask(lanes), tally);
    });
    if (filled_ == words_) flush();
  }
  void flush() {
    if (filled_ == 0) return;
    const int played = filled_;
    while (filled_ < words_)
      add_word(*pack_.leaf[played - 1], pack_.word[played - 1], 0, *tallies_[0]);
    WordResults results;
    play_(pack_, results);
    for (int i = 0; i < played;) {
      Tally& tally = *tallies_[i];
      int wins = 0;
      int draws = 0;
      for (; i < played && tallies_[i] == &tally; ++i) {
        wins += std::popcount(results.won[i]);
        draws += std::popcount(results.drawn[i]);
      }
      tally.wins += static_cast<std::uint32_t>(wins);
      tally.draws += static_cast<std::uint32_t>(draws);
    }
    filled_ = 0;
  }

 private:
  void add_word(const Leaf& leaf, std::uint32_t word, std::uint32_t lanes, Tally& tally) {
    const int i = filled_++;
    pack_.leaf[i] = &leaf;
    pack_.stream_low[i] = static_cast<std::uint32_t>(leaf.key.stream);
    pack_.stream_high[i] = static_cast<std::uint32_t>(leaf.key.stream >> 32);
    pack_.word[i] = word;
    pack_.lanes[i] = lanes;
    tallies_[i] = &tally;
  }

  int words_;
  const Play& play_;
  int filled_ = 0;
  WordPack<Leaf> pack_;
  Tally* tallies_[kMaxVectorWords];
  Leaf leaves_[kMaxVectorWords];
};

// The numbers of the requests, ascending by empty cells. empty[i] < kMaxEmpty, or -1 to leave i
// out.
inline std::vector<std::uint32_t> order_by_empty(const std::vector<std::int16_t>& empty) {
  constexpr std::size_t kMaxEmpty = 512;
  // The children of one node have as many empty cells each.
  if (!empty.empty() && empty[0] >= 0 && std::is_sorted(empty.begin(), empty.end())) {
    std::vector<std::uint32_t> order(empty.size());
    std::iota(order.begin(), order.end(), 0U);
    return order;
  }
  std::vector<std::uint32_t> place(kMaxEmpty + 1);  // where the next one goes
  for (const std::int16_t cells : empty) {
    if (cells >= 0) ++place[static_cast<std::size_t>(cells) + 1];
  }
  std::partial_sum(place.begin(), place.end(), place.begin());
  std::vector<std::uint32_t> order(place.back());
  for (std::uint32_t i = 0; i < empty.size(); ++i) {
    if (empty[i] >= 0) order[place[static_cast<std::size_t>(empty[i])]++] = i;
  }
  return order;
}

// Plays a batch: finished leaves are certain, the others are packed, those with about as many empty
// cells together. empty(state) is their number, read(request, leaf) fills in a leaf.
template <class G, class Leaf, class Empty, class Read, class Play>
void play_packed(const typename G::Rules& rules, int words,
                 std::span<const LeafRequest<G>> requests, Tally* tallies, const Empty& empty,
                 const Read& read, const Play& play) {
  std::vector<std::int16_t> cells(requests.size(), -1);  // of the requests to be played
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const LeafRequest<G>& request = requests[i];
    tallies[i] = {};
    if (G::finished(rules, request.state)) {
      tallies[i] = certain_tally(G::value(rules, request.state), request.playouts);
    } else if (request.playouts > 0) {
      cells[i] = static_cast<std::int16_t>(empty(request.state));
    }
  }
  const std::vector<std::uint32_t> order = order_by_empty(cells);
  constexpr std::size_t kAhead = 8;  // requests that are on their way from memory
  WordPacker<Leaf, Play> packer(words, play);
  for (std::size_t n = 0; n < order.size(); ++n) {
    if (n + kAhead < order.size()) {
      const auto* next = reinterpret_cast<const char*>(&requests[order[n + kAhead]]);
      for (std::size_t at = 0; at < sizeof(LeafRequest<G>); at += 64) __builtin_prefetch(next + at);
    }
    const LeafRequest<G>& request = requests[order[n]];
    packer.add(request.first, request.playouts, tallies[order[n]],
               [&](Leaf& leaf) { read(request, leaf); });
  }
  packer.flush();
  for (const std::uint32_t i : order) {
    tallies[i].losses = requests[i].playouts - tallies[i].wins - tallies[i].draws;
  }
}

// Whether a batch has so few playouts that short vectors are enough.
template <class G>
bool fits_words(std::span<const LeafRequest<G>> requests, int words) {
  std::uint64_t needed = 0;
  for (const LeafRequest<G>& request : requests) {
    needed += (std::uint64_t{request.playouts} + kLanes - 1) / kLanes;
  }
  return needed <= static_cast<std::uint64_t>(words);
}

}  // namespace playproof
