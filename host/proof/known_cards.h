// The cards that a walk over a proof (host/proof/card_walk.h) knows and makes: those that are
// tested against every position, those of positions, and the rules by which a card comes of others
// or of the position alone. Where the proof comes from does not matter here, so this is compiled
// once a game.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "games/core/connection.h"
#include "games/core/error.h"
#include "host/knowledge/finders.h"
#include "host/proof/card_pool.h"
#include "host/proof/proof_writer.h"
#include "host/question/knowledge_options.h"
#include "host/zone/zone.h"

namespace playproof {

// What a walk keeps beside its stack: cards that are tested against every position, positions whose
// cards are known, cards whose lines are held back. Ids that live at once are no more than these.
struct CardLimits {
  // What decides positions: chains of bridges and virtual connections are cards of their own, those
  // over cells that are filled in rest on others.
  KnowledgeOptions knowledge = KnowledgeOptions{.zones = true}.of_cards();
  std::size_t ring = 1024;
  std::size_t positions = 1 << 16;  // a power of two
  std::size_t held_back = 1 << 16;
  bool minimise = true;  // lines that are held back rest on as few others as can be found
};

// Whoever is given a card holds it (host/proof/card_pool.h). What is not inlined would be in each
// walk.
template <ConnectionGame G>
class KnownCards {
 public:
  using State = typename G::State;
  using Cells = CellSet<Connection<G>::kWords>;
  using Index = typename CardPool<G>::Index;
  static constexpr Index kNone = CardRing<Connection<G>::kWords>::kNone;

  KnownCards(ProofLines<G>& lines, const CardLimits& limits)
      : lines_(lines),
        limits_(limits),
        prover_(lines.claim().prover()),
        pool_(lines),
        ring_(limits.ring),
        positions_(limits.positions, kNone),
        finders_(lines.rules(), limits.knowledge) {}

  CardPool<G>& pool() { return pool_; }

  // The card of a position of which no reply need be looked at: one that is known, or by the rules
  // alone. kNone if there is none. `key`: of the position.
  [[gnu::noinline]] Index at_once(const State& state, std::uint64_t key) {
    Index card = find(state, key);
    if (card != kNone) return card;
    if (G::finished(lines_.rules(), state)) return finished(state, key);
    card = by_pairs(state, key);
    if (card == kNone) card = by_chain(state, key);
    if (card == kNone) card = by_links(state, key);
    return card;
  }
  // The card before a move that leads to a card: the same one, if the move is not needed.
  [[gnu::noinline]] Index with_move(Index below, Move move) {
    Pattern card = pool_.card(below);
    if (!card.needed.has(move)) return below;
    card.needed.remove(move);
    card.provers = true;
    const Index made = pool_.make(card, move, {below});
    pool_.release(below);
    return made;
  }
  // The card of few of the cards after replies, which leave none.
  [[gnu::noinline]] Index all_of(const State& state, const std::vector<Index>& cards) {
    std::vector<Cells> zones;
    for (const Index below : cards) zones.push_back(pool_.card(below).zone);
    Pattern card;
    Cells in_all = Cells::all(Connection<G>::cells(lines_.rules()));
    std::vector<Index> cites;
    std::vector<std::size_t> few = choose_few<kWords>(zones, replies_to_try(state));
    for (const std::size_t i : few) {
      cites.push_back(cards[i]);
      const Pattern& below = pool_.card(cards[i]);
      card.needed |= below.needed;
      card.zone |= below.zone;
      in_all &= below.zone;
    }
    card.needed |= in_all;  // stones of the prover, else they would be replies
    return without_fill(state, pool_.make(card, kNoMove, std::move(cites)));
  }
  // Free cells, without those that need no search.
  Cells replies_to_try(const State& state) { return empty_cells(state) - finders_.left_out(state); }
  // `fresh` says that no other position has the card.
  [[gnu::noinline]] void remember(std::uint64_t key, Index card, bool fresh) {
    pool_.hold(card);
    const Index before = std::exchange(positions_[slot(key)], card);
    if (before != kNone) pool_.release(before);
    if (!fresh) return;
    pool_.hold(card);
    const Index driven_out = ring_.insert(pool_.card(card), card);
    if (driven_out != kNone) pool_.release(driven_out);
  }
  // Lines that are held back rest on as few others as can be found.
  [[gnu::noinline]] void minimise(const std::vector<Index*>& cards) {
    if (limits_.minimise) pool_.minimise(Connection<G>::cells(lines_.rules()), cards);
  }
  // Nothing will be looked up any more: ids can be freed where they are cited last.
  [[gnu::noinline]] void forget_all() {
    forget([](Index) { return true; });
  }
  // Forgets, of what may be of use, the cards of which `old` says true.
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

