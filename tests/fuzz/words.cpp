// Goals, sizes and numbers of the command line, formulas of claims.
#include "games/core/spec.h"
#include "host/solve/solver.h"
#include "src/commands/command_options.h"
#include "src/experiment/plan.h"
#include "tests/fuzz/target.h"

namespace playproof::fuzz {

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = text_of(data, size);
  reads([&] {
    const Goal goal = parse_goal(text);
    if (parse_goal(goal.text).threshold != goal.threshold) broken("goal " + goal.text);
  });
  reads([&] {
    if (parse_size("size", text) == 0) broken("a size of nothing: " + text);
  });
  reads([&] {
    const std::uint64_t number = read_integer("number", text, 5, 1000);
    if (number < 5 || number > 1000) broken("out of range: " + text);
  });
  reads([&] {
    const ClaimFormula formula = parse_claim_formula(text);
    if (!(formula.low < formula.high)) broken("an empty range: " + text);
  });
  double real = 0;
  if (parse_real(text, &real) && real != real) broken("not a number: " + text);
  return 0;
}

}  // namespace playproof::fuzz
