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
#include "games/loa/rules.h"
#include "games/othello/rules.h"
#include "games/pgame/rules.h"
#include "kernels/connect/device.h"
#include "kernels/hex/device.h"
#include "kernels/list.h"
#include "kernels/loa/device.h"
#include "kernels/othello/device.h"
#include "kernels/othello/device_rows.h"
#include "kernels/pgame/device.h"
#include "tests/kernels/positions.h"

namespace playproof::device_cores_test {
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
  for (const auto& state : any_positions<G>(rules, count, 17)) {
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

// Two threads a word: the second one, which needs nothing of the first, runs before it.
template <int W, int kSide>
void expect_hex_pairs(int rows, int columns, int count) {
  SCOPED_TRACE(kSide);
  const auto rules = Hex<W>::make_rules(rows, columns);
  std::vector<std::uint32_t> memory(std::size_t{3} * rules.cells);
  const Memory planes(memory.data() + 2);
  std::vector<std::uint32_t> sent;
  std::size_t received = 0;
  const auto send = [&](std::uint32_t x) {
    sent.push_back(x);
    return 0x12345678u ^ x;
  };
  const auto receive = [&](std::uint32_t) { return sent.at(received++); };
  const auto play = [&](const auto& request, std::uint32_t word, std::uint32_t lanes) {
    const HexWord w = hex_word<W>(rules, request, word, lanes);
    sent.clear();
    received = 0;
    HexDistance distance[2];
    for (const std::uint32_t thread : {1, 0}) hex_deal_half(w, planes, thread, distance[thread]);
    hex_repair_halves(w, planes, 1, distance[1], send);
    hex_repair_halves(w, planes, 0, distance[0], receive);
    hex_play_half<W, kSide>(rules, request, w, planes, 1, send);
    return hex_play_half<W, kSide>(rules, request, w, planes, 0, receive);
  };
  expect_core<Hex<W>>(rules, count, {1, 33, 65, 1023}, [&](const auto& request) {
    return tally_by_words<Hex<W>>(request, [&](std::uint32_t word, std::uint32_t lanes) {
      return WordOutcome{play(request, word, lanes), 0};
    });
  });
}

template <int W, int kFirst, int... kMore>
void expect_squares(std::integer_sequence<int, kMore...>) {
  (expect_hex<W, kFirst + kMore>(kFirst + kMore, kFirst + kMore, W == 1 ? 8 : 4), ...);
}

TEST(DeviceCores, HexInRegistersEqualsReference) {
  expect_squares<1, 3>(std::make_integer_sequence<int, 6>());
  expect_squares<2, 9>(std::make_integer_sequence<int, 3>());
  expect_squares<6, 12>(std::make_integer_sequence<int, 3>());
}

// Smaller boards than the core is made for.
TEST(DeviceCores, HexInACornerEqualsReference) {
  expect_hex<1, 3>(2, 2, 4);
  expect_hex<1, 3>(2, 3, 4);
  expect_hex<1, 5>(5, 2, 6);
  expect_hex<1, 8>(3, 8, 6);
  expect_hex<1, 8>(7, 7, 6);
  expect_hex<1, 14>(12, 5, 6);
  expect_hex<2, 11>(11, 7, 4);
  expect_hex<2, 14>(6, 13, 4);
  expect_hex<2, 14>(14, 9, 4);
  expect_hex<6, 13>(10, 13, 4);
  expect_hex<6, 14>(14, 10, 4);
}

TEST(DeviceCores, HexByTwoThreadsEqualsReference) {
  expect_hex_pairs<6, 15>(15, 15, 4);
  expect_hex_pairs<6, 16>(16, 16, 4);
  expect_hex_pairs<6, 17>(17, 17, 4);
  expect_hex_pairs<6, 18>(18, 18, 4);
  expect_hex_pairs<6, 19>(19, 19, 4);
  expect_hex_pairs<6, 16>(15, 9, 4);
  expect_hex_pairs<2, 19>(5, 17, 4);
  expect_hex_pairs<2, 19>(16, 8, 4);
  expect_hex_pairs<2, 19>(6, 19, 4);
  expect_hex_pairs<6, 18>(18, 11, 4);
  expect_hex_pairs<1, 19>(3, 19, 4);
  expect_hex_pairs<1, 19>(19, 2, 4);
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

// Eight threads a word: in each step they run one after the other, first to last, then last to
// first.
WordOutcome play_othello_rows(const LeafRequest<Othello>& leaf, std::uint32_t word,
                              std::uint32_t lanes) {
  std::vector<std::uint32_t> memory(OthelloWords::kWords);
  std::vector<OthelloRow> rows;
  for (std::uint32_t t = 0; t < kOthelloThreads; ++t) rows.emplace_back(leaf, memory.data() + 3, t);
  bool backwards = false;
  const auto step = [&](const auto& what) {
    backwards = !backwards;
    if (backwards) {
      std::for_each(rows.rbegin(), rows.rend(), what);
    } else {
      std::for_each(rows.begin(), rows.end(), what);
    }
  };
  std::uint32_t ply = 0;
  for (int idle = 0; idle < 2; ++ply) {
    step([&](OthelloRow& row) {
      row.show_discs();
      row.draw(leaf.key, word, ply);
    });
    step([](OthelloRow& row) { row.look_along_lines(); });
    step([](OthelloRow& row) { row.find_moves(); });
    std::vector<std::uint32_t> moved;
    step([&](OthelloRow& row) { moved.push_back(row.choose() & lanes); });
    for (const std::uint32_t some : moved) EXPECT_EQ(some, moved[0]);
    idle = moved[0] != 0 ? 0 : idle + 1;
    step([](OthelloRow& row) { row.turn_lines(); });
    step([](OthelloRow& row) { row.play(); });
  }
  step([](OthelloRow& row) { row.show_discs(); });
  const WordOutcome outcome = rows[0].outcome(leaf.state.to_move, ply, lanes);
  // What other words of the warp go on for changes nothing.
  for (OthelloRow& row : rows) {
    const WordOutcome same = row.outcome(leaf.state.to_move, ply + 2, lanes);
    EXPECT_EQ(same.won, outcome.won);
    EXPECT_EQ(same.drawn, outcome.drawn);
  }
  return outcome;
}

TEST(DeviceCores, OthelloByEightThreadsEqualsReference) {
  const auto rules = Othello::make_rules(8);
  expect_core<Othello>(rules, 16, {1, 31, 33, 1023}, [](const auto& request) {
    return tally_by_words<Othello>(request, [&](std::uint32_t word, std::uint32_t lanes) {
      return play_othello_rows(request, word, lanes);
    });
  });
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

// ---- Lines of Action ----

// Reads bytes until the game is over.
void end_loa(const LoaRays& rays, const RandomKey& key, std::uint32_t playout,
             loa_device::RandomGame* game) {
  bool open = true;
  for (std::uint32_t block = playout % kLanes; open; block += kLanes) {
    loa_device::Bytes bytes(key, playout / kLanes, block);
    for (unsigned i = 0; i < loa_device::Bytes::kCount; ++i) {
      const unsigned byte = bytes.next();
      if (open) open = game->go_on(rays, byte);
    }
  }
}

TEST(DeviceCores, LoaEqualsReference) {
  for (int size = Loa::kMinSize; size <= Loa::kMaxSize; ++size) {
    const auto rules = Loa::make_rules(size, PathRule::kThirdDraws, size == 5);
    LoaRays rays;
    for (unsigned thread = 0; thread < 3; ++thread) rays.fill(size, thread, 3);
    expect_core<Loa>(rules, 6, {1, 33, 100}, [&](const auto& request) {
      Tally tally;
      for (std::uint32_t i = request.first; i - request.first < request.playouts; ++i) {
        loa_device::RandomGame game(rules, request.state);
        end_loa(rays, request.key, i, &game);
        tally = tally + certain_tally(game.value(), 1);
        tally.truncated += game.cut_off() ? 1 : 0;
      }
      return tally;
    });
  }
}

// No game from the start has been seen that 1,000 plies are too few for. Here they are cut off
// sooner.
TEST(DeviceCores, LoaIsCutOffAfterSoManyPlies) {
  const auto rules = Loa::make_rules(5, PathRule::kThirdDraws, false);
  LoaRays rays;
  rays.fill(rules.size, 0, 1);
  const Loa::State start = Loa::initial(rules);
  int cut_off = 0;
  for (std::uint32_t i = 0; i < 500; ++i) {
    loa_device::RandomGame whole(rules, start);
    end_loa(rays, {1, 2}, i, &whole);
    EXPECT_FALSE(whole.cut_off());
    for (const std::uint32_t longest : {1u, 20u, whole.plies() - 1, whole.plies()}) {
      loa_device::RandomGame part(rules, start, longest);
      end_loa(rays, {1, 2}, i, &part);
      EXPECT_EQ(part.plies(), std::min(longest, whole.plies()));
      EXPECT_EQ(part.cut_off(), longest < whole.plies());
      EXPECT_EQ(part.value(), part.cut_off() ? Value{0} : whole.value());
      cut_off += part.cut_off() ? 1 : 0;
    }
  }
  EXPECT_GT(cut_off, 1000);
}

// ---- Connect ----

struct PlainAtomics {
  static std::uint32_t add(std::uint32_t* to, std::uint32_t value) {
    return std::exchange(*to, *to + value);
  }
  static std::uint32_t set(std::uint32_t* in, std::uint32_t bits) {
    return std::exchange(*in, *in | bits);
  }
};

// The threads of a unit, step by step as those of one warp.
template <int W>
class ConnectThreads {
 public:
  // Words of one group.
  ConnectThreads(const typename Connect<W>::Rules& rules, const LeafRequest<Connect<W>>& leaf,
                 const std::vector<std::pair<std::uint32_t, std::uint32_t>>& words)
      : board_(ConnectBoard::of<W>(rules)),
        own_(board_.unit_words()),
        ahead_(kConnectThreads * words.size() * kConnectAhead),
        planes_(std::size_t{kConnectWarpWords} * board_.word_words()),
        m_(static_cast<std::uint32_t>(rules.cells - leaf.state.count)),
        black_(Connect<W>::to_move(rules, leaf.state) == Player::kFirst) {
    const auto threads = static_cast<std::uint32_t>(kConnectThreads * words.size());
    const RandomKey& key = leaf.key;
    for (std::uint32_t rank = 0; rank < threads; ++rank) {
      const auto thread = ConnectThread::of(rank, threads);
      const auto& [word, lanes] = words[thread.word];
      units_.emplace_back(board_, own_.data(), ahead_.data(), thread, key,
                          word / kConnectGroupWords);
      const ConnectPlanes planes(planes_.data() + thread.word);
      words_.emplace_back(thread, key, word, lanes, black_, planes);
    }
    for (auto& unit : units_) unit.template begin<W>(board_, leaf.state);
    for (auto& unit : units_) unit.template begin_order<W>(board_, leaf.state, m_);
    for (auto& unit : units_) unit.begin_lines(board_, m_);
  }

  // `doubtful`: each random word that is at hand might have to be passed over, or so it seems.
  void play(const ConnectRound& round, bool doubtful) {
    for (auto& unit : units_) unit.prepare(round);
    for (auto& word : words_) word.prepare(board_, round);
    if (doubtful) std::fill(ahead_.begin(), ahead_.end(), 0);
    for (auto& unit : units_) unit.draw(round, m_);
    for (auto& unit : units_) unit.own(round, black_);
    for (auto& unit : units_) unit.take(board_, round.first, 0);
    for (auto& unit : units_) unit.take(board_, round.second, 1);
    for (std::size_t first = 0; first < units_.size(); first += kConnectThreads) {
      ConnectLanes lanes[2];
      for (std::size_t t = first; t < first + kConnectThreads; ++t) {
        if (board_.connect == 6) {
          units_[t].template look<6>(board_, words_[t].planes(), lanes);
        } else {
          units_[t].template look<0>(board_, words_[t].planes(), lanes);
        }
      }
      for (std::size_t t = first; t < first + kConnectThreads; ++t) {
        for (const ConnectLanes& block : lanes) words_[t].settle(block);
      }
    }
  }

  const ConnectBoard& board() const { return board_; }
  std::uint32_t empty() const { return m_; }
  WordOutcome outcome(std::size_t word) const { return words_[kConnectThreads * word].outcome(); }

 private:
  ConnectBoard board_;
  std::vector<std::uint32_t> own_;
  std::vector<std::uint32_t> ahead_;
  std::vector<std::uint32_t> planes_;
  std::uint32_t m_;
  bool black_;
  std::vector<ConnectUnit<PlainAtomics>> units_;
  std::vector<ConnectWord> words_;
};

// What is played of the words of one group that a warp has; `doubtful`: ConnectThreads.
template <int W>
std::vector<WordOutcome> play_unit(
    const typename Connect<W>::Rules& rules, const LeafRequest<Connect<W>>& request,
    const std::vector<std::pair<std::uint32_t, std::uint32_t>>& words, bool doubtful) {
  ConnectThreads<W> threads(rules, request, words);
  const auto left =
      static_cast<std::uint32_t>(Connect<W>::stones_left_in_turn(rules, request.state));
  const std::uint32_t m = threads.empty();
  const auto first = ConnectBlock::make(0, left, threads.board().stones, m, 0);
  for (auto round = ConnectRound::make(threads.board(), first, m); round.at() < m;
       round = round.next(threads.board(), m)) {
    threads.play(round, doubtful);
  }
  std::vector<WordOutcome> outcomes;
  for (std::size_t i = 0; i < words.size(); ++i) outcomes.push_back(threads.outcome(i));
  return outcomes;
}

template <int W>
void expect_connect(int rows, int columns, int connect, int stones, int count,
                    std::initializer_list<std::uint32_t> playouts, bool doubtful = false) {
  const auto rules = Connect<W>::make_rules(rows, columns, connect, stones);
  expect_core<Connect<W>>(rules, count, playouts, [&](const auto& request) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> words;
    Tally tally;
    const auto play = [&] {
      for (const WordOutcome& outcome : play_unit<W>(rules, request, words, doubtful)) {
        EXPECT_EQ(outcome.won & outcome.drawn, 0u);
        tally.wins += static_cast<std::uint32_t>(popcount64(outcome.won));
        tally.draws += static_cast<std::uint32_t>(popcount64(outcome.drawn));
      }
      words.clear();
    };
    for_each_word(request.first, request.playouts, [&](std::uint32_t word, std::uint32_t lanes) {
      const bool full = words.size() == kConnectWarpWords || word % kConnectGroupWords == 0;
      if (!words.empty() && full) play();
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
  expect_connect<6>(19, 5, 5, 4, 12, {31, 33, 1023});
  expect_connect<6>(19, 19, 6, 2, 12, {31, 1023});
  expect_connect<6>(19, 19, 3, 8, 6, {31, 33, 1023});
  expect_connect<6>(19, 19, 19, 8, 2, {31, 65});
}

// As if random words were passed over all the time, which is too rare to be seen.
TEST(DeviceCores, ConnectMakesRandomWordsThatAreNotAtHand) {
  expect_connect<1>(5, 6, 4, 3, 8, {33}, true);
  expect_connect<6>(19, 19, 6, 2, 2, {33}, true);
}

}  // namespace
}  // namespace playproof::device_cores_test
