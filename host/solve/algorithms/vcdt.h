// vcdt: victory by continuous double threats, in games of the Connect family (thesis, 3.3.2).
#pragma once

#include <memory>
#include <string>

#include "host/solve/algorithm.h"
#include "host/solve/vcdt_solver.h"

namespace playproof {

struct VcdtAlgorithm {
  static CatalogueEntry info() {
    CatalogueEntry entry = {
        "vcdt",
        "connect6 alone: a win by turns that each leave threats for all stones of the reply",
        {rows::whole("turns", "8", 2, Vcdt<1>::kMostTurns,
                     "turns of the attacker, the one that completes a line included"),
         rows::whole("work", "300000", 1, 1e15, "pairs of stones that are tried, about"),
         rows::words("shortest", {"on", "off"},
                     "a win in the fewest turns; off: the first one that macro replies prove"),
         rows::words("replies", {"both", "all", "macro"},
                     "each reply that hits all threats; macro: all their cells at once; both: "
                     "macro replies first")},
        {},
        {{"vcf", "vcdt"}, {"continuousthreats", "vcdt"}}};
    entry.game = "connect6";
    return entry;
  }
  template <Game G>
  static std::unique_ptr<SolverBase<G>> make(SolverParts<G>& parts) {
    return make_for(parts);
  }

 private:
  template <class G>
  static std::unique_ptr<SolverBase<G>> make_for(SolverParts<G>& parts) {
    throw Error(ErrorCode::kUsage,
                "vcdt: it searches connect6 and its family alone, not " + parts.names.game);
  }
  template <int W>
  static std::unique_ptr<SolverBase<Connect<W>>> make_for(SolverParts<Connect<W>>& parts) {
    if (!ConnectThreats<W>::supports(parts.rules)) {
      throw Error(ErrorCode::kUsage, "vcdt: stones must be 1 or 2 a turn, not " +
                                         std::to_string(int{parts.rules.stones}));
    }
    VcdtOptions options;
    options.turns = static_cast<int>(parts.options.integer("turns"));
    options.work = static_cast<std::uint64_t>(parts.options.integer("work"));
    options.shortest = parts.is("shortest", "on");
    options.replies = parts.is("replies", "both")  ? VcdtOptions::Replies::kMacroFirst
                      : parts.is("replies", "all") ? VcdtOptions::Replies::kAll
                                                   : VcdtOptions::Replies::kMacro;
    return make_vcdt_solver<W>(parts.rules, parts.position, parts.claim, parts.request, parts.names,
                               options);
  }
};

}  // namespace playproof
