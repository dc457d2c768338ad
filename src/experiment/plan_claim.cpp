// The formulas of claims: a comparison of one measure between two algorithms.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "games/core/error.h"
#include "games/core/spec.h"
#include "src/experiment/plan.h"

namespace playproof {
namespace {

constexpr const char* kShareBelow = "share below";

constexpr std::array kMeasures = {"iterations",      "iterations_normalised", "nodes_created",
                                  "nodes_expanded",  "evaluations",           "playouts",
                                  "max_depth",       "node_visits",           "re_entries",
                                  "branch_switches", "root_switches",         "shallow_switches",
                                  "endings",         "ending_nodes",          "table_lookups",
                                  "table_hits",      "table_useful_hits",     "table_stored",
                                  "table_replaced",  "table_discarded",       "second_searches",
                                  "second_decided",  "zone_solved",           "pattern_hits",
                                  "bridges",         "connections",           "peak_bytes",
                                  "seconds",         "cpu_seconds",           "error_area",
                                  "error_rise",      "error_rise_of_mean"};

constexpr std::array kStatistics = {"geometric mean", "ratio of means", "mean of ratios",
                                    kShareBelow};

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1);
}

[[noreturn]] void fail(const std::string& formula, const std::string& why) {
  throw Error(ErrorCode::kUsage,
              fmt::format("formula '{}': {}; expected e.g. 'iterations(A) < 0.5 * iterations(B)', "
                          "'0.5 * nodes_created(B) < nodes_created(A) < 2 * nodes_created(B)' or "
                          "'share(iterations(A) < iterations(B)) > 0.5'",
                          formula, why));
}

// "0.5 * error_area(UCT, 100)"
struct Term {
  double factor = 1;
  std::string measure;
  std::string label;
  std::optional<std::int64_t> horizon;

  bool same_quantity(const Term& other) const {
    return measure == other.measure && label == other.label && horizon == other.horizon;
  }
};

Term parse_term(const std::string& formula, std::string_view text) {
  Term term;
  text = trim(text);
  const std::size_t open = text.find('(');
  const std::size_t star = text.find('*');
  if (star != std::string_view::npos && star < open) {
    if (!parse_real(trim(text.substr(0, star)), &term.factor) || !(term.factor > 0)) {
      fail(formula, "the factor before '*' must be a number greater than 0");
    }
    text = trim(text.substr(star + 1));
  }
  const std::size_t bracket = text.find('(');
  if (bracket == std::string_view::npos || text.back() != ')') {
    fail(formula, fmt::format("'{}' is not MEASURE(LABEL)", text));
  }
  term.measure = std::string(trim(text.substr(0, bracket)));
  try {
    check_measure(term.measure);
  } catch (const Error& error) {
    throw Error(ErrorCode::kUsage, fmt::format("formula '{}': {}", formula, error.what()));
  }
  std::string_view inner = text.substr(bracket + 1, text.size() - bracket - 2);
  const std::size_t comma = inner.rfind(',');
  if (term.measure == "error_area" && comma != std::string_view::npos) {
    std::int64_t horizon = 0;
    if (!parse_integer(trim(inner.substr(comma + 1)), &horizon) || horizon < 2) {
      fail(formula, "the second argument of error_area is a number of iterations, at least 2");
    }
    term.horizon = horizon;
    inner = inner.substr(0, comma);
  }
  term.label = std::string(trim(inner));
  if (term.label.empty()) fail(formula, fmt::format("'{}' names no algorithm", text));
  return term;
}

// The quotient of two factors; bounds must have a finite logarithm.
double quotient(const std::string& formula, double above, double below) {
  const double ratio = above / below;
  if (!std::isfinite(ratio) || !(ratio > 0)) {
    fail(formula, fmt::format("the factors make a ratio of {:g} / {:g}, which is no finite number "
                              "greater than 0",
                              above, below));
  }
  return ratio;
}

// "left < right" with subject on the left: subject / base < right.factor / left.factor.
void bound(const std::string& formula, const Term& subject, const Term& base, bool less,
           ClaimFormula* claim) {
  if (subject.measure != base.measure || subject.horizon != base.horizon) {
    fail(formula, "both sides must use the same measure");
  }
  if (subject.label == base.label) fail(formula, "both sides name the same algorithm");
  const double ratio = quotient(formula, base.factor, subject.factor);
  (less ? claim->high : claim->low) = ratio;
}

ClaimFormula parse_ratio(const std::string& text) {
  std::vector<Term> terms;
  std::string relations;
  const std::string_view all = text;
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = all.find_first_of("<>", begin);
    terms.push_back(parse_term(text, all.substr(begin, std::min(end, all.size()) - begin)));
    if (end == std::string::npos) break;
    relations += text[end];
    begin = end + 1;
  }
  if (terms.size() != 2 && terms.size() != 3) fail(text, "needs one '<' or '>', or two '<'");
  if (terms.size() == 3 && relations != "<<") fail(text, "a two-sided claim is written with '<'");

  ClaimFormula claim;
  const std::size_t subject = terms.size() == 2 ? 0 : 1;
  const Term& base = terms.back();
  bound(text, terms[subject], base, relations.back() == '<', &claim);
  if (terms.size() == 3) {
    if (!terms[0].same_quantity(base)) fail(text, "the outer sides must be the same quantity");
    bound(text, terms[subject], terms[0], false, &claim);
    if (!(claim.low < claim.high)) fail(text, "the lower bound is not below the upper one");
  }
  claim.measure = base.measure;
  claim.subject = terms[subject].label;
  claim.base = base.label;
  claim.horizon = base.horizon;
  claim.statistic = base.measure.starts_with("error_") ? "ratio of means" : "geometric mean";
  return claim;
}

