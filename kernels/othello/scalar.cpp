#include "games/othello/rules.h"
#include "kernels/common/scalar_playouts.h"
#include "kernels/othello/engines.h"

namespace playproof {
namespace {

class OthelloLeaf {
 public:
  OthelloLeaf(const Othello::Rules& rules, const Othello::State& state)
      : size_(rules.size), state_(state) {}
  int play(Xoshiro& random) const {
    return size_ == 8 ? play_on<8>(random) : size_ == 6 ? play_on<6>(random) : play_on<4>(random);
  }

 private:
  // With the size known the compiler shifts by constants.
  template <int kSide>
  int play_on(Xoshiro& random) const {
    const Othello::Rules rules = Othello::make_rules(kSide);
    Othello::State state = state_;
    while (!Othello::finished(rules, state)) {
      Move move = Othello::kPass;
      if (state.legal != 0) {
        std::uint64_t moves = state.legal;
        const auto n = static_cast<std::uint32_t>(popcount64(moves));
        for (std::uint32_t skip = random.below(n); skip > 0; --skip) moves &= moves - 1;
        move = static_cast<Move>(lowest_bit64(moves));
      }
      Othello::play(rules, state, move);
    }
    return Othello::value(rules, state);
  }

  int size_;
  Othello::State state_;
};

}  // namespace

template <>
Tally scalar_playouts<Othello>(const Othello::Rules& rules, const LeafRequest<Othello>& request) {
  return play_scalar<Othello, OthelloLeaf>(rules, request);
}

}  // namespace playproof
