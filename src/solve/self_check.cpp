#include "src/solve/self_check.h"

#include <algorithm>
#include <string>
#include <vector>

#include "games/core/error.h"
#include "games/core/reference_of.h"
#include "games/list.h"
#include "host/archive/spool.h"
#include "src/check/check.h"
#include "src/check/paths.h"

namespace playproof {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::kInternal, "selfcheck: " + what);
}

struct End {
  int value = 0;  // for the side to move at the beginning
  bool at_once = false;
};

// Where the line leads by the reference rules. It also ends where a position comes again, since
// whatever the rules make of that, the game is decided there.
End played_out(const Solver& solver, const std::string& position,
               const std::vector<std::string>& line) {
  return visit_game(solver.game(), [&]<class G>(const typename G::Rules& fast_rules) {
    using Ref = typename ReferenceOf<G>::Type;
    const auto rules = ReferenceOf<G>::rules(fast_rules);
    auto state = ReferenceOf<G>::state(fast_rules, GameText<G>::parse(fast_rules, position));
    const Player attacker = Ref::to_move(rules, state);
    const bool at_once = Ref::finished(rules, state);
    std::vector<decltype(state)> before;
    Player mover = attacker;
    for (const std::string& move : line) {
      before.push_back(state);
      mover = Ref::to_move(rules, state);
      if (!ref_play_named<Ref>(rules, move, &state)) {
        refuse("'" + move + "' of the line is not a legal move");
      }
    }
    if constexpr (check::kRepeats<Ref>) {
      if (std::find(before.begin(), before.end(), state) != before.end()) {
        return End{value_for(attacker, Ref::repeated(rules, mover)), at_once};
      }
    }
    if (!Ref::finished(rules, state)) refuse("the line stops before the game is over");
    return End{value_for(attacker, Ref::value(rules, state)), at_once};
  });
}

bool ends_as_it_says(const Goal& goal, const SolveResult& result, int value) {
  if (goal.kind == Goal::Kind::kThreshold) {
    return (value >= goal.threshold) == (result.verdict == Verdict::kProved);
  }
  if (goal.kind == Goal::Kind::kValue) value = (value > 0) - (value < 0);
  return value == result.lower;
}

// Must an answer name a move?
bool has_move(const Goal& goal, const SolveResult& result) {
  if (goal.kind == Goal::Kind::kThreshold) return result.verdict == Verdict::kProved;
  return goal.kind == Goal::Kind::kScore || result.lower >= 0;
}

void check_move(const Solver& solver, const std::string& position, const std::string& proven) {
  const Goal goal = parse_goal(solver.goal());
  const SolveResult result = solver.result();
  const std::vector<std::string>& line = result.principal_variation;
  const End end = played_out(solver, position, line);
  if (!ends_as_it_says(goal, result, end.value))
    refuse("the line does not end as the verdict says");
  if (result.best_move.has_value() != (!end.at_once && has_move(goal, result))) {
    refuse(result.best_move ? "a best move where there can be none" : "there is no best move");
  }
  if (!result.best_move) return;
  if (line.empty() || line[0] != *result.best_move) refuse("the line lacks the best move");
  if (!proven.empty() && proven != *result.best_move) {
    refuse("the best move is " + *result.best_move + ", but the proof plays " + proven);
  }
}

}  // namespace

void check_certificate(Solver& solver, const std::string& position, const std::string& verdict) {
  Spool certificate;
  solver.write_certificate(certificate);
  const check::Asked asked{solver.game(), position, solver.goal(), verdict};
  const check::Report report = check::check(certificate.rewound(), false, asked);
  if (report.status != check::kValid) {
    refuse("the certificate of the verdict '" + verdict + "' is refused, line " +
           std::to_string(report.line_number) + ": " + report.error);
  }
  check_move(solver, position, report.best_move);
}

void TreeGuard::look(const Solver& solver) {
  const std::uint64_t iterations = solver.result().counters.iterations;
  if (iterations < next_) return;
  solver.self_check();
  next_ = iterations + iterations / 2 + 1;
}

}  // namespace playproof
