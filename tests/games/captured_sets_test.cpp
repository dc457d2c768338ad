// Captured sets of Hex that are larger than pairs: no search uses them.
// (games/hex/fill.h fills in pairs, and what follows from them.) Sets of cells that hang together,
// up to turns and mirrors, by trying all answers in them; a cell is dead as far as its six
// neighbours tell.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "games/hex/fill.h"
#include "tests/nightly.h"

namespace playproof::captured_sets_test {
namespace {

using Cell = std::pair<int, int>;  // row, column
using Shape = std::vector<Cell>;

// In turn, as HexRings has them.
constexpr std::array<Cell, 6> kAround = {Cell{-1, 0}, Cell{-1, 1}, Cell{0, 1},
                                         Cell{1, 0},  Cell{1, -1}, Cell{0, -1}};

Cell neighbour(Cell cell, std::size_t i) {
  return {cell.first + kAround[i].first, cell.second + kAround[i].second};
}
// By a sixth of a turn, and exchanging rows and columns.
Cell turned(Cell cell) { return {cell.first + cell.second, -cell.first}; }
Cell mirrored(Cell cell) { return {cell.second, cell.first}; }

// The same for all of its images.
Shape least_image(Shape shape) {
  Shape least;
  for (int i = 0; i < 12; ++i) {
    for (Cell& cell : shape) cell = i == 6 ? mirrored(cell) : turned(cell);
    Shape image = shape;
    std::sort(image.begin(), image.end());
    int left = image.front().second;
    for (const Cell& cell : image) left = std::min(left, cell.second);
    const int top = image.front().first;
    for (Cell& cell : image) cell = {cell.first - top, cell.second - left};
    if (least.empty() || image < least) least = image;
  }
  return least;
}
// Sets of cells that hang together, up to turns and mirrors.
std::set<Shape> shapes_of(std::size_t cells) {
  std::set<Shape> shapes = {{{0, 0}}};
  while (shapes.begin()->size() < cells) {
    std::set<Shape> larger;
    for (const Shape& shape : shapes) {
      for (const Cell& cell : shape) {
        for (std::size_t i = 0; i < 6; ++i) {
          Shape more = shape;
          more.push_back(neighbour(cell, i));
          if (std::find(shape.begin(), shape.end(), more.back()) == shape.end()) {
            larger.insert(least_image(more));
          }
        }
      }
    }
    shapes = std::move(larger);
  }
  return shapes;
}

// Free cells of a shape, and the cells that touch it: free, the owner's or the opponent's.
class Surrounded {
 public:
  explicit Surrounded(const Shape& shape) : size_(shape.size()) {
    std::map<Cell, std::size_t> index;
    for (const Cell& cell : shape) index.emplace(cell, index.size());
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t j = 0; j < 6; ++j) {
        rings_[i][j] = index.emplace(neighbour(shape[i], j), index.size()).first->second;
      }
    }
    there_.assign(index.size(), HexRings::kFree);
  }

  std::size_t around() const { return there_.size() - size_; }
  int& around(std::size_t i) { return there_[size_ + i]; }

  // Are these of its cells captured, whatever becomes of all that is free beside them?
  bool captured(unsigned cells) {
    const std::vector<int> before = there_;
    const bool is = becomes_his(cells);
    there_ = before;
    return is;
  }

 private:
  // Dead ones first; then an answer to each move of the opponent.
  bool becomes_his(unsigned cells) {
    for (std::size_t i = 0; i < size_; ++i) {
      if ((cells >> i & 1) == 0 || !HexRings::is_dead(ring(i))) continue;
      there_[i] = HexRings::kOwners;
      return becomes_his(cells & ~(1u << i));
    }
    bool any = cells == 0;
    for (std::size_t i = 0; i < size_; ++i) {
      if ((cells >> i & 1) == 0 || there_[i] != HexRings::kFree) continue;
      any = true;
      if (!has_answer(cells, i)) return false;
    }
    return any;
  }
  bool has_answer(unsigned cells, std::size_t move) {
    const std::vector<int> before = there_;
    for (std::size_t answer = 0; answer < size_; ++answer) {
      if ((cells >> answer & 1) == 0 || answer == move || before[answer] != HexRings::kFree) {
        continue;
      }
      there_[move] = HexRings::kOpponents;
      there_[answer] = HexRings::kOwners;
      const bool good = becomes_his(cells & ~(1u << answer));
      there_ = before;
      if (good) return true;
    }
    return false;
  }
  int ring(std::size_t i) const {
    int ring = 0;
    for (const std::size_t next : rings_[i]) ring = 3 * ring + there_[next];
    return ring;
  }

  std::size_t size_;
  std::array<std::array<std::size_t, 6>, 5> rings_{};
  std::vector<int> there_;
};

// Ways to have stones around a shape so that all of it is captured, no smaller set of its cells is,
// and none of the stones can be spared.
int irreducible(const Shape& shape) {
  Surrounded board(shape);
  std::size_t ways = 1;
  std::vector<std::size_t> place;  // of each cell around it, in a number to the base of 3
  for (std::size_t i = 0; i < board.around(); ++i, ways *= 3) place.push_back(ways);
  const unsigned all = (1u << shape.size()) - 1;
  std::vector<bool> captured(ways);
  int count = 0;
  for (std::size_t way = 0; way < ways; ++way) {  // those with a stone less come first
    bool spared = false;
    for (std::size_t i = 0; i < place.size(); ++i) {
      const std::size_t stone = way / place[i] % 3;
      board.around(i) = static_cast<int>(stone);
      spared = spared || (stone != 0 && captured[way - stone * place[i]]);
    }
    captured[way] = spared || board.captured(all);
    if (spared || !captured[way]) continue;
    bool smaller = false;
    for (unsigned cells = 1; cells < all && !smaller; ++cells) smaller = board.captured(cells);
    count += smaller ? 0 : 1;
  }
  return count;
}

// Of each shape that has any, as it lies.
std::vector<int> irreducible(std::size_t cells) {
  std::vector<int> counts;
  for (const Shape& shape : shapes_of(cells)) {
    const int count = irreducible(shape);
    if (count > 0) counts.push_back(count);
  }
  std::sort(counts.begin(), counts.end());
  return counts;
}

TEST(CapturedSets, ThatHoldNoSmallerOnes) {
  EXPECT_EQ(shapes_of(3).size(), 3u);
  EXPECT_EQ(shapes_of(4).size(), 7u);
  EXPECT_EQ(irreducible(2), std::vector{28});
  EXPECT_TRUE(irreducible(3).empty());
  if (!nightly()) return;
  EXPECT_EQ(irreducible(4), (std::vector{9, 9, 108}));
}

}  // namespace
}  // namespace playproof::captured_sets_test
