// What it means that all listed steps of a position are lost (host/knowledge/replies.h): lists of
// each kind, of games with zones, with draws, with turns of two stones. Whatever a search by them
// says of a position is held against exhaustive search, and every list against what the concept
// asks. Lists with a fault are found out.
#include "host/knowledge/replies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "games/connect/entry.h"
#include "host/knowledge/knowledge.h"
#include "host/knowledge/zone_loss.h"
#include "three_in_a_row.h"
#include "zone_truth.h"

namespace playproof {

// Turns of two stones, the first of one; a step is a turn.
struct TwoStones : Connect<1> {};
template <>
struct StepsOf<TwoStones> {
  static constexpr int kMoves = 2;
};

namespace replies_test {
namespace {

constexpr Claim kFirstWins{Player::kFirst, 1};
bool is_win(int value) { return value >= kFirstWins.threshold; }  // of the first player

// Searches every step that is listed, and asks again after each, as the concept allows.
template <class G, class K>
class SearchByReplies {
  static_assert(ListsReplies<K, G>);

 public:
  using State = typename G::State;
  struct Answer {
    std::optional<Player> winner;  // who has it his way with the claim; nothing: not known
    [[no_unique_address]] Zone<G> zone = {};
  };

  SearchByReplies(const typename G::Rules& rules, K& knowledge)
      : rules_(rules), knowledge_(knowledge) {}

  const Answer& answer(const State& state) {
    const auto known = answers_.find(key(state));
    if (known != answers_.end()) return known->second.second;
    const Answer answer = searched(state);
    return answers_.emplace(key(state), std::pair{state, answer}).first->second.second;
  }
  void for_each_answer(auto&& f) const {
    for (const auto& [key, answer] : answers_) f(answer.first, answer.second);
  }
  // What the lists do that the concept forbids, the first of it; empty: nothing.
  const std::string& fault() const { return fault_; }
  int grown() const { return grown_; }    // lists that grew
  int spared() const { return spared_; }  // moves of positions that were decided without them

 private:
  using Key = std::pair<std::uint64_t, std::uint64_t>;
  static Key key(const State& state) { return {state.stones[0][0], state.stones[1][0]}; }

  Answer searched(const State& state) {
    if (G::finished(rules_, state)) return finished(state);
    if constexpr (requires { knowledge_.judge(state); }) {
      if (const auto known = knowledge_.judge(state)) return {known->winner, known->zone};
    }
    const Player mover = G::to_move(rules_, state);
    std::vector<LostReply<G>> lost;
    std::vector<ReplyStep<G>> steps;
    ReplyKind kind = list(state, lost, steps);
    bool open = kind == ReplyKind::kSome;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      State child = state;
      for (const Move move : steps[i].all()) G::play(rules_, child, move);
      const Answer answer = this->answer(child);
      if (answer.winner == mover) return answer;
      if (!answer.winner) {
        open = true;
        continue;
      }
      lost.push_back({steps[i], answer.zone});
      const std::vector<ReplyStep<G>> before = steps;
      kind = list(state, lost, steps);
      check_growth(kind, before, steps);
    }
    if (open) return {};
    Move moves[G::kMaxMoves];
    spared_ += G::moves(rules_, state, moves) - static_cast<int>(steps.size());
    return {opponent(mover), zone_of_loss(state, lost)};
  }
  Answer finished(const State& state) const {
    const Player winner = is_win(G::value(rules_, state)) ? Player::kFirst : Player::kSecond;
    if constexpr (ZonedGame<G>) return {winner, Zoned<G>::of_finished(rules_, state, winner)};
    return {winner};
  }
  Zone<G> zone_of_loss(const State& state, const std::vector<LostReply<G>>& lost) {
    if constexpr (ZonedGame<G>) {
      std::vector<Zone<G>> zones;
      for (const LostReply<G>& one : lost) zones.push_back(one.zone);
      if constexpr (requires { knowledge_.zone_of_loss(state, zones); }) {
        return knowledge_.zone_of_loss(state, zones);
      } else {
        return playproof::zone_of_loss<G>(std::span<const Zone<G>>(zones),
                                          Zone<G>::all(Zoned<G>::cells(rules_)) -
                                              Zoned<G>::stones(state, Player::kFirst) -
                                              Zoned<G>::stones(state, Player::kSecond));
      }
    }
    return {};
  }

