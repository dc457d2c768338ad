// Whole searches on the emulated device, count for count those of the CPU's engine
// (host/tree/best_first.h): every scheme and game, both update stops, orders, limits, small shares.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <initializer_list>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "games/connect/races.h"
#include "games/connect/reference_of.h"
#include "games/connect/rules.h"
#include "games/hex/connection.h"
#include "games/hex/identity.h"
#include "games/hex/reference_of.h"
#include "games/hex/rules.h"
#include "games/nim/reference_of.h"
#include "games/nim/rules.h"
#include "games/othello/reference_of.h"
#include "games/othello/rules.h"
#include "host/tree/best_first.h"
#include "host/tree/mcts.h"
#include "kernels/common/reference_playouts.h"
#include "kernels/connect/leaf_playouts.h"
#include "kernels/generic/playouts.h"
#include "kernels/hex/leaf_playouts.h"
#include "kernels/othello/leaf_playouts.h"
#include "kernels/pgame/engines.h"
#include "kernels/pgame/leaf_playouts.h"
#include "kernels/schemes/deep_pn.h"
#include "kernels/schemes/ews.h"
#include "kernels/schemes/mcpn.h"
#include "kernels/schemes/pn.h"
#include "kernels/schemes/ppn.h"
#include "kernels/schemes/wpns.h"
#include "kernels/search/device_searches.h"
#include "tests/kernels/positions.h"
#include "tests/nightly.h"

