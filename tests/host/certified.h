// Every verdict of the tests has a certificate that playproof-check accepts.
#pragma once

#include <string>
#include <string_view>

#include "host/proof/certificate.h"
#include "host/solve/solver.h"
#include "src/check/check.h"

namespace playproof {

class TextSink final : public ByteSink {
 public:
  void write(std::string_view bytes) override { text_ += bytes; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Runs the core of playproof-check in this process. compressed: the text is one zstd frame.
check::Report check_text(const std::string& text, const check::Asked& asked = {},
                         bool compressed = false);

// Writes the certificate of a decided question, whose request asked for one, and expects that it is
// accepted as a proof of just that, by the move that the result names. Returns its text in *text,
// which may be null.
check::Report expect_certified(Solver& solver, const SolveRequest& request,
                               const SolveResult& result, std::string* text = nullptr);

}  // namespace playproof
