// Connect as a device plays it: a word of 32 games has four threads, and the words of one group
// that lie in one warp are a unit: they share the order of cells, and with it which cells are taken
// and where lines can be. games/PLAYOUTS.md, "Connect". A block of turns goes in steps, and between
// them the threads of a unit wait for each other:
//
//   prepare   each thread makes random words, some blocks ahead
//   draw      one thread draws the cells
//   take      a thread a stone and direction: marks the cell in its line
//   find      a thread a stone and direction: finds where lines of taken cells begin, and queues
//   them look      of each word a thread a line that was found: who has it, in which lanes
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
inline constexpr std::uint32_t kConnectQueue = 2;                         // lines a thread

// What all games on a board have in common.
struct ConnectBoard {
  std::uint32_t cells = 0;
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  std::uint32_t stones = 0;  // a turn
  std::uint32_t connect = 0;
  SmallDivisor by_columns;
  std::uint32_t all_lines = 0;  // of all directions

  template <int W>
  PP_HD static ConnectBoard of(const typename Connect<W>::Rules& rules) {
    ConnectBoard board;
    board.cells = rules.cells;
    board.rows = rules.rows;
    board.columns = rules.columns;
    board.stones = rules.stones;
    board.connect = rules.connect;
    board.by_columns = rules.by_columns;
    board.all_lines = 3 * (board.rows + board.columns) - 2;
    return board;
  }
  // Of memory: what a unit needs, an odd number, so that threads of different units seldom wait for
  // each other; and what a word needs besides.
  PP_HD std::uint32_t unit_words() const { return (2 + all_lines + half_words()) | 1; }
  // 16 bits for each cell, as whole words: so many numbers of 16 bits, or words for two of each.
  PP_HD std::uint32_t half_words() const { return (cells + 1) / 2 * 2; }
  PP_HD std::uint32_t word_words() const { return cells / 2 + 1; }
};

// The lines of one direction: rows, columns, falling diagonals, rising ones. Those of all
// directions are numbered. A line is a word of memory, a bit for each of its cells.
struct ConnectDirection {
  std::uint32_t row;     // the number of a line is row, times the cell's,
  std::uint32_t column;  // plus column, times the cell's,
  std::uint32_t first;   // plus this
  std::uint32_t step;    // from a cell to the next one in its line
  bool across;           // which is in the next column, not row: its bit is that number

  PP_HD static ConnectDirection of(const ConnectBoard& board, std::uint32_t d) {
    const std::uint32_t r = board.rows;
    const std::uint32_t c = board.columns;
    if (d == 0) return {1, 0, 0, 1, true};
    if (d == 1) return {0, 1, r, c, false};
    if (d == 2) return {1, ~std::uint32_t{0}, r + c + c - 1, c + 1, false};
    return {1, 1, r + c + r + c - 1, c - 1, false};
  }
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

// Lines as they are queued: the first cell, and from each to the next one.
struct ConnectLine {
  PP_HD static std::uint16_t of(std::uint32_t cell, std::uint32_t step) {
    return static_cast<std::uint16_t>(cell | step << 9);
  }
  PP_HD static std::uint32_t cell(std::uint32_t line) { return line & 0x1ff; }
  PP_HD static std::uint32_t step(std::uint32_t line) { return line >> 9; }
};

// Lanes in which a side has a line.
struct ConnectLanes {
  std::uint32_t black = 0;
  std::uint32_t white = 0;
};

// How far a thread is with the lines through the cells of a block.
struct ConnectSearch {
  std::uint32_t next;        // stone
  std::uint32_t cell = 0;    // of the stone before that, and
  std::uint32_t starts = 0;  // its lines that are not queued yet
  bool found = false;        // any
};

PP_HD inline std::uint32_t ones(std::uint32_t x) {
  return static_cast<std::uint32_t>(popcount64(x));
}
PP_HD inline std::uint32_t highest_bit(std::uint32_t x) {
#if defined(__CUDA_ARCH__)
  return 31 - static_cast<std::uint32_t>(__clz(static_cast<int>(x)));
#else
  return 31 - static_cast<std::uint32_t>(std::countl_zero(x));
#endif
}

// What a thread of a unit has of its own.
struct ConnectThread {
  std::uint32_t rank = 0;     // of the unit's threads: number rank % 4 of word rank / 4
  std::uint32_t threads = 0;  // of the unit

