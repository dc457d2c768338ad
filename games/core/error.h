// The one exception type of the project. Its code is the exit status that the command line
// promises.
#pragma once

#include <stdexcept>
#include <string>

#include "games/core/printable.h"

namespace playproof {

enum class ErrorCode : int {
  kUsage = 64,  // unknown name, key or option; value out of range
  kData = 65,   // position, plan, store, certificate or checkpoint; a file that cannot be read
  kUnavailable = 69,  // a backend that this build or this machine does not have
  kInternal = 70,     // a broken invariant: a bug of ours
  kOutput = 74,       // output could not be written
};

// The text names the input, says what would be right and, for files, ends with the place:
// "hex: size must be 2..19, not 25", "plan.toml:12: unknown key 'sead'; nearest: 'seed'". It stays
// one line of ASCII whatever was written: other bytes become \xNN.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& text)
      : std::runtime_error(printable(text)), code_(code) {}
  ErrorCode code() const { return code_; }
  int exit_status() const { return static_cast<int>(code_); }

 private:
  ErrorCode code_;
};

}  // namespace playproof
