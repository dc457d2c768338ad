// Tables of the ending search, and the choice among its builds.
#include "games/othello/ending.h"

#include <algorithm>
#include <array>

namespace playproof {
namespace {

constexpr std::uint64_t kNoEdges = 0x7e7e7e7e7e7e7e7e;  // without the first and the last column

// The squares from one on towards the edge, by lines with the steps 1, 8, 7, 9: towards higher
// numbers and towards lower ones, without the square itself.
struct alignas(32) Rays {
  std::uint64_t up[4] = {};
  std::uint64_t down[4] = {};
};
constexpr std::array<Rays, 64> make_rays() {
  constexpr int kRight[] = {1, 0, -1, 1};
  constexpr int kDown[] = {0, 1, 1, 1};
  std::array<Rays, 64> rays{};
  for (int square = 0; square < 64; ++square) {
    for (int i = 0; i < 4; ++i) {
      for (int sign = -1; sign <= 1; sign += 2) {
        std::uint64_t& ray = sign > 0 ? rays[square].up[i] : rays[square].down[i];
        int row = square / 8 + sign * kDown[i];
        int column = square % 8 + sign * kRight[i];
        for (; row >= 0 && row < 8 && column >= 0 && column < 8;
             row += sign * kDown[i], column += sign * kRight[i]) {
          ray |= std::uint64_t{1} << (8 * row + column);
        }
      }
    }
  }
  return rays;
}
constexpr std::array<Rays, 64> kRays = make_rays();

// The two diagonals through a square, itself included.
struct Diagonals {
  std::uint64_t rising = 0;
  std::uint64_t falling = 0;
};
constexpr std::array<Diagonals, 64> make_diagonals() {
  std::array<Diagonals, 64> diagonals{};
  for (int square = 0; square < 64; ++square) {
    const std::uint64_t here = std::uint64_t{1} << square;
    diagonals[square].rising = kRays[square].up[2] | kRays[square].down[2] | here;
    diagonals[square].falling = kRays[square].up[3] | kRays[square].down[3] | here;
  }
  return diagonals;
}
constexpr std::array<Diagonals, 64> kDiagonals = make_diagonals();

constexpr std::array<std::uint64_t, 64> make_neighbours() {
  std::array<std::uint64_t, 64> neighbours{};
  for (int square = 0; square < 64; ++square) {
    for (int other = 0; other < 64; ++other) {
      const int rows = other / 8 - square / 8;
      const int columns = other % 8 - square % 8;
      if (other != square && rows * rows <= 1 && columns * columns <= 1) {
        neighbours[square] |= std::uint64_t{1} << other;
      }
    }
  }
  return neighbours;
}
constexpr std::array<std::uint64_t, 64> kNeighbours = make_neighbours();

// A bit for each quarter of the board, of its squares; and the squares of every set of quarters.
constexpr std::array<std::uint8_t, 64> make_quadrant() {
  std::array<std::uint8_t, 64> quadrant{};
  for (int square = 0; square < 64; ++square) {
    quadrant[square] = static_cast<std::uint8_t>(1 << (2 * (square / 32) + square % 8 / 4));
  }
  return quadrant;
}
constexpr std::array<std::uint8_t, 64> kQuadrant = make_quadrant();
constexpr std::array<std::uint64_t, 16> make_odd_squares() {
  std::array<std::uint64_t, 16> squares{};
  for (unsigned parity = 0; parity < 16; ++parity) {
    for (int square = 0; square < 64; ++square) {
      if ((kQuadrant[square] & parity) != 0) squares[parity] |= std::uint64_t{1} << square;
    }
  }
  return squares;
}
constexpr std::array<std::uint64_t, 16> kOddSquares = make_odd_squares();

// Discs that a disc on place `at` of a line turns where the set bits are its colour's and all
// others the opponent's. Off the board lies none of either colour, so that no line ends there.
constexpr std::array<std::array<std::uint8_t, 256>, 8> make_last_flips() {
  std::array<std::array<std::uint8_t, 256>, 8> counts{};
  for (int at = 0; at < 8; ++at) {
    for (int own = 0; own < 256; ++own) {
      int low = at - 1;
      int high = at + 1;
      while (low >= 0 && (own >> low & 1) == 0) --low;
      while (high < 8 && (own >> high & 1) == 0) ++high;
      const int turned = (low >= 0 ? at - 1 - low : 0) + (high < 8 ? high - at - 1 : 0);
      counts[at][own] = static_cast<std::uint8_t>(turned);
    }
  }
  return counts;
}
constexpr auto kLastFlips = make_last_flips();

// A board of `size` rows in the middle of an 8 x 8 word: the empty rim has no discs, so no line
// ends in it.
constexpr std::uint64_t centred(std::uint64_t discs, int size) {
  if (size == 8) return discs;
  const int rim = (8 - size) / 2;
  std::uint64_t board = 0;
  for (int row = 0; row < size; ++row) {
    const std::uint64_t line = discs >> (row * size) & ((std::uint64_t{1} << size) - 1);
    board |= line << (8 * (row + rim) + rim);
  }
  return board;
}
constexpr std::uint64_t board_of(int size) {
  return size == 8 ? ~std::uint64_t{0} : centred((std::uint64_t{1} << (size * size)) - 1, size);
}

std::uint64_t flips(std::uint64_t P, std::uint64_t O, int square) {
  const Rays& rays = kRays[square];
  std::uint64_t turned = 0;
  for (int i = 0; i < 4; ++i) {
    // Up: 1 added below a ray is carried through the opponent's discs to the first other square.
    const std::uint64_t up = rays.up[i];
    const std::uint64_t end = ((O | ~up) + 1) & P & up;
    turned |= (end - (end != 0 ? 1 : 0)) & up;
    // Down: the first square that is not the opponent's is the highest one of the ray.
    const std::uint64_t down = rays.down[i];
    const int first = 63 - __builtin_clzll((~O & down) | 1);
    const std::uint64_t stop = (std::uint64_t{1} << first) & P & down;
    turned |= (0 - stop) * 2 & down;
  }
  return turned;
}

std::uint64_t reachable(std::uint64_t P, std::uint64_t via, int step) {
  std::uint64_t up = via & (P << step);
  std::uint64_t down = via & (P >> step);
  const std::uint64_t via_up = via & (via << step);
  const std::uint64_t via_down = via_up >> step;
  up |= via & (up << step);
  down |= via & (down >> step);
  up |= via_up & (up << (2 * step));
  down |= via_down & (down >> (2 * step));
  up |= via_up & (up << (2 * step));
  down |= via_down & (down >> (2 * step));
  return (up << step) | (down >> step);
}
// Squares that P may take.
std::uint64_t mobility(std::uint64_t P, std::uint64_t O, std::uint64_t empty) {
  const std::uint64_t inner = O & kNoEdges;
  return (reachable(P, inner, 1) | reachable(P, O, 8) | reachable(P, inner, 7) |
          reachable(P, inner, 9)) &
         empty;
}

// The discs and all squares around them.
std::uint64_t beside(std::uint64_t discs) {
  constexpr std::uint64_t kNotLeft = 0xfefefefefefefefe;
  constexpr std::uint64_t kNotRight = 0x7f7f7f7f7f7f7f7f;
  const std::uint64_t wide = discs | (discs << 1 & kNotLeft) | (discs >> 1 & kNotRight);
  return wide | wide << 8 | wide >> 8;
}

// How many discs P turns with the last empty square, the others being all O.
int last_flips(std::uint64_t P, int square) {
  const int row = square >> 3;
  const int column = square & 7;
  constexpr std::uint64_t kColumn = 0x0101010101010101;
  constexpr std::uint64_t kGather = 0x0102040810204080;
  const std::uint64_t along = (P >> (8 * row)) & 0xff;
  const std::uint64_t across = (((P >> column) & kColumn) * kGather) >> 56;
  const std::uint64_t rising = ((P & kDiagonals[square].rising) * kColumn) >> 56;
  const std::uint64_t falling = ((P & kDiagonals[square].falling) * kColumn) >> 56;
  return kLastFlips[column][along] + kLastFlips[row][across] + kLastFlips[column][rising] +
         kLastFlips[column][falling];
}

class Search {
 public:
  explicit Search(int size)
      : squares_(size * size),
        corners_(centred(std::uint64_t{1} | std::uint64_t{1} << (size - 1) |
                             std::uint64_t{1} << (size * size - size) |
                             std::uint64_t{1} << (size * size - 1),
                         size)) {}

