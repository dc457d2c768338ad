// Certificates of Hex that tests write by hand, line by line.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/certificates/support.h"

namespace playproof {

using Lines = std::vector<std::string>;

// The header and the claim of Hex; `verdict` is proved or disproved.
inline Lines header(const std::string& game, const std::string& position,
                    const std::string& verdict, const std::string& version = "2") {
  const std::size_t moves = words_of(position).size();
  return {"playproof-certificate " + version,
          "game hex:" + game,
          "rules 1",
          position.empty() ? "position" : "position " + position,
          "goal win",
          std::string("attacker ") + (moves % 2 == 0 ? "first" : "second"),
          "claim >=1 " + verdict};
}
inline Lines operator+(Lines a, const Lines& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}
// With one line replaced; the first that begins with `begin`.
inline Lines with(Lines lines, const std::string& begin, const std::string& line) {
  for (std::string& each : lines) {
    if (!each.starts_with(begin)) continue;
    each = line;
    return lines;
  }
  ADD_FAILURE() << "no line " << begin;
  return lines;
}

inline void expect_valid(const Lines& lines, const std::string& best_move = "") {
  const check::Report report = check_text(sealed(lines));
  EXPECT_EQ(report.status, check::kValid) << report.error << " in line " << report.line_number;
  EXPECT_EQ(report.best_move, best_move);
  EXPECT_TRUE(is_true(report));
}
inline void expect_refused(const Lines& lines, const std::string& why,
                           check::Status status = check::kNotProof) {
  const check::Report report = check_text(sealed(lines));
  EXPECT_EQ(report.status, status) << report.error;
  EXPECT_NE(report.error.find(why), std::string::npos) << report.error << ", expected " << why;
}

}  // namespace playproof
