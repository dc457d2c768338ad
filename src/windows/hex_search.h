// The search that a window of Hex has begun, about the position on its board, and what can be said
// of it.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "src/windows/hex_board.h"
#include "src/windows/thinking.h"

namespace playproof {

// A cell as the board has it on which the stones were set up.
std::string cell_shown(const std::string& cell, const SetUp& at);

class HexSearch {
 public:
  // `options` must outlive it.
  explicit HexSearch(const ThinkingOptions& options) : options_(options) {}

  // Whether this player (none: whose turn the stones say), to move, wins. Throws Error(kData) if no
  // play leads there, and what IdleSearch does.
  void begin(const HexBoard& board, std::optional<Player> player);
  // The same, unless that is being searched for.
  void go_on(const HexBoard& board, std::optional<Player> player);
  void forget();
  bool begun() const { return search_.has_value(); }

  // Searches until it ends, or `stopped`; true if it goes on. After an error it is forgotten, and
  // the next function below throws that.
  bool work(const std::function<bool()>& stopped);

  // These tell of the search that has begun, else they throw Error(kData).
  Player asker() const;  // as the board names the players
  // If a player is named, it must be the one who asks.
  void check_asker(std::optional<Player> player) const;
  std::string algorithm() const;
  std::optional<Player> winner() const;  // none while that is not decided
  std::string status() const;
  std::string line() const;           // both sides' best moves
  std::string zone() const;           // what the proof needs
  std::string proof_numbers() const;  // "a1 12/30 b2 win"
  // "a1 W b2 L c3 30:12": moves that win, lose, else phi and delta of the position after them, as
  // programs of benzene write them.
  std::string bounds() const;
  // The line and the bounds as HexGui draws them while it waits for a reply.
  std::string picture() const;

 private:
  using PairForm = std::function<std::string(const std::string& pn, const std::string& dn)>;

  void begin(const std::string& game, const SetUp& at);
  const IdleSearch& search() const;
  std::string shown(const std::string& cell) const { return cell_shown(cell, asked_); }
  std::string bounds_as(const PairForm& pair) const;

  const ThinkingOptions& options_;
  std::optional<IdleSearch> search_;
  SetUp asked_;
  Player asker_ = Player::kFirst;
  std::string trouble_;  // that ended it
};

}  // namespace playproof
