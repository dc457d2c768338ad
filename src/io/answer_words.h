// What an answer says, as a sentence for people. It says no more than verdict, value or score do.
#pragma once

#include <string>

#include "src/io/solve_result.h"

namespace playproof {

// "White to move loses: Black wins, whatever White plays. The proof has 4,921 nodes." The players
// have their names in the game (games/words.h). A finished position says how it has ended, an
// undecided question what is known and what came first. The nodes are those of the certificate, if
// one was written. Throws Error as make_position() does.
std::string answer_words(const SolveAnswer& answer);

}  // namespace playproof
