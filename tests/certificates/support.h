// What the tests of certificates share: certificates as texts, checked in this process.
#pragma once

#include <string>
#include <vector>

#include "src/check/check.h"
#include "tests/host/certified.h"
#include "tests/host/support.h"

namespace playproof {

// Solves and writes; the question must be decidable, and the certificate must be good.
// *report may be null: what the checker said.
std::string certificate_of(SolveRequest request, check::Report* report = nullptr);

// The lines without the checksum line, and a text of lines with a good one.
std::vector<std::string> lines_of(const std::string& certificate);
std::string sealed(const std::vector<std::string>& lines);

// Brute force with the reference rules: is what the report says of its question the truth?
bool is_true(const check::Report& report);

}  // namespace playproof
