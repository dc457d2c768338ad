// What `playproof connect6-engine` plays: a win by threats if there is one, else the most promising
// turn that leaves the other side none.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "games/connect/rules.h"

namespace playproof {

struct ConnectChoice {
  std::vector<Move> stones;  // of the turn; none if the game is over
  bool proven = false;       // threats alone win, whatever the other side plays
};

// A player of Connect6 on 19 x 19.
class ConnectPlayer {
 public:
  ConnectPlayer();
  ~ConnectPlayer();
  ConnectPlayer(const ConnectPlayer&) = delete;
  ConnectPlayer& operator=(const ConnectPlayer&) = delete;

  const Connect<6>::Rules& rules() const;
  // Looks at so many pairs of stones for a win (games/connect/vcdt.h), at a tenth of them for each
  // win of the other side; 0: wins by threats are not looked for. Returns the best so far if
  // `stopped`.
  ConnectChoice choose(const Connect<6>::State& state, std::uint64_t work,
                       const std::function<bool()>& stopped);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace playproof
