// A table of positions with another payload than df-pn's: exact values with the move that reaches
// them, in one word, under a plain negamax.
#include "host/table/position_table.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "games/hex/entry.h"
#include "games/list.h"
#include "games/nim/entry.h"
#include "host/table/proof_table.h"
#include "saved.h"

namespace playproof::position_table_test {
namespace {

class ExactPayload {
 public:
  static constexpr std::uint32_t kMostWorth = 255;
  ExactPayload() = default;
  ExactPayload(int value, Move move, int plies)
      : value_(static_cast<std::int8_t>(value)),
        move_(move),
        plies_(static_cast<std::uint8_t>(plies)) {}

  void take(bool turn) { marks_ = turn ? 3 : 1; }
  bool used() const { return (marks_ & 1) != 0; }
  bool turn() const { return (marks_ & 2) != 0; }
  // What is far from the end took long.
  std::uint32_t worth() const { return plies_; }
  void join(const ExactPayload& newer) {
    move_ = newer.move_;
    plies_ = std::max(plies_, newer.plies_);
  }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(value_, move_, plies_, marks_);
  }
  struct Limits {
    int least, most;
  };
  template <class Archive>
  void check(Archive& archive, const Limits& limits) const {
    archive.check(limits.least <= value_ && value_ <= limits.most, "a value that no position has");
  }
  int value() const { return value_; }
  Move move() const { return move_; }

 private:
  std::int8_t value_ = 0;
  Move move_ = 0;
  std::uint8_t plies_ = 0;
  std::uint8_t marks_ = 0;
};
static_assert(TablePayload<ExactPayload> && TablePayload<ProofPayload>);
static_assert(sizeof(ExactPayload) <= 8 &&
              sizeof(PositionEntry<PositionId<Nim>, ExactPayload>) == 16);
static_assert(sizeof(PositionEntry<PositionId<Hex<1>>, ExactPayload>) == 24);
static_assert(sizeof(TableEntry<Hex<1>>) == 32);

constexpr int kExact = 1;  // no value is larger

constexpr auto kNothing = [](const auto& /*entry*/) { return false; };  // beside the entry

// Exact values for the side to move, every move tried.
template <AcyclicGame G>
class Negamax {
 public:
  using Table = PositionTable<PositionId<G>, ExactPayload>;
  Negamax(const typename G::Rules& rules, const TableOptions& options)
      : rules_(rules), table_(options) {}

  int solve(const typename G::State& state) {
    ++nodes_;
    const Player mover = G::to_move(rules_, state);
    if (G::finished(rules_, state)) return value_for(mover, G::value(rules_, state));
    const PositionId<G> id = position_id(G{}, state);
    if (const auto known = table_.look_up(id.hash(), id, kNothing)) return known->value();
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, state, moves);
    int best = -128;
    Move best_move = kNoMove;
    for (int i = 0; i < count; ++i) {
      auto child = state;
      G::play(rules_, child, moves[i]);
      const int sign = G::to_move(rules_, child) == mover ? 1 : -1;
      const int value = sign * solve(child);
      if (value > best) best_move = moves[i];
      best = std::max(best, value);
    }
    if (table_.wants_to_grow()) table_.grow();
    table_.store(id.hash(), {id, best, best_move, G::max_plies_left(rules_, state)});
    return best;
  }
  std::uint64_t nodes() const { return nodes_; }
  Table& table() { return table_; }

 private:
  typename G::Rules rules_;
  Table table_;
  std::uint64_t nodes_ = 0;
};

// Without a table.
template <Game G>
int value_of(const typename G::Rules& rules, const typename G::State& state) {
  const Player mover = G::to_move(rules, state);
  if (G::finished(rules, state)) return value_for(mover, G::value(rules, state));
  Move moves[G::kMaxMoves];
  const int count = G::moves(rules, state, moves);
  int best = -128;
  for (int i = 0; i < count; ++i) {
    auto child = state;
    G::play(rules, child, moves[i]);
    const int sign = G::to_move(rules, child) == mover ? 1 : -1;
    best = std::max(best, sign * value_of<G>(rules, child));
  }
  return best;
}

// Every game of the list, its small rules: whatever the table loses, the values are the same. (The
// 4x4 board of Othello is too large without a table.)
TEST(PositionTable, ExactValuesOfEveryGame) {
  AllGames::for_each([]<class Entry>() {
    if (std::string(Entry::kSmall).starts_with("othello")) return;
    visit_game(Entry::kSmall, []<class G>(const typename G::Rules& rules) {
      if constexpr (AcyclicGame<G>) {
        const auto root = G::initial(rules);
        const int value = value_of<G>(rules, root);
        for (const TableOptions& options :
             {TableOptions{1 << 24, 4, 0}, TableOptions{1, 4, 0}, TableOptions{1 << 12, 32, 0.5}}) {
          Negamax<G> search(rules, options);
          EXPECT_EQ(search.solve(root), value);
        }
      }
    });
  });
}

