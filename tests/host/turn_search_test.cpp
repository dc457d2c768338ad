// Proof search on turns (games/connect/rzop.h) with the numbers of other searches (host/solve/
// turn_numbers.h): openings that threats alone do not win, small boards against exhaustive search,
// searches in parts.
#include "games/connect/rzop.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "games/connect/vcdt.h"
#include "games/connect/window_value.h"
#include "host/solve/turn_numbers.h"
#include "kernels/schemes/deep_pn.h"
#include "kernels/schemes/mcpn.h"
#include "kernels/schemes/ppn.h"
#include "tests/games/race_support.h"
#include "tests/games/support.h"
#include "tests/nightly.h"

namespace playproof::turn_search_test {
namespace {

using Outcome = VcdtAnswer::Outcome;
template <int W>
using Turns = Rzop<W, TurnProofNumbers>;

template <int W, class Numbers>
VcdtAnswer solve(Rzop<W, Numbers>& search, const ConnectThreats<W>& position, int attacker,
                 const typename Rzop<W, Numbers>::Settings& options,
                 std::uint64_t slice = 1'000'000) {
  search.begin(position, attacker, 2, options);
  while (!search.advance(slice)) {
  }
  return search.answer();
}
// Turns after which so many stones of a reply are free.
int free_replies(const RaceProof& proof, int stones) {
  return static_cast<int>(std::ranges::count_if(proof.nodes, [&](const RaceNode& node) {
    if (node.kind != RaceNode::Kind::kQuiet) return false;
    for (std::uint32_t i = 0; i < node.children; ++i) {
      if (2 - cells_of<6>(proof.replies[node.first_child + i]).size() == stones) return true;
    }
    return false;
  }));
}

struct Board19 {
  ConnectWindows<6> windows{Connect<6>::make_rules(19, 19, 6, 2)};
  Turns<6> search{windows};
};

TEST(TurnSearch, WinsOpenings) {
  const auto board = std::make_unique<Board19>();
  auto& [windows, search] = *board;
  int nulls = 0;
  std::size_t turn = 0;
  for (const std::string& text : data_lines("connect6-openings.txt")) {
    if (turn++ % 3 != 1 && !nightly()) continue;
    const Race<6> race = RaceLine(text).race();
    const ConnectThreats<6> position(windows, race.state);
    const VcdtAnswer answer = solve(search, position, race.attacker, {});
    ASSERT_EQ(answer.outcome, Outcome::kWin) << text;
    const RaceProof proof = search.proof();
    ASSERT_TRUE(RaceWalk<6>().walk(position, race.attacker, 2, proof)) << text;
    EXPECT_EQ(answer.turns, proof.turns());
    nulls += free_replies(proof, 2);
  }
  EXPECT_GT(nulls, 0);
}

// In parts, lazily or not, with other first numbers: the same or another search, a proof each time.
TEST(TurnSearch, InParts) {
  const auto board = std::make_unique<Board19>();
  auto& [windows, search] = *board;
  for (const std::size_t line : {0, 1}) {
    const Race<6> race = RaceLine(data_lines("connect6-openings.txt")[line]).race();
    const ConnectThreats<6> position(windows, race.state);
    using Settings = Turns<6>::Settings;
    Settings eager;
    eager.lazy = false;
    Settings deep;
    deep.numbers.leaf = LeafNumbers::deep(5, 4);
    Settings ranked;
    ranked.by_zones = true;
    ranked.width = 5;
    for (const Settings& options : {Settings{}, eager, deep, ranked}) {
      const VcdtAnswer whole = solve(search, position, race.attacker, options);
      const RaceProof proof = search.proof();
      const VcdtAnswer parts = solve(search, position, race.attacker, options, 7);
      EXPECT_EQ(parts.calls, whole.calls);
      EXPECT_EQ(parts.work, whole.work);
      EXPECT_EQ(search.proof().nodes.size(), proof.nodes.size());
      if (whole.outcome != Outcome::kWin) continue;
      EXPECT_TRUE(RaceWalk<6>().walk(position, race.attacker, 2, proof));
    }
  }
}

// Which first numbers and thresholds there are.
std::vector<TurnProofNumbers> proof_numbers() {
  using Kind = ThresholdRule::Kind;
  return {{},
          {LeafNumbers::deep(5, 4)},
          {{}, ThresholdRule{}},
          {{}, ThresholdRule{.kind = Kind::kEpsilon, .epsilon = 0.25}},
          {LeafNumbers::deep(5, 4), ThresholdRule{}},
          {LeafNumbers::deep(0, 3), ThresholdRule{}},
          {{}, ThresholdRule{.kind = Kind::kPds}},
          {{}, ThresholdRule{.kind = Kind::kPds, .by_child = true}},
          {{}, ThresholdRule{.kind = Kind::kPnStar}},
          {LeafNumbers::windows({RateForm::Kind::kPower, 1024})},
          {LeafNumbers::windows({RateForm::Kind::kLinear, 50}), ThresholdRule{}}};
}

// The two that are no searches for a first proof: by depth alone, and by the numbers of a child
// alone.
bool is_likely_to_win(std::size_t rule) { return rule != 5 && rule != 7; }

TEST(TurnSearch, WinsWithEveryRule) {
  const auto board = std::make_unique<Board19>();
  auto& [windows, search] = *board;
  const std::vector<TurnProofNumbers> rules = proof_numbers();
  for (const std::size_t line : {1, 2}) {
    const Race<6> race = RaceLine(data_lines("connect6-openings.txt")[line]).race();
    const ConnectThreats<6> position(windows, race.state);
    for (std::size_t rule = 0; rule < rules.size(); ++rule) {
      Turns<6>::Settings options;
      options.numbers = rules[rule];
      options.work = is_likely_to_win(rule) ? 30'000'000 : 1'000'000;
      options.lazy = rule != 4;
      const bool won = solve(search, position, race.attacker, options).outcome == Outcome::kWin;
      EXPECT_TRUE(won || !is_likely_to_win(rule)) << line << ' ' << rule;
      if (!won) continue;
      EXPECT_TRUE(RaceWalk<6>().walk(position, race.attacker, 2, search.proof()));
    }
  }
}

// On a tree df-pn looks at leaves in the order of the best-first search that stays on its path
// while that is as good as any (Nagai 2002): only the steps between them are fewer.
TEST(TurnSearch, ThresholdsChangeNoLeaf) {
  const auto board = std::make_unique<Board19>();
  auto& [windows, search] = *board;
  for (const std::size_t line : {1, 2, 4}) {
    const Race<6> race = RaceLine(data_lines("connect6-openings.txt")[line]).race();
    const ConnectThreats<6> position(windows, race.state);
    for (const LeafNumbers& leaf : {LeafNumbers::unit(), LeafNumbers::deep(3, 5)}) {
      Turns<6>::Settings best_first;
      best_first.numbers = {leaf, std::nullopt, true};
      best_first.work = 10'000'000;
      Turns<6>::Settings thresholds = best_first;
      thresholds.numbers = {leaf, ThresholdRule{}};
      const VcdtAnswer one = solve(search, position, race.attacker, best_first);
      const RaceProof proof = search.proof();
      const VcdtAnswer other = solve(search, position, race.attacker, thresholds);
      EXPECT_EQ(one.outcome, other.outcome);
      EXPECT_EQ(one.calls, other.calls);
      EXPECT_EQ(one.work, other.work);
      EXPECT_EQ(proof.nodes.size(), search.proof().nodes.size());
    }
  }
}

// A win with single threats ends a leaf: openings are won with fewer leaves, saved in parts too.
TEST(TurnSearch, AsksForSingleThreats) {
  const auto board = std::make_unique<Board19>();
  auto& [windows, search] = *board;
  std::uint64_t calls[2] = {};
  for (const std::size_t line : {1, 2, 4}) {
    const Race<6> race = RaceLine(data_lines("connect6-openings.txt")[line]).race();
    const ConnectThreats<6> position(windows, race.state);
    for (const int with : {0, 1}) {
      Turns<6>::Settings options;
      options.numbers = {{}, ThresholdRule{}};
      if (with == 1) options.singles = VcstOptions{.threats = {}, .singles = 1, .work = 100'000};
      const VcdtAnswer whole = solve(search, position, race.attacker, options);
      ASSERT_EQ(whole.outcome, Outcome::kWin) << line;
      const RaceProof proof = search.proof();
      EXPECT_TRUE(RaceWalk<6>().walk(position, race.attacker, 2, proof));
      const VcdtAnswer parts = solve(search, position, race.attacker, options, 7);
      EXPECT_EQ(parts.work, whole.work);
      EXPECT_EQ(search.proof().nodes.size(), proof.nodes.size());
      calls[with] += whole.calls;
    }
  }
  EXPECT_LT(calls[1], calls[0]);
}

// What live windows are worth, counted window by window.
TEST(TurnSearch, WindowsAreWorth) {
  for (const int connect : {4, 6}) {
    const ConnectWindows<6> windows(Connect<6>::make_rules(9, 11, connect, 2));
    Draws draws(5);
    for (int i = 0; i < 200; ++i) {
      const int stones = 2 + draws.below(30);
      const Race<6> race = Race<6>::random(windows.rules, stones / 2, stones - stones / 2, &draws);
      const ConnectThreats<6> position(windows, race.state);
      for (const int player : {0, 1}) {
        int worth = 0;
        for (int first = 0; first < windows.rules.cells; ++first) {
          for (const auto& [down, right] :
               {std::pair{0, 1}, std::pair{1, 0}, std::pair{1, 1}, std::pair{1, -1}}) {
            const int row = first / 11 + down * (connect - 1);
            const int column = first % 11 + right * (connect - 1);
            if (row >= 9 || column < 0 || column >= 11) continue;
            int own = 0;
            bool live = true;
            for (int j = 0; j < connect; ++j) {
              const int cell = first + j * (11 * down + right);
              own += position.stones(player).has(cell);
              live = live && !position.stones(1 - player).has(cell);
            }
            if (live && own == connect - 3) worth += 10;
            if (live && own == connect - 4) worth += 1;
          }
        }
        EXPECT_EQ(window_value(position, player), worth);
      }
    }
  }
}

// Playouts that are none: a function of the position, which is all that a search asks of them.
std::uint32_t made_up_wins(const Connect<6>::State& state, std::uint32_t /*first*/,
                           std::uint32_t count) {
  std::uint64_t key = 1;
  for (const auto& player : state.stones) {
    for (const std::uint64_t word : player) key = mix64(key ^ word);
  }
  return static_cast<std::uint32_t>(key % (count + 1));
}

// Where numbers are but noise a win is luck; but it is one, in parts too.
template <class Numbers>
void search_by(const Numbers& numbers, bool wins) {
  const ConnectWindows<6> windows(Connect<6>::make_rules(19, 19, 6, 2));
  const auto search = std::make_unique<Rzop<6, Numbers>>(windows);
  for (const std::size_t line : {1, 8}) {
    const Race<6> race = RaceLine(data_lines("connect6-openings.txt")[line]).race();
    const ConnectThreats<6> position(windows, race.state);
    typename Rzop<6, Numbers>::Settings options{{}, numbers, made_up_wins};
    options.work = 3'000'000;
    const VcdtAnswer answer = solve(*search, position, race.attacker, options);
    EXPECT_TRUE(answer.outcome == Outcome::kWin || !wins) << line;
    EXPECT_EQ(search->playouts(),
              search->evaluations() * static_cast<std::uint64_t>(numbers.playouts()));
    EXPECT_EQ(search->evaluations() > 0, numbers.playouts() > 0);
    const RaceProof proof = search->proof();
    if (answer.outcome == Outcome::kWin) {
      EXPECT_TRUE(RaceWalk<6>().walk(position, race.attacker, 2, proof));
    }
    EXPECT_EQ(solve(*search, position, race.attacker, options, 5).calls, answer.calls);
    EXPECT_EQ(search->proof().nodes.size(), proof.nodes.size());
  }
}

TEST(TurnSearch, SearchesWithSchemes) {
  const WinRateRule rule{.beta = true};
  search_by(TurnScheme<DeepPn>{}, true);
  search_by(TurnScheme<Mcpn>{{10, rule}}, false);
  search_by(TurnScheme<Ppn>{{10, rule}}, false);
  search_by(TurnProofNumbers{LeafNumbers::from_playouts(10, {RateForm::Kind::kPower, 32768}, false),
                             ThresholdRule{}},
            false);
}

// Each reply that is left out of a turn with free stones is missed.
TEST(TurnSearch, ReplyLeftOutIsMissed) {
  const auto board = std::make_unique<Board19>();
  auto& [windows, search] = *board;
  const Race<6> race = RaceLine(data_lines("connect6-openings.txt")[8]).race();
  const ConnectThreats<6> position(windows, race.state);
  ASSERT_EQ(solve(search, position, race.attacker, {}).outcome, Outcome::kWin);
  const RaceProof proof = search.proof();
  const RaceNode& root = proof.root();
  ASSERT_EQ(root.kind, RaceNode::Kind::kQuiet);
  ASSERT_GT(root.children, 2u);
  const std::uint32_t last = root.first_child + root.children - 1;
  for (std::uint32_t i = root.first_child; i <= last; i += 1 + root.children / 8) {
    // Another one takes its place, so that all numbers stay.
    RaceProof changed = proof;
    const std::uint32_t other = i == last ? root.first_child : last;
    if (proof.replies[i].first == kNoMove || proof.replies[i].second != kNoMove) continue;
    changed.children[i] = proof.children[other];
    changed.replies[i] = proof.replies[other];
    EXPECT_FALSE(RaceWalk<6>().walk(position, race.attacker, 2, changed)) << i;
  }
}

// Much is drawn by night, a sample by day.
// Whole replies to the first turns of openings, drawn at random: some reply of the proof has no
// other stones, and what follows it wins on the very board, whatever zones say.
TEST(TurnSearch, AnswersWholeReplies) {
  const auto board = std::make_unique<Board19>();
  auto& [windows, search] = *board;
  Draws draws(3);
  int replies = 0;
  for (const std::size_t line : {0, 2, 3, 4, 7, 8}) {
    if (line % 2 == 0 && !nightly()) continue;
    const Race<6> race = RaceLine(data_lines("connect6-openings.txt")[line]).race();
    ConnectThreats<6> position(windows, race.state);
    ASSERT_EQ(solve(search, position, race.attacker, {}).outcome, Outcome::kWin);
    const RaceProof proof = search.proof();
    const RaceNode root = proof.root();
    if (root.kind != RaceNode::Kind::kQuiet) continue;
    position.add(race.attacker, root.turn);
    ConnectThreats<6>::List threats;
    position.list(race.attacker, &threats);
    for (int i = 0; i < (nightly() ? 5000 : 150); ++i) {
      ConnectTurn turn{static_cast<Move>(draws.below(361)), static_cast<Move>(draws.below(361))};
      if (threats.count > 0) {
        const Threat& hit = threats.threats[static_cast<std::size_t>(draws.below(threats.count))];
        turn.first = draws.below(2) == 0 ? hit.a : hit.b;
      }
      if (turn.first == turn.second || !cells_of<6>(turn).within(position.empty())) continue;
      ConnectThreats<6> after = position;
      after.add(1 - race.attacker, turn);
      if (after.number(race.attacker) > 0) continue;  // it does not hit all
      ++replies;
      bool won = false;
      for (std::uint32_t child = root.first_child; child < root.first_child + root.children;
           ++child) {
        if (won || !cells_of<6>(proof.replies[child]).within(cells_of<6>(turn))) continue;
        RaceProof below = proof;
        below.nodes.resize(proof.children[child] + 1);
        won = RaceWalk<6>().walk(after, race.attacker, 2, below).has_value();
      }
      EXPECT_TRUE(won) << line << ' ' << turn.first << ' ' << turn.second;
    }
  }
  EXPECT_GT(replies, 100);
}

// Does the attacker, to move with a whole turn, win, whatever is played? Exhaustive.
class Exhaustive {
 public:
  bool wins(PlainRace* race, int attacker) {
    const auto [known, fresh] = known_.try_emplace({race->cells, attacker});
    if (fresh) known->second = search(race, attacker);
    return known->second;
  }

 private:
  bool search(PlainRace* race, int attacker) {
    if (race->can_complete(attacker, 2)) return true;
    if (race->empty().size() < 2) return false;
    return race->any_placement(attacker, 2, [&] {
      const int stones = std::min(2, static_cast<int>(race->empty().size()));
      if (stones == 0 || race->can_complete(1 - attacker, stones)) return false;
      return !race->any_placement(1 - attacker, stones, [&] { return !wins(race, attacker); });
    });
  }
  std::map<std::pair<std::string, int>, bool> known_;
};

// Small boards where double threats are few: what the search wins is won, whatever is played.
TEST(TurnSearch, WinsWhatIsWon) {
  int wins = 0;
  int beyond = 0;
  for (const auto& [rows, columns, k, most] :
       std::vector<std::tuple<int, int, int, int>>{{4, 4, 4, 9}, {5, 5, 4, 13}, {6, 6, 5, 14}}) {
    const ConnectWindows<1> windows(Connect<1>::make_rules(rows, columns, k, 2));
    Turns<1> search(windows);
    Vcdt<1> threats(windows);
    Draws draws(7);
    for (int i = 0; i < (nightly() ? 200000 : 1500); ++i) {
      const int stones = rows * columns - most + draws.below(4);
      const Race<1> race = Race<1>::random(windows.rules, stones / 2, stones - stones / 2, &draws);
      const ConnectThreats<1> position(windows, race.state);
      if (position.can_complete(race.attacker, 2)) continue;
      Turns<1>::Settings options;
      options.threats.turns = 2;
      options.width = draws.below(8) == 0 ? RzopOptions::kAll : 3 + draws.below(20);
      options.lazy = draws.below(4) != 0;
      options.by_zones = draws.below(4) == 0;
      options.without = static_cast<RzopOptions::Without>(draws.below(4));
      const auto rules = proof_numbers();
      options.numbers =
          rules[static_cast<std::size_t>(draws.below(static_cast<int>(rules.size())))];
      const VcdtAnswer answer = solve(search, position, race.attacker, options);
      if (answer.outcome != Outcome::kWin) continue;
      ++wins;
      const RaceProof proof = search.proof();
      EXPECT_TRUE(RaceWalk<1>().walk(position, race.attacker, 2, proof));
      PlainRace plain = race.plain();
      EXPECT_TRUE(Exhaustive().wins(&plain, race.attacker)) << plain.cells;
      beyond += threats.solve(position, race.attacker, 2, options.threats).outcome != Outcome::kWin;
    }
  }
  EXPECT_GT(wins, 20);
  if (nightly()) {
    EXPECT_GT(beyond, 0);
  }
}

// Boards of tests/data/connect6-small-turns.txt: nobody completes a line at once, and double
// threats are not asked for (turns = 1), so that a win is one of turns. Half of them are won, in
// three turns of the attacker or more.
struct SmallBoard {
  int rows, columns, connect, empty;
};
constexpr SmallBoard kSmallBoards[] = {{5, 5, 4, 13}, {6, 6, 5, 15}, {4, 7, 4, 13}, {5, 7, 5, 15}};
constexpr std::size_t kSmallSet = 500;
constexpr int kFewerEmpty = 5;  // where all is to be looked at: boards that are not won

Turns<1>::Settings by_turns_alone(const TurnProofNumbers& numbers = {}) {
  Turns<1>::Settings options;
  options.numbers = numbers;
  options.threats.turns = 1;
  options.width = RzopOptions::kAll;
  options.work = 100'000;
  return options;
}

// So many lines of that list, in its order.
std::vector<std::string> draw_small_boards(std::size_t count) {
  Draws draws(11);
  std::vector<std::string> lines;
  while (lines.size() < count) {
    const bool wanted = lines.size() % 2 == 0;
    const SmallBoard& size = kSmallBoards[lines.size() / 2 % std::size(kSmallBoards)];
    const ConnectWindows<1> windows(
        Connect<1>::make_rules(size.rows, size.columns, size.connect, 2));
    const int stones =
        windows.rules.cells - size.empty + (wanted ? 0 : kFewerEmpty) + draws.below(3);
    const Race<1> race = Race<1>::random(windows.rules, stones / 2, stones - stones / 2, &draws);
    const ConnectThreats<1> position(windows, race.state);
    if (position.can_complete(race.attacker, 2)) continue;
    Turns<1> search(windows);
    const auto answer = solve(search, position, race.attacker, by_turns_alone());
    const bool won = answer.outcome == Outcome::kWin && answer.turns >= 3;
    PlainRace plain = race.plain();
    if (wanted != won || (!won && Exhaustive().wins(&plain, race.attacker))) continue;
    std::string line = std::to_string(size.connect) + " | ";
    for (std::size_t i = 0; i < plain.cells.size(); ++i) {
      line += plain.cells[i];
      if ((i + 1) % static_cast<std::size_t>(size.columns) == 0) line += '/';
    }
    lines.push_back(line + (race.attacker == 0 ? " | B" : " | W") + (won ? " | win" : " | none"));
  }
  return lines;
}

TEST(TurnSearch, SmallBoardsWhereItIsNeeded) {
  if (std::getenv("PLAYPROOF_DRAW") != nullptr) {
    for (const std::string& line : draw_small_boards(kSmallSet)) std::cout << line << '\n';
    return;
  }
  const std::vector<std::string> lines = data_lines("connect6-small-turns.txt");
  ASSERT_EQ(lines.size(), kSmallSet);
  const std::vector<std::string> drawn = draw_small_boards(nightly() ? 6 : 2);
  EXPECT_TRUE(std::equal(drawn.begin(), drawn.end(), lines.begin()));
  const std::vector<TurnProofNumbers> rules = proof_numbers();
  for (std::size_t i = 0; i < lines.size(); i += nightly() ? 1 : 13) {
    const RaceLine line(lines[i]);
    const Race<1> race =
        Race<1>::of_rows(line.stones[0] - '0', 2, line.columns[0], line.columns[1][0]);
    const ConnectWindows<1> windows(race.rules);
    const ConnectThreats<1> position(windows, race.state);
    Turns<1> search(windows);
    const bool wins = line.columns[2] == "win";
    Turns<1>::Settings options = by_turns_alone(rules[i % rules.size()]);
    options.lazy = i % 3 != 0;
    options.by_zones = i % 5 == 0;
    options.without = static_cast<RzopOptions::Without>(i % 7 % 4);
    options.work = 10'000'000;
    const VcdtAnswer answer = solve(search, position, race.attacker, options);
    const bool won = answer.outcome == Outcome::kWin;
    EXPECT_TRUE(won == wins || (wins && !is_likely_to_win(i % rules.size()))) << lines[i];
    if (won) {
      EXPECT_TRUE(RaceWalk<1>().walk(position, race.attacker, 2, search.proof())) << lines[i];
    }
    if (!nightly() && i % 65 != 0) continue;
    PlainRace plain = race.plain();
    EXPECT_EQ(Exhaustive().wins(&plain, race.attacker), wins) << lines[i];
  }
}

}  // namespace
}  // namespace playproof::turn_search_test
