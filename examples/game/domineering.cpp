// Domineering: a game that is not in the list, its rules in sixty lines, solved by engines of the
// library. The first player puts dominoes upright, the second one lays them flat; who cannot,
// loses.
//   domineering [SIZE]     who wins on a board of SIZE x SIZE, 2 .. 8 (default: 5; 6 takes minutes)
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "games/core/game.h"
#include "games/core/identity.h"
#include "games/core/perft.h"
#include "host/drive/driver.h"
#include "host/table/depth_first.h"
#include "host/tree/best_first.h"
#include "kernels/schemes/pn.h"

// What the library looks for by the type of the game is found in the game's own namespace.
namespace domineering {

using playproof::Move;
using playproof::Player;
using playproof::Value;

struct Domineering {
  struct Rules {
    int size = 5;
  };
  struct State {
    std::uint64_t taken = 0;  // cells, by rows
    std::uint8_t to_move = 0;
    bool operator==(const State&) const = default;
  };
  static constexpr int kMaxMoves = 56;
  static constexpr int kMaxPlies = 32;

  static State initial(const Rules&) { return {}; }
  // A domino as a set of cells: `cell` and the one below it, or to the right of it.
  static std::uint64_t domino(const Rules& r, const State& s, int cell) {
    const int other = s.to_move == 0 ? cell + r.size : cell + 1;
    return (std::uint64_t{1} << cell) | (std::uint64_t{1} << other);
  }
  static bool is_on_board(const Rules& r, const State& s, int cell) {
    return s.to_move == 0 ? cell / r.size + 1 < r.size : cell % r.size + 1 < r.size;
  }
  // A move is the first cell of its domino.
  static int moves(const Rules& r, const State& s, Move* out) {
    int count = 0;
    for (int cell = 0; cell < r.size * r.size; ++cell) {
      if (!is_on_board(r, s, cell) || (s.taken & domino(r, s, cell)) != 0) continue;
      out[count++] = static_cast<Move>(cell);
    }
    return count;
  }
  static void play(const Rules& r, State& s, Move move) {
    s.taken |= domino(r, s, move);
    s.to_move ^= 1;
  }
  static bool finished(const Rules& r, const State& s) {
    Move moves_there[kMaxMoves];
    return moves(r, s, moves_there) == 0;
  }
  static Value value(const Rules&, const State& s) { return s.to_move == 0 ? -1 : 1; }
  static Value min_value(const Rules&) { return -1; }
  static Value max_value(const Rules&) { return 1; }
  static Player to_move(const Rules&, const State& s) { return static_cast<Player>(s.to_move); }
  static std::uint64_t key(const Rules&, const State& s) {
    return playproof::mix64(playproof::mix64(s.taken) + s.to_move);
  }
  static int max_plies_left(const Rules& r, const State& s) {
    return finished(r, s) ? 0 : (r.size * r.size - std::popcount(s.taken)) / 2;
  }
};

// What tells positions apart, for tables.
playproof::IdWords<1> position_id(const Domineering&, const Domineering::State& s) {
  return {{s.taken}, s.to_move != 0};
}

}  // namespace domineering

using domineering::Domineering;
static_assert(playproof::AcyclicGame<Domineering>);

// Drives an engine to its end; these need no playouts, so there is no evaluator.
template <class Engine>
playproof::Bounds solve(Engine& engine) {
  playproof::EngineSearch<Domineering, Engine> search(engine);
  playproof::Driver<Domineering>(search, nullptr).run(playproof::NoLimits{});
  return engine.bounds();
}

int main(int argc, char** argv) {
  const Domineering::Rules rules{argc > 1 ? std::atoi(argv[1]) : 5};
  if (rules.size < 2 || rules.size > 8) {
    std::fprintf(stderr, "SIZE must be 2 .. 8\n");
    return 64;
  }
  const auto start = Domineering::initial(rules);
  std::printf("%llu positions after three plies\n",
              static_cast<unsigned long long>(playproof::perft<Domineering>(rules, start, 3)));

  const playproof::Claim upright_wins{playproof::Player::kFirst, 1};
  playproof::DepthFirst<Domineering> table(rules, start, upright_wins, {});
  const bool wins = solve(table).proves(1);
  std::printf("%dx%d: %s wins, %llu calls of df-pn\n", rules.size, rules.size,
              wins ? "who begins" : "who comes second",
              static_cast<unsigned long long>(table.counters().iterations));
  if (rules.size > 5) return 0;  // a tree grows with every step

  playproof::BestFirst<Domineering, playproof::Pn> tree(rules, start, upright_wins, {}, {});
  if (solve(tree).proves(1) != wins) return 70;
  std::printf("proof-number search agrees after %llu iterations\n",
              static_cast<unsigned long long>(tree.counters().iterations));
}
