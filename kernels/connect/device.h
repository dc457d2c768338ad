// Connect as a device plays it: a word of 32 games has four threads, and the words of one group
// that lie in one warp are a unit: they share the order of cells, and with it which cells are taken
// and where lines can be. games/PLAYOUTS.md, "Connect". A round is one or two blocks of turns; the
// threads of a unit wait for each other between
//
//   prepare   each thread makes random words, some rounds ahead
//   draw      one thread draws the cells of the round
//   own       a thread a stone: says who has its cell
//   take      block by block, a thread a stone and direction: marks the cell in its line, and
//   queues
//             the lines that are full of taken cells with it
//   look      of each word a thread a line in the queue: who has it, in which lanes
//
// so that what the words have in common is done once, and what is not by all threads of the unit.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "games/connect/rules.h"
#include "kernels/common/playout.h"
#include "kernels/common/random_words.h"
#include "kernels/device/device_words.h"

namespace playproof {

inline constexpr std::uint32_t kConnectThreads = 4;                       // of a word
inline constexpr std::uint32_t kConnectWarpWords = 32 / kConnectThreads;  // of a warp
inline constexpr std::uint32_t kConnectAhead = 4;                         // random words a thread
inline constexpr std::uint32_t kConnectStones =
    kConnectThreads * kConnectAhead;  // a round, at most

// What all games on a board have in common.
struct ConnectBoard {
  std::uint32_t cells;
  std::uint32_t rows;
  std::uint32_t columns;
  std::uint32_t stones;  // a turn
  std::uint32_t connect;
  std::uint32_t reciprocal;  // of the columns: SmallDivisor
  std::uint32_t all_lines;   // of all directions
  std::uint32_t blocks;      // a round
  std::uint32_t queue;       // lines that are full with the cells of a round, at most

  template <int W>
  static ConnectBoard of(const typename Connect<W>::Rules& rules) {
    ConnectBoard board = {};
    board.cells = rules.cells;
    board.rows = rules.rows;
    board.columns = rules.columns;
    board.stones = rules.stones;
    board.connect = rules.connect;
    board.reciprocal = rules.by_columns.reciprocal;
    board.all_lines = 3 * (board.rows + board.columns) - 2;
    const std::uint32_t side = std::max(board.rows, board.columns);
    const std::uint32_t through = std::min(board.connect, side - board.connect + 1);  // a cell
    board.blocks = board.stones <= kConnectStones / 4 ? 2 : 1;
    board.queue = kConnectThreads * through * 2 * board.stones * board.blocks;
    return board;
  }
  // The memory that a unit needs, an odd number, so that threads of different units seldom wait for
  // each other; and what a word needs besides.
  PP_HD std::uint32_t unit_words() const { return (2 + all_lines + half_words() + queue / 2) | 1; }
  // 16 bits for each cell, as whole words: so many numbers of 16 bits, or words for two of each.
  PP_HD std::uint32_t half_words() const { return (cells + 1) / 2 * 2; }
  PP_HD std::uint32_t word_words() const { return cells / 2 + 1; }
};

// Where a cell is in one direction: in which line, in bytes from the first one, and where in it.
struct ConnectPlace {
  std::uint32_t line;
  std::uint32_t bit;
};

// The lines of one direction: rows, columns, falling diagonals, rising ones. Those of all
// directions are numbered. A line is a word of memory, a bit for each of its cells: its column, in
// a row, else its row. Both numbers are sums of multiples of a cell's row and of the cell.
struct ConnectDirection {
  std::uint32_t line_row;
  std::uint32_t line_cell;
  std::uint32_t line_first;
  std::uint32_t bit_row;
  std::uint32_t bit_cell;
  std::uint32_t step;        // from a cell to the next one in its line
  std::uint32_t reciprocal;  // of the columns

