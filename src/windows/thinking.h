// What a window asks for: who wins, and if nobody knows yet, what random games say.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/solve/solver.h"

namespace playproof {

struct ThinkingOptions {
  std::string algorithm;
  std::string backend = "auto";
  double seconds = 5;                             // for a move
  std::uint64_t max_nodes = SearchLimits::kNone;  // of a search
  std::uint32_t playouts = 256;                   // of a move where nothing is proven
  std::uint64_t seed = 1;
  std::uint64_t max_memory = 0;
  int threads = 1;
  int workers = 1;  // threads of a search (SolveRequest::workers)
};

// A search that goes on while its window waits for nothing, in steps of some hundredths of a
// second.
class IdleSearch {
 public:
  // With `keeper` it begins with the table of the search before, if its algorithm has one. Throws
  // Error as make_solver() does.
  IdleSearch(const ThinkingOptions& options, const std::string& game, const std::string& position,
             const std::string& goal, TableKeeper* keeper = nullptr);

  // Runs until it ends, or `stopped`; true if it goes on. Throws Error as Solver::step() does.
  bool run(const std::function<bool()>& stopped);
  bool running() const { return reason_ == StopReason::kRunning; }
  StopReason reason() const { return reason_; }
  Solver& solver() { return *solver_; }
  const Solver& solver() const { return *solver_; }
  // The question is decided.
  bool decided() const;
  // The root and its children as the search knows them; none of a search without nodes that can be
  // looked at (minimax).
  std::vector<NodeRow> rows() const;
  // Moves that do not reach what is searched for.
  std::vector<std::string> lost_moves() const;

 private:
  std::unique_ptr<Solver> solver_;
  StopReason reason_ = StopReason::kRunning;
};

// What random games say of a move: the share that the side to move wins, draws counting half.
struct MoveEstimate {
  std::string move;
  double share = 0;
};

// Estimates of each legal move of a position that is not finished, by so many games as the options
// say; empty if `stopped`. Throws Error as make_playouts() and play() do.
std::vector<MoveEstimate> estimate_moves(const ThinkingOptions& options, const std::string& game,
                                         const std::string& position,
                                         const std::function<bool()>& stopped);

// The move that random games like best, not one of `lost` if there is another: of all as above,
// then of the best quarter by four times as many games, and so on until one is left. If `stopped`,
// or `late` after the first games of all, the best so far; empty if there is none yet.
std::string best_by_playouts(const ThinkingOptions& options, const std::string& game,
                             const std::string& position, const std::vector<std::string>& lost,
                             const std::function<bool()>& stopped,
                             const std::function<bool()>& late = {});

}  // namespace playproof
