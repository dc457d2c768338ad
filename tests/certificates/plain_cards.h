// The rules of cards once more, on sets of cells and apart from the checker's, each of which can be
// left out; and what cards claim, by exhaustive search. Boards of Hex of at most 64 cells, goal
// `win`, one claim.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "games/hex/reference.h"
#include "tests/certificates/mutants.h"

namespace playproof {

enum class CardRule {
  kAll,             // none is left out
  kLeafWins,        // a card-leaf holds a winning set
  kPairsAreFree,    // the cells of card-pairs are '-'
  kPairsDisjoint,   // no cell is in two pairs
  kPairsWin,        // one of each pair, whichever, makes a winning set
  kMoveIsFree,      // the move of a card-one is a '-'
  kMoverOfCited,    // a card-one does not rest on a card-one
  kNeededCovered,   // needed stones of what is cited are needed
  kZoneCovered,     // the zone of what is cited is part of the zone
  kRepliesCovered,  // a cell in all zones is needed
  kNeededMatches,   // a position has the needed stones
  kZoneMatches,     // the opponent has none in the zone
  kMoverMatches,    // a card-one matches only with the prover to move
  kEveryReply,      // `all` lists every legal move
  kAfterMove,       // a node that is no card is the position after the move
  kLetter,          // the letter is the prover's
  kLives,           // what is cited is above and was not freed
};

struct PlainCard {
  bool is_card = true;
  std::uint64_t needed = 0;
  std::uint64_t zone = 0;
  bool provers = false;    // only with the prover to move
  bool black = false;      // whose stones
  RefHex::State position;  // of what is no card
};

// What a certificate says.
struct PlainVerdict {
  bool accepted = false;
  RefHex::Rules rules;
  RefHex::State root;
  bool black_wins = false;
  std::vector<PlainCard> cards;
};
PlainVerdict judge_plainly(const Sheet& sheet, CardRule left_out = CardRule::kAll);

// Exhaustive search with the reference rules.
class HexTruth {
 public:
  explicit HexTruth(const RefHex::Rules& rules) : rules_(rules) {}
  // Does this side win with these stones of his, these free cells, and all others his opponent's?
  bool wins(bool black, std::uint64_t own, std::uint64_t free, bool to_move);
  // Is what the card says true of every position that it matches?
  bool is_true(const PlainCard& card) {
    return wins(card.black, card.needed, card.zone & ~card.needed, card.provers);
  }
  bool black_wins(const RefHex::State& root);

 private:
  RefHex::Rules rules_;
  std::map<std::tuple<bool, std::uint64_t, std::uint64_t, bool>, bool> known_;
};

}  // namespace playproof
