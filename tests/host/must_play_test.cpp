// What the cells of a position say of its replies (host/knowledge/knowledge.h): against exhaustive
// search; each rule broken in turn in searches that keep a tree; faults in what a tree has of it.
// (Whole searches with it: zones_tree_test.cpp.)
#include "host/knowledge/knowledge.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "games/core/random_position.h"
#include "host/proof/tree_proof.h"
#include "host/solve/tree_solver.h"
#include "host/tree/best_first.h"
#include "host/tree/check.h"
#include "kernels/schemes/ews.h"
#include "kernels/schemes/pn.h"
#include "kernels/schemes/ppn.h"
#include "planted_hex.h"
#include "planted_proof.h"
#include "saved.h"
#include "support.h"
#include "trees.h"
#include "zone_truth.h"

namespace playproof::must_play_test {
namespace {

using Board = SmallHex::Board;
using State = SmallHex::State;
using Cells = SmallHex::Cells;

SearchOptions options_of(FillLevel fill, bool links, bool ask_selected) {
  SearchOptions options;
  options.zones = true;
  options.fill = fill;
  options.links = links;
  options.ask_selected = ask_selected;
  return options;
}

// Does the winner win positions drawn to match this zone of his?
bool claim_holds(SmallHex& truth, const State& state, Player winner, const Cells& zone,
                 std::uint64_t seed) {
  if (!(zone & Connection<Board>::stones(state, opponent(winner))).empty()) return false;
  const Cells needed = zone & Connection<Board>::stones(state, winner);
  const Player mover = Board::to_move(truth.rules(), state);
  for (std::uint64_t draw = 0; draw < 4; ++draw) {
    State match;
    if (!truth.draw_match(winner, needed, zone, mover, mix64(mix64(seed) + draw), &match)) continue;
    if (truth.winner(match) != winner) return false;
  }
  return true;
}

struct Seen {
  int decided = 0;
  int by_connection = 0;
  int left_out = 0;
  int put_off = 0;
};
void expect_true(SmallHex& truth, Knowledge<Board>& knowledge, bool only_links, const State& state,
                 Seen* seen) {
  const Claim claim;
  const Player mover = Board::to_move(truth.rules(), state);
  const Player winner = truth.winner(state);
  Move moves[Board::kMaxMoves];
  const int count = Board::moves(truth.rules(), state, moves);
  if (const auto known = knowledge.judge(state, claim)) {
    EXPECT_EQ(known->winner, winner);
    EXPECT_EQ(known->bounds, bounds_of<Board>(truth.rules(), winner, claim));
    EXPECT_TRUE(claim_holds(truth, state, winner, known->zone, state.stones[0][0]));
    ++seen->decided;
    seen->by_connection += known->evidence == Evidence::kLinks;
    return;
  }
  Move kept[Board::kMaxMoves];
  std::copy(moves, moves + count, kept);
  const auto [left, put_off] = knowledge.replies(state, kept, count);
  ASSERT_GT(left, 0);
  EXPECT_EQ(knowledge.must_play(state).size(), left);
  bool wins = false;
  std::vector<Cells> lost;
  for (int i = 0, next = 0; i < count; ++i) {
    const bool is_kept = next < left && kept[next] == moves[i];
    next += is_kept;
    State child = state;
    Board::play(truth.rules(), child, moves[i]);
    const bool won = truth.winner(child) == mover;
    wins = wins || (won && is_kept);
    if (!is_kept) {
      EXPECT_FALSE(won && only_links);  // in captured cells he wins where he wins without a move
      ++seen->left_out;
    }
    // The largest zone there is: all but what he plays himself.
    Cells zone = Cells::all(truth.rules().cells) - Connection<Board>::stones(child, mover);
    if (!won) lost.push_back(zone);
  }
  seen->put_off += (put_off & knowledge.must_play(state)).size();
  EXPECT_EQ(wins, winner == mover);
  if (winner == mover) return;
  const Cells zone = knowledge.zone_of_loss(state, lost);
  EXPECT_TRUE(knowledge.follows(state, lost, zone));
  EXPECT_FALSE(knowledge.follows(state, lost, {}));
  EXPECT_TRUE(claim_holds(truth, state, winner, zone, state.stones[1][0]));
}

TEST(MustPlay, SaysWhatIsTrue) {
  for (const auto& [rows, columns] : {std::pair{2, 2}, {2, 3}, {3, 2}, {2, 4}, {3, 3}}) {
    SmallHex truth(rows, columns);
    const std::vector<State> positions = truth.positions();
    for (const FillLevel fill :
         {FillLevel::kOff, FillLevel::kDead, FillLevel::kCaptured, FillLevel::kFull}) {
      for (const int asks : {0, 1, 2}) {  // when created; when selected, without and with links
        Knowledge<Board> knowledge(truth.rules(), options_of(fill, asks == 2, asks > 0),
                                   Moment::kEntered);
        EXPECT_EQ(knowledge.any(), fill != FillLevel::kOff || asks == 2);
        Seen seen;
        for (const State& state : positions) {
          if (state.count > 0) expect_true(truth, knowledge, fill == FillLevel::kOff, state, &seen);
          if (HasFailure()) return;
        }
        if (rows * columns < 9) continue;
        EXPECT_EQ(seen.decided > 0, asks == 2 || (asks == 1 && fill > FillLevel::kDead));
        EXPECT_EQ(seen.by_connection > 0, asks == 2);
        EXPECT_EQ(seen.left_out > 0, fill > FillLevel::kDead || asks == 2);
        EXPECT_EQ(seen.put_off > 0, fill != FillLevel::kOff);
      }
    }
  }
}

// Each rule broken in turn: how often verdicts, claims of zones and the checker tell.
struct Told {
  int searches = 0;
  int verdicts = 0;
  int claims = 0;
  int unsound = 0;  // what --selfcheck says
  int refused = 0;  // or not written
  int accepted = 0;
  int accepted_false = 0;
};
class Planted {
 public:
  Planted(BrokenRule fault, const SearchOptions& options) : options_(options) {
    PlantedHex::fault() = fault;
  }
  ~Planted() { PlantedHex::fault() = BrokenRule::kNone; }
  Planted(const Planted&) = delete;
  Planted& operator=(const Planted&) = delete;

