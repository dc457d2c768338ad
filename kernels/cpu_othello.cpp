// Othello on the CPU: the games of a word ply by ply on bitboards, so that the random bits of a ply
// are made once for all of them.
#include "kernels/cpu_playouts.h"
#include "kernels/random_words.h"

namespace playproof {
namespace {

constexpr std::uint32_t kChoiceBits = 24;  // a ply and lane

// Exchanges the two blocks of kStep x kStep bits beside the diagonal of each block twice that size.
template <std::uint32_t kStep>
void exchange_blocks(std::uint32_t (&rows)[kLanes], std::uint32_t low_halves) {
  for (std::uint32_t top = 0; top < kLanes; top += 2 * kStep) {
    for (std::uint32_t i = top; i < top + kStep; ++i) {
      const std::uint32_t moved = ((rows[i] >> kStep) ^ rows[i + kStep]) & low_halves;
      rows[i] ^= moved << kStep;
      rows[i + kStep] ^= moved;
    }
  }
}

// The next kChoiceBits planes as one number a lane, first plane on top.
void next_choices(RandomWords& random, std::uint32_t (&choices)[kLanes]) {
  for (std::uint32_t j = 0; j < kChoiceBits; ++j) choices[kChoiceBits - 1 - j] = random.next();
  for (std::uint32_t j = kChoiceBits; j < kLanes; ++j) choices[j] = 0;
  exchange_blocks<16>(choices, 0x0000ffff);
  exchange_blocks<8>(choices, 0x00ff00ff);
  exchange_blocks<4>(choices, 0x0f0f0f0f);
  exchange_blocks<2>(choices, 0x33333333);
  exchange_blocks<1>(choices, 0x55555555);
}

// The n-th set bit, counted from 0: halves, quarters, ... without a branch to be guessed.
Move nth_square(std::uint64_t set, int n) {
  for (; n > 0; --n) set &= set - 1;
  return static_cast<Move>(lowest_bit64(set));
}

void play_ply(const Othello::Rules& rules, Othello::State& s, std::uint32_t choice) {
  if (s.finished != 0) return;
  if (s.legal == 0) {
    Othello::play(rules, s, Othello::kPass);
    return;
  }
  const auto legal = static_cast<std::uint64_t>(popcount64(s.legal));
  const auto n = static_cast<int>((legal * choice) >> kChoiceBits);
  Othello::play(rules, s, nth_square(s.legal, n));
}

void play_word(const Othello::Rules& rules, const Othello::State& leaf, RandomWords random,
               std::uint32_t lanes, Tally& tally) {
  Othello::State games[kLanes];
  for (std::uint32_t lane = 0; lane < lanes; ++lane) games[lane] = leaf;
  for (std::uint32_t running = lanes; running > 0;) {
    std::uint32_t choices[kLanes];
    next_choices(random, choices);
    running = 0;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      play_ply(rules, games[lane], choices[lane]);
      running += games[lane].finished == 0 ? 1 : 0;
    }
  }
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    const Value value = Othello::value(rules, games[lane]);
    tally.wins += value > 0 ? 1 : 0;
    tally.draws += value == 0 ? 1 : 0;
    tally.losses += value < 0 ? 1 : 0;
  }
}

}  // namespace

template <>
Tally cpu_playouts<Othello>(const Othello::Rules& rules, std::uint64_t seed,
                            const LeafRequest<Othello>& request) {
  if (Othello::finished(rules, request.state)) {
    return certain_tally(Othello::value(rules, request.state), request.playouts);
  }
  Tally tally;
  for_each_word(request.first, request.playouts, [&](std::uint32_t word, std::uint32_t lanes) {
    play_word(rules, request.state, RandomWords({seed, request.stream}, word), lanes, tally);
  });
  return tally;
}

}  // namespace playproof
