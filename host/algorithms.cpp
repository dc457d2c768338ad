// All algorithms with their options: one table for parsing, defaults, ranges, help and --json.
#include "games/error.h"
#include "host/solver.h"

namespace playproof {
namespace {

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

OptionInfo playouts(const char* default_text) {
  return {"playouts", OptionType::kInteger, default_text, 1, 1 << 20, {}, "random games a leaf"};
}

OptionInfo order() {
  return words("order", {"natural", "random"},
               "order of the children: ascending moves, or drawn from the seed and the position");
}

OptionInfo early_break() {
  return words("earlybreak", {"on", "off"}, "stop generating children once one decides the node");
}

std::vector<OptionInfo> monte_carlo(const char* default_playouts) {
  return {playouts(default_playouts),
          words("rule", {"clamp", "beta"},
                "leaf estimate: min(1 - theta, max(theta, R)), or (w + 1/2)/(n + 1)"),
          real("theta", "", 1e-12, 0.5, "clamp: below 1/(2n); default 1/(4n) for n playouts"),
          early_break(), order()};
}

OptionInfo rate_form() {
  return words("form", {"power", "log", "linear"},
               "number of a win rate R: A^(1-R), -S ln R, or 1 + S (1-R)");
}

// What leaf=playouts and leaf=both of best-first search are made of. Without a default of their own
// (host/solver.cpp sets it), so that other leaves are named without them.
std::vector<OptionInfo> leaf_playouts() {
  OptionInfo number = playouts("");
  number.help = "leaf=playouts, leaf=both: random games a leaf; default 64";
  OptionInfo form = rate_form();
  form.default_text.clear();
  form.help += "; default power";
  return {number, form, real("A", "", 1, 1e12, "form=power: base; default 32768"),
          real("S", "", 0, 1e12, "form=log, form=linear: scale; default 1000")};
}

std::vector<OptionInfo> pn_options() {
  std::vector<OptionInfo> options = {
      words(
          "ties", {"left", "deepest", "path"},
          "among equal children: left-most, deepest most-proving node, or the previous path while "
          "tied"),
      words("stop", {"own", "allis", "none", "literal", "one"},
            "the update ends where no number grew (own), none changed (allis, default with "
            "ties=deepest), never (none); literal and one alter the order of expansion"),
      words(
          "leaf", {"unit", "mobility", "playouts", "both"},
          "numbers of an unsolved leaf: 1 and 1, 1 and its moves, from playouts, or from playouts "
          "times moves")};
  for (OptionInfo& option : leaf_playouts()) options.push_back(std::move(option));
  options.push_back(early_break());
  options.push_back(order());
  return options;
}

// Without a default of its own, so that searches without it keep their names.
OptionInfo edges() {
  OptionInfo option = words("edges", {"constant", "moves"},
                            "cost of a move: edge (default), or edge for each answer but one");
  option.default_text.clear();
  return option;
}

// The options that all depth-first searches share, and those of one of them.
std::vector<OptionInfo> depth_first(const std::string& leaf, std::vector<OptionInfo> more) {
  std::vector<OptionInfo> options = {
      words("leaf", {"playouts", "unit", "mobility", "both", "deep"},
            "first numbers of a leaf: from playouts, 1 and 1, 1 and its moves, from playouts times "
            "moves, or E^(D-depth), default where E or D is given"),
      playouts("64"),
      rate_form(),
      real("A", "32768", 1, 1e12, "form=power: base"),
      real("S", "1000", 0, 1e12, "form=log, form=linear: scale"),
      {"E", OptionType::kInteger, "2", 0, 1000, {}, "leaf=deep: base; 0 is depth-first"},
      {"D", OptionType::kInteger, "2", 0, 1000, {}, "leaf=deep: below this depth as unit"},
      {"edge", OptionType::kInteger, "0", 0, 1e9, {}, "cost of a move (df-pn+)"},
      edges(),
      {"table", OptionType::kText, "256MiB", 0, 0, {}, "memory of the table"},
      {"probe", OptionType::kInteger, "4", 1, 1024, {}, "places where a position can stand"},
      real("gc", "0", 0, 0.99, "share of the entries that goes when the table is 3/4 full"),
      words("symmetry", {"on", "off"}, "one entry for all images of a position"),
      {"endings",
       OptionType::kInteger,
       "12",
       0,
       16,
       {},
       "othello: an exact ending decides when so many squares are empty; 0 is off"},
      words("bracket", {"linear", "binary"},
            "goal score: a win first, then step by step; or always the middle"),
      early_break(),
      order()};
  options.front().default_text = leaf;
  options.insert(options.begin() + 9, more.begin(), more.end());
  return options;
}

}  // namespace

const Catalogue& algorithm_catalogue() {
  static const Catalogue catalogue{
      "algorithm",
      {
          {"minimax", "memoised exhaustive search: the oracle", {}},
          {"pn", "proof-number search (Allis et al. 1994)", pn_options()},
          {"deeppn",
           "DeepPN (Ishitobi et al. 2015): proof numbers mixed with depth",
           {real("R", "0.65", 0, 1, "1 is PN, 0 is depth-first"),
            words("norm", {"inv", "inv1"}, "1 - 1/delta, or 1 - 1/(delta + 1)"), early_break(),
            order()}},
          {"mcpn", "Monte-Carlo proof-number search (Saito et al. 2006)", monte_carlo("10")},
          {"ppn", "probability-based proof-number search (Song et al. 2019)", monte_carlo("32")},
          {"mcts", "pure MCTS solver (Winands et al. 2008, C = 0)", {playouts("10"), order()}},
          {"uct",
           "UCT solver (Winands et al. 2008)",
           {playouts("10"), real("C", "2", 0, 1e6, "exploration constant"),
            words("form", {"inside", "outside"},
                  "v + sqrt(C ln n_p / n_i), or v + C sqrt(ln n_p / n_i)"),
            order()}},
          {"dfpn", "depth-first proof-number search with a table (Nagai 2002)",
           depth_first("playouts", {{"increment",
                                     OptionType::kInteger,
                                     "1",
                                     0,
                                     1e9,
                                     {},
                                     "threshold over the second child's; 0: mean first number"},
                                    real("epsilon", "0", 0, 1000,
                                         "threshold (1 + epsilon) times the second child's")})},
          {"pds", "proof and disproof number search (Nagai 1998)", depth_first("unit", {})},
          {"pnstar", "PN*: depth-first, deepens the proof number alone (Seo et al. 2001)",
           depth_first("unit", {})},
      }};
  return catalogue;
}

}  // namespace playproof
