// The playouts of a leaf as one thread plays them that searches its tree: bit for bit those of the
// reference engine, in every game with playouts of its own. No device is needed.
#include <gtest/gtest.h>

#include <concepts>
#include <cstdint>

#include "kernels/connect/leaf_playouts.h"
#include "kernels/hex/leaf_playouts.h"
#include "kernels/othello/leaf_playouts.h"
#include "kernels/pgame/engines.h"
#include "kernels/pgame/leaf_playouts.h"
#include "tests/kernels/device_boards.h"
#include "tests/kernels/positions.h"

namespace playproof {
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

}  // namespace
}  // namespace playproof
