// Probability against long double logarithms and exact fractions, in the ranges where double fails
// (E19).
#include "kernels/numbers/probability.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace playproof::probability_test {
namespace {

using Real = long double;

// m * 2^e as a natural logarithm.
Real log_of(WideDouble x) { return std::log(static_cast<Real>(x.m)) + x.e * std::log(Real{2}); }

Real relative(Real a, Real b) { return b == 0 ? std::abs(a) : std::abs((a - b) / b); }

Probability any_of(const std::vector<Probability>& events) {
  Probability::AnyOf any;
  for (const Probability& event : events) any.add(event);
  return any.result();
}
Probability all_of(const std::vector<Probability>& events) {
  Probability::AnyOf any;
  for (const Probability& event : events) any.add(event.complement());
  return any.result().complement();
}
bool strictly_inside(const Probability& p) {
  return Probability::zero() < p && p < Probability::one() && p.p().m > 0 && p.q().m > 0;
}

// Random probabilities on all scales, near 0 and near 1.
class Source {
 public:
  explicit Source(std::uint64_t seed) : random_(seed) {}
  Probability next() {
    const double uniform = std::uniform_real_distribution<double>(0.001, 0.999)(random_);
    switch (random_() % 4) {
      case 0:
        return Probability::from(uniform);
      case 1:
        return Probability::from(std::ldexp(uniform, -static_cast<int>(random_() % 900)));
      case 2:
        return Probability::from(std::ldexp(uniform, -static_cast<int>(random_() % 900)))
            .complement();
      default:
        return Probability::from(static_cast<double>(1 + random_() % 39) / 40);
    }
  }
  int count() { return static_cast<int>(1 + random_() % 12); }

 private:
  std::mt19937_64 random_;
};

TEST(Probability, KeepsWhatItIsGiven) {
  for (const double p : {0.0, 1e-300, 0.025, 0.1, 0.5, 0.75, 0.975, 1.0}) {
    EXPECT_EQ(Probability::from(p).value(), p);
    EXPECT_EQ(Probability::from(p).q().value(), 1 - p);
  }
  EXPECT_EQ(Probability::from(0), Probability::zero());
  EXPECT_EQ(Probability::from(1), Probability::one());
  EXPECT_EQ(Probability::one().p().value(), 1);
  EXPECT_EQ(Probability::one().q().value(), 0);
  EXPECT_EQ(Probability::zero().p().value(), 0);
  EXPECT_EQ(Probability::zero().q().value(), 1);
}

TEST(Probability, LogarithmsOfBothSides) {
  EXPECT_NEAR(Probability::from(0.025).log_p(), std::log(0.025), 1e-14);
  EXPECT_NEAR(Probability::from(0.025).log_q(), std::log1p(-0.025), 1e-16);
  EXPECT_NEAR(Probability::from(0.975).log_q(), std::log(0.025), 1e-14);
  EXPECT_NEAR(Probability::from(0.975).log_p(), std::log1p(-0.025), 1e-16);
}

TEST(Probability, ProductsOf361SmallFactors) {
  // 0.025^361 is about 1e-578: far below the smallest double.
  const std::vector<Probability> events(361, Probability::from(0.025));
  const Probability all = all_of(events);
  EXPECT_EQ(all.value(), 0);  // as a double
  EXPECT_TRUE(strictly_inside(all));
  const Real expected = 361 * std::log(Real{0.025});
  EXPECT_LT(relative(log_of(all.p()), expected), 1e-14L);
  EXPECT_LT(relative(static_cast<Real>(all.log_p()), expected), 1e-14L);
  // And its mirror image: at least one of 361 events of 0.975.
  const Probability any = any_of(std::vector<Probability>(361, Probability::from(0.975)));
  EXPECT_EQ(any.value(), 1);
  EXPECT_TRUE(strictly_inside(any));
  EXPECT_LT(relative(log_of(any.q()), expected), 1e-14L);
}

TEST(Probability, HundredThousandLevels) {
  Probability chain = Probability::from(0.5);
  const Probability factor = Probability::from(0.025);
  for (int level = 0; level < 100000; ++level) chain = all_of({chain, factor});
  const Real expected = std::log(Real{0.5}) + 100000 * std::log(Real{0.025});
  EXPECT_LT(relative(log_of(chain.p()), expected), 1e-13L);
  EXPECT_TRUE(strictly_inside(chain));
  // The other way round, and a sibling that would be lost in a double.
  Probability risen = Probability::from(0.5);
  for (int level = 0; level < 100000; ++level) risen = any_of({risen, factor.complement()});
  EXPECT_LT(relative(log_of(risen.q()), expected), 1e-13L);
  EXPECT_TRUE(risen < any_of({risen, chain}) || any_of({risen, chain}) == risen);
  EXPECT_TRUE(risen < any_of({risen, factor}));
}

// Fractions a/16 have exact products in 64 bits: up to 15 factors.
TEST(Probability, EqualsExactFractions) {
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 20000; ++trial) {
    const int count = static_cast<int>(1 + random() % 15);
    std::vector<Probability> events;
    std::uint64_t none = 1;  // of 16^count
    for (int i = 0; i < count; ++i) {
      const std::uint64_t a = 1 + random() % 15;
      events.push_back(Probability::from(static_cast<double>(a) / 16));
      none *= 16 - a;
    }
    const std::uint64_t whole = std::uint64_t{1} << (4 * count);
    const Real q = static_cast<Real>(none) / static_cast<Real>(whole);
    const Real p = static_cast<Real>(whole - none) / static_cast<Real>(whole);
    const Probability any = any_of(events);
    ASSERT_LT(relative(any.p().value(), p), 1e-14L);
    ASSERT_LT(relative(any.q().value(), q), 1e-14L);
    ASSERT_TRUE(strictly_inside(any));
  }
}

