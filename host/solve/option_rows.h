// Options that several algorithms have, for the rows of their table (games/core/spec.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "games/core/spec.h"

namespace playproof::rows {

// What a run may be, for OptionEffect::run.
enum RunKind : std::uint32_t {
  kGameHasZones = 1,
  kGameHasEndings = 2,
  kGameHasSymmetries = 4,
  kAsksForScore = 8,
  kGameHasRaces = 16,
  kGameRepeats = 32,
  kGameHasLooks = 64,
  kHasWorkers = 128,  // several, or a search that several have begun
};

// `option`, which has an effect only where one of these holds.
OptionInfo where(OptionInfo option, std::vector<OptionEffect> effects);
// The same where another option has one of these values.
OptionInfo with(OptionInfo option, std::string other, std::vector<std::string> values);
// The same where the numbers of a leaf come from playouts.
OptionInfo of_playouts(OptionInfo option);
OptionInfo of_rates(OptionInfo option);  // of what is a share, too: of playouts, or of windows

// One of `allowed`, the first if none is given.
OptionInfo words(std::string name, std::vector<std::string> allowed, std::string help);
OptionInfo real(std::string name, std::string default_text, double min, double max,
                std::string help);
OptionInfo integer(std::string name, std::string default_text, double min, double max,
                   std::string help);

// Marks an option that came when results were stored already, and whose default changes nothing
// (OptionInfo::neutral).
OptionInfo later(OptionInfo option);

OptionInfo playouts(const char* default_text);
OptionInfo order();
OptionInfo early_break();
// `options`, of which some say of wins by threats, and the rows of a search whose steps may be
// turns, in games that have such (games/connect/rzop.h).
std::vector<OptionInfo> with_turns(std::vector<OptionInfo> options);
// How many turns of the attacker are tried in a position; 0: the steps are moves. Throws
// Error(kUsage).
int turns_of(const Options& options);
// Throws Error(kUsage) for turns in a game without them (`has_races`: games/core/race.h), for what
// is given beside them and would say nothing, and for what needs them.
void check_turns(const Options& options, bool has_races);
// Throws Error(kUsage) for a policy of several searchers where there is one, for what another
// policy is told, and for locks of a table that one thread has.
void check_several(const Options& options, bool several_workers);
// The row of form=, how a win rate becomes a number; its parameters A and S have rows of their own.
OptionInfo rate_form();
// Who looks at a leaf before the search does (host/probe/leaf_probe.h), and zones=: of trees.
std::vector<OptionInfo> probes();
// Makes endings without probe= mean probe=endings.
void set_probe(Options& options);
// The rows of zones= and patterns= (host/zone).
std::vector<OptionInfo> zones();
// The row of fill= (games/hex/fill.h), which searches with zones have.
OptionInfo fill();
// Searches with a table have it where positions can come again: host/path/repetition.h.
OptionInfo history();
// Best-first searches have it there: host/tree/graph_search.h.
OptionInfo merge();
// `options` and what is in `more`, in this order.
std::vector<OptionInfo> joined(std::vector<OptionInfo> options, std::vector<OptionInfo> more);
// `options`, where probe= may be bridges too.
std::vector<OptionInfo> with_bridges(std::vector<OptionInfo> options);
// `options`, and patterns=, fill= and ask= of a best-first tree.
std::vector<OptionInfo> with_zones(std::vector<OptionInfo> options);
// The rows of mcpn and ppn.
std::vector<OptionInfo> monte_carlo(const char* default_playouts);
// The rows of ews and dfews.
std::vector<OptionInfo> expected_work(const char* default_playouts);
// Fills in theta = 1/(4n), or refuses one that is too large: Error(kUsage).
void set_theta(Options& options);
// The rows of searches with a table.
std::vector<OptionInfo> table();
// The rows that all depth-first searches share, and those of one of them.
std::vector<OptionInfo> depth_first(const std::string& leaf, std::vector<OptionInfo> more);
// The rows of those that alpha-beta has.
std::vector<OptionInfo> alpha_beta();
// Adds knowledge= if the entry has zones=: one word for all options that say what is known of
// positions of connection games, as far as it has them.
CatalogueEntry with_knowledge(CatalogueEntry entry);
// Sets what a game without zones has: zones=off is the default.
void without_zones(Options& options);
// Sets what a game has in which positions can come again: first numbers are 1 and 1. Throws
// Error(kUsage) for what searches of such games do not know.
void on_paths(Options& options);
// Makes patterns=, fill=, probe=bridges and probe=connections mean zones=on in every game;
// zones=off excludes them: Error(kUsage). With nothing to ask ask=created is the default.
void set_zones(Options& options);
// Makes widening= mean order=resistance, and that probe=connections; others are an Error(kUsage).
void set_order(Options& options);
// E or D without leaf= mean leaf=deep.
void set_deep_leaf(Options& options);

}  // namespace playproof::rows
