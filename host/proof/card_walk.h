// Writes the proof of a claim of a connection game as cards (docs/certificate.md, "Cards"), beside
// the walk that lists positions (host/proof/proof_writer.h): with an explicit stack, in bounded
// memory, each position as the smallest pattern that its replies leave, and none that a pattern
// written before decides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "games/core/connection.h"
#include "host/proof/known_cards.h"
#include "host/proof/proof_writer.h"

namespace playproof {

// A source is where a proof comes from: a tree, a table.
//   Source::Handle                     what it knows a position by; may be empty
//   std::pair<Move, Handle> source.holding_move(handle, state)
//       The prover is to move and the claim holds: a move after which it still holds. Asked once of
//       each position that no known card decides, and always of the root. May search; throws
//       Error(kInternal) if there is none.
//   void source.replies(handle, state, out)
//       The opponent is to move and the claim holds: appends {move, handle} of legal replies that
//       the source knows to be proven, most useful first. Those that lie outside the zone of one
//       before are passed over. There may be none.
//   Handle source.after(handle, state, move)
//       Asked of a reply that replies() did not list and that is in the zones of all that it did;
//       like every reply to a proven position it leads to a proven one.
// Nothing is asked of finished positions.
template <ConnectionGame G, class Source>
class CardWalk {
 public:
  using State = typename G::State;
  using Handle = typename Source::Handle;

  CardWalk(ProofLines<G>& lines, Source& source, const CardLimits& limits = {})
      : lines_(lines),
        source_(source),
        held_back_(limits.held_back),
        prover_(lines.claim().prover()),
        cards_(lines, limits) {}

  // Writes the proof that the claim holds at `root`, which is not finished. With the prover to move
  // its last node is a `one` that plays the move of the source; else it is a card.
  void write(const State& root, Handle handle) {
    if (G::to_move(lines_.rules(), root) != prover_) {
      Index card = prove(root, handle);
      cards_.minimise({&card});
      cards_.forget_all();
      lines_.root(cards_.pool().id(card));
      return;
    }
    const auto [move, child] = source_.holding_move(handle, root);
    State state = root;
    G::play(lines_.rules(), state, move);
    Index card = prove(state, child);
    cards_.minimise({&card});
    cards_.forget_all();
    const std::uint64_t id = cards_.pool().id(card);
    lines_.root(lines_.inner("one", root, {move}, {{move, id, 0}}));
  }

 private:
  using Cells = typename KnownCards<G>::Cells;
  using Index = typename KnownCards<G>::Index;
  static constexpr Index kNone = KnownCards<G>::kNone;

  struct Frame {
    State state{};
    Handle handle{};
    std::uint64_t key = 0;
    bool one = false;
    Move move = kNoMove;  // whose position is being proven
    Cells left;           // replies in the zones of all cards
    std::size_t next = 0;
    std::vector<std::pair<Move, Handle>> replies;
    std::vector<Index> cards;  // after replies, held
  };

  // The card of a position, held.
  Index prove(const State& root, Handle handle) {
    enter(root, handle);
    while (!stack_.empty()) {
      if (cards_.pool().held_back() > held_back_) write_some();
      Frame& top = stack_.back();
      const Index below = std::exchange(given_, kNone);
      if (below == kNone) {
        descend(top);
      } else if (top.one) {
        const Index made = cards_.with_move(below, top.move);
        leave(made, made != below);
      } else {
        take(top, below);
      }
    }
    return given_;
  }
  void enter(const State& state, Handle handle) {
    const auto& rules = lines_.rules();
    const std::uint64_t key = G::key(rules, state);
    given_ = cards_.at_once(state, key);
    if (given_ != kNone) return;
    Frame& frame = stack_.emplace_back();
    frame.state = state;
    frame.handle = handle;
    frame.key = key;
    frame.one = G::to_move(rules, state) == prover_;
    if (frame.one) return;
    frame.left = cards_.replies_to_try(state);
    source_.replies(handle, state, frame.replies);
  }
  // Goes to a position after the one on top.
  void descend(Frame& top) {
    Handle child{};
    if (top.one) {
      std::tie(top.move, child) = source_.holding_move(top.handle, top.state);
    } else {
      while (top.next < top.replies.size() && !top.left.has(top.replies[top.next].first)) {
        ++top.next;
      }
      if (top.next < top.replies.size()) {
        std::tie(top.move, child) = top.replies[top.next++];
      } else {
        top.move = static_cast<Move>(top.left.lowest());
        child = source_.after(top.handle, top.state, top.move);
      }
    }
    State state = top.state;
    G::play(lines_.rules(), state, top.move);
    enter(state, child);
  }
  // The reply on top leads to this card.
  void take(Frame& top, Index below) {
    const auto& card = cards_.pool().card(below);
    if (!card.provers) {  // good with the opponent to move: also without his reply
      leave(below, false);
      return;
    }
    top.left &= card.zone;
    top.cards.push_back(below);
    if (top.left.empty()) leave(cards_.all_of(top.state, top.cards), true);
  }
  // The position on top has this card.
  void leave(Index card, bool fresh) {
    Frame& top = stack_.back();
    cards_.remember(top.key, card, fresh);
    for (const Index below : top.cards) cards_.pool().release(below);
    stack_.pop_back();
    given_ = card;
  }

  // Too many lines are held back: those of the proof's first part are written, and what only may
  // be of use is forgotten.
  void write_some() {
    std::vector<Index*> cards;
    for (Frame& frame : stack_) {
      for (Index& card : frame.cards) cards.push_back(&card);
    }
    cards_.minimise(cards);
    if (cards_.pool().held_back() <= held_back_ / 2) return;
    for (const Frame& frame : stack_) {
      for (const Index card : frame.cards) {
        if (cards_.pool().held_back() > held_back_ / 2) cards_.pool().id(card);
      }
    }
    if (cards_.pool().held_back() <= held_back_ / 2) return;
    cards_.forget([&](Index card) { return !cards_.pool().is_written(card); });
  }

  ProofLines<G>& lines_;
  Source& source_;
  std::size_t held_back_;  // lines that may be
  Player prover_;
  KnownCards<G> cards_;
  std::vector<Frame> stack_;
  Index given_ = kNone;  // the card of the position that was left last
};

}  // namespace playproof
