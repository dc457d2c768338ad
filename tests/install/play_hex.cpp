// The rules alone, from the installed headers: how many first moves has the empty 3x3 board?
#include <cstdio>

#ifdef PLAYPROOF_IS_INSTALLED
#include <playproof/games/hex/rules.h>
#else
#include "games/hex/rules.h"
#endif

int main() {
  using Hex = playproof::Hex<1>;
  const Hex::Rules rules = Hex::make_rules(3, 3);
  playproof::Move moves[Hex::kMaxMoves];
  std::printf("%d first moves\n", Hex::moves(rules, Hex::initial(rules), moves));
}
