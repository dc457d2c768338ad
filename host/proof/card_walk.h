// Writes the proof of a claim of a connection game as cards (docs/certificate.md, "Cards"), beside
// the walk that lists positions (host/proof/proof_writer.h): with an explicit stack, in bounded
// memory, each position as the smallest pattern that its replies leave, and none that a pattern
// written before decides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "games/core/connection.h"
#include "games/core/error.h"
#include "games/core/fill_level.h"
#include "host/probe/filled_sides.h"
#include "host/proof/card_pool.h"
#include "host/proof/proof_writer.h"
#include "host/zone/zone.h"

namespace playproof {

// What a walk keeps beside its stack: cards that are tested against every position, positions whose
// cards are known, cards whose lines are held back. Ids that live at once are no more than these.
struct CardLimits {
  bool pairs = true;                 // chains of bridges are cards of their own
  bool links = false;                // so are virtual connections
  FillLevel fill = FillLevel::kOff;  // inferior cells are filled in
  std::size_t ring = 1024;
  std::size_t positions = 1 << 16;  // a power of two
  std::size_t held_back = 1 << 16;
  bool minimise = true;  // lines that are held back rest on as few others as can be found
};

// Where a proof comes from: a tree, a table.
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
        limits_(limits),
        prover_(lines.claim().prover()),
        pool_(lines),
        ring_(limits.ring),
        positions_(limits.positions, kNone) {
    if constexpr (HasLinks<G>) {
      if (limits.links) links_.emplace(lines.rules(), static_cast<int>(prover_));
    }
    if constexpr (HasFill<G>) {
      if (limits.fill != FillLevel::kOff) {
        fill_.emplace(lines.rules(), static_cast<int>(prover_), limits.fill);
      }
    }
  }

  // Writes the proof that the claim holds at `root`, which is not finished. With the prover to move
  // its last node is a `one` that plays the move of the source; else it is a card.
  void write(const State& root, Handle handle) {
    if (G::to_move(lines_.rules(), root) != prover_) {
      Index card = prove(root, handle);
      minimise({&card});
      forget_all();
      lines_.root(pool_.id(card));
      return;
    }
    const auto [move, child] = source_.holding_move(handle, root);
    State state = root;
    G::play(lines_.rules(), state, move);
    Index card = prove(state, child);
    minimise({&card});
    forget_all();
    const std::uint64_t id = pool_.id(card);
    lines_.root(lines_.inner("one", root, {move}, {{move, id, 0}}));
  }

