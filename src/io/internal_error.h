// What a search threw that is no Error: a fault of ours, or too little memory.
#pragma once

#include <exception>
#include <new>
#include <string>

#include "games/core/error.h"

namespace playproof {

inline constexpr const char* kOutOfMemory =
    "out of memory; a search takes less with --max-memory, in a plan with max_memory of [limits]";
inline constexpr const char* kInternalError = "internal error: ";

// The error as main() would tell it.
inline Error internal_error(const std::exception& error) {
  const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
  return {ErrorCode::kInternal, memory ? kOutOfMemory : kInternalError + std::string(error.what())};
}

}  // namespace playproof
