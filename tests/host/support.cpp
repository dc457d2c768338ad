#include "support.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>

#include "games/list.h"
#include "host/solve/position.h"
#include "tests/host/certified.h"

namespace playproof {
namespace {

// The value of a position for the first player: the rules, a maximum and a minimum.
template <class Ref>
class PlainMinimax {
 public:
  explicit PlainMinimax(typename Ref::Rules rules) : rules_(std::move(rules)) {}

  int value(const typename Ref::State& state) {
    if (Ref::finished(rules_, state)) return Ref::value(rules_, state);
    const std::string key = Ref::packed(state);
    if (const auto known = memo_.find(key); known != memo_.end()) return known->second;
    const bool maximise = Ref::to_move(rules_, state) == Player::kFirst;
    int best = maximise ? -100 : 100;
    for (const Move move : Ref::moves(rules_, state)) {
      auto child = state;
      Ref::play(rules_, child, move);
      best = maximise ? std::max(best, value(child)) : std::min(best, value(child));
    }
    return memo_[key] = best;
  }

 private:
  typename Ref::Rules rules_;
  std::map<std::string, int> memo_;
};

void combine(const std::vector<std::vector<std::string>>& options, std::size_t at,
             const std::string& text, std::vector<std::string>& out) {
  if (at == options.size()) {
    out.push_back(text);
    return;
  }
  for (const std::string& option : options[at]) {
    combine(options, at + 1, text + (at == 0 ? ":" : ",") + option, out);
  }
}

}  // namespace

Truth truth(const std::string& game, const std::string& position) {
  static std::map<std::pair<std::string, std::string>, Truth> known;  // some ask again and again
  const auto found = known.find({game, position});
  if (found != known.end()) return found->second;
  return known[{game, position}] =
             visit_game(game, [&]<class G>(const typename G::Rules& fast_rules) {
               using Ref = typename ReferenceOf<G>::Type;
               const auto rules = ReferenceOf<G>::rules(fast_rules);
               typename Ref::State state;
               EXPECT_TRUE(Ref::read_position(rules, ref_split(position, " \t\n"), &state))
                   << position;
               const int sign = Ref::to_move(rules, state) == Player::kFirst ? 1 : -1;
               PlainMinimax<Ref> minimax(rules);
               Truth truth;
               truth.value = sign * minimax.value(state);
               if (Ref::finished(rules, state)) return truth;
               for (const Move move : Ref::moves(rules, state)) {
                 auto child = state;
                 Ref::play(rules, child, move);
                 truth.moves.emplace_back(move, sign * minimax.value(child));
               }
               return truth;
             });
}

SolveRequest ask(const std::string& game, const std::string& algorithm, const std::string& position,
                 const std::string& goal) {
  SolveRequest request;
  request.game = game;
  request.algorithm = algorithm;
  request.position = position;
  request.goal = goal;
  request.limits.max_memory = std::uint64_t{1} << 28;
  return request;
}

bool repeats(const std::string& game) {
  return !make_position(game, "")->max_plies_left().has_value();
}

SolveResult finish(Solver& solver) {
  while (solver.step(std::uint64_t{1} << 20) == StopReason::kRunning) {
  }
  return solver.result();
}

SolveResult solve(const SolveRequest& request) {
  SolveRequest certified = request;
  certified.certificate = true;
  const auto solver = make_solver(certified);
  const SolveResult result = finish(*solver);
  if (result.verdict != Verdict::kUnknown) expect_certified(*solver, certified, result);
  return result;
}

int threshold_of(const std::string& goal) { return parse_goal(goal).threshold; }

int end_of_line(const SolveRequest& request, const SolveResult& result) {
  int value = 0;
  visit_game(request.game, [&]<class G>(const typename G::Rules& fast_rules) {
    using Ref = typename ReferenceOf<G>::Type;
    const auto rules = ReferenceOf<G>::rules(fast_rules);
    auto state =
        ReferenceOf<G>::state(fast_rules, GameText<G>::parse(fast_rules, request.position));
    const int sign = Ref::to_move(rules, state) == Player::kFirst ? 1 : -1;
    for (const std::string& text : result.principal_variation) {
      ASSERT_FALSE(Ref::finished(rules, state)) << "the line goes on after the end";
      const std::vector<Move> legal = Ref::moves(rules, state);
      const Move move = GameText<G>::parse_move(fast_rules, text);
      ASSERT_TRUE(std::find(legal.begin(), legal.end(), move) != legal.end()) << text;
      Ref::play(rules, state, move);
    }
    ASSERT_TRUE(Ref::finished(rules, state)) << "the line stops before the end";
    value = sign * Ref::value(rules, state);
  });
  return value;
}

void expect_good_line(const SolveRequest& request, const SolveResult& result, int threshold) {
  EXPECT_EQ(end_of_line(request, result) >= threshold, result.verdict == Verdict::kProved);
}

namespace {

int value_of(const SolveRequest& request, const std::string& move, const Truth& truth) {
  const Move number = visit_game(request.game, [&]<class G>(const typename G::Rules& rules) {
    return GameText<G>::parse_move(rules, move);
  });
  for (const auto& [legal, value] : truth.moves) {
    if (legal == number) return value;
  }
  ADD_FAILURE() << move << " is not legal";
  return 0;
}

// Goals of two claims: every move that is named keeps the value.
void expect_right_value(const SolveRequest& request, const SolveResult& result,
                        const Truth& truth) {
  const bool sign_only = request.goal == "value";
  const auto asked = [&](int value) { return sign_only ? (value > 0) - (value < 0) : value; };
  const int value = asked(truth.value);
  EXPECT_EQ(result.verdict, Verdict::kProved);
  EXPECT_EQ(result.lower, value);
  EXPECT_EQ(result.upper, value);
  EXPECT_EQ(asked(end_of_line(request, result)), value);
  const bool lost = sign_only && value < 0;
  ASSERT_EQ(result.best_move.has_value(), !truth.moves.empty() && !lost);
  if (!result.best_move) return;
  EXPECT_EQ(*result.best_move, result.principal_variation.front());
  EXPECT_EQ(asked(value_of(request, *result.best_move, truth)), value);
}

void expect_right_claim(const SolveRequest& request, const SolveResult& result,
                        const Truth& truth) {
  const int threshold = threshold_of(request.goal);
  const bool reached = truth.value >= threshold;
  ASSERT_EQ(result.verdict, reached ? Verdict::kProved : Verdict::kDisproved);
  EXPECT_LE(result.lower, truth.value);
  EXPECT_GE(result.upper, truth.value);
  expect_good_line(request, result, threshold);
  ASSERT_EQ(result.best_move.has_value(), reached && !truth.moves.empty());
  if (!result.best_move) return;
  EXPECT_EQ(*result.best_move, result.principal_variation.front());
  EXPECT_GE(value_of(request, *result.best_move, truth), threshold)
      << "the best move does not reach the goal";
}

}  // namespace

SolveResult expect_right(const SolveRequest& request, const Truth& truth) {
  SCOPED_TRACE(request.game + " '" + request.position + "' " + request.algorithm + " " +
               request.goal + " batch " + std::to_string(request.batch));
  const SolveResult result = solve(request);
  EXPECT_EQ(result.reason, StopReason::kDecided);
  EXPECT_EQ(result.counters.iterations == 0, truth.moves.empty());
  EXPECT_LE(result.counters.nodes_expanded, result.counters.nodes_created);
  if (request.goal == "value" || request.goal == "score") {
    expect_right_value(request, result, truth);
  } else {
    expect_right_claim(request, result, truth);
  }
  return result;
}

std::vector<std::string> data_lines(const std::string& file) {
  std::ifstream in(std::string(PLAYPROOF_TEST_DATA) + "/" + file);
  EXPECT_TRUE(in.good()) << file;
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line[0] != '#') lines.push_back(line);
  }
  return lines;
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::string random_othello(int size, int empties, std::uint64_t seed) {
  const auto rules = Othello::make_rules(size);
  for (std::uint64_t game = 0;; ++game) {
    std::uint64_t draw = mix64(mix64(seed) + game);
    auto state = Othello::initial(rules);
    while (!Othello::finished(rules, state)) {
      if (size * size - std::popcount(state.discs[0] | state.discs[1]) == empties) {
        return GameText<Othello>::format(rules, state);
      }
      Move moves[Othello::kMaxMoves];
      const int count = Othello::moves(rules, state, moves);
      draw = mix64(draw);
      Othello::play(rules, state, moves[draw % static_cast<std::uint64_t>(count)]);
    }
  }
}

