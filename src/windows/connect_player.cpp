#include "src/windows/connect_player.h"

#include <algorithm>
#include <optional>

#include "games/connect/vcdt.h"

namespace playproof {
namespace {

using Game = Connect<6>;
using Threats = ConnectThreats<6>;

constexpr std::size_t kCells = 24;   // of which turns are made
constexpr std::size_t kTurns = 100;  // that are held against threats of the other side
constexpr int kTurnsOfWin = 12;
constexpr std::uint64_t kShareOfReply = 10;

std::vector<Move> stones_of(const ConnectTurn& turn) {
  std::vector<Move> stones{turn.first};
  if (turn.second != kNoMove) stones.push_back(turn.second);
  return stones;
}

// The stones that a line lacks, where the side to move can complete one; then free ones.
std::vector<Move> completing(const Threats& position, int player, int stones) {
  CellSet<6> best = position.empty();
  for_each_window(position.windows(),
                  position.live_from(player, position.windows().rules.connect - stones),
                  [&](int window) {
                    const CellSet<6> missing = position.windows().cells(window) & position.empty();
                    if (missing.size() < best.size()) best = missing;
                  });
  std::vector<Move> cells;
  for_each_cell(best, [&](int cell) { cells.push_back(static_cast<Move>(cell)); });
  return cells;
}

// Turns of cells that windows make worth something, the best first.
std::vector<ForcingTurn> promising(const Threats& position, int player, int stones) {
  CellScores<6> scores;
  scores.read(position, player);
  std::vector<ForcingTurn> cells;
  for_each_cell(position.empty(), [&](int cell) {
    cells.push_back({{static_cast<Move>(cell), kNoMove}, scores(cell)});
  });
  const auto better = [](const ForcingTurn& a, const ForcingTurn& b) { return a.score > b.score; };
  std::ranges::stable_sort(cells, better);
  // What hits threats of the other side comes along, whatever it is worth.
  Threats::List against;
  position.list(1 - player, &against);
  std::vector<ForcingTurn> chosen;
  for (const ForcingTurn& cell : cells) {
    const bool hits = std::ranges::any_of(
        against.all(), [&](const Threat& threat) { return threat.has(cell.turn.first); });
    if (hits || chosen.size() < kCells) chosen.push_back(cell);
  }
  if (stones == 1 || chosen.size() < 2) return chosen;
  std::vector<ForcingTurn> turns;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    for (std::size_t j = i + 1; j < chosen.size(); ++j) {
      turns.push_back(
          {{chosen[i].turn.first, chosen[j].turn.first}, chosen[i].score + chosen[j].score});
    }
  }
  std::ranges::stable_sort(turns, better);
  return turns;
}

}  // namespace

struct ConnectPlayer::Parts {
  Game::Rules rules = Game::make_rules(19, 19, 6, 2);
  ConnectWindows<6> windows{rules};
  Vcdt<6> search{windows};

  VcdtAnswer search_for_win(const Threats& position, int player, int stones, std::uint64_t work) {
    VcdtOptions options;
    options.turns = kTurnsOfWin;
    options.work = work;
    return search.solve(position, player, stones, options);
  }
};

ConnectPlayer::ConnectPlayer() : parts_(std::make_unique<Parts>()) {}
ConnectPlayer::~ConnectPlayer() = default;

const Game::Rules& ConnectPlayer::rules() const { return parts_->rules; }

ConnectChoice ConnectPlayer::choose(const Game::State& state, std::uint64_t work,
                                    const std::function<bool()>& stopped) {
  const Game::Rules& rules = parts_->rules;
  if (Game::finished(rules, state)) return {};
  const int player = static_cast<int>(Game::to_move(rules, state));
  const int stones = Game::stones_left_in_turn(rules, state);
  if (state.count == 0) return {{static_cast<Move>(rules.cells / 2)}, false};
  Threats position(parts_->windows, state);
  if (position.can_complete(player, stones)) return {completing(position, player, stones), true};
  if (work > 0) {
    const VcdtAnswer answer = parts_->search_for_win(position, player, stones, work);
    if (answer.outcome == VcdtAnswer::Outcome::kWin) return {stones_of(answer.first), true};
  }
  std::optional<ConnectTurn> best;
  std::optional<ConnectTurn> first;
  std::size_t tried = 0;
  for (const ForcingTurn& each : promising(position, player, stones)) {
    if (!first) first = each.turn;
    if (stopped() || tried == kTurns) break;
    position.add(player, each.turn);
    bool lost = position.can_complete(1 - player, rules.stones);
    if (!lost) {
      if (!best) best = each.turn;  // at least nothing is lost at once
      ++tried;
      lost = work > 0 && parts_->search_for_win(position, 1 - player, rules.stones,
                                                std::max<std::uint64_t>(1, work / kShareOfReply))
                                 .outcome == VcdtAnswer::Outcome::kWin;
    }
    position.remove(player, each.turn);
    if (!lost) return {stones_of(each.turn), false};
  }
  return {stones_of(best ? *best : *first), false};
}

}  // namespace playproof
