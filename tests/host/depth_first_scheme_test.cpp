// Depth-first search by the labels of a scheme, PPN or EWS: the scheme's order, what the table
// saves, how far it tolerates, and that it ends.
#include "host/table/depth_first_scheme.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "games/hex/connection.h"
#include "games/hex/rules.h"
#include "games/pgame/rules.h"
#include "host/tree/best_first.h"
#include "kernels/schemes/ews.h"
#include "kernels/schemes/ppn.h"
#include "support.h"
#include "trees.h"

namespace playproof::depth_first_scheme_test {
namespace {

PGame::Rules pgame(std::uint64_t tree) {
  return {tree, static_cast<std::uint8_t>(2 + tree % 5),
          static_cast<std::uint8_t>(4 + tree / 5 % 5)};
}

template <class S>
DepthFirstSchemeOptions<S> options_of(const S& scheme, double epsilon, bool early_break) {
  DepthFirstSchemeOptions<S> options;
  options.early_break = early_break;
  options.scheme = scheme;
  options.epsilon = epsilon;
  return options;
}

// Where the search is, as the choices that lead there.
template <class Search>
std::string path_of(const Search& search) {
  std::string path;
  for (std::size_t depth = 0; depth < search.stack().size(); ++depth) {
    path += std::to_string(search.stack().frame(depth).chosen) + ' ';
  }
  return path;
}

// The nodes that are entered for the first time, in order.
template <class Search>
std::vector<std::string> first_entries(Search& search, std::size_t limit) {
  std::vector<std::string> order;
  while (order.size() < limit && search.stopped() == StopReason::kRunning) {
    const std::uint64_t before = search.counters().nodes_expanded;
    const std::string path = path_of(search);
    drive<PGame>(search, 1);
    if (search.counters().nodes_expanded > before) order.push_back(path);
  }
  return order;
}

// On trees, with a table that loses nothing and no tolerance: the order of the best-first search,
// and its evaluations. Returns whether the game is solved.
template <class S>
bool expect_order(const PGame::Rules& rules, const S& scheme, bool early_break) {
  constexpr std::size_t kLimit = 400;
  using Engine = BestFirst<PGame, S>;
  typename Engine::Options options;
  options.stay_on_path = true;
  options.early_break = early_break;
  Engine best_first(rules, PGame::initial(rules), {Player::kFirst, 1}, scheme, options);
  Expansions expansions;
  best_first.listen(&expansions);
  drive<PGame>(best_first, kLimit);
  DepthFirstScheme<PGame, S> search(rules, PGame::initial(rules), {Player::kFirst, 1},
                                    options_of(scheme, 0, early_break));
  const auto order = first_entries(search, kLimit);
  EXPECT_EQ(order, expansions.paths(best_first.tree())) << "tree " << rules.tree;
  EXPECT_EQ(search.counters().evaluations, best_first.counters().evaluations);
  EXPECT_EQ(search.bounds(), best_first.bounds());
  EXPECT_FALSE(search.table().counters().lost_any());
  return search.stopped() == StopReason::kDecided;
}

TEST(DepthFirstPpn, ExpandsInTheOrderOfPpn) {
  int solved = 0;
  for (std::uint64_t tree = 0; tree < 300 && !HasFailure(); ++tree) {
    const Ppn ppn{10, tree % 3 == 0 ? WinRateRule{true, 0} : WinRateRule{false, 0.02}};
    solved += expect_order(pgame(3000 + tree), ppn, tree % 2 == 0);
  }
  EXPECT_GT(solved, 100);
}

TEST(DepthFirstEws, ExpandsInTheOrderOfEws) {
  int solved = 0;
  for (std::uint64_t tree = 0; tree < 300 && !HasFailure(); ++tree) {
    const EwsLeafWork work = tree % 3 == 0   ? EwsLeafWork::both(10, 32768, 2)
                             : tree % 3 == 1 ? EwsLeafWork::rollout()
                                             : EwsLeafWork::unit();
    solved += expect_order(pgame(3000 + tree), Ews{10, work}, tree % 2 == 0);
  }
  EXPECT_GT(solved, 100);
}

// Notes which positions are asked for.
class Asked final : public PlayoutEvaluator<Hex<1>> {
 public:
  using Ticket = PlayoutEvaluator<Hex<1>>::Ticket;
  Ticket submit(std::span<const LeafRequest<Hex<1>>> requests) override {
    for (const LeafRequest<Hex<1>>& request : requests) {
      positions.insert(request.key.stream);
      ++count;
    }
    return hashed_.submit(requests);
  }
  void collect(Ticket ticket, std::span<Tally> tallies) override {
    hashed_.collect(ticket, tallies);
  }
  std::string name() const override { return "asked"; }