namespace playproof {
namespace {

// In ascending order: those that are proved to reach the goal, or the lower bound if that is less;
// undecided, those that tie.
template <Game G>
std::vector<Move> best_moves(const TreeRequest<G>& request, const auto& search) {
  const auto& root = search.tree().node(0);
  const auto children = search.tree().children(root);
  std::vector<int> ties;
  if (!root.decided) search.root_ties(ties);
  for (int i = 0; root.decided && i < children.size(); ++i) {
    if (!children.created(i)) continue;
    const Value bound = std::min(request.claim.threshold, root.bounds.lower());
    if (children[i].bounds.proves(bound)) ties.push_back(i);
  }
  std::vector<Move> moves;
  for (const int i : ties) moves.push_back(children.edge(i).move);
  std::sort(moves.begin(), moves.end());
  return moves;
}
// A point of the error curve, where the share of wrong moves is another one than before.
template <Game G>
void add_errors(const TreeRequest<G>& request, const auto& search, std::vector<CurvePoint>* curve) {
  CurvePoint now;
  now.iteration = static_cast<std::uint32_t>(search.counters().iterations);
  if (search.stopped() != StopReason::kDecided) {
    const std::vector<Move> tied = best_moves<G>(request, search);
    now.tied = static_cast<std::uint16_t>(tied.size());
    now.wrong = static_cast<std::uint16_t>(std::ranges::count_if(
        tied, [&](Move move) { return (request.right_moves >> move & 1) == 0; }));
  }
  const auto share = [](const CurvePoint& point) { return double(point.wrong) / point.tied; };
  if (share(now) != share(curve->back())) curve->push_back(now);
}

template <Game G, class S>
struct EngineBy {
  using Type = BestFirst<G, S>;
  static void set_up(const TreeOptions& options, typename Type::Options* all) {
    all->stop = options.stop;
    all->stay_on_path = options.stay_on_path;
    all->early_break = options.early_break;
  }
};
template <Game G>
struct EngineBy<G, MctsRule> {
  using Type = Mcts<G>;
  static void set_up(const TreeOptions& /*options*/, typename Type::Options* /*all*/) {}
};

// The CPU's engine, one leaf at a time, with the playouts of the engine `reference`. The curve is
// taken if there is one to be filled in.
template <Game G, class S>
TreeResult search_on_cpu(const typename G::Rules& rules, const S& scheme,
                         const TreeOptions& options, const TreeRequest<G>& request,
                         std::vector<CurvePoint>* curve = nullptr) {
  using Engine = typename EngineBy<G, S>::Type;
  typename Engine::Options all;
  EngineBy<G, S>::set_up(options, &all);
  all.random_order = options.random_order;
  all.order_seed = request.order_seed;
  all.seed = request.seed;
  all.max_nodes = request.max_nodes;
  all.max_bytes = std::uint64_t{1} << 24;
  Engine search(rules, request.position, request.claim, scheme, all);
  std::vector<LeafRequest<G>> requests;
  std::vector<Tally> tallies;
  if (curve != nullptr) {
    curve->assign(
        1, {0, static_cast<std::uint16_t>(request.legal_moves - std::popcount(request.right_moves)),
            static_cast<std::uint16_t>(request.legal_moves)});
  }
  while (search.stopped() == StopReason::kRunning) {
    requests.clear();
    tallies.clear();
    search.propose(1, requests);
    for (const auto& asked : requests) tallies.push_back(reference_playouts<G>(rules, asked));
    search.absorb(tallies);
    if (curve != nullptr) add_errors<G>(request, search, curve);
  }
  const Counters c = search.counters();
  TreeResult result = {c.iterations,      c.nodes_created, c.nodes_expanded,  c.evaluations,
                       c.playouts,        c.max_depth,     c.node_visits,     c.re_entries,
                       c.branch_switches, c.root_switches, c.shallow_switches};
  result.lower = search.bounds().lower();
  result.upper = search.bounds().upper();
  result.end = search.stopped() == StopReason::kDecided ? SearchEnd::kDecided : SearchEnd::kNodes;
  if (curve != nullptr) {
    curve->erase(curve->begin());
    result.points = curve->size();
  }
  const std::vector<Move> best = best_moves<G>(request, search);
  if (best.empty()) return result;
  const bool decided = result.end == SearchEnd::kDecided;
  const auto count = static_cast<std::uint32_t>(best.size());
  result.best_move = best[decided ? 0 : drawn_tie(request.seed, result.iterations, count)];
  return result;
}

template <Game G>
using Requests = std::vector<TreeRequest<G>>;

template <Game G, class S>
std::vector<TreeResult> search_on_device(const typename G::Rules& rules, const S& scheme,
                                         const TreeOptions& options, const Requests<G>& requests,
                                         const FleetLayout& layout,
                                         std::span<CurvePoint> points = {}) {
  std::unique_ptr<DeviceSearches<G>> searches;
  EXPECT_FALSE((SearchesBy<G, S>::open(0, rules, scheme, options, layout, &searches)));
  EXPECT_EQ(searches->device(), "emulated");
  std::vector<TreeResult> results(requests.size());
  std::vector<std::size_t> told(requests.size());
  const DeviceError error =
      searches->search(requests, results, points, [&](std::span<const std::size_t> ended) {
        for (const std::size_t i : ended) {
          ++told[i];
          EXPECT_GT(results[i].iterations + results[i].nodes_created, 0u);
        }
      });
  EXPECT_FALSE(error) << error.call << ": " << error.text;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const bool ended = results[i].end == SearchEnd::kDecided || results[i].end == SearchEnd::kNodes;
    EXPECT_EQ(told[i], ended ? 1u : 0u) << "tree " << i;
  }
  return results;
}

std::string text(const TreeResult& r) {
  std::string s;
  for (const std::uint64_t n :
       {r.iterations, r.nodes_created, r.nodes_expanded, r.evaluations, r.playouts, r.max_depth,
        r.node_visits, r.re_entries, r.branch_switches, r.root_switches, r.shallow_switches,
        r.points, std::uint64_t{r.best_move}}) {
    s += std::to_string(n) + " ";
  }
  return s + std::to_string(r.lower) + ".." + std::to_string(r.upper) + " end " +
         std::to_string(static_cast<int>(r.end));
}

FleetLayout small_layout() {
  FleetLayout layout;
  layout.bytes = 1 << 22;
  layout.least_share = 1 << 9;
  layout.most_threads = 150;  // two blocks, the second one in part
  layout.least_turns = 100;
  layout.slice_seconds = 0;
  return layout;
}

// At least 95 % must have ended on the device.
template <Game G, class S>
void expect_counts(const typename G::Rules& rules, const S& scheme, const TreeOptions& options,
                   const Requests<G>& requests, const FleetLayout& layout = small_layout()) {
  const auto found = search_on_device<G>(rules, scheme, options, requests, layout);
  std::size_t ended = 0;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (found[i].end == SearchEnd::kOutgrown) continue;
    ++ended;
    const TreeResult wanted = search_on_cpu<G>(rules, scheme, options, requests[i]);
    ASSERT_EQ(found[i], wanted) << "tree " << i << "\n" << text(found[i]) << "\n" << text(wanted);
  }
  EXPECT_GE(20 * ended, 19 * requests.size());
}