  // The value is at least v if v > alpha, at most v if v <= alpha.
  int value(std::uint64_t P, std::uint64_t O, std::uint64_t empty, int alpha) {
    unsigned parity = 0;
    for (std::uint64_t left = empty; left != 0; left &= left - 1) {
      parity ^= kQuadrant[lowest(left)];
    }
    return any(P, O, empty, parity, alpha);
  }
  std::uint64_t nodes() const { return nodes_; }

 private:
  static constexpr int kNone = -128;  // no move was tried
  static constexpr int kOrdered = 7;  // from here on moves are ordered by the replies they leave

  struct Candidate {
    std::uint64_t P;  // after the move, seen by the opponent
    std::uint64_t O;
    std::uint64_t bit;
    int cost;
  };

  static int lowest(std::uint64_t set) { return __builtin_ctzll(set); }
  static int count(std::uint64_t set) { return __builtin_popcountll(set); }

  int final_value(std::uint64_t P, std::uint64_t O) const {
    const int p = count(P);
    const int o = count(O);
    const int empty = squares_ - p - o;
    return p - o + (p > o ? empty : p < o ? -empty : 0);
  }

  int any(std::uint64_t P, std::uint64_t O, std::uint64_t empty, unsigned parity, int alpha) {
    const int n = count(empty);
    if (n >= kOrdered) return ordered(P, O, empty, parity, alpha);
    if (n > 4) return shallow(P, O, empty, parity, alpha);
    std::uint32_t few = 0;
    for (std::uint64_t left = empty; left != 0; left &= left - 1) {
      few = few << 8 | static_cast<std::uint32_t>(lowest(left));
    }
    switch (n) {
      case 4:
        return last<4>(P, O, few, parity, alpha);
      case 3:
        return last<3>(P, O, few, parity, alpha);
      case 2:
        return last<2>(P, O, few, parity, alpha);
      case 1:
        return last<1>(P, O, few, parity, alpha);
      default:
        ++nodes_;
        return final_value(P, O);
    }
  }

