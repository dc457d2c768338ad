// playproof.Result as the other parts of the module make it.
#pragma once

#include <optional>
#include <string>

#include "host/solve/solver.h"
#include "src/io/solve_result.h"

namespace playproof::python {

struct Result {
  SolveAnswer answer;
  SolveRequest request;                // of the search, so that its proof can be had again
  std::optional<std::string> proof;    // the certificate, if it was kept
  bool interrupted = false;            // by KeyboardInterrupt
  std::optional<std::string> failure;  // of the last checkpoint
};

// All that is written, in memory.
class BytesInMemory final : public ByteSink {
 public:
  void write(std::string_view bytes) override { bytes_ += bytes; }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

}  // namespace playproof::python