std::vector<std::string> combinations(const std::string& name,
                                      const std::vector<std::vector<std::string>>& options) {
  std::vector<std::string> out;
  combine(options, 0, name, out);
  return out;
}

namespace {

// add(name, options): all combinations go to a list.
struct Adder {
  std::vector<std::string>& all;
  void operator()(const std::string& name,
                  const std::vector<std::vector<std::string>>& options) const {
    for (auto& text : combinations(name, options)) all.push_back(std::move(text));
  }
};

// Searches with proof zones, where the game has them: the default.
void add_zones(std::vector<std::string>& all) {
  const Adder add{all};
  const std::vector<std::string> patterns = {"patterns=0",
                                             "patterns=20",
                                             "zones=on,patterns=20,probe=bridges",
                                             "zones=on,patterns=20,probe=connections",
                                             "zones=on,fill=captured",
                                             "zones=on,patterns=20,probe=connections,fill=full"};
  add("dfpn", {patterns,
               {"leaf=unit", "playouts=10"},
               {"table=1KiB", "table=1MiB"},
               {"order=natural", "order=random"}});
  add("dfpn", {patterns,
               {"leaf=unit"},
               {"symmetry=off", "gc=0.3,table=4KiB"},
               {"earlybreak=on", "earlybreak=off"}});
  for (const char* name : {"pds", "pnstar"}) add(name, {patterns, {"leaf=unit,table=1MiB"}});
  add("alphabeta",
      {patterns, {"leaf=unit", "leaf=playouts,playouts=10"}, {"table=1KiB", "table=1MiB"}});
  const std::vector<std::string> links = {"patterns=20,probe=connections"};
  add("dfpn", {links,
               {"leaf=unit", "playouts=10"},
               {"table=1KiB", "table=1MiB"},
               {"order=resistance", "widening=0.3"}});
  add("dfpn", {patterns, {"leaf=mustplay,epsilon=0.25"}, {"table=1KiB", "table=1MiB"}});
  add("dfpn", {{"patterns=20,widening=0.3,leaf=mustplay"}, {"fill=off", "fill=full"}});
  for (const char* name : {"dfpn", "pds", "pnstar"}) {
    add(name, {{"leaf=mustplay"}, {"zones=off", "fill=full"}, {"exponent=0", "exponent=1"}});
  }
  for (const char* name : {"pds", "pnstar", "alphabeta"}) {
    add(name, {links, {"leaf=unit,widening=0.3"}});
  }
  for (const char* name : {"dfppn", "dfews"}) {
    add(name,
        {patterns, {"playouts=10"}, {"table=1KiB", "table=1MiB"}, {"epsilon=0", "epsilon=1"}});
  }
  for (const char* name : {"pn", "deeppn", "wpns", "mcpn", "ppn", "ews", "mcts", "uct"})
    add(name, {{"order=natural", "order=random"}});
  for (const char* name : {"pn", "deeppn", "wpns", "mcpn", "ppn", "ews"}) {
    add(name, {{"probe=bridges", "probe=connections"}});
    add(name, {{"patterns=20", "zones=on,patterns=20,probe=bridges"}});
  }
  add("pn", {{"ties=path,stop=one"}, {"earlybreak=on", "earlybreak=off"}});
  add("ppn", {{"earlybreak=off"}, {"probe=bridges", "probe=connections"}});
  add("pn2", {{"evaluate=delayed", "evaluate=immediate"}});
}

// Depth-first searches by a scheme's labels.
void add_table_schemes(std::vector<std::string>& all) {
  const Adder add{all};
  const std::vector<std::string> breaks = {"earlybreak=on", "earlybreak=off"};
  const std::vector<std::string> orders = {"order=natural", "order=random"};
  // Its table holds leaves: of a full size it would be all that is saved again and again.
  const std::vector<std::string> epsilons = {"epsilon=0", "epsilon=1"};
  add("dfppn", {{"playouts=10,table=1MiB"}, epsilons, {"rule=clamp", "rule=beta"}, breaks, orders});
  add("dfews", {{"leaf=both,playouts=10", "leaf=rollout", "leaf=unit,playouts=1"},
                {"table=1MiB"},
                epsilons,
                breaks,
                orders});
  for (const char* name : {"dfppn", "dfews"}) {
    add(name, {{"playouts=1"},
               epsilons,
               {"table=1KiB"},
               {"symmetry=on", "symmetry=off"},
               {"gc=0", "gc=0.3"}});
  }
}

}  // namespace