  PP_HD std::uint32_t part() const { return rank % kConnectThreads; }
  PP_HD std::uint32_t word() const { return rank / kConnectThreads; }
  PP_HD std::uint32_t words() const { return threads / kConnectThreads; }
};

// Memory of a unit: its own, and its threads' parts of what all threads of a warp have.
struct ConnectMemory {
  std::uint32_t* own;    // board.unit_words()
  std::uint32_t* ahead;  // kConnectAhead words a thread
  std::uint16_t* queue;  // kConnectQueue lines a thread
};

// What the words of a unit share, as one of its threads sees it. Atomics has
//   static std::uint32_t add(std::uint32_t* to, std::uint32_t value);  // returns what was there
//   static void set(std::uint32_t* in, std::uint32_t bits);
// Between calls of two different functions the threads of the unit wait for each other.
template <class Atomics>
class ConnectUnit {
 public:
  PP_HD ConnectUnit(const ConnectBoard& board, const ConnectMemory& memory,
                    const ConnectThread& thread, const RandomKey& key, std::uint32_t group)
      : thread_(thread),
        direction_(ConnectDirection::of(board, thread.part())),
        key_(key),
        group_(kGroupFlag | group),
        queued_(memory.own),
        drawn_(memory.own + 1),
        taken_(memory.own + 2),
        order_(reinterpret_cast<std::uint16_t*>(taken_ + board.all_lines)),
        owner_(reinterpret_cast<std::int16_t*>(order_ + board.half_words())),
        ahead_(memory.ahead),
        queue_(memory.queue) {}

  // The leaf: lists its m empty cells in order and behind them the others.
  template <int W>
  PP_HD void begin(const ConnectBoard& board, const typename Connect<W>::State& state,
                   std::uint32_t m) {
    if (thread_.rank == 0) *queued_ = *drawn_ = 0;
    for (std::uint32_t i = thread_.rank; i < board.all_lines; i += thread_.threads) taken_[i] = 0;
    for (std::uint32_t piece = thread_.rank; piece < 2 * W; piece += thread_.threads) {
      std::uint32_t empty = 0;  // cells before this piece
      for (std::uint32_t i = 0; i < piece; ++i) empty += ones(empty_cells_of<W>(board, state, i));
      std::uint32_t other = m + 32 * piece - empty;
      const std::uint32_t here = empty_cells_of<W>(board, state, piece);
      const std::uint32_t black = piece_of(state.stones[0], piece);
      for (std::uint32_t i = 0; i < 32 && 32 * piece + i < board.cells; ++i) {
        const std::uint32_t cell = 32 * piece + i;
        if (((here >> i) & 1) == 0) owner_[cell] = owner_of(0, ((black >> i) & 1) != 0);
        order_[((here >> i) & 1) != 0 ? empty++ : other++] = static_cast<std::uint16_t>(cell);
      }
    }
  }
  // The leaf: marks the cells that are taken.
  PP_HD void begin_lines(const ConnectBoard& board, std::uint32_t m) const {
    for (std::uint32_t i = m + thread_.word(); i < board.cells; i += thread_.words()) {
      const Place place = place_of(board, order_[i]);
      Atomics::set(&taken_[place.line], std::uint32_t{1} << place.bit);
    }
  }

  // Makes random words if those at hand are too few for the draws of a block (but for more
  // rejections than there are cells on the board).
  PP_HD void prepare(const ConnectBlock& block) {
    if (*drawn_ + (block.end - block.at) <= ahead_end_) return;
    ahead_begin_ = *drawn_ / kConnectAhead * kConnectAhead;
    ahead_end_ = ahead_begin_ + kConnectAhead * thread_.threads;
    const PhiloxCounter four =
        random_block(key_, group_, ahead_begin_ / kConnectAhead + thread_.rank);
    for (std::uint32_t i = 0; i < kConnectAhead; ++i) {
      ahead_[kConnectAhead * thread_.rank + i] = four.words[i];
    }
  }
  // Draws the cells of a block: one thread does.
  PP_HD void draw(const ConnectBlock& block, std::uint32_t m) const {
    if (thread_.rank != 0) return;
    Random random = {this, *drawn_};
    for (std::uint32_t i = block.at; i < block.end; ++i) {
      const std::uint32_t j = i + 1 < m ? i + draw_below(random, m - i) : i;
      const std::uint16_t cell = order_[j];
      order_[j] = order_[i];
      order_[i] = cell;
    }
    *drawn_ = random.at;
    *queued_ = 0;
  }
  // Takes the cells of a block. `mover_black`: Black has its first turn.
  PP_HD void take(const ConnectBoard& board, const ConnectBlock& block, bool mover_black) const {
    const std::uint32_t pairs = block.pairs();
    for (std::uint32_t i = block.at + thread_.word(); i < block.end; i += thread_.words()) {
      const std::uint32_t cell = order_[i];
      const Place place = place_of(board, cell);
      Atomics::set(&taken_[place.line], std::uint32_t{1} << place.bit);
      if (direction_.across) {
        const std::uint32_t pair = i < block.middle ? i - block.at : i - block.middle;
        owner_[cell] = owner_of(pair < pairs ? 1 + block.first_pair + pair : 0,
                                mover_black == (i < block.middle));
      }
    }
  }