  PP_HD static ConnectDirection of(const ConnectBoard& board, std::uint32_t d) {
    const std::uint32_t r = board.rows;
    const std::uint32_t c = board.columns;
    const std::uint32_t less = 0 - std::uint32_t{1};
    ConnectDirection found = {1, 0, 0, 0 - c, 1, 1, board.reciprocal};
    if (d == 1) found = {0 - c, 1, r, 1, 0, c, board.reciprocal};
    if (d == 2) found = {1 + c, less, r + c + c - 1, 1, 0, c + 1, board.reciprocal};
    if (d == 3) found = {1 - c, 1, r + c + r + c - 1, 1, 0, c - 1, board.reciprocal};
    found.line_row *= sizeof(std::uint32_t);
    found.line_cell *= sizeof(std::uint32_t);
    found.line_first *= sizeof(std::uint32_t);
    forget_origin(found.reciprocal);
    return found;
  }
  PP_HD ConnectPlace place(std::uint32_t cell) const {
    const std::uint32_t row = cell * reciprocal >> 16;
    return {row * line_row + line_first + cell * line_cell, row * bit_row + cell * bit_cell};
  }
};

// The random words of a word of games, a plane a pair, in memory that the words of a warp share.
// Who has a taken cell: Black in the lanes of a plane, plane 0 being none, or in the others.
class ConnectPlanes {
 public:
  PP_HD explicit ConnectPlanes(std::uint32_t* base) : base_(base) {}

  PP_HD void set(std::uint32_t plane, std::uint32_t x) const {
    const std::uint32_t at = plane * kConnectWarpWords;
    base_[at] = x;
  }
  PP_HD static std::uint16_t owner(std::uint32_t plane, bool others) {
    const std::uint32_t offset = plane * (kConnectWarpWords * kWordBytes);
    return static_cast<std::uint16_t>(offset | (others ? kOthers : 0));
  }
  PP_HD std::uint32_t black(std::uint32_t owner) const {
    const auto* base = reinterpret_cast<const std::byte*>(base_) + (owner & (kOthers - 1));
    return *reinterpret_cast<const std::uint32_t*>(base) ^ others(owner);
  }

 private:
  static constexpr std::uint32_t kOthers = 0x8000;
  static constexpr std::uint32_t kWordBytes = sizeof(std::uint32_t);

  // All lanes, or none.
  PP_HD static std::uint32_t others(std::uint32_t owner) {
#if defined(__CUDA_ARCH__)
    std::uint32_t x;  // the sign of byte 1, in all bytes
    asm("prmt.b32 %0, %1, 0, 0x9999;" : "=r"(x) : "r"(owner));
    return x;
#else
    return all_lanes((owner & kOthers) != 0);
#endif
  }

  std::uint32_t* base_;
};

// Two turns: stones [at, middle) of one player, [middle, end) of the other, who is not first to
// move at the leaf. Stone i of one and stone i of the other are a pair, as far as both go.
struct ConnectBlock {
  std::uint32_t at = 0;
  std::uint32_t middle = 0;
  std::uint32_t end = 0;
  std::uint32_t first_pair = 0;

  PP_HD std::uint32_t pairs() const {
    return middle - at < end - middle ? middle - at : end - middle;
  }
  // The block that begins at stone `at`, the first turn having `left` stones, of m in all.
  PP_HD static ConnectBlock make(std::uint32_t at, std::uint32_t left, std::uint32_t stones,
                                 std::uint32_t m, std::uint32_t first_pair) {
    const std::uint32_t middle = at + left < m ? at + left : m;
    const std::uint32_t end = middle + stones < m ? middle + stones : m;
    return {at, middle, end, first_pair};
  }
  PP_HD ConnectBlock next(std::uint32_t stones, std::uint32_t m) const {
    return make(end, stones, stones, m, first_pair + pairs());
  }
};

// Blocks between which nobody looks who has won; the second one may be empty.
struct ConnectRound {
  ConnectBlock first;
  ConnectBlock second;