  Told told() {
    SmallHex small(3, 3);
    const std::vector<State> positions = small.positions();
    for (std::size_t i = 0; i < positions.size(); i += nightly() ? 5 : 37) {
      look_at_all(small, positions[i], i);
    }
    for (const auto& [rows, columns] : {std::pair{3, 4}, {4, 3}}) {
      SmallHex large(rows, columns);
      for (int i = 0; i < (nightly() ? 300 : 30); ++i) {
        const auto seed = static_cast<std::uint64_t>(i);
        look_at_all(large, random_position<Board>(large.rules(), 2 + i % 4, seed), seed);
      }
    }
    return told_;
  }

 private:
  void look_at_all(SmallHex& truth, const State& position, std::uint64_t seed) {
    look_at(truth, position, seed, Pn{});
    look_at(truth, position, seed, Ppn{10, {false, 0.025}});
    look_at(truth, position, seed, Ews{10, EwsLeafWork::rollout()});
  }
  template <class S>
  void look_at(SmallHex& truth, const State& position, std::uint64_t seed, const S& scheme) {
    using Engine = BestFirst<PlantedHex, S>;
    const Claim claim{Board::to_move(truth.rules(), position), 1};
    Engine engine(truth.rules(), position, claim, scheme, {options_});
    drive<PlantedHex>(engine, kToTheEnd, 1, seed);
    ++told_.searches;
    if (engine.stopped() != StopReason::kDecided) return;
    const ProofClaim proof_claim{claim, engine.bounds().proves(1)};
    const bool right = proof_claim.prover() == truth.winner(position);
    told_.verdicts += !right;
    bool sound = true;
    walk<PlantedHex>(
        engine.tree(), truth.rules(), position, [&](NodeIndex index, auto& node, auto& state) {
          if (!node.decided || !sound) return;
          const Player winner = node.bounds.proves(1) ? claim.attacker : opponent(claim.attacker);
          if (Board::finished(truth.rules(), state)) return;
          sound = claim_holds(truth, state, winner, engine.zones().zone(index), seed);
        });
    told_.claims += !sound;
    const SeenEngine<PlantedHex, Engine> seen(engine);
    try {
      TreeCheck<PlantedHex>(truth.rules(), claim, seen).run(position);
    } catch (const Error&) {
      ++told_.unsound;
    }
    TreeProof<PlantedHex> proof(truth.rules(), seen, proof_claim, nullptr);
    const CardLimits limits{.knowledge = options_.of_cards()};
    const Certified certified =
        certified_by(truth.rules(), position, proof_claim, proof, {}, limits);
    told_.refused += certified != Certified::kAccepted;
    told_.accepted += certified == Certified::kAccepted;
    told_.accepted_false += certified == Certified::kAccepted && !right;
  }

