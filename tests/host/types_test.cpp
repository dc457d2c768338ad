// The small types of the search: proof numbers, bounds, arenas, the logarithm of visit counts.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <random>

#include "host/tree/arena.h"
#include "host/tree/tree.h"
#include "kernels/numbers/bounds.h"
#include "kernels/numbers/natural_log.h"
#include "kernels/numbers/proof_number.h"

namespace playproof::types_test {
namespace {

TEST(ProofNumber, SumsStopBelowInfinity) {
  EXPECT_EQ(saturated(0), 0u);
  EXPECT_EQ(saturated(7), 7u);
  EXPECT_EQ(saturated(kProofNumberCap), kProofNumberCap);
  EXPECT_EQ(saturated(kInfinity), kProofNumberCap);
  EXPECT_EQ(saturated(std::uint64_t{kProofNumberCap} + kProofNumberCap), kProofNumberCap);
  EXPECT_EQ(saturated(~std::uint64_t{0}), kProofNumberCap);
  EXPECT_LT(kProofNumberCap, kInfinity);
}

TEST(Bounds, MeetAndJoin) {
  const Bounds a = Bounds::unknown(-1, 1);
  const Bounds b = Bounds::exact(0);
  EXPECT_EQ(Bounds::best(a, b).lower(), 0);
  EXPECT_EQ(Bounds::best(a, b).upper(), 1);
  EXPECT_EQ(Bounds::worst(a, b).lower(), -1);
  EXPECT_EQ(Bounds::worst(a, b).upper(), 0);
  EXPECT_EQ(Bounds::both(a, b), b);
  EXPECT_EQ(Bounds::both(Bounds::unknown(-5, 3), Bounds::unknown(-2, 9)), Bounds::unknown(-2, 3));
}

TEST(Bounds, DecideAThreshold) {
  for (int lower = -3; lower <= 3; ++lower) {
    for (int upper = lower; upper <= 3; ++upper) {
      const Bounds bounds = Bounds::unknown(static_cast<Value>(lower), static_cast<Value>(upper));
      for (int t = -3; t <= 3; ++t) {
        const auto threshold = static_cast<Value>(t);
        bool all = true;
        bool none = true;
        for (int value = lower; value <= upper; ++value) {
          all = all && value >= t;
          none = none && value < t;
        }
        EXPECT_EQ(bounds.proves(threshold), all);
        EXPECT_EQ(bounds.disproves(threshold), none);
        EXPECT_EQ(bounds.decides(threshold), all || none);
      }
    }
  }
}

TEST(Arena, NeverMovesAndNeverExceedsItsLimit) {
  Arena<std::uint64_t> arena(1000);
  EXPECT_TRUE(arena.has_room(1000));
  EXPECT_FALSE(arena.has_room(1001));
  EXPECT_EQ(arena.allocate(400), 0u);
  const std::uint64_t* first = std::addressof(arena[0]);
  arena[399] = 42;
  EXPECT_EQ(arena.allocate(600), 400u);
  arena[999] = 43;
  EXPECT_EQ(std::addressof(arena[0]), first);
  EXPECT_EQ(arena[399], 42u);
  EXPECT_TRUE(arena.has_room(0));
  EXPECT_FALSE(arena.has_room(1));
  EXPECT_EQ(arena.size(), 1000u);
  EXPECT_EQ(arena.used_bytes(), 8000u);
}

TEST(Arena, TakesWhatTheAddressSpaceHas) {
  // More than any address space: the capacity shrinks, and the arena works.
  Arena<std::uint64_t> arena(std::uint64_t{1} << 58);
  EXPECT_FALSE(arena.has_room(std::uint64_t{1} << 58));
  ASSERT_TRUE(arena.has_room(1000));
  arena[arena.allocate(1000) + 999] = 1;
  EXPECT_EQ(arena.used_bytes(), 8000u);
}

TEST(Arena, AlwaysHoldsARoot) {
  Arena<std::uint64_t> arena(0);
  EXPECT_TRUE(arena.has_room(1));
  EXPECT_FALSE(arena.has_room(2));
}

TEST(Tree, NodesAndEdgesStayWithinTheMemoryLimit) {
  struct Label {
    std::uint32_t pn, dn;
  };
  constexpr std::uint64_t kLimit = 10000;
  Tree<Label> tree(kLimit);
  while (tree.has_room(3, 3)) {
    for (int i = 0; i < 3; ++i) tree.add_node({1, 1}, Bounds::unknown(-1, 1), false);
    tree.add_edges(3);
  }
  EXPECT_LE(tree.used_bytes(), kLimit);
  EXPECT_GT(tree.used_bytes(), kLimit - 3 * (sizeof(Node<Label>) + sizeof(Edge)) - 64);
}

TEST(NaturalLog, AgreesWithTheLibrary) {
  const auto error = [](std::uint64_t n) {
    const long double exact = std::log(static_cast<long double>(n));
    return std::abs((static_cast<long double>(natural_log(n)) - exact) / exact);
  };
  EXPECT_EQ(natural_log(1), 0.0);
  for (std::uint64_t n = 2; n < 100000; ++n) ASSERT_LT(error(n), 1e-15L) << n;
  std::mt19937_64 random(1);
  for (int i = 0; i < 100000; ++i) {
    // The conversion to double costs more than the logarithm beyond 2^53.
    const std::uint64_t n = (random() >> 12 >> (random() % 50)) + 2;
    ASSERT_LT(error(n), 1e-15L) << n;
  }
}

TEST(NaturalLog, Grows) {
  for (std::uint64_t n = 1; n < 1000000; ++n) ASSERT_LT(natural_log(n), natural_log(n + 1)) << n;
}

}  // namespace
}  // namespace playproof::types_test
