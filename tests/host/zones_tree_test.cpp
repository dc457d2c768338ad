// Proof zones in the searches that keep a tree: verdicts, moves and certificates against exhaustive
// search, the claim of each zone against positions drawn to match it, searches in batches and in
// pieces, and each rule of host/zone/zone.h broken in turn.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "broken_hex.h"
#include "certified.h"
#include "games/core/error.h"
#include "games/hex/connection.h"
#include "games/hex/reference.h"
#include "host/proof/strategy.h"
#include "host/proof/tree_proof.h"
#include "host/solve/tree_solver.h"
#include "host/tree/check.h"
#include "host/tree/pn2.h"
#include "kernels/schemes/deep_pn.h"
#include "kernels/schemes/ews.h"
#include "kernels/schemes/mcpn.h"
#include "kernels/schemes/ppn.h"
#include "kernels/schemes/wpns.h"
#include "saved.h"
#include "support.h"
#include "tests/conformance.h"
#include "trees.h"

namespace playproof {

namespace {

using Board = Hex<1>;

// Who wins any board of few cells with either side to move, however many stones there are.
class AllPositions {
 public:
  explicit AllPositions(const Board::Rules& rules)
      : rules_(rules), ref_{rules.rows, rules.columns} {
    std::size_t boards = 1;
    for (int i = 0; i < rules.cells; ++i) boards *= 3;
    winner_.assign(2 * boards, 0);
  }
  // cells: '.', 'B', 'W'.
  bool black_wins(std::string& cells, bool black_moves) {
    std::size_t code = black_moves ? 1 : 0;
    for (const char c : cells) code = 3 * code + (c == '.' ? 0 : c == 'B' ? 1 : 2);
    char& known = winner_[code];
    if (known == 0) known = search(cells, black_moves) ? 'B' : 'W';
    return known == 'B';
  }
  bool black_wins(const Board::State& s) {
    std::string cells = cells_of(s);
    return black_wins(cells, Board::to_move(rules_, s) == Player::kFirst);
  }
  std::string cells_of(const Board::State& s) const {
    std::string cells(rules_.cells, '.');
    for (int i = 0; i < rules_.cells; ++i) {
      if (has_cell(s.stones[0], i)) cells[i] = 'B';
      if (has_cell(s.stones[1], i)) cells[i] = 'W';
    }
    return cells;
  }
  // Those that can come up, not finished; Black has begun.
  std::vector<Board::State> legal() const {
    std::vector<Board::State> found;
    add_legal(0, Board::State{}, found);
    return found;
  }

 private:
  bool search(std::string& cells, bool black_moves) {
    RefHex::State state{{cells.begin(), cells.end()}};
    if (RefHex::finished(ref_, state)) return RefHex::value(ref_, state) > 0;
    for (char& cell : cells) {
      if (cell != '.') continue;
      cell = black_moves ? 'B' : 'W';
      const bool black = black_wins(cells, !black_moves);
      cell = '.';
      if (black == black_moves) return black;
    }
    return !black_moves;
  }
  void add_legal(int cell, const Board::State& s, std::vector<Board::State>& found) const {
    if (cell < rules_.cells) {
      add_legal(cell + 1, s, found);
      for (int player = 0; player < 2; ++player) {
        Board::State next = s;
        add_cell(next.stones[player], cell);
        ++next.count;
        add_legal(cell + 1, next, found);
      }
      return;
    }
    const int black = popcount64(s.stones[0][0]);
    const int white = popcount64(s.stones[1][0]);
    if (black != white && black != white + 1) return;
    const std::string cells = cells_of(s);
    if (!RefHex::finished(ref_, {{cells.begin(), cells.end()}})) found.push_back(s);
  }

