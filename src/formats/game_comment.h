// "# game: hex:size=6": what a comment of a file says its positions are of (docs/formats.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "src/formats/record.h"

namespace playproof {

class GameComment {
 public:
  // Whether the line, with this number, is such a comment; it replaces the one before it. One that
  // is meant so and is not the name of a game is wrong for every position after it.
  bool take(std::string_view line, std::uint64_t number);

  bool present() const { return line_ > 0; }
  std::uint64_t line() const { return line_; }
  // It names no game, whatever comes after it.
  const std::string& bad() const { return bad_; }
  // Why a position after it is none of what was asked for; empty if it may be.
  std::string wrong(const AskedGame& given) const;
  // What a position after it is of, where nothing is wrong.
  const AskedGame& of(const AskedGame& given) const;

 private:
  std::uint64_t line_ = 0;
  std::string spec_;
  std::optional<AskedGame> game_;
  std::string bad_;
};

}  // namespace playproof
