// All engines play the same playouts: compared bit for bit with the reference engine.
#include <gtest/gtest.h>

#include <type_traits>

#include "games/connect/rules.h"
#include "games/hex/rules.h"
#include "games/loa/rules.h"
#include "games/othello/rules.h"
#include "games/pgame/rules.h"
#include "kernels/list.h"
#include "kernels/pgame/device.h"
#include "tests/kernels/positions.h"
#include "tests/nightly.h"

namespace playproof::engines_test {
namespace {

constexpr std::uint64_t kSeeds[] = {1, 0x9876543210fedcba};

// The tally of one request at one level of instructions.
template <Game G>
Tally tally_at(SimdLevel level, const typename G::Rules& rules, const LeafRequest<G>& request) {
  Tally tally;
  cpu_playouts<G>(level, rules, std::span(&request, 1), &tally);
  return tally;
}

template <class G>
constexpr bool kCountsPlies = !std::is_same_v<G, PGame>;
template <int W>
constexpr bool kCountsPlies<Hex<W>> = false;

// `count` random positions, each with every number of playouts, in the first group of words, within
// it, in the second one and at the end of the list.
template <Game G>
void expect_equal(const typename G::Rules& rules, int count,
                  std::initializer_list<std::uint32_t> playouts) {
  std::uint64_t number = 0;
  for (const auto& state : any_positions<G>(rules, count, 7)) {
    for (const std::uint32_t n : playouts) {
      const auto last = static_cast<std::uint32_t>(0 - (n + 31) / 32 * 32);
      const std::uint32_t firsts[] = {0, 160, 512, last};
      const auto request =
          request_of<G>(rules, state, firsts[number % 4], n, kSeeds[number / 4 % 2]);
      const Tally wanted = reference_playouts<G>(rules, request);
      for (const SimdLevel level : simd_levels()) {
        ASSERT_EQ(tally_at<G>(level, rules, request), wanted)
            << "position " << number << ", " << n << " playouts from " << request.first << ", "
            << to_string(level);
        if constexpr (kCountsPlies<G>) {
          ASSERT_EQ(cpu_playout_plies<G>(level, rules, request),
                    reference_playout_plies<G>(rules, request))
              << "position " << number << ", " << n << " playouts, " << to_string(level);
        }
      }
      ++number;
    }
  }
}

// The whole is the sum of its parts, wherever it is cut.
template <Game G>
void expect_splits(const typename G::Rules& rules, int plies) {
  const auto state = random_position<G>(rules, plies, 3);
  const Tally whole = cpu_playouts<G>(rules, request_of<G>(rules, state, 32, 1200));
  EXPECT_EQ(whole.wins + whole.draws + whole.losses, 1200u);
  EXPECT_EQ(whole.truncated, 0u);
  for (const std::uint32_t cut : {32u, 480u, 512u, 992u}) {
    const Tally first = cpu_playouts<G>(rules, request_of<G>(rules, state, 32, cut));
    const Tally rest = cpu_playouts<G>(rules, request_of<G>(rules, state, 32 + cut, 1200 - cut));
    EXPECT_EQ(first + rest, whole) << cut;
  }
}

PGame::Rules pgame(int branching, int depth, std::uint64_t tree) {
  PGame::Rules rules;
  rules.tree = tree;
  rules.branching = static_cast<std::uint8_t>(branching);
  rules.depth = static_cast<std::uint8_t>(depth);
  return rules;
}

TEST(Engines, PGameEqualsReference) {
  for (const int branching : {2, 4, 8, 16, 32, 64, 3, 5, 17, 63}) {
    expect_equal<PGame>(pgame(branching, 20, 5), 6, {1, 31, 32, 33, 64, 65, 1023});
  }
  expect_equal<PGame>(pgame(2, 1, 6), 1, {1, 31, 32, 33, 64, 65, 1023});
  expect_equal<PGame>(pgame(64, 64, 7), 5, {7, 8, 9, 15, 16, 17, 23, 24, 25, 1023});
  expect_equal<PGame>(pgame(7, 64, 8), 5, {7, 8, 9, 15, 16, 17, 23, 24, 25, 1023});
}

// Every build of the loop that this machine can run, and the loop of the device.
TEST(Engines, PGameBuildsAgree) {
  for (const int branching : {2, 8, 64, 3, 10}) {
    const PGame::Rules rules = pgame(branching, 24, 9);
    for (const PGame::State& state : random_positions<PGame>(rules, 12, 4)) {
      for (const std::uint32_t n : {1u, 4u, 5u, 10u, 16u, 17u, 32u, 70u}) {
        const auto request = request_of<PGame>(rules, state, 64, n);
        const Tally wanted = reference_playouts<PGame>(rules, request);
        for (const SimdLevel level : simd_levels()) {
          EXPECT_EQ(tally_at<PGame>(level, rules, request), wanted) << to_string(level);
        }
        Tally device;
        for (std::uint32_t i = 64; i < 64 + n; ++i) {
          const auto end = pgame_play(rules, state, LaneRandom(request.key, i / 32, i % 32));
          device = device + certain_tally(PGame::value(rules, end), 1);
        }
        EXPECT_EQ(device, wanted);
      }
    }
  }
}

TEST(Engines, HexEqualsReference) {
  for (int size = 2; size <= 19; ++size) {
    if (size <= 8) {
      expect_equal<Hex<1>>(Hex<1>::make_rules(size, size), 10, {1, 31, 32, 33, 64, 65, 1023});
    } else if (size <= 11) {
      expect_equal<Hex<2>>(Hex<2>::make_rules(size, size), 5, {1, 31, 32, 33, 65, 1023});
    } else {
      expect_equal<Hex<6>>(Hex<6>::make_rules(size, size), 5, {1, 31, 32, 33, 65, 1023});
    }
  }
  expect_equal<Hex<1>>(Hex<1>::make_rules(3, 19), 10, {1, 33, 1023});
  expect_equal<Hex<1>>(Hex<1>::make_rules(19, 2), 10, {1, 33, 1023});
  expect_equal<Hex<2>>(Hex<2>::make_rules(5, 17), 10, {1, 33, 1023});
  expect_equal<Hex<2>>(Hex<2>::make_rules(16, 8), 10, {1, 33, 1023});
  expect_equal<Hex<6>>(Hex<6>::make_rules(18, 11), 5, {1, 33, 1023});
}

TEST(Engines, OthelloEqualsReference) {
  expect_equal<Othello>(Othello::make_rules(4), 12, {1, 31, 32, 33, 64, 65, 1023});
  expect_equal<Othello>(Othello::make_rules(6), 12, {1, 31, 32, 33, 65});
  expect_equal<Othello>(Othello::make_rules(8), 12, {1, 8, 9, 31, 32, 65});
}

TEST(Engines, OthelloEqualsReferenceAfterPassesSlow) {
  for (const int size : {4, 6, 8}) {
    const Othello::Rules rules = Othello::make_rules(size);
    int passes = 0;
    for (std::uint64_t seed = 0; seed < 1000 && passes < 12; ++seed) {
      const int plies = size * size - 5 - static_cast<int>(seed % 10);
      const auto state = random_position<Othello>(rules, plies, seed);
      if (state.legal != 0) continue;
      ++passes;
      const auto request = request_of<Othello>(rules, state, 0, 100);
      ASSERT_EQ(cpu_playouts<Othello>(rules, request), reference_playouts<Othello>(rules, request));
    }
    EXPECT_GT(passes, 0) << size;
  }
  expect_equal<Othello>(Othello::make_rules(8), 4, {1023});
}

TEST(Engines, OthelloBuildsAgree) {
  for (const int size : {4, 6, 8}) {
    const Othello::Rules rules = Othello::make_rules(size);
    for (const Othello::State& state : random_positions<Othello>(rules, 4, 4)) {
      for (const std::uint32_t n : {1u, 4u, 5u, 8u, 10u, 17u, 33u}) {
        const auto request = request_of<Othello>(rules, state, 64, n);
        const Tally wanted = reference_playouts<Othello>(rules, request);
        for (const SimdLevel level : simd_levels()) {
          EXPECT_EQ(tally_at<Othello>(level, rules, request), wanted) << to_string(level);
        }
      }
    }
  }
}

// Positions in the middle of a turn are among the random ones: each ply is one stone.
TEST(Engines, ConnectEqualsReference) {
  struct Form {
    int rows, columns, connect, stones;
  };
  for (const Form& form : {Form{3, 3, 3, 1}, Form{3, 3, 3, 8}, Form{5, 6, 4, 3}, Form{7, 7, 5, 1},
                           Form{8, 8, 5, 2}, Form{2, 19, 2, 5}, Form{4, 9, 9, 7}}) {
    const auto rules = Connect<1>::make_rules(form.rows, form.columns, form.connect, form.stones);
    expect_equal<Connect<1>>(rules, nightly() ? 16 : 8, {1, 31, 32, 33, 64, 65});
    expect_equal<Connect<1>>(rules, 2, {1023});
  }
  expect_equal<Connect<6>>(Connect<6>::make_rules(9, 13, 6, 2), 12, {1, 31, 33});
  expect_equal<Connect<6>>(Connect<6>::make_rules(10, 10, 5, 1), 12, {1, 32, 65});
}

TEST(Engines, Connect6EqualsReferenceSlow) {
  expect_equal<Connect<6>>(Connect<6>::make_rules(19, 19, 6, 2), nightly() ? 12 : 2,
                           {1, 31, 32, 33});
  expect_equal<Connect<6>>(Connect<6>::make_rules(19, 19, 6, 2), 1, {nightly() ? 1023u : 257u});
  expect_equal<Connect<6>>(Connect<6>::make_rules(19, 19, 19, 1), nightly() ? 2 : 1,
                           {65});  // lines hardly ever
}

TEST(Engines, LoaEqualsReference) {
  for (int size = Loa::kMinSize; size <= Loa::kMaxSize; ++size) {
    const auto rules = Loa::make_rules(size, PathRule::kThirdDraws, size % 2 == 0);
    expect_equal<Loa>(rules, nightly() ? 8 : 1, {1, 33});
  }
  expect_equal<Loa>(Loa::make_rules(4, PathRule::kInfiniteDraw, false), 2, {31, 65, 200});
}

// Words of different leaves share a vector: batches of all shapes and of one seed or several,
// finished positions and empty requests among them, are worth what their requests are alone.
template <Game G>
void expect_batches(const typename G::Rules& rules) {
  constexpr std::uint32_t kSizes[] = {64, 1, 0, 33, 128, 32, 10, 512, 31, 200};
  const std::vector<typename G::State> states = any_positions<G>(rules, 23, 5);
  for (const std::uint32_t equal : {0u, 10u, 32u, 64u, 96u, 128u}) {
    std::vector<LeafRequest<G>> requests;
    for (std::uint32_t i = 0; i < 23; ++i) {
      requests.push_back(request_of<G>(rules, states[i], 32 * (i % 3 == 0 ? 0 : i),
                                       equal == 0 ? kSizes[i % 10] : equal,
                                       equal == 96 ? kSeeds[i / 3 % 2] : equal));
    }
    requests.push_back(requests[7]);  // twice the same
    std::vector<Tally> wanted;
    for (const auto& request : requests) {
      wanted.push_back(cpu_playouts<G>(rules, request));
      if (request.playouts <= 32) {
        ASSERT_EQ(wanted.back(), reference_playouts<G>(rules, request));
      }
    }
    for (const SimdLevel level : simd_levels()) {
      std::vector<Tally> tallies(requests.size());
      cpu_playouts<G>(level, rules, requests, tallies.data());
      for (std::size_t i = 0; i < tallies.size(); ++i) {
        ASSERT_EQ(tallies[i], wanted[i]) << i << ", " << to_string(level);
      }
    }
  }
}

TEST(Engines, BatchesChangeNothing) {
  expect_batches<PGame>(pgame(2, 20, 1));
  expect_batches<Hex<1>>(Hex<1>::make_rules(4, 4));
  expect_batches<Hex<2>>(Hex<2>::make_rules(11, 11));
  expect_batches<Hex<6>>(Hex<6>::make_rules(13, 13));
  expect_batches<Othello>(Othello::make_rules(8));
  expect_batches<Loa>(Loa::make_rules(6, PathRule::kThirdDraws, false));
  expect_batches<Connect<1>>(Connect<1>::make_rules(7, 7, 4, 2));
  expect_batches<Connect<6>>(Connect<6>::make_rules(9, 13, 6, 2));
}

TEST(Engines, SplitsChangeNothing) {
  expect_splits<PGame>(pgame(2, 20, 1), 5);
  expect_splits<PGame>(pgame(6, 10, 1), 2);
  expect_splits<Hex<1>>(Hex<1>::make_rules(4, 4), 3);
  expect_splits<Hex<2>>(Hex<2>::make_rules(11, 11), 40);
  expect_splits<Hex<6>>(Hex<6>::make_rules(13, 13), 60);
  expect_splits<Othello>(Othello::make_rules(8), 30);
  expect_splits<Loa>(Loa::make_rules(8, PathRule::kThirdDraws, false), 30);
  expect_splits<Connect<1>>(Connect<1>::make_rules(7, 7, 4, 2), 4);
  expect_splits<Connect<6>>(Connect<6>::make_rules(19, 19, 6, 2), 60);
}

template <Game G>
void expect_certain(const typename G::Rules& rules, std::uint64_t seed) {
  auto state = G::initial(rules);
  Move moves[G::kMaxMoves];
  for (std::uint64_t i = 0; !G::finished(rules, state); ++i) {
    const int count = G::moves(rules, state, moves);
    G::play(rules, state, moves[mix64(seed + i) % static_cast<std::uint64_t>(count)]);
  }
  const auto request = request_of<G>(rules, state, 32, 45);
  const Tally wanted = certain_tally(G::value(rules, state), 45);
  EXPECT_EQ(wanted.wins + wanted.draws + wanted.losses, 45u);
  EXPECT_EQ(cpu_playouts<G>(rules, request), wanted);
  EXPECT_EQ(reference_playouts<G>(rules, request), wanted);
}

TEST(Engines, FinishedPositionsAreCertain) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    expect_certain<PGame>(pgame(3, 9, seed), seed);
    expect_certain<Hex<1>>(Hex<1>::make_rules(5, 5), seed);
    expect_certain<Hex<2>>(Hex<2>::make_rules(9, 9), seed);
    expect_certain<Hex<6>>(Hex<6>::make_rules(12, 12), seed);
    expect_certain<Othello>(Othello::make_rules(6), seed);
    expect_certain<Loa>(Loa::make_rules(5, PathRule::kThirdDraws, false), seed);
    expect_certain<Connect<1>>(Connect<1>::make_rules(3, 3, 3, 1), seed);
    expect_certain<Connect<6>>(Connect<6>::make_rules(9, 9, 5, 2), seed);
  }
}

}  // namespace
}  // namespace playproof::engines_test