  // The side to move has no move: the opponent goes on, or the game is over.
  int passed(std::uint64_t P, std::uint64_t O, std::uint64_t empty, unsigned parity, int alpha) {
    if (mobility(O, P, empty) == 0) return final_value(P, O);
    return -any(O, P, empty, parity, -alpha - 1);
  }

  int ordered(std::uint64_t P, std::uint64_t O, std::uint64_t empty, unsigned parity, int alpha) {
    ++nodes_;
    const std::uint64_t legal = mobility(P, O, empty);
    if (legal == 0) return passed(P, O, empty, parity, alpha);
    Candidate list[64];
    int candidates = 0;
    for (std::uint64_t left = legal; left != 0; left &= left - 1) {
      const int square = lowest(left);
      const std::uint64_t bit = left & (0 - left);
      const std::uint64_t turned = flips(P, O, square);
      Candidate c{O ^ turned, P ^ turned ^ bit, bit, 0};
      const std::uint64_t replies = mobility(c.P, c.O, empty ^ bit);
      // What the opponent may do: replies now, those at corners twice, and empty squares beside the
      // discs of the side to move, where replies may come from.
      c.cost = 4 * (count(replies) + count(replies & corners_)) +
               2 * count(beside(c.O) & (empty ^ bit)) -
               ((kQuadrant[square] & parity) != 0 ? 1 : 0) - ((bit & corners_) != 0 ? 4 : 0);
      int at = candidates++;
      for (; at > 0 && list[at - 1].cost > c.cost; --at) list[at] = list[at - 1];
      list[at] = c;
    }
    int best = kNone;
    for (int i = 0; i < candidates && best <= alpha; ++i) {
      const Candidate& c = list[i];
      best = std::max(best,
                      -any(c.P, c.O, empty ^ c.bit, parity ^ kQuadrant[lowest(c.bit)], -alpha - 1));
    }
    return best;
  }

  int shallow(std::uint64_t P, std::uint64_t O, std::uint64_t empty, unsigned parity, int alpha) {
    ++nodes_;
    const std::uint64_t odd = empty & kOddSquares[parity];
    int best = kNone;
    for (std::uint64_t part : {odd, empty ^ odd}) {
      for (; part != 0; part &= part - 1) {
        const int square = lowest(part);
        if ((kNeighbours[square] & O) == 0) continue;
        const std::uint64_t turned = flips(P, O, square);
        if (turned == 0) continue;
        const std::uint64_t bit = part & (0 - part);
        best = std::max(best, -any(O ^ turned, P ^ turned ^ bit, empty ^ bit,
                                   parity ^ kQuadrant[square], -alpha - 1));
        if (best > alpha) return best;
      }
    }
    return best == kNone ? passed(P, O, empty, parity, alpha) : best;
  }

