#include "host/solve/option_rows.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>

#include "games/connect/rzop_options.h"
#include "games/core/error.h"
#include "host/jobs/policy.h"

namespace playproof::rows {
namespace {

constexpr const char* kEndings = "12";
constexpr const char* kZones = "zones";
constexpr const char* kNoZones = "off";
constexpr const char* kResistance = "resistance";
constexpr const char* kPolicy = "policy";
constexpr const char* kFixedDepth = "depth";
constexpr const char* kJobDepth = "jobdepth";
constexpr const char* kTableLock = "tablelock";
constexpr const char* kTurns = "turns";
constexpr const char* kStones = "stones";
constexpr const char* kLines = "lines";
constexpr const char* kByZones = "zones";
constexpr int kMostTurns = 1000;
// Of a search with single threats at a leaf on turns, which nothing interrupts: a second of it.
constexpr std::int64_t kMostPairs = 10'000'000;
// What a search on turns goes by, of the options of a search of moves. All others say nothing
// there: it has a tree of its own, leaves that are asked about one by one, and looks for wins by
// threats anyway.
constexpr std::array kOnTurns = {
    "ties",   "leaf",    "playouts",  "form",     "A",     "S",       "E",         "D",
    "R",      "norm",    "rule",      "theta",    "turns", "replies", "increment", "epsilon",
    "deepen", "bracket", "vcdtturns", "vcdtwork", "probe", "singles", "vcstwork",  "order"};

bool is_on_turns(const OptionInfo& option) {
  return std::ranges::any_of(kOnTurns, [&](const char* name) { return option.name == name; });
}

// With it an option changes nothing: its neutral value or, if it has none, its default.
const std::string& off_value(const OptionInfo& option) {
  return option.neutral.empty() ? option.default_text : option.neutral;
}
bool is_off(const Options& options, const std::string& name) {
  const auto& all = options.entry().options;
  const std::string& off = off_value(*std::ranges::find(all, name, &OptionInfo::name));
  const std::string& own = options.word(name);
  double x = 0;
  double y = 0;
  return own == off || (parse_real(own, &x) && parse_real(off, &y) && x == y);
}

std::string number(double x) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, x).ptr};
}

OptionInfo endings(const std::string& of) {
  return with(
      integer("endings", kEndings, 0, 16, of + ": squares to solve exactly (othello), 0: off"),
      "probe", {"endings"});
}

// Endings, or none, where the game has them; what zones rest on where it has those; wins by
// threats.
OptionInfo probe(OptionInfo option) {
  return later(where(
      std::move(option),
      {{.run = kGameHasEndings},
       {.run = kGameHasLooks, .values = {{.option = "probe", .values = {"look1", "look3"}}}},
       {.run = kGameHasRaces, .values = {{.option = "probe", .values = {"vcdt", "vcst"}}}},
       {.run = kGameHasZones,
        .values = {{.option = "probe", .values = {"bridges", "connections", "templates"}}}}}));
}

// The rows of wins by threats at leaves (games/core/race.h).
std::vector<OptionInfo> races() {
  const std::string work = "pairs: a search, all";  // one line for both
  const auto of = [](OptionInfo option, std::vector<std::string> probes) {
    return with(later(std::move(option)), "probe", std::move(probes));
  };
  return {of(integer("vcdtturns", "8", 1, 100,
                     "probe=vcdt, vcst: turns of the winner, the last one too"),
             {"vcdt", "vcst"}),
          of(integer("vcdtwork", "300000", 1, 1e15, work), {"vcdt", "vcst"}),
          of(integer("vcstwork", "3000000", 1, 1e15, work), {"vcst"}),
          of(integer("singles", "2", 0, 20, "probe=vcst: turns of a line with a single threat"),
             {"vcst"})};
}

// They go from little to much; the last one decides most positions of Hex (docs/solve.md).
std::vector<OptionInfo::Preset> knowledge_presets() {
  return {
      {"none", {{kZones, kNoZones}}},
      {"zones", {{kZones, "on"}}},
      {"bridges", {{kZones, "on"}, {"probe", "bridges"}}},
      {"templates", {{kZones, "on"}, {"probe", "templates"}}},
      {"connections", {{kZones, "on"}, {"probe", "connections"}}},
      {"full", {{kZones, "on"}, {"probe", "connections"}, {"patterns", "1024"}, {"fill", "full"}}}};
}

