// The playouts of a leaf as one thread plays them that searches its tree: bit for bit those of the
// reference engine, in every game with playouts of its own. No device is needed.
#include <gtest/gtest.h>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <vector>

#include "kernels/connect/leaf_playouts.h"
#include "kernels/hex/leaf_playouts.h"
#include "kernels/othello/leaf_playouts.h"
#include "kernels/pgame/engines.h"
#include "kernels/pgame/leaf_playouts.h"
#include "kernels/search/pooled_leaves.h"
#include "tests/kernels/device_boards.h"
#include "tests/kernels/positions.h"

namespace playproof::leaf_playouts_test {
namespace {

// The slow reference engine is asked about small requests, the CPU's engine about all.
template <Game G>
void expect_leaves(const typename G::Rules& rules, int count) {
  std::uint64_t seed = 0;
  for (const auto& state : any_positions<G>(rules, count, 3)) {
    if (G::finished(rules, state)) continue;
    for (const std::uint32_t playouts : {1, 10, 32, 45, 600}) {
      const auto request = request_of<G>(rules, state, 0, playouts, ++seed);
      const Tally wanted =
          playouts < 600 ? reference_playouts<G>(rules, request) : cpu_playouts<G>(rules, request);
      ASSERT_EQ(LeafPlayouts<G>::play(rules, state, request.key, playouts), wanted)
          << playouts << " playouts, seed " << seed;
    }
  }
}

TEST(LeafPlayouts, OfPGames) {
  for (const int branching : {2, 3, 8}) {
    PGame::Rules rules;
    rules.branching = static_cast<std::uint8_t>(branching);
    rules.depth = 7;
    expect_leaves<PGame>(rules, 10);
  }
}
TEST(LeafPlayouts, OfConnect) {
  each_connect_board([]<class G>(const typename G::Rules& rules) {
    if constexpr (std::same_as<G, Connect<1>>) expect_leaves<G>(rules, 20);
  });
  expect_leaves<Connect<1>>(Connect<1>::make_rules(6, 6, 4, 1), 30);
  expect_leaves<Connect<1>>(Connect<1>::make_rules(8, 8, 2, 1), 10);
}
TEST(LeafPlayouts, OfHex) {
  each_hex_board([]<class G>(const typename G::Rules& rules) {
    if constexpr (std::same_as<G, Hex<1>>) expect_leaves<G>(rules, 12);
  });
}
TEST(LeafPlayouts, OfOthello) {
  for (const int size : {4, 6, 8}) expect_leaves<Othello>(Othello::make_rules(size), 12);
}

// What the threads of a warp share out: every playout of every leaf once, portions of one word
// each.
TEST(Portions, AreAllPlayoutsOnce) {
  for (const std::uint32_t playouts : {1, 4, 5, 6, 10, 31, 32, 33, 64, 100, 1000}) {
    const Portions portions(playouts);
    std::uint32_t next = 0;
    for (std::uint32_t i = 0; i < portions.size(); ++i) {
      const Portion portion = portions[i];
      ASSERT_EQ(portion.first, next) << playouts;
      ASSERT_GE(portion.count, 1u);
      ASSERT_LE(portion.count, Portions::kMost);
      next += portion.count;
      ASSERT_EQ(portion.first / kLanes, (next - 1) / kLanes);
    }
    ASSERT_EQ(next, playouts);
    for (const std::uint32_t threads : {1, 3, 32}) {
      std::vector<std::uint32_t> played(7 * std::size_t{portions.size()});
      for (std::uint32_t t = 0; t < threads; ++t) {
        PortionTurns turn(portions.size(), t, threads);
        for (; turn.leaf() < 7; turn.next()) {
          ++played[turn.leaf() * portions.size() + turn.portion()];
        }
      }
      ASSERT_EQ(std::ranges::count(played, 1u), std::ssize(played)) << playouts << ' ' << threads;
    }
  }
}
TEST(Portions, OfAPGameAddUp) {
  for (const int branching : {2, 3, 8}) {
    PGame::Rules rules;
    rules.branching = static_cast<std::uint8_t>(branching);
    rules.depth = 7;
    std::uint64_t seed = 0;
    for (const auto& state : any_positions<PGame>(rules, 10, 3)) {
      if (PGame::finished(rules, state)) continue;
      const auto request = request_of<PGame>(rules, state, 0, 43, ++seed);
      const Portions portions(43);
      Tally tally;
      for (std::uint32_t i = 0; i < portions.size(); ++i) {
        LeafPlayouts<PGame>::play_lanes<Portions::kMost>(
            rules, state, request.key, portions[i].first, portions[i].count, tally);
      }
      ASSERT_EQ(tally, reference_playouts<PGame>(rules, request)) << branching << ' ' << seed;
    }
  }
}

}  // namespace
}  // namespace playproof::leaf_playouts_test
