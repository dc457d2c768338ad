#include "games/list.h"

namespace playproof {

const Catalogue& game_catalogue() {
  static const Catalogue catalogue = [] {
    Catalogue games{"game", {}};
    AllGames::for_each([&]<class Entry>() { games.entries.push_back(Entry::info()); });
    return games;
  }();
  return catalogue;
}

}  // namespace playproof
