// Playouts are uniformly random games: means against exact expectations and against independent
// measurements, fills of Hex boards against equal frequencies. Every seed is fixed, so a test
// either passes always or never; tolerances are in standard errors, and a test whose standard error
// would be too wide to mean anything fails.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <unordered_map>

#include "games/connect.h"
#include "games/hex.h"
#include "games/othello.h"
#include "games/pgame.h"
#include "kernels/cpu_playouts.h"
#include "kernels/hex_fill.h"
#include "tests/kernels/positions.h"

namespace playproof {
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
struct Sample {
  Rates mean = {};
  Rates error = {};
};

template <Game G>
Sample sample(const typename G::Rules& rules, const typename G::State& state, int leaves) {
  Rates sum = {};
  Rates squares = {};
  for (int i = 0; i < leaves; ++i) {
    LeafRequest<G> request = request_of<G>(rules, state, 0, kPlayouts);
    request.stream = mix64(static_cast<std::uint64_t>(i));
    const Tally tally = cpu_playouts<G>(rules, 11, request);
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
  for (const auto& state : random_positions<G>(rules, 5, 2)) {
    expect_rates(sample<G>(rules, state, leaves), exact.of(state), widest);
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

TEST(Distribution, ConnectMatchesEnumeration) {
  for (int stones = 1; stones <= 4; ++stones) {
    expect_exact<Connect<1>>(Connect<1>::make_rules(3, 3, 3, stones), 20000, 0.003);
  }
  expect_exact<Connect<1>>(Connect<1>::make_rules(2, 5, 2, 2), 20000, 0.003);
}

// games/PLAYOUTS.md, "Win rates": measured with programs that share nothing with these engines.
TEST(Distribution, KnownWinRates) {
  const auto hex8 = Hex<1>::make_rules(8, 8);
  expect_rates(sample<Hex<1>>(hex8, Hex<1>::initial(hex8), 40000), {0.5, 0, 0.5}, 0.0006);
  const auto hex11 = Hex<6>::make_rules(11, 11);
  expect_rates(sample<Hex<6>>(hex11, Hex<6>::initial(hex11), 40000), {0.52305, 0, 0.47695}, 0.0006,
               0.00002);
  const auto connect6 = Connect<6>::make_rules(19, 19, 6, 2);
  expect_rates(sample<Connect<6>>(connect6, Connect<6>::initial(connect6), 8000),
               {0.4995, 0, 0.5005}, 0.0015, 0.0003);
  const auto othello = Othello::make_rules(8);
  expect_rates(sample<Othello>(othello, Othello::initial(othello), 8000), {0.4544, 0.0418, 0.5039},
               0.0015, 0.0003);
}

// All fills of m cells by ceil(m / 2) stones of the side to move are equally likely. One lane a
// stream, so that the trials are independent: Pearson's chi-square.
void expect_uniform_fills(std::uint32_t m, int fills) {
  constexpr int kTrials = 400000;
  std::map<std::uint32_t, int> counts;
  for (int i = 0; i < kTrials; ++i) {
    const auto stream = static_cast<std::uint32_t>(i);
    const std::uint32_t lane = stream % 32;
    std::uint32_t words[16];
    hex_fill({5, mix64(stream)}, m, stream % 40, 1u << lane, words);
    std::uint32_t fill = 0;
    for (std::uint32_t e = 0; e < m; ++e) fill |= ((words[e] >> lane) & 1) << e;
    ASSERT_EQ(popcount64(fill), static_cast<int>(m + 1) / 2);
    ++counts[fill];
  }
  ASSERT_EQ(counts.size(), static_cast<std::size_t>(fills));
  const double expected = static_cast<double>(kTrials) / fills;
  ASSERT_GT(expected, 100);
  double chi_square = 0;
  for (const auto& [fill, count] : counts) {
    chi_square += (count - expected) * (count - expected) / expected;
  }
  const double freedom = fills - 1;
  EXPECT_NEAR(chi_square, freedom, kSigmas * std::sqrt(2 * freedom)) << m;
}

TEST(Distribution, HexFillsAreUniform) {
  expect_uniform_fills(9, 126);  // the empty 3x3 board
  expect_uniform_fills(8, 70);
  expect_uniform_fills(3, 3);
  expect_uniform_fills(11, 462);
}

}  // namespace
}  // namespace playproof
