#include "kernels/common/philox.h"

#include <gtest/gtest.h>

#include <cstring>

#include "kernels/common/random_words.h"
#include "kernels/device/device_words.h"

#if __has_include(<Random123/philox.h>)
#include <Random123/philox.h>
#endif

namespace playproof::philox_test {
namespace {

void expect_words(const PhiloxCounter& counter, const PhiloxKey& key, const PhiloxCounter& wanted) {
  const PhiloxCounter got = philox4x32_10(counter, key);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(got.words[i], wanted.words[i]) << "word " << i;
}

// From kat_vectors of Random123: zeros, ones, the digits of pi.
TEST(Philox, KnownAnswers) {
  const std::uint32_t ones = 0xffffffff;
  expect_words({{0, 0, 0, 0}}, {{0, 0}}, {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}});
  expect_words({{ones, ones, ones, ones}}, {{ones, ones}},
               {{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}});
  expect_words({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, {{0xa4093822, 0x299f31d0}},
               {{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}});
}

TEST(Philox, EqualsRandom123) {
#if __has_include(<Random123/philox.h>)
  for (std::uint64_t i = 0; i < 1000; ++i) {
    PhiloxCounter counter;
    PhiloxKey key;
    for (std::uint64_t j = 0; j < 4; ++j) {
      counter.words[j] = static_cast<std::uint32_t>(mix64(8 * i + j));
    }
    for (std::uint64_t j = 0; j < 2; ++j) {
      key.words[j] = static_cast<std::uint32_t>(mix64(8 * i + 4 + j));
    }
    r123::Philox4x32_R<10>::ctr_type other_counter;
    r123::Philox4x32_R<10>::key_type other_key;
    std::memcpy(other_counter.v, counter.words, sizeof counter.words);
    std::memcpy(other_key.v, key.words, sizeof key.words);
    const auto other = r123::Philox4x32_R<10>()(other_counter, other_key);
    expect_words(counter, key, {{other[0], other[1], other[2], other[3]}});
  }
#else
  GTEST_SKIP() << "Random123 is not installed";
#endif
}

TEST(RandomWords, BlocksFollowTheCounter) {
  const RandomKey key = {0x0123456789abcdef, 0xfedcba9876543210};
  const PhiloxCounter block = random_block(key, 17, 5);
  const PhiloxCounter wanted =
      philox4x32_10({{0x76543210, 0xfedcba98, 17, 5}}, {{0x89abcdef, 0x01234567}});
  for (std::uint32_t i = 0; i < 4; ++i) {
    EXPECT_EQ(block.words[i], wanted.words[i]);
    EXPECT_EQ(random_word(key, 17, 20 + i), wanted.words[i]);
  }
}

// One by one, in bulk and by number: the same words.
TEST(RandomWords, AllReadersAgree) {
  const RandomKey key = {3, 4};
  for (const std::uint32_t which : {0u, 5u, kGroupFlag | 7u}) {
    std::uint32_t bulk[103];
    random_words(key, which, 100, bulk);
    std::uint32_t later[40];
    random_blocks(key, which, 11, 10, later);
    RandomWords reader(key, which);
    RollingWords device_reader(key, which);
    for (std::uint32_t i = 0; i < 100; ++i) {
      EXPECT_EQ(bulk[i], random_word(key, which, i)) << i;
      EXPECT_EQ(reader.next(), bulk[i]) << i;
      EXPECT_EQ(device_reader.next(), bulk[i]) << i;
    }
    for (std::uint32_t i = 0; i < 40; ++i) EXPECT_EQ(later[i], bulk[44 + i]) << i;
  }
}

TEST(RandomWords, EveryWordOfARangeIsVisited) {
  std::uint64_t playouts = 0;
  std::uint32_t next = 3;
  for_each_word(96, 1000, [&](std::uint32_t word, std::uint32_t lanes) {
    EXPECT_EQ(word, next++);
    EXPECT_EQ(popcount64(lane_mask(lanes)), static_cast<int>(lanes));
    playouts += lanes;
  });
  EXPECT_EQ(playouts, 1000u);
  for_each_word(0, 0, [](std::uint32_t, std::uint32_t) { FAIL() << "no playouts, no words"; });
  std::uint32_t last = 0;  // up to the very end of the list of playouts
  for_each_word(0xffffffe0, 32, [&](std::uint32_t word, std::uint32_t) { last = word; });
  EXPECT_EQ(last, (1u << 27) - 1);
}

}  // namespace
}  // namespace playproof::philox_test
