// Runs and their rows as text, for who makes runs elsewhere: one JSON object each, all fields by
// name. What is written is read back as the same value.
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
MadeRun read_made_run(std::string_view text);

// Throws Error(kData), naming the column, if a row says that something else was asked, or has no
// verdict that there is.
void check_answers(const RunRow& row, const PlannedRun& asked);

}  // namespace playproof
