// What a thread of a device runs, run here word by word: bit for bit the reference engine. No
// device is needed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "games/connect/rules.h"
#include "games/hex/rules.h"
#include "games/othello/rules.h"
#include "games/pgame/rules.h"
#include "kernels/connect/device.h"
#include "kernels/hex/device.h"
#include "kernels/list.h"
#include "kernels/othello/device.h"
#include "kernels/pgame/device.h"
#include "tests/kernels/positions.h"

namespace playproof {
namespace {

// The tally of a request from the outcomes of its words: play(word, lanes).
template <Game G, class Play>
Tally tally_by_words(const LeafRequest<G>& request, const Play& play) {
  Tally tally;
  for_each_word(request.first, request.playouts, [&](std::uint32_t word, std::uint32_t lanes) {
    const WordOutcome outcome = play(word, lane_mask(lanes));
    EXPECT_EQ(outcome.won & outcome.drawn, 0u);
    EXPECT_EQ((outcome.won | outcome.drawn) & ~lane_mask(lanes), 0u);
    tally.wins += static_cast<std::uint32_t>(popcount64(outcome.won));
    tally.draws += static_cast<std::uint32_t>(popcount64(outcome.drawn));
  });
  tally.losses = request.playouts - tally.wins - tally.draws;
  return tally;
}

// `count` random positions, each with every number of playouts, from several places of the list;
// tally(request) is the core's. The slow reference engine is asked about small requests, the
// CPU's engine, which must equal it, about all.
template <Game G, class TallyOf>
void expect_core(const typename G::Rules& rules, int count,
                 std::initializer_list<std::uint32_t> playouts, const TallyOf& tally) {
  std::uint64_t number = 0;
  for (const auto& state : random_positions<G>(rules, count, 17)) {
    for (const std::uint32_t n : playouts) {
      const auto last = static_cast<std::uint32_t>(0 - (n + 31) / 32 * 32);
      const std::uint32_t firsts[] = {0, 160, 512, last};
      const std::uint64_t seed = number / 4 % 2 == 0 ? 1 : 0x9876543210fedcba;
      const auto request = request_of<G>(rules, state, firsts[number % 4], n, seed);
      const Tally got = tally(request);
      const Tally wanted =
          n <= 65 ? reference_playouts<G>(rules, request) : cpu_playouts<G>(rules, request);
      ASSERT_EQ(got, wanted) << "position " << number << ", " << n << " playouts from "
                             << request.first;
      ++number;
    }
  }
}

// ---- Hex ----

using Memory = ThreadWords<3>;  // as if three threads shared it

template <int W, int kSide>
void expect_hex(int rows, int columns, int count) {
  const auto rules = Hex<W>::make_rules(rows, columns);
  std::vector<std::uint32_t> memory(std::size_t{3} * kSide * kSide);
  expect_core<Hex<W>>(rules, count, {1, 31, 32, 33, 65, 1023}, [&](const auto& request) {
    return tally_by_words<Hex<W>>(request, [&](std::uint32_t word, std::uint32_t lanes) {
      return WordOutcome{hex_play<W, kSide>(rules, request, word, lanes, Memory(memory.data() + 1)),
                         0};
    });
  });
}

template <int W>
void expect_hex_large(int rows, int columns, int count) {
  const auto rules = Hex<W>::make_rules(rows, columns);
  std::vector<std::uint32_t> memory(static_cast<std::size_t>(3 * rows * columns));
  expect_core<Hex<W>>(rules, count, {1, 33, 65, 1023}, [&](const auto& request) {
    return tally_by_words<Hex<W>>(request, [&](std::uint32_t word, std::uint32_t lanes) {
      return WordOutcome{hex_play_large<W>(rules, request, word, lanes, Memory(memory.data() + 2)),
                         0};
    });
  });
}

template <int W, int kFirst, int... kMore>
void expect_squares(std::integer_sequence<int, kMore...>) {
  (expect_hex<W, kFirst + kMore>(kFirst + kMore, kFirst + kMore, W == 1 ? 8 : 4), ...);
}

TEST(DeviceCores, HexInRegistersEqualsReference) {
  expect_squares<1, 3>(std::make_integer_sequence<int, 6>());
  expect_squares<6, 9>(std::make_integer_sequence<int, 6>());
}

// Smaller boards than the core is made for.
TEST(DeviceCores, HexInACornerEqualsReference) {
  expect_hex<1, 3>(2, 2, 4);
  expect_hex<1, 3>(2, 3, 4);
  expect_hex<1, 5>(5, 2, 6);
  expect_hex<1, 8>(3, 8, 6);
  expect_hex<1, 8>(7, 7, 6);
  expect_hex<6, 11>(11, 7, 4);
  expect_hex<6, 13>(6, 13, 4);
  expect_hex<6, 14>(14, 9, 4);
}

TEST(DeviceCores, HexInStripsEqualsReference) {
  for (int size = 2; size <= 8; ++size) expect_hex_large<1>(size, size, 4);
  expect_hex_large<1>(3, 19, 4);
  expect_hex_large<1>(19, 2, 4);
  for (int size = 9; size <= 19; ++size) expect_hex_large<6>(size, size, 3);
  expect_hex_large<6>(5, 17, 4);
  expect_hex_large<6>(18, 11, 4);
}

// ---- Othello ----

template <int kSide>
void expect_othello(int count, std::initializer_list<std::uint32_t> playouts) {
  const auto rules = Othello::make_rules(kSide);
  std::vector<std::uint32_t> memory(std::size_t{3} * othello_memory(kSide));
  expect_core<Othello>(rules, count, playouts, [&](const auto& request) {
    return tally_by_words<Othello>(request, [&](std::uint32_t word, std::uint32_t lanes) {
      return othello_play<kSide>(request, word, lanes, Memory(memory.data()));
    });
  });
}

TEST(DeviceCores, OthelloEqualsReference) {
  expect_othello<4>(16, {1, 31, 32, 33, 65, 1023});
  expect_othello<6>(16, {1, 32, 65, 1023});
  expect_othello<8>(16, {1, 31, 33, 1023});
}

// ---- P-games ----

// What the lanes of a warp make together is what each of them makes by itself.
TEST(DeviceCores, PGameLanesTransposeTheirBits) {
  const RandomKey key = {0x123456789abcdef0, 77};
  for (const std::uint32_t first : {0u, 30u, 32u, 65u, 352u}) {
    std::uint32_t words[kLanes];
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      words[lane] = pgame_random_word(key, 5, pgame_index(first, lane));
      ASSERT_EQ(words[lane], random_word(key, 5, pgame_index(first, lane)));
    }
    for (std::uint32_t step = kLanes / 2; step > 0; step /= 2) {
      std::uint32_t before[kLanes];
      std::copy(std::begin(words), std::end(words), before);
      for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
        words[lane] = transpose_step(before[lane], before[lane ^ step], lane, step);
      }
    }
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      EXPECT_EQ(words[lane], LaneRandom(key, 5, lane).bits_from(first)) << first << ' ' << lane;
    }
  }
}