  PP_HD static ConnectRound make(const ConnectBoard& board, const ConnectBlock& first,
                                 std::uint32_t m) {
    return {first, first.next(board.blocks == 2 ? board.stones : 0, m)};
  }
  PP_HD ConnectRound next(const ConnectBoard& board, std::uint32_t m) const {
    return make(board, second.next(board.stones, m), m);
  }
  PP_HD std::uint32_t at() const { return first.at; }
  PP_HD std::uint32_t end() const { return second.end; }
  PP_HD std::uint32_t pairs() const { return second.first_pair + second.pairs(); }
  PP_HD ConnectBlock block_of(std::uint32_t stone) const {
    const bool early = stone < second.at;
    return {early ? first.at : second.at, early ? first.middle : second.middle,
            early ? first.end : second.end, early ? first.first_pair : second.first_pair};
  }
};

// Lines as they are queued: the first cell, from each to the next one, and which block of the round
// completes it.
struct ConnectLine {
  PP_HD static std::uint32_t of(std::uint32_t cell, std::uint32_t step, std::uint32_t block) {
    return cell | step << 9 | block << 14;
  }
  PP_HD static std::uint32_t cell(std::uint32_t line) { return line & 0x1ff; }
  PP_HD static std::uint32_t step(std::uint32_t line) { return (line >> 9) & 0x1f; }
  PP_HD static bool second(std::uint32_t line) { return line >> 14 != 0; }
};

// Lanes in which a side has a line.
struct ConnectLanes {
  std::uint32_t black = 0;
  std::uint32_t white = 0;
};

PP_HD inline std::uint32_t ones(std::uint32_t x) {
  return static_cast<std::uint32_t>(popcount64(x));
}
// How many of the lowest bits are set, and of the highest ones.
PP_HD inline std::uint32_t ones_from_below(std::uint32_t x) { return ones(x & ~(x + 1)); }
PP_HD inline std::uint32_t ones_from_above(std::uint32_t x) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint32_t>(__clz(static_cast<int>(~x)));
#else
  return static_cast<std::uint32_t>(std::countl_one(x));
#endif
}

// Which thread of a unit it is.
struct ConnectThread {
  std::uint32_t rank;     // of the unit's threads
  std::uint32_t threads;  // of the unit
  std::uint32_t part;     // of the word's threads: each has a direction of lines
  std::uint32_t word;     // of the unit's words
  std::uint32_t words;    // of the unit

  PP_HD static ConnectThread of(std::uint32_t rank, std::uint32_t threads) {
    forget_origin(rank);
    forget_origin(threads);
    return {rank, threads, rank % kConnectThreads, rank / kConnectThreads,
            threads / kConnectThreads};
  }
};

// What the words of a unit share, as one of its threads sees it. Atomics has
//   static std::uint32_t add(std::uint32_t* to, std::uint32_t value);
//   static std::uint32_t set(std::uint32_t* in, std::uint32_t bits);
// which return what was there.
// Between calls of two different functions the threads of the unit wait for each other.
template <class Atomics>
class ConnectUnit {
 public:
  // Uses memory of board.unit_words() words, and kConnectAhead words a thread in `ahead`.
  PP_HD ConnectUnit(const ConnectBoard& board, std::uint32_t* memory, std::uint32_t* ahead,
                    const ConnectThread& thread, const RandomKey& key, std::uint32_t group)
      : thread_(thread),
        direction_(ConnectDirection::of(board, thread.part)),
        key_(key),
        group_(kGroupFlag | group),
        queued_(memory),
        drawn_(memory + 1),
        taken_(memory + 2),
        order_(reinterpret_cast<std::uint16_t*>(taken_ + board.all_lines)),
        owner_(order_ + board.half_words()),
        queue_(owner_ + board.half_words()),
        ahead_(ahead) {}

