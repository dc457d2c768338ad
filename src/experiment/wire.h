// Runs, and what became of them, as text, for who makes runs elsewhere: one JSON object each,
// fields by name. What is written is read back as the same value.
#pragma once

#include <string>
#include <string_view>

#include "src/experiment/made_run.h"
#include "src/experiment/runs.h"

namespace playproof {

std::string to_text(const PlannedRun& run);
std::string to_text(const MadeRun& made);
const char* state_name(MadeRun::State state);  // "result", "stopped", "memory", "failed"

// Throws Error(kData): no JSON (with the byte), a field that lacks, is too many, or whose value is
// of another type or out of range.
PlannedRun read_planned_run(std::string_view text);
// What became of `asked`: of the question its text has only the key. Throws also, naming the
// column, for a row that cannot be that: of another run, with a verdict that there is not, held
// against another value than the plan's, with counts below 0, or with a text of more than 64 KiB.
MadeRun read_made_run(std::string_view text, const PlannedRun& asked);

}  // namespace playproof
