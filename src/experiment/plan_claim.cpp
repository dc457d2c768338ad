// The formulas of claims: a comparison of one measure between two algorithms.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "games/core/error.h"
#include "games/core/spec.h"
#include "src/experiment/plan.h"

namespace playproof {
namespace {

constexpr std::array kMeasures = {"iterations",      "iterations_normalised", "nodes_created",
                                  "nodes_expanded",  "evaluations",           "playouts",
                                  "max_depth",       "node_visits",           "re_entries",
                                  "branch_switches", "root_switches",         "shallow_switches",
                                  "endings",         "ending_nodes",          "table_lookups",
                                  "table_hits",      "table_useful_hits",     "table_stored",
                                  "table_replaced",  "table_discarded",       "peak_bytes",
                                  "seconds",         "cpu_seconds",           "error_area",
                                  "error_rise"};

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1);
}

[[noreturn]] void fail(const std::string& formula, const std::string& why) {
  throw Error(ErrorCode::kUsage,
              fmt::format("formula '{}': {}; expected e.g. 'iterations(A) < 0.5 * iterations(B)' "
                          "or '0.5 * nodes_created(B) < nodes_created(A) < 2 * nodes_created(B)'",
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

// "left < right" with subject on the left: subject / base < right.factor / left.factor.
void bound(const std::string& formula, const Term& subject, const Term& base, bool less,
           ClaimFormula* claim) {
  if (subject.measure != base.measure || subject.horizon != base.horizon) {
    fail(formula, "both sides must use the same measure");
  }
  if (subject.label == base.label) fail(formula, "both sides name the same algorithm");
  const double ratio = base.factor / subject.factor;
  (less ? claim->high : claim->low) = ratio;
}

}  // namespace

void check_measure(const std::string& measure) {
  const std::vector<std::string> names(kMeasures.begin(), kMeasures.end());
  if (std::find(names.begin(), names.end(), measure) != names.end()) return;
  throw Error(ErrorCode::kUsage, fmt::format("unknown measure '{}'; nearest: '{}'", measure,
                                             nearest_match(measure, names)));
}

ClaimFormula parse_claim_formula(const std::string& text) {
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
  return claim;
}

}  // namespace playproof