  // The leaf, in three steps: counts its empty cells, 32 cells a thread.
  template <int W>
  PP_HD void begin(const ConnectBoard& board, const typename Connect<W>::State& state) const {
    if (thread_.rank == 0) *queued_ = *drawn_ = 0;
    for (std::uint32_t i = thread_.rank; i < board.all_lines; i += thread_.threads) taken_[i] = 0;
    for (std::uint32_t piece = thread_.rank; 32 * piece < board.cells; piece += thread_.threads) {
      queue_[piece] = static_cast<std::uint16_t>(ones(empty_cells_of<W>(board, state, piece)));
    }
  }
  // Lists its m empty cells in order and behind them the others.
  template <int W>
  PP_HD void begin_order(const ConnectBoard& board, const typename Connect<W>::State& state,
                         std::uint32_t m) const {
    for (std::uint32_t piece = thread_.rank; 32 * piece < board.cells; piece += thread_.threads) {
      std::uint32_t before = 0;  // empty cells
      for (std::uint32_t i = 0; i < piece; ++i) before += queue_[i];
      const std::uint32_t empty = empty_cells_of<W>(board, state, piece);
      std::uint16_t* order = order_ + before;
#pragma unroll 8
      for (std::uint32_t i = 0; i < 32; ++i) {
        if (((empty >> i) & 1) != 0) *order++ = static_cast<std::uint16_t>(32 * piece + i);
      }
      const std::uint32_t others = m + 32 * piece - before;
      order = order_ + others;
      const std::uint32_t black = piece_of(state.stones[0], piece);
      std::uint32_t stones = black | piece_of(state.stones[1], piece);
      for (; stones != 0; stones &= stones - 1) {
        const int i = lowest_bit64(stones);
        const std::uint32_t cell = 32 * piece + static_cast<std::uint32_t>(i);
        *order++ = static_cast<std::uint16_t>(cell);
        owner_[cell] = ConnectPlanes::owner(0, ((black >> i) & 1) != 0);
      }
    }
  }
  // Marks the cells that are taken.
  PP_HD void begin_lines(const ConnectBoard& board, std::uint32_t m) const {
    for (std::uint32_t i = m + thread_.word; i < board.cells; i += thread_.words) {
      mark(board, order_[i]);
    }
  }

  // Makes random words if those at hand are too few for a round. (They may still be a few less.)
  PP_HD void prepare(const ConnectRound& round) {
    if (*drawn_ + (round.end() - round.at()) <= ahead_end_) return;
    ahead_begin_ = *drawn_ / kConnectAhead * kConnectAhead;
    ahead_end_ = ahead_begin_ + kConnectAhead * thread_.threads;
    const PhiloxCounter four =
        random_block(key_, group_, ahead_begin_ / kConnectAhead + thread_.rank);
    for (std::uint32_t i = 0; i < kConnectAhead; ++i) {
      ahead_[kConnectAhead * thread_.rank + i] = four.words[i];
    }
  }
  // Draws the cells of a round: one thread does.
  PP_HD void draw(const ConnectRound& round, std::uint32_t m) const {
    if (thread_.rank != 0) return;
    *queued_ = 0;
    const std::uint32_t drawn = *drawn_;
    const std::uint32_t* random = ahead_ + (drawn - ahead_begin_);
    const std::uint32_t end = least(round.end(), round.at() + (ahead_end_ - drawn));
    std::uint32_t i = round.at();
#pragma unroll 4
    for (; i < end; ++i) {
      const std::uint64_t product = multiply_wide(*random++, m - i);
      if (static_cast<std::uint32_t>(product) < m - i) break;  // it may have to be passed over
      exchange(i, static_cast<std::uint32_t>(product >> 32));
    }
    Random rest = {this, drawn + (i - round.at())};
    for (; i < round.end(); ++i) exchange(i, draw_below(rest, m - i));
    *drawn_ = rest.at;
  }
  // Says of the cells of a round who has them. `mover_black`: Black has each block's first turn.
  PP_HD void own(const ConnectRound& round, bool mover_black) const {
    for (std::uint32_t i = round.at() + thread_.rank; i < round.end(); i += thread_.threads) {
      const ConnectBlock block = round.block_of(i);
      const bool first = i < block.middle;
      const std::uint32_t pair = i - (first ? block.at : block.middle);
      owner_[order_[i]] = ConnectPlanes::owner(
          pair < block.pairs() ? 1 + block.first_pair + pair : 0, mover_black == first);
    }
  }
  // Marks the cells of a block, number `number` of the round, and queues lines that are full with
  // them, of this thread's direction. Whether there are any.
  PP_HD bool take(const ConnectBoard& board, const ConnectBlock& block,
                  std::uint32_t number) const {
    bool found = false;
    for (std::uint32_t i = block.at + thread_.word; i < block.end; i += thread_.words) {
      const std::uint32_t cell = order_[i];
      const Full full = mark(board, cell);
      if (full.lines <= 0) continue;
      found = true;
      const std::uint32_t first = cell - full.before * direction_.step;
      std::uint32_t line = ConnectLine::of(0, direction_.step, number) + first;
      const auto lines = static_cast<std::uint32_t>(full.lines);
      std::uint16_t* at = queue_ + Atomics::add(queued_, lines);
#pragma unroll 1  // few
      for (std::uint16_t* const end = at + lines; at != end; line += direction_.step) {
        *at++ = static_cast<std::uint16_t>(line);
      }
    }
    return found;
  }
  // Adds, for a thread of each word, the lanes in which one side has all cells of a line, of this
  // thread's part of those queued, block by block. kLine: board.connect, or 0 if any.
  template <int kLine>
  PP_HD void look(const ConnectBoard& board, const ConnectPlanes& planes,
                  ConnectLanes (&lanes)[2]) const {
    const std::uint32_t length = kLine == 0 ? board.connect : kLine;
    const std::uint32_t lines = *queued_;
#pragma unroll 1
    for (std::uint32_t i = thread_.part; i < lines; i += kConnectThreads) {
      const std::uint32_t line = queue_[i];
      const std::uint16_t* owner = owner_ + ConnectLine::cell(line);
      const std::uint32_t step = ConnectLine::step(line);
      std::uint32_t all = ~std::uint32_t{0};
      std::uint32_t some = 0;
#pragma unroll(kLine == 0 ? 1 : kLine)
      for (std::uint32_t left = length; left > 0; --left, owner += step) {
        const std::uint32_t black = planes.black(*owner);
        all &= black;
        some |= black;
      }
      const bool second = ConnectLine::second(line);
      if (!second) lanes[0].black |= all;
      if (!second) lanes[0].white |= ~some;
      if (second) lanes[1].black |= all;
      if (second) lanes[1].white |= ~some;
    }
  }

