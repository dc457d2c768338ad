// Which steps of a position are to be searched, in which order, and what it means that all of them
// are lost for who makes them. A step is one move; where a turn has several stones it is up to a
// whole turn.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "games/core/game.h"
#include "games/core/zoned.h"

namespace playproof {

enum class ReplyKind : std::uint8_t {
  // The position is lost: what is not listed is refuted, or captured. (Its zone follows from those
  // of the steps: host/knowledge/zone_loss.h.)
  kAll,
  // Nothing is known: what is not listed may win. So the best turns of an attacker.
  kSome,
  // Ask again, since the list grows by what the zones of the lost steps leave open. Once it does
  // not, the position is lost.
  kByZone,
};

// What of a position's moves is to be searched.
template <class G>
struct Replies {
  int steps = 0;  // how many of the moves that were given are left, in their order
  [[no_unique_address]] Zone<G> put_off = {};  // those of them that wait until all others are lost
};

// A step has so many moves at most. A game of several stones a turn says so by a specialisation.
template <class G>
struct StepsOf {
  static constexpr int kMoves = 1;
};
template <class G>
struct ReplyStep {
  std::array<Move, StepsOf<G>::kMoves> moves{};
  int count = 0;

  std::span<const Move> all() const { return {moves.data(), static_cast<std::size_t>(count)}; }
  bool operator==(const ReplyStep&) const = default;
};
// A step that is proven to lose, with the zone of the proof where the game has zones.
template <class G>
struct LostReply {
  ReplyStep<G> step;
  [[no_unique_address]] Zone<G> zone = {};
};

// Who lists the steps of positions. A list is a function of the position and of the proofs that are
// held, whoever asks: nothing is kept from one question to the next, so that a check, a writer of
// proofs or a search that was killed has the same list.
// clang-format off
template <class K, class G>
concept ListsReplies = Game<G> && requires(K& knowledge, const typename G::State& state,
                                           std::span<const LostReply<G>> lost,
                                           std::vector<ReplyStep<G>>& steps) {
  // Makes `steps` those of a position that is not finished: legal, in the order in which they are to
  // be tried, no two the same, at least one. `lost`: proofs of steps that were listed, in any order.
  // The list stays as it is with more of them, but that by zone it may grow at its end.
  { knowledge.list(state, lost, steps) } -> std::same_as<ReplyKind>;
};
// clang-format on

}  // namespace playproof
