// Patterns by cell against patterns one by one: the same are found, in the same order, on boards of
// one word and of several, by the loops of every machine, and after many have taken the places of
// others.
#include "host/zone/patterns.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "kernels/common/simd.h"

namespace playproof::patterns_test {
namespace {

template <int W>
class Plain {
 public:
  using Cells = CellSet<W>;
  void put(std::size_t place, const Cells& needed, const Cells& zone) {
    if (place >= patterns_.size()) patterns_.resize(place + 1);
    patterns_[place] = {needed, zone};
  }
  std::vector<std::size_t> matches(const Cells& own, const Cells& other, int short_of) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < patterns_.size(); ++i) {
      const auto& [needed, zone] = patterns_[i];
      if ((zone & other).empty() && (needed - own).size() <= short_of) found.push_back(i);
    }
    return found;
  }

 private:
  std::vector<std::pair<Cells, Cells>> patterns_;
};

template <int W>
class Draw {
 public:
  explicit Draw(int cells) : cells_(cells) {}
  // Each cell of `from` with this chance of 256.
  CellSet<W> some(const CellSet<W>& from, unsigned chance) {
    CellSet<W> set;
    for_each_cell(from, [&](int c) {
      if (random_() % 256 < chance) set.add(c);
    });
    return set;
  }
  CellSet<W> board() const { return CellSet<W>::all(cells_); }
  std::size_t below(std::size_t n) { return random_() % n; }

 private:
  int cells_;
  std::mt19937 random_{7};
};

template <int W>
void compare(std::size_t capacity, int cells, std::size_t adds) {
  Draw<W> draw(cells);
  const unsigned chance = cells <= 81 ? 40 : 6;
  PatternRing<W> ring(capacity, cells);
  Plain<W> plain;
  std::size_t found = 0;
  for (std::size_t i = 0; i < adds; ++i) {
    const CellSet<W> zone = draw.some(draw.board(), chance);
    const CellSet<W> needed = draw.some(zone, 128);
    ring.add(needed, zone);
    plain.put(i % ring.capacity(), needed, zone);  // nothing was useful: they take turns
    if (i % 37 != 0 && i + 1 < adds) continue;
    for (int k = 0; k < 20; ++k) {
      const CellSet<W> own = draw.some(draw.board(), 140);
      const CellSet<W> other =
          draw.some(draw.board() - own, static_cast<unsigned>(30 * draw.below(4)));
      for (const int short_of : {0, 1}) {
        std::vector<std::size_t> mine;
        ring.for_each_match(own, other, short_of, [&](std::size_t j) {
          mine.push_back(j);
          return false;
        });
        const auto expected = plain.matches(own, other, short_of);
        ASSERT_EQ(mine, expected);
        found += mine.size();
        if (expected.size() < 2) continue;
        std::size_t first = ring.size();
        ring.for_each_match(own, other, short_of, [&](std::size_t j) {
          EXPECT_EQ(first, ring.size()) << "after it was to stop";
          first = j;
          return true;
        });
        EXPECT_EQ(first, expected.front());
      }
    }
  }
  EXPECT_GT(found, adds / 8) << "few matches: the test says little";
}

TEST(Patterns, ByCellAreThoseOneByOne) {
  compare<1>(16, 9, 60);
  compare<1>(528, 36, 1700);
  compare<1>(2100, 64, 4600);
  compare<2>(600, 81, 1300);
  compare<6>(40, 361, 90);
}

TEST(Patterns, LoopsOfAllMachinesAgree) {
  constexpr int kCells = 70;
  std::mt19937_64 random(3);
  std::size_t some = 0;
  std::size_t none = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<MatchRow> needed(kCells);
    std::vector<MatchRow> zones(kCells);
    for (auto* rows : {&needed, &zones}) {
      for (MatchRow& row : *rows) {
        for (std::uint64_t& word : row.words) {
          word = random() & random() & (round % 2 == 0 ? random() : ~std::uint64_t{0});
        }
      }
    }
    CellSet<2> other;
    CellSet<2> empty;
    for (auto count = random() % 15; count > 0; --count)
      other.add(static_cast<int>(random() % kCells));
    for (auto count = random() % 25; count > 0; --count)
      empty.add(static_cast<int>(random() % kCells));
    for (const int short_of : {0, 1}) {
      MatchRow start;
      for (std::uint64_t& word : start.words) word = random() | random();
      MatchRow expected;
      bool left = false;
      for (std::size_t bit = 0; bit < kMatchPatterns; ++bit) {
        const auto in = [&](const MatchRow& row) {
          return static_cast<int>(row.words[bit / 64] >> (bit % 64) & 1);
        };
        int met = 0;
        int out = 0;
        for_each_cell(other, [&](int c) { met += in(zones[c]); });
        for_each_cell(empty, [&](int c) { out += in(needed[c]); });
        if (in(start) == 0 || met != 0 || out > short_of) continue;
        expected.words[bit / 64] |= std::uint64_t{1} << (bit % 64);
        left = true;
      }
      ++(left ? some : none);
      const MatchQuestion question = {other.words, empty.words, 2, short_of};
      for (const SimdLevel level : simd_levels()) {
        MatchRow mask = start;
        ASSERT_EQ(match_rows(level, needed.data(), zones.data(), question, &mask), left)
            << to_string(level);
        for (std::size_t w = 0; left && w < kMatchPatterns / 64; ++w) {
          ASSERT_EQ(mask.words[w], expected.words[w]) << to_string(level);
        }
      }
    }
  }
  EXPECT_GT(some, 100U);
  EXPECT_GT(none, 100U);
}

// A pattern that was of use stays when its turn comes, once.
TEST(Patterns, UsefulOnesStay) {
  PatternRing<1> ring(16, 20);
  const auto cell = [](int c) { return CellSet<1>::one(c); };
  for (int i = 0; i < 16; ++i) ring.add(cell(i), cell(i));
  ring.note_useful(0);
  ring.add(cell(16), cell(16));
  EXPECT_EQ(ring.needed(0), cell(0));
  EXPECT_EQ(ring.needed(1), cell(16));
  const auto first = [&](int c) {
    std::size_t found = ring.size();
    ring.for_each_match(cell(c), {}, 0, [&](std::size_t i) {
      found = i;
      return true;
    });
    return found;
  };
  EXPECT_EQ(first(0), 0U);
  EXPECT_EQ(first(16), 1U);
  EXPECT_EQ(first(1), ring.size()) << "gone";
}

}  // namespace
}  // namespace playproof::patterns_test