PGame::Rules pgame(int branching, int depth) {
  PGame::Rules rules;
  rules.branching = static_cast<std::uint8_t>(branching);
  rules.depth = static_cast<std::uint8_t>(depth);
  return rules;
}
// Trees 1, 2, 3, ... with goals win and draw, some with a limit of nodes.
Requests<PGame> trees(const PGame::Rules& rules, std::uint64_t count) {
  Requests<PGame> requests(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    PGame::Rules own = rules;
    own.tree = i + 1;
    requests[i].position = PGame::initial(own);
    requests[i].claim.threshold = static_cast<Value>(i % 3 != 0);
    requests[i].seed = i / 2;
    requests[i].order_seed = i;
    if (i % 7 == 6) requests[i].max_nodes = 40;
  }
  return requests;
}
Requests<Nim> heaps() {
  Requests<Nim> requests;
  for (int i = 0; i < 60; ++i) {
    TreeRequest<Nim> request;
    request.position.sizes[0] = static_cast<std::uint8_t>(1 + i % 3);
    request.position.sizes[1] = static_cast<std::uint8_t>(i / 3 % 4);
    request.position.sizes[2] = static_cast<std::uint8_t>(i / 12);
    request.position.to_move = static_cast<std::uint8_t>(i & 1);
    request.claim.attacker = Nim::to_move({}, request.position);
    request.seed = static_cast<std::uint64_t>(i);
    request.order_seed = static_cast<std::uint64_t>(i);
    requests.push_back(request);
  }
  return requests;
}

// The ways in which a search can be set up.
std::vector<TreeOptions> set_ups(bool proof_numbers) {
  std::vector<TreeOptions> all(6);
  all[1].stop = StopRule::kNone;
  all[2].random_order = true;
  all[3].early_break = false;
  all[4].stay_on_path = true;
  all[5] = {StopRule::kNone, true, true, false};
  if (!proof_numbers) return all;
  for (const StopRule stop : {StopRule::kOwn, StopRule::kLiteral, StopRule::kOne}) {
    all.push_back({stop, false, false, true});
  }
  return all;
}

// Rules that compare numbers know nothing of depths.
template <class S>
inline constexpr bool kDeepest = false;
template <class Base>
inline constexpr bool kDeepest<Deepest<Base>> = true;

template <class S>
std::vector<TreeOptions> set_ups_of() {
  if (std::is_same_v<S, MctsRule>) return {{}, {.random_order = true}};
  return set_ups(ProofNumberLabel<typename S::Label> && !kDeepest<S>);
}

