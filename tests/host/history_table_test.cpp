// The table of searches of games that repeat (host/table/history_table.h): a bounded one loses what
// took the least work, one for ever loses nothing and needs memory in proportion to what it holds.
#include "host/table/history_table.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include "games/core/game.h"

namespace playproof::history_table_test {
namespace {

// Where numbers go: anywhere, all into the last bucket, and each bucket in turn.
struct Mixed {
  static std::uint64_t hash(std::uint64_t i) { return mix64(i); }
};
struct Last {
  static std::uint64_t hash(std::uint64_t) { return ~std::uint64_t{0}; }
};
struct InTurn {
  static std::uint64_t hash(std::uint64_t i) { return i; }
};

template <class Way>
struct Number {
  std::uint64_t value = 0;
  std::uint64_t hash() const { return Way::hash(value); }
  bool operator==(const Number&) const = default;
};
template <class Way>
using Table = HistoryTable<Number<Way>, int>;

constexpr std::uint64_t kBounded = std::uint64_t{1} << 16;  // bytes

// Puts numbers from .. to - 1 in, each with a work of its own.
template <class Way>
void put(Table<Way>& table, std::uint64_t from, std::uint64_t to) {
  for (std::uint64_t i = from; i < to; ++i) {
    auto& entry = table.entry_of({i}, Way::hash(i));
    ASSERT_TRUE(entry.is_new()) << i;
    entry.distance = static_cast<std::uint32_t>(i);
    entry.work = static_cast<std::uint32_t>(i) + 1;
  }
}
// How many of the numbers 0 .. to - 1 are there.
template <class Way>
std::uint64_t held(const Table<Way>& table, std::uint64_t to) {
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < to; ++i) {
    const auto* entry = table.find({i}, Way::hash(i));
    count += entry != nullptr && entry->id.value == i && entry->distance == i ? 1 : 0;
  }
  return count;
}
// Bytes of so many positions where half of the places are free, and a quarter before it grows.
template <class Way>
std::uint64_t bytes_of(std::uint64_t count) {
  return 4 * count * sizeof(typename Table<Way>::Entry);
}

template <class Way>
void expect_for_ever(std::uint64_t count) {
  Table<Way> table(0, true);
  put(table, 0, count);
  EXPECT_EQ(held(table, count), count);
  EXPECT_EQ(table.find({count}, Way::hash(count)), nullptr);
  EXPECT_EQ(table.used(), count);
  EXPECT_EQ(table.lost(), 0);
  EXPECT_LE(table.bytes(), bytes_of<Way>(count));
}

TEST(HistoryTable, ForEverHoldsAllInMemoryInProportion) {
  expect_for_ever<Mixed>(100'000);
  expect_for_ever<InTurn>(100'000);
}

TEST(HistoryTable, ForEverHoldsWhatCollides) { expect_for_ever<Last>(300); }

TEST(HistoryTable, BoundedOneLosesAndSaysSo) {
  Table<Mixed> table(kBounded, false);
  put(table, 0, 10'000);
  EXPECT_LE(table.bytes(), kBounded);
  EXPECT_LE(table.used(), kBounded / sizeof(Table<Mixed>::Entry));
  EXPECT_EQ(held(table, 10'000), table.used());
  EXPECT_EQ(table.used() + table.lost(), 10'000);
}

// What was taken from a full table is all there, as is what comes later; what it lost is not.
TEST(HistoryTable, ForEverTakesAFullOne) {
  Table<InTurn> full(kBounded, false);
  put(full, 0, 10'000);
  const std::uint64_t before = full.used();
  EXPECT_EQ(full.bytes(), before * sizeof(Table<InTurn>::Entry));  // no place is free
  Table<InTurn> table(0, true);
  table.take(full);
  EXPECT_EQ(held(table, 10'000), before);
  put(table, 10'000, 20'000);
  EXPECT_EQ(held(table, 20'000), before + 10'000);
  EXPECT_EQ(table.used(), before + 10'000);
}

}  // namespace
}  // namespace playproof::history_table_test
