// Bootstrap samples: the definition read aloud, the distribution, and that nothing but data, seed
// and number of the sample decides.
#include "kernels/bootstrap.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "kernels/random_words.h"
#include "tests/kernels/bootstrap_support.h"

namespace playproof {
namespace {

// kernels/bootstrap.h, one number after the other.
double plain_mean(const BootstrapData& data, std::uint32_t sample, std::uint32_t column) {
  const RandomKey key = {data.seed, kBootstrapStream};
  const std::uint64_t two32 = std::uint64_t{1} << 32;
  std::uint32_t index = 0;
  double sum = 0;
  for (std::uint32_t draw = 0; draw < data.units; ++draw) {
    // Lemire's method: the low halves below 2^32 mod n are thrown away.
    std::uint64_t product = 0;
    do {
      product = std::uint64_t{random_word(key, sample, index++)} * data.units;
    } while (product % two32 < two32 % data.units);
    sum += data.values[product / two32 * data.columns + column];
  }
  return sum / data.units;
}

std::vector<double> means_of(const BootstrapData& data, std::uint32_t first,
                             std::uint32_t samples) {
  std::vector<double> means(std::size_t{samples} * data.columns);
  bootstrap_means(data, first, samples, means.data());
  return means;
}

TEST(Bootstrap, IsItsDefinition) {
  for (const BootstrapShape& shape : kBootstrapShapes) {
    const std::vector<double> values = bootstrap_values(shape);
    const BootstrapData data = {values.data(), shape.units, shape.columns, shape.seed};
    const std::vector<double> means = means_of(data, shape.first, shape.samples);
    for (std::uint32_t i = 0; i < shape.samples; ++i) {
      for (std::uint32_t c = 0; c < shape.columns; ++c) {
        ASSERT_EQ(std::bit_cast<std::uint64_t>(means[i * shape.columns + c]),
                  std::bit_cast<std::uint64_t>(plain_mean(data, shape.first + i, c)))
            << shape.units << " units, sample " << shape.first + i << ", column " << c;
      }
    }
  }
}

// How often each of eight units is drawn, a decimal digit each. May change only on purpose.
TEST(Bootstrap, KnownAnswer) {
  const double values[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
  const std::vector<double> means = means_of({values, 8, 1, 1}, 0, 3);
  EXPECT_EQ(means[0] * 8, 11003021);
  EXPECT_EQ(means[1] * 8, 20120003);
  EXPECT_EQ(means[2] * 8, 11001320);
}

TEST(Bootstrap, PartsAreThoseOfTheWhole) {
  const std::vector<double> values = bootstrap_values({50, 7, 100, 9, 0});
  const BootstrapData data = {values.data(), 50, 7, 9};
  const std::vector<double> whole = means_of(data, 0, 100);
  for (const std::uint32_t first : {0u, 1u, 37u, 99u}) {
    const std::vector<double> part = means_of(data, first, 100 - first);
    const auto begin = whole.begin() + std::ptrdiff_t{7} * first;
    EXPECT_EQ(part, std::vector<double>(begin, whole.end())) << first;
  }
  EXPECT_NE(means_of({values.data(), 50, 7, 10}, 0, 100), whole);
}

// Columns of one matrix are resampled together, whatever columns are beside them.
TEST(Bootstrap, ColumnsArePaired) {
  const std::vector<double> values = bootstrap_values({40, 19, 20, 3, 0});
  const std::vector<double> together = means_of({values.data(), 40, 19, 3}, 0, 20);
  for (std::uint32_t column = 0; column < 19; ++column) {
    std::vector<double> alone;
    for (std::uint32_t unit = 0; unit < 40; ++unit) alone.push_back(values[unit * 19 + column]);
    const std::vector<double> means = means_of({alone.data(), 40, 1, 3}, 0, 20);
    for (std::uint32_t i = 0; i < 20; ++i) EXPECT_EQ(means[i], together[i * 19 + column]);
  }
}

// A column for each unit that is 1 there: the means count the draws.
TEST(Bootstrap, EveryUnitIsAsLikely) {
  constexpr std::uint32_t kUnits = 37;
  constexpr std::uint32_t kSamples = 20'000;
  std::vector<double> values(std::size_t{kUnits} * kUnits);
  for (std::uint32_t unit = 0; unit < kUnits; ++unit) values[unit * kUnits + unit] = 1;
  const std::vector<double> means = means_of({values.data(), kUnits, kUnits, 5}, 0, kSamples);
  double chi_square = 0;
  double squares = 0;  // of the counts of single samples
  for (std::uint32_t unit = 0; unit < kUnits; ++unit) {
    double total = 0;
    for (std::uint32_t i = 0; i < kSamples; ++i) {
      const double count = std::round(means[i * kUnits + unit] * kUnits);
      total += count;
      squares += (count - 1) * (count - 1);
    }
    chi_square += (total - kSamples) * (total - kSamples) / kSamples;
  }
  // 36 degrees of freedom: standard deviation sqrt(2 * 36).
  EXPECT_NEAR(chi_square, kUnits - 1, 5 * std::sqrt(2.0 * (kUnits - 1)));
  // A count is binomial with variance 1 - 1/n; the square of its deviation has mean square about 4,
  // and the counts of a sample are almost independent.
  const double numbers = double{kUnits} * kSamples;
  EXPECT_NEAR(squares / numbers, 1 - 1.0 / kUnits, 5 * std::sqrt(4 / numbers));
}

// Mean and variance of a resampled mean are those of the values: the variance over n.
TEST(Bootstrap, MomentsOfTheMeans) {
  constexpr std::uint32_t kUnits = 200;
  constexpr std::uint32_t kSamples = 50'000;
  std::vector<double> values = bootstrap_values({kUnits, 1, kSamples, 8, 0});
  double mean = 0;
  for (double& value : values) {
    value = value * value * value;  // skewed
    mean += value / kUnits;
  }
  double variance = 0;
  for (const double value : values) variance += (value - mean) * (value - mean) / kUnits;
  variance /= kUnits;
  const std::vector<double> means = means_of({values.data(), kUnits, 1, 8}, 0, kSamples);
  double first = 0;
  double second = 0;
  for (const double m : means) {
    first += (m - mean) / kSamples;
    second += (m - mean) * (m - mean) / kSamples;
  }
  EXPECT_NEAR(first, 0, 4 * std::sqrt(variance / kSamples));
  // Almost normal: a squared deviation has standard deviation sqrt(2) times the variance.
  EXPECT_NEAR(second / variance, 1, 4 * std::sqrt(2.0 / kSamples));
}

TEST(Bootstrap, OfOneUnitIsThatUnit) {
  const double values[] = {0.1, -7};
  EXPECT_EQ(means_of({values, 1, 2, 1}, 0, 2), (std::vector<double>{0.1, -7, 0.1, -7}));
  EXPECT_TRUE(means_of({values, 1, 2, 1}, 0, 0).empty());
}

}  // namespace
}  // namespace playproof
