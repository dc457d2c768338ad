// The rules of cards and links once more, on sets of cells and apart from the checker's, each of
// which can be left out; and what cards and links claim, by exhaustive search. Boards of Hex of at
// most 60 cells, goal `win`, one claim.
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
  kLinkIsLink,      // what is cited as a link is no card
  kLinkIsNoCard,    // what is cited as a card, or as a position, is no link
  kOwnEdges,        // an edge that is an end is the prover's
  kCellInPattern,   // the cell of a link-and is '-' or needed
  kCellIsMove,      // a link-and over a '-' is good only with the prover to move
  kHalvesFull,      // the halves of a link-and are good whoever moves
  kHalfEnds,        // they join the ends with the cell
  kStonesTouch,     // without a link, stones do
  kHalvesDisjoint,  // no cell that may still be taken is a '-' of both
  kLinkNeeded,      // needed stones of a link that is cited are the prover's
  kLinkCarrier,     // its '-' are '-' here, or the prover's
  kOrEnds,          // the links of a link-or join its ends
  kOrReplies,       // a cell that all of them need is the prover's
  kLinkCardFull,    // the link of a card is good whoever moves
  kLinkCardEnds,    // it joins the prover's edges
  kFilledAreDead,   // what the opponent has of them in the end is dead
  kEveryIntrusion,  // each of his moves there has an answer
  kFillStones,      // what makes them dead are needed stones, not free cells
  kFillMover,       // a card-fill is good whoever moves only if its card is
};

struct PlainCard {
  bool is_card = true;
  std::uint64_t needed = 0;
  std::uint64_t zone = 0;
  bool provers = false;  // only with the prover to move
  bool black = false;    // whose stones
  bool is_link = false;
  int ends[2] = {};        // of a link: points of PlainPoints
  RefHex::State position;  // of what is neither
};

// The cells of a board, and after them its edges: top, bottom, left, right.
class PlainPoints {
 public:
  explicit PlainPoints(const RefHex::Rules& rules);
  // The edges of this side.
  std::uint64_t edges(bool black) const { return std::uint64_t{black ? 3u : 12u} << cells_; }
  int first_edge(bool black) const { return cells_ + (black ? 0 : 2); }
  bool is_cell(int point) const { return point < cells_; }
  // The points that touch this one.
  std::uint64_t around(int point) const { return around_[static_cast<std::size_t>(point)]; }
  // -1 for a word that names none.
  int named(const std::string& word) const;
  // Is there a way from a to b over these points, both of them among them?
  bool joined(std::uint64_t over, int a, int b) const;

 private:
  RefHex::Rules rules_;
  int cells_;
  std::vector<std::uint64_t> around_;
};

// What a certificate says.
struct PlainVerdict {
  bool accepted = false;
  RefHex::Rules rules;
  RefHex::State root;
  bool black_wins = false;
  std::vector<PlainCard> cards;
  std::vector<PlainCard> links;
};
PlainVerdict judge_plainly(const Sheet& sheet, CardRule left_out = CardRule::kAll);

// Exhaustive search with the reference rules.
class HexTruth {
 public:
  explicit HexTruth(const RefHex::Rules& rules) : rules_(rules), points_(rules) {}
  // Does this side win with these stones of his, these free cells, and all others his opponent's?
  bool wins(bool black, std::uint64_t own, std::uint64_t free, bool to_move);
  // Does this side join two points with these stones of his, these free cells, and all others his
  // opponent's?
  bool joins(bool black, std::uint64_t own, std::uint64_t free, int a, int b, bool to_move);
  // Is what the card or link says true of every position that it matches?
  bool is_true(const PlainCard& card) {
    if (card.is_link) return is_true_link(card);
    return wins(card.black, card.needed, card.zone & ~card.needed, card.provers);
  }
  bool black_wins(const RefHex::State& root);

 private:
  bool is_true_link(const PlainCard& link);

  RefHex::Rules rules_;
  PlainPoints points_;
  std::map<std::tuple<bool, std::uint64_t, std::uint64_t, bool>, bool> known_;
  std::map<std::tuple<bool, std::uint64_t, std::uint64_t, int, int, bool>, bool> known_links_;
};

}  // namespace playproof
