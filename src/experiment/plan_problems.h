// The problems of one series: P-game trees by number, positions written in the plan, or the rows of
// a data file.
#pragma once

#include <map>
#include <string>

#include "src/experiment/plan.h"
#include "src/experiment/plan_table.h"

namespace playproof {

using Substitutions = std::map<std::string, std::string>;

// Replaces every "{name}" by its value. Throws Error(kUsage) for an unknown name or a brace that is
// not closed.
std::string substitute(const std::string& text, const Substitutions& values);

// Reads the keys that say which problems there are. `directory`: of the plan, for positions_file.
void read_problems(PlanTable& table, const std::string& directory, PlanSeries* series);

// Runs `read` and gives an Error that it throws the place of `key` in the plan.
template <class Read>
auto at_place(const PlanTable& table, const std::string& key, const Read& read) {
  try {
    return read();
  } catch (const std::runtime_error& error) {
    table.fail_at(key, error.what());
  }
}

}  // namespace playproof