std::vector<std::string> all_variants() {
  std::vector<std::string> all = {"minimax"};
  const Adder add{all};
  const std::vector<std::string> breaks = {"earlybreak=on", "earlybreak=off"};
  const std::vector<std::string> orders = {"order=natural", "order=random"};
  const std::vector<std::string> leaves = {"leaf=unit", "leaf=mobility"};
  add("pn", {{"ties=left", "ties=path"},
             {"stop=none", "stop=allis", "stop=own", "stop=literal", "stop=one"},
             leaves,
             breaks,
             orders});
  add("pn", {{"ties=deepest"}, {"stop=none", "stop=allis"}, leaves, breaks, orders});
  add("pn", {{"ties=left", "ties=path", "ties=deepest"},
             {"leaf=playouts,playouts=10", "leaf=both,playouts=10,A=1e12"},
             breaks,
             orders});
  add("pn",
      {{"leaf=playouts,playouts=10"}, {"form=log", "form=linear"}, {"stop=none", "stop=one"}});
  add("pn2", {{"limit=allis", "limit=breuker,a=40,b=10"},
              {"evaluate=delayed", "evaluate=immediate"},
              leaves,
              breaks,
              orders});
  add("pn2", {{"evaluate=delayed", "evaluate=immediate"}, {"endings=5"}});
  add("deeppn", {{"R=0", "R=0.3", "R=0.65", "R=1"}, {"norm=inv", "norm=inv1"}, breaks, orders});
  add("wpns", {leaves, breaks, orders});
  for (const char* name : {"mcpn", "ppn"}) {
    add(name, {{"playouts=1", "playouts=10"}, {"rule=clamp", "rule=beta"}, breaks, orders});
  }
  add("ews", {{"leaf=both,playouts=1", "leaf=both,A=1,plies=8", "leaf=rollout", "leaf=unit"},
              breaks,
              orders});
  add("mcts", {{"playouts=1", "playouts=10"}, orders});
  add("mcts", {{"reward=sign", "A=0.5"}, orders});
  add("uct", {{"playouts=10"}, {"C=0.5", "C=2"}, {"form=inside", "form=outside"}, orders});
  add("uct", {{"reward=sign"}, {"C=0.5", "C=8"}, {"form=inside", "form=outside", "endings=5"}});
  const std::vector<std::string> numbers = {
      "leaf=playouts,playouts=10", "leaf=unit", "leaf=mobility",
      "leaf=both,playouts=10",     "E=3,D=4",   "E=0"};
  add("dfpn",
      {numbers,
       {"increment=1", "epsilon=0.5", "increment=0", "increment=5,edge=2", "edge=1,edges=moves"}});
  add("dfpn", {numbers, {"table=1KiB"}, {"symmetry=on", "symmetry=off"}, {"order=random"}});
  add("dfpn", {{"leaf=unit,table=4KiB"}, {"places=1", "places=100"}, {"gc=0", "gc=0.3"}, breaks});
  add("dfpn", {{"playouts=10"}, {"form=log", "form=linear"}});
  for (const char* name : {"pds", "pnstar"}) {
    add(name, {{"leaf=unit", "leaf=playouts,playouts=10,A=100"}, {"table=1KiB", "table=1MiB"}});
  }
  add("pds", {{"deepen=child"}, {"leaf=unit", "leaf=playouts,playouts=10,A=100"}, {"table=1KiB"}});
  add("dfpn", {numbers, {"endings=0", "endings=5"}});
  add("alphabeta",
      {{"leaf=mobility", "leaf=unit", "playouts=10,leaf=playouts", "playouts=10,leaf=both"},
       {"table=1KiB", "table=1MiB"},
       {"symmetry=on", "symmetry=off"},
       breaks,
       orders});
  add("alphabeta", {{"endings=5"}, {"gc=0", "gc=0.3,table=4KiB"}});
  add_table_schemes(all);
  add("dfpn", {{"leaf=unit"}, {"probe=none", "probe=endings,endings=3"}});
  add("pn",
      {{"probe=endings,endings=5"}, {"leaf=unit", "leaf=playouts,playouts=10"}, breaks, orders});
  for (const char* name : {"deeppn", "mcpn", "ppn", "ews", "mcts", "uct"})
    add(name, {{"endings=5"}, orders});
  for (const char* name : {"dfppn", "dfews"}) add(name, {{"endings=5,table=1MiB"}, orders});
  for (std::string& algorithm : all) algorithm = without_zones(algorithm);
  add_zones(all);
  return all;
}

