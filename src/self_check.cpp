#include "src/self_check.h"

#include "games/error.h"
#include "host/spool.h"
#include "src/check/check.h"

namespace playproof {

void check_certificate(Solver& solver, const std::string& position, const std::string& verdict) {
  Spool certificate;
  solver.write_certificate(certificate);
  const check::Asked asked{solver.game(), position, solver.goal(), verdict};
  const check::Report report = check::check(certificate.rewound(), false, asked);
  if (report.status == check::kValid) return;
  throw Error(ErrorCode::kInternal, "selfcheck: the certificate of the verdict '" + verdict +
                                        "' is refused, line " + std::to_string(report.line_number) +
                                        ": " + report.error);
}

void TreeGuard::look(const Solver& solver) {
  const std::uint64_t iterations = solver.result().counters.iterations;
  if (iterations < next_) return;
  solver.self_check();
  next_ = iterations + iterations / 2 + 1;
}

}  // namespace playproof
