#include "games/list.h"

namespace playproof {

const Catalogue& game_catalogue() {
  static const Catalogue catalogue = AllGames::catalogue();
  return catalogue;
}

}  // namespace playproof
