#include "certified.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

namespace playproof {

check::Report check_text(const std::string& text, const check::Asked& asked, bool compressed) {
  std::string copy = text + '\0';  // fmemopen wants at least one byte
  std::FILE* file = fmemopen(copy.data(), std::max<std::size_t>(text.size(), 1), "rb");
  EXPECT_NE(file, nullptr);
  if (text.empty()) std::fgetc(file);  // nothing is left
  const check::Report report = check::check(file, compressed, asked);
  std::fclose(file);
  return report;
}

check::Report expect_certified(Solver& solver, const SolveRequest& request,
                               const SolveResult& result, std::string* text) {
  TextSink sink;
  solver.write_certificate(sink);
  std::string verdict = to_string(result.verdict);
  if (request.goal == "value") {
    verdict = result.lower > 0 ? "win" : result.lower < 0 ? "loss" : "draw";
  }
  if (request.goal == "score") verdict = std::to_string(result.lower);
  const check::Report report =
      check_text(sink.text(), {request.game, request.position, request.goal, verdict});
  EXPECT_EQ(report.status, check::kValid)
      << report.error << " in line " << report.line_number << " of\n"
      << sink.text().substr(0, 4000);
  if (!report.best_move.empty() && (request.goal != "value" || result.lower >= 0)) {
    EXPECT_EQ(result.best_move, report.best_move) << "the proof plays another move";
  }
  if (text != nullptr) *text = sink.text();
  return report;
}

}  // namespace playproof
