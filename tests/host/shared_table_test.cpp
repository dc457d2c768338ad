// A table and patterns that threads share, between two words: a hook runs what another thread would
// do there. Whatever is found was stored so, of that position, with its zone; and each fault that
// is planted is found.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <random>
#include <semaphore>
#include <set>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "games/core/cell_set.h"
#include "games/core/identity.h"
#include "host/question/shared_words.h"
#include "host/table/position_table.h"
#include "host/table/proof_table.h"
#include "host/zone/patterns.h"
#include "support.h"

namespace playproof::shared_table_test {
namespace {

// What another thread does before word n of what is going on; at most one other is in between.
class Between {
 public:
  static void run(std::size_t n, std::function<void()> other, const std::function<void()>& one) {
    left_ = n;
    other_ = std::move(other);
    one();
    other_ = {};
  }
  static void word() {
    if (!other_ || left_-- > 0) return;
    const std::function<void()> other = std::exchange(other_, {});
    other();
  }

 private:
  static inline thread_local std::size_t left_ = 0;
  static inline thread_local std::function<void()> other_;
};

// Threads of which one goes on at a time: at every fourth word or so it is another one's turn. A
// seed says at which, and whose.
class Schedule {
 public:
  // Returns when all have ended.
  static void run(std::uint64_t seed, const std::vector<std::function<void()>>& works) {
    Schedule schedule(seed, works.size());
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < works.size(); ++i) {
        threads.emplace_back([&, i] {
          own_ = &schedule;
          number_ = i;
          schedule.members_[i].turn.acquire();
          works[i]();
          schedule.end(i);
        });
      }
      schedule.give_turn();
    }
  }
  static void word() {
    if (own_ != nullptr && own_->random_() % 4 == 0) own_->pass();
  }

 private:
  struct Member {
    std::binary_semaphore turn{0};
    bool ended = false;
  };
  Schedule(std::uint64_t seed, std::size_t threads) : random_(seed), members_(threads) {}

  void pass() {
    if (give_turn() != number_) members_[number_].turn.acquire();
  }
  void end(std::size_t number) {
    members_[number].ended = true;
    give_turn();
  }
  // To one who has not ended, perhaps to who has it.
  std::size_t give_turn() {
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (!members_[i].ended) left.push_back(i);
    }
    if (left.empty()) return members_.size();
    const std::size_t next = left[random_() % left.size()];
    if (own_ == nullptr || next != number_) members_[next].turn.release();
    return next;
  }

  std::mt19937_64 random_;
  std::deque<Member> members_;
  // Of the thread that asks.
  static inline thread_local Schedule* own_ = nullptr;
  static inline thread_local std::size_t number_ = 0;
};

struct SteppedWords : RelaxedWords {
  static std::uint64_t load(const Word* from) {
    Between::word();
    Schedule::word();
    return RelaxedWords::load(from);
  }
  static void store(Word* to, std::uint64_t word) {
    Between::word();
    Schedule::word();
    RelaxedWords::store(to, word);
  }
};
// Planted faults.
struct Unchecked : SteppedWords {
  static std::uint64_t check(std::span<const std::uint64_t> /*words*/) { return 1; }
  static std::uint64_t check_beside(std::span<const std::uint64_t> words) {
    return SteppedWords::check_beside(words) == 0 ? 0 : 2;
  }
};
struct UncheckedBeside : SteppedWords {
  static std::uint64_t check_beside(std::span<const std::uint64_t> words) {
    return SteppedWords::check_beside(words) == 0 ? 0 : 2;
  }
};

using Cells = CellSet<6>;  // as large as zones get in one set
using Id = IdWords<2>;

Id id_of(std::uint64_t n) { return {{n, mix64(n)}, n % 2 != 0}; }
Cells zone_of(std::uint64_t n) {
  Cells zone;
  for (std::uint64_t& word : zone.words) word = mix64(n += 77) | 1;
  return zone;
}
// Version v of what is known of a position: the zone, the numbers and the work tell which. All of
// them are proven, so that what is joined stays a version.
template <class Words>
struct Versions {
  using Table = PositionTable<Id, ProofPayload, Cells, Words>;
  using Entry = typename Table::Entry;