  std::set<std::uint64_t> positions;
  std::uint64_t count = 0;

 private:
  HashedEvaluator<Hex<1>> hashed_{1};
};

// No position is evaluated twice, whichever lines lead to it and however often the search turns
// back.
template <class S>
void expect_one_evaluation(const S& scheme) {
  const Hex<1>::Rules rules = Hex<1>::make_rules(3, 4);
  for (const double epsilon : {0.0, 0.5, 3.0}) {
    DepthFirstScheme<Hex<1>, S> search(rules, Hex<1>::initial(rules), {Player::kFirst, 1},
                                       options_of(scheme, epsilon, true));
    Asked asked;
    drive_with<Hex<1>>(asked, search, kToTheEnd);
    EXPECT_EQ(search.stopped(), StopReason::kDecided);
    EXPECT_EQ(asked.count, asked.positions.size());
    EXPECT_EQ(asked.count, search.counters().evaluations);
    EXPECT_GT(search.counters().re_entries, 0u);
  }
}
TEST(DepthFirstPpn, EvaluatesAPositionOnce) { expect_one_evaluation(Ppn{10, {false, 0.02}}); }
TEST(DepthFirstEws, EvaluatesAPositionOnce) {
  expect_one_evaluation(Ews{10, EwsLeafWork::both(10, 32768, 2)});
}

// The probability of the goal where the attacker moves, of missing it where the opponent does.
double worth(const Ppn& /*ppn*/, bool attackers, const Probability& p) {
  return attackers ? p.p().value() : p.q().value();
}
double worth(const Ews& ews, bool attackers, const EwsLabel& label) {
  return 1 / ews.cost(attackers, label);
}

// A node above the top goes on with a child that is nearly as good as the best.
template <class S>
void expect_tolerance(const S& scheme) {
  for (const double epsilon : {0.0, 0.5, 4.0}) {
    int other = 0;  // than the best
    for (std::uint64_t tree = 0; tree < 40; ++tree) {
      const PGame::Rules rules = pgame(4000 + tree);
      DepthFirstScheme<PGame, S> search(rules, PGame::initial(rules), {Player::kFirst, 1},
                                        options_of(scheme, epsilon, true));
      for (int i = 0; i < 200 && search.stopped() == StopReason::kRunning; ++i) {
        drive<PGame>(search, 1);
        const auto& stack = search.stack();
        for (std::size_t depth = 0; depth + 1 < stack.size(); ++depth) {
          const auto& frame = stack.frame(depth);
          const auto worth_of = [&](const auto& child) {
            return worth(scheme, frame.attackers, child.label);
          };
          const double chosen = worth_of(stack.chosen_child(frame));
          double best = 0;
          for (const auto& child : stack.children_of(frame)) {
            if (!child.bounds.decides(1)) best = std::max(best, worth_of(child));
          }
          ASSERT_GE(chosen * (1 + epsilon), best * (1 - 1e-12)) << "tree " << rules.tree;
          other += chosen < best;
        }
      }
    }
    EXPECT_EQ(other > 0, epsilon > 0);
  }
}
TEST(DepthFirstPpn, StaysWithinItsTolerance) { expect_tolerance(Ppn{10, {false, 0.02}}); }
TEST(DepthFirstEws, StaysWithinItsTolerance) {
  expect_tolerance(Ews{10, EwsLeafWork::both(10, 32768, 2)});
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The natural logarithms of p and 1 - p.
struct Logs {
  double p;
  double q;
};
Logs logs_of(const Probability& p) { return {p.log_p(), p.log_q()}; }
// log(1 - e^x), x <= 0.
double other_log(double x) {
  return x > -0.6931 ? std::log(-std::expm1(x)) : std::log1p(-std::exp(x));
}
// Between these p of a node every node above it stays with the child that leads there: what
// thresholds of depth-first PPN would be.
struct Range {
  Logs low{-kInfinity, 0};
  Logs high{0, -kInfinity};
};
// -1: below, 1: above, 0: between; 2: too near to an end to tell.
int place(const Range& range, const Probability& p) {
  const Logs is = logs_of(p);
  const auto side = [&](const Logs& end) {
    const bool small = is.p < is.q;  // that logarithm tells more
    const double difference = small ? is.p - end.p : end.q - is.q;
    const double scale = std::abs(small ? is.p : is.q);
    if (std::isinf(difference) || std::abs(difference) > 1e-9 * scale) {
      return difference > 0 ? 1 : -1;
    }
    return 0;
  };
  const int above_low = side(range.low);
  const int above_high = side(range.high);
  if (above_low < 0) return -1;
  if (above_high > 0) return 1;
  return above_low == 0 || above_high == 0 ? 2 : 0;
}
// For the child that a frame, itself in such a range, goes on with: (5.1) and (5.2) solved for it,
// and what its parent prefers, with the tolerance.
template <class Search>
Range range_for(const Search& search, const Range& parent, double epsilon) {
  const auto& frame = search.stack().top();
  const auto children = search.stack().children_of(frame);
  double others = 0;          // log of the product of their 1 - p (OR) or p (AND)
  double rival = -kInfinity;  // log of the greatest p (OR) or 1 - p (AND) of the open ones
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (static_cast<std::int32_t>(i) == frame.chosen) continue;
    const Logs logs = logs_of(children[i].label);
    others += frame.attackers ? logs.q : logs.p;
    if (!children[i].bounds.decides(1)) {
      rival = std::max(rival, frame.attackers ? logs.p : logs.q);
    }
  }
  rival -= std::log1p(epsilon);
  const auto solved = [&](const Logs& end) {
    const double x = std::min((frame.attackers ? end.q : end.p) - others, 0.0);
    return frame.attackers ? Logs{other_log(x), x} : Logs{x, other_log(x)};
  };
  Range range{solved(parent.low), solved(parent.high)};
  if (frame.attackers && rival > range.low.p) range.low = {rival, other_log(rival)};
  if (!frame.attackers && rival > range.high.q) range.high = {other_log(rival), rival};
  return range;
}

// Thresholds on log p and log (1 - p), if there were any, would be left where it leaves: what stays
// on the stack is within them, what goes is not.
TEST(DepthFirstPpn, IsTheSearchThatThresholdsWouldMake) {
  for (const double epsilon : {0.0, 0.1, 1.0, 3.0}) {
    int stays = 0;
    int goes = 0;
    int near = 0;
    for (std::uint64_t tree = 0; tree < 40; ++tree) {
      const PGame::Rules rules = pgame(5000 + tree);
      DepthFirstScheme<PGame, Ppn> search(rules, PGame::initial(rules), {Player::kFirst, 1},
                                          options_of(Ppn{10, {false, 0.02}}, epsilon, true));
      std::vector<Range> ranges;  // of the nodes on the stack
      for (int i = 0; i < 300 && search.stopped() == StopReason::kRunning; ++i) {
        const auto& stack = search.stack();
        ranges.push_back(stack.empty() ? Range{} : range_for(search, ranges.back(), epsilon));
        std::vector<std::int32_t> path;
        for (std::size_t depth = 0; depth < stack.size(); ++depth) {
          path.push_back(stack.frame(depth).chosen);
        }
        drive<PGame>(search, 1);             // enters one node
        if (stack.size() < ranges.size()) {  // below the top: the first that was left
          const auto left = static_cast<std::size_t>(path[stack.size() - 1]);
          const auto& child = stack.children_of(stack.top())[left];
          if (!child.bounds.decides(1)) {
            const int found = place(ranges[stack.size()], child.label);
            ASSERT_NE(found, 0) << "tree " << rules.tree << ", entry " << i;
            near += found == 2;
            goes += found != 2;
          }
        }
        ranges.resize(stack.size());
        for (std::size_t depth = 1; depth < stack.size(); ++depth) {
          const int found = place(ranges[depth], stack.chosen_child(stack.frame(depth - 1)).label);
          ASSERT_TRUE(found == 0 || found == 2) << "tree " << rules.tree << ", entry " << i;
          near += found == 2;
          stays += found == 0;
        }
      }
    }
    EXPECT_GT(stays, 10000);
    EXPECT_GT(goes, 1000);
    EXPECT_LT(near, 50);  // ties
  }
}

// What the table lost is searched for again; the search ends all the same, however small it is.
void expect_end(const std::string& name) {
  for (const char* epsilon : {"0", "1"}) {
    for (const char* table : {"1KiB", "16KiB"}) {
      const std::string algorithm =
          name + ":playouts=4,places=1,epsilon=" + epsilon + ",table=" + table;
      SolveRequest request = ask("hex:size=3", algorithm, "a2");
      const SolveResult few = solve(request);
      EXPECT_EQ(few.verdict, solve(ask("hex:size=3", "minimax", "a2")).verdict) << algorithm;
      if (std::string(table) == "1KiB") {
        EXPECT_GT(few.counters.table_replaced, 0u);
      }
      request = ask("pgame:branching=3,depth=8,tree=5", algorithm);
      EXPECT_EQ(solve(request).verdict,
                solve(ask("pgame:branching=3,depth=8,tree=5", "minimax")).verdict)
          << algorithm;
    }
  }
}
TEST(DepthFirstPpn, EndsWithASmallTable) { expect_end("dfppn"); }
TEST(DepthFirstEws, EndsWithASmallTable) { expect_end("dfews"); }

}  // namespace
}  // namespace playproof::depth_first_scheme_test