// A row of games in which positions can come again (host/path/repetition.h).
OptionInfo where_it_repeats(OptionInfo option) {
  return where(later(std::move(option)), {{.run = kGameRepeats}});
}
std::vector<OptionInfo> on_cycles() {
  OptionInfo patience =
      later(integer("patience", "1000", 1, 1e9, "loops=patience: calls without a new leaf"));
  patience.effects = {
      {.run = kGameRepeats, .values = {{.option = "loops", .values = {"patience"}}}}};
  return {history(),
          where_it_repeats(
              words("loops", {"tca", "dfpnr", "patience", "none"}, "cycles: how a search gets on")),
          std::move(patience),
          where_it_repeats(words("similar", {"none", "simulation", "killer"},
                                 "cycles: a lost reply's proof tried on others"))};
}

// Numbers on turns are of each leaf alone: neither its moves nor its siblings enter them. What says
// how a leaf gets them goes with that leaf.
void check_turn_leaf(const Options& options, const auto& refuse) {
  const std::string& leaf = options.word("leaf");
  if (leaf != "unit" && leaf != "deep" && leaf != "playouts" && leaf != kLines) {
    refuse(std::string("turns needs leaf=unit") + (options.has("E") ? ", leaf=deep" : "") +
           ", leaf=playouts or leaf=lines, not leaf=" + leaf);
  }
  struct OfLeaf {
    const char* key;
    std::string_view leaf;
    std::string_view other;  // leaves with numbers from a share: of playouts, or of windows
  };
  constexpr OfLeaf kOfLeaves[] = {{"playouts", "playouts", ""},
                                  {"form", "playouts", kLines},
                                  {"A", "playouts", kLines},
                                  {"S", "playouts", kLines},
                                  {"E", "deep", ""},
                                  {"D", "deep", ""}};
  for (const auto& [key, of, other] : kOfLeaves) {
    if (leaf == of || leaf == other || !options.has(key) || !options.given(key)) continue;
    if (options.given("leaf") && is_off(options, key)) continue;  // a name with all values
    std::string needs = "leaf=" + std::string(of);
    if (!other.empty()) needs += " or leaf=" + std::string(other);
    refuse("turns: " + std::string(key) + " needs " + needs.append(", not leaf=").append(leaf));
  }
}

OptionInfo places() {
  OptionInfo option = integer("places", "4", 1, 1024, "places where a position can stand");
  option.formerly = "probe";
  return option;
}

}  // namespace

OptionInfo where(OptionInfo option, std::vector<OptionEffect> effects) {
  option.effects = std::move(effects);
  return option;
}

OptionInfo with(OptionInfo option, std::string other, std::vector<std::string> values) {
  return where(std::move(option), {{.values = {{std::move(other), std::move(values)}}}});
}

OptionInfo of_playouts(OptionInfo option) {
  return with(std::move(option), "leaf", {"playouts", "both"});
}

OptionInfo of_rates(OptionInfo option) {
  return with(std::move(option), "leaf", {"playouts", "both", kLines});
}

OptionInfo words(std::string name, std::vector<std::string> allowed, std::string help) {
  OptionInfo option;
  option.name = std::move(name);
  option.type = OptionType::kWord;
  option.default_text = allowed.front();
  option.words = std::move(allowed);
  option.help = std::move(help);
  return option;
}

OptionInfo real(std::string name, std::string default_text, double min, double max,
                std::string help) {
  return {std::move(name), OptionType::kReal, std::move(default_text), min, max, {},
          std::move(help)};
}

OptionInfo integer(std::string name, std::string default_text, double min, double max,
                   std::string help) {
  return integer_option(std::move(name), std::move(default_text), min, max, std::move(help));
}

OptionInfo later(OptionInfo option) {
  option.neutral = option.default_text;
  return option;
}

OptionInfo playouts(const char* default_text) {
  return integer("playouts", default_text, 1, 1 << 20, "random games a leaf");
}

OptionInfo order() {
  return words("order", {"natural", "random"},
               "of children: ascending, or drawn from seed and position");
}

OptionInfo early_break() {
  return words("earlybreak", {"on", "off"}, "stop generating children once one decides the node");
}

