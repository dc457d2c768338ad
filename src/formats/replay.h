// Moves of a record, played under the rules: colours, passes that are not written, swaps of Hex.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "games/core/game.h"
#include "host/solve/position.h"
#include "src/formats/record.h"

namespace playproof {

// The cell with column and row exchanged: "c1" is "a3".
std::string mirrored_cell(std::string_view cell);

// Stones that lie on a board, in any order.
struct Stones {
  std::vector<std::string> of[2];  // cells as moves of the game, by player
};

// The position in which the stones lie and the player is to move (none: who it must be), as
// --position has it; only of Hex may `mirrored` become true. Throws Error(kData) if no play leads
// there.
struct SetUp {
  std::string position;
  bool mirrored = false;
};
SetUp set_up_stones(const std::string& game, const Stones& stones, std::optional<Player> to_move);

class Replay {
 public:
  // From a position (as --position has it; mirrored: as Record has it). Throws Error.
  explicit Replay(const std::string& game, const std::string& position = "", bool mirrored = false);

  // A move of `player` (none: of whoever is to move), as the game writes it. Of Othello also the
  // other names of a pass, and a pass that is left out is put in; of Hex also `swap-pieces` and
  // `swap-sides` after the first move. Throws RecordError.
  void play(std::optional<Player> player, std::string_view move, const Place& place);

  const AnyPosition& position() const { return *position_; }
  Player to_move() const;  // as the record names the players
  bool mirrored() const { return mirrored_; }
  Record record() const;

 private:
  void swap(const std::string& word, const Place& place);

  std::unique_ptr<AnyPosition> position_;
  std::string start_;
  std::size_t stones_ = 0;  // of Hex: in all
  bool hex_ = false;
  bool othello_ = false;
  bool mirrored_ = false;
  bool swapped_ = false;
};

}  // namespace playproof