  static Entry entry(std::uint64_t n, std::uint64_t v) {
    return {id_of(n), PhiDeltaPair{100 * n + v, 7 + v}, Bounds::unknown(-1, 1), 10 + v};
  }
  static void store(Table& table, std::uint64_t n, std::uint64_t v) {
    // Nothing stays of what was known, so that all of it is of one version.
    table.replace(id_of(n).hash(), entry(n, v), zone_of(1000 * n + v), counters);
  }
  // Is what is found of position n any one version?
  static bool is_one(const Table& table, std::uint64_t n) {
    const auto known = table.find(id_of(n).hash(), id_of(n));
    if (!known) return true;
    const std::uint64_t v = known->numbers().delta - 7;
    return known->numbers().phi == 100 * n + v && known->work() == 10 + v &&
           known->beside == zone_of(1000 * n + v);
  }

  // All ways in which another one stores between two words of one who looks up, of one who stores
  // the same position, and of one who stores another position in the same place. How many of them
  // leave what was never stored?
  static int wrong() {
    int wrong = 0;
    for (std::size_t word = 0; word < 80; ++word) {
      for (const std::uint64_t other : {1, 2, 3, 4, 5}) {
        for (const bool looks : {true, false}) {
          TableOptions options{1, 4, 0};
          options.beside = true;
          Table table(options);
          table.share(true);
          for (std::uint64_t n = 1; n <= 4; ++n) store(table, n, n);
          bool good = true;
          Between::run(
              word, [&] { store(table, other, 20 + other); },
              [&] {
                if (looks) {
                  good = is_one(table, 1);
                } else {
                  store(table, 1, 9);
                }
              });
          for (std::uint64_t n = 1; n <= 5; ++n) good = good && is_one(table, n);
          wrong += !good;
        }
      }
    }
    return wrong;
  }
  // Three threads that store and look up, by so many schedules; and the first seed that is wrong.
  static std::pair<int, std::uint64_t> wrong_schedules(std::uint64_t schedules) {
    std::pair<int, std::uint64_t> wrong = {};
    for (std::uint64_t seed = 0; seed < schedules; ++seed) {
      TableOptions options{1, 4, 0};
      options.beside = true;
      Table table(options);
      table.share(true);
      for (std::uint64_t n = 1; n <= 4; ++n) store(table, n, n);
      bool good = true;
      std::vector<std::function<void()>> works;
      for (std::uint64_t thread = 0; thread < 3; ++thread) {
        works.emplace_back([&, random = std::mt19937_64(3 * seed + thread)]() mutable {
          for (int i = 0; i < 4; ++i) {
            const std::uint64_t n = 1 + random() % 5;
            if (random() % 2 == 0) {
              store(table, n, random() % 90);
            } else {
              good = is_one(table, n) && good;
            }
          }
        });
      }
      Schedule::run(seed, works);
      for (std::uint64_t n = 1; n <= 5; ++n) good = good && is_one(table, n);
      if (!good && wrong.first++ == 0) wrong.second = seed;
    }
    return wrong;
  }
  static inline TableCounters counters;
};

constexpr std::uint64_t kSchedules = 100;

