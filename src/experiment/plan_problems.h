// The problems of one series: P-game trees by number, positions written in the plan, or the rows of
// a data file.
#pragma once

#include <string>

#include "src/experiment/plan.h"
#include "src/experiment/plan_table.h"

namespace playproof {

// Replaces every "{name}" by its value. Throws Error(kUsage) for an unknown name or a brace that is
// not closed.
std::string substitute(const std::string& text, const Substitutions& values);

// Reads the keys that say which problems there are; those with an error are left out. `directory`:
// of the plan, for positions_file.
void read_problems(PlanTable& table, const std::string& directory, PlanSeries* series);

}  // namespace playproof
