#include "src/windows/thinking.h"

#include <algorithm>

#include "host/playouts/playouts.h"
#include "host/solve/position.h"
#include "src/io/drive.h"

namespace playproof {

IdleSearch::IdleSearch(const ThinkingOptions& options, const std::string& game,
                       const std::string& position, const std::string& goal) {
  SolveRequest request;
  request.game = game;
  request.position = position;
  request.algorithm = options.algorithm;
  request.goal = goal;
  request.backend = options.backend;
  request.seed = options.seed;
  request.threads = options.threads;
  request.limits.max_memory = options.max_memory;
  solver_ = make_solver(request);
}

bool IdleSearch::run(const std::function<bool()>& stopped) {
  if (!running()) return false;
  const StopReason reason = drive(*solver_, 1, stopped);
  if (reason != StopReason::kStopped) reason_ = reason;
  return running();
}

bool IdleSearch::decided() const { return reason_ == StopReason::kDecided; }

std::vector<MoveEstimate> estimate_moves(const ThinkingOptions& options, const std::string& game,
                                         const std::string& position,
                                         const std::function<bool()>& stopped) {
  const std::unique_ptr<AnyPosition> at = make_position(game, position);
  const bool first = at->to_move() == Player::kFirst;
  std::vector<MoveEstimate> estimates;
  PlayoutRequest request;
  request.game = game;
  request.backend = options.backend;
  request.seed = options.seed;
  request.threads = options.threads;
  for (const std::string& move : at->moves()) {
    at->play(move);
    request.positions.push_back(at->text());
    at->undo();
    estimates.push_back({move, 0});
  }
  std::vector<Tally> tallies(estimates.size());
  if (!make_playouts(request)->play(options.playouts, tallies, stopped)) return {};
  for (std::size_t i = 0; i < tallies.size(); ++i) {
    const double won = first ? tallies[i].wins : tallies[i].losses;
    estimates[i].share = (won + tallies[i].draws / 2.0) / options.playouts;
  }
  return estimates;
}

const MoveEstimate& best_estimate(const std::vector<MoveEstimate>& moves,
                                  const std::vector<std::string>& lost) {
  const auto rank = [&](const MoveEstimate& estimate) {
    const bool is_lost = std::find(lost.begin(), lost.end(), estimate.move) != lost.end();
    return estimate.share - (is_lost ? 2 : 0);
  };
  return *std::max_element(moves.begin(), moves.end(),
                           [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
}

}  // namespace playproof