TEST(SharedTable, WhateverTheSchedule) {
  const auto [wrong, seed] =
      Versions<SteppedWords>::wrong_schedules(nightly() ? 10'000 : kSchedules);
  EXPECT_EQ(wrong, 0) << "first by the seed " << seed;
  EXPECT_GT(Versions<Unchecked>::wrong_schedules(kSchedules).first, 0);
  EXPECT_GT(Versions<UncheckedBeside>::wrong_schedules(kSchedules).first, 0);
}

TEST(SharedTable, WhatIsFoundWasStored) {
  EXPECT_EQ(Versions<SteppedWords>::wrong(), 0);
  EXPECT_GT(Versions<Unchecked>::wrong(), 0);
  EXPECT_GT(Versions<UncheckedBeside>::wrong(), 0);
}

// Who sees a free place, and writes there after others have, may store a position twice or tear a
// place. A table that is one thread's again has each once, whole, and counts so.
TEST(SharedTable, OneThreadFindsEachOnce) {
  using Of = Versions<SteppedWords>;
  bool any_twice = false;
  for (std::size_t word = 0; word < 80; ++word) {
    for (const std::uint64_t first : {1, 2, 3, 4, 5}) {
      TableOptions options{1, 4, 0};
      options.beside = true;
      Of::Table table(options);
      table.share(true);
      Of::counters = {};
      const auto others = [&] {
        Of::store(table, first, 20);
        Of::store(table, 1, 30);
      };
      Between::run(word, others, [&] { Of::store(table, 1, 9); });
      table.take(Of::counters);
      const auto count = [&](std::uint64_t n) {
        std::uint64_t times = 0;
        for (std::uint64_t i = 0; i < table.size(); ++i) times += table.entry(i).is(id_of(n));
        return times;
      };
      any_twice = any_twice || count(1) > 1;
      EXPECT_FALSE(table.counters().lost_any());
      EXPECT_TRUE(table.may_have_lost());
      table.share(false);
      std::uint64_t positions = 0;
      for (std::uint64_t n = 1; n <= 5; ++n) {
        EXPECT_LE(count(n), 1u);
        EXPECT_EQ(table.find(id_of(n).hash(), id_of(n)).has_value(), count(n) == 1);
        EXPECT_TRUE(Of::is_one(table, n));
        positions += count(n);
      }
      EXPECT_TRUE(table.counters().stand(positions)) << word << ' ' << first;
      EXPECT_TRUE(table.may_have_lost());
    }
  }
  EXPECT_TRUE(any_twice);
}

// What stands beside an entry is read where there is something, and nowhere else.
void expect_beside_kept(bool locks) {
  using Table = PositionTable<Id, ProofPayload, Cells>;
  TableOptions options{1, 4, 0};
  options.beside = true;
  options.locks = locks;
  Table table(options);
  table.share(true);
  TableCounters counters;
  const auto entry = Versions<RelaxedWords>::entry(3, 5);
  table.store(id_of(3).hash(), entry, {}, counters);
  EXPECT_EQ(table.find(id_of(3).hash(), id_of(3))->beside, Cells{});
  table.store(id_of(3).hash(), entry, zone_of(8), counters);
  EXPECT_EQ(table.find(id_of(3).hash(), id_of(3))->beside, zone_of(8));
  table.store(id_of(3).hash(), entry, {}, counters);  // what was there stays
  EXPECT_EQ(table.find(id_of(3).hash(), id_of(3))->beside, zone_of(8));
  EXPECT_EQ(counters.stored, 1u);
  const auto found = table.find(id_of(3).hash(), id_of(3), [](const auto&) { return false; });
  EXPECT_EQ(found->beside, locks ? Cells{} : zone_of(8)) << "nobody has asked for it";
}
TEST(SharedTable, NothingBesideIsNotRead) { expect_beside_kept(false); }
TEST(SharedTable, WhatIsBesideWithLocks) { expect_beside_kept(true); }

// What was solved stays so, however little others know; numbers are the newer ones.
void expect_solved_stays(bool locks) {
  TableOptions options{1, 4, 0};
  options.locks = locks;
  PositionTable<Id, ProofPayload> table(options);
  table.share(true);
  TableCounters counters;
  const auto store = [&](const Bounds& bounds, std::uint64_t work) {
    table.store(id_of(1).hash(), {id_of(1), PhiDeltaPair{3, 4}, bounds, work}, {}, counters);
  };
  store(Bounds::exact(1), 9);
  store(Bounds::unknown(-1, 1), 2);
  const auto known = table.find(id_of(1).hash(), id_of(1));
  ASSERT_TRUE(known);
  EXPECT_EQ(known->bounds(), Bounds::exact(1));
  EXPECT_EQ(known->work(), 9u);
}
TEST(SharedTable, UnsolvedNeverTakesThePlaceOfSolved) {
  expect_solved_stays(false);
  expect_solved_stays(true);
}

// A shared table loses nothing when it grows, is saved, or is one thread's again; and keeps as many
// as another.
void expect_as_another(bool locks) {
  using Table = PositionTable<IdWords<1>, ProofPayload, std::uint64_t>;
  const auto id = [](std::uint64_t n) { return IdWords<1>{{n}, n % 2 != 0}; };
  for (const double gc : {0.0, 0.3}) {
    TableOptions options{1 << 18, 4, gc};
    options.beside = true;
    options.locks = locks;
    Table shared(options);
    Table alone(options);
    shared.share(true);
    for (std::uint64_t n = 0; n < 40000; ++n) {
      TableCounters counters;
      const typename Table::Entry entry{id(n), PhiDeltaPair{n, 7}, Bounds::unknown(-1, 1), n % 999};
      if (shared.wants_to_grow()) shared.grow();
      shared.store(id(n).hash(), entry, n + 1, counters);
      shared.take(counters);
      if (shared.wants_to_collect()) shared.collect_garbage();
      if (alone.wants_to_grow()) alone.grow();
      alone.store(id(n).hash(), entry, n + 1);
    }
    EXPECT_EQ(shared.size(), alone.size());
    EXPECT_EQ(shared.counters().replaced, alone.counters().replaced);
    EXPECT_EQ(shared.counters().discarded, alone.counters().discarded);
    const auto expect_equal = [&] {
      for (std::uint64_t n = 0; n < 40000; ++n) {
        const auto mine = shared.find(id(n).hash(), id(n));
        const auto other = alone.find(id(n).hash(), id(n));
        ASSERT_EQ(mine.has_value(), other.has_value()) << n;
        if (!mine) continue;
        ASSERT_EQ(mine->numbers(), other->numbers());
        ASSERT_EQ(mine->beside, other->beside);
      }
    };
    expect_equal();
    shared.share(false);
    expect_equal();
    EXPECT_TRUE(shared.counters().stand(shared.counters().stored - shared.counters().replaced -
                                        shared.counters().discarded));
  }
}
TEST(SharedTable, GrowsAndCollectsAsAnother) { expect_as_another(false); }
TEST(SharedTable, GrowsAndCollectsAsAnotherWithLocks) { expect_as_another(true); }

// Several threads move what a table holds, each a part of it: nothing at the ends of parts is lost.
void expect_grown_by_threads(bool locks) {
  using Table = PositionTable<IdWords<1>, ProofPayload, std::uint64_t>;
  const auto id = [](std::uint64_t n) { return IdWords<1>{{n}, n % 2 != 0}; };
  constexpr std::uint64_t kEntries = 150'000;
  TableOptions options{1 << 25, 4, 0};
  options.beside = true;
  options.locks = locks;
  // Some have their windows at the end of 2^15 places, where parts border on each other.
  std::vector<std::uint64_t> ids;
  for (std::uint64_t n = 0, at_ends = 0; ids.size() < kEntries; ++n) {
    const bool at_end = id(n).hash() % (1 << 15) >= (1 << 15) - 40;
    if (at_end ? at_ends < 250 : ids.size() < 600 * (at_ends + 1)) ids.push_back(n);
    at_ends += at_end;
  }
  for (const std::size_t threads : {1, 2, 3, 16}) {
    Table table(options);
    table.share(true);
    const auto expect_all = [&](std::size_t stored) {
      for (std::size_t i = 0; i < stored; ++i) {
        const auto known = table.find(id(ids[i]).hash(), id(ids[i]));
        ASSERT_TRUE(known) << ids[i] << " of " << threads;
        ASSERT_EQ(known->numbers().phi, ids[i]);
        ASSERT_EQ(known->beside, ids[i] % 3);
      }
    };
    for (std::size_t i = 0; i < ids.size(); ++i) {
      TableCounters counters;
      const std::uint64_t n = ids[i];
      const Table::Entry entry{id(n), PhiDeltaPair{n, 7}, Bounds::unknown(-1, 1), n % 999 + 1};
      if (table.wants_to_grow()) {
        table.grow(threads);
        expect_all(i);
      }
      table.store(id(n).hash(), entry, n % 3, counters);
      table.take(counters);
    }
    EXPECT_EQ(table.size(), 1U << 19);
    EXPECT_EQ(table.counters().stored, kEntries);
    EXPECT_EQ(table.counters().replaced, 0U);
    expect_all(ids.size());
    table.share(false);
    EXPECT_TRUE(table.counters().stand(kEntries));
  }
}
TEST(SharedTable, ThreadsGrowItAsOneDoes) { expect_grown_by_threads(false); }
TEST(SharedTable, ThreadsGrowItAsOneDoesWithLocks) { expect_grown_by_threads(true); }

// Threads on a few places: for ThreadSanitizer, and what is torn is never found.
void expect_whole_by_threads(bool locks) {
  using V = Versions<RelaxedWords>;
  TableOptions options{1, 4, 0};
  options.beside = true;
  options.locks = locks;
  V::Table table(options);
  table.share(true);
  std::vector<int> wrong(4);
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < wrong.size(); ++t) {
      threads.emplace_back([&, t] {
        TableCounters counters;
        std::mt19937_64 random(t);
        for (int i = 0; i < 20000; ++i) {
          const std::uint64_t n = random() % 6;
          const std::uint64_t v = random() % 90;
          if (i % 3 == 0) {
            table.replace(id_of(n).hash(), V::entry(n, v), zone_of(1000 * n + v), counters);
          } else {
            wrong[t] += !V::is_one(table, n);
          }
        }
      });
    }
  }
  for (const int of_thread : wrong) EXPECT_EQ(of_thread, 0);
}
TEST(SharedTable, ByThreads) { expect_whole_by_threads(false); }
TEST(SharedTable, ByThreadsWithLocks) { expect_whole_by_threads(true); }