// Who moves is in the bit of the identity: the same heaps are won for one side, lost for the other.
TEST(PositionTable, TellsTheTurn) {
  visit_game("nim:heaps=1.2.3.4", []<class G>(const typename G::Rules& rules) {
    if constexpr (AcyclicGame<G>) {
      Negamax<G> large(rules, {1 << 24, 4, 0});
      EXPECT_EQ(large.solve(G::initial(rules)), value_of<G>(rules, G::initial(rules)));
      std::set<decltype(PositionId<G>::words)> heaps;
      for (std::uint64_t i = 0; i < large.table().size(); ++i) {
        if (large.table().entry(i).used()) heaps.insert(large.table().entry(i).id().words);
      }
      EXPECT_EQ(heaps.size(), 2u * 3 * 4 * 5 - 1);  // all but those where the game is over
      EXPECT_GT(large.table().counters().stored, 3 * heaps.size() / 2);  // most for both sides
      EXPECT_FALSE(large.table().counters().lost_any());
      Negamax<G> small(rules, {1, 4, 0});  // one window
      EXPECT_EQ(small.solve(G::initial(rules)), value_of<G>(rules, G::initial(rules)));
      EXPECT_GT(small.nodes(), large.nodes());
      EXPECT_GT(small.table().counters().replaced, 0u);
    }
  });
}

// What is left of the game decides what goes.
TEST(PositionTable, TheLeastWorthyGoes) {
  using Table = PositionTable<IdWords<1>, ExactPayload>;
  Table table({1, 4, 0});
  const auto id = [](std::uint64_t n) { return IdWords<1>{{n}, n % 2 != 0}; };
  const auto store = [&](std::uint64_t n, int plies) {
    table.store(id(n).hash(), {id(n), kExact, static_cast<Move>(n), plies});
  };
  const auto find = [&](std::uint64_t n) { return table.find(id(n).hash(), id(n)); };
  for (const auto& [n, plies] :
       std::vector<std::pair<std::uint64_t, int>>{{1, 9}, {2, 3}, {3, 7}, {4, 8}}) {
    store(n, plies);
  }
  store(2, 1);  // known already: its worth stays
  EXPECT_EQ(find(2)->worth(), 3u);
  store(5, 5);
  EXPECT_FALSE(find(2));
  store(6, 1);
  EXPECT_FALSE(find(5));
  EXPECT_EQ(find(1)->move(), 1);
  EXPECT_EQ(table.counters().replaced, 2u);
}

// A value beside an entry is its own, wherever the entry goes, and goes with it.
TEST(PositionTable, BesideGoesWithItsEntry) {
  using Table = PositionTable<PositionId<Nim>, ExactPayload, std::uint64_t>;
  std::uint64_t grown = 0;
  std::uint64_t lost = 0;
  for (const auto& [bytes, gc] : {std::pair(1 << 14, 0.0), {1 << 14, 0.3}, {1 << 18, 0.3}}) {
    TableOptions options{static_cast<std::uint64_t>(bytes), 4, gc};
    options.beside = true;
    Table table(options);
    std::vector<Nim::State> states;
    for (int i = 0; i < 6 * 7 * 8 * 9; ++i) {
      states.push_back(
          {.sizes = {static_cast<std::uint8_t>(i % 6), static_cast<std::uint8_t>(i / 6 % 7),
                     static_cast<std::uint8_t>(i / 42 % 8), static_cast<std::uint8_t>(i / 336)}});
    }
    // Every other position has one: a number that says which position it is.
    const auto beside = [](const PositionId<Nim>& id) { return id.hash() % 2 * id.hash(); };
    std::uint64_t with = 0;
    for (const auto& state : states) {
      const PositionId<Nim> id = position_id(Nim{}, state);
      grown += table.wants_to_grow();
      if (table.wants_to_grow()) table.grow();
      table.store(id.hash(), {id, 1, Move{0}, static_cast<int>(id.hash() % 200)}, beside(id));
      for (std::uint64_t i = 0; i < table.size() && with % 64 == 0; ++i) {
        const auto& entry = table.entry(i);
        ASSERT_EQ(table.beside(i), entry.used() ? beside(entry.id()) : 0) << gc;
      }
      with += beside(id) != 0;
    }
    EXPECT_GT(with, 500u);
    lost += table.counters().replaced + table.counters().discarded > 500;
  }
  EXPECT_EQ(grown, 1u);
  EXPECT_EQ(lost, 2u);
}

