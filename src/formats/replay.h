// Moves of a record, played under the rules: colours, passes that are not written. Hex has a replay
// of its own (src/formats/hex_game.h).
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "games/core/game.h"
#include "host/solve/position.h"
#include "src/formats/record.h"

namespace playproof {

// Stones that lie on a board, in any order.
struct Stones {
  std::array<std::vector<std::string>, 2> of;  // cells as moves of the game, by player
};

// The position in which the stones lie and the player is to move (none: who it must be), as
// --position has it; only of Hex may `mirrored` become true. Throws Error(kData) if no play leads
// there, but of Hex, where any stones may lie, and if a cell holds two.
struct SetUp {
  std::string position;
  bool mirrored = false;
};
SetUp set_up_stones(const std::string& game, const Stones& stones, std::optional<Player> to_move);

class Replay {
 public:
  // Begins at a position, as --position has it. Throws Error.
  explicit Replay(const std::string& game, const std::string& position = "");

  // A move of `player` (none: of whoever is to move), as the game writes it. Of Othello also the
  // other names of a pass, and a pass that is left out is put in. Throws RecordError.
  void play(std::optional<Player> player, std::string_view move, const Place& place);

  const AnyPosition& position() const { return *position_; }
  Player to_move() const { return position_->to_move(); }
  // The stones that lie there. Of Hex and Connect6.
  Stones stones() const;
  Record record() const;

 private:
  std::unique_ptr<AnyPosition> position_;
  std::string start_;
  bool othello_ = false;
  bool boards_ = false;  // a position is written as its board
};

}  // namespace playproof
