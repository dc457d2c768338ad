// Whole products of cases in place of samples: `make nightly` sets PLAYPROOF_NIGHTLY.
#pragma once

#include <cstdlib>
#include <string_view>

namespace playproof {

inline bool nightly() {
  const char* text = std::getenv("PLAYPROOF_NIGHTLY");
  return text != nullptr && std::string_view(text) != "0";
}

}  // namespace playproof
