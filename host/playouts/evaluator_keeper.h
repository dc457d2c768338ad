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

// The evaluators that were asked for last, for one thread: whoever asks for searches one after the
// other has a keeper, to which every request points. It changes no tally.
class EvaluatorKeeper {
 public:
  static constexpr std::size_t kMost = 4;

  // As make_evaluator().
  template <Game G>
  std::shared_ptr<PlayoutEvaluator<G>> find(const typename G::Rules& all_rules,
                                            const std::string& backend, std::uint64_t seed,
                                            int threads) {
    const typename G::Rules rules = playout_rules<G>(all_rules);
    std::string of = GameText<G>::canonical(rules);
    for (const std::string& part : {backend, std::to_string(seed), std::to_string(threads)}) {
      of.append(" ").append(part);
    }
    auto found = std::ranges::find(kept_, of, &Kept::of);
    if (found == kept_.end()) {
      if (kept_.size() == kMost) kept_.erase(kept_.begin());
      kept_.push_back({of, make_evaluator<G>(rules, backend, seed, threads)});
      found = kept_.end() - 1;
    }
    std::rotate(found, found + 1, kept_.end());
    return std::static_pointer_cast<PlayoutEvaluator<G>>(kept_.back().evaluator);
  }

 private:
  struct Kept {
    std::string of;
    std::shared_ptr<void> evaluator;
  };
  std::vector<Kept> kept_;  // the one that was asked for last is last
};

}  // namespace playproof
