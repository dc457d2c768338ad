// Proof zones in searches with a table: verdicts against exhaustive search, and every zone that a
// table keeps against positions that it claims something of.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "host/drive/driver.h"
#include "host/playouts/evaluator.h"
#include "host/table/check.h"
#include "host/table/depth_first.h"
#include "host/table/depth_first_scheme.h"
#include "kernels/schemes/ews.h"
#include "kernels/schemes/ppn.h"
#include "support.h"
#include "zone_truth.h"

namespace playproof::zones_table_test {
namespace {

using Board = SmallHex::Board;
using State = Board::State;
using Cells = SmallHex::Cells;

Player winner_of(const Claim& claim, const Bounds& bounds) {
  return bounds.proves(claim.threshold) ? claim.attacker : opponent(claim.attacker);
}

// One kind of search.
struct Kind {
  const char* name;
  ThresholdRule::Kind rule = ThresholdRule::Kind::kConstant;
  int playouts = 0;  // 0: leaf numbers 1 and 1
  std::uint64_t table = 1 << 20;
  int patterns = 0;
  bool symmetry = true;
  bool early_break = true;
  bool bridges = false;
  bool links = false;
  FillLevel fill = FillLevel::kOff;
  bool by_resistance = false;
  double widening = 0;
  bool must_play = false;
};
constexpr Kind kKinds[] = {
    {"dfpn"},
    {"dfpn patterns", ThresholdRule::Kind::kConstant, 0, 1 << 20, 16},
    {"dfpn playouts", ThresholdRule::Kind::kConstant, 8},
    {"dfpn playouts patterns", ThresholdRule::Kind::kConstant, 8, 1 << 20, 64},
    {"dfpn tiny table", ThresholdRule::Kind::kConstant, 0, 1},
    {"dfpn tiny table patterns", ThresholdRule::Kind::kConstant, 0, 1, 16},
    {"dfpn no symmetry", ThresholdRule::Kind::kConstant, 0, 1 << 20, 0, false},
    {"dfpn no break", ThresholdRule::Kind::kConstant, 0, 1 << 20, 16, true, false},
    {"dfpn bridges", ThresholdRule::Kind::kConstant, 0, 1 << 20, 0, true, true, true},
    {"dfpn playouts patterns bridges", ThresholdRule::Kind::kConstant, 8, 1 << 20, 64, true, true,
     true},
    {"dfpn links", ThresholdRule::Kind::kConstant, 0, 1 << 20, 0, true, true, false, true},
    {"dfpn playouts patterns links", ThresholdRule::Kind::kConstant, 8, 1 << 20, 64, true, true,
     false, true},
    {"dfpn tiny table links", ThresholdRule::Kind::kConstant, 0, 1, 16, false, false, true, true},
    {"pds links", ThresholdRule::Kind::kPds, 0, 1 << 20, 16, true, true, false, true},
    {"dfpn dead", ThresholdRule::Kind::kConstant, 0, 1 << 20, 0, true, true, false, false,
     FillLevel::kDead},
    {"dfpn captured", ThresholdRule::Kind::kConstant, 0, 1 << 20, 0, true, true, false, false,
     FillLevel::kCaptured},
    {"dfpn playouts patterns full", ThresholdRule::Kind::kConstant, 8, 1 << 20, 64, true, true,
     false, false, FillLevel::kFull},
    {"dfpn bridges full", ThresholdRule::Kind::kConstant, 0, 1 << 20, 0, true, true, true, false,
     FillLevel::kFull},
    {"dfpn tiny table full", ThresholdRule::Kind::kConstant, 0, 1, 16, false, false, false, false,
     FillLevel::kFull},
    {"dfpn links captured", ThresholdRule::Kind::kConstant, 0, 1 << 20, 0, true, true, false, true,
     FillLevel::kCaptured},
    {"dfpn playouts patterns links full", ThresholdRule::Kind::kConstant, 8, 1 << 20, 64, true,
     true, false, true, FillLevel::kFull},
    {"pds links full", ThresholdRule::Kind::kPds, 0, 1 << 20, 16, true, true, false, true,
     FillLevel::kFull},
    {"pnstar full", ThresholdRule::Kind::kPnStar, 0, 1 << 20, 16, true, true, false, false,
     FillLevel::kFull},
    {"dfpn resistance", ThresholdRule::Kind::kConstant, 0, 1 << 20, 0, true, true, false, true,
     FillLevel::kOff, true},
    {"dfpn widening", ThresholdRule::Kind::kConstant, 0, 1 << 20, 16, true, true, false, true,
     FillLevel::kOff, true, 0.2},
    {"dfpn playouts tiny table widening", ThresholdRule::Kind::kConstant, 8, 1, 16, false, false,
     false, true, FillLevel::kOff, true, 0.3},
    {"pds widening", ThresholdRule::Kind::kPds, 0, 1 << 20, 16, true, true, false, true,
     FillLevel::kOff, true, 0.3},
    {"dfpn widening full", ThresholdRule::Kind::kConstant, 0, 1 << 20, 16, true, true, false, true,
     FillLevel::kFull, true, 0.2},
    {"dfpn playouts tiny table resistance full", ThresholdRule::Kind::kConstant, 8, 1, 16, false,
     false, false, true, FillLevel::kFull, true},
    {"pds widening full", ThresholdRule::Kind::kPds, 0, 1 << 20, 16, true, true, false, true,
     FillLevel::kFull, true, 0.3},
    {"pnstar widening full", ThresholdRule::Kind::kPnStar, 0, 1 << 20, 16, true, true, false, true,
     FillLevel::kFull, true, 0.3},
    {"pnstar widening", ThresholdRule::Kind::kPnStar, 0, 1 << 20, 16, true, true, false, true,
     FillLevel::kOff, true, 0.3},
    // Without patterns: then --selfcheck asks links, bridges and inferior cells once more.
    {"pds links bridges full, asked again", ThresholdRule::Kind::kPds, 0, 1 << 20, 0, true, true,
     true, true, FillLevel::kFull},
    {"pnstar full, asked again", ThresholdRule::Kind::kPnStar, 0, 1 << 20, 0, true, true, false,
     false, FillLevel::kFull},
    {"alphabeta widening full, asked again", ThresholdRule::Kind::kNone, 0, 1 << 20, 0, true, true,
     false, true, FillLevel::kFull, true, 0.3},
    {"dfpn no symmetry links full, asked again", ThresholdRule::Kind::kConstant, 0, 1 << 20, 0,
     false, false, false, true, FillLevel::kFull},
    {"pds", ThresholdRule::Kind::kPds, 0, 1 << 20, 16},
    {"pnstar", ThresholdRule::Kind::kPnStar, 0, 1 << 20, 16},
    {"alphabeta", ThresholdRule::Kind::kNone, 0, 1 << 20, 16},
    {"alphabeta playouts tiny table full", ThresholdRule::Kind::kNone, 8, 1, 16, false, false,
     false, false, FillLevel::kFull},
    {"alphabeta widening full", ThresholdRule::Kind::kNone, 0, 1 << 20, 16, true, true, false, true,
     FillLevel::kFull, true, 0.3},
    {"dfpn must-play", ThresholdRule::Kind::kConstant, 0, 1 << 20, 16, true, true, false, false,
     FillLevel::kOff, false, 0, true},
    {"dfpn must-play widening full", ThresholdRule::Kind::kConstant, 0, 1 << 20, 16, true, true,
     false, true, FillLevel::kFull, true, 0.2, true},
};

SearchOptions search_options(const Kind& kind) {
  SearchOptions options;
  options.zones = true;
  options.patterns = kind.patterns;
  options.bridges = kind.bridges;
  options.links = kind.links;
  options.early_break = kind.early_break;
  return options;
}
DepthFirstOptions options_of(const Kind& kind) {
  DepthFirstOptions options;
  static_cast<SearchOptions&>(options) = search_options(kind);
  options.leaf = kind.playouts == 0 ? LeafNumbers::unit()
                                    : LeafNumbers::from_playouts(
                                          kind.playouts, {RateForm::Kind::kPower, 1000}, false);
  if (kind.must_play) options.leaf = LeafNumbers::must_play(0.5);
  options.rule.kind = kind.rule;
  options.table.bytes = kind.table;
  options.table.beside = true;
  options.symmetry = kind.symmetry;
  options.fill = kind.fill;
  options.by_resistance = kind.by_resistance;
  options.widening = kind.widening;
  return options;
}

template <class Engine>
void run(Engine& engine, PlayoutEvaluator<Board>* evaluator) {
  EngineSearch<Board, Engine> search(engine, 256);
  run_to_end<Board>(search, evaluator);
}

// Every zone of the table against positions drawn at random. Returns how many were looked at.
template <class Engine>
int expect_true_zones(SmallHex& truth, const Engine& engine, int draws) {
  int looked_at = 0;
  const auto& table = engine.table();
  for (std::uint64_t i = 0; i < table.size(); ++i) {
    const auto& entry = table.entry(i);
    if (!entry.used() || entry.bounds().lower() != entry.bounds().upper()) continue;
    const State state = state_of(entry);
    const Player winner = winner_of(engine.claim(), entry.bounds());
    const Player mover = Board::to_move(truth.rules(), state);
    EXPECT_EQ(truth.winner(state), winner);
    const Cells zone = table.beside(i);
    EXPECT_FALSE(zone.empty());
    EXPECT_TRUE((zone & Connection<Board>::stones(state, opponent(winner))).empty());
    const Cells needed = zone & Connection<Board>::stones(state, winner);
    for (int draw = 0; draw < draws; ++draw) {
      State match;
      const std::uint64_t seed = mix64(i * 1000 + static_cast<std::uint64_t>(draw));
      if (!truth.draw_match(winner, needed, zone, mover, seed, &match)) continue;
      ++looked_at;
      EXPECT_EQ(truth.winner(match), winner)
          << std::hex << state.stones[0][0] << ' ' << state.stones[1][0] << " zone "
          << zone.words[0] << " but " << match.stones[0][0] << ' ' << match.stones[1][0];
      if (::testing::Test::HasFailure()) return looked_at;
    }
  }
  return looked_at;
}

// Decides one position and holds everything against the truth.
template <class Engine, class Options>
int expect_right_search(SmallHex& truth, const State& position, const Options& options,
                        PlayoutEvaluator<Board>* evaluator, bool lossless, int draws) {
  const Claim claim{Board::to_move(truth.rules(), position), 1};
  Engine engine(truth.rules(), position, claim, options);
  run(engine, evaluator);
  const Player winner = winner_of(claim, engine.bounds());
  EXPECT_EQ(engine.stopped(), StopReason::kDecided);
  EXPECT_EQ(winner, truth.winner(position));
  if (winner == claim.attacker) {
    State child = position;
    Board::play(truth.rules(), child, engine.best_move());
    EXPECT_EQ(truth.winner(child), winner) << "the best move";
  }
  EXPECT_NO_THROW(TableCheck<Board>(truth.rules(), claim, engine).run(position));
  return lossless || draws > 0 ? expect_true_zones(truth, engine, draws) : 0;
}

// Positions of the board one after the other, every `every`-th, turn by turn.
struct Turns {
  SmallHex& truth;
  std::vector<State> positions;
  std::size_t every;
  int draws;
  std::unique_ptr<PlayoutEvaluator<Board>> evaluator;
  std::uint64_t looked_at = 0;
  std::size_t next = 0;