// What a look-up told stays what it was, whatever the table does with the place later; and what
// stands beside an entry comes with it just where it is asked for.
TEST(PositionTable, WhatWasLookedUpStays) {
  using Table = PositionTable<IdWords<1>, ExactPayload, std::uint64_t>;
  const auto id = [](std::uint64_t n) { return IdWords<1>{{n}, n % 2 != 0}; };
  for (const double gc : {0.0, 0.3}) {
    TableOptions options{1 << 18, 4, gc};
    options.beside = true;
    Table table(options);
    const auto store = [&](std::uint64_t n, int plies) {
      if (table.wants_to_grow()) table.grow();
      const int value = static_cast<int>(n % 3) - 1;
      table.store(id(n).hash(), {id(n), value, static_cast<Move>(n), plies}, n + 1);
    };
    const auto find = [&](std::uint64_t n) { return table.find(id(n).hash(), id(n)); };
    std::vector<Table::Known> held;
    for (std::uint64_t n = 0; n < 64; ++n) {
      store(n, 0);
      held.push_back(*find(n));
      EXPECT_EQ(table.look_up(id(n).hash(), id(n), kNothing)->beside, 0u);
    }
    for (std::uint64_t n = 64; n < std::uint64_t{1} << 14; ++n) store(n, 9);
    std::uint64_t gone = 0;
    for (std::uint64_t n = 0; n < 64; ++n) {
      gone += !find(n).has_value();
      EXPECT_EQ(held[n].id(), id(n));
      EXPECT_EQ(held[n].value(), static_cast<int>(n % 3) - 1);
      EXPECT_EQ(held[n].move(), n);
      EXPECT_EQ(held[n].beside, n + 1);
    }
    EXPECT_GT(gone, 32u) << gc;
    EXPECT_GT(table.size(), std::uint64_t{1} << 12);
    EXPECT_TRUE(table.counters().lost_any());
  }
}

TEST(PositionTable, SavedAndLoaded) {
  visit_game("nim:heaps=3.4.5", []<class G>(const typename G::Rules& rules) {
    if constexpr (AcyclicGame<G>) {
      constexpr TableOptions kOptions{1 << 16, 8, 0};
      constexpr std::uint64_t kRoom = 1 << 20;
      constexpr ExactPayload::Limits kValues{-1, 1};
      Negamax<G> search(rules, kOptions);
      search.solve(G::initial(rules));
      StringSink sink;
      Saver saver(sink);
      search.table().serialize(saver, kValues, kRoom);
      typename Negamax<G>::Table other(kOptions);
      StringSource source(sink.text);
      Loader loader(source);
      other.serialize(loader, kValues, kRoom);
      EXPECT_EQ(source.most_left(), 0u);
      std::uint64_t used = 0;
      for (std::uint64_t i = 0; i < other.size(); ++i) {
        const auto& mine = search.table().entry(i);
        const auto& read = other.entry(i);
        ASSERT_EQ(mine.used(), read.used());
        if (!mine.used()) continue;
        ++used;
        EXPECT_EQ(mine.id(), read.id());
        EXPECT_EQ(mine.value(), read.value());
        EXPECT_EQ(mine.move(), read.move());
      }
      EXPECT_EQ(used, other.counters().stored);
      // The payload holds what is read against its limits, the table every place against its hash.
      const auto refused = [&](const std::string& text, const ExactPayload::Limits& values) {
        typename Negamax<G>::Table table(kOptions);
        StringSource bytes(text);
        Loader damaged(bytes);
        try {
          table.serialize(damaged, values, kRoom);
          return std::string("nothing");
        } catch (const Error& error) {
          return std::string(error.what());
        }
      };
      EXPECT_NE(refused(sink.text, {0, 1}).find("a value that no position has"), std::string::npos);
      std::string moved = sink.text;
      const std::size_t head = sizeof(std::uint64_t) + sizeof(TableCounters);
      std::size_t run = head;  // of 64 places; the first one that holds anything
      while (moved.compare(run, 8, std::string(8, '\0')) == 0) run += 8;
      moved[run + 8 + 1] = static_cast<char>(~moved[run + 8 + 1]);  // of its identity
      EXPECT_NE(refused(moved, kValues).find("a position in the wrong place"), std::string::npos);
    }
  });
}

}  // namespace
}  // namespace playproof::position_table_test
