// Checks a certificate (docs/certificate.md) in one pass over its lines.
#pragma once

#include <cstdio>
#include <optional>
#include <string>

#include "src/check/paths.h"
#include "src/check/proof.h"

namespace playproof::check {

// What the certificate must be a proof of; what is not given is not asked.
struct Asked {
  std::optional<std::string> game, position, goal, verdict;
};

struct Report {
  Status status = kValid;
  std::string error;              // why it is not valid,
  std::uint64_t line_number = 0;  // and where
  // What a valid certificate proves. The verdict is proved or disproved; for the goal `value` win,
  // draw or loss; for `score` the number.
  std::string game, position, goal, attacker, verdict;
  std::string best_move;  // of the proof of the lower bound; empty if none is needed or there
  Counts counts;
};

// Throws nothing but std::bad_alloc.
Report check(std::FILE* file, bool compressed, const Asked& asked, const Limits& limits = {});

}  // namespace playproof::check