// Rounding may lift the sum above one half where the product is one half: still a probability.
TEST(Probability, AnyOfAroundOneHalfIsValid) {
  Probability::AnyOf any;
  any.add(Probability::from(0.4752420902001942));
  any.add(Probability::from(0.04717967911956006));
  EXPECT_TRUE(any.result().valid());
  EXPECT_EQ(any.result().value(), 0.5);
}

TEST(Probability, ExponentsDoNotOverflow) {
  const WideDouble least{0.5, WideDouble::kLeastExponent};
  WideDouble product = least;
  for (int i = 0; i < 8; ++i) product = product * least;
  EXPECT_EQ(product.e, WideDouble::kLeastExponent);
  const Probability::Parts beyond{0.5, WideDouble::kLeastExponent - 1, false};
  EXPECT_FALSE(Probability::of(beyond).valid());
  for (const Probability::Parts& negative :
       {Probability::Parts{-0.25, 0, false}, Probability::Parts{-0.25, 0, true},
        Probability::Parts{-0.75, -600, false}, Probability::Parts{-0.0, 0, false}}) {
    EXPECT_FALSE(Probability::of(negative).valid()) << negative.m;
  }
  EXPECT_FALSE(Probability::of({0.5, 0, true}).valid());
}

TEST(Probability, AnyOfAgreesWithLogarithmsOnAllScales) {
  Source source(7);
  for (int trial = 0; trial < 20000; ++trial) {
    std::vector<Probability> events;
    Real log_none = 0;
    Real log_greatest = -1e30L;
    for (int i = source.count(); i > 0; --i) {
      const Probability event = source.next();
      events.push_back(event);
      const Real p = event.p().value();
      log_none += p < 0.5L ? std::log1p(-p) : log_of(event.q());
      log_greatest = std::max(log_greatest, log_of(event.p()));
    }
    const Probability any = any_of(events);
    ASSERT_LT(std::abs(log_of(any.q()) - log_none), 1e-14L * (1 + std::abs(log_none)));
    if (log_none < -1e-200L) {
      ASSERT_LT(relative(any.p().value(), -std::expm1(log_none)), 1e-13L);
    }
    ASSERT_GE(log_of(any.p()), log_greatest - 1e-15L * (1 + std::abs(log_greatest)));
    ASSERT_TRUE(strictly_inside(any));
  }
}

TEST(Probability, OrderOfEventsEntersOnlyByRounding) {
  Source source(11);
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<Probability> events;
    for (int i = source.count(); i > 0; --i) events.push_back(source.next());
    const Probability first = any_of(events);
    std::shuffle(events.begin(), events.end(), random);
    const Probability second = any_of(events);
    ASSERT_NEAR(static_cast<double>(log_of(first.p()) - log_of(second.p())), 0, 1e-13);
    ASSERT_NEAR(static_cast<double>(log_of(first.q()) - log_of(second.q())), 0, 1e-12);
  }
}

TEST(Probability, ComplementExchangesBothSides) {
  Source source(13);
  for (int trial = 0; trial < 20000; ++trial) {
    const Probability p = source.next();
    const Probability c = p.complement();
    ASSERT_EQ(c.complement(), p);
    ASSERT_EQ(c.p().value(), p.q().value());
    ASSERT_EQ(c.q().value(), p.p().value());
    const Probability other = source.next();
    ASSERT_EQ(p < other, other.complement() < c);
  }
  EXPECT_EQ(Probability::zero().complement(), Probability::one());
  EXPECT_EQ(Probability::one().complement(), Probability::zero());
  const Probability half = Probability::from(0.5);
  EXPECT_FALSE(half < half.complement() || half.complement() < half);
}

TEST(Probability, OrderIsTheOrderOfTheNumbers) {
  Source source(17);
  std::vector<Probability> all = {Probability::zero(), Probability::one()};
  for (int i = 0; i < 400; ++i) all.push_back(source.next());
  const auto exact_less = [](const Probability& a, const Probability& b) {
    const bool low_a = a.p().value() <= 0.5;
    const bool low_b = b.p().value() <= 0.5;
    if (low_a != low_b) return low_a;
    if (a.p().m == 0 || b.p().m == 0) return b.p().m != 0 && a.p().m == 0;
    if (a.q().m == 0 || b.q().m == 0) return a.q().m != 0 && b.q().m == 0;
    return low_a ? log_of(a.p()) < log_of(b.p()) : log_of(b.q()) < log_of(a.q());
  };
  for (const Probability& a : all) {
    ASSERT_FALSE(a < a);
    for (const Probability& b : all) ASSERT_EQ(a < b, exact_less(a, b));
  }
}

TEST(WideDouble, ComparesAndAddsAcrossScales) {
  const WideDouble one{0.5, 1};
  const WideDouble same{1, 0};
  EXPECT_FALSE(one < same || same < one);
  EXPECT_EQ((one + same).value(), 2);
  const WideDouble tiny{0.75, -5000};
  EXPECT_TRUE(tiny < one);
  EXPECT_TRUE(WideDouble{} < tiny);
  EXPECT_FALSE(tiny < WideDouble{});
  EXPECT_EQ((tiny + tiny).e, -4999);
  EXPECT_EQ((tiny + one).value(), 1);
  EXPECT_EQ((tiny * tiny).e, -10000);
  EXPECT_EQ((tiny * tiny).m, 0.5625);
  EXPECT_EQ((tiny * WideDouble{}).m, 0);
}

}  // namespace
}  // namespace playproof::probability_test