std::vector<OptionInfo> with_turns(std::vector<OptionInfo> options) {
  const OptionEffect on_turns = {
      .run = kGameHasRaces, .values = {{.option = kTurns, .values = {kStones}, .others = true}}};
  for (OptionInfo& option : options) {
    if (option.name == "vcdtturns" || option.name == "vcdtwork") option.effects.push_back(on_turns);
    const bool orders = option.name == "order";  // on turns by zones, or not at all
    if (is_on_turns(option) && !orders) continue;
    if (option.effects.empty()) option.effects.emplace_back();
    for (OptionEffect& effect : option.effects) {
      effect.values.push_back({.option = kTurns, .values = {kStones}});
    }
    if (!orders) continue;
    option.words.emplace_back(kByZones);
    option.help += ", zones: turns";
    option.effects.push_back({.values = {{.option = option.name, .values = {kByZones}}}});
  }
  // Other games have no other value of it (check_turns()), so it is told where it has an effect.
  OptionInfo turns = {
      kTurns, OptionType::kText, kStones, 0, 0, {}, "connect6: steps are turns, the best N or all"};
  options.push_back(later(std::move(turns)));
  options.push_back(where(later(words("replies", {"lazy", "eager"},
                                      "turns: one open reply of a turn at a time, or all")),
                          {on_turns}));
  return options;
}

int turns_of(const Options& options) {
  if (!options.has(kTurns)) return 0;
  const std::string& text = options.text(kTurns);
  if (text == kStones) return 0;
  if (text == "all") return RzopOptions::kAll;
  std::int64_t width = 0;
  if (parse_integer(text, &width) && 1 <= width && width <= kMostTurns)
    return static_cast<int>(width);
  throw Error(ErrorCode::kUsage, options.entry().name + ": turns must be 1.." +
                                     std::to_string(kMostTurns) + ", all or stones, not '" + text +
                                     "'");
}

void check_turns(const Options& options, bool has_races) {
  const auto& all = options.entry().options;
  const auto turns = std::ranges::find(all, kTurns, &OptionInfo::name);
  // Searches by threats count turns of another kind.
  if (turns == all.end() || turns->default_text != kStones) return;
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::kUsage, options.entry().name + ": " + why);
  };
  if (turns_of(options) == 0) {
    if (!is_off(options, "replies")) refuse("replies=" + options.word("replies") + " needs turns");
    if (options.has("leaf") && options.word("leaf") == kLines) refuse("leaf=lines needs turns");
    if (options.word("order") == kByZones) refuse("order=zones needs turns");
    return;
  }
  if (!has_races) refuse("turns needs connect6 or one of its family: steps of others are moves");
  if (options.has("leaf")) check_turn_leaf(options, refuse);
  if (options.word("order") != kByZones && !is_off(options, "order")) {
    refuse("turns needs order=natural or order=zones, not order=" + options.word("order"));
  }
  const bool asks_singles = options.has("probe") && options.word("probe") == "vcst";
  if (options.has("probe") && !asks_singles && !is_off(options, "probe")) {
    refuse("turns needs probe=" + off_value(*std::ranges::find(all, "probe", &OptionInfo::name)) +
           " or probe=vcst, not probe=" + options.word("probe"));
  }
  for (const char* key : {"singles", "vcstwork"}) {
    if (!asks_singles && options.has(key) && !is_off(options, key)) {
      refuse("turns: " + std::string(key) + " needs probe=vcst");
    }
  }
  if (asks_singles &&
      (options.integer("singles") == 0 || options.integer("vcstwork") > kMostPairs)) {
    refuse("turns: probe=vcst needs singles of at least 1, and vcstwork of at most " +
           std::to_string(kMostPairs));
  }
  if (options.has("ties") && options.word("ties") == "deepest") {
    refuse("turns needs ties=left or ties=path, not ties=deepest");
  }
  if (options.has("increment") && options.integer("increment") == 0) {
    refuse("turns needs an increment of at least 1, not 0");
  }
  for (const OptionInfo& option : all) {
    if (is_on_turns(option) || !options.given(option.name) || is_off(options, option.name))
      continue;
    refuse("turns needs " + option.name + "=" + off_value(option) + ", not " +
           options.word(option.name));
  }
}

void check_several(const Options& options, bool several_workers) {
  if (!options.has(kPolicy)) return;
  const auto refuse = [&](const char* key, const std::string& needs) {
    throw Error(ErrorCode::kUsage,
                options.entry().name + ": " + key + "=" + options.word(key) + " needs " + needs);
  };
  const std::string& policy = options.word(kPolicy);
  if (!is_off(options, kJobDepth) && policy != kFixedDepth) {
    refuse(kJobDepth, "policy=depth, not policy=" + policy);
  }
  if (several_workers) return;
  if (!is_off(options, kTableLock)) refuse(kTableLock, "several threads (--workers N)");
  if (!is_off(options, kPolicy) && options.integer("searchers") == 1) {
    refuse(kPolicy, "several searchers (searchers=N or --workers N)");
  }
}