template <class S>
void expect_all(const S& scheme) {
  for (const TreeOptions& options : set_ups_of<S>()) {
    expect_counts<PGame>(pgame(2, 8), scheme, options, trees(pgame(2, 8), 200));
    expect_counts<PGame>(pgame(3, 5), scheme, options, trees(pgame(3, 5), 40));
    expect_counts<PGame>(pgame(4, 4), scheme, options, trees(pgame(4, 4), 40));
    expect_counts<Nim>({}, scheme, options, heaps());
  }
}
// Positions some plies before the end, and what whoever moves there can reach.
template <Game G>
Requests<G> endings(const typename G::Rules& rules, int plies, std::initializer_list<Value> goals) {
  Requests<G> requests;
  for (const auto& position : any_positions<G>(rules, 40, 5)) {
    if (G::finished(rules, position) || G::max_plies_left(rules, position) > plies) continue;
    TreeRequest<G> request;
    request.position = position;
    request.claim.attacker = G::to_move(rules, position);
    for (const Value goal : goals) {
      request.claim.threshold = goal;
      request.order_seed = requests.size();
      requests.push_back(request);
    }
  }
  EXPECT_GT(requests.size(), 5u);
  return requests;
}
template <class S>
void expect_boards(const S& scheme) {
  const auto lines = Connect<1>::make_rules(3, 4, 3, 1);
  const auto turns = Connect<1>::make_rules(3, 3, 3, 2);
  const auto discs = Othello::make_rules(4);
  const auto chains = Hex<1>::make_rules(3, 4);
  const auto board = Hex<1>::make_rules(2, 6);
  for (const TreeOptions& options : set_ups_of<S>()) {
    expect_counts<Connect<1>>(lines, scheme, options, endings<Connect<1>>(lines, 8, {1, 0}));
    expect_counts<Connect<1>>(turns, scheme, options, endings<Connect<1>>(turns, 8, {1, 0}));
    expect_counts<Othello>(discs, scheme, options, endings<Othello>(discs, 16, {1, 0, -4}));
    expect_counts<Hex<1>>(chains, scheme, options, endings<Hex<1>>(chains, 8, {1}));
    expect_counts<Hex<1>>(board, scheme, options, endings<Hex<1>>(board, 8, {1}));
  }
}
WinRateRule clamp(double theta) { return {false, theta}; }
WinRateRule beta() { return {true, 0}; }
std::vector<PlayoutPn> playout_pn() {
  using enum RateForm::Kind;
  const PlayoutPn power{LeafNumbers::from_playouts(10, {kPower, 32768}, false)};
  const PlayoutPn log{LeafNumbers::from_playouts(3, {kLog, 1000}, true)};
  return {power, log};
}
std::vector<Deepest<PlayoutPn>> deepest_playout_pn() {
  std::vector<Deepest<PlayoutPn>> schemes;
  for (const PlayoutPn& scheme : playout_pn()) schemes.push_back({scheme});
  return schemes;
}
std::vector<Ews> expected_work() {
  return {{10, EwsLeafWork::both(10, 32768, 2)},
          {4, EwsLeafWork::rollout()},
          {33, EwsLeafWork::unit()}};
}
std::vector<MctsRule> mcts_rules() {
  using enum MctsRule::Form;
  return {{10, kPure}, {5, kInside, 2}, {4, kOutside, 0.7, MctsRule::Reward::kSign, 3}};
}

TEST(EmulatedSearches, Pn) {
  expect_all(Pn{});
  expect_all(Pn{true});
}
TEST(EmulatedSearches, TiesTowardsTheDeepest) {
  expect_all(DeepestPn{});
  expect_all(DeepestPn{{true}});
  for (const auto& scheme : deepest_playout_pn()) expect_all(scheme);
}
TEST(EmulatedSearches, Wpns) { expect_all(Wpns{}); }
TEST(EmulatedSearches, DeepPn) {
  expect_all(DeepPn{});
  expect_all(DeepPn{0.3, true});
}
TEST(EmulatedSearches, Mcpn) {
  expect_all(Mcpn{10, clamp(0.01)});
  expect_all(Mcpn{3, beta()});
}
TEST(EmulatedSearches, Ppn) {
  expect_all(Ppn{10, clamp(0.01)});
  expect_all(Ppn{45, beta()});
}