  SearchOptions options_;
  Told told_;
};

TEST(MustPlay, NothingIsToldOfSoundSearches) {
  for (const bool ask_selected : {false, true}) {
    for (const bool links : {false, true}) {
      const Told told =
          Planted(BrokenRule::kNone, options_of(FillLevel::kFull, links, ask_selected)).told();
      EXPECT_EQ(told.verdicts + told.claims + told.unsound + told.refused, 0);
      EXPECT_EQ(told.accepted, told.searches);
    }
  }
  // No proof rests on which moves are put off.
  const Told told =
      Planted(BrokenRule::kPutOffAny, options_of(FillLevel::kFull, false, true)).told();
  EXPECT_EQ(told.verdicts + told.claims + told.unsound + told.refused, 0);
}

TEST(MustPlay, EachBrokenRuleIsFound) {
  const struct {
    const char* what;
    BrokenRule fault;
    SearchOptions options;
  } faults[] = {
      {"a threat without a cell", BrokenRule::kLinkCell, options_of(FillLevel::kOff, true, true)},
      {"a threat without its stones", BrokenRule::kLinkStones,
       options_of(FillLevel::kOff, true, true)},
      {"a threat as a full link", BrokenRule::kLinkSemi, options_of(FillLevel::kOff, true, true)},
      {"filled cells without their reasons", BrokenRule::kFillReason,
       options_of(FillLevel::kCaptured, false, true)},
      {"the same, asked at once", BrokenRule::kFillReason,
       options_of(FillLevel::kCaptured, false, false)},
      {"a cell that is not captured", BrokenRule::kFillFree,
       options_of(FillLevel::kCaptured, false, true)},
      {"the same, asked at once", BrokenRule::kFillFree,
       options_of(FillLevel::kCaptured, false, false)},
      {"moves put off as lost ones", BrokenRule::kPutOff,
       options_of(FillLevel::kFull, false, true)},
      {"moves that make each other worthless", BrokenRule::kPutOffMutual,
       options_of(FillLevel::kFull, false, true)},
  };
  for (const auto& [what, fault, options] : faults) {
    SCOPED_TRACE(what);
    const Told told = Planted(fault, options).told();
    EXPECT_GT(told.verdicts + told.claims, 0);
    EXPECT_GT(told.refused, 0);
    EXPECT_EQ(told.accepted_false, 0);
  }
}

// Faults in what a search under way has of it are found, and no state with one is loaded.
using Engine = BestFirst<Board, Ppn>;
struct Searched {
  SolveRequest request = ask("hex:size=5", "ppn:fill=full,playouts=8", "a1");
  std::unique_ptr<Solver> solver = make_solver(request);
  std::optional<NodeIndex> decided;  // a leaf that its cells have decided
  std::optional<NodeIndex> asleep;   // one that is put off
  std::optional<NodeIndex> fewer;    // a node with fewer children than moves
  std::uint32_t depth = 0;           // of that

  Searched() {
    while (!(decided && asleep && fewer) && solver->step(1) == StopReason::kRunning) look();
  }
  const Engine& engine() const {
    return dynamic_cast<const TreeSolver<Board, Engine>&>(*solver).engine();
  }
  Tree<Ppn::Label>& tree() const { return const_cast<Tree<Ppn::Label>&>(engine().tree()); }