OptionInfo rate_form() {
  return words("form", {"power", "log", "linear"},
               "of a win rate R: A^(1-R), -S ln R, 1 + S (1-R)");
}

std::vector<OptionInfo> probes() {
  return joined(
      {probe(words("probe", {"none", "endings", "vcdt", "vcst", "look1", "look3"},
                   "what decides leaves: nothing, exact endings (default with endings=), "
                   "(connect6) wins by double threats, by single ones, or (loa) in one ply, in "
                   "three")),
       later(endings("probe=endings"))},
      joined(races(), {zones().front()}));
}

void set_probe(Options& options) {
  if (options.given("endings") && !options.given("probe")) options.set("probe", "endings");
  // Nobody is asked: a name with a distance alone would be read as probe=endings.
  if (options.word("probe") == "none") options.set("endings", kEndings);
}

std::vector<OptionInfo> zones() {
  OptionInfo zones =
      words(kZones, {"on", kNoZones}, "hex, else off: a proven reply decides those off its zone");
  zones.neutral = kNoZones;
  return {where(std::move(zones), {{.run = kGameHasZones}}),
          with(later(integer("patterns", "0", 0, 1 << 20,
                             "zones=on: proven patterns asked about nodes")),
               kZones, {"on"})};
}

OptionInfo fill() {
  return with(later(words("fill", {"off", "dead", "captured", "full"},
                          "zones=on: cells (hex) that need no search")),
              kZones, {"on"});
}

std::vector<OptionInfo> joined(std::vector<OptionInfo> options, std::vector<OptionInfo> more) {
  for (OptionInfo& option : more) options.push_back(std::move(option));
  return options;
}

std::vector<OptionInfo> with_bridges(std::vector<OptionInfo> options) {
  for (OptionInfo& option : options) {
    if (option.name != "probe") continue;
    option.words.emplace_back("bridges");
    option.words.emplace_back("connections");
    option.words.emplace_back("templates");
    option.help =
        "what decides leaves: nothing, exact endings (default with endings=), (connect6) wins by "
        "double threats, by single ones, (loa) in one ply, in three, or (hex, zones=on) chains of "
        "bridges, virtual connections, bridges with edge templates";
  }
  return options;
}

std::vector<OptionInfo> with_zones(std::vector<OptionInfo> options) {
  OptionInfo ask = words("ask", {"selected", "created"},
                         "when virtual connections and chains over filled cells are looked for: at "
                         "the leaf that is selected, where they leave fewer replies, or at every "
                         "new leaf");
  ask.neutral = "created";  // what there was first, and with nothing to ask the same
  ask.effects = {{.values = {{.option = "fill", .values = {"off"}, .others = true}}},
                 {.values = {{.option = "probe", .values = {"connections"}}}}};
  return joined(std::move(options), {zones().back(), fill(), std::move(ask)});
}

std::vector<OptionInfo> monte_carlo(const char* default_playouts) {
  return joined(
      {playouts(default_playouts),
       words("rule", {"clamp", "beta"},
             "leaf estimate: min(1 - theta, max(theta, R)), or (w + 1/2)/(n + 1)"),
       with(real("theta", "", 1e-12, 0.5, "clamp: below 1/(2n); default 1/(4n) for n playouts"),
            "rule", {"clamp"}),
       early_break(), order()},
      with_bridges(probes()));
}

std::vector<OptionInfo> expected_work(const char* default_playouts) {
  return joined(
      {playouts(default_playouts),
       words("leaf", {"both", "rollout", "unit"},
             "work of an unsolved leaf with m moves, L plies left: a win A^(1-R) L^plies, a loss "
             "A^R m L^plies; m L both; or 1 both"),
       with(real("A", "32768", 1, 1e12, "leaf=both: base"), "leaf", {"both"}),
       with(integer("plies", "2", 0, 8, "leaf=both: power of the plies left"), "leaf", {"both"}),
       early_break(), order()},
      with_bridges(probes()));
}