  ReplyKind list(const State& state, const std::vector<LostReply<G>>& lost,
                 std::vector<ReplyStep<G>>& steps) {
    const ReplyKind kind = knowledge_.list(state, lost, steps);
    std::vector<LostReply<G>> reversed(lost.rbegin(), lost.rend());
    std::vector<ReplyStep<G>> again;
    expect(knowledge_.list(state, reversed, again) == kind && again == steps,
           "the same question has another answer");
    check_steps(state, steps);
    return kind;
  }
  void check_steps(const State& state, const std::vector<ReplyStep<G>>& steps) {
    expect(!steps.empty(), "no step");
    const Player mover = G::to_move(rules_, state);
    std::vector<Key> reached;
    for (const ReplyStep<G>& step : steps) {
      expect(1 <= step.count && step.count <= StepsOf<G>::kMoves, "a step of no moves");
      State child = state;
      for (const Move move : step.all()) {
        const bool legal = !G::finished(rules_, child) && G::to_move(rules_, child) == mover &&
                           is_legal(child, move);
        expect(legal, "a step that is not legal");
        if (!legal) return;
        G::play(rules_, child, move);
      }
      expect(G::finished(rules_, child) || G::to_move(rules_, child) != mover, "half a turn");
      reached.push_back(key(child));
    }
    std::sort(reached.begin(), reached.end());
    expect(std::adjacent_find(reached.begin(), reached.end()) == reached.end(), "a step twice");
  }
  bool is_legal(const State& state, Move move) const {
    Move moves[G::kMaxMoves];
    Move* const end = moves + G::moves(rules_, state, moves);
    return std::find(moves, end, move) != end;
  }
  void check_growth(ReplyKind kind, const std::vector<ReplyStep<G>>& before,
                    const std::vector<ReplyStep<G>>& after) {
    const bool begins =
        before.size() <= after.size() && std::equal(before.begin(), before.end(), after.begin());
    expect(begins, "a list that lost or moved a step");
    const bool grew = after.size() > before.size();
    expect(!grew || kind == ReplyKind::kByZone, "a list that grew");
    grown_ += grew ? 1 : 0;
  }
  void expect(bool good, const char* what) {
    if (!good && fault_.empty()) fault_ = what;
  }

  typename G::Rules rules_;
  K& knowledge_;
  std::map<Key, std::pair<State, Answer>> answers_;
  std::string fault_;
  int grown_ = 0;
  int spared_ = 0;
};

template <class G>
ReplyStep<G> one_move(int cell) {
  return {{static_cast<Move>(cell)}, 1};
}
CellSet<1> empty_cells_of(const Connect<1>::Rules& rules, const Connect<1>::State& state) {
  return CellSet<1>::all(rules.cells) - CellSet<1>::of(state.stones[0]) -
         CellSet<1>::of(state.stones[1]);
}
// Cells that lie in more lines of three come first.
std::vector<int> by_lines(const Connect<1>::Rules& rules) {
  const std::vector<CellSet<1>> lines = lines_of_three(rules);
  std::vector<std::pair<int, int>> cells;
  for (int cell = 0; cell < rules.cells; ++cell) {
    const auto count = std::count_if(lines.begin(), lines.end(),
                                     [&](const CellSet<1>& line) { return line.has(cell); });
    cells.emplace_back(-static_cast<int>(count), cell);
  }
  std::sort(cells.begin(), cells.end());
  std::vector<int> order;
  for (const auto& [less, cell] : cells) order.push_back(cell);
  return order;
}

enum class Fault { kNone, kStops, kRemembers, kDropsLost, kTwice, kOccupied, kSaysAll };

// By zone: two cells at a time of what the zones of the lost ones before leave.
class RowByZone {
 public:
  using Step = ReplyStep<ThreeInARow>;
  static constexpr int kAtOnce = 2;

  RowByZone(const Connect<1>::Rules& rules, Fault fault)
      : rules_(rules), order_(by_lines(rules)), fault_(fault) {}

