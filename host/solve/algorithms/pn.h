// pn: proof-number search (Allis et al. 1994).
#pragma once

#include <memory>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "host/solve/algorithms/turns.h"
#include "host/solve/best_first_maker.h"
#include "host/solve/graph_engine.h"
#include "host/solve/option_rows.h"
#include "host/table/depth_first_options.h"
#include "kernels/schemes/pn.h"

namespace playproof {

class PnAlgorithm {
 public:
  static CatalogueEntry info() {
    std::vector<OptionInfo> options = {
        rows::words("ties", {"left", "deepest", "path"},
                    "among equal children: left-most, deepest most-proving node, or the previous "
                    "path while "
                    "tied"),
        rows::words("stop", {"own", "allis", "none", "literal", "one"},
                    "the update ends where no number grew (own), none changed (allis, default with "
                    "ties=deepest), never (none); literal and one alter the order of expansion"),
        rows::words(
            "leaf", {"unit", "mobility", "playouts", "both", "quads", "lines"},
            "numbers of an unsolved leaf: 1 and 1, 1 and its moves, from playouts, from "
            "playouts times moves, (loa) by the groups of both sides, or (connect6, on turns) "
            "by live windows")};
    for (OptionInfo& option : leaf_playouts()) options.push_back(std::move(option));
    options.push_back(rows::early_break());
    options.push_back(rows::order());
    options.push_back(rows::merge());
    return {"pn",
            "proof-number search (Allis et al. 1994)",
            rows::with_turns(rows::with_zones(
                rows::joined(std::move(options), rows::with_bridges(rows::probes())))),
            {},
            {{"pns", "pn"}, {"proofnumbersearch", "pn"}}};
  }

  static void complete(Options& options) {
    rows::set_probe(options);
    rows::set_zones(options);
    if (options.word("ties") == "deepest" && !options.given("stop")) {
      options.set("stop", "allis");  // the rules that compare numbers know nothing of depths
    }
    const std::string& leaf = options.word("leaf");
    const bool plays = leaf == "playouts" || leaf == "both";
    if (!plays && leaf != "lines") return;
    constexpr std::pair<const char*, const char*> kDefaults[] = {
        {"playouts", "64"}, {"form", "power"}, {"A", "32768"}, {"S", "1000"}};
    for (const auto& [key, value] : kDefaults) {
      if (!options.given(key) && (plays || std::string_view(key) != "playouts")) {
        options.set(key, value);
      }
    }
  }

  static constexpr bool kKnowsPaths = true;
  template <Game G>
  static std::unique_ptr<SolverBase<G>> make(SolverParts<G>& parts) {
    const StopRule stop = stop_rule(parts.options.word("stop"));
    // The rules that compare numbers know nothing of depths, so the order would not be that of the
    // full update.
    if (parts.is("ties", "deepest") && stop != StopRule::kNone && stop != StopRule::kAllis) {
      throw Error(ErrorCode::kUsage, "pn: ties=deepest needs stop=none or stop=allis, not stop=" +
                                         parts.options.word("stop"));
    }
    const TurnProofNumbers on_turns{leaf_numbers(parts.options), std::nullopt,
                                    parts.is("ties", "path")};
    if (auto search = make_turn_search(parts, on_turns)) return search;
    if (parts.is("leaf", "playouts") || parts.is("leaf", "both")) {
      if (!parts.is("merge", "none")) {
        throw Error(ErrorCode::kUsage, "pn: merge=" + parts.options.word("merge") +
                                           " needs leaf=unit, leaf=mobility or leaf=quads");
      }
      return with_ties(parts, PlayoutPn{leaf_numbers(parts.options)}, stop);
    }
    const Pn pn{parts.is("leaf", "mobility"), parts.is("leaf", "quads")};
    if (auto search = make_graph_search(parts, pn)) return search;
    return with_ties(parts, pn, stop);
  }

 private:
  // What leaf=playouts and leaf=both are made of. Without a default of their own (complete() sets
  // it), so that other leaves are named without them.
  static std::vector<OptionInfo> leaf_playouts() {
    OptionInfo number = rows::playouts("");
    number.help = "leaf=playouts, leaf=both: random games a leaf; default 64";
    OptionInfo form = rows::rate_form();
    form.default_text.clear();
    form.help += "; default power";
    return {rows::of_playouts(std::move(number)), rows::of_rates(std::move(form)),
            rows::with(rows::real("A", "", 1, 1e12, "form=power: base; default 32768"), "form",
                       {"power"}),
            rows::with(rows::real("S", "", 0, 1e12, "form=log, form=linear: scale; default 1000"),
                       "form", {"log", "linear"})};
  }
  static StopRule stop_rule(const std::string& word) {
    if (word == "none") return StopRule::kNone;
    if (word == "allis") return StopRule::kAllis;
    if (word == "own") return StopRule::kOwn;
    return word == "literal" ? StopRule::kLiteral : StopRule::kOne;
  }
  template <Game G, Scheme S>
  static std::unique_ptr<SolverBase<G>> with_ties(SolverParts<G>& parts, const S& pn,
                                                  StopRule stop) {
    if (parts.is("ties", "deepest")) return make_best_first(parts, Deepest<S>{pn}, stop);
    return make_best_first(parts, pn, stop, parts.is("ties", "path"));
  }
};

}  // namespace playproof
