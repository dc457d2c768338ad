// Playouts are uniformly random games: means against exact expectations and against independent
// measurements, fills of Hex boards against equal frequencies. Every seed is fixed, so a test
// either passes always or never; tolerances are in standard errors, and a test whose standard error
// would be too wide to mean anything fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "games/connect/rules.h"
#include "games/hex/rules.h"
#include "games/loa/rules.h"
#include "games/othello/rules.h"
#include "games/pgame/rules.h"
#include "kernels/list.h"
#include "tests/kernels/positions.h"
#include "tests/nightly.h"

namespace playproof::distribution_test {
namespace {

constexpr double kSigmas = 4.5;
constexpr std::uint32_t kPlayouts = 32;  // a leaf

using Rates = std::array<double, 3>;  // wins, draws, losses

// Probabilities of the results under uniformly random moves, by enumeration.
template <Game G>
class Exact {
 public:
  explicit Exact(const typename G::Rules& rules) : rules_(rules) {}

  const Rates& of(const typename G::State& state) {
    const auto [at, is_new] = known_.try_emplace(G::key(rules_, state), Rates{});
    if (!is_new) return at->second;
    Rates rates = {};
    if (G::finished(rules_, state)) {
      const Value value = G::value(rules_, state);
      rates[value > 0 ? 0 : value == 0 ? 1 : 2] = 1;
    } else {
      Move moves[G::kMaxMoves];
      const int count = G::moves(rules_, state, moves);
      for (int i = 0; i < count; ++i) {
        auto child = state;
        G::play(rules_, child, moves[i]);
        const Rates& rest = of(child);
        for (std::size_t r = 0; r < 3; ++r) rates[r] += rest[r] / count;
      }
    }
    return known_[G::key(rules_, state)] = rates;
  }