  ReplyKind list(const ThreeInARow::State& state, std::span<const LostReply<ThreeInARow>> lost,
                 std::vector<Step>& steps) {
    const CellSet<1> empty = empty_cells_of(rules_, state);
    CellSet<1> left = empty;
    std::size_t seen = 0;  // of the steps: their zones are in `left`
    steps.clear();
    while (true) {
      int more = 0;
      for (const int cell : order_) {
        if (more == kAtOnce || !left.has(cell)) continue;
        if (std::ranges::count(steps, one_move<ThreeInARow>(cell)) > 0) continue;
        steps.push_back(one_move<ThreeInARow>(cell));
        ++more;
      }
      if (more == 0 || fault_ == Fault::kStops) break;
      for (; seen < steps.size(); ++seen) {
        const auto proof = std::ranges::find_if(
            lost, [&](const LostReply<ThreeInARow>& one) { return one.step == steps[seen]; });
        if (proof == lost.end()) break;
        left &= proof->zone;
      }
      if (seen < steps.size()) break;
    }
    spoil(state, lost, steps);
    return ReplyKind::kByZone;
  }
  void spoil(const ThreeInARow::State& state, std::span<const LostReply<ThreeInARow>> lost,
             std::vector<Step>& steps) {
    const CellSet<1> stones = CellSet<1>::all(rules_.cells) - empty_cells_of(rules_, state);
    if (fault_ == Fault::kRemembers && ++asked_ % 2 == 0) std::reverse(steps.begin(), steps.end());
    if (fault_ == Fault::kDropsLost) {
      std::erase_if(steps, [&](const Step& step) {
        return std::ranges::any_of(lost, [&](const auto& one) { return one.step == step; });
      });
    }
    if (fault_ == Fault::kTwice) steps.push_back(steps.front());
    if (fault_ == Fault::kOccupied && !stones.empty()) {
      steps.push_back(one_move<ThreeInARow>(stones.lowest()));
    }
  }

 private:
  Connect<1>::Rules rules_;
  std::vector<int> order_;
  Fault fault_;
  int asked_ = 0;
};

// Some: the attacker completes a line, prevents one, or tries two cells. The other side: all.
class RowSome {
 public:
  RowSome(const Connect<1>::Rules& rules, Fault fault)
      : rules_(rules), lines_(lines_of_three(rules)), order_(by_lines(rules)), fault_(fault) {}

  ReplyKind list(const ThreeInARow::State& state, std::span<const LostReply<ThreeInARow>> /*lost*/,
                 std::vector<ReplyStep<ThreeInARow>>& steps) const {
    const CellSet<1> empty = empty_cells_of(rules_, state);
    const Player mover = ThreeInARow::to_move(rules_, state);
    const bool attackers = mover == kFirstWins.attacker;
    CellSet<1> cells = attackers ? last_cells(state, mover) : empty;
    if (cells.empty()) cells = last_cells(state, opponent(mover));
    steps.clear();
    for (const int cell : order_) {
      const bool listed = cells.empty() ? steps.size() < 2 : cells.has(cell);
      if (empty.has(cell) && listed) steps.push_back(one_move<ThreeInARow>(cell));
    }
    return attackers && fault_ != Fault::kSaysAll ? ReplyKind::kSome : ReplyKind::kAll;
  }
  // Those that complete a line of this player's.
  CellSet<1> last_cells(const ThreeInARow::State& state, Player player) const {
    const CellSet<1> own = CellSet<1>::of(state.stones[static_cast<int>(player)]);
    const CellSet<1> empty = empty_cells_of(rules_, state);
    CellSet<1> last;
    for (const CellSet<1>& line : lines_) {
      const CellSet<1> missing = line - own;
      if (missing.size() == 1 && missing.within(empty)) last |= missing;
    }
    return last;
  }