 private:
  static constexpr int kWords = Connection<G>::kWords;
  static constexpr std::size_t kMostPairs = 10;  // of a card; the checker tries all that can come
  using Cells = CellSet<kWords>;
  using Pattern = Card<kWords>;
  using Index = typename CardPool<G>::Index;
  static constexpr Index kNone = CardRing<kWords>::kNone;

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
      if (pool_.held_back() > limits_.held_back) write_some();
      Frame& top = stack_.back();
      const Index below = std::exchange(given_, kNone);
      if (below == kNone) {
        descend(top);
      } else if (top.one) {
        const Index made = with_move(below, top.move);
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
    if (find(state, key)) return;
    if (G::finished(rules, state)) {
      const Cells chain = Connection<G>::winning_set(rules, state);
      if (!chain.within(Connection<G>::stones(state, prover_))) {
        throw Error(ErrorCode::kInternal, "the search did not keep a proof of its verdict");
      }
      given_ = pool_.make({chain, chain, false}, kNoMove, {});
      remember(key, given_, true);
      return;
    }
    if (by_pairs(state, key) || by_chain(state, key) || by_links(state, key)) return;
    Frame& frame = stack_.emplace_back();
    frame.state = state;
    frame.handle = handle;
    frame.key = key;
    frame.one = G::to_move(rules, state) == prover_;
    if (frame.one) return;
    frame.left = replies_to_try(state);
    source_.replies(handle, state, frame.replies);
  }
  // Does the prover win by answering in pairs (games/hex/pairs.h)?
  bool by_pairs(const State& state, std::uint64_t key) {
    if constexpr (requires { typename Connection<G>::Pairs; }) {
      if (!limits_.pairs) return false;
      typename Connection<G>::Pairs walk(lines_.rules(), static_cast<int>(prover_));
      typename Connection<G>::Pairs::Chain chain;
      const Cells own = Connection<G>::stones(state, prover_);
      if (!walk.find(own, Connection<G>::stones(state, opponent(prover_)), &chain)) return false;
      if (chain.pairs.size() > kMostPairs) return false;
      std::vector<Move> cells;
      for (const auto& [a, b] : chain.pairs) cells.insert(cells.end(), {a, b});
      given_ = pool_.make({chain.stones, chain.zone(), false}, kNoMove, {}, std::move(cells));
      remember(key, given_, true);
      return true;
    }
    return false;
  }
  // Does the prover win by a chain over cells that are filled for him?
  bool by_chain(const State& state, std::uint64_t key) {
    if constexpr (HasFill<G>) {
      if (!fill_) return false;
      fill(state);
      const Cells chain = fill_->chain();
      if (chain.empty()) return false;
      given_ = unfilled(state, pool_.make({chain, chain, false}, kNoMove, {}));
      remember(key, given_, true);
      return true;
    }
    return false;
  }
  const auto& fill(const State& state) requires HasFill<G> {
    return fill_->fill(Connection<G>::stones(state, prover_),
                       Connection<G>::stones(state, opponent(prover_)));
  }
  // The stones of the prover and of his opponent, with what is filled in.
  std::pair<Cells, Cells> sides(const State& state) {
    if constexpr (HasFill<G>) {
      if (fill_) return {fill(state).own, fill(state).other};
    }
    return {Connection<G>::stones(state, prover_), Connection<G>::stones(state, opponent(prover_))};
  }
  // The card of a position from one that holds with what is filled for the prover: the same, if it
  // needs none of that.
  Index unfilled(const State& state, Index below) {
    if constexpr (HasFill<G>) {
      if (!fill_) return below;
      const auto& filling = fill(state);
      Pattern card = pool_.card(below);
      const Cells used = fill_->rests_on(card.needed & filling.captured);
      if (used.empty()) return below;
      std::vector<Move> cells;
      for (const auto& set : filling.sets) {
        if ((set.cells & used).empty()) continue;
        for_each_cell(set.cells, [&](int cell) { cells.push_back(static_cast<Move>(cell)); });
      }
      card.needed = (card.needed | used) - filling.captured;
      card.zone |= used;
      const Index made = pool_.make(card, kNoMove, {below}, std::move(cells));
      pool_.release(below);
      return made;
    }
    return below;
  }
  // Does the prover win by virtual connections (games/hex/links.h)?
  bool by_links(const State& state, std::uint64_t key) {
    if constexpr (HasLinks<G>) {
      if (!links_) return false;
      const bool provers = G::to_move(lines_.rules(), state) == prover_;
      auto proof = std::make_unique<typename LinksOf<G>::Type::Proof>();
      const auto [own, other] = sides(state);
      if (!links_->prove(own, other, provers, proof.get())) return false;
      const int first = proof->key;
      const Pattern card{proof->needed, proof->zone(), false};
      given_ = unfilled(state, pool_.make(card, kNoMove, {}, {}, std::move(proof)));
      if (first >= 0) given_ = with_move(given_, static_cast<Move>(first));
      remember(key, given_, true);
      return true;
    }
    return false;
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
    const Pattern& card = pool_.card(below);
    if (!card.provers) {  // good with the opponent to move: also without his reply
      leave(below, false);
      return;
    }
    top.left &= card.zone;
    top.cards.push_back(below);
    if (top.left.empty()) leave(all_of(top), true);
  }
  // The position on top has this card.
  void leave(Index card, bool fresh) {
    Frame& top = stack_.back();
    remember(top.key, card, fresh);
    for (const Index below : top.cards) pool_.release(below);
    stack_.pop_back();
    given_ = card;
  }

  // The card before a move that leads to a card: the same one, if the move is not needed.
  Index with_move(Index below, Move move) {
    Pattern card = pool_.card(below);
    if (!card.needed.has(move)) return below;
    card.needed.remove(move);
    card.provers = true;
    const Index made = pool_.make(card, move, {below});
    pool_.release(below);
    return made;
  }
  // The card of few of the cards after replies, which leave none.
  Index all_of(const Frame& frame) {
    std::vector<Cells> zones;
    for (const Index below : frame.cards) zones.push_back(pool_.card(below).zone);
    Pattern card;
    Cells in_all = Cells::all(Connection<G>::cells(lines_.rules()));
    std::vector<Index> cites;
    std::vector<std::size_t> few = choose_few<kWords>(zones, replies_to_try(frame.state));
    for (const std::size_t i : few) {
      cites.push_back(frame.cards[i]);
      const Pattern& below = pool_.card(frame.cards[i]);
      card.needed |= below.needed;
      card.zone |= below.zone;
      in_all &= below.zone;
    }
    card.needed |= in_all;  // stones of the prover, else they would be replies
    return unfilled(frame.state, pool_.make(card, kNoMove, std::move(cites)));
  }
  // Free cells, without those that need no search.
  Cells replies_to_try(const State& state) {
    if constexpr (HasFill<G>) {
      if (fill_) return empty_cells(state) - fill(state).left_out;
    }
    return empty_cells(state);
  }
  Cells empty_cells(const State& state) const {
    return Cells::all(Connection<G>::cells(lines_.rules())) -
           Connection<G>::stones(state, prover_) - Connection<G>::stones(state, opponent(prover_));
  }

