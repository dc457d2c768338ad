#include "src/windows/thinking.h"

#include <algorithm>
#include <cstddef>

#include "games/core/error.h"
#include "host/playouts/playouts.h"
#include "host/solve/position.h"
#include "src/io/drive.h"

namespace playproof {

IdleSearch::IdleSearch(const ThinkingOptions& options, const std::string& game,
                       const std::string& position, const std::string& goal, TableKeeper* keeper) {
  SolveRequest request;
  request.game = game;
  request.position = position;
  request.algorithm = options.algorithm;
  request.goal = goal;
  request.backend = options.backend;
  request.seed = options.seed;
  request.threads = options.threads;
  request.workers = options.workers;
  request.limits.max_memory = options.max_memory;
  request.limits.max_nodes = options.max_nodes;
  if (keeper != nullptr && keeps_table(options.algorithm)) request.keeper = keeper;
  solver_ = make_solver(request);
}

bool IdleSearch::run(const std::function<bool()>& stopped) {
  if (!running()) return false;
  const StopReason reason = drive(*solver_, 1, stopped);
  if (reason != StopReason::kStopped) reason_ = reason;
  return running();
}

bool IdleSearch::decided() const { return reason_ == StopReason::kDecided; }

std::vector<NodeRow> IdleSearch::rows() const {
  constexpr std::size_t kMost = 1000;  // of a board at most 361 moves
  try {
    return solver_->nodes({1, kMost});
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kUsage) throw;
    return {};
  }
}

std::vector<std::string> IdleSearch::lost_moves() const {
  std::vector<std::string> lost;
  for (const NodeRow& node : rows()) {
    if (node.depth == 1 && node.verdict == Verdict::kDisproved) lost.push_back(node.move);
  }
  return lost;
}

namespace {

constexpr std::size_t kFewer = 4;  // moves from round to round, and more games

// Sets the shares of these moves; false if `stopped`.
bool estimate(const ThinkingOptions& options, const AnyPosition& position, std::uint32_t playouts,
              std::vector<MoveEstimate>* moves, const std::function<bool()>& stopped) {
  const bool first = position.to_move() == Player::kFirst;
  PlayoutRequest request;
  request.game = position.game();
  request.backend = options.backend;
  request.seed = options.seed;
  request.threads = options.threads;
  const std::unique_ptr<AnyPosition> at = position.copy();
  for (const MoveEstimate& move : *moves) {
    at->play(move.move);
    request.positions.push_back(at->text());
    at->undo();
  }
  std::vector<Tally> tallies(moves->size());
  if (!make_playouts(request)->play(playouts, tallies, stopped)) return false;
  for (std::size_t i = 0; i < tallies.size(); ++i) {
    const double won = first ? tallies[i].wins : tallies[i].losses;
    (*moves)[i].share = (won + tallies[i].draws / 2.0) / playouts;
  }
  return true;
}

std::vector<MoveEstimate> unknown_moves(const AnyPosition& position) {
  std::vector<MoveEstimate> moves;
  for (const std::string& move : position.moves()) moves.push_back({move, 0});
  return moves;
}

}  // namespace

std::vector<MoveEstimate> estimate_moves(const ThinkingOptions& options, const std::string& game,
                                         const std::string& position,
                                         const std::function<bool()>& stopped) {
  const std::unique_ptr<AnyPosition> at = make_position(game, position);
  std::vector<MoveEstimate> moves = unknown_moves(*at);
  if (!estimate(options, *at, options.playouts, &moves, stopped)) moves.clear();
  return moves;
}

std::string best_by_playouts(const ThinkingOptions& options, const std::string& game,
                             const std::string& position, const std::vector<std::string>& lost,
                             const std::function<bool()>& stopped,
                             const std::function<bool()>& late) {
  const std::unique_ptr<AnyPosition> at = make_position(game, position);
  std::vector<MoveEstimate> moves = unknown_moves(*at);
  if (lost.size() < moves.size()) {
    std::erase_if(moves, [&](const MoveEstimate& move) {
      return std::find(lost.begin(), lost.end(), move.move) != lost.end();
    });
  }
  bool first = true;
  const auto ends = [&] { return stopped() || (!first && late && late()); };
  for (std::uint32_t playouts = options.playouts; moves.size() > 1; playouts *= kFewer) {
    if (!estimate(options, *at, playouts, &moves, ends)) return first ? "" : moves.front().move;
    first = false;
    std::stable_sort(moves.begin(), moves.end(),
                     [](const auto& a, const auto& b) { return a.share > b.share; });
    moves.resize((moves.size() + kFewer - 1) / kFewer);
  }
  return moves.front().move;
}

}  // namespace playproof
