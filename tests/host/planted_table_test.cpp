// Planted faults in searches with a table: each rule that these rest on is broken in turn
// (planted_hex.h), and verdicts against exhaustive search or zones against positions drawn to match
// them must tell, and no certificate of what is not so may be accepted. With none broken nothing
// tells. (Zones in trees: zones_tree_test.cpp. The rules of the checker itself, left out in turn:
// tests/certificates.)
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "games/core/error.h"
#include "games/core/random_position.h"
#include "host/drive/driver.h"
#include "host/proof/table_proof.h"
#include "host/table/check.h"
#include "host/table/depth_first.h"
#include "planted_hex.h"
#include "planted_proof.h"
#include "support.h"
#include "zone_truth.h"

namespace playproof::planted_table_test {
namespace {

using Board = SmallHex::Board;
using State = SmallHex::State;
using Cells = SmallHex::Cells;
using Search = DepthFirst<PlantedHex>;

// What a search knows beside its zones.
struct Knows {
  int patterns = 0;
  bool links = false;
  bool bridges = false;
  FillLevel fill = FillLevel::kOff;
};
constexpr Knows kNothing{};
constexpr Knows kPatterns{.patterns = 64};
constexpr Knows kLinks{.links = true};
constexpr Knows kBridges{.bridges = true};
constexpr Knows kCaptured{.fill = FillLevel::kCaptured};
constexpr Knows kFull{.fill = FillLevel::kFull};

// How often a fault was told of, and by what.
struct Told {
  int searches = 0;
  int verdicts = 0;   // decided otherwise than exhaustive search
  int claims = 0;     // a zone of the table claims what is not so
  int unsound = 0;    // what --selfcheck says of the table
  int unwritten = 0;  // the writer of the certificate found that it has no proof
  int refused = 0;    // the checker did
  int accepted = 0;
  int accepted_false = 0;  // a certificate of the wrong winner
};

class Planted {
 public:
  Planted(BrokenRule fault, const Knows& knows) : knows_(knows) { PlantedHex::fault() = fault; }
  ~Planted() { PlantedHex::fault() = BrokenRule::kNone; }
  Planted(const Planted&) = delete;
  Planted& operator=(const Planted&) = delete;

  // `times`: more positions.
  Told told(int times = 1) {
    const int most = nightly() ? 10 * times : times;
    all_of(3, 3, static_cast<std::size_t>(41 / most + 1));
    some_of(3, 4, 30 * most);
    some_of(4, 3, 30 * most);
    return told_;
  }

 private:
  void all_of(int rows, int columns, std::size_t every) {
    SmallHex truth(rows, columns);
    const std::vector<State> positions = truth.positions();
    for (std::size_t i = 0; i < positions.size(); i += every) look_at(truth, positions[i], i);
  }
  void some_of(int rows, int columns, int count) {
    SmallHex truth(rows, columns);
    for (int i = 0; i < count; ++i) {
      const auto seed = static_cast<std::uint64_t>(i);
      look_at(truth, random_position<Board>(truth.rules(), 2 + i % 4, seed), seed);
    }
  }
  DepthFirstOptions options(std::uint64_t seed) const {
    DepthFirstOptions options;
    options.max_nodes = 20'000;
    options.random_order = seed % 2 == 1;
    options.order_seed = seed;
    options.early_break = seed % 3 != 0;
    options.zones = true;
    options.patterns = knows_.patterns;
    options.links = knows_.links;
    options.bridges = knows_.bridges;
    options.fill = knows_.fill;
    options.table.bytes = 1 << 18;
    options.table.beside = true;
    return options;
  }
  void look_at(SmallHex& truth, const State& position, std::uint64_t seed) {
    const Claim claim{Board::to_move(truth.rules(), position), 1};
    Search search(truth.rules(), position, claim, options(seed));
    EngineSearch<PlantedHex, Search> strokes(search, 256);
    run_to_end<PlantedHex>(strokes, nullptr);
    ++told_.searches;
    if (search.stopped() != StopReason::kDecided) return;
    const ProofClaim proof{claim, search.bounds().proves(1)};
    const bool right = proof.prover() == truth.winner(position);
    told_.verdicts += right ? 0 : 1;
    told_.claims += claims_hold(truth, search, seed) ? 0 : 1;
    told_.unsound += self_check_holds(truth, claim, search, position) ? 0 : 1;
    certify(truth.rules(), position, search, proof, right);
  }

  static bool self_check_holds(const SmallHex& truth, const Claim& claim, const Search& search,
                               const State& position) {
    try {
      TableCheck<PlantedHex>(truth.rules(), claim, search).run(position);
    } catch (const Error&) {
      return false;
    }
    return true;
  }

  // Of all zones in the table.
  static bool claims_hold(SmallHex& truth, const Search& search, std::uint64_t seed) {
    const auto& table = search.table();
    for (std::uint64_t i = 0; i < table.size(); ++i) {
      const auto& entry = table.entry(i);
      if (!entry.used() || entry.bounds().lower() != entry.bounds().upper()) continue;
      const State state = state_of(entry);
      const bool proved = entry.bounds().proves(1);
      const Player winner = proved ? search.claim().attacker : opponent(search.claim().attacker);
      const Cells zone = table.beside(i);
      if (!(zone & Connection<Board>::stones(state, opponent(winner))).empty()) return false;
      const Cells needed = zone & Connection<Board>::stones(state, winner);
      for (std::uint64_t draw = 0; draw < 4; ++draw) {
        State match;
        const std::uint64_t drawn = mix64(mix64(seed) + 1000 * i + draw);
        const Player mover = Board::to_move(truth.rules(), state);
        if (!truth.draw_match(winner, needed, zone, mover, drawn, &match)) continue;
        if (truth.winner(match) != winner) return false;
      }
    }
    return true;
  }