// Between two words of one who looks up or stores another stores the same position. With locks he
// waits until it is done. In how many of these cases does he not?
int came_between(bool locks) {
  using V = Versions<SteppedWords>;
  int came = 0;
  for (const bool looks : {true, false}) {
    bool reached = true;
    for (std::size_t word = 0; reached; ++word) {
      TableOptions options{1, 4, 0};
      options.beside = true;
      options.locks = locks;
      V::Table table(options);
      table.share(true);
      for (std::uint64_t n = 1; n <= 4; ++n) V::store(table, n, n);
      std::atomic<bool> done = false;
      std::jthread other;
      const auto begin_other = [&] {
        other = std::jthread([&] {
          TableCounters counters;
          table.replace(id_of(1).hash(), V::entry(1, 8), zone_of(1008), counters);
          done = true;
        });
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        came += done;
      };
      Between::run(word, begin_other, [&] {
        if (looks) {
          const bool one = V::is_one(table, 1);
          if (locks) {
            EXPECT_TRUE(one);
          }
        } else {
          V::store(table, 1, 9);
        }
      });
      reached = other.joinable();
      if (reached) other.join();
      if (locks) {
        EXPECT_TRUE(V::is_one(table, 1));
      }
    }
  }
  return came;
}
TEST(SharedTable, LocksKeepOthersOut) {
  EXPECT_EQ(came_between(true), 0);
  EXPECT_GT(came_between(false), 0);
}