TEST(EmulatedSearches, PnFromPlayouts) {
  for (const PlayoutPn& scheme : playout_pn()) expect_all(scheme);
}
TEST(EmulatedSearches, Ews) {
  for (const Ews& scheme : expected_work()) expect_all(scheme);
}

TEST(EmulatedSearches, Mcts) {
  for (const MctsRule& rule : mcts_rules()) expect_all(rule);
}

TEST(EmulatedSearches, Boards) {
  expect_boards(Pn{});
  expect_boards(DeepestPn{});
  expect_boards(Pn{true});
  expect_boards(Wpns{});
  expect_boards(DeepPn{});
}
TEST(EmulatedSearches, BoardsWithPlayouts) {
  expect_boards(Mcpn{10, clamp(0.01)});
  expect_boards(Ppn{10, clamp(0.01)});
  expect_boards(Ppn{45, beta()});
  for (const PlayoutPn& scheme : playout_pn()) expect_boards(scheme);
  for (const auto& scheme : deepest_playout_pn()) expect_boards(scheme);
  for (const Ews& scheme : expected_work()) expect_boards(scheme);
  for (const MctsRule& rule : mcts_rules()) expect_boards(rule);
}

// Many trees of each game, each with an order and playouts of its own: by night a thousand.
template <Game G>
Requests<G> many(const Requests<G>& some) {
  const std::size_t count = nightly() ? 1000 : 40;
  Requests<G> requests;
  for (std::size_t i = 0; i < count; ++i) {
    requests.push_back(some[i % some.size()]);
    requests.back().seed = requests.back().order_seed = i;
  }
  return requests;
}
template <class S>
void expect_many(const S& scheme) {
  TreeOptions options;
  options.random_order = true;
  const auto tree = pgame(2, 8);
  const auto lines = Connect<1>::make_rules(3, 4, 3, 1);
  const auto chains = Hex<1>::make_rules(3, 4);
  const auto discs = Othello::make_rules(4);
  expect_counts<PGame>(tree, scheme, options, many<PGame>(trees(tree, 1000)));
  expect_counts<Nim>({}, scheme, options, many<Nim>(heaps()));
  expect_counts<Connect<1>>(lines, scheme, options,
                            many<Connect<1>>(endings<Connect<1>>(lines, 9, {1, 0})));
  expect_counts<Hex<1>>(chains, scheme, options, many<Hex<1>>(endings<Hex<1>>(chains, 9, {1})));
  expect_counts<Othello>(discs, scheme, options,
                         many<Othello>(endings<Othello>(discs, 18, {1, 0})));
}
TEST(EmulatedSearches, ManyTreesOfEach) {
  expect_many(Pn{});
  expect_many(DeepestPn{});
  expect_many(Wpns{});
  expect_many(DeepPn{});
  expect_many(Mcpn{10, clamp(0.01)});
  expect_many(Ppn{10, clamp(0.01)});
  for (const PlayoutPn& scheme : playout_pn()) expect_many(scheme);
  for (const auto& scheme : deepest_playout_pn()) expect_many(scheme);
  for (const Ews& scheme : expected_work()) expect_many(scheme);
  for (const MctsRule& rule : mcts_rules()) expect_many(rule);
}