  void certify(const Board::Rules& rules, const State& position, const Search& search,
               const ProofClaim& claim, bool right) {
    TableProof<PlantedHex> proof(rules, claim, search, nullptr);
    const CardLimits limits{
        .knowledge = {
            .zones = true, .bridges = knows_.bridges, .links = knows_.links, .fill = knows_.fill}};
    const Certified certified = certified_by(rules, position, claim, proof,
                                             {claim.proved ? search.best_move() : kNoMove}, limits);
    told_.unwritten += certified == Certified::kUnwritten;
    told_.refused += certified == Certified::kRefused;
    told_.accepted += certified == Certified::kAccepted;
    told_.accepted_false += certified == Certified::kAccepted && !right;
  }

  Knows knows_;
  Told told_;
};

TEST(PlantedTable, NothingIsToldOfSoundSearches) {
  for (const Knows& knows : {kNothing, kPatterns, kLinks, kBridges, kCaptured, kFull}) {
    const Told told = Planted(BrokenRule::kNone, knows).told();
    EXPECT_EQ(told.verdicts, 0);
    EXPECT_EQ(told.claims, 0);
    EXPECT_EQ(told.unsound, 0);
    EXPECT_EQ(told.unwritten + told.refused, 0);
    EXPECT_EQ(told.accepted, told.searches);
  }
}

TEST(PlantedTable, EachBrokenRuleIsFound) {
  const struct {
    const char* what;
    BrokenRule fault;
    Knows knows;
    int times = 1;
  } faults[] = {
      {"a winning set without a cell", BrokenRule::kWinningSet, kNothing},
      {"the zone of the child without a cell", BrokenRule::kWon, kNothing},
      {"a union without a reply", BrokenRule::kLost, kNothing},
      {"siblings inside the zone", BrokenRule::kOutside, kNothing},
      {"zones of boards that were turned", BrokenRule::kUnturned, kNothing},
      {"a pattern with a stone of the loser", BrokenRule::kPatternZone, kPatterns},
      {"a pattern that lacks a stone", BrokenRule::kPatternStones, kPatterns},
      {"a pattern of the wrong mover", BrokenRule::kPatternMover, kPatterns},
      {"a mirrored pattern of the same player", BrokenRule::kPatternMirror, kPatterns, 4},
      {"a carrier without a cell", BrokenRule::kLinkCell, kLinks},
      {"a link without its stones", BrokenRule::kLinkStones, kLinks},
      {"a semi link as a full one", BrokenRule::kLinkSemi, kLinks},
      {"halves with a common cell", BrokenRule::kLinkAnd, kLinks},
      {"semi links with a common cell", BrokenRule::kLinkOr, kLinks},
      {"a gap of one cell", BrokenRule::kBridges, kBridges},
      {"filled cells without their reasons", BrokenRule::kFillReason, kCaptured},
      {"a cell that is not captured", BrokenRule::kFillFree, kCaptured},
      {"moves put off as lost ones", BrokenRule::kPutOff, kFull, 8},
      {"moves that make each other worthless", BrokenRule::kPutOffMutual, kFull},
  };
  for (const auto& [what, fault, knows, times] : faults) {
    SCOPED_TRACE(what);
    const Told told = Planted(fault, knows).told(times);
    // Halves that share cells: each link is played out in tests/games/links_test.cpp. Between the
    // edges of boards as small as these they decide nothing.
    if (fault != BrokenRule::kLinkAnd) {
      EXPECT_GT(told.verdicts + told.claims, 0);
    }
    EXPECT_GT(told.refused, 0);
    EXPECT_EQ(told.accepted_false, 0);
    // The zone of a finished position is taken as it is; links, bridges and inferior cells are
    // asked again by the same broken rules, patterns not at all.
    if (fault == BrokenRule::kWon || fault == BrokenRule::kLost || fault == BrokenRule::kOutside ||
        fault == BrokenRule::kUnturned) {
      EXPECT_GT(told.unsound, 0);
    }
  }
}

// Zones are held against what bridges, virtual connections and inferior cells say, too.
TEST(PlantedTable, BrokenZonesAreFoundBesideProbes) {
  const struct {
    BrokenRule fault;
    std::vector<Knows> knows;
  } faults[] = {
      {BrokenRule::kWon, {kBridges, kLinks, kCaptured, kFull}},
      {BrokenRule::kLost, {kBridges, kLinks}},  // with inferior cells that rule is not broken
      {BrokenRule::kOutside, {kBridges, kLinks, kCaptured, kFull}},
      // With links no zone that matters was turned on boards as small as these.
      {BrokenRule::kUnturned, {kBridges, kCaptured, kFull}},
  };
  for (const auto& [fault, all] : faults) {
    for (const Knows& knows : all) {
      SCOPED_TRACE(static_cast<int>(fault));
      EXPECT_GT(Planted(fault, knows).told(4).unsound, 0);
    }
  }
}

// No proof rests on which moves are put off, so no choice of them is a fault.
TEST(PlantedTable, AnyMovesMayBePutOff) {
  const Told told = Planted(BrokenRule::kPutOffAny, kFull).told();
  EXPECT_EQ(told.verdicts + told.claims, 0);
  EXPECT_EQ(told.accepted, told.searches);
}

}  // namespace
}  // namespace playproof::planted_table_test
