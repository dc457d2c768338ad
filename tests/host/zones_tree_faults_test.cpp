// Proof zones in the searches that keep a tree: faults planted in those of real searches, in what
// is loaded, and in memory that runs out.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "host/solve/tree_solver.h"
#include "host/tree/pn2.h"
#include "kernels/schemes/pn.h"
#include "kernels/schemes/ppn.h"
#include "saved.h"
#include "zones_tree.h"

namespace playproof::zones_tree_faults_test {
namespace {

// Faults in the zones of a real search are found, and no state with one is loaded.
template <class Engine>
void expect_found(const std::string& algorithm, const char* position) {
  using Plant = void (*)(TreeZones<Board>&, NodeIndex decided, NodeIndex solved, NodeIndex open);
  const std::pair<const char*, Plant> faults[] = {
      {"a cell less",
       [](auto& zones, auto decided, auto, auto) {
         auto zone = zones.zone(decided);
         zone.words[0] &= zone.words[0] - 1;
         zones.set(decided, zone);
       }},
      {"all of the board",
       [](auto& zones, auto decided, auto, auto) { zones.set(decided, CellSet<1>::all(16)); }},
      {"no board",
       [](auto& zones, auto decided, auto, auto) {
         auto zone = zones.zone(decided);
         zone.add(40);
         zones.set(decided, zone);
       }},
      {"solved by another node than a lost sibling",
       [](auto& zones, auto, auto solved, auto open) { zones.solve_by(open, solved); }},
      {"another must-play", [](auto& zones, auto, auto, auto open) {
         auto zone = zones.zone(open);
         zone.words[0] ^= 2;
         zones.set(open, zone);
       }}};
  SCOPED_TRACE(algorithm);
  for (const auto& [what, plant] : faults) {
    const SolveRequest request = ask("hex:size=4", algorithm, position);
    const auto solver = make_solver(request);
    const auto& engine = dynamic_cast<const TreeSolver<Board, Engine>&>(*solver).engine();
    std::optional<NodeIndex> decided, solved, open;
    while (!(decided && solved && open) && solver->step(5) == StopReason::kRunning) {
      for (NodeIndex i = 0; i < engine.tree().nodes(); ++i) {
        const auto& node = engine.tree().node(i);
        if (engine.zones().by_sibling(i)) solved = i;
        if (!engine.zones().by_sibling(i) && node.decided && node.edges == 0) decided = i;
        if (!node.decided && node.edges > 0) open = i;
      }
    }
    ASSERT_TRUE(decided && solved && open);
    solver->self_check();
    plant(const_cast<TreeZones<Board>&>(engine.zones()), *decided, *solved, *open);
    EXPECT_THROW(solver->self_check(), Error) << what;
    EXPECT_THROW(resumed(request, saved(*solver)), Error) << what;
  }
}
TEST(ZonesTree, FaultsAreFound) {
  expect_found<BestFirst<Board, Pn>>("pn:stop=allis", "b2 c2");
  expect_found<BestFirst<Board, Ppn>>("ppn", "b2 c2");
  expect_found<BestFirst<Board, Pn>>("pn:probe=bridges", "");
  expect_found<Mcts<Board>>("mcts", "b2 c2");
}

// A leaf that waits has lost nothing yet: no reply to it lies outside of a zone.
template <class Engine>
void expect_waiting_found(const std::string& algorithm) {
  SCOPED_TRACE(algorithm);
  SolveRequest request = ask("hex:size=4", algorithm);
  request.batch = 4;
  request.pipeline = 3;
  const auto solver = make_solver(request);
  const auto& engine = dynamic_cast<const TreeSolver<Board, Engine>&>(*solver).engine();
  for (int i = 0; i < 50 && engine.waiting().empty(); ++i) solver->step(5);
  ASSERT_FALSE(engine.waiting().empty());
  solver->self_check();
  resumed(request, saved(*solver));
  auto& zones = const_cast<TreeZones<Board>&>(engine.zones());
  zones.set(engine.waiting().back(), CellSet<1>::all(16));
  EXPECT_THROW(solver->self_check(), Error);
  EXPECT_THROW(resumed(request, saved(*solver)), Error);
}
TEST(ZonesTree, FaultsInWhatWaitsAreFound) {
  expect_waiting_found<Mcts<Board>>("mcts");
  expect_waiting_found<BestFirst<Board, Ppn>>("ppn");
}

// A file could give an open node, whose zone will change, that of another.
TEST(ZonesTree, PlacesAreNotBelieved) {
  const auto rules = Board::make_rules(2, 2);
  Tree<PnLabel> tree(1 << 20);
  const Tree<PnLabel> empty(1 << 20);
  TreeZones<Board> zones(rules, with_zones(1));
  for (const bool decided : {false, false, true, true, true}) {
    tree.add_node({}, Bounds::unknown(-1, 1), decided);
    zones.add();
  }
  zones.set(1, CellSet<1>::one(0));
  zones.set(3, CellSet<1>::one(2));
  zones.solve_by(3, 2);
  zones.set(4, CellSet<1>::one(3));
  StringSink sink;
  Saver saver(sink);
  zones.serialize(saver, tree);
  // Nodes: their number, 4 bytes each; zones: their number, 8 bytes each.
  ASSERT_EQ(sink.text.size(), 8u + 5 * 4 + 8 + 4 * 8);
  const auto load = [&](std::size_t byte, char value, bool whole = true) {
    std::string text = sink.text;
    text[byte] = value;
    StringSource source(text);
    Loader loader(source);
    TreeZones<Board> again(rules, with_zones(1));
    again.serialize(loader, whole ? tree : empty);
    for (NodeIndex node = 0; node < 4; ++node) {
      EXPECT_EQ(again.zone(node), zones.zone(node));
      EXPECT_EQ(again.by_sibling(node), zones.by_sibling(node));
    }
    EXPECT_TRUE(again.is_solver(3, 2) && !again.is_solver(1, 2));
  };
  load(8, 0);                              // as it was
  load(24, 4);                             // two decided nodes may have one zone
  EXPECT_THROW(load(8, 0, false), Error);  // of another tree
  EXPECT_THROW(load(8, 1), Error);         // solved by a sibling, and open
  EXPECT_THROW(load(8, 2), Error);         // two open ones
  EXPECT_THROW(load(8, 4), Error);         // an open one that of a decided one
  EXPECT_THROW(load(20, 2), Error);        // a decided one that of an open one
  EXPECT_THROW(load(16, 9), Error);        // a zone that there is not
  EXPECT_THROW(load(16, 8), Error);
  EXPECT_THROW(load(36, 1), Error);  // what has none has one
}

// Zones are made while tallies of a batch come in: before it is sent there is room for one of each
// node on the ways of leaves that wait. Here they are large, six words of which one is used.
TEST(ZonesTree, MemoryIsHeld) {
  using Large = Hex<6>;
  const auto rules = Large::make_rules(4, 4);
  const auto position = Large::initial(rules);
  const Claim claim{Player::kFirst, 1};
  int full = 0;
  for (int i = 0; i < 24; ++i) {
    SearchOptions options = with_zones(1);
    options.max_bytes = 30'000 + 4'321 * static_cast<std::uint64_t>(i);
    const std::uint32_t batch = std::array{1u, 7u, 64u}[static_cast<std::size_t>(i % 3)];
    const auto expect_held = [&](auto&& engine) {
      using Engine = std::remove_cvref_t<decltype(engine)>;
      std::vector<LeafRequest<Large>> requests;
      while (engine.stopped() == StopReason::kRunning) {
        requests.clear();
        engine.propose(batch, requests);
        std::uint64_t open = 0;
        if (batch == 1 && !requests.empty()) open = requests[0].state.count;
        std::vector<NodeIndex> waiting;
        if constexpr (requires { engine.waiting(); }) waiting = engine.waiting();
        walk<Large>(engine.tree(), rules, position, [&](NodeIndex index, auto&, auto& state) {
          const bool waits = std::binary_search(waiting.begin(), waiting.end(), index);
          open += waits ? state.count + 1 : 0;
        });
        std::uint64_t beside = engine.zones().most_bytes(0, open);
        if constexpr (requires { engine.patterns(); }) beside += engine.patterns()->used_bytes();
        ASSERT_LE(engine.tree().used_bytes() + beside, options.max_bytes)
            << batch << ' ' << __PRETTY_FUNCTION__;
        std::vector<Tally> tallies;
        for (const auto& request : requests) {
          tallies.push_back(hashed_tally(1, request.key.stream, request.playouts));
        }
        engine.absorb(tallies);
      }
      TreeCheck<Large>(rules, claim, SeenEngine<Large, Engine>(engine)).run(position, true);
      full += engine.stopped() == StopReason::kMemory &&
              engine.tree().used_bytes() > options.max_bytes / 2;
    };
    expect_held(BestFirst<Large, Pn>(rules, position, claim, Pn{}, {options}));
    expect_held(BestFirst<Large, Ppn>(rules, position, claim, Ppn{10, {false, 0.025}}, {options}));
    SearchOptions patterns = options;
    patterns.patterns = 16;
    expect_held(BestFirst<Large, Ppn>(rules, position, claim, Ppn{10, {false, 0.025}}, {patterns}));
    expect_held(Mcts<Large>(rules, position, claim, {5, MctsRule::Form::kPure, 0}, options));
    expect_held(Pn2<Large>(rules, position, claim, {options}));
  }
  EXPECT_GT(full, 24);
}

}  // namespace
}  // namespace playproof::zones_tree_faults_test
