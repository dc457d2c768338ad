// What every game offers: static functions over immutable Rules and a small, trivially copyable
// State, usable by g++ and nvcc alike. Searches, playouts and checks know games only through the
// concept below; tests/conformance.h checks every sentence of it on every game.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

#if defined(__CUDACC__)
#define PP_HD __host__ __device__
#else
#define PP_HD
#endif
// Marks what every node of a search runs: g++ leaves it apart in units with many callers.
#define PP_HD_INLINE PP_HD [[gnu::always_inline]]

namespace playproof {

// The first player is Black, X, MAX.
enum class Player : std::uint8_t { kFirst = 0, kSecond = 1 };

PP_HD constexpr Player opponent(Player p) {
  return p == Player::kFirst ? Player::kSecond : Player::kFirst;
}

// A move is one ply: one stone, one disc, one branch, or a pass. What a number means is the game's.
using Move = std::uint16_t;
inline constexpr Move kNoMove = 0xffff;

// The value of a finished position, seen by the first player: +1 win, 0 draw, -1 loss; for Othello
// the disc difference (-64..64, empties go to the winner).
using Value = std::int8_t;

PP_HD constexpr Value value_for(Player p, Value first_players) {
  return p == Player::kFirst ? first_players : static_cast<Value>(-first_players);
}

// splitmix64: add the golden gamma, then the finaliser (Steele, Lea, Flood 2014).
inline constexpr std::uint64_t kGoldenGamma = 0x9e3779b97f4a7c15ull;
PP_HD constexpr std::uint64_t finish_mix64(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}
PP_HD constexpr std::uint64_t mix64(std::uint64_t x) { return finish_mix64(x + kGoldenGamma); }

// Bit helpers that device code may use without --expt-relaxed-constexpr.
PP_HD inline int popcount64(std::uint64_t x) {
#if defined(__CUDA_ARCH__)
  return __popcll(static_cast<long long>(x));
#else
  return std::popcount(x);
#endif
}
// Index of the lowest set bit; x must not be 0.
PP_HD inline int lowest_bit64(std::uint64_t x) {
#if defined(__CUDA_ARCH__)
  return __ffsll(static_cast<long long>(x)) - 1;
#else
  return std::countr_zero(x);
#endif
}

// Can a position come again on one path, and what is it then? (A position says who moves, so what
// comes again has the same side to move.) A game says so as
//   static constexpr PathRule kPaths = PathRule::kRepetitionDraws;
// and is acyclic if it says nothing; kOfRules: its rules say so, by
//   static PathRule path_rule(const Rules& rules);
enum class PathRule : std::uint8_t {
  kAcyclic,          // it cannot: every game has an end that can be told beforehand (AcyclicGame)
  kOfRules,          // no rule, but the word that rules have one
  kRepetitionDraws,  // it can, and the game is a draw as soon as it does
  kThirdDraws,       // when it is there for the third time
  kInfiniteWin,      // never by that; a game without end is a win of the first player,
  kInfiniteDraw,     // a draw,
  kInfiniteLoss,     // a loss of the first player
  kRepeaterLoses     // whoever brings it about has lost
};
template <class G>
constexpr PathRule path_rule() {
  if constexpr (requires { G::kPaths; }) {
    return G::kPaths;
  } else {
    return PathRule::kAcyclic;
  }
}
template <class G>
constexpr PathRule path_rule(const typename G::Rules& rules) {
  if constexpr (path_rule<G>() == PathRule::kOfRules) {
    return G::path_rule(rules);
  } else {
    return path_rule<G>();
  }
}

// clang-format off
template <class G>
concept Game = requires(const typename G::Rules& rules, const typename G::State& state,
                        typename G::State& next, Move move, Move* out) {
  // Plain values: copied to the device byte by byte, compared as a whole (State identity is position
  // identity: same stones, same side to move, same stones left in the turn; for P-games same path).
  requires std::is_trivially_copyable_v<typename G::Rules>;
  requires std::is_trivially_copyable_v<typename G::State>;
  { state == state } -> std::convertible_to<bool>;

  // Legal moves of one position, at most, over all Rules.
  { G::kMaxMoves } -> std::convertible_to<int>;
  { path_rule<G>() } -> std::same_as<PathRule>;

  { G::initial(rules) } -> std::same_as<typename G::State>;
  // The game is over; then value() is its result. value() may only be asked of a finished position.
  { G::finished(rules, state) } -> std::same_as<bool>;
  { G::value(rules, state) } -> std::same_as<Value>;
  // Bounds of value() over all finished positions under these rules.
  { G::min_value(rules) } -> std::same_as<Value>;
  { G::max_value(rules) } -> std::same_as<Value>;
  // The state alone tells it, never depth parity. A finished position says whose turn it would be.
  { G::to_move(rules, state) } -> std::same_as<Player>;
  // Writes the legal moves in ascending order, at least one; returns how many. Not asked of a
  // finished position. A forced pass is a move of its own.
  { G::moves(rules, state, out) } -> std::same_as<int>;
  // The move must be legal.
  { G::play(rules, next, move) };
  // 64-bit key of the position, the stream of its playouts: equal states have equal keys. Two
  // different states may share one (no proof rests on a key).
  { G::key(rules, state) } -> std::same_as<std::uint64_t>;
};

// No position can come again. What searches need that know a position's value whatever the path to
// it, and whoever makes room for a whole path.
template <class G>
concept AcyclicGame = Game<G> && path_rule<G>() == PathRule::kAcyclic &&
                      requires(const typename G::Rules& rules, const typename G::State& state) {
  // Plies of one whole game, at most, over all Rules.
  { G::kMaxPlies } -> std::convertible_to<int>;
  // No game from here lasts longer than this many plies (0 if finished). Falls with every ply.
  { G::max_plies_left(rules, state) } -> std::same_as<int>;
};
// clang-format on

}  // namespace playproof
