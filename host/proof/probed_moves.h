// What the prover plays where a probe has decided and nothing was searched: the moves by which the
// exact ending of the game holds the claim; those of a win by threats or within a few plies; those
// of virtual connections; where these are not found again, as after a reply to a chain of bridges,
// what a search with the same probes finds.
#pragma once

#include <memory>

#include "games/core/game.h"
#include "host/probe/leaf_probe.h"
#include "host/probe/tree_probes.h"
#include "host/proof/proof_lines.h"
#include "host/proof/race_play.h"
#include "host/tree/second_level.h"

namespace playproof {

template <Game G>
class ProbedMoves {
 public:
  using State = typename G::State;

  // `options`: those of the search whose proof it is.
  ProbedMoves(const typename G::Rules& rules, const ProofClaim& claim, const SearchOptions& options)
      : rules_(rules),
        claim_(claim),
        options_(at_once(options)),
        probe_(rules, options_),
        race_(rules, options_) {}

  // Is all that follows left to the probe? (Never said of the root of a search, which has moves.)
  bool applies_to(const State& state) {
    if (race_.on() || looks()) {
      const bool wins = !G::finished(rules_, state) && G::to_move(rules_, state) == claim_.prover();
      return wins && claim_.holds(known(state).bounds);
    }
    if (!probe_.has_knowledge()) return probe_.applies_to(state);
    return claim_.holds(known(state).bounds);
  }
  // A move that holds the claim, of those of endings the lowest; kNoMove if there is none. The
  // prover is to move.
  Move holding_move(const State& state) {
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, state, moves);
    if constexpr (HasRaces<G>) {
      if (race_.on()) return race_.move(state);
    }
    if constexpr (HasLooks<G>) {
      if (looks()) return probe_.own().move(state);
    }
    if constexpr (ZonedGame<G>) {
      if (probe_.has_knowledge()) {
        const ProbeAnswer<G> answer = known(state);
        if (!claim_.holds(answer.bounds)) return searched_move(state);
        return answer.move == kNoMove ? moves[0] : answer.move;
      }
    }
    for (int i = 0; i < count; ++i) {
      State child = state;
      G::play(rules_, child, moves[i]);
      if (claim_.holds(known(child).bounds)) return moves[i];
    }
    return kNoMove;
  }

  // What the opponent plays as long as threats leave him a choice; kNoMove: any.
  Move reply(const State& state) const {
    if constexpr (HasRaces<G>) return race_.reply(state);
    return kNoMove;
  }
  // Somebody plays it in `state`.
  void follow(const State& state, Move move) {
    if constexpr (HasRaces<G>) race_.follow(state, move);
  }
  // The prover's win by threats where he is to move, if that decides the position.
  auto race(const State& state) requires HasRaces<G> { return race_.proof(state); }

 private:
  // Does it decide wins within a few plies? After a reply there is such a win once more.
  bool looks() const { return HasLooks<G> && probe_.has_own(); }
  // Here nothing is selected.
  static SearchOptions at_once(SearchOptions options) {
    options.ask_selected = false;
    return options;
  }
  ProbeAnswer<G> known(const State& state) {
    const Claim& claim = claim_.claim;
    if (!G::finished(rules_, state)) return ask(probe_, state, claim);
    return {Bounds::exact(value_for(claim.attacker, G::value(rules_, state)))};
  }
  Move searched_move(const State& state) requires ZonedGame<G> {
    if (!search_) {
      SearchOptions options;
      options.max_bytes = SearchLimits::kNone;
      static_cast<KnowledgeOptions&>(options) = options_.without_patterns();
      search_ = std::make_unique<SecondLevel<G>>(rules_, state, claim_.claim, Pn{}, options);
    }
    ask(*search_, state, claim_.claim);
    const auto& tree = search_->search().tree();
    const auto children = tree.children(tree.node(0));
    for (int i = 0; i < children.size(); ++i) {
      if (claim_.holds(children[i].bounds)) return children.edge(i).move;
    }
    return kNoMove;
  }

  struct NoSearch {};
  template <class H>
  struct SearchOf {
    using Type = NoSearch;
  };
  template <ZonedGame H>
  struct SearchOf<H> {
    using Type = SecondLevel<H>;
  };

  typename G::Rules rules_;
  ProofClaim claim_;
  SearchOptions options_;
  TreeProbes<G> probe_;
  RacePlay<G> race_;
  std::unique_ptr<typename SearchOf<G>::Type> search_;
};

}  // namespace playproof
