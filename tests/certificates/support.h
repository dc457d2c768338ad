// What the tests of certificates share: certificates as texts, checked in this process.
#pragma once

#include <string>
#include <vector>

#include "host/certificate.h"
#include "src/check/check.h"
#include "tests/host/support.h"

namespace playproof {

class TextSink final : public ByteSink {
 public:
  void write(std::string_view bytes) override { text_ += bytes; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Solves and writes; the question must be decidable. *result may be null.
std::string certificate_of(SolveRequest request, SolveResult* result = nullptr);

check::Report check_text(const std::string& text, const check::Asked& asked = {},
                         bool compressed = false);

// The lines without the checksum line, and a text of lines with a good one.
std::vector<std::string> lines_of(const std::string& certificate);
std::string sealed(const std::vector<std::string>& lines);

// Brute force with the reference rules: is what the report says of its question the truth?
bool is_true(const check::Report& report);

}  // namespace playproof