TEST(DeviceCores, PGameEqualsReference) {
  for (const int branching : {2, 3, 4, 8, 10, 16, 32, 64}) {
    for (const int depth : {1, 4, 7, 20, 33, 64}) {
      const PGame::Rules rules = {.tree = 9,
                                  .branching = static_cast<std::uint8_t>(branching),
                                  .depth = static_cast<std::uint8_t>(depth)};
      expect_core<PGame>(rules, 6, {1, 33, 100}, [&](const auto& request) {
        Tally tally;
        for (std::uint32_t i = request.first; i - request.first < request.playouts; ++i) {
          const LaneRandom random(request.key, i / kLanes, i % kLanes);
          const PGame::State end = pgame_play(rules, request.state, random);
          EXPECT_EQ(end.ply, rules.depth);
          tally = tally + certain_tally(PGame::value(rules, end), 1);
        }
        return tally;
      });
    }
  }
}

// ---- Connect ----

// Words first .. first + words - 1 of a request, all of one group, as the threads of one warp play
// them: the leader, then all, block by block.
template <int W>
std::vector<WordOutcome> play_unit(
    const typename Connect<W>::Rules& rules, const LeafRequest<Connect<W>>& request,
    const std::vector<std::pair<std::uint32_t, std::uint32_t>>& words) {
  using G = Connect<W>;
  const ConnectLines lines = ConnectLines::of(rules.rows, rules.columns, rules.connect);
  const ConnectBoard board = ConnectBoard::of<W>(rules, &lines);
  const auto threads = words.size();
  std::vector<std::byte> shared(std::size_t{4} * board.unit_words());
  std::vector<std::uint32_t> memory(std::size_t{32} * board.thread_words());
  const ConnectUnit unit(board, shared.data());
  const auto m = static_cast<std::uint32_t>(rules.cells - request.state.count);
  const bool black = G::to_move(rules, request.state) == Player::kFirst;
  const RandomKey key = request.key;
  RollingWords random(key, kGroupFlag | (words[0].first / kConnectGroupWords));
  unit.template begin<W>(board, request.state);
  using Planes = ThreadWords<32>;
  std::vector<ConnectWord<Planes>> players;
  for (std::size_t t = 0; t < threads; ++t) {
    players.emplace_back(key, words[t].first, words[t].second, black, Planes(memory.data() + t));
  }
  const auto left = static_cast<std::uint32_t>(G::stones_left_in_turn(rules, request.state));
  for (auto block = ConnectBlock::make(0, left, board.stones, m, 0); block.at < m;
       block = block.next(board.stones, m)) {
    unit.draw(board, block, m, black, random);
    for (auto& player : players) player.play(board, unit, block);
  }
  std::vector<WordOutcome> outcomes;
  for (const auto& player : players) outcomes.push_back(player.outcome());
  return outcomes;
}