void set_theta(Options& options) {
  const auto n = static_cast<double>(options.integer("playouts"));
  if (!options.given("theta")) {
    options.set("theta", number(1 / (4 * n)));
  } else if (options.real("theta") >= 1 / (2 * n)) {
    throw Error(ErrorCode::kUsage, options.entry().name +
                                       ": theta must be below 1/(2 * playouts) = " +
                                       number(1 / (2 * n)) + ", not " + options.word("theta"));
  }
}

OptionInfo history() {
  return where_it_repeats(
      words("history", {"twins", "basetwin", "none"}, "cycles: who may use what rests on a path"));
}

OptionInfo merge() {
  return where_it_repeats(words("merge", {"none", "dag", "dcg", "basetwin"},
                                "cycles: which nodes of a position are one; dcg is unsafe"));
}

std::vector<OptionInfo> table() {
  return {{"table", OptionType::kText, "256MiB", 0, 0, {}, "memory of the table"},
          places(),
          real("gc", "0", 0, 0.99, "share of entries that goes when the table is 3/4 full"),
          where(words("symmetry", {"on", "off"}, "one entry for all images of a position"),
                {{.run = kGameHasSymmetries}})};
}

std::vector<OptionInfo> depth_first(const std::string& leaf, std::vector<OptionInfo> more) {
  const std::string deep = "leaf=deep: E^(D-depth); E=0: depth-first";  // one line for both
  std::vector<OptionInfo> options = {
      words("leaf", {"playouts", "unit", "mobility", "both", "deep", "mustplay", "quads", kLines},
            "numbers"),
      of_playouts(playouts("64")),
      of_rates(rate_form()),
      with(real("A", "32768", 1, 1e12, "form=power: base"), "form", {"power"}),
      with(real("S", "1000", 0, 1e12, "form=log, form=linear: scale"), "form", {"log", "linear"}),
      with(integer("E", "2", 0, 1000, deep), "leaf", {"deep"}),
      with(integer("D", "2", 0, 1000, deep), "leaf", {"deep"}),
      with(later(real("exponent", "0.5", 0, 1, "leaf=mustplay: power of the replies")), "leaf",
           {"mustplay"}),
      integer("edge", "0", 0, 1e9, "cost of a move (df-pn+)"),
      where(later(words("edges", {"constant", "moves"},
                        "edge a move, or edge for each answer but one")),
            {{.values = {{.option = "edge", .values = {"0"}, .others = true}}}}),
      endings("probe=endings"),
      where(words("bracket", {"linear", "binary"}, "goal score: a win, then steps; or the middle"),
            {{.run = kAsksForScore}}),
      early_break(),
      words("order", {"natural", "random", kResistance}, "resistance: hex"),
      with(later(real("widening", "0", 0, 1, "order=resistance: share of children tried, 0: all")),
           "order", {kResistance}),
      probe(words("probe",
                  {"endings", "none", "bridges", "connections", "templates", "vcdt", "vcst",
                   "look1", "look3"},
                  "leaf"))};
  options.front().default_text = leaf;
  more = joined(std::move(more),
                {later(integer("searchers", "1", 1, 256, "of one question, in turns; no cycles")),
                 where(later(words(kPolicy, job_policy_names(), "of jobs")),
                       {{.values = {{.option = "searchers", .values = {"1"}, .others = true}}},
                        {.run = kHasWorkers}}),
                 with(later(integer(kJobDepth, std::to_string(JobPolicy::kFixedDepth), 1, 64,
                                    "policy=depth: plies to jobs")),
                      kPolicy, {kFixedDepth}),
                 where(later(words(kTableLock, {"off", "on"}, "of threads, for check words")),
                       {{.run = kHasWorkers}})});
  more = joined(std::move(more), on_cycles());
  const std::vector<OptionInfo> rows = joined(std::move(more), table());
  options.insert(options.begin() + 10, rows.begin(), rows.end());
  return joined(joined(joined(options, races()), zones()), {fill()});
}

std::vector<OptionInfo> alpha_beta() {
  std::vector<OptionInfo> options = depth_first("mobility", {});
  std::erase_if(options, [](const OptionInfo& o) {
    return o.name == "E" || o.name == "D" || o.name == "exponent" || o.name == "edge" ||
           o.name == "edges";
  });
  options.front() =
      words("leaf", {"mobility", "unit", "playouts", "both", "quads"},
            "which move is tried first: the one that leaves the fewest replies, the "
            "first in order, the best by playouts, by playouts times replies, or (loa) by the "
            "groups of both sides; where exact endings decide, always the fewest replies");
  for (OptionInfo& o : options) {
    o.formerly.clear();
    // Only the order counts: here all win rates have numbers of their own, those of `power` are
    // rounded to the same where they are high.
    if (o.name == "form") o = of_playouts(words("form", {"linear", "power", "log"}, o.help));
  }
  return options;
}