 private:
  static constexpr int kWords = Connection<G>::kWords;
  static constexpr std::size_t kMostPairs = 10;  // of a card; the checker tries all that can come
  using Pattern = Card<kWords>;

  Index remembered(std::uint64_t key, Index fresh) {
    remember(key, fresh, true);
    return fresh;
  }
  // A known card that decides the position, or that a move of the prover leads to.
  Index find(const State& state, std::uint64_t key) {
    const Cells own = Connection<G>::stones(state, prover_);
    const Cells other = Connection<G>::stones(state, opponent(prover_));
    const bool provers = G::to_move(lines_.rules(), state) == prover_;
    const Index same = positions_[slot(key)];
    if (same != kNone && matches(pool_.card(same), own, other, provers)) {
      pool_.hold(same);
      return same;
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
    if (best == kNone) return kNone;
    ring_.set_useful(best_place);
    pool_.hold(best);
    const Index made = move == kNoMove ? best : with_move(best, move);
    return made == best ? best : remembered(key, made);
  }
  // The card of a finished position is the chain that connects.
  Index finished(const State& state, std::uint64_t key) {
    const Cells chain = Connection<G>::winning_set(lines_.rules(), state);
    if (!chain.within(Connection<G>::stones(state, prover_))) {
      throw Error(ErrorCode::kInternal, "the search did not keep a proof of its verdict");
    }
    return remembered(key, pool_.make({chain, chain, false}, kNoMove, {}));
  }
  // Does the prover win by answering in pairs (games/hex/bridges.h)?
  Index by_pairs(const State& state, std::uint64_t key) {
    if constexpr (HasBridges<G>) {
      typename BridgesOf<G>::Type::Chain chain;
      if (!finders_.find_bridges(state, prover_, &chain)) return kNone;
      if (chain.pairs.size() > kMostPairs) return kNone;
      std::vector<Move> cells;
      for (const auto& [a, b] : chain.pairs) cells.insert(cells.end(), {a, b});
      return remembered(
          key, pool_.make({chain.stones, chain.zone(), false}, kNoMove, {}, std::move(cells)));
    }
    return kNone;
  }
  // Does the prover win by a chain over cells that are filled for him?
  Index by_chain(const State& state, std::uint64_t key) {
    const Cells chain = finders_.find_filled_chain(state, prover_);
    if (chain.empty()) return kNone;
    return remembered(key, without_fill(state, pool_.make({chain, chain, false}, kNoMove, {})));
  }
  // Does the prover win by virtual connections (games/hex/links.h)?
  Index by_links(const State& state, std::uint64_t key) {
    if constexpr (HasLinks<G>) {
      if (!finders_.has_links()) return kNone;
      auto proof = std::make_unique<typename LinksOf<G>::Type::Proof>();
      if (!finders_.find_links(state, prover_, proof.get())) return kNone;
      const int first = proof->key;
      const Pattern card{proof->needed, proof->zone(), false};
      const Index made = without_fill(state, pool_.make(card, kNoMove, {}, {}, std::move(proof)));
      return remembered(key, first < 0 ? made : with_move(made, static_cast<Move>(first)));
    }
    return kNone;
  }

  // The card of a position from one that holds with what is filled for the prover: the same, if it
  // needs none of that.
  Index without_fill(const State& state, Index below) {
    Pattern card = pool_.card(below);
    auto reasons = finders_.fill_reasons(state, prover_, card.needed);
    if (reasons.cells.empty()) return below;
    card.needed = (card.needed | reasons.cells) - reasons.captured;
    card.zone |= reasons.cells;
    const Index made = pool_.make(card, kNoMove, {below}, std::move(reasons.sets));
    pool_.release(below);
    return made;
  }
  Cells empty_cells(const State& state) const {
    return Cells::all(Connection<G>::cells(lines_.rules())) -
           Connection<G>::stones(state, prover_) - Connection<G>::stones(state, opponent(prover_));
  }

  static bool matches(const Pattern& card, const Cells& own, const Cells& other, bool provers) {
    return card.needed.within(own) && (card.zone & other).empty() && (provers || !card.provers);
  }
  std::size_t slot(std::uint64_t key) const {
    return static_cast<std::size_t>(key) & (positions_.size() - 1);
  }

  ProofLines<G>& lines_;
  CardLimits limits_;
  Player prover_;
  CardPool<G> pool_;
  CardRing<kWords> ring_;
  std::vector<Index> positions_;  // cards of positions, by their keys
  Finders<G> finders_;
};

}  // namespace playproof