  PP_HD ConnectSearch search(const ConnectBlock& block) const {
    return {.next = block.at + thread_.word()};
  }
  // Queues lines of taken cells through the cells of a block, of this thread's direction. True if
  // there was no room for all: then again, after look() and clear().
  PP_HD bool find(const ConnectBoard& board, const ConnectBlock& block,
                  ConnectSearch& search) const {
    while (search.starts == 0 || queue(board, search)) {
      if (search.next >= block.end) return false;
      search.cell = order_[search.next];
      search.next += thread_.words();
      search.starts = starts(board, place_of(board, search.cell));
      search.found |= search.starts != 0;
    }
    return true;
  }
  // Forgets what is queued.
  PP_HD void clear() const {
    if (thread_.rank == 0) *queued_ = 0;
  }
  // For a thread of each word: adds the lanes in which one side has all cells of a line, of this
  // thread's part of those queued.
  template <class Planes>
  PP_HD void look(const ConnectBoard& board, Planes planes, ConnectLanes& lanes) const {
    const std::uint32_t room = kConnectQueue * thread_.threads;
    const std::uint32_t lines = *queued_ < room ? *queued_ : room;
    for (std::uint32_t i = thread_.part(); i < lines; i += kConnectThreads) {
      const std::uint32_t line = queue_[i];
      std::uint32_t cell = ConnectLine::cell(line);
      std::uint32_t all = ~std::uint32_t{0};
      std::uint32_t some = 0;
#pragma unroll 2
      for (std::uint32_t left = board.connect; left > 0; --left) {
        const std::int32_t owner = owner_[cell];
        const auto others = static_cast<std::uint32_t>(owner >> 15);
        const std::uint32_t black = planes[static_cast<std::uint32_t>(owner) & 0x7fff] ^ others;
        all &= black;
        some |= black;
        cell += ConnectLine::step(line);
      }
      lanes.black |= all;
      lanes.white |= ~some;
    }
  }

 private:
  struct Place {
    std::uint32_t line;
    std::uint32_t bit;
  };

  // The group's random words.
  struct Random {
    const ConnectUnit* unit;
    std::uint32_t at;
    PP_HD std::uint32_t next() {
      const std::uint32_t i = at++;
      return i < unit->ahead_end_ ? unit->ahead_[i - unit->ahead_begin_] : unit->random_word_at(i);
    }
  };
  // The same without those that are made ahead.
  PP_HD std::uint32_t random_word_at(std::uint32_t i) const {
    const PhiloxCounter four = random_block(key_, group_, i / 4);
    const std::uint32_t even = i % 4 == 0 ? four.words[0] : four.words[2];
    const std::uint32_t odd = i % 4 == 1 ? four.words[1] : four.words[3];
    return i % 2 == 0 ? even : odd;
  }