 private:
  // The group's random words, none of them made ahead.
  struct Random {
    const ConnectUnit* unit;
    std::uint32_t at;
    PP_HD std::uint32_t next() {
      const PhiloxCounter four = random_block(unit->key_, unit->group_, at / 4);
      const std::uint32_t even = at % 4 == 0 ? four.words[0] : four.words[2];
      const std::uint32_t odd = at % 4 == 1 ? four.words[1] : four.words[3];
      return at++ % 2 == 0 ? even : odd;
    }
  };
  PP_HD void exchange(std::uint32_t i, std::uint32_t draw) const {
    const std::uint16_t cell = order_[i + draw];
    order_[i + draw] = order_[i];
    order_[i] = cell;
  }

  // Lines of `connect` taken cells that have a cell among them, if more than 0; the first of them
  // begins so many cells before it.
  struct Full {
    std::int32_t lines;
    std::uint32_t before;
  };
  // Marks a cell in its line. What is full with it: of the threads that mark cells of a line, the
  // last one finds it.
  PP_HD Full mark(const ConnectBoard& board, std::uint32_t cell) const {
    const ConnectPlace place = direction_.place(cell);
    const std::uint32_t bit = std::uint32_t{1} << place.bit;
    auto* line = reinterpret_cast<std::byte*>(taken_) + place.line;
    const std::uint32_t taken = Atomics::set(reinterpret_cast<std::uint32_t*>(line), bit) | bit;
    // These count taken cells in a row that end with this one, and that begin with it.
    const std::uint32_t to = least(ones_from_above(taken << (31 - place.bit)), board.connect);
    const std::uint32_t from = least(ones_from_below(taken >> place.bit), board.connect);
    return {static_cast<std::int32_t>(to + from - board.connect), to - 1};
  }
  PP_HD static std::uint32_t least(std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }

  // Takes the lower or the upper half of bits[piece / 2].
  template <int W>
  PP_HD static std::uint32_t piece_of(const std::uint64_t (&bits)[W], std::uint32_t piece) {
    return static_cast<std::uint32_t>(bits[piece / 2] >> (32 * (piece & 1)));
  }
  template <int W>
  PP_HD static std::uint32_t empty_cells_of(const ConnectBoard& board,
                                            const typename Connect<W>::State& state,
                                            std::uint32_t piece) {
    const std::uint32_t here = board.cells - 32 * piece;  // at least 1
    const std::uint32_t cells = lane_mask(here < 32 ? here : 32);
    return cells & ~(piece_of(state.stones[0], piece) | piece_of(state.stones[1], piece));
  }

