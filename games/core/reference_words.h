// Options of games whose values are words, as the reference rules read and write them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "games/core/reference_text.h"

namespace playproof {

// The words with one blank between two: value 0 is the first. It is what is not given.
struct RefWordOption {
  const char* name;
  const char* words;
};
// A base of reference rules R whose options are R::kWordOptions: "loa:size=8,both=draw".
template <class R>
struct RefOptionsOfWords {
  static bool read_game(std::string_view text, std::vector<std::uint64_t>* values) {
    const RefWords parts = ref_split(text, ":,");
    if (parts.empty() || parts[0] != R::kName) return false;
    values->assign(std::size(R::kWordOptions), 0);
    return std::all_of(parts.begin() + 1, parts.end(), [&](std::string_view part) {
      for (std::size_t k = 0; k < values->size(); ++k) {
        const std::string name = R::kWordOptions[k].name + std::string("=");
        if (!part.starts_with(name)) continue;
        const RefWords words = ref_split(R::kWordOptions[k].words, " ");
        const auto found = std::find(words.begin(), words.end(), part.substr(name.size()));
        (*values)[k] = static_cast<std::uint64_t>(found - words.begin());
        return found != words.end();
      }
      return false;
    });
  }
  static std::string game_text(const std::vector<std::uint64_t>& values) {
    std::string text = R::kName;
    for (std::size_t k = 0; k < values.size(); ++k) {
      text += k == 0 ? ':' : ',';
      text += R::kWordOptions[k].name;
      text += '=';
      text += ref_split(R::kWordOptions[k].words, " ")[values[k]];
    }
    return text;
  }
};

}  // namespace playproof
