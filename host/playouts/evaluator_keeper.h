// Evaluators that outlive the searches that they were made for: a device takes as long to open as a
// small search.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "games/core/game.h"
#include "games/core/text.h"
#include "host/playouts/evaluator.h"

namespace playproof {

// The rules as far as playouts depend on them: the tree of a P-game is in its states.
template <Game G>
typename G::Rules playout_rules(typename G::Rules rules) {
  if constexpr (requires { G::playout_rules(rules); }) return G::playout_rules(rules);
  return rules;
}

// An evaluator plays the same playouts under all rules of this name. Where they are in a file, its
// text belongs to them.
template <Game G>
std::string name_of_playouts(const typename G::Rules& all_rules) {
  const typename G::Rules rules = playout_rules<G>(all_rules);
  std::string name = GameText<G>::canonical(rules);
  if constexpr (requires { GameText<G>::fingerprint(rules); }) {
    name += ", text " + std::to_string(GameText<G>::fingerprint(rules));
  }
  return name;
}

// The evaluators that were asked for last, for one thread: whoever asks for searches one after the
// other has a keeper, to which every request points. It changes no tally.
class EvaluatorKeeper {
 public:
  static constexpr std::size_t kMost = 4;

  // Gives what make_evaluator() does. One that is in use still, or that a search has left with
  // something in flight, is not given away again.
  template <Game G>
  std::shared_ptr<PlayoutEvaluator<G>> find(const typename G::Rules& all_rules,
                                            const std::string& backend, int threads) {
    const typename G::Rules rules = playout_rules<G>(all_rules);
    std::string of = name_of_playouts<G>(rules);
    of.append(" ").append(backend).append(" ").append(std::to_string(threads));
    if (const auto found = std::ranges::find(kept_, of, &Kept::of); found != kept_.end()) {
      const Kept kept = std::move(*found);
      kept_.erase(found);
      auto evaluator = std::static_pointer_cast<PlayoutEvaluator<G>>(kept.evaluator);
      constexpr int kOurs = 2;  // `kept` and `evaluator`
      if (evaluator.use_count() == kOurs && evaluator->begin_search()) {
        kept_.push_back(kept);
        return evaluator;
      }
    }
    if (kept_.size() == kMost) kept_.erase(kept_.begin());
    std::shared_ptr<PlayoutEvaluator<G>> made = make_evaluator<G>(rules, backend, threads);
    kept_.push_back({of, made});
    return made;
  }

 private:
  struct Kept {
    std::string of;
    std::shared_ptr<void> evaluator;
  };
  std::vector<Kept> kept_;  // the one that was asked for last is last
};

}  // namespace playproof