template <int W>
void expect_connect(int rows, int columns, int connect, int stones, int count,
                    std::initializer_list<std::uint32_t> playouts) {
  const auto rules = Connect<W>::make_rules(rows, columns, connect, stones);
  expect_core<Connect<W>>(rules, count, playouts, [&](const auto& request) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> words;
    Tally tally;
    const auto play = [&] {
      for (const WordOutcome& outcome : play_unit<W>(rules, request, words)) {
        EXPECT_EQ(outcome.won & outcome.drawn, 0u);
        tally.wins += static_cast<std::uint32_t>(popcount64(outcome.won));
        tally.draws += static_cast<std::uint32_t>(popcount64(outcome.drawn));
      }
      words.clear();
    };
    for_each_word(request.first, request.playouts, [&](std::uint32_t word, std::uint32_t lanes) {
      if (!words.empty() && word % kConnectGroupWords == 0) play();
      words.emplace_back(word, lane_mask(lanes));
    });
    play();
    tally.losses = request.playouts - tally.wins - tally.draws;
    return tally;
  });
}

TEST(DeviceCores, ConnectEqualsReference) {
  expect_connect<1>(3, 3, 3, 1, 9, {1, 31, 32, 33, 65, 1023});
  expect_connect<1>(3, 3, 3, 8, 9, {1, 33, 1023});
  expect_connect<1>(5, 6, 4, 3, 16, {1, 32, 65, 1023});
  expect_connect<1>(7, 7, 5, 1, 16, {33, 1023});
  expect_connect<1>(8, 8, 5, 2, 16, {33, 1023});
  expect_connect<1>(2, 19, 2, 5, 16, {33, 1023});
  expect_connect<1>(4, 9, 9, 7, 16, {33, 1023});
  expect_connect<6>(9, 13, 6, 2, 12, {33, 1023});
  expect_connect<6>(19, 5, 5, 4, 12, {33, 1023});
  expect_connect<6>(19, 19, 6, 2, 12, {31, 1023});
}

}  // namespace
}  // namespace playproof