// Error curves, also of searches that are not decided, and with less room than they need.
template <class S>
void expect_curves(const S& scheme) {
  constexpr std::size_t kRoom = 6;
  Requests<PGame> requests = trees(pgame(4, 5), 60);
  for (TreeRequest<PGame>& request : requests) {
    request.legal_moves = 4;
    request.right_moves = mix64(request.seed) & 15;  // which are right is not asked of them here
    request.max_nodes = 400;
  }
  for (const TreeOptions& options : set_ups_of<S>()) {
    std::vector<CurvePoint> points(kRoom * requests.size());
    const auto found =
        search_on_device<PGame>(pgame(4, 5), scheme, options, requests, small_layout(), points);
    std::size_t all = 0;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      std::vector<CurvePoint> curve;
      const TreeResult wanted =
          search_on_cpu<PGame>(pgame(4, 5), scheme, options, requests[i], &curve);
      ASSERT_EQ(found[i], wanted) << "tree " << i << "\n" << text(found[i]) << "\n" << text(wanted);
      const std::size_t kept = std::min(curve.size(), kRoom);
      const auto own = points.begin() + static_cast<std::ptrdiff_t>(kRoom * i);
      ASSERT_TRUE(std::equal(own, own + static_cast<std::ptrdiff_t>(kept), curve.begin()))
          << "tree " << i;
      all += curve.size();
    }
    EXPECT_GT(all, requests.size());
  }
}
TEST(EmulatedSearches, Curves) {
  expect_curves(Pn{});
  expect_curves(Pn{true});
  expect_curves(DeepestPn{});
  expect_curves(DeepPn{});
  expect_curves(Wpns{});
  expect_curves(Mcpn{5, clamp(0.01)});
  expect_curves(Ppn{5, clamp(0.01)});
  for (const PlayoutPn& scheme : playout_pn()) expect_curves(scheme);
  for (const auto& scheme : deepest_playout_pn()) expect_curves(scheme);
  for (const Ews& scheme : expected_work()) expect_curves(scheme);
  for (const MctsRule& rule : mcts_rules()) expect_curves(rule);
}

// Who interrupts ends what is under way, and what is begun next is as ever.
TEST(EmulatedSearches, Interrupted) {
  const PGame::Rules rules = pgame(2, 8);
  const Requests<PGame> requests = trees(rules, 20);
  std::unique_ptr<DeviceSearches<PGame>> searches;
  ASSERT_FALSE((SearchesBy<PGame, Pn>::open(0, rules, Pn{}, {}, small_layout(), &searches)));
  std::vector<TreeResult> results(requests.size());
  searches->interrupt();
  ASSERT_FALSE(searches->search(requests, results));
  for (const TreeResult& result : results) EXPECT_EQ(result.end, SearchEnd::kRunning);
  ASSERT_FALSE(searches->search(requests, results));
  for (const TreeResult& result : results) EXPECT_NE(result.end, SearchEnd::kRunning);
}

// Launches of any length: searches are paused everywhere, and go on as if they had not been.
template <class S>
void expect_slices(const S& scheme) {
  const PGame::Rules rules = pgame(3, 4);
  for (const std::uint32_t turns : {1, 2, 5}) {
    FleetLayout layout = small_layout();
    layout.least_share = 16;  // they grow in between
    layout.growth = 2;
    layout.least_turns = turns;
    layout.most_threads = 20;
    for (const TreeOptions& options : set_ups_of<S>()) {
      expect_counts<PGame>(rules, scheme, options, trees(rules, 30), layout);
    }
  }
}
TEST(EmulatedSearches, Slices) {
  expect_slices(Pn{});
  expect_slices(DeepestPn{});
  expect_slices(Wpns{});
  expect_slices(DeepPn{});
  expect_slices(Mcpn{3, beta()});
  expect_slices(Ppn{10, clamp(0.01)});
  for (const PlayoutPn& scheme : playout_pn()) expect_slices(scheme);
  for (const auto& scheme : deepest_playout_pn()) expect_slices(scheme);
  for (const Ews& scheme : expected_work()) expect_slices(scheme);
  for (const MctsRule& rule : mcts_rules()) expect_slices(rule);
}

