// Writes the proof of one claim as lines of a certificate (docs/certificate.md): children before
// their parents, with an explicit stack, so that what is held in memory is one path of the proof,
// the ids of the positions beside it and a bounded table of what was written before, however long
// the proof is. (In a tree with patterns also which leaves cite which nodes: cited_nodes.h.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "games/core/ending.h"
#include "games/core/error.h"
#include "games/core/race.h"
#include "host/proof/proof_lines.h"
#include "host/proof/race_lines.h"
#include "host/proof/written_positions.h"

namespace playproof {

// Is the position written as a `recheck` node, if the proof has any? (Never the root of a proof.)
template <Game G>
bool left_to_checker(const typename G::Rules& rules, const typename G::State& state, bool recheck) {
  if constexpr (HasEnding<G>) {
    return recheck && !G::finished(rules, state) &&
           Ending<G>::distance(rules, state) <= Ending<G>::kRecheck;
  }
  return false;
}

// A source is where a proof comes from: a tree, a table.
//   Source::Handle                     what it knows a position by
//   source.replies(handle, state, one, out)
//       Appends {move, handle} of moves that hold the claim, in ascending order: the one to play
//       (`one`), or all there are. Not asked of a finished position, nor of one that is left to the
//       checker or won by threats.
//   source.race(handle, state)         optional, in games that have races: the win by threats with
//       which the prover, who is to move, holds the claim; none if he holds it otherwise. Not asked
//       of the root.
template <Game G, class Source>
class ProofWalk {
 public:
  using State = typename G::State;
  using Handle = typename Source::Handle;

  // Positions, and thereby ids that live at once: a checker needs about 200 bytes for each.
  static constexpr std::size_t kShared = 1 << 16;

  // `recheck`: positions near the end are left to the checker.
  ProofWalk(ProofLines<G>& lines, Source& source, std::size_t shared = kShared,
            bool recheck = false)
      : lines_(lines), source_(source), recheck_(recheck), shared_(shared) {}

  // Writes the proof that the claim holds at `root`, which is not finished.
  void write(const State& root, Handle handle) {
    enter(root, handle);
    while (!stack_.empty()) {
      Frame& top = stack_.back();
      if (top.next == top.replies.size()) {
        leave();
        continue;
      }
      const auto& [move, child] = top.replies[top.next];
      State state = top.state;
      G::play(lines_.rules(), state, move);
      path_.push_back(move);
      enter(state, child);
    }
    lines_.root(last_);
  }

 private:
  static constexpr bool kShare = !requires { requires G::kTree; };  // positions can meet again

  struct Frame {
    State state{};
    std::uint64_t key = 0;
    bool one = false;
    std::size_t next = 0;  // the reply that is being written
    std::vector<std::pair<Move, Handle>> replies;
    std::vector<typename ProofLines<G>::Reply> written;
  };

  void enter(const State& state, Handle handle) {
    const auto& rules = lines_.rules();
    if (G::finished(rules, state)) {
      give(lines_.leaf("leaf", state, path_), 0);
      return;
    }
    const std::uint64_t key = G::key(rules, state);
    const std::uint64_t known = kShare ? shared_.hold(key, state) : 0;
    if (known != 0) {
      give(known, key);
      return;
    }
    if (!stack_.empty() && left_to_checker<G>(rules, state, recheck_)) {
      dead_.clear();
      leave_to_checker(state, key);
      lines_.free(dead_);
      return;
    }
    if (!stack_.empty() && is_race(handle, state, key)) return;
    Frame& frame = stack_.emplace_back();
    frame.state = state;
    frame.key = key;
    frame.one = G::to_move(rules, state) == lines_.claim().prover();
    source_.replies(handle, state, frame.one, frame.replies);
    Move moves[G::kMaxMoves];
    const int needed = frame.one ? 1 : G::moves(rules, state, moves);
    if (frame.replies.size() != static_cast<std::size_t>(needed)) {
      throw Error(ErrorCode::kInternal, "the search did not keep a proof of its verdict");
    }
  }
  void leave() {
    const Frame& top = stack_.back();
    const std::uint64_t id = lines_.inner(top.one ? "one" : "all", top.state, path_, top.written);
    dead_.clear();
    for (const auto& reply : top.written) {
      if (!kShare || !shared_.release(reply.key, reply.id)) dead_.push_back(reply.id);
    }
    share(top.key, top.state, id);
    lines_.free(dead_);
    const std::uint64_t key = top.key;
    stack_.pop_back();
    give(id, key);
  }
  // Writes the race, if it is one.
  bool is_race(const Handle& handle, const State& state, std::uint64_t key) {
    if constexpr (HasRaces<G> && requires { source_.race(handle, state); }) {
      if (G::to_move(lines_.rules(), state) != lines_.claim().prover()) return false;
      const auto proof = source_.race(handle, state);
      if (!proof) return false;
      const std::uint64_t id = write_race<G>(lines_, state, *proof);
      dead_.clear();
      share(key, state, id);
      lines_.free(dead_);
      give(id, key);
      return true;
    }
    return false;
  }
  void leave_to_checker(const State& state, std::uint64_t key) {
    if constexpr (HasEnding<G>) {
      const int distance = Ending<G>::distance(lines_.rules(), state);
      const std::uint64_t id = lines_.recheck(state, path_, distance);
      share(key, state, id);
      give(id, key);
    }
  }
  // Remembers a position that was written; the id of another may end by that.
  void share(std::uint64_t key, const State& state, std::uint64_t id) {
    const std::uint64_t driven_out = kShare ? shared_.insert(key, state, id) : 0;
    if (driven_out != 0) dead_.push_back(driven_out);
  }
  // Hands the id of a written node to the node above.
  void give(std::uint64_t id, std::uint64_t key) {
    last_ = id;
    if (stack_.empty()) return;
    Frame& top = stack_.back();
    top.written.push_back({top.replies[top.next].first, id, key});
    ++top.next;
    path_.pop_back();
  }

  ProofLines<G>& lines_;
  Source& source_;
  bool recheck_;
  std::vector<Frame> stack_;
  std::vector<Move> path_;
  WrittenPositions<G> shared_;
  std::vector<std::uint64_t> dead_;
  std::uint64_t last_ = 0;
};

}  // namespace playproof