 private:
  typename G::Rules rules_;
  std::unordered_map<std::uint64_t, Rates> known_;
};

// Means over `leaves` streams of kPlayouts each. Playouts of one leaf are correlated, leaves are
// not: the standard error comes from the spread of the leaves.
// The same where positions can come again, to nine digits: the sweeps that it takes until random
// games from everywhere have ended.
template <Game G>
Rates exact_rates(const typename G::Rules& rules, const typename G::State& root) {
  std::unordered_map<std::uint64_t, std::size_t> number;
  std::vector<typename G::State> states;
  std::vector<std::vector<std::size_t>> children;
  const auto number_of = [&](const typename G::State& state) {
    const auto [at, is_new] = number.try_emplace(G::key(rules, state), states.size());
    if (is_new) states.push_back(state);
    return at->second;
  };
  number_of(root);
  for (std::size_t i = 0; i < states.size(); ++i) {
    children.emplace_back();
    if (G::finished(rules, states[i])) continue;
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules, states[i], moves);
    for (int m = 0; m < count; ++m) {
      auto child = states[i];
      G::play(rules, child, moves[m]);
      children[i].push_back(number_of(child));
    }
  }
  std::vector<Rates> rates(states.size());
  for (double open = 1; open > 1e-9;) {
    open = 0;
    for (std::size_t i = 0; i < states.size(); ++i) {
      Rates now = {};
      if (children[i].empty()) {
        const Value value = G::value(rules, states[i]);
        now[value > 0 ? 0 : value == 0 ? 1 : 2] = 1;
      }
      for (const std::size_t child : children[i]) {
        for (std::size_t r = 0; r < 3; ++r) {
          now[r] += rates[child][r] / static_cast<double>(children[i].size());
        }
      }
      rates[i] = now;
      open = std::max(open, 1 - now[0] - now[1] - now[2]);
    }
  }
  return rates[0];
}

struct Sample {
  Rates mean = {};
  Rates error = {};
};

template <Game G>
using Engine = Tally (*)(const typename G::Rules&, const LeafRequest<G>&);

template <Game G>
Sample sample(const typename G::Rules& rules, const typename G::State& state, int leaves,
              Engine<G> engine = cpu_playouts<G>) {
  Rates sum = {};
  Rates squares = {};
  for (int i = 0; i < leaves; ++i) {
    LeafRequest<G> request = request_of<G>(rules, state, 0, kPlayouts);
    request.key = {11, mix64(static_cast<std::uint64_t>(i))};
    const Tally tally = engine(rules, request);
    const std::uint32_t counts[] = {tally.wins, tally.draws, tally.losses};
    for (std::size_t r = 0; r < 3; ++r) {
      const double rate = static_cast<double>(counts[r]) / kPlayouts;
      sum[r] += rate;
      squares[r] += rate * rate;
    }
  }
  Sample s;
  for (std::size_t r = 0; r < 3; ++r) {
    s.mean[r] = sum[r] / leaves;
    s.error[r] = std::sqrt((squares[r] / leaves - s.mean[r] * s.mean[r]) / leaves);
  }
  return s;
}

// `widest`: the standard error above which the test would mean nothing; `known_to`: how well the
// wanted rates are known themselves.
void expect_rates(const Sample& s, const Rates& wanted, double widest, double known_to = 0) {
  const char* const names[] = {"wins", "draws", "losses"};
  for (std::size_t r = 0; r < 3; ++r) {
    ASSERT_LE(s.error[r], widest) << names[r];
    const double sigma = std::sqrt(s.error[r] * s.error[r] + known_to * known_to);
    EXPECT_NEAR(s.mean[r], wanted[r], kSigmas * sigma + 1e-9) << names[r];
  }
}

template <Game G>
void expect_exact(const typename G::Rules& rules, int leaves, double widest) {
  Exact<G> exact(rules);
  for (const auto& state : any_positions<G>(rules, 5, 2)) {
    expect_rates(sample<G>(rules, state, leaves), exact.of(state), widest);
    expect_rates(sample<G>(rules, state, leaves, scalar_playouts<G>), exact.of(state), widest);
  }
}

TEST(Distribution, PGamesMatchTheTree) {
  for (const int branching : {2, 3, 8}) {
    PGame::Rules rules;
    rules.branching = static_cast<std::uint8_t>(branching);
    rules.depth = static_cast<std::uint8_t>(branching == 2 ? 12 : branching == 3 ? 8 : 4);
    for (rules.tree = 1; rules.tree <= 3; ++rules.tree) expect_exact<PGame>(rules, 8000, 0.002);
  }
}

TEST(Distribution, HexMatchesEnumeration) {
  expect_exact<Hex<1>>(Hex<1>::make_rules(3, 3), 20000, 0.002);
  expect_exact<Hex<1>>(Hex<1>::make_rules(2, 5), 20000, 0.002);
}

TEST(Distribution, OthelloMatchesEnumeration) {
  expect_exact<Othello>(Othello::make_rules(4), 4000, 0.003);
}

// Two stones a side: random play reaches some ten thousand positions.
TEST(Distribution, LoaMatchesSweeps) {
  const auto rules = Loa::make_rules(4, PathRule::kInfiniteDraw, false);
  for (const auto& [black, white] :
       {std::pair{0x08000001u, 0x01000008u},  // the corners
        std::pair{0x00010004u, 0x08000200u}, std::pair{0x01000400u, 0x00080002u}}) {
    const Loa::State state = Loa::make_state(rules, black, white, 0);
    ASSERT_FALSE(Loa::finished(rules, state));
    const Rates wanted = exact_rates<Loa>(rules, state);
    expect_rates(sample<Loa>(rules, state, 8000), wanted, 0.002);
    expect_rates(sample<Loa>(rules, state, 4000, scalar_playouts<Loa>), wanted, 0.002);
  }
}

TEST(Distribution, ConnectMatchesEnumeration) {
  for (int stones = 1; stones <= 4; stones += nightly() ? 1 : 3) {
    expect_exact<Connect<1>>(Connect<1>::make_rules(3, 3, 3, stones), 20000, 0.003);
  }
  expect_exact<Connect<1>>(Connect<1>::make_rules(2, 5, 2, 2), 20000, 0.003);
}

// games/PLAYOUTS.md, "Win rates": measured with programs that share nothing with these engines.
TEST(Distribution, KnownWinRates) {
  const auto hex8 = Hex<1>::make_rules(8, 8);
  expect_rates(sample<Hex<1>>(hex8, Hex<1>::initial(hex8), 40000), {0.5, 0, 0.5}, 0.0006);
  const auto hex11 = Hex<2>::make_rules(11, 11);
  expect_rates(sample<Hex<2>>(hex11, Hex<2>::initial(hex11), 40000), {0.52305, 0, 0.47695}, 0.0006,
               0.00002);
  const auto connect6 = Connect<6>::make_rules(19, 19, 6, 2);
  expect_rates(sample<Connect<6>>(connect6, Connect<6>::initial(connect6), 8000),
               {0.4995, 0, 0.5005}, 0.0015, 0.0003);
  const auto othello = Othello::make_rules(8);
  expect_rates(sample<Othello>(othello, Othello::initial(othello), 8000), {0.4544, 0.0418, 0.5039},
               0.0015, 0.0003);
}

// The engine `scalar` against the engine `cpu`, where enumeration would take too long.
template <Game G>
void expect_scalar(const typename G::Rules& rules, int plies, int leaves, double widest) {
  const auto state = random_position<G>(rules, plies, 3);
  const Sample wanted = sample<G>(rules, state, leaves);
  const Sample s = sample<G>(rules, state, leaves, scalar_playouts<G>);
  for (std::size_t r = 0; r < 3; ++r) {
    ASSERT_LE(wanted.error[r], widest);
    const double sigma =
        std::sqrt(s.error[r] * s.error[r] + wanted.error[r] * wanted.error[r]) + 1e-9;
    EXPECT_NEAR(s.mean[r], wanted.mean[r], kSigmas * sigma) << r << " after " << plies << " plies";
  }
}

TEST(Distribution, ScalarMatchesSliced) {
  for (const int plies : {0, 20}) {
    expect_scalar<Hex<2>>(Hex<2>::make_rules(11, 11), plies, 6000, 0.002);
    expect_scalar<Hex<2>>(Hex<2>::make_rules(5, 19), plies, 6000, 0.002);
    expect_scalar<Hex<6>>(Hex<6>::make_rules(19, 15), plies, 6000, 0.002);
    expect_scalar<Othello>(Othello::make_rules(8), plies, 2000, 0.003);
    expect_scalar<Connect<6>>(Connect<6>::make_rules(19, 19, 6, 2), plies, 1000, 0.006);
    expect_scalar<Connect<6>>(Connect<6>::make_rules(9, 11, 5, 3), plies, 2000, 0.006);
  }
}

// Counts of the outcomes of independent trials against their probabilities: Pearson's chi-square.
void expect_probabilities(const std::map<std::uint64_t, int>& counts,
                          const std::map<std::uint64_t, double>& probabilities, int trials) {
  double chi_square = 0;
  int seen = 0;
  for (const auto& [outcome, probability] : probabilities) {
    const double expected = trials * probability;
    ASSERT_GE(expected, 25) << "too few trials to tell";
    const auto found = counts.find(outcome);
    const int count = found == counts.end() ? 0 : found->second;
    seen += count;
    chi_square += (count - expected) * (count - expected) / expected;
  }
  EXPECT_EQ(seen, trials) << "outcomes that cannot be";
  const auto freedom = static_cast<double>(probabilities.size() - 1);
  EXPECT_NEAR(chi_square, freedom, kSigmas * std::sqrt(2 * freedom));
}

// From a position of 3x3 every fill with the right number of Black's stones is equally likely. One
// lane a stream, so that the trials are independent.
void expect_uniform_fills(SimdLevel level, const Hex<1>::State& state, int blacks,
                          std::size_t fills) {
  constexpr int kTrials = 60000;
  const auto rules = Hex<1>::make_rules(3, 3);
  auto request = request_of<Hex<1>>(rules, state, 0, 32);
  std::map<std::uint64_t, int> counts;
  for (int i = 0; i < kTrials; ++i) {
    const int lane = i % 32;
    request.key.stream = mix64(static_cast<std::uint64_t>(i));
    request.first = static_cast<std::uint32_t>(i % 40 * 32);
    const PlayoutTrace trace = cpu_hex_boards<1>(level, rules, request);
    std::uint64_t fill = 0;
    for (std::size_t cell = 0; cell < 9; ++cell) {
      const std::uint32_t lanes = trace.planes[cell * static_cast<std::size_t>(trace.words)];
      fill |= std::uint64_t{(lanes >> lane) & 1} << cell;
    }
    ASSERT_EQ(popcount64(fill), blacks);
    ASSERT_EQ(fill & request.state.stones[0][0], request.state.stones[0][0]);
    ASSERT_EQ(fill & request.state.stones[1][0], 0u);
    ++counts[fill];
  }
  std::map<std::uint64_t, double> probabilities;
  for (const auto& [fill, count] : counts) probabilities[fill] = 1.0 / static_cast<double>(fills);
  ASSERT_EQ(counts.size(), fills);
  expect_probabilities(counts, probabilities, kTrials);
}

TEST(Distribution, HexFillsAreUniform) {
  const auto rules = Hex<1>::make_rules(3, 3);
  for (const SimdLevel level : simd_levels()) {
    expect_uniform_fills(level, random_position<Hex<1>>(rules, 0, 2), 5, 126);
    expect_uniform_fills(level, random_position<Hex<1>>(rules, 1, 2), 5, 70);
    expect_uniform_fills(level, random_position<Hex<1>>(rules, 2, 2), 5, 35);
  }
}
TEST(Distribution, HexFillsOfSetUpsAreUniform) {
  const auto rules = Hex<1>::make_rules(3, 3);
  struct SetUp {
    std::uint64_t black, white;
    Player mover;
    int blacks;  // in the end
    std::size_t fills;
  };
  for (const SetUp& one : {SetUp{0, 0, Player::kSecond, 4, 126},
                           {0b1, 0, Player::kFirst, 5, 70},
                           {0b11, 0, Player::kFirst, 6, 35},
                           {0b11, 0, Player::kSecond, 5, 35},
                           {0, 0b110000, Player::kFirst, 4, 35},
                           {0b1, 0b110, Player::kSecond, 4, 20}}) {
    const std::uint64_t stones[2][1] = {{one.black}, {one.white}};
    const auto state = Hex<1>::set_up(rules, stones, one.mover);
    for (const SimdLevel level : simd_levels()) {
      expect_uniform_fills(level, state, one.blacks, one.fills);
    }
  }
}

// The probabilities of the first `plies` moves, as digits of a number (square + 1; 0 is a pass).
void othello_sequences(const Othello::Rules& rules, const Othello::State& state, int plies,
                       std::uint64_t sequence, double probability,
                       std::map<std::uint64_t, double>& out) {
  if (plies == 0) {
    out[sequence] += probability;
    return;
  }
  Move moves[Othello::kMaxMoves];
  const int count = Othello::finished(rules, state) ? 0 : Othello::moves(rules, state, moves);
  if (count == 0) othello_sequences(rules, state, plies - 1, 17 * sequence, probability, out);
  for (int i = 0; i < count; ++i) {
    Othello::State next = state;
    Othello::play(rules, next, moves[i]);
    const std::uint64_t digit = moves[i] == Othello::kPass ? 0 : moves[i] + std::uint64_t{1};
    othello_sequences(rules, next, plies - 1, 17 * sequence + digit, probability / count, out);
  }
}

// Every sequence of the first moves on 4x4 has the product of one over the numbers of moves: the
// bias of 2^-24 a move is far below what the trials can tell.
void expect_othello_sequences(SimdLevel level, int before, int plies) {
  constexpr int kTrials = 60000;
  const auto rules = Othello::make_rules(4);
  auto request = request_of<Othello>(rules, random_position<Othello>(rules, before, 4), 0, 32);
  std::map<std::uint64_t, double> probabilities;
  othello_sequences(rules, request.state, plies, 0, 1, probabilities);
  ASSERT_GT(probabilities.size(), 20u);
  std::map<std::uint64_t, int> counts;
  for (int i = 0; i < kTrials; ++i) {
    request.key.stream = mix64(static_cast<std::uint64_t>(i));
    const PlayoutTrace trace = cpu_othello_moves(level, rules, request);
    std::uint64_t sequence = 0;
    for (int ply = 0; ply < plies; ++ply) {
      std::uint64_t digit = 0;
      for (int square = 0; square < 16; ++square) {
        const auto plane = static_cast<std::size_t>((ply * 16 + square) * trace.words);
        if (plane >= trace.planes.size() || (trace.planes[plane] >> i % 32 & 1) == 0) continue;
        ASSERT_EQ(digit, 0u) << "two moves at once";
        digit = static_cast<std::uint64_t>(square) + 1;
      }
      sequence = 17 * sequence + digit;
    }
    ++counts[sequence];
  }
  expect_probabilities(counts, probabilities, kTrials);
}

TEST(Distribution, OthelloChoicesAreUniform) {
  for (const SimdLevel level : simd_levels()) {
    expect_othello_sequences(level, 0, 4);
    expect_othello_sequences(level, 5, 5);
  }
}

}  // namespace
}  // namespace playproof::distribution_test
