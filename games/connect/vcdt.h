// Victory by continuous double threats (VCDT): does a player of the Connect family win by turns
// that each leave so many threats that the other side has no free stone (thesis, 3.3.2; lambda
// order 1 of Wu and Lin 2010)? With one stone a turn the same is victory by continuous fours.
//
// Every reply is searched (all sets of p cells that hit all threats). A *macro* reply instead gives
// the other side all those cells at once: one child for some, and since more of his stones never
// help the attacker, what wins against it wins against each of them. It misses wins that answer
// different replies differently.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "games/connect/forcing_turns.h"
#include "games/connect/race_proof.h"
#include "games/connect/threat_options.h"

namespace playproof {

struct VcdtAnswer {
  enum class Outcome : std::uint8_t {
    kWin,
    kCut,        // none was found within the limits, or none is proof against macro replies
    kExhausted,  // there is none of any length
    kLast = kExhausted
  };
  Outcome outcome = Outcome::kCut;
  int turns = 0;       // of a win, the one that completes a line included
  bool macro = false;  // macro replies alone proved it
  ConnectTurn first;   // of a win: its first turn; none if that completes a line
  std::uint64_t work = 0;
  std::uint64_t calls = 0;  // positions that were entered
  std::uint64_t nodes = 0;  // of these: positions whose turns were listed
  // By macro replies [1] and by all replies [0]: how much of `nodes` each of them took.
  std::uint64_t nodes_by[2] = {};
  std::uint64_t depth = 0;  // of turns of the attacker that were tried at once
};

// What tests of faults leave out; sound as it is.
struct SoundThreats {
  static constexpr bool kHeedsOthersThreats = true;
};

template <int W, class Policy = SoundThreats>
class Vcdt {
 public:
  using Settings = VcdtOptions;
  static constexpr int kMostTurns = 100;
  static constexpr std::uint64_t kSlice = 256;  // calls that take some hundredths of a millisecond

  // `windows` must outlive it; its rules have one or two stones a turn. The table has 2^table_bits
  // entries of 16 bytes.
  explicit Vcdt(const ConnectWindows<W>& windows, int table_bits = 16);

  // Does `attacker`, who is to move and has `stones` (1 .. p) left in his turn, win? Equal
  // questions have equal answers, counts and all: nothing is kept from earlier ones. The game is
  // not over.
  VcdtAnswer solve(const ConnectThreats<W>& position, int attacker, int stones,
                   const VcdtOptions& options) {
    begin(position, attacker, stones, options);
    advance(std::numeric_limits<std::uint64_t>::max());
    return answer();
  }

  // The same in parts, with the same answer: the question, then about so many more positions that
  // are entered. True once it is answered.
  void begin(const ConnectThreats<W>& position, int attacker, int stones,
             const VcdtOptions& options);
  bool advance(std::uint64_t calls);
  // What is known now: cut, if it is not answered.
  VcdtAnswer answer() const;
  // Bytes of its table and its stack.
  std::uint64_t bytes() const {
    return table_.size() * sizeof(Entry) + stack_.capacity() * sizeof(Frame) +
           turns_.capacity() * sizeof(ForcingTurn);
  }

  // Saves a question under way, or loads it after the same begin() (host/archive/archive.h): the
  // table, and of each position on the path the numbers of what is being tried there, which are
  // held against the rules. The archive fails on what no search has; a win of a table that is wrong
  // is found out when proof() is walked.
  template <class Archive>
  void serialize(Archive& archive);

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

  // A position on the path, and what is being tried there.
  struct Frame {
    int turns = 0;          // that may still be played, the one that completes a line included
    int stones = 0;         // left in the turn
    std::size_t begin = 0;  // its turns in turns_
    std::size_t end = 0;
    std::size_t next = 0;           // the one that is tried
    int reply = kNoTurn;            // and the reply to it
    Result result = Result::kNone;  // of the turns before
    ConnectReplies replies;
  };
  static constexpr int kNoTurn = -1;  // the turn stands not on the board yet

  // The searches by deepening, one after the other.
  int phases() const { return 2 * options_.turns; }
  int turns_of(int phase) const {
    return options_.shortest ? phase / 2 + 1 : phase % options_.turns + 1;
  }
  bool is_macro(int phase) const {
    return options_.shortest ? phase % 2 == 0 : phase < options_.turns;
  }
  void next_phase(Result result);

  // Enters a position: its result, if that is known, else one more frame.
  std::optional<Result> enter(int turns, int stones);
  std::optional<Result> list_turns(int failed, Frame* frame, ConnectTurn* best);
  // Plays the next turn or reply of the last frame.
  std::optional<Result> play_on();
  // Hands a result to the frames that wait for it; if there is none left it is that of them all.
  std::optional<Result> give(Result result);
  void remember(const Frame& frame, Result result, const ConnectTurn& best, int win);
  Result search(int turns, bool macro, int stones);
  void stop();
  std::uint64_t work() const { return work_before_ + pairs_->tested() - begin_ + stones_tested_; }
  void order(ConnectReplies* replies);
  void play_turn(Frame* frame);
  void add_reply(const Frame& frame);
  void remove_reply(const Frame& frame);

  std::uint64_t salt(int stones) const;
  Entry* find(int stones);
  Entry* get(int stones);
  [[noreturn]] void refuse() const;
  bool is_turn(const ConnectTurn& turn, int stones) const;
  std::uint32_t prove(int turns, bool macro, int stones, RaceProof* proof);
  template <class Archive>
  void serialize_table(Archive& archive);
  template <class Archive>
  void serialize_path(Archive& archive);

  const ConnectWindows<W>* windows_;
  std::unique_ptr<ForcingPairs<W>> pairs_;
  ConnectThreats<W> position_;
  typename ConnectThreats<W>::List threats_;
  CellScores<W> scores_;
  std::vector<ForcingTurn> turns_;  // those of all positions on the path
  std::vector<Entry> table_;
  std::uint64_t question_ = 0;  // so many were asked
  std::vector<Frame> stack_;
  int attacker_ = 0;
  int stones_ = 0;
  VcdtOptions options_;
  ConnectThreats<W> root_;
  VcdtAnswer answer_;
  std::uint64_t begin_ = 0;  // work done before the question
  std::uint64_t stones_tested_ = 0;
  std::uint64_t work_before_ = 0;  // of the same question, before it was loaded
  int phase_ = 0;
  bool macro_ = false;  // the replies that are searched now
  bool open_[2] = {};   // whether all replies [0], macro replies [1] may still decide
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