 private:
  Connect<1>::Rules rules_;
  std::vector<CellSet<1>> lines_;
  std::vector<int> order_;
  Fault fault_;
};

// What a search by lists says of the positions of the race that it met, from all openings.
struct Said {
  std::string fault;
  int wrong = 0;
  int unknown = 0;
  int missed = 0;  // of these the attacker wins
  int proven = 0;
  int zones = 0;  // that were held against all boards
  int grown = 0;
  int spared = 0;
};
template <class K>
Said said_of_race(Fault fault) {
  const Connect<1>::Rules rules = ThreeInARow::make_rules(3, 4, 3, 1);
  RowTruth truth(rules);
  K knowledge(rules, fault);
  SearchByReplies<ThreeInARow, K> search(rules, knowledge);
  for (int cell = 0; cell < rules.cells; ++cell) {
    ThreeInARow::State state = ThreeInARow::initial(rules);
    ThreeInARow::play(rules, state, static_cast<Move>(cell));
    search.answer(state);
  }
  search.answer(ThreeInARow::initial(rules));
  Said said{search.fault()};
  said.grown = search.grown();
  said.spared = search.spared();
  int n = 0;
  search.for_each_answer([&](const ThreeInARow::State& state, const auto& answer) {
    const int value = truth.value(CellSet<1>::of(state.stones[0]), CellSet<1>::of(state.stones[1]));
    const Player winner = is_win(value) ? Player::kFirst : Player::kSecond;
    if (!answer.winner) {
      ++said.unknown;
      said.missed += winner == kFirstWins.attacker ? 1 : 0;
      return;
    }
    ++said.proven;
    said.wrong += *answer.winner != winner ? 1 : 0;
    if (++n % 97 != 0 || *answer.winner != winner) return;
    ++said.zones;
    const bool attackers = winner == kFirstWins.attacker;
    said.wrong += truth.is_true(state, winner, answer.zone,
                                [&](int other) { return is_win(other) == attackers; })
                      ? 0
                      : 1;
  });
  return said;
}

TEST(Replies, ByZoneGrowsUntilAllIsKnown) {
  const Said said = said_of_race<RowByZone>(Fault::kNone);
  EXPECT_EQ(said.fault, "");
  EXPECT_EQ(said.wrong, 0);
  EXPECT_EQ(said.unknown, 0);
  EXPECT_GT(said.proven, 1000);
  EXPECT_GT(said.zones, 10);
  EXPECT_GT(said.grown, 100);
  EXPECT_GT(said.spared, 100);
}

TEST(Replies, OfSomeNothingFollows) {
  const Said said = said_of_race<RowSome>(Fault::kNone);
  EXPECT_EQ(said.fault, "");
  EXPECT_EQ(said.wrong, 0);
  EXPECT_GT(said.proven, 1000);
  EXPECT_GT(said.missed, 0);
  EXPECT_EQ(said.grown, 0);
}

TEST(Replies, FaultsAreFound) {
  EXPECT_GT(said_of_race<RowSome>(Fault::kSaysAll).wrong, 0);
  EXPECT_GT(said_of_race<RowByZone>(Fault::kStops).wrong, 0);
  const std::pair<Fault, const char*> faults[] = {
      {Fault::kRemembers, "the same question has another answer"},
      {Fault::kDropsLost, "a list that lost or moved a step"},
      {Fault::kTwice, "a step twice"},
      {Fault::kOccupied, "a step that is not legal"}};
  for (const auto& [fault, what] : faults) {
    const Connect<1>::Rules rules = ThreeInARow::make_rules(3, 3, 3, 1);
    RowByZone knowledge(rules, fault);
    SearchByReplies<ThreeInARow, RowByZone> search(rules, knowledge);
    ThreeInARow::State state = ThreeInARow::initial(rules);
    for (const int cell : {4, 0, 8}) ThreeInARow::play(rules, state, static_cast<Move>(cell));
    search.answer(state);
    EXPECT_EQ(search.fault(), what);
  }
}

// What the room knows of Hex (host/knowledge/knowledge.h), as such lists.
class HexReplies {
 public:
  HexReplies(const Hex<1>::Rules& rules, const KnowledgeOptions& options)
      : rules_(rules), knowledge_(rules, options, Moment::kEntered) {}

  auto judge(const Hex<1>::State& state) {
    const auto known = knowledge_.judge(state, kFirstWins);
    judged_ += known ? 1 : 0;
    return known;
  }
  int judged() const { return judged_; }
  ReplyKind list(const Hex<1>::State& state, std::span<const LostReply<Hex<1>>> /*lost*/,
                 std::vector<ReplyStep<Hex<1>>>& steps) {
    Move moves[Hex<1>::kMaxMoves];
    const int count = Hex<1>::moves(rules_, state, moves);
    const int kept = knowledge_.replies(state, moves, count).steps;
    steps.clear();
    for (int i = 0; i < kept; ++i) steps.push_back(one_move<Hex<1>>(moves[i]));
    return Knowledge<Hex<1>>::kReplies;
  }
  auto zone_of_loss(const Hex<1>::State& state, const std::vector<CellSet<1>>& zones) {
    return knowledge_.zone_of_loss(state, zones);
  }

 private:
  Hex<1>::Rules rules_;
  Knowledge<Hex<1>> knowledge_;
  int judged_ = 0;
};

TEST(Replies, OfHexAreAll) {
  KnowledgeOptions all;
  all.zones = all.links = all.ask_selected = true;
  all.fill = FillLevel::kFull;
  KnowledgeOptions links = all;
  links.fill = FillLevel::kOff;
  KnowledgeOptions fill = all;
  fill.links = false;
  for (const KnowledgeOptions& options : {all, links, fill}) {
    SmallHex truth(3, 4);
    HexReplies knowledge(truth.rules(), options);
    SearchByReplies<Hex<1>, HexReplies> search(truth.rules(), knowledge);
    int lost = 0;
    for (const SmallHex::State& state : truth.positions()) {
      const auto& answer = search.answer(state);
      ASSERT_EQ(answer.winner, truth.winner(state));
      lost += *answer.winner != Hex<1>::to_move(truth.rules(), state) ? 1 : 0;
      EXPECT_FALSE(answer.zone.empty());
    }
    EXPECT_EQ(search.fault(), "");
    EXPECT_GT(search.spared() + knowledge.judged(), 100);
    // Links judge all of these, on so small a board.
    EXPECT_TRUE(options.links || search.spared() > 0);
    EXPECT_GT(lost, 100);
  }
}

// Turns: all of them, or of the attacker's the first few.
class Turns {
 public:
  Turns(const Connect<1>::Rules& rules, std::size_t most)
      : rules_(rules), order_(by_lines(rules)), most_(most) {}