// What ends is told while others go on; who throws there ends them, and the device is as ever.
TEST(EmulatedSearches, ToldInBetween) {
  const PGame::Rules rules = pgame(2, 8);
  const Requests<PGame> requests = trees(rules, 60);
  FleetLayout layout = small_layout();
  layout.least_turns = 5;
  std::unique_ptr<DeviceSearches<PGame>> searches;
  ASSERT_FALSE((SearchesBy<PGame, Pn>::open(0, rules, Pn{}, {}, layout, &searches)));
  std::vector<TreeResult> results(requests.size());
  std::size_t times = 0;
  std::size_t most = 0;
  const auto count = [&](std::span<const std::size_t> ended) {
    ++times;
    most = std::max(most, ended.size());
  };
  ASSERT_FALSE(searches->search(requests, results, {}, count));
  EXPECT_GT(times, 5u);
  EXPECT_LT(most, requests.size() / 2);
  const std::vector<TreeResult> all = results;
  const auto fail = [&](std::span<const std::size_t>) { throw std::runtime_error("no room"); };
  EXPECT_THROW(static_cast<void>(searches->search(requests, results, {}, fail)),
               std::runtime_error);
  ASSERT_FALSE(searches->search(requests, results));
  EXPECT_EQ(results, all);
}

// What outgrows its share goes on in a larger one while the pool has any.
template <class S>
void expect_growth(const S& scheme) {
  const PGame::Rules rules = pgame(2, 10);
  const Requests<PGame> requests = trees(rules, 60);
  FleetLayout layout = small_layout();
  layout.least_share = 16;
  layout.growth = 2;
  layout.least_again = 61;  // nothing is begun again
  std::size_t grown = 0;
  for (const TreeResult& result : search_on_device<PGame>(rules, scheme, {}, requests, layout)) {
    EXPECT_NE(result.end, SearchEnd::kOutgrown);
    grown += result.nodes_created > 2 * layout.least_share;
  }
  EXPECT_GT(grown, 20u);
  expect_counts<PGame>(rules, scheme, {}, requests, layout);
}
TEST(EmulatedSearches, SharesGrow) {
  expect_growth(Pn{});
  expect_growth(DeepestPn{});
  expect_growth(DeepPn{});
  expect_growth(Mcpn{3, beta()});
  expect_growth(Ppn{10, clamp(0.01)});
  for (const PlayoutPn& scheme : playout_pn()) expect_growth(scheme);
  for (const auto& scheme : deepest_playout_pn()) expect_growth(scheme);
  for (const Ews& scheme : expected_work()) expect_growth(scheme);
  for (const MctsRule& rule : mcts_rules()) expect_growth(rule);
}

// A pool of which nothing is left when all shares are taken.
template <class S>
FleetLayout full_pool(std::size_t trees, std::uint32_t share) {
  FleetLayout layout = small_layout();
  layout.bytes = trees * share * sizeof(SearchNode<typename S::Label>);
  layout.least_share = share;
  layout.growth = 2;
  return layout;
}

// Has it outgrown its room, and only then? There must be some for both children of a leaf, though
// the first one may decide it and be the only one.
bool is_told(const TreeResult& found, const TreeResult& wanted, std::uint64_t room) {
  if (found.end != SearchEnd::kOutgrown) return wanted.nodes_created <= room;
  return wanted.nodes_created + 1 > room;
}

// What finds no larger share comes back in a later round, and what outgrows the whole pool is
// handed back; the others are as ever.
template <class S>
void expect_small_pools(const S& scheme) {
  const PGame::Rules rules = pgame(2, 10);
  const Requests<PGame> requests = trees(rules, 100);
  expect_counts<PGame>(rules, scheme, {}, requests, full_pool<S>(100, 16));
  expect_counts<PGame>(rules, scheme, {}, requests, full_pool<S>(3, 600));
  FleetLayout layout = full_pool<S>(1, 200);
  layout.least_share = 16;
  const auto found = search_on_device<PGame>(rules, scheme, {}, requests, layout);
  std::size_t outgrown = 0;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const TreeResult wanted = search_on_cpu<PGame>(rules, scheme, {}, requests[i]);
    ASSERT_TRUE(is_told(found[i], wanted, 200)) << "tree " << i;
    outgrown += found[i].end == SearchEnd::kOutgrown;
    if (found[i].end == SearchEnd::kOutgrown) continue;
    ASSERT_EQ(found[i], wanted) << "tree " << i;
  }
  EXPECT_GT(outgrown, 0u);
  EXPECT_LT(outgrown, requests.size());
}
// With playouts the threads of a warp play together: of some the tree has just outgrown its share.
TEST(EmulatedSearches, SmallPools) {
  expect_small_pools(Pn{});
  expect_small_pools(Ppn{10, clamp(0.01)});
}

