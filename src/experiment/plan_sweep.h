// The sweeps of a [[series]], [[algorithm]] or [[claim]]: one of them for each value of one key,
// for each pair of values of two, or for each list of values of several keys that go together.
#pragma once

#include <vector>

#include "src/experiment/plan_problems.h"
#include "src/experiment/plan_table.h"

namespace playproof {

// The values of `sweep`, in the order of the plan, the last key changing first; one empty set
// without it, none where it has an error. At most 1,000 in all.
std::vector<Substitutions> read_sweeps(PlanTable& table);

}  // namespace playproof
