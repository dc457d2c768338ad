// Connect on the CPU: one game after the other on bitboards. The order of the cells is made once
// for the words of a group, the exchanges of a pair once for the lanes of a word.
#include <algorithm>

#include "kernels/cpu_playouts.h"
#include "kernels/random_words.h"

namespace playproof {
namespace {

// Stones `first` and `second` of the order change places in the lanes where a random bit is 1.
struct Pair {
  std::uint16_t first = 0;
  std::uint16_t second = 0;
};

// What all words of a request have in common.
template <int W>
struct Leaf {
  using G = Connect<W>;
  const typename G::Rules& rules;
  typename G::State state;
  RandomKey key;
  std::uint32_t m = 0;  // empty cells
  Move empty[G::kMaxCells];
  std::uint32_t pair_count = 0;
  Pair pairs[G::kMaxCells / 2];

  Leaf(const typename G::Rules& r, std::uint64_t seed, const LeafRequest<G>& request)
      : rules(r), state(request.state), key{seed, request.stream} {
    m = static_cast<std::uint32_t>(G::moves(rules, state, empty));
    pair_stones(static_cast<std::uint32_t>(G::stones_left_in_turn(rules, state)));
  }

 private:
  // Turns two by two from the leaf on; its own turn may have begun.
  void pair_stones(std::uint32_t first_turn) {
    std::uint32_t length = first_turn;
    for (std::uint32_t block = 0; block + length < m;) {
      const std::uint32_t second = block + length;
      const std::uint32_t second_length = std::min<std::uint32_t>(rules.stones, m - second);
      for (std::uint32_t i = 0; i < std::min(length, second_length); ++i) {
        pairs[pair_count++] = {static_cast<std::uint16_t>(block + i),
                               static_cast<std::uint16_t>(second + i)};
      }
      block = second + second_length;
      length = rules.stones;
    }
  }
};

// A number below `choices` from as many random words as it takes: Lemire's method, exact.
std::uint32_t draw_below(RandomWords& random, std::uint32_t choices) {
  std::uint64_t product = std::uint64_t{random.next()} * choices;
  if (static_cast<std::uint32_t>(product) < choices) {
    const std::uint32_t rejected = (0 - choices) % choices;  // 2^32 mod choices
    while (static_cast<std::uint32_t>(product) < rejected) {
      product = std::uint64_t{random.next()} * choices;
    }
  }
  return static_cast<std::uint32_t>(product >> 32);
}

template <int W>
void draw_order(const Leaf<W>& leaf, std::uint32_t group, Move* order) {
  std::copy_n(leaf.empty, leaf.m, order);
  RandomWords random(leaf.key, kGroupFlag | group);
  for (std::uint32_t i = 0; i + 1 < leaf.m; ++i) {
    std::swap(order[i], order[i + draw_below(random, leaf.m - i)]);
  }
}

// One game: stone t falls on order[t], or on order[partner[t]] where the bit of the pair is 1.
template <int W>
Value play_lane(const Leaf<W>& leaf, const Move* common, const std::uint32_t* exchanges,
                std::uint32_t lane) {
  using G = Connect<W>;
  Move order[G::kMaxCells];
  std::copy_n(common, leaf.m, order);
  for (std::uint32_t i = 0; i < leaf.pair_count; ++i) {
    const Pair pair = leaf.pairs[i];
    if (((exchanges[i] >> lane) & 1) != 0) std::swap(order[pair.first], order[pair.second]);
  }
  typename G::State s = leaf.state;
  for (std::uint32_t t = 0; s.winner == 0; ++t) G::play(leaf.rules, s, order[t]);
  return G::value(leaf.rules, s);
}

template <int W>
Tally play(const typename Connect<W>::Rules& rules, std::uint64_t seed,
           const LeafRequest<Connect<W>>& request) {
  using G = Connect<W>;
  if (G::finished(rules, request.state)) {
    return certain_tally(G::value(rules, request.state), request.playouts);
  }
  const Leaf<W> leaf(rules, seed, request);
  Move order[G::kMaxCells];
  std::uint32_t order_of = ~std::uint32_t{0};  // the group that it belongs to
  Tally tally;
  for_each_word(request.first, request.playouts, [&](std::uint32_t word, std::uint32_t lanes) {
    if (word / kConnectGroupWords != order_of) {
      order_of = word / kConnectGroupWords;
      draw_order(leaf, order_of, order);
    }
    std::uint32_t exchanges[G::kMaxCells / 2 + 3];
    random_words(leaf.key, word, leaf.pair_count, exchanges);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      const Value value = play_lane(leaf, order, exchanges, lane);
      tally.wins += value > 0 ? 1 : 0;
      tally.draws += value == 0 ? 1 : 0;
      tally.losses += value < 0 ? 1 : 0;
    }
  });
  return tally;
}

}  // namespace

template <>
Tally cpu_playouts<Connect<1>>(const Connect<1>::Rules& rules, std::uint64_t seed,
                               const LeafRequest<Connect<1>>& request) {
  return play<1>(rules, seed, request);
}

template <>
Tally cpu_playouts<Connect<6>>(const Connect<6>::Rules& rules, std::uint64_t seed,
                               const LeafRequest<Connect<6>>& request) {
  return play<6>(rules, seed, request);
}

}  // namespace playproof
