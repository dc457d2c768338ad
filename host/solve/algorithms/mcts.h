// mcts and uct: the MCTS solver, pure and with UCT (Winands et al. 2008).
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "host/solve/algorithm.h"
#include "host/solve/option_rows.h"
#include "host/solve/tree_solver.h"
#include "host/tree/mcts.h"

namespace playproof {

// The rows of both after their own.
inline std::vector<OptionInfo> mcts_rows(std::vector<OptionInfo> own) {
  return rows::joined(
      rows::joined(std::move(own),
                   {rows::later(rows::words("reward", {"unit", "sign"},
                                            "of a playout: 1 or 0 as it reaches the goal; or 1, 0, "
                                            "-1 for a win, a draw, a loss")),
                    rows::later(rows::real("A", "1", 0, 1e6,
                                           "move of the moment: greatest v + A / sqrt(n)"))}),
      rows::probes());
}

template <Game G>
std::unique_ptr<SolverBase<G>> make_mcts(SolverParts<G>& parts, MctsRule rule) {
  rule.reward = parts.is("reward", "sign") ? MctsRule::Reward::kSign : MctsRule::Reward::kUnit;
  rule.A = parts.options.real("A");
  auto playouts = parts.evaluator();
  return std::make_unique<TreeSolver<G, Mcts<G>>>(parts.rules, parts.position, parts.claim,
                                                  parts.request, parts.names, std::move(playouts),
                                                  rule, parts.search_options(false));
}

struct MctsAlgorithm {
  static CatalogueEntry info() {
    return {"mcts", "pure MCTS solver (Winands et al. 2008, C = 0)",
            mcts_rows({rows::playouts("10"), rows::order()})};
  }
  static void complete(Options& options) { rows::set_probe(options); }
  static constexpr bool kKnowsPaths = true;
  template <Game G>
  static std::unique_ptr<SolverBase<G>> make(SolverParts<G>& parts) {
    return make_mcts(parts, MctsRule{parts.playouts()});
  }
};

struct UctAlgorithm {
  static CatalogueEntry info() {
    return {"uct", "UCT solver (Winands et al. 2008)",
            mcts_rows({rows::playouts("10"), rows::real("C", "2", 0, 1e6, "exploration constant"),
                       rows::words("form", {"inside", "outside"},
                                   "v + sqrt(C ln n_p / n_i), or v + C sqrt(ln n_p / n_i)"),
                       rows::order()})};
  }
  static void complete(Options& options) { rows::set_probe(options); }
  static constexpr bool kKnowsPaths = true;
  template <Game G>
  static std::unique_ptr<SolverBase<G>> make(SolverParts<G>& parts) {
    MctsRule rule{parts.playouts()};
    rule.form = parts.is("form", "inside") ? MctsRule::Form::kInside : MctsRule::Form::kOutside;
    rule.C = parts.options.real("C");
    return make_mcts(parts, rule);
  }
};

}  // namespace playproof
