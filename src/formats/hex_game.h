// Hex as records have it: either player may begin, stones lie in any order, swaps, passes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "games/core/game.h"
#include "src/formats/record.h"
#include "src/formats/replay.h"

namespace playproof {

// What a swap does with the first stone.
enum class Swap : std::uint8_t {
  kUnclear,  // the record does not say
  kSides,    // it stays, and the people change places: who swapped moves next
  kPieces    // it changes its colour, on the cell with column and row exchanged
};

// What the word says by itself: "swap-sides", "swap-pieces"; kUnclear of any other.
Swap swap_of(std::string_view word);
bool is_swap(std::string_view word);  // it begins with "swap", in any case

// Black is who joins top and bottom. `white_joins_top`: the record has its letters the other way
// round; players are then handed over, and named in errors, as the record has them.
class HexGame {
 public:
  // Throws Error(kUsage).
  explicit HexGame(const std::string& game, bool white_joins_top = false);

  // A stone on a cell ("b2"), or "pass". `player` (none: of whoever is to move) must be whose turn
  // it is; who is the first of all is not said. Throws RecordError.
  void play(std::optional<Player> player, std::string_view word, const Place& place);
  // The answer to the first stone. Who moves next says what it was; if nobody does, `swap`. Throws
  // RecordError.
  void swap(std::optional<Player> player, std::string_view word, Swap swap, const Place& place);
  // Sets a stone up, or (none) takes what lies there away; whose turn it is then only turn() or the
  // next move says, or the number of stones. Throws RecordError.
  void set_up(std::optional<Player> player, std::string_view cell, const Place& place);
  void turn(Player player, const Place& place);

  // Throws RecordError: the stones are none of a game, a swap is not clear.
  Record record();

 private:
  struct Stone {
    Player player;
    std::string cell;
    Place place;
  };
  struct Pending {
    std::string word;
    Swap swap;
    Player by;
    Place place;
  };

  Player standard(Player player) const { return white_joins_top_ ? opponent(player) : player; }
  const char* name(Player player) const { return player_name(standard(player)); }
  void check_turn(std::optional<Player> player, const Place& place) const;
  void resolve(std::optional<Player> next, const Place& place);
  std::string checked_cell(std::string_view word, const Place& place) const;
  std::vector<Stone>::iterator at(std::string_view cell);
  bool is_in_order() const;
  bool white_began() const;
  std::string played(const std::string& game, bool mirrored) const;
  std::string laid(const std::string& game, bool mirrored) const;

  std::string game_;
  int rows_ = 0;
  int columns_ = 0;
  bool white_joins_top_ = false;
  std::vector<Stone> stones_;  // as they came
  std::optional<Player> to_move_;
  std::optional<Pending> pending_;
  bool swapped_ = false;
  bool set_up_ = false;       // stones lie there that nobody has played
  std::string swapped_cell_;  // where the stone lay that changed its colour
  Place last_;                // of what was said last of stones and turns
};

}  // namespace playproof