CatalogueEntry with_knowledge(CatalogueEntry entry) {
  const auto find = [&](const std::string& name) {
    return std::find_if(entry.options.begin(), entry.options.end(),
                        [&](const OptionInfo& option) { return option.name == name; });
  };
  const auto allows = [&](const std::string& name, const std::string& value) {
    const auto option = find(name);
    if (option == entry.options.end()) return false;
    const auto& words = option->words;
    return words.empty() || std::find(words.begin(), words.end(), value) != words.end();
  };
  if (find(kZones) == entry.options.end()) return entry;
  OptionInfo knowledge;
  knowledge.name = "knowledge";
  knowledge.type = OptionType::kWord;
  knowledge.help = "default: below";
  for (OptionInfo::Preset& preset : knowledge_presets()) {
    const bool all =
        std::all_of(preset.values.begin(), preset.values.end(),
                    [&](const auto& value) { return allows(value.first, value.second); });
    if (!all) continue;
    knowledge.words.push_back(preset.word);
    knowledge.presets.push_back(std::move(preset));
  }
  entry.options.insert(find(kZones), std::move(knowledge));
  return entry;
}

void on_paths(Options& options) {
  if (!options.has("history")) return;  // a tree: it looks at its own path alone
  const bool by_labels = !options.has("loops");
  if (!by_labels && options.has("leaf") && !options.given("leaf")) {
    options.set_default("leaf", "unit");
    if (options.has("E")) set_deep_leaf(options);
  }
  const auto refuse_unless = [&](const char* name, const char* value) {
    if (!options.has(name) || options.word(name) == value) return;
    throw Error(ErrorCode::kUsage, options.entry().name + ": where positions can come again " +
                                       name + " must be " + value + ", not " + options.word(name));
  };
  if (!by_labels && options.has("leaf")) {
    const std::string& leaf = options.word("leaf");
    if (leaf != "unit" && leaf != "mobility" && leaf != "quads") {
      refuse_unless("leaf", "unit, mobility or quads");
    }
  }
  refuse_unless("edge", "0");
  refuse_unless("gc", "0");
  refuse_unless("searchers", "1");
}

void without_zones(Options& options) {
  if (options.has(kZones)) options.set_default(kZones, kNoZones);
}

void set_zones(Options& options) {
  const std::string probe = options.word("probe");
  const bool knowledge = probe == "bridges" || probe == "connections" || probe == "templates";
  const bool may_fill = options.has("fill");
  const bool may_keep = options.has("patterns");
  const bool fills = may_fill && options.word("fill") != "off";
  const bool keeps = may_keep && options.integer("patterns") > 0;
  if (options.has("ask") && !fills && probe != "connections") options.set_default("ask", "created");
  if (!knowledge && !fills && !keeps) return;
  if (!options.given(kZones)) options.set(kZones, "on");
  if (options.word(kZones) == "on") return;
  throw Error(ErrorCode::kUsage, options.entry().name + (may_keep ? ": patterns, " : ": ") +
                                     (may_fill ? "fill, " : "") +
                                     "probe=bridges, probe=connections (which order=resistance "
                                     "means) and probe=templates need zones=on, not off");
}

void set_order(Options& options) {
  const bool widens = options.real("widening") > 0;
  if (widens && !options.given("order")) options.set("order", kResistance);
  const bool by_resistance = options.word("order") == kResistance;
  if (widens && !by_resistance) {
    throw Error(
        ErrorCode::kUsage,
        options.entry().name + ": widening needs order=resistance, not " + options.word("order"));
  }
  if (!by_resistance) return;
  if (!options.given("probe")) options.set("probe", "connections");
  if (options.word("probe") == "connections") return;
  throw Error(ErrorCode::kUsage, options.entry().name +
                                     ": order=resistance needs probe=connections, not " +
                                     options.word("probe"));
}

void set_deep_leaf(Options& options) {
  if ((options.given("E") || options.given("D")) && !options.given("leaf")) {
    options.set("leaf", "deep");
  }
}

}  // namespace playproof::rows