// Few that have outgrown their share are handed back at once; the others are as ever.
template <class S>
void expect_few_handed_back(const S& scheme) {
  const PGame::Rules rules = pgame(2, 10);
  const Requests<PGame> requests = trees(rules, 60);
  FleetLayout layout = full_pool<S>(60, 100);
  layout.least_again = 61;
  const auto found = search_on_device<PGame>(rules, scheme, {}, requests, layout);
  std::size_t handed_back = 0;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const TreeResult wanted = search_on_cpu<PGame>(rules, scheme, {}, requests[i]);
    ASSERT_TRUE(is_told(found[i], wanted, 100)) << "tree " << i;
    handed_back += found[i].end == SearchEnd::kOutgrown;
    if (found[i].end != SearchEnd::kOutgrown) {
      ASSERT_EQ(found[i], wanted) << "tree " << i;
    }
  }
  EXPECT_GT(handed_back, 0u);
  EXPECT_LT(handed_back, requests.size());
}
TEST(EmulatedSearches, FewAreHandedBack) {
  expect_few_handed_back(Pn{});
  expect_few_handed_back(Ppn{10, clamp(0.01)});
}

TEST(EmulatedSearches, NoTree) {
  EXPECT_TRUE(
      search_on_device<PGame>(pgame(2, 8), Pn{}, {}, Requests<PGame>{}, small_layout()).empty());
}

TEST(EmulatedSearches, RefusesBeforeItStarts) {
  const PGame::Rules rules = pgame(2, 1);
  Requests<PGame> requests = trees(rules, 2);
  PGame::play(rules, requests[1].position, 0);
  const auto refusal = [&]<class S>(const S& scheme) {
    std::unique_ptr<DeviceSearches<PGame>> searches;
    EXPECT_FALSE((SearchesBy<PGame, S>::open(0, rules, scheme, {}, small_layout(), &searches)));
    std::vector<TreeResult> results(requests.size());
    return std::string(searches->search(requests, results).text);
  };
  EXPECT_NE(refusal(Pn{}).find("finished"), std::string::npos);
  requests.resize(1);
  EXPECT_NE(refusal(Ppn{0, clamp(0.01)}).find("playouts"), std::string::npos);
  EXPECT_EQ(refusal(Ppn{1, clamp(0.01)}), "");
}

// What a search is that differs in a seed of its playouts or in its claim: the comparison sees it.
TEST(EmulatedSearches, PlantedFaults) {
  const PGame::Rules rules = pgame(2, 8);
  const Requests<PGame> requests = trees(rules, 40);
  const Ppn scheme{10, clamp(0.01)};
  const auto found = search_on_device<PGame>(rules, scheme, {}, requests, small_layout());
  const auto differing = [&](const auto& change) {
    std::size_t n = 0;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      TreeRequest<PGame> other = requests[i];
      change(other);
      n += !(found[i] == search_on_cpu<PGame>(rules, scheme, {}, other));
    }
    return n;
  };
  EXPECT_EQ(differing([](auto&) {}), 0u);
  EXPECT_GT(differing([](auto& request) { ++request.seed; }), 10u);
  EXPECT_GT(differing([](auto& request) { request.claim.threshold ^= 1; }), 5u);
}

}  // namespace
}  // namespace playproof
