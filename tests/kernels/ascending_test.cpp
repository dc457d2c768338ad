// Items in the order of their costs as host and device have them, in portions of all sizes, against
// the standard library's sort.
#include "kernels/numbers/ascending.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "games/core/game.h"

namespace playproof::ascending_test {
namespace {

// Some costs are equal, and every fifth item has none.
template <int kPortion>
void expect_order(int count, std::uint64_t seed) {
  const auto drawn = [&](int i) { return mix64(seed + static_cast<std::uint64_t>(i)); };
  const auto cost_of = [&](int i, double* cost) {
    *cost = static_cast<double>(drawn(i) % 40);
    return drawn(i) / 64 % 5 != 0;
  };
  std::vector<std::pair<double, int>> wanted;
  for (int i = 0; i < count; ++i) {
    double cost = 0;
    if (cost_of(i, &cost)) wanted.emplace_back(cost, i);
  }
  std::sort(wanted.begin(), wanted.end());
  std::vector<int> found;
  visit_in_ascending_order<kPortion>(count, cost_of, [&](int i) { found.push_back(i); });
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i], wanted[i].second) << count << " items, seed " << seed;
  }
}

TEST(Ascending, InPortions) {
  for (int count = 0; count < 70; ++count) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      expect_order<2>(count, seed);
      expect_order<3>(count, seed);
      expect_order<32>(count, seed);
      expect_order<kItemPortion>(count, seed);
    }
  }
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    expect_order<32>(361, seed);
    expect_order<kItemPortion>(361, seed);
    expect_order<kItemPortion>(1200, seed);
  }
}

}  // namespace
}  // namespace playproof::ascending_test