  // The line through a cell in this thread's direction.
  PP_HD Place place_of(const ConnectBoard& board, std::uint32_t cell) const {
    const auto row = static_cast<std::uint32_t>(board.by_columns.quotient(static_cast<int>(cell)));
    const std::uint32_t column = cell - row * board.columns;
    const ConnectDirection& d = direction_;
    return {d.row * row + d.column * column + d.first, d.across ? column : row};
  }
  // Where lines of `connect` taken cells begin that have this one among them: bit connect - 1 if
  // with it, bit 0 if so many cells before that it is the last one.
  PP_HD std::uint32_t starts(const ConnectBoard& board, const Place& place) const {
    std::uint32_t taken = taken_[place.line];
    std::uint32_t length = 1;
    for (; 2 * length <= board.connect; length *= 2) taken &= taken >> length;
    taken &= taken >> (board.connect - length);
    return taken << (31 - place.bit) >> (32 - board.connect);
  }
  // As many of the search's starts as there is room for; whether that was all.
  PP_HD bool queue(const ConnectBoard& board, ConnectSearch& search) const {
    const std::uint32_t room = kConnectQueue * thread_.threads;
    std::uint32_t at = Atomics::add(queued_, ones(search.starts));
    for (; search.starts != 0 && at < room; ++at) {
      const std::uint32_t start = highest_bit(search.starts);
      search.starts ^= std::uint32_t{1} << start;
      const std::uint32_t back = board.connect - 1 - start;
      queue_[at] = ConnectLine::of(search.cell - back * direction_.step, direction_.step);
    }
    return search.starts == 0;
  }

  // bits[piece / 2], the lower or the upper half.
  template <int W>
  PP_HD static std::uint32_t piece_of(const std::uint64_t (&bits)[W], std::uint32_t piece) {
    return static_cast<std::uint32_t>(bits[piece / 2] >> (32 * (piece & 1)));
  }
  template <int W>
  PP_HD static std::uint32_t empty_cells_of(const ConnectBoard& board,
                                            const typename Connect<W>::State& state,
                                            std::uint32_t piece) {
    const std::uint32_t before = 32 * piece;
    if (before >= board.cells) return 0;
    const std::uint32_t here = board.cells - before;
    const std::uint32_t cells = lane_mask(here < 32 ? here : 32);
    return cells & ~(piece_of(state.stones[0], piece) | piece_of(state.stones[1], piece));
  }
  // Of a taken cell: Black has it in the lanes of plane number `plane`, plane 0 being none, or in
  // the others.
  PP_HD static std::int16_t owner_of(std::uint32_t plane, bool others) {
    return static_cast<std::int16_t>(plane | (others ? 0x8000 : 0));
  }

  ConnectThread thread_;
  ConnectDirection direction_;  // one for each thread of a word
  RandomKey key_;
  std::uint32_t group_;
  std::uint32_t ahead_begin_ = 0;  // which random words are made
  std::uint32_t ahead_end_ = 0;
  std::uint32_t* queued_;  // lines, or more if there was no room for all
  std::uint32_t* drawn_;   // random words
  std::uint32_t* taken_;   // cells of every line
  std::uint16_t* order_;   // of the empty cells, as far as it is drawn; then the leaf's others
  std::int16_t* owner_;    // of each taken cell: see owner_of()
  std::uint32_t* ahead_;
  std::uint16_t* queue_;
};

// The games of one word, as one of its threads sees them: all of them hold the same. `planes` are
// board.word_words() words of memory.
template <class Planes>
class ConnectWord {
 public:
  PP_HD ConnectWord(const ConnectThread& thread, const RandomKey& key, std::uint32_t word,
                    std::uint32_t lanes, bool mover_black, Planes planes)
      : part_(thread.part()),
        key_(key),
        word_(word),
        planes_(planes),
        mover_(all_lanes(mover_black)),
        lanes_(lanes),
        playing_(lanes) {
    if (part_ == 0) planes_[0] = 0;
  }

  PP_HD bool playing() const { return playing_ != 0; }
  PP_HD Planes planes() const { return planes_; }
  // Makes the exchanges of more pairs if those at hand are too few for a block.
  PP_HD void prepare(const ConnectBoard& board, const ConnectBlock& block) {
    if (block.first_pair + block.pairs() <= exchanges_) return;
    const std::uint32_t first = exchanges_ + 4 * part_;
    const PhiloxCounter four = random_block(key_, word_, first / 4);
    for (std::uint32_t i = 0; i < 4; ++i) {
      if (1 + first + i < board.word_words()) planes_[1 + first + i] = four.words[i];
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
  Planes planes_;
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
  std::uint64_t at = 0;  // words so far
  unsigned units = 0;    // in the warp that is being filled
  unsigned most = 0;
  for (std::size_t i = 0; i < count; ++i) {
    auto [first, left] = run(i);
    while (left > 0) {
      if (at % kWarpWords == 0) {
        units = 0;
        // Warp after warp alike, if there are so many: the first of them stands for the others.
        if (left > 2 * kWarpWords) left -= (left - kWarpWords) / kWarpWords * kWarpWords;
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
