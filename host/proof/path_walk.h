// Writes the proof of a claim in a game whose positions can come again (docs/certificate.md,
// "Positions that come again"). Children before their parents, as host/proof/proof_writer.h does;
// but a line may go back to a position above it, which is not written yet.
//
// Where the rule blames nobody, a position is written once, wherever it is met again. Where
// repetition suits the prover his line may come back to what it began with: `again`. Where it does
// not, what is written never does. Where the rule blames who repeats, what is written holds under
// conditions: positions that must have been before on the path, since the opponent is blamed for
// going back to them, and positions that must not, since the prover would be. It serves on other
// paths that meet them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "games/core/text.h"
#include "host/path/path.h"
#include "host/path/repetition.h"
#include "host/proof/proof_writer.h"

namespace playproof {

template <Game G, class Source>
class PathWalk {
 public:
  using State = typename G::State;
  using Handle = typename Source::Handle;

  // A source as for ProofWalk, which may also be told of the way: source.enter(state) before it is
  // asked about replies there, source.leave() afterwards.
  PathWalk(ProofLines<G>& lines, Source& source)
      : lines_(lines), source_(source), blames_(blames_mover(path_rule<G>(lines.rules()))) {}

  // Writes the proof that the claim holds at `root`, which is not finished and has no past.
  void write(const State& root, Handle handle) {
    enter(root, handle);
    while (!stack_.empty()) {
      Frame& top = stack_.back();
      if (top.written.size() == top.replies.size()) {
        leave();
        continue;
      }
      const auto& [move, child] = top.replies[top.written.size()];
      State state = top.state;
      G::play(lines_.rules(), state, move);
      enter(state, child);
    }
    lines_.root(last_.id);
  }

 private:
  using Id = PositionId<G>;
  using Positions = std::map<Id, State>;
  // A line, and under which conditions it holds. (None but where the rule blames who repeats.)
  struct Written {
    std::uint64_t id = 0;
    Positions before;      // must have been
    Positions not_before;  // must not
    bool again = false;    // itself it is a repetition
  };
  struct Frame {
    State state{};
    Id position{};
    bool one = false;
    std::vector<std::pair<Move, Handle>> replies;
    std::vector<Written> written;
  };

  void enter(const State& state, Handle handle) {
    const auto& rules = lines_.rules();
    const Id position = position_id(G{}, state);
    if (path_.find(state) != Path<G>::kNowhere) {
      give(again(state, position));
      return;
    }
    for (const Written& known : listed_[position]) {
      if (!holds_here(known)) continue;
      give(known);
      return;
    }
    if (G::finished(rules, state)) {
      const ProofClaim& claim = lines_.claim();
      const Value value = value_for(claim.claim.attacker, G::value(rules, state));
      if (!claim.holds(Bounds::exact(value))) refuse();
      Written leaf;
      leaf.id = lines_.leaf("leaf", state, {});
      listed_[position].push_back(leaf);
      give(leaf);
      return;
    }
    Frame& frame = stack_.emplace_back();
    frame.state = state;
    frame.position = position;
    frame.one = G::to_move(rules, state) == lines_.claim().prover();
    source_.replies(handle, state, frame.one, frame.replies);
    Move moves[G::kMaxMoves];
    const int needed = frame.one ? 1 : G::moves(rules, state, moves);
    if (frame.replies.size() != static_cast<std::size_t>(needed)) refuse();
    path_.push(state);
    if constexpr (requires { source_.enter(state); }) source_.enter(state);
  }
  // The position is on the path: whoever moved there has ended the line by that.
  Written again(const State& state, const Id& position) {
    const Player mover = G::to_move(lines_.rules(), stack_.back().state);
    const ProofClaim& claim = lines_.claim();
    const bool reached = reached_by_repetition(path_rule<G>(lines_.rules()), claim.claim, mover);
    if (reached != claim.proved) refuse();
    Written line;
    line.id = lines_.leaf("again", state, {});
    line.again = true;
    if (blames_) line.before.emplace(position, state);
    return line;
  }
  bool holds_here(const Written& known) const {
    const auto is_there = [&](const auto& one) {
      return path_.find(one.second) != Path<G>::kNowhere;
    };
    return std::all_of(known.before.begin(), known.before.end(), is_there) &&
           std::none_of(known.not_before.begin(), known.not_before.end(), is_there);
  }

  void leave() {
    Frame frame = std::move(stack_.back());
    stack_.pop_back();
    path_.pop();
    if constexpr (requires { source_.leave(); }) source_.leave();
    Written line;
    std::string rest;
    CertificateText<G>::append(lines_.rules(), frame.state, &rest);
    for (std::size_t i = 0; i < frame.replies.size(); ++i) {
      const Move move = frame.replies[i].first;
      const Written& reply = frame.written[i];
      rest += ' ' + GameText<G>::move_text(lines_.rules(), move) + ' ' + std::to_string(reply.id);
      if (blames_) add_conditions(frame, move, reply, &line);
    }
    append_conditions(line, &rest);
    line.id = lines_.other(frame.one ? "one" : "all", rest);
    listed_[frame.position].push_back(line);
    give(line);
  }
  void add_conditions(const Frame& frame, Move move, const Written& reply, Written* line) const {
    line->before.insert(reply.before.begin(), reply.before.end());
    line->before.erase(frame.position);
    line->not_before.insert(reply.not_before.begin(), reply.not_before.end());
    if (!frame.one || reply.again) return;
    State child = frame.state;
    G::play(lines_.rules(), child, move);
    if (!G::finished(lines_.rules(), child))
      line->not_before.emplace(position_id(G{}, child), child);
  }
  void append_conditions(const Written& line, std::string* rest) const {
    if (line.before.empty() && line.not_before.empty()) return;
    *rest += " if";
    for (const auto& [position, state] : line.before) {
      *rest += ' ';
      CertificateText<G>::append(lines_.rules(), state, rest);
    }
    for (const auto& [position, state] : line.not_before) {
      *rest += " !";
      CertificateText<G>::append(lines_.rules(), state, rest);
    }
  }
  // Hands a line to the node above.
  void give(Written line) {
    if (stack_.empty()) {
      last_ = std::move(line);
    } else {
      stack_.back().written.push_back(std::move(line));
    }
  }
  [[noreturn]] static void refuse() {
    throw Error(ErrorCode::kInternal, "the search did not keep a proof of its verdict");
  }

  ProofLines<G>& lines_;
  Source& source_;
  bool blames_;
  Path<G> path_;
  std::vector<Frame> stack_;
  std::map<Id, std::vector<Written>> listed_;
  Written last_;
};

}  // namespace playproof
