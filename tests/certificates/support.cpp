#include "tests/certificates/support.h"

#include <map>
#include <sstream>

#include "host/proof/certificate.h"

namespace playproof {

std::string certificate_of(SolveRequest request, check::Report* report) {
  request.certificate = true;
  const auto solver = make_solver(request);
  const SolveResult result = finish(*solver);
  std::string text;
  const check::Report checked = expect_certified(*solver, request, result, &text);
  if (report != nullptr) *report = checked;
  return text;
}

std::vector<std::string> lines_of(const std::string& certificate) {
  std::istringstream in(certificate);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  lines.pop_back();
  return lines;
}

std::string sealed(const std::vector<std::string>& lines) {
  TextSink sink;
  CertificateSink certificate(sink);
  for (const std::string& line : lines) certificate.write(line + "\n");
  certificate.finish();
  return sink.text();
}

bool is_true(const check::Report& report) {
  static std::map<std::string, int> known;
  const std::string key = report.game + "|" + report.position;
  if (!known.contains(key)) known[key] = truth(report.game, report.position).value;
  const int value = known[key];
  if (report.goal == "score") return report.verdict == std::to_string(value);
  if (report.goal == "value")
    return report.verdict == (value > 0 ? "win" : value < 0 ? "loss" : "draw");
  return report.verdict == (value >= threshold_of(report.goal) ? "proved" : "disproved");
}

}  // namespace playproof
