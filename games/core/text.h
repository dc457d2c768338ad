// Text forms of rules and positions, host only. Each game has its own games/<game>/text.h;
// games/list.h finds the type that a spec names. Formats: docs/positions.md:
//   hex, connect6  a move list ("b2 c3"; connect6 "JJ KI JH", also ";B[JJ];W[KI];W[JH]"); hex
//                  also with passes and the side to move ("b4 -- b5 :W")
//   othello        N*N characters of X O - from a1 by rows, a space, the side to move; then an
//                  optional move list is NOT accepted
//   pgame          branch numbers from the root ("0 1 1")
// An empty text is the initial position.
#pragma once

#include <string>
#include <string_view>

#include "games/core/game.h"
#include "games/core/spec.h"

namespace playproof {

// One specialisation a game type:
//   static typename G::Rules rules(const Options& options);
//       Throws Error(kUsage) for combinations that the option table cannot express.
//   static std::string canonical(const typename G::Rules& rules);
//       The spec that names these rules, e.g. "hex:size=5" ("hex:rows=3,columns=4" if not square).
//   static typename G::State parse(const typename G::Rules& rules, std::string_view text);
//       Throws Error(kData) with the offset (0-based, "at offset 3") of the first thing wrong.
//   static std::string format(const typename G::Rules& rules, const typename G::State& state);
//       A text that parse() reads back to an equal state (games whose state forgets the order of
//       the moves write them in ascending order). P-games cannot: format() describes the node.
//   static std::string move_text(const typename G::Rules& rules, Move move);
//   static Move parse_move(const typename G::Rules& rules, std::string_view text);
//       kNoMove if it is no move text at all. Legality is not checked.
//   static bool sets_up(std::string_view text);
//       Of a game that has positions which no play leads to: is the text of the form for them?
//       Certificates of such texts are of version 5.
//   static BoardView board(const typename G::Rules& rules, const typename G::State& state);
//       Of a game with a board: what a picture shows (games/core/board_picture.h).
template <class G>
struct GameText;

// How rules and positions are written in certificates (docs/certificate.md, "Games"): the rules
// with every option; a position as one word that shows the board. A game whose state does not know
// its path (P-games) has no append(): its positions are paths there.
//   static std::string game(const typename G::Rules& rules);
//   static void append(const typename G::Rules& rules, const typename G::State& s, std::string*
//   out);
// and of a connection game the pattern of a card (docs/certificate.md, "Cards"):
//   static void append_pattern(const typename G::Rules& rules, Player prover,
//                              const Zone<G>& needed, const Zone<G>& zone, std::string* out);
template <class G>
struct CertificateText;

}  // namespace playproof
