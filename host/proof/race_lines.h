// Writes a win by threats as lines of a certificate (docs/certificate.md, "Races"): one for each
// turn of the attacker, with the board before it and, on its empty cells, the zone of the race.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "games/connect/race_zone.h"
#include "games/connect/races.h"
#include "games/connect/text.h"
#include "games/connect/vcdt.h"
#include "games/core/error.h"
#include "host/proof/proof_lines.h"

namespace playproof {

template <int W>
class RaceLines {
  using Game = Connect<W>;
  using Visited = typename RaceWalk<W>::Visited;

 public:
  RaceLines(const RaceProof& proof, int attacker, ProofLines<Game>& lines)
      : proof_(proof), attacker_(attacker), lines_(lines), ids_(proof.nodes.size()) {}

  // Returns the id of the root. `position` is what the proof was found for.
  std::uint64_t write(const ConnectThreats<W>& position, int stones) {
    const auto add = [this](const Visited& at) { ids_[at.index] = line(at); };
    if (!RaceWalk<W>().walk(position, attacker_, stones, proof_, add)) {
      throw Error(ErrorCode::kInternal, "the search did not keep a proof of its verdict");
    }
    return ids_.back();
  }

 private:
  using Kind = RaceNode::Kind;

  std::string cell_text(int cell) const {
    return GameText<Game>::move_text(lines_.rules(), static_cast<Move>(cell));
  }
  static std::string board_text(const Visited& at) {
    std::string text;
    for (int cell = 0; cell < at.position.windows().rules.cells; ++cell) {
      char letter = at.position.stones(0).has(cell) ? 'B' : 'W';
      if (at.position.empty().has(cell)) {
        int place = 0;
        while (place < RaceZone<W>::kPlaces && !at.zone.places[place].has(cell)) ++place;
        letter = place < RaceZone<W>::kPlaces ? static_cast<char>('0' + place) : '.';
      }
      text += letter;
    }
    return text;
  }

  std::uint64_t line(const Visited& at) {
    const RaceNode& node = proof_.nodes[at.index];
    std::string text = std::to_string(at.stones) + ' ' + board_text(at);
    if (node.kind == Kind::kCompletes) {  // its zone has what the line lacks, and nothing else
      for_each_cell(at.zone.places[0], [&](int cell) { text += ' ' + cell_text(cell); });
      return lines_.other("race-end", text);
    }
    for (const Move cell : {node.turn.first, node.turn.second}) {
      if (cell != kNoMove) text += ' ' + cell_text(cell);
    }
    const std::vector<std::uint64_t> children = add_replies(at, node, &text);
    const std::uint64_t id = lines_.other("race-turn", text);
    lines_.free(children);
    return id;
  }
  std::vector<std::uint64_t> add_replies(const Visited& at, const RaceNode& node,
                                         std::string* text) const {
    std::vector<std::uint64_t> ids;
    if (node.children == 0) return ids;
    ConnectThreats<W> position = at.position;
    position.add(attacker_, node.turn);
    typename ConnectThreats<W>::List threats;
    position.list(attacker_, &threats);
    const auto add = [&](const CellSet<W>& cells, char between) {
      const std::uint32_t child = proof_.children[node.first_child + ids.size()];
      ids.push_back(ids_[child]);
      if (cells.empty()) *text += " -";
      char before = ' ';
      for_each_cell(cells, [&](int cell) {
        *text += before + cell_text(cell);
        before = between;
      });
      *text += ' ' + std::to_string(ids.back());
    };
    if (node.kind == Kind::kQuiet) {
      for (std::uint32_t i = 0; i < node.children; ++i) {
        add(cells_of<W>(proof_.replies[node.first_child + i]), '+');
      }
      return ids;
    }
    const ConnectReplies replies = hitting_replies(threats.all(), position.windows().rules.stones);
    if (node.kind == Kind::kMacro) {
      CellSet<W> cells = cells_of<W>(replies);
      add(cells, '*');
      return ids;
    }
    for (const ConnectTurn& reply : replies.all()) add(cells_of<W>(reply), '+');
    return ids;
  }

  const RaceProof& proof_;
  int attacker_;
  ProofLines<Game>& lines_;
  std::vector<std::uint64_t> ids_;  // of its nodes
};

// Writes how the prover, who is to move, wins a position so.
template <HasRaces G>
std::uint64_t write_race(ProofLines<G>& lines, const typename G::State& state,
                         const typename Races<G>::Proof& proof) {
  constexpr int W = Races<G>::kWords;
  const ConnectWindows<W> windows(lines.rules());
  const ConnectThreats<W> position(windows, state);
  const int attacker = static_cast<int>(G::to_move(lines.rules(), state));
  const int stones = G::stones_left_in_turn(lines.rules(), state);
  return RaceLines<W>(proof, attacker, lines).write(position, stones);
}

}  // namespace playproof