  // A known card that decides the position, or that a move of the prover leads to. False if there
  // is none.
  bool find(const State& state, std::uint64_t key) {
    const Cells own = Connection<G>::stones(state, prover_);
    const Cells other = Connection<G>::stones(state, opponent(prover_));
    const bool provers = G::to_move(lines_.rules(), state) == prover_;
    const Index same = positions_[slot(key)];
    if (same != kNone && matches(pool_.card(same), own, other, provers)) {
      pool_.hold(same);
      given_ = same;
      return true;
    }
    Index best = kNone;
    std::size_t best_place = 0;
    Move move = kNoMove;
    int least = 0;
    ring_.for_each_near(own, other, [&](std::size_t place, Index card, const Cells& missing) {
      const Pattern& pattern = pool_.card(card);
      if (!provers && (pattern.provers || !missing.empty())) return;
      const int cells = pattern.zone.size() + pattern.needed.size() + missing.size();
      if (best != kNone && cells >= least) return;
      best = card;
      best_place = place;
      move = missing.empty() ? kNoMove : static_cast<Move>(missing.lowest());
      least = cells;
    });
    if (best == kNone) return false;
    ring_.set_useful(best_place);
    pool_.hold(best);
    given_ = move == kNoMove ? best : with_move(best, move);
    if (given_ != best) remember(key, given_, true);
    return true;
  }
  static bool matches(const Pattern& card, const Cells& own, const Cells& other, bool provers) {
    return card.needed.within(own) && (card.zone & other).empty() && (provers || !card.provers);
  }
  std::size_t slot(std::uint64_t key) const {
    return static_cast<std::size_t>(key) & (positions_.size() - 1);
  }
  // `fresh`: a card that no other position has.
  void remember(std::uint64_t key, Index card, bool fresh) {
    pool_.hold(card);
    const Index before = std::exchange(positions_[slot(key)], card);
    if (before != kNone) pool_.release(before);
    if (!fresh) return;
    pool_.hold(card);
    const Index driven_out = ring_.insert(pool_.card(card), card);
    if (driven_out != kNone) pool_.release(driven_out);
  }
  // Too many lines are held back: those of the proof's first part are written, and what only may
  // be of use is forgotten.
  void write_some() {
    std::vector<Index*> cards;
    for (Frame& frame : stack_) {
      for (Index& card : frame.cards) cards.push_back(&card);
    }
    minimise(cards);
    if (pool_.held_back() <= limits_.held_back / 2) return;
    for (const Frame& frame : stack_) {
      for (const Index card : frame.cards) {
        if (pool_.held_back() > limits_.held_back / 2) pool_.id(card);
      }
    }
    if (pool_.held_back() <= limits_.held_back / 2) return;
    forget([&](Index card) { return !pool_.is_written(card); });
  }
  void minimise(const std::vector<Index*>& cards) {
    if (limits_.minimise) pool_.minimise(Connection<G>::cells(lines_.rules()), cards);
  }
  // Nothing will be looked up any more: ids can be freed where they are cited last.
  void forget_all() {
    forget([](Index) { return true; });
  }
  // Of what may be of use, the cards of which `old` says true.
  void forget(const auto& old) {
    const auto keep = [&](Index card) {
      const bool kept = !old(card);
      if (!kept) pool_.release(card);
      return kept;
    };
    ring_.keep_if(keep);
    for (Index& card : positions_) {
      if (card != kNone && !keep(card)) card = kNone;
    }
  }

  ProofLines<G>& lines_;
  Source& source_;
  CardLimits limits_;
  Player prover_;
  CardPool<G> pool_;
  CardRing<kWords> ring_;
  std::vector<Index> positions_;  // cards of positions, by their keys
  std::optional<typename LinksOf<G>::Type> links_;
  std::optional<typename FillOf<G>::Type> fill_;
  std::vector<Frame> stack_;
  Index given_ = kNone;  // the card of the position that was left last
};

}  // namespace playproof
