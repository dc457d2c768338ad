// Bootstrap samples by Thrust, against the loop in plain C++. Built once for each of Thrust's CPU
// systems; with a device, tests/kernels/device_test.cpp asks that.
#include "kernels/bootstrap.h"

#include <gtest/gtest.h>

#include "tests/kernels/bootstrap_support.h"

namespace playproof {
namespace {

TEST(Bootstrap, EqualsPlainLoops) { expect_device_makes_the_same(); }

TEST(Bootstrap, NothingIsAsked) {
  const double value = 1;
  EXPECT_FALSE(bootstrap_means_device(0, {&value, 1, 1, 1}, 0, 0, nullptr));
}

}  // namespace
}  // namespace playproof