std::string without_zones(const std::string& algorithm) { return algorithm_as_stored(algorithm); }

std::vector<std::string> plain_algorithms() {
  return {"minimax", "pn",  "pn2",  "deeppn", "wpns",   "mcpn",  "ppn",   "ews",
          "mcts",    "uct", "dfpn", "pds",    "pnstar", "dfppn", "dfews", "alphabeta"};
}

std::vector<std::string> table_algorithms() {
  return {"dfpn", "pds", "pnstar", "dfppn", "dfews", "alphabeta"};
}

bool has_table(const std::string& algorithm) {
  const std::vector<std::string> all = table_algorithms();
  return std::find(all.begin(), all.end(), algorithm) != all.end();
}

void expect_same_counters(const Counters& a, const Counters& b) {
  for (const CounterField& field : kCounterFields) {
    EXPECT_EQ(a.*field.value, b.*field.value) << field.name;
  }
}

void expect_same_search(const SolveResult& a, const SolveResult& b) {
  EXPECT_EQ(a.verdict, b.verdict);
  EXPECT_EQ(a.reason, b.reason);
  EXPECT_EQ(a.lower, b.lower);
  EXPECT_EQ(a.upper, b.upper);
  EXPECT_EQ(a.best_move, b.best_move);
  EXPECT_EQ(a.principal_variation, b.principal_variation);
  expect_same_counters(a.counters, b.counters);
}

}  // namespace playproof
