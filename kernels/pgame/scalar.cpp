#include "games/pgame/rules.h"
#include "kernels/common/scalar_playouts.h"
#include "kernels/pgame/engines.h"

namespace playproof {
namespace {

class PGameLeaf {
 public:
  PGameLeaf(const PGame::Rules& rules, const PGame::State& state)
      : rules_(rules), state_(state), plies_(PGame::max_plies_left(rules, state)) {}
  int play(Xoshiro& random) const {
    PGame::State state = state_;
    for (int ply = 0; ply < plies_; ++ply) {
      PGame::play(rules_, state,
                  static_cast<Move>(((random.next() >> 32) * rules_.branching) >> 32));
    }
    return PGame::value(rules_, state);
  }

 private:
  PGame::Rules rules_;
  PGame::State state_;
  int plies_;
};

}  // namespace

template <>
Tally scalar_playouts<PGame>(const PGame::Rules& rules, const LeafRequest<PGame>& request) {
  return play_scalar<PGame, PGameLeaf>(rules, request);
}

}  // namespace playproof