  ConnectThread thread_;
  ConnectDirection direction_;  // one for each thread of a word
  RandomKey key_;
  std::uint32_t group_;
  std::uint32_t ahead_begin_ = 0;  // which random words are made
  std::uint32_t ahead_end_ = 0;
  std::uint32_t* queued_;  // lines
  std::uint32_t* drawn_;   // random words
  std::uint32_t* taken_;   // cells of every line
  std::uint16_t* order_;   // of the empty cells, as far as it is drawn; then the leaf's others
  std::uint16_t* owner_;   // of each taken cell: ConnectPlanes
  std::uint16_t* queue_;
  std::uint32_t* ahead_;  // random words ahead_begin_ ... ahead_end_ - 1
};

// The games of one word, as one of its threads sees them: all of them hold the same. The planes
// have board.word_words() words of memory.
class ConnectWord {
 public:
  PP_HD ConnectWord(const ConnectThread& thread, const RandomKey& key, std::uint32_t word,
                    std::uint32_t lanes, bool mover_black, const ConnectPlanes& planes)
      : part_(thread.part),
        key_(key),
        word_(word),
        planes_(planes),
        mover_(all_lanes(mover_black)),
        lanes_(lanes),
        playing_(lanes) {
    if (part_ == 0) planes_.set(0, 0);
  }

  PP_HD bool playing() const { return playing_ != 0; }
  PP_HD const ConnectPlanes& planes() const { return planes_; }
  // Makes the exchanges of more pairs if those at hand are too few for a round.
  PP_HD void prepare(const ConnectBoard& board, const ConnectRound& round) {
    if (round.pairs() <= exchanges_) return;
    const std::uint32_t first = exchanges_ + 4 * part_;
    const PhiloxCounter four = random_block(key_, word_, first / 4);
    for (std::uint32_t i = 0; i < 4; ++i) {
      if (1 + first + i < board.word_words()) planes_.set(1 + first + i, four.words[i]);
    }
    exchanges_ += 4 * kConnectThreads;
  }
  // Ends the games that the lines of a block decide.
  PP_HD void settle(const ConnectLanes& lines) {
    // Where both have a line, the side of the block's first turn had his first.
    won_ |= playing_ & lines.black & (mover_ | ~lines.white);
    lost_ |= playing_ & lines.white & (~mover_ | ~lines.black);
    playing_ &= ~(lines.black | lines.white);
  }
  PP_HD WordOutcome outcome() const { return {won_, lanes_ & ~(won_ | lost_)}; }

 private:
  std::uint32_t part_;
  RandomKey key_;
  std::uint32_t word_;
  ConnectPlanes planes_;
  std::uint32_t exchanges_ = 0;  // pairs that have theirs
  std::uint32_t mover_;
  std::uint32_t lanes_;
  std::uint32_t playing_;
  std::uint32_t won_ = 0;
  std::uint32_t lost_ = 0;
};

// Words first .. first + words - 1 of one position.
struct ConnectRun {
  std::uint32_t first = 0;
  std::uint64_t words = 0;
};

// The most units that a warp has, if the words of `count` runs, run(i) one after the
// other, are dealt to warps: that much memory it needs.
template <class Run>
unsigned most_connect_units(std::size_t count, const Run& run) {
  constexpr std::uint64_t kWarpWords = kConnectWarpWords;
  constexpr std::uint64_t kPeriod = std::max(kConnectWarpWords, kConnectGroupWords);
  static_assert(kPeriod % kConnectWarpWords == 0 && kPeriod % kConnectGroupWords == 0);
  std::uint64_t at = 0;  // words so far
  unsigned units = 0;    // in the warp that is being filled
  unsigned most = 0;
  for (std::size_t i = 0; i < count; ++i) {
    auto [first, left] = run(i);
    while (left > 0) {
      if (at % kWarpWords == 0) {
        units = 0;
        // Groups and warps begin together again and again, if there are so many: the first time
        // stands for the others.
        if (left > 2 * kPeriod) left -= (left - kPeriod) / kPeriod * kPeriod;
      }
      const std::uint64_t group = kConnectGroupWords - first % kConnectGroupWords;
      const std::uint64_t piece = std::min({left, group, kWarpWords - at % kWarpWords});
      most = std::max(most, ++units);
      first += static_cast<std::uint32_t>(piece);
      at += piece;
      left -= piece;
    }
  }
  return most;
}

}  // namespace playproof