  template <class Engine, class Options>
  void expect_right(const Options& options, bool lossless) {
    for (std::size_t i = next++ % every; i < positions.size(); i += every) {
      looked_at += static_cast<std::uint64_t>(expect_right_search<Engine>(
          truth, positions[i], options, evaluator.get(), lossless, draws));
      if (::testing::Test::HasFailure()) return;
    }
  }
};

template <class S>
void expect_scheme_right(Turns& turns, const char* name, const S& scheme) {
  for (const int more : {0, 1, 2, 3, 4, 5}) {
    SCOPED_TRACE(name);
    Kind kind{name};
    kind.patterns = more > 0 && more < 5 ? 16 : 0;
    kind.bridges = more == 1;
    kind.links = more == 2 || more >= 4;
    DepthFirstSchemeOptions<S> options;
    static_cast<SearchOptions&>(options) = search_options(kind);
    options.scheme = scheme;
    options.epsilon = 1;
    options.table.bytes = kind.table;
    options.table.beside = true;
    options.fill = more > 2 ? FillLevel::kFull : FillLevel::kOff;
    turns.expect_right<DepthFirstScheme<Board, S>>(options, true);
    if (::testing::Test::HasFailure()) return;
  }
}

// All positions of the board, or every `every`-th. Returns how many zones were looked at.
std::uint64_t expect_all_right(int rows, int columns, std::size_t every, int draws) {
  SmallHex truth(rows, columns);
  Turns turns{truth, truth.positions(), every, draws,
              make_evaluator<Board>(truth.rules(), "cpu", 1)};
  for (const Kind& kind : kKinds) {
    SCOPED_TRACE(kind.name);
    turns.expect_right<DepthFirst<Board>>(options_of(kind), kind.table > 1);
    if (::testing::Test::HasFailure()) return turns.looked_at;
  }
  expect_scheme_right(turns, "dfppn", Ppn{8, {false, 1.0 / 32}});
  expect_scheme_right(turns, "dfews", Ews{8, EwsLeafWork::both(8, 32768, 2)});
  return turns.looked_at;
}

// A position of three or four stones that is its own half turn.
State half_turned(const Board::Rules& rules, std::uint64_t seed) {
  std::vector<Move> cells;  // one of each two that are turned to each other
  for (int cell = 0; 2 * cell + 1 < rules.cells; ++cell) cells.push_back(static_cast<Move>(cell));
  for (std::size_t i = cells.size(); i-- > 1;) {
    seed = mix64(seed);
    std::swap(cells[i], cells[seed % (i + 1)]);
  }
  const auto turned = [&](Move cell) { return static_cast<Move>(rules.cells - 1 - cell); };
  const bool middle = rules.cells % 2 == 1 && mix64(seed) % 2 == 0;  // is White's
  std::vector<Move> moves = {cells[0], cells[1], turned(cells[0]), turned(cells[1])};
  if (middle) moves = {cells[0], static_cast<Move>(rules.cells / 2), turned(cells[0])};
  State state = Board::initial(rules);
  for (const Move move : moves) Board::play(rules, state, move);
  return state;
}

// There the zones of symmetric replies, and of threats, stand in turned, too.
TEST(Zones, SymmetricPositionsAreRight) {
  for (const auto& [rows, columns] : {std::pair(3, 5), {5, 3}}) {
    SmallHex truth(rows, columns);
    const auto evaluator = make_evaluator<Board>(truth.rules(), "cpu", 1);
    for (const Kind& kind : kKinds) {
      SCOPED_TRACE(kind.name);
      if (kind.patterns > 0 || kind.table == 1)
        continue;  // then zones are held against stones only
      for (std::uint64_t seed = 0; seed < (nightly() ? 1000u : 100u); ++seed) {
        const State state = half_turned(truth.rules(), seed);
        expect_right_search<DepthFirst<Board>>(truth, state, options_of(kind), evaluator.get(),
                                               true, 1);
      }
      if (HasFailure()) return;
    }
  }
}

TEST(Zones, TablesAgreeWithExhaustiveSearch) {
  std::uint64_t looked_at = 0;
  looked_at += expect_all_right(2, 2, 1, 20);
  looked_at += expect_all_right(2, 3, 1, 10);
  looked_at += expect_all_right(3, 2, 1, 10);
  looked_at += expect_all_right(3, 3, nightly() ? 1 : 67, 3);
  looked_at += expect_all_right(2, 4, nightly() ? 1 : 67, 3);
  if (!HasFailure()) {
    looked_at += expect_all_right(3, 4, nightly() ? 37 : 7001, 2);
  }
  EXPECT_GT(looked_at, 10000u);
}

}  // namespace
}  // namespace playproof::zones_table_test
