// Victory by continuous double threats (VCDT): does a player of the Connect family win by turns
// that each leave so many threats that the other side has no free stone (thesis, 3.3.2; lambda
// order 1 of Wu and Lin 2010)? With one stone a turn the same is victory by continuous fours.
//
// Every reply is searched (all sets of p cells that hit all threats). A *macro* reply instead gives
// the other side all those cells at once: one child for some, and since more of his stones never
// help the attacker, what wins against it wins against each of them. It misses wins that answer
// different replies differently.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "games/connect/forcing_turns.h"
#include "games/connect/race_proof.h"

namespace playproof {

struct VcdtOptions {
  enum class Replies : std::uint8_t { kAll, kMacro, kMacroFirst };
  Replies replies = Replies::kMacroFirst;
  // Whether a win is a shortest one. If not, macro replies are tried to the last turn before any
  // other (kMacroFirst).
  bool shortest = false;
  int turns = 8;  // at most, the one that completes a line included (2 .. kMostTurns)
  std::uint64_t work = 300'000;  // pairs of stones, at most, or a little more
};

struct VcdtAnswer {
  enum class Outcome : std::uint8_t {
    kWin,
    kCut,        // none was found within the limits, or none is proof against macro replies
    kExhausted,  // there is none of any length
  };
  Outcome outcome = Outcome::kCut;
  int turns = 0;       // of a win, the one that completes a line included
  bool macro = false;  // macro replies alone proved it
  ConnectTurn first;   // of a win: its first turn; none if that completes a line
  std::uint64_t work = 0;
  std::uint64_t nodes = 0;  // positions whose turns were listed
};

// What tests of faults leave out; sound as it is.
struct SoundThreats {
  static constexpr bool kHeedsOthersThreats = true;
};

template <int W, class Policy = SoundThreats>
class Vcdt {
 public:
  static constexpr int kMostTurns = 100;

  // `windows` must outlive it; its rules have one or two stones a turn. The table has 2^table_bits
  // entries of 16 bytes.
  explicit Vcdt(const ConnectWindows<W>& windows, int table_bits = 16);

  // Does `attacker`, who is to move and has `stones` (1 .. p) left in his turn, win? Equal
  // questions have equal answers, counts and all: nothing is kept from earlier ones. The game is
  // not over.
  VcdtAnswer solve(const ConnectThreats<W>& position, int attacker, int stones,
                   const VcdtOptions& options);

  // The proof of the last answer if that is a win, else one without nodes.
  RaceProof proof();

 private:
  enum class Result : std::int8_t { kNone = -1, kCut = 0, kWin = 1 };
  static constexpr std::int8_t kNever = 127;  // fails with any number of turns

  // What is known of a position against all replies [0] and against macro replies [1].
  struct Entry {
    std::uint64_t check = 0;
    ConnectTurn turn;          // of the shortest win
    std::int8_t win[2] = {};   // turns that suffice; 0 if none are known to
    std::int8_t fail[2] = {};  // turns that do not

    bool wins(int turns, bool macro) const {
      return (win[1] != 0 && win[1] <= turns) || (!macro && win[0] != 0 && win[0] <= turns);
    }
  };

  struct Depth {
    int turns;
    int failed;  // turns that are known not to suffice
  };

  // Turns: what may still be played, the one that completes a line included.
  Result search(int turns, bool macro, int stones);
  Result choose(Depth depth, bool macro, int stones, ConnectTurn* best, int* win);
  Result try_turn(const ConnectTurn& turn, int turns, bool macro);
  Result answer_all(ConnectReplies* replies, int turns);
  Result answer_macro(const ConnectReplies& replies, int turns);
  void order(ConnectReplies* replies);

  std::uint64_t salt(int stones) const;
  Entry* find(int stones);
  Entry* get(int stones);
  std::uint32_t prove(int turns, bool macro, int stones, RaceProof* proof);
  void deepen(int turns, bool macro);

  const ConnectWindows<W>* windows_;
  std::unique_ptr<ForcingPairs<W>> pairs_;
  ConnectThreats<W> position_;
  typename ConnectThreats<W>::List threats_;
  CellScores<W> scores_;
  std::vector<ForcingTurn> turns_;  // those of all positions on the path
  std::vector<Entry> table_;
  std::uint64_t question_ = 0;  // so many were asked
  int attacker_ = 0;
  int stones_ = 0;
  VcdtOptions options_;
  VcdtAnswer answer_;
  std::uint64_t begin_ = 0;  // work done before the question
  std::uint64_t stones_tested_ = 0;
  bool open_[2] = {};  // whether all replies [0], macro replies [1] may still decide
  bool stopped_ = false;
};

extern template class Vcdt<1>;
extern template class Vcdt<6>;

// All cells of some replies, each once.
template <int W>
CellSet<W> cells_of(const ConnectReplies& replies) {
  CellSet<W> cells;
  for (const ConnectTurn& reply : replies.all()) {
    cells.add(reply.first);
    if (reply.second != kNoMove) cells.add(reply.second);
  }
  return cells;
}

}  // namespace playproof