  Board::Rules rules_;
  RefHex::Rules ref_;
  std::vector<char> winner_;
};

// What best-first search may know beside zones.
struct Knows {
  bool bridges = false;
  bool links = false;
  int patterns = 0;
  FillLevel fill = FillLevel::kOff;
  bool ask_selected = false;
};
constexpr Knows kNothing;
constexpr Knows kBridges{.bridges = true};
constexpr Knows kLinks{.links = true};
constexpr Knows kPatterns{.patterns = 64};
constexpr Knows kAll[] = {
    kNothing,
    kBridges,
    kLinks,
    kPatterns,
    {.patterns = 16},
    {.bridges = true, .patterns = 64},
    {.links = true, .patterns = 64},
    {.fill = FillLevel::kDead},
    {.fill = FillLevel::kCaptured},
    {.bridges = true, .fill = FillLevel::kFull, .ask_selected = true},
    {.links = true, .fill = FillLevel::kFull},
    {.links = true, .patterns = 16, .ask_selected = true},
    {.links = true, .patterns = 64, .fill = FillLevel::kFull, .ask_selected = true}};

SearchOptions with_zones(std::uint64_t seed, Knows knows = kNothing) {
  SearchOptions options;
  options.bridges = knows.bridges;
  options.links = knows.links;
  options.patterns = knows.patterns;
  options.fill = knows.fill;
  options.ask_selected = knows.ask_selected;
  options.zones = true;
  options.max_bytes = std::uint64_t{1} << 22;
  options.random_order = seed % 3 == 0;
  options.order_seed = seed;
  options.early_break = seed % 4 != 0;
  return options;
}

// Calls f(engine) with every scheme of best-first search, made for this position.
template <class G, class F>
void for_each_best_first(const Board::Rules& rules, const Board::State& position,
                         std::uint64_t seed, Knows knows, F&& f) {
  const Claim claim{G::to_move(rules, position), 1};
  const SearchOptions options = with_zones(seed, knows);
  const auto best_first = [&](const auto& scheme, StopRule stop, bool path = false) {
    using Engine = BestFirst<G, std::remove_cvref_t<decltype(scheme)>>;
    f(Engine(rules, position, claim, scheme, {options, stop, path}));
  };
  best_first(Pn{}, StopRule::kOwn);
  if constexpr (std::is_same_v<G, Board>) {
    best_first(Pn{true}, StopRule::kOne, true);
    best_first(DeepestPn{}, StopRule::kAllis);
    best_first(DeepPn{0.65, false}, StopRule::kAllis);
    best_first(Wpns{}, StopRule::kNone);
    best_first(Mcpn{10, {true, 0}}, StopRule::kAllis);
    best_first(Ppn{10, {false, 0.025}}, StopRule::kAllis);
    best_first(Ews{10, EwsLeafWork::rollout()}, StopRule::kAllis);
  }
}
// Calls f(engine) with every engine and scheme, the best-first ones with all that they may know.
template <class G, class F>
void for_each_engine(const Board::Rules& rules, const Board::State& position, std::uint64_t seed,
                     F&& f) {
  const Claim claim{G::to_move(rules, position), 1};
  const SearchOptions options = with_zones(seed);
  if constexpr (std::is_same_v<G, Board>) {
    for (const Knows knows : kAll) for_each_best_first<G>(rules, position, seed, knows, f);
    for (const bool immediate : {false, true}) {
      typename Pn2<G>::Options two{options};
      two.immediate = immediate;
      f(Pn2<G>(rules, position, claim, two));
    }
    const MctsRule sign{10, MctsRule::Form::kOutside, 2, MctsRule::Reward::kSign};
    f(Mcts<G>(rules, position, claim, sign, options));
  } else {
    for_each_best_first<G>(rules, position, seed, kNothing, f);
  }
  f(Mcts<G>(rules, position, claim, {5, MctsRule::Form::kPure, 0}, options));
}

// What is wrong with a search that has ended; empty: nothing.
template <class G, class Engine>
std::string fault_of(const Engine& engine, const Board::Rules& rules, const Board::State& position,
                     bool reached) {
  if (engine.stopped() != StopReason::kDecided) return "not decided";
  if (engine.bounds().proves(1) != reached) return "verdict";
  try {
    TreeCheck<G, Engine>(rules, engine.claim(), engine).run(position);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// Every `step`-th position of a board.
template <class Check>
void for_some(int rows, int columns, std::size_t step, Check&& check) {
  const auto rules = Board::make_rules(rows, columns);
  AllPositions all(rules);
  const auto positions = all.legal();
  ASSERT_FALSE(positions.empty());
  for (std::size_t i = rows % step; i < positions.size(); i += step) {
    check(rules, all, positions[i], i);
    if (::testing::Test::HasFailure()) return;
  }
}
constexpr std::pair<int, int> kBoards[] = {{2, 2}, {2, 3}, {3, 2}, {2, 4}, {4, 2}, {3, 3}};

// Leaves that cite what another player won, and those whose winner has one stone less.
template <class Engine>
void count_citations(const Engine& engine, const Board::Rules& rules, const Board::State& position,
                     std::uint64_t* exchanged, std::uint64_t* missing) {
  if constexpr (requires { engine.patterns(); }) {
    const auto& patterns = *engine.patterns();
    if (patterns.citations() == 0) return;
    std::vector<Board::State> states(engine.tree().nodes());
    walk<Board>(engine.tree(), rules, position,
                [&](NodeIndex index, auto&, auto& state) { states[index] = state; });
    for (std::uint32_t i = 0; i < patterns.citations(); ++i) {
      const auto& [leaf, source] = patterns.citation(i);
      const auto& maps = patterns.kept().maps();
      *exchanged += maps.exchanges(source.map);
      const bool proved = engine.tree().node(source.node).bounds.proves(1);
      const Player winner = proved ? engine.claim().attacker : opponent(engine.claim().attacker);
      const auto stones = Connection<Board>::stones(states[source.node], winner);
      const auto needed = maps.turned(source.map, stones & engine.zones().zone(source.node));
      const Player there = maps.turned(source.map, winner);
      *missing += !needed.within(Connection<Board>::stones(states[leaf], there));
    }
  }
}

TEST(ZonesTree, EveryEngineIsRight) {
  std::uint64_t searches = 0;
  std::uint64_t solved = 0;
  std::uint64_t cited = 0;
  std::uint64_t exchanged = 0;
  std::uint64_t missing = 0;
  for (const auto& [rows, columns] : kBoards) {
    const std::size_t step = nightly() || rows * columns < 8 ? 1 : rows * columns == 9 ? 71 : 17;
    for_some(rows, columns, step, [&](const auto& rules, auto& all, const auto& position, auto i) {
      const bool attacker = Board::to_move(rules, position) == Player::kFirst;
      const bool reached = all.black_wins(position) == attacker;
      for (const std::uint32_t batch : {1u, 5u}) {
        for_each_engine<Board>(rules, position, i, [&](auto&& engine) {
          using Engine = std::remove_cvref_t<decltype(engine)>;
          drive<Board>(engine, kToTheEnd, batch, i);
          EXPECT_EQ((fault_of<Board, Engine>(engine, rules, position, reached)), "")
              << all.cells_of(position) << " batch " << batch << ' ' << __PRETTY_FUNCTION__;
          ++searches;
          for (NodeIndex node = 0; node < engine.tree().nodes(); ++node) {
            solved += engine.zones().by_sibling(node);
          }
          cited += engine.counters().pattern_hits;
          count_citations(engine, rules, position, &exchanged, &missing);
        });
      }
    });
  }
  EXPECT_GT(searches, 1000u);
  EXPECT_GT(solved, searches / 2);
  EXPECT_GT(cited, 1000u);
  EXPECT_GT(exchanged, 100u);
  EXPECT_GT(missing, 100u);
}

// Between two batches too.
TEST(ZonesTree, EveryStepIsSound) {
  for_some(3, 3, nightly() ? 40 : 250, [](const auto& rules, auto&, const auto& position, auto i) {
    for (const std::uint32_t batch : {1u, 3u, 16u}) {
      for_each_engine<Board>(rules, position, i, [&](auto&& engine) {
        using Engine = std::remove_cvref_t<decltype(engine)>;
        while (engine.stopped() == StopReason::kRunning) {
          drive<Board>(engine, 1, batch, i);
          TreeCheck<Board, Engine>(rules, engine.claim(), engine).run(position, true);
        }
      });
    }
  });
}

// Does the winner of a decided node win positions drawn to match its zone?
template <class G, class Engine>
bool claim_holds(const Engine& engine, const Board::Rules& rules, const Board::State& state,
                 NodeIndex node, AllPositions& all, Draws& draws) {
  const Claim& claim = engine.claim();
  const bool proved = engine.tree().node(node).bounds.proves(claim.threshold);
  const Player winner = proved ? claim.attacker : opponent(claim.attacker);
  const bool black = winner == Player::kFirst;
  const CellSet<1> zone = engine.zones().zone(node);
  const std::string cells = all.cells_of(state);
  for (int i = 0; i < 8; ++i) {
    std::string match = cells;
    for (int c = 0; c < rules.cells; ++c) {
      if (!zone.has(c)) match[c] = "BW."[draws.below(3)];
      if (zone.has(c) && cells[c] == '.' && draws.below(4) == 0) match[c] = black ? 'B' : 'W';
    }
    if (all.black_wins(match, G::to_move(rules, state) == Player::kFirst) != black) return false;
  }
  return true;
}

TEST(ZonesTree, ZonesClaimWhatIsTrue) {
  std::uint64_t zones = 0;
  Draws draws(7);
  const auto check = [&](const auto& rules, auto& all, const auto& position, auto i) {
    for_each_engine<Board>(rules, position, i, [&](auto&& engine) {
      drive<Board>(engine, kToTheEnd, 1 + i % 4, i);
      walk<Board>(engine.tree(), rules, position, [&](NodeIndex index, auto& node, auto& state) {
        if (!node.decided || !engine.zones().on()) return;
        ++zones;
        EXPECT_TRUE((claim_holds<Board>(engine, rules, state, index, all, draws)))
            << all.cells_of(state) << " of " << all.cells_of(position);
      });
    });
  };
  for (const auto& [rows, columns] : kBoards) {
    for_some(rows, columns, nightly() ? 5 : 31, check);
  }
  EXPECT_GT(zones, 10'000u);
}

// The prover's moves hold against whatever the opponent plays, also where a sibling has solved his
// reply, and a strategy that is kept plays the same, as far as it goes: not below what a probe
// decides.
template <class Engine>
void expect_answered(const Engine& engine, const Board::Rules& rules,
                     const Board::State& position) {
  using Proof = TreeProof<Board, Engine>;
  const ProofClaim claim{engine.claim(), engine.bounds().proves(1)};
  Proof proof(rules, engine, claim, Proof::cite(rules, engine, position));
  const Strategy strategy = strategy_of<Board>(rules, position, proof, {});
  struct Place {
    Board::State state;
    typename Proof::Handle at;
    bool kept;
  };
  std::vector<Place> waiting{{position, {}, true}};
  std::size_t next = 0;
  while (!waiting.empty()) {
    const auto [state, at, kept] = waiting.back();
    waiting.pop_back();
    if (Board::finished(rules, state)) {
      const bool proved = value_for(engine.claim().attacker, Board::value(rules, state)) > 0;
      EXPECT_EQ(proved, claim.proved);
      continue;
    }
    const bool one = Board::to_move(rules, state) == claim.prover();
    typename Proof::Replies replies;
    proof.replies(at, state, one, replies);
    Move moves[Board::kMaxMoves];
    const auto legal = static_cast<std::size_t>(Board::moves(rules, state, moves));
    ASSERT_EQ(replies.size(), one ? 1 : legal);
    if (one && kept) {
      EXPECT_EQ(strategy.at(next++), replies[0].first);
    }
    for (auto reply = replies.rbegin(); reply != replies.rend(); ++reply) {
      EXPECT_TRUE(std::find(moves, moves + legal, reply->first) != moves + legal);
      EXPECT_NO_THROW(proof.after(at, state, reply->first));
      Board::State child = state;
      Board::play(rules, child, reply->first);
      const bool ends = Board::finished(rules, child) || proof.is_probed(child);
      waiting.push_back({child, reply->second, kept && !ends});
    }
  }
  EXPECT_EQ(next, strategy.size());
}
TEST(ZonesTree, EveryReplyIsAnswered) {
  const auto check = [](const auto& rules, auto&, const auto& position, auto i) {
    for_each_engine<Board>(rules, position, i, [&](auto&& engine) {
      drive<Board>(engine, kToTheEnd, i % 2 == 0 ? 1 : 3, i);
      expect_answered(engine, rules, position);
    });
  };
  for (const auto& [rows, columns] : kBoards) for_some(rows, columns, nightly() ? 7 : 61, check);
}

// Each rule broken: how often verdicts, the check of trees and the claims of zones tell.
struct Told {
  int verdicts = 0;
  int checks = 0;
  int claims = 0;
};
template <Broken B>
Told told_by(Knows knows = kNothing) {
  Told told;
  Draws draws(3);
  using G = BrokenHex<B>;
  const auto check = [&](const auto& rules, auto& all, const auto& position, auto i) {
    const bool attacker = Board::to_move(rules, position) == Player::kFirst;
    const bool reached = all.black_wins(position) == attacker;
    const auto look_at = [&](auto&& engine) {
      using Engine = std::remove_cvref_t<decltype(engine)>;
      drive<G>(engine, kToTheEnd, 1, i);
      const std::string fault = fault_of<G, Engine>(engine, rules, position, reached);
      told.verdicts += fault == "verdict";
      told.checks += fault.starts_with("node ");
      bool sound = true;
      walk<G>(engine.tree(), rules, position, [&](NodeIndex index, auto& node, auto& state) {
        sound = sound && (!node.decided || claim_holds<G>(engine, rules, state, index, all, draws));
      });
      told.claims += !sound;
    };
    if (!knows.bridges && !knows.links && knows.patterns == 0) {
      for_each_engine<G>(rules, position, i, look_at);
    } else {
      for_each_best_first<G>(rules, position, i, knows, look_at);
    }
  };
  for_some(3, 3, 19, check);
  return told;
}
TEST(ZonesTree, EachBrokenRuleIsFound) {
  const std::array<std::pair<const char*, Told>, 4> all = {
      {{"a winning set without a cell", told_by<Broken::kFinished>()},
       {"the zone of the child without a cell", told_by<Broken::kWon>()},
       {"a union without a reply", told_by<Broken::kLost>()},
       {"siblings inside the zone", told_by<Broken::kOutside>()}}};
  for (const auto& [what, told] : all) {
    EXPECT_GT(told.verdicts, 0) << what;
    EXPECT_GT(told.checks, 0) << what;
    EXPECT_GT(told.claims, 0) << what;
  }
  // What a probe says wrongly the check of trees asks again, and hears the same.
  const std::array<std::pair<const char*, Told>, 2> probes = {
      {{"a chain without a pair", told_by<Broken::kChain>(kBridges)},
       {"a carrier without a cell", told_by<Broken::kCarrier>(kLinks)}}};
  for (const auto& [what, told] : probes) {
    EXPECT_GT(told.verdicts, 0) << what;
    EXPECT_GT(told.claims, 0) << what;
  }
  const std::array<std::pair<const char*, Told>, 4> patterns = {
      {{"a stone of the loser in a pattern", told_by<Broken::kPatternZone>(kPatterns)},
       {"a needed stone is not there", told_by<Broken::kPatternStones>(kPatterns)},
       {"whoever moves", told_by<Broken::kPatternMover>(kPatterns)},
       {"mirrored, and the players are not", told_by<Broken::kPatternMirror>(kPatterns)}}};
  for (const auto& [what, told] : patterns) {
    EXPECT_GT(told.verdicts, 0) << what;
    EXPECT_GT(told.checks, 0) << what;
    EXPECT_GT(told.claims, 0) << what;
  }
}

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
      TreeCheck<Large, Engine>(rules, claim, engine).run(position, true);
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

// Whole searches with certificates, moves and lines. A text as "b2 a1 c3".
std::string random_moves(const Board::Rules& rules, int stones, Draws& draws) {
  while (true) {
    Board::State state = Board::initial(rules);
    std::string text;
    while (state.count < stones && !Board::finished(rules, state)) {
      Move moves[Board::kMaxMoves];
      const Move move = moves[draws.below(Board::moves(rules, state, moves))];
      text += GameText<Board>::move_text(rules, move) + ' ';
      Board::play(rules, state, move);
    }
    if (!Board::finished(rules, state)) return text;
  }
}
const std::vector<std::string>& algorithms() {
  static const std::vector<std::string> all = {"pn",
                                               "pn:ties=path,stop=one",
                                               "pn:leaf=playouts,playouts=8",
                                               "pn2",
                                               "pn2:evaluate=immediate",
                                               "deeppn",
                                               "wpns",
                                               "mcpn",
                                               "ppn:order=random",
                                               "ppn:playouts=4",
                                               "ews",
                                               "ews:leaf=rollout,playouts=4",
                                               "mcts",
                                               "uct",
                                               "uct:reward=sign,order=random",
                                               "pn:probe=bridges",
                                               "pn:probe=connections",
                                               "deeppn:probe=connections",
                                               "wpns:probe=bridges",
                                               "mcpn:probe=connections",
                                               "ppn:probe=bridges",
                                               "ppn:probe=connections,order=random",
                                               "ews:probe=bridges",
                                               "ews:probe=connections",
                                               "pn:patterns=20",
                                               "pn:leaf=both,patterns=20,earlybreak=off",
                                               "deeppn:patterns=20",
                                               "wpns:patterns=20,probe=bridges",
                                               "mcpn:patterns=1000",
                                               "ppn:patterns=20,order=random",
                                               "ppn:patterns=1000,probe=bridges",
                                               "ppn:patterns=20,probe=connections",
                                               "ews:patterns=20",
                                               "ews:patterns=1000,probe=bridges",
                                               "pn:fill=full,ask=selected",
                                               "pn:stop=one,fill=captured,ask=created",
                                               "deeppn:fill=dead,patterns=20",
                                               "wpns:fill=full,ask=created",
                                               "mcpn:probe=bridges,fill=full,earlybreak=off",
                                               "ppn:fill=full,order=random",
                                               "ppn:probe=connections,ask=selected",
                                               "ppn:probe=connections,fill=full,patterns=20",
                                               "ews:probe=connections,fill=captured,ask=created",
                                               "ews:patterns=1000,fill=full"};
  return all;
}
void expect_all_right(int rows, int columns, int stones, int positions, std::uint64_t seed) {
  const auto rules = Board::make_rules(rows, columns);
  const std::string game =
      "hex:rows=" + std::to_string(rows) + ",columns=" + std::to_string(columns);
  Draws draws(seed);
  for (int i = 0; i < positions; ++i) {
    const std::string position = random_moves(rules, stones, draws);
    const Truth right = truth(game, position);
    std::size_t turn = 0;
    for (const std::string& algorithm : algorithms()) {
      if (++turn % 3 != static_cast<std::size_t>(i % 3) && !nightly()) continue;
      for (const char* goal : {"win", "value"}) {
        SolveRequest request = ask(game, algorithm, position, goal);
        request.batch = i % 2 == 0 ? 1 : 4;
        expect_right(request, right);
      }
    }
    if (::testing::Test::HasFailure()) return;
  }
}
TEST(ZonesTree, SolversAgree) {
  const int more = nightly() ? 40 : 1;
  expect_all_right(3, 3, 0, 1, 1);
  expect_all_right(3, 3, 1, 3 * more, 2);
  expect_all_right(3, 3, 2, 6 * more, 3);
  expect_all_right(4, 4, 6, 4 * more, 4);
  expect_all_right(3, 5, 5, 4 * more, 5);
  expect_all_right(2, 8, 6, 4 * more, 6);
}

// What proves it is written as cards, few of them.
TEST(ZonesTree, ProofsAreCards) {
  for (const std::string& algorithm : algorithms()) {
    SolveRequest request = ask("hex:size=3", algorithm, "a1", "win");
    request.certificate = true;
    const auto solver = make_solver(request);
    finish(*solver);
    std::string text;
    expect_certified(*solver, request, solver->result(), &text);
    const bool links = algorithm.find("connections") != std::string::npos;
    const bool fills = algorithm.find("fill=full") != std::string::npos ||
                       algorithm.find("fill=captured") != std::string::npos;
    const char* version = fills ? "4" : links ? "3" : "2";
    EXPECT_TRUE(text.starts_with(std::string("playproof-certificate ") + version + '\n')) << text;
    EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 120) << algorithm;
  }
}

TEST(ZonesTree, InPiecesIsTheSameSearch) {
  for (const std::string& algorithm : algorithms()) {
    for (const std::uint32_t batch : {1u, 6u}) {
      SCOPED_TRACE(algorithm + " batch " + std::to_string(batch));
      SolveRequest request = ask("hex:size=4", algorithm, "b3 c2");
      request.batch = batch;
      request.certificate = true;
      request.limits.max_nodes = 4000;
      const auto whole = make_solver(request);
      finish(*whole);
      auto pieces = make_solver(request);
      Draws draws(batch);
      while (pieces->step(1 + draws.below(60)) == StopReason::kRunning) {
        pieces = resumed(request, saved(*pieces));
      }
      expect_same_search(pieces->result(), whole->result());
      EXPECT_EQ(pieces->interim_moves(), whole->interim_moves());
    }
  }
}

// Searches become smaller, by default, and games without zones take the option and do nothing.
TEST(ZonesTree, OnAndOff) {
  for (const char* name : {"pn", "ppn", "mcts"}) {
    const auto nodes = [&](const std::string& game, const char* position, const char* zones) {
      return solve(ask(game, std::string(name) + zones, position)).counters.nodes_created;
    };
    const std::uint64_t on = nodes("hex:size=4", "b3 b2", "");
    EXPECT_EQ(on, nodes("hex:size=4", "b3 b2", ":zones=on")) << name;
    EXPECT_LT(on, nodes("hex:size=4", "b3 b2", ":zones=off")) << name;
    EXPECT_EQ(nodes("othello:size=4", "", ":zones=on"), nodes("othello:size=4", "", ""));
    EXPECT_EQ(nodes("othello:size=4", "", ":zones=off"), nodes("othello:size=4", "", ""));
  }
}

}  // namespace
}  // namespace playproof
