// What rules refer to beside themselves, and who keeps it. Rules are plain values, copied byte by
// byte; a game whose rules point to more (a graph of a file) says who keeps that:
//   static std::shared_ptr<const void> GameText<G>::keep(const typename G::Rules& rules);
// and what tells it from others, so that a saved search does not go on with another:
//   static std::uint64_t GameText<G>::fingerprint(const typename G::Rules& rules);
// Whoever holds rules for longer than a call holds a RulesOwner beside them: a question does
// (host/solve/solver_base.h), a position (host/solve/position.h), and visit_game() while it visits.
#pragma once

#include <memory>

#include "games/core/text.h"

namespace playproof {

template <class G>
class RulesOwner {  // of rules that are all there is: nothing
 public:
  explicit RulesOwner(const typename G::Rules& /*rules*/) {}
};
template <class G>
requires requires(const typename G::Rules& rules) { GameText<G>::keep(rules); }
class RulesOwner<G> {
 public:
  explicit RulesOwner(const typename G::Rules& rules) : kept_(GameText<G>::keep(rules)) {}

 private:
  std::shared_ptr<const void> kept_;
};

}  // namespace playproof
