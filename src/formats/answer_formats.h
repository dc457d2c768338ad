// Answers as other programs read them: OBF, GGF, SGF (docs/formats.md).
#pragma once

#include <cstdint>
#include <string>

#include "src/io/solve_result.h"

namespace playproof {

enum class AnswerFormat : std::uint8_t { kText, kObf, kGgf, kSgf };

// "text", "obf", "ggf", "sgf". Throws Error(kUsage).
AnswerFormat parse_answer_format(const std::string& text);
// Throws Error(kUsage) if positions of this game cannot be written so.
void check_answer_format(AnswerFormat format, const std::string& game);

// The position, and of the result what is proven; several lines at most, no line end after the
// last. The format reads back as that position; `mirrored`, as Record has it, is undone where it is
// written. Black is who joins top and bottom, whatever a record calls the players; a position of
// Hex in which Black passed first reads back as the mirror (Record::mirrored), as its file has
// White begin. Not of kText.
std::string answer_in(AnswerFormat format, const SolveAnswer& answer, bool mirrored = false);

}  // namespace playproof
