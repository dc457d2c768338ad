// vcdt, vcst, rzop: victory by continuous double or single threats, and proof search on turns that
// asks about the former, in games of the Connect family (thesis, chapter 3).
#pragma once

#include <memory>
#include <string>

#include "host/solve/algorithm.h"
#include "host/solve/algorithms/turns.h"
#include "host/solve/threat_solver.h"

namespace playproof {

[[noreturn]] inline void refuse_game(const std::string& algorithm, const std::string& game) {
  throw Error(ErrorCode::kUsage,
              algorithm + ": it searches connect6 and its family alone, not " + game);
}

// These search the boards of one game and refuse all others.
template <class Algorithm>
struct ThreatAlgorithm {
  template <Game G>
  static std::unique_ptr<SolverBase<G>> make(SolverParts<G>& parts) {
    return make_for(parts);
  }

 private:
  template <class G>
  static std::unique_ptr<SolverBase<G>> make_for(SolverParts<G>& parts) {
    refuse_game(Algorithm::info().name, parts.names.game);
  }
  template <int W>
  static std::unique_ptr<SolverBase<Connect<W>>> make_for(SolverParts<Connect<W>>& parts) {
    const int stones = parts.rules.stones;
    if (stones < Algorithm::kFewestStones || stones > 2) {
      throw Error(ErrorCode::kUsage, Algorithm::info().name + ": stones must be " +
                                         (Algorithm::kFewestStones == 2 ? "2" : "1 or 2") +
                                         " a turn, not " + std::to_string(stones));
    }
    return make_threat_solver<W>(parts.rules, parts.position, parts.claim, parts.request,
                                 parts.names, Algorithm::settings(parts.options));
  }
};

// What all of them say of a search by double threats; `work` names the option that limits it.
inline VcdtOptions double_threats(const Options& options, const char* work) {
  VcdtOptions settings;
  settings.turns = static_cast<int>(options.integer("turns"));
  settings.work = static_cast<std::uint64_t>(options.integer(work));
  return settings;
}

struct VcdtAlgorithm : ThreatAlgorithm<VcdtAlgorithm> {
  static constexpr int kFewestStones = 1;
  static CatalogueEntry info() {
    CatalogueEntry entry = {
        "vcdt",
        "connect6 alone: a win by turns that each leave threats for all stones of the reply",
        {turns(), work("300000"),
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
  static VcdtOptions settings(const Options& options) {
    VcdtOptions settings = double_threats(options, "work");
    settings.shortest = options.word("shortest") == "on";
    const std::string& replies = options.word("replies");
    settings.replies = replies == "both"  ? VcdtOptions::Replies::kMacroFirst
                       : replies == "all" ? VcdtOptions::Replies::kAll
                                          : VcdtOptions::Replies::kMacro;
    return settings;
  }

  static OptionInfo turns() {
    return rows::integer("turns", "8", 2, Vcdt<1>::kMostTurns,
                         "turns of the attacker, the one that completes a line included");
  }
  static OptionInfo work(const char* most) {
    return rows::integer("work", most, 1, 1e15, "pairs of stones that are tried, about");
  }
};

struct VcstAlgorithm : ThreatAlgorithm<VcstAlgorithm> {
  static constexpr int kFewestStones = 2;
  static CatalogueEntry info() {
    CatalogueEntry entry = {
        "vcst",
        "connect6 alone: the same, but some turns of a line may leave a single threat",
        {VcdtAlgorithm::turns(), VcdtAlgorithm::work("3000000"),
         rows::integer("vcdtwork", "20000", 1, 1e15, "of a search by double threats alone"),
         rows::integer("singles", "2", 0, 20,
                       "turns of a line that leave a single threat, at most"),
         rows::integer("width", "7", 1, 300, "such turns that are tried in a position")}};
    entry.game = "connect6";
    return entry;
  }
  static VcstOptions settings(const Options& options) {
    VcstOptions settings;
    settings.threats = double_threats(options, "vcdtwork");
    settings.work = static_cast<std::uint64_t>(options.integer("work"));
    settings.singles = static_cast<int>(options.integer("singles"));
    settings.width = static_cast<int>(options.integer("width"));
    return settings;
  }
};

struct RzopAlgorithm {
  static CatalogueEntry info() {
    CatalogueEntry entry = {
        "rzop",
        "connect6 alone: relevance-zone-oriented proof search on turns (Wu and Lin 2010)",
        {rows::integer("turns", "8", 1, Vcdt<1>::kMostTurns, VcdtAlgorithm::turns().help),
         VcdtAlgorithm::work("300000000"),
         rows::integer("vcdtwork", "300000", 1, 1e15, "of a search by double threats alone"),
         rows::integer("width", "20", 1, 300, "turns of the attacker that are tried in a position"),
         rows::integer("strong", "12", 0, 91, "whole replies that are tried before all others"),
         rows::words("replies", {"lazy", "eager"},
                     "one open reply of a turn at a time; eager: all"),
         rows::integer("E", "1", 1, 1000, "first numbers E^(D-depth), as of dfpn:leaf=deep; 1: 1"),
         rows::integer("D", "1", 1, 1000, "below this depth, in turns, they are 1"),
         rows::later(rows::words("without", {"nothing", "zones", "table", "macro"},
                                 "what is left out, to see its worth; zones: all whole replies are "
                                 "tried; table: positions that come again; macro: such replies of "
                                 "double threats"))}};
    entry.game = "connect6";
    return entry;
  }
  template <Game G>
  static std::unique_ptr<SolverBase<G>> make(SolverParts<G>& parts) {
    const Options& options = parts.options;
    const auto base = static_cast<std::uint64_t>(options.integer("E"));
    const auto depth = static_cast<std::uint32_t>(options.integer("D"));
    const TurnProofNumbers numbers{LeafNumbers::deep(base, depth)};
    auto search = TurnMaker<G, TurnProofNumbers>::make(parts, settings(options), numbers);
    if (search == nullptr) refuse_game("rzop", parts.names.game);
    return search;
  }

 private:
  static RzopOptions settings(const Options& options) {
    RzopOptions settings;
    settings.threats = double_threats(options, "vcdtwork");
    settings.work = static_cast<std::uint64_t>(options.integer("work"));
    settings.width = static_cast<int>(options.integer("width"));
    settings.strong = static_cast<int>(options.integer("strong"));
    settings.lazy = options.word("replies") == "lazy";
    using Without = RzopOptions::Without;
    const std::string& without = options.word("without");
    settings.without = without == "zones"   ? Without::kZones
                       : without == "table" ? Without::kTable
                       : without == "macro" ? Without::kMacros
                                            : Without::kNothing;
    return settings;
  }
};

}  // namespace playproof
