// Moves of one proof tried on positions like its own: replies that are open are often lost in the
// way in which one of them has just been (survey S2, section 7.4.2). Where the side to move has
// lost by one child, a position below a sibling has a model: what the same moves lead to below that
// child. The table still has the move by which the model is won.
//   kSimulation  Kawano's simulation (1996): as soon as the child is lost, its open siblings are
//                entered one after the other, with the moves of their models alone. The winner
//                plays what the model was won by; each of the loser's replies must be decided, by
//                rules, path, table or probe, or have a model that is won and be entered too. The
//                first reply without one, or too many entries for one sibling, end it: what was
//                entered is left as if it had not been, but for what was proven on the way and for
//                the counts of calls, and no other sibling is tried.
//   kKiller      the killer-tree heuristic (Tanase 2000; Sakuta et al. 2003): of equal children the
//                one by the move that the model was won by is taken first, however deep below the
//                sibling.
// Models say no more than which moves are tried. Whatever is proven was entered, and follows from
// its own children, with what they rest on of their own path.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "games/core/game.h"
#include "host/path/repetition.h"

namespace playproof {

enum class SimilarRule : std::uint8_t { kNone, kSimulation, kKiller };

// The models of the positions on the stack of a search, one of each.
template <Game G>
class SimilarReplies {
 public:
  using Rules = typename G::Rules;
  using State = typename G::State;

  static constexpr std::uint32_t kMostEntries = 100;  // of one simulation

  struct Model {
    State state{};
    Answer answer = Answer::kOpen;  // what was proven of it; open: there is no model
    bool is_there() const { return answer != Answer::kOpen; }
  };
  struct Step {
    Model model;
    Move refuted = kNoMove;    // to the child that is the model of its siblings
    Move favourite = kNoMove;  // kKiller: what the model was won by
  };

  SimilarReplies(const Rules& rules, SimilarRule rule) : rules_(rules), rule_(rule) {}

  bool on() const { return rule_ != SimilarRule::kNone; }
  bool simulates() const { return rule_ == SimilarRule::kSimulation; }
  // Is there a position on the stack whose siblings are being tried?
  bool trying() const { return trying_; }
  const Step& top() const { return steps_.back(); }
  // kNoMove, or which of equal children of the top goes first.
  Move favourite() const {
    return rule_ == SimilarRule::kKiller ? steps_.back().favourite : kNoMove;
  }

  void clear() {
    steps_.clear();
    trying_ = false;
    entries_ = 0;
  }
  // Another position is on the stack. solved(state, answer) is the move by which the table knows it
  // won, kNoMove where the loser moves; nothing, if that is not proven there.
  template <class Solved>
  void push(const Model& model, const Solved& solved) {
    Step step{.model = model};
    if (rule_ == SimilarRule::kKiller && model.is_there()) {
      step.favourite = solved(model.state, model.answer).value_or(kNoMove);
    }
    steps_.push_back(step);
    if (trying_) ++entries_;
  }
  // The top is left. True if no sibling is being tried now.
  bool pop() {
    if (steps_.back().refuted != kNoMove) trying_ = false;
    steps_.pop_back();
    return !trying_;
  }
  // The side to move at the top has lost by this move: what follows it are models from now on.
  void refute(Move move) {
    steps_.back().refuted = move;
    trying_ = simulates();
  }
  // The siblings have been tried.
  void end() {
    steps_.back().refuted = kNoMove;
    trying_ = false;
  }
  // Another one is tried.
  void begin_sibling() { entries_ = 0; }
  bool may_enter() const { return entries_ < kMostEntries; }

  // The model of what a move leads to, from the top, where this state is and `lost` is the answer
  // that the side to move does not want.
  Model below(const State& state, Answer lost, Move move) const {
    const Step& top = steps_.back();
    if (top.refuted != kNoMove) return after({state, lost}, top.refuted);
    return after(top.model, move);
  }
  // Does the model say how its winner gets on here, two plies far? Where the answer is no, nothing
  // need be entered to see that.
  template <class Solved>
  bool leads_on(const State& state, const Model& model, const Solved& solved) const {
    if (!model.is_there() || G::to_move(rules_, model.state) != G::to_move(rules_, state)) {
      return false;
    }
    const std::optional<Move> move = solved(model.state, model.answer);
    if (!move || *move == kNoMove) return move.has_value();
    if (!is_legal(state, *move)) return false;
    State next = state;
    G::play(rules_, next, *move);
    if (G::finished(rules_, next)) return true;
    const Model next_model = after(model, *move);
    return next_model.is_there() && solved(next_model.state, next_model.answer).has_value();
  }

  // What the longest stack takes.
  std::uint64_t bytes(std::uint64_t longest) const {
    return on() ? std::bit_ceil(longest) * sizeof(Step) : 0;
  }

  // Saves or loads how far it is. Models follow from the moves.
  template <class Archive>
  [[gnu::cold]] void serialize(Archive& archive) {
    if constexpr (Archive::kLoading) clear();
    if (!simulates()) return;
    archive(entries_);
    archive.check(entries_ <= kMostEntries, "more entries than a simulation makes");
  }
  // A position on the stack: that of `depth`, or the next one, which has this state and model.
  template <class Archive>
  [[gnu::cold]] void serialize_step(Archive& archive, std::size_t depth, const State& state,
                                    const Model& model) {
    if constexpr (Archive::kLoading) steps_.push_back({.model = model});
    Step& step = steps_[depth];
    archive(step.refuted, step.favourite);
    if constexpr (!Archive::kLoading) return;
    const bool refutes = step.refuted != kNoMove;
    archive.check(!refutes || (is_legal(state, step.refuted) && !trying_),
                  "a reply that was not tried");
    trying_ = trying_ || (refutes && simulates());
  }

 private:
  bool is_legal(const State& state, Move move) const {
    Move moves[G::kMaxMoves];
    Move* const end = moves + G::moves(rules_, state, moves);
    return std::find(moves, end, move) != end;
  }
  Model after(const Model& model, Move move) const {
    if (!model.is_there() || !is_legal(model.state, move)) return {};
    Model next = model;
    G::play(rules_, next.state, move);
    return G::finished(rules_, next.state) ? Model{} : next;
  }

  Rules rules_;
  SimilarRule rule_;
  std::vector<Step> steps_;
  bool trying_ = false;
  std::uint32_t entries_ = 0;  // of the sibling that is tried
};

}  // namespace playproof