  ReplyKind list(const TwoStones::State& state, std::span<const LostReply<TwoStones>> /*lost*/,
                 std::vector<ReplyStep<TwoStones>>& steps) const {
    steps.clear();
    const CellSet<1> empty = empty_cells_of(rules_, state);
    const Player mover = TwoStones::to_move(rules_, state);
    for (std::size_t i = 0; i < order_.size(); ++i) {
      if (!empty.has(order_[i])) continue;
      TwoStones::State after = state;
      TwoStones::play(rules_, after, static_cast<Move>(order_[i]));
      if (TwoStones::finished(rules_, after) || TwoStones::to_move(rules_, after) != mover) {
        steps.push_back({{static_cast<Move>(order_[i])}, 1});
        continue;
      }
      for (std::size_t j = i + 1; j < order_.size(); ++j) {
        if (!empty.has(order_[j]) || completes(state, order_[j])) continue;  // alone it is a step
        steps.push_back({{static_cast<Move>(order_[i]), static_cast<Move>(order_[j])}, 2});
      }
    }
    if (mover != kFirstWins.attacker || steps.size() <= most_) return ReplyKind::kAll;
    steps.resize(most_);
    return ReplyKind::kSome;
  }
  bool completes(const TwoStones::State& state, int cell) const {
    TwoStones::State after = state;
    TwoStones::play(rules_, after, static_cast<Move>(cell));
    return TwoStones::finished(rules_, after);
  }

 private:
  Connect<1>::Rules rules_;
  std::vector<int> order_;
  std::size_t most_;
};

// By single stones.
class TwoStonesTruth {
 public:
  explicit TwoStonesTruth(const Connect<1>::Rules& rules) : rules_(rules) {}
  bool first_wins(const TwoStones::State& state) {
    if (TwoStones::finished(rules_, state)) {
      return is_win(TwoStones::value(rules_, state));
    }
    const std::pair key{state.stones[0][0], state.stones[1][0]};
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    const bool attackers = TwoStones::to_move(rules_, state) == kFirstWins.attacker;
    bool wins = !attackers;
    Move moves[TwoStones::kMaxMoves];
    const int count = TwoStones::moves(rules_, state, moves);
    for (int i = 0; i < count && wins != attackers; ++i) {
      TwoStones::State child = state;
      TwoStones::play(rules_, child, moves[i]);
      wins = first_wins(child);
    }
    return known_[key] = wins;
  }

 private:
  Connect<1>::Rules rules_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, bool> known_;
};

TEST(Replies, AStepIsATurn) {
  for (const auto& [rows, columns, connect] : {std::array{2, 4, 3}, {3, 3, 3}, {2, 5, 4}}) {
    const Connect<1>::Rules rules = TwoStones::make_rules(rows, columns, connect, 2);
    TwoStonesTruth truth(rules);
    int unknown = 0;
    for (const std::size_t most : {std::size_t{1000}, std::size_t{2}}) {
      Turns knowledge(rules, most);
      SearchByReplies<TwoStones, Turns> search(rules, knowledge);
      for (int cell = 0; cell < rules.cells; ++cell) {
        TwoStones::State state = TwoStones::initial(rules);
        TwoStones::play(rules, state, static_cast<Move>(cell));
        search.answer(state);
      }
      int proven = 0;
      search.for_each_answer([&](const TwoStones::State& state, const auto& answer) {
        if (!answer.winner) {
          ++unknown;
          return;
        }
        ++proven;
        EXPECT_EQ(*answer.winner == Player::kFirst, truth.first_wins(state));
      });
      EXPECT_EQ(search.fault(), "");
      EXPECT_GT(proven, 10);
      EXPECT_TRUE(most == 2 || unknown == 0);
    }
    EXPECT_GT(unknown, 0);
  }
}

}  // namespace
}  // namespace replies_test
}  // namespace playproof