// ---- shares ------------------------------------------------------------------------------------

double parse_share(const std::string& formula, std::string_view text) {
  double share = 0;
  if (!parse_real(trim(text), &share) || !(share > 0) || !(share < 1)) {
    fail(formula, fmt::format("'{}' is no share: a number above 0 and below 1", trim(text)));
  }
  return share;
}

// What stands in the brackets of share(...): "m(A) < 0.9 * m(B)". With '>' the sides change places.
ClaimFormula parse_compared(const std::string& formula, const std::string& inner) {
  ClaimFormula claim = parse_ratio(inner);
  if (claim.measure.starts_with("error_")) fail(formula, "shares are of counts and times");
  const bool less = std::isfinite(claim.high);
  if (less && claim.low > 0) fail(formula, "share(...) holds one '<' or '>'");
  claim.below = less ? claim.high : quotient(formula, 1, claim.low);
  if (!less) std::swap(claim.subject, claim.base);
  claim.statistic = kShareBelow;
  return claim;
}

// "share(m(A) < m(B)) > 0.5", "0.4 < share(m(A) < m(B)) < 0.6"; `begin` is the place of "share".
ClaimFormula parse_share_claim(const std::string& text, std::size_t begin) {
  const std::size_t open = text.find('(', begin);
  std::size_t close = open;
  for (int depth = 0; close < text.size(); ++close) {
    depth += text[close] == '(' ? 1 : text[close] == ')' ? -1 : 0;
    if (depth == 0) break;
  }
  if (close >= text.size()) fail(text, "share( is not closed");
  ClaimFormula claim = parse_compared(text, text.substr(open + 1, close - open - 1));
  claim.low = 0;
  claim.high = std::numeric_limits<double>::infinity();
  const std::string_view all = text;
  std::string_view before = trim(all.substr(0, begin));
  const std::string_view after = trim(all.substr(close + 1));
  if (after.empty() || (after[0] != '<' && after[0] != '>')) {
    fail(text, "share(...) is followed by '<' or '>' and a number");
  }
  (after[0] == '<' ? claim.high : claim.low) = parse_share(text, after.substr(1));
  if (!before.empty()) {
    if (before.back() != '<' || after[0] != '<')
      fail(text, "a two-sided claim is written with '<'");
    before.remove_suffix(1);
    claim.low = parse_share(text, before);
    if (!(claim.low < claim.high)) fail(text, "the lower bound is not below the upper one");
  }
  return claim;
}

// Where "share(" begins, or npos.
std::size_t find_share(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\n<>0123456789.eE+-");
  if (begin == std::string::npos || text.compare(begin, 5, "share") != 0) return std::string::npos;
  const std::size_t bracket = text.find_first_not_of(" \t\n", begin + 5);
  return bracket != std::string::npos && text[bracket] == '(' ? begin : std::string::npos;
}

}  // namespace

void check_measure(const std::string& measure) {
  const std::vector<std::string> names(kMeasures.begin(), kMeasures.end());
  if (std::find(names.begin(), names.end(), measure) != names.end()) return;
  throw Error(ErrorCode::kUsage, fmt::format("unknown measure '{}'; nearest: '{}'", measure,
                                             nearest_match(measure, names)));
}

ClaimFormula parse_claim_formula(const std::string& text) {
  const std::size_t share = find_share(text);
  return share == std::string::npos ? parse_ratio(text) : parse_share_claim(text, share);
}

void set_statistic(const std::string& statistic, ClaimFormula* claim) {
  const std::vector<std::string> names(kStatistics.begin(), kStatistics.end());
  if (std::find(names.begin(), names.end(), statistic) == names.end()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("'statistic' must be one of {}, not '{}'; nearest: '{}'",
                            fmt::join(names, ", "), statistic, nearest_match(statistic, names)));
  }
  if ((statistic == kShareBelow) != (claim->statistic == kShareBelow)) {
    throw Error(ErrorCode::kUsage,
                fmt::format("the statistic '{}' does not go with the formula: '{}' and formulas "
                            "share(m(A) < m(B)) > 0.5 belong together",
                            statistic, kShareBelow));
  }
  if (claim->measure.starts_with("error_") && statistic != claim->statistic) {
    throw Error(ErrorCode::kUsage,
                fmt::format("the statistic of '{}' is '{}', not '{}': errors may be 0",
                            claim->measure, claim->statistic, statistic));
  }
  claim->statistic = statistic;
}

}  // namespace playproof
