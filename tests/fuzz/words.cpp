// Goals, sizes and numbers of the command line, formulas of claims.
#include "games/spec.h"
#include "host/solver.h"
#include "src/command_options.h"
#include "src/plan.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace playproof;
  const std::string text = fuzz::text_of(data, size);
  fuzz::reads([&] {
    const Goal goal = parse_goal(text);
    if (parse_goal(goal.text).threshold != goal.threshold) fuzz::broken("goal " + goal.text);
  });
  fuzz::reads([&] {
    if (parse_size("size", text) == 0) fuzz::broken("a size of nothing: " + text);
  });
  fuzz::reads([&] {
    const std::uint64_t number = read_integer("number", text, 5, 1000);
    if (number < 5 || number > 1000) fuzz::broken("out of range: " + text);
  });
  fuzz::reads([&] {
    const ClaimFormula formula = parse_claim_formula(text);
    if (!(formula.low < formula.high)) fuzz::broken("an empty range: " + text);
  });
  double real = 0;
  if (parse_real(text, &real) && real != real) fuzz::broken("not a number: " + text);
  return 0;
}
