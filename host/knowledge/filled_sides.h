// Inferior cells of a connection game (games/hex/fill.h), as finders ask about them.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "games/core/connection.h"
#include "games/core/fill_level.h"
#include "games/core/game.h"
#include "host/question/knowledge_options.h"

namespace playproof {

// Inferior cells of the game; of others an empty type.
template <class G>
concept HasFill = requires {
  typename Connection<G>::Fill;
};
template <class G>
struct FillOf {
  using Type = NoZone<G>;
};
template <HasFill G>
struct FillOf<G> {
  using Type = typename Connection<G>::Fill;
};

// The stones of a position as each player sees them: with inferior cells filled in, if any are.
template <class G>
class FilledSides {  // of a game without zones
 public:
  FilledSides(const auto& /*rules*/, const KnowledgeOptions& /*options*/) {}
  static constexpr bool on() { return false; }
};
template <ZonedGame G>
class FilledSides<G> {
 public:
  using Cells = Zone<G>;
  using State = typename G::State;

  FilledSides(const typename G::Rules& rules, const KnowledgeOptions& options) {
    if constexpr (HasFill<G>) {
      for (int player = 0; player < 2 && options.zones; ++player) {
        if (options.fill != FillLevel::kOff) fills_.emplace_back(rules, player, options.fill);
      }
    }
  }

  bool on() const { return !fills_.empty(); }
  // The owner's and the other one's.
  std::pair<Cells, Cells> sides(const State& state, Player owner) {
    if constexpr (HasFill<G>) {
      if (on()) return {fill(state, owner).own, fill(state, owner).other};
    }
    return {Zoned<G>::stones(state, owner), Zoned<G>::stones(state, opponent(owner))};
  }
  // A zone of the owner's proof where cells are filled in for him: with what they rest on.
  Cells with_reasons(const State& state, Player owner, const Cells& zone) {
    if constexpr (HasFill<G>) {
      if (on()) {
        fill(state, owner);
        return of(owner).rests_on(zone);
      }
    }
    return zone;
  }
  // A chain of the owner's over what is filled for him; empty if there is none.
  Cells chain(const State& state, Player owner) {
    if constexpr (HasFill<G>) {
      if (on()) {
        fill(state, owner);
        return of(owner).chain();
      }
    }
    return {};
  }
  // What of these cells of his is filled, and all that this rests on: cells, of which each of
  // `sets` was filled after those before it.
  struct Reasons {
    Cells captured;          // all that is filled
    Cells cells;             // none: nothing of it is used
    std::vector<Move> sets;  // two cells each
  };
  Reasons reasons(const State& state, Player owner, const Cells& used) {
    Reasons reasons;
    if constexpr (HasFill<G>) {
      if (!on()) return reasons;
      const auto& filling = fill(state, owner);
      reasons.captured = filling.captured;
      reasons.cells = of(owner).rests_on(used & filling.captured);
      for (const auto& set : filling.sets) {
        if ((set.cells & reasons.cells).empty()) continue;
        for_each_cell(set.cells,
                      [&](int cell) { reasons.sets.push_back(static_cast<Move>(cell)); });
      }
    }
    return reasons;
  }
  // Where the other one moves in a cell that the owner has captured: the owner's answer. kNoMove if
  // he has not.
  Move answer(const State& state, Player owner, Move cell) {
    if constexpr (HasFill<G>) {
      if (!on()) return kNoMove;
      for (const auto& set : fill(state, owner).sets) {
        if (set.cells.has(cell)) return static_cast<Move>((set.cells - Cells::one(cell)).lowest());
      }
    }
    return kNoMove;
  }
  // Replies to the owner, who waits: those that need no search, and those not to be tried first.
  Cells left_out(const State& state, Player owner) {
    if constexpr (HasFill<G>) {
      if (on()) return fill(state, owner).left_out;
    }
    return {};
  }
  Cells put_off(const State& state, Player owner) {
    if constexpr (HasFill<G>) {
      if (on()) return fill(state, owner).put_off;
    }
    return {};
  }

 private:
  auto& of(Player owner) { return fills_[static_cast<std::size_t>(owner)]; }
  const auto& fill(const State& state, Player owner) requires HasFill<G> {
    return of(owner).fill(Zoned<G>::stones(state, owner), Zoned<G>::stones(state, opponent(owner)));
  }

  std::vector<typename FillOf<G>::Type> fills_;  // of each player
};

}  // namespace playproof
