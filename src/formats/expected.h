// A verdict beside what its record says.
#pragma once

#include <optional>
#include <string>

#include "src/formats/record.h"
#include "src/io/solve_result.h"

namespace playproof {

struct Expected {
  std::string text;  // as verdict_text() says it: "proved", "win", "48"
  // None if the search has not decided it, nor excluded it.
  std::optional<bool> agrees;
  std::string why;  // if it does not agree
};

// Nothing if the file does not answer what was asked.
std::optional<Expected> expected_of(const SolveAnswer& answer, const Record& record);

}  // namespace playproof
