// The engine `reference`: the playouts of games/PLAYOUTS.md one by one on the reference rules,
// written to be read beside that page. Every other engine must agree with it in every count. A game
// that the page has a section for has a reference_playout() of its own, in
// kernels/<game>/reference.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "games/core/game.h"
#include "games/core/reference_of.h"
#include "kernels/common/playout.h"
#include "kernels/common/random_words.h"

namespace playproof {

// One playout: lane `lane` of word `word` of the random words of `key`.
struct PlayoutPlace {
  RandomKey key;
  std::uint32_t word = 0;
  std::uint32_t lane = 0;

  // The bit of this lane in random word `index` of its word.
  std::uint32_t bit(std::size_t index) const {
    return (random_word(key, word, static_cast<std::uint32_t>(index)) >> lane) & 1;
  }
};

// How a playout ends, and the stones or discs laid until then.
struct GameEnd {
  Value value;
  std::size_t plies;
  bool truncated = false;  // it was cut off
};

// Any other game: games/PLAYOUTS.md, "Other games".
template <class Ref>
GameEnd reference_playout(const typename Ref::Rules& rules, typename Ref::State s,
                          PlayoutPlace place) {
  std::uint32_t ply = 0;
  for (; !Ref::finished(rules, s); ++ply) {
    const std::vector<Move> moves = Ref::moves(rules, s);
    const std::uint64_t r = random_word(place.key, place.word, ply * kLanes + place.lane);
    Ref::play(rules, s, moves[(moves.size() * r) >> 32]);
  }
  return {Ref::value(rules, s), ply};
}

// Calls visit(GameEnd) for every playout of a request.
template <class G, class Visit>
void for_each_reference_playout(const typename G::Rules& rules, const LeafRequest<G>& request,
                                const Visit& visit) {
  using Reference = ReferenceOf<G>;
  const auto reference_rules = Reference::rules(rules);
  const auto leaf = Reference::state(rules, request.state);
  const bool finished = Reference::Type::finished(reference_rules, leaf);
  for (std::uint32_t n = 0; n < request.playouts; ++n) {
    const std::uint32_t i = request.first + n;
    const PlayoutPlace place = {request.key, i / kLanes, i % kLanes};
    visit(finished ? GameEnd{Reference::Type::value(reference_rules, leaf), 0}
                   : reference_playout<typename Reference::Type>(reference_rules, leaf, place));
  }
}

// The tally of one request; first a multiple of 32, first + playouts at most 2^32.
template <class G>
Tally reference_playouts(const typename G::Rules& rules, const LeafRequest<G>& request) {
  Tally tally;
  for_each_reference_playout<G>(rules, request, [&](const GameEnd& ending) {
    ++(ending.value > 0 ? tally.wins : ending.value < 0 ? tally.losses : tally.draws);
    tally.truncated += ending.truncated ? 1 : 0;
  });
  return tally;
}

// Stones or discs laid in all playouts of a request together; passes do not count.
template <class G>
std::uint64_t reference_playout_plies(const typename G::Rules& rules,
                                      const LeafRequest<G>& request) {
  std::uint64_t plies = 0;
  for_each_reference_playout<G>(rules, request,
                                [&](const GameEnd& ending) { plies += ending.plies; });
  return plies;
}

}  // namespace playproof