  static int square_of(std::uint32_t few, int i) { return static_cast<int>(few >> (8 * i)) & 0xff; }
  static std::uint32_t without(std::uint32_t few, int i) {
    const std::uint32_t below = (std::uint32_t{1} << (8 * i)) - 1;
    return (few & below) | ((few >> 8) & ~below);
  }
  // Squares of odd regions come first.
  template <int N>
  static std::uint32_t odd_first(std::uint32_t few, unsigned parity) {
    std::uint32_t odd = 0;
    std::uint32_t even = 0;
    int shift = 0;
    for (int i = N - 1; i >= 0; --i) {
      const auto square = static_cast<std::uint32_t>(square_of(few, i));
      if ((kQuadrant[square] & parity) != 0) {
        odd = odd << 8 | square;
        shift += 8;
      } else {
        even = even << 8 | square;
      }
    }
    return shift == 32 ? odd : even << shift | odd;
  }

  // The last N empty squares, one a byte.
  template <int N>
  int last(std::uint64_t P, std::uint64_t O, std::uint32_t few, unsigned parity, int alpha) {
    ++nodes_;
    if constexpr (N == 1) {
      return last_disc(P, O, square_of(few, 0));
    } else {
      if constexpr (N > 2) few = odd_first<N>(few, parity);
      int best = kNone;
      for (int i = 0; i < N; ++i) {
        const int square = square_of(few, i);
        if ((kNeighbours[square] & O) == 0) continue;
        const std::uint64_t turned = flips(P, O, square);
        if (turned == 0) continue;
        best =
            std::max(best, -last<N - 1>(O ^ turned, P ^ turned ^ (std::uint64_t{1} << square),
                                        without(few, i), parity ^ kQuadrant[square], -alpha - 1));
        if (best > alpha) return best;
      }
      if (best != kNone) return best;
      for (int i = 0; i < N; ++i) {
        const int square = square_of(few, i);
        if ((kNeighbours[square] & P) != 0 && flips(O, P, square) != 0) {
          return -last<N>(O, P, few, parity, -alpha - 1);
        }
      }
      return final_value(P, O);
    }
  }

  int last_disc(std::uint64_t P, std::uint64_t O, int square) {
    const int turned = last_flips(P, square);
    const int difference = 2 * count(P) - squares_ + 1;  // of the discs, as they lie
    if (turned > 0) return difference + 2 * turned + 1;
    const int lost = last_flips(O, square);
    if (lost > 0) {
      ++nodes_;
      return difference - 2 * lost - 1;
    }
    return difference + (difference > 0 ? 1 : -1);
  }

  int squares_;
  std::uint64_t corners_;
  std::uint64_t nodes_ = 0;
};

EndingAnswer search(int size, std::uint64_t own, std::uint64_t other, Value threshold) {
  const std::uint64_t P = centred(own, size);
  const std::uint64_t O = centred(other, size);
  Search ending(size);
  const int alpha = threshold - 1;
  const int found = ending.value(P, O, board_of(size) & ~(P | O), alpha);
  EndingAnswer answer;
  answer.lower = static_cast<Value>(found > alpha ? found : -size * size);
  answer.upper = static_cast<Value>(found > alpha ? size * size : found);
  answer.nodes = ending.nodes();
  return answer;
}

}  // namespace

EndingAnswer Ending<Othello>::solve(const Othello::Rules& rules, const Othello::State& state,
                                    Player player, Value threshold) {
  const std::uint64_t own = state.discs[state.to_move];
  const std::uint64_t other = state.discs[state.to_move ^ 1];
  if (player == Othello::to_move(rules, state)) return search(rules.size, own, other, threshold);
  // value < threshold for the player: the opponent, who is to move, has at least 1 - threshold.
  EndingAnswer answer = search(rules.size, own, other, static_cast<Value>(1 - threshold));
  const Value lower = answer.lower;
  answer.lower = static_cast<Value>(-answer.upper);
  answer.upper = static_cast<Value>(-lower);
  return answer;
}

}  // namespace playproof