 private:
  void look() {
    const auto rules = Board::make_rules(5, 5);
    State position = Board::initial(rules);
    Board::play(rules, position, 0);
    walk<Board>(engine().tree(), rules, position, [&](NodeIndex index, auto& node, auto& state) {
      if (index == 0 || Board::finished(rules, state)) return;
      if (node.decided && node.edges == 0 && !engine().zones().by_sibling(index)) decided = index;
      if (node.sleeps()) asleep = index;
      if (!node.decided && node.edges > 1 && node.edges < 25 - state.count) fewer = index;
    });
  }
};
void expect_found(const char* what, void (*plant)(const Searched&)) {
  SCOPED_TRACE(what);
  const Searched searched;
  ASSERT_TRUE(searched.decided && searched.asleep && searched.fewer);
  searched.solver->self_check();
  resumed(searched.request, saved(*searched.solver));
  plant(searched);
  EXPECT_THROW(searched.solver->self_check(), Error);
  EXPECT_THROW(resumed(searched.request, saved(*searched.solver)), Error);
}
TEST(MustPlay, FaultsAreFound) {
  expect_found("the other one has won", [](const Searched& s) {
    auto& node = s.tree().node(*s.decided);
    const bool proved = node.bounds.proves(1);
    node.bounds = Bounds::exact(proved ? Value{-1} : Value{1});
    node.label = proved ? s.engine().scheme().disproved() : s.engine().scheme().proved();
  });
  expect_found("it is not decided", [](const Searched& s) {
    auto& node = s.tree().node(*s.decided);
    node.bounds = Bounds::unknown(-1, 1);
    node.decided = false;
  });
  expect_found("another zone", [](const Searched& s) {
    auto& zones = const_cast<TreeZones<Board>&>(s.engine().zones());
    zones.set(*s.decided, CellSet<1>::all(25));
  });
  expect_found("decided, and nobody says so", [](const Searched& s) {
    auto& node = s.tree().node(*s.asleep);
    node.bounds = Bounds::exact(-1);
    node.label = s.engine().scheme().disproved();
    node.decided = true;
    node.pending = false;
  });
  expect_found("it is awake", [](const Searched& s) {
    auto& node = s.tree().node(*s.asleep);
    node.label = Ppn{3, {false, 0.1}}.leaf({.reached = 1, .playouts = 3});
    node.pending = false;
  });
  expect_found("the numbers of one that is not lost", [](const Searched& s) {
    s.tree().node(*s.asleep).label = Ppn{3, {false, 0.1}}.leaf({.reached = 1, .playouts = 3});
  });
  expect_found("a reply that is not in the must-play", [](const Searched& s) {
    const auto& node = s.tree().node(*s.fewer);
    s.tree().edge(node.first_edge).move =
        static_cast<Move>(24 - s.tree().edge(node.first_edge).move);
  });
  expect_found("a reply less", [](const Searched& s) { --s.tree().node(*s.fewer).edges; });
}

// Replies that are put off are not searched in batches either while others are open; and a search
// of which batches are out can be saved and goes on as it would have.
TEST(MustPlay, InBatchesThatAreOut) {
  int saved_states = 0;
  for (const char* algorithm :
       {"pn:leaf=playouts,playouts=2", "pn:leaf=playouts,playouts=2,ties=deepest",
        "mcpn:playouts=2", "ppn:playouts=2", "ews:playouts=3"}) {
    for (const char* knows : {",fill=dead", ",fill=full", ",fill=full,ask=created"}) {
      for (std::uint64_t seed = 1; seed <= (nightly() ? 40u : 2u); ++seed) {
        SolveRequest request =
            ask("hex:rows=3,columns=4", std::string(algorithm) + knows, seed % 2 == 0 ? "" : "a1");
        request.batch = static_cast<std::uint32_t>(1 + seed % 5);
        request.pipeline = static_cast<std::uint32_t>(1 + seed % 4);
        request.seed = seed;
        SCOPED_TRACE(request.algorithm + " seed " + std::to_string(seed));
        const auto whole = make_solver(request);
        finish(*whole);
        auto pieces = make_solver(request);
        while (pieces->step(1) == StopReason::kRunning) {
          if (!pieces->resumable()) continue;
          ASSERT_NO_THROW(pieces->self_check());
          ASSERT_NO_THROW(pieces = resumed(request, saved(*pieces)));
          ++saved_states;
        }
        expect_same_search(pieces->result(), whole->result());
      }
    }
  }
  EXPECT_GT(saved_states, nightly() ? 1000 : 500);
}

}  // namespace
}  // namespace playproof::must_play_test