// Half of one pattern and half of another is none.
template <class Words>
int wrong_patterns() {
  const auto all = CellSet<2>::all(100);
  const auto cells = [](std::uint64_t n) {
    CellSet<2> set;
    set.words[0] = mix64(n);
    set.words[1] = mix64(n + 1) & 0xfffffffff;
    return set;
  };
  int wrong = 0;
  for (std::size_t word = 0; word < 400; ++word) {
    for (const bool looks : {true, false}) {
      PatternRing<2, Words> ring(16, 100);
      std::set<std::uint64_t> added;
      const auto add = [&](std::uint64_t n) {
        const CellSet<2> zone = cells(n);
        ring.add(zone & cells(n + 50), zone);
      };
      ring.share();
      for (std::uint64_t n = 0; n < 16; ++n) add(n);
      const auto look = [&] {
        ring.for_each_copy(all, {}, 0, [&](std::size_t, const auto& needed, const auto& zone) {
          bool known = false;
          for (std::uint64_t n = 0; n < 20; ++n) {
            known = known || (zone == cells(n) && needed == (zone & cells(n + 50)));
          }
          wrong += !known;
          return false;
        });
      };
      if (looks) {
        Between::run(
            word, [&] { add(17); }, look);
      } else {
        Between::run(word, look, [&] { add(17); });
      }
      look();
    }
  }
  return wrong;
}
TEST(SharedPatterns, AreWhole) {
  EXPECT_EQ(wrong_patterns<SteppedWords>(), 0);
  EXPECT_GT(wrong_patterns<Unchecked>(), 0);
}

}  // namespace
}  // namespace playproof::shared_table_test
