// Zones of races: what a win by threats needs of the board (Wu and Lin 2010, relevance zones;
// thesis, 3.3.2). A race is no connection game: the loser may complete a line of his own with
// stones that touch none of the winner's, so a proof has a sequence of zones.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "games/connect/race_proof.h"
#include "games/connect/threats.h"

namespace playproof {

// Says of a position that the attacker wins: j more stones of the other side, none in place j,
// change nothing, if they do not complete a line. More is true: it is enough that, in some order,
// the first is not in place 1, the second not in place 2, and so on. For of m that lie in one
// window one is at least the m-th in that order, thus outside of place m, which has the empty cells
// of all windows that m stones make dangerous. Later places contain earlier ones.
template <int W>
struct RaceZone {
  static constexpr int kPlaces = 5;
  CellSet<W> places[kPlaces];

  // This is the zone of a board about which nothing is proven.
  static RaceZone whole(int cells) {
    RaceZone zone;
    for (CellSet<W>& place : zone.places) place = CellSet<W>::all(cells);
    return zone;
  }
  RaceZone& operator|=(const RaceZone& other) {
    for (int j = 0; j < kPlaces; ++j) places[j] |= other.places[j];
    return *this;
  }
  RaceZone& operator|=(const CellSet<W>& cells) {
    for (CellSet<W>& place : places) place |= cells;
    return *this;
  }
  // Returns that of the parent, where the other side has `stones` free stones in his reply, none of
  // which is in the child: they take up as many places. What lies beyond the last place is the
  // whole board.
  RaceZone after_free_stones(int stones, int cells) const {
    RaceZone zone = whole(cells);
    for (int j = 0; j + stones < kPlaces; ++j) zone.places[j] = places[j + stones];
    return zone;
  }
  // Returns whether these stones change nothing: in some order the first is not in place 1, the
  // second not in place 2.
  bool leaves_out(const ConnectTurn& turn) const {
    if (turn.first == kNoMove) return true;
    const auto in = [&](int place, Move cell) { return places[place].has(cell); };
    if (turn.second == kNoMove) return !in(1, turn.first);
    return (!in(1, turn.first) && !in(2, turn.second)) ||
           (!in(1, turn.second) && !in(2, turn.first));
  }
  bool operator==(const RaceZone&) const = default;
};

// Replies that leave stones free, each with the zone of what follows: which turns of the other side
// they answer.
template <int W>
class FreeReplies {
 public:
  using Reply = std::pair<ConnectTurn, RaceZone<W>>;

  void add(const ConnectTurn& reply, const RaceZone<W>& zone) {
    replies_.emplace_back(reply, zone);
  }
  // Some reply has stones of the turn alone, and to what follows it the others are nothing.
  bool answer(const ConnectTurn& turn) const {
    return std::ranges::any_of(replies_, [&](const Reply& reply) {
      ConnectTurn rest = turn;
      for (const Move cell : {reply.first.first, reply.first.second}) {
        if (cell == kNoMove) continue;
        if (rest.second == cell) {
          rest.second = kNoMove;
        } else if (rest.first == cell) {
          rest = {rest.second, kNoMove};
        } else {
          return false;
        }
      }
      return reply.second.leaves_out(rest);
    });
  }

 private:
  std::vector<Reply> replies_;
};

inline bool hits_alone(std::span<const Threat> threats, Move cell) {
  return std::ranges::all_of(threats, [&](const Threat& t) { return t.has(cell); });
}

// The cells of some threats or, `alone`, those of them that hit all.
template <int W>
CellSet<W> hits_of(std::span<const Threat> threats, bool alone) {
  CellSet<W> hits;
  for (const Threat& threat : threats) {
    for (const Move cell : {threat.a, threat.b}) {
      if (!alone || hits_alone(threats, cell)) hits.add(cell);
    }
  }
  return hits;
}

// Calls f(turn) with each whole turn of the other side, one or two stones, that hits all threats;
// pairs in ascending order. Where one cell is left, the turn is that cell.
template <int W, class F>
void for_each_hit(const CellSet<W>& empty, std::span<const Threat> threats, int p, F&& f) {
  const auto hits = [&](Move a, Move b) {
    return std::ranges::all_of(threats, [&](const Threat& t) { return t.has(a) || t.has(b); });
  };
  for_each_cell(empty, [&](int one) {
    const auto a = static_cast<Move>(one);
    if (p == 1 || empty.size() == 1) {
      if (hits(a, a)) f(ConnectTurn{a, kNoMove});
      return;
    }
    for_each_cell(empty, [&](int two) {
      if (two > one && hits(a, static_cast<Move>(two))) f(ConnectTurn{a, static_cast<Move>(two)});
    });
  });
}

// Which windows of the other side endanger a win, at every node where he replies; tests of faults
// have others.
struct SoundHazards {
  static constexpr bool counts(RaceNode::Kind) { return true; }
  static constexpr int extra_stones(int j) { return j; }
  static constexpr bool kHeedsOthersThreats = true;
  static constexpr bool kFreeStonesTakePlaces = true;
  static constexpr bool kPairsHitTogether = true;
};

// Adds the hazards of a position in which the other side replies: with j more stones in a window of
// his own that holds d, d + j >= k - p, he threatens and the attacker must not go on. Then its
// empty cells belong to place j.
template <int W, class Hazards = SoundHazards>
void add_hazards(const ConnectThreats<W>& position, int attacker, RaceZone<W>* zone) {
  const auto& rules = position.windows().rules;
  const int threat = rules.connect - rules.stones;
  CellSet<W> cells;
  int from = threat;  // windows with so many stones or more are in `cells`
  for (int j = 1; j < RaceZone<W>::kPlaces; ++j) {
    while (from > 0 && from > threat - Hazards::extra_stones(j)) {
      --from;
      cells |= cells_within(position.windows(), position.live(1 - attacker, from),
                            position.empty() - cells);
    }
    zone->places[j] |= cells;
  }
}

// Walks a proof and checks all of it by the windows of each position: threats, that all replies are
// there, and that none of the attacker's turns leaves the other side a threat. Nothing of the
// search is used.
template <int W, class Hazards = SoundHazards>
class RaceWalk {
 public:
  // Told of every node of a proof that is right, children before their parents.
  struct Visited {
    std::size_t index;                  // in RaceProof::nodes
    const ConnectThreats<W>& position;  // before the attacker's turn
    int stones;                         // that are left in it
    const RaceZone<W>& zone;            // of this node alone
  };
  using Visitor = std::function<void(const Visited&)>;

  // `attacker` is to move and has `stones` left in his turn. The zone, or nothing if the proof is
  // wrong.
  std::optional<RaceZone<W>> walk(const ConnectThreats<W>& position, int attacker, int stones,
                                  const RaceProof& proof, Visitor visitor = nullptr) {
    if (proof.nodes.empty()) return std::nullopt;
    position_.emplace(position);
    attacker_ = attacker;
    proof_ = &proof;
    visitor_ = std::move(visitor);
    RaceZone<W> zone;
    if (!node(proof.root(), stones, &zone)) return std::nullopt;
    return zone;
  }

 private:
  using Kind = RaceNode::Kind;

  int turn_stones() const { return position_->windows().rules.stones; }
  CellSet<W> cells(std::span<const Threat> threats) const {
    CellSet<W> set;
    for (const Threat& t : threats) {
      set.add(t.a);
      set.add(t.b);
    }
    return set;
  }
  bool playable(const ConnectTurn& turn, int stones) const {
    if (turn.first == kNoMove || !position_->empty().has(turn.first)) return false;
    if (stones == 1) return turn.second == kNoMove;
    return turn.second != kNoMove && turn.second != turn.first &&
           position_->empty().has(turn.second);
  }

  bool node(const RaceNode& at, int stones, RaceZone<W>* zone) {
    RaceZone<W> own;
    if (!proven(at, stones, &own)) return false;
    const auto index = static_cast<std::size_t>(&at - proof_->nodes.data());
    if (visitor_) visitor_({index, *position_, stones, own});
    *zone |= own;
    return true;
  }

  bool proven(const RaceNode& at, int stones, RaceZone<W>* zone) {
    if (at.kind == Kind::kCompletes) return at.children == 0 && completes(stones, zone);
    if (!playable(at.turn, stones)) return false;
    position_->add(attacker_, at.turn);
    const bool good =
        !(Hazards::kHeedsOthersThreats && position_->can_complete(1 - attacker_, turn_stones())) &&
        replied(at, zone);
    if (good && Hazards::counts(at.kind)) {
      add_hazards<W, Hazards>(*position_, attacker_, zone);
    }
    position_->remove(attacker_, at.turn);
    CellSet<W> turn = CellSet<W>::one(at.turn.first);
    if (at.turn.second != kNoMove) turn.add(at.turn.second);
    *zone |= turn;
    return good;
  }

  // The line that lacks fewest stones.
  bool completes(int stones, RaceZone<W>* zone) {
    int fewest = stones + 1;
    const int k = position_->windows().rules.connect;
    CellSet<W> best;
    for_each_window(
        position_->windows(), position_->live_from(attacker_, k - stones), [&](int window) {
          const CellSet<W> missing = position_->windows().cells(window) & position_->empty();
          if (missing.size() >= fewest) return;
          fewest = missing.size();
          best = missing;
        });
    *zone |= best;
    return fewest <= stones;
  }

  // Is called after the attacker's turn.
  bool replied(const RaceNode& at, RaceZone<W>* zone) {
    const int p = turn_stones();
    typename ConnectThreats<W>::List list;
    position_->list(attacker_, &list);
    const int number = hitting_number(list.all(), p);
    if (at.kind == Kind::kWins) {
      if (number <= p || at.children != 0) return false;
      *zone |= cells(least_winning(list.all(), p));
      return true;
    }
    if (at.kind == Kind::kQuiet) return number < p && quietly(at, list.all(), zone);
    if (number != p) return false;
    *zone |= cells(list.all());
    const ConnectReplies replies = hitting_replies(list.all(), p);
    if (at.kind == Kind::kMacro) {
      CellSet<W> all;
      for (const ConnectTurn& reply : replies.all()) all |= cells_of<W>(reply);
      return at.children == 1 && answered(at, 0, all, zone);
    }
    if (at.children != static_cast<std::uint32_t>(replies.count)) return false;
    for (std::uint32_t i = 0; i < at.children; ++i) {
      if (!answered(at, i, cells_of<W>(replies.turns[i]), zone)) return false;
    }
    return true;
  }
  bool answered(const RaceNode& at, std::uint32_t child, const CellSet<W>& reply,
                RaceZone<W>* zone) {
    const std::size_t index = at.first_child + child;
    if (index >= proof_->children.size()) return false;
    const std::uint32_t next = proof_->children[index];
    // A child stands before its parent, so that no path is without end.
    if (next >= proof_->nodes.size() || &proof_->nodes[next] >= &at) return false;
    for_each_cell(reply, [&](int cell) { position_->add(1 - attacker_, cell); });
    const bool proven =
        !position_->completed(1 - attacker_) && node(proof_->nodes[next], turn_stones(), zone);
    for_each_cell(reply, [&](int cell) { position_->remove(1 - attacker_, cell); });
    return proven;
  }
  // The turn leaves free stones: each turn of the other side that hits the threats is answered by
  // a child, from whose zone what it has beside the reply of the child stays out.
  bool quietly(const RaceNode& at, std::span<const Threat> threats, RaceZone<W>* zone) {
    *zone |= cells(threats);
    FreeReplies<W> replies;
    for (std::uint32_t i = 0; i < at.children; ++i) {
      const std::size_t index = at.first_child + i;
      if (index >= proof_->replies.size()) return false;
      const ConnectTurn& reply = proof_->replies[index];
      const CellSet<W> stones = cells_of<W>(reply);
      RaceZone<W> below;
      const int free = turn_stones() - stones.size();
      if (free < 0 || !stones.within(position_->empty())) return false;
      if (!answered(at, i, stones, &below)) return false;
      replies.add(reply, below);
      const int cells = position_->windows().rules.cells;
      *zone |= below.after_free_stones(Hazards::kFreeStonesTakePlaces ? free : 0, cells);
    }
    bool all = !position_->empty().empty();  // on a full board nobody has won
    for_each_hit(position_->empty(), threats, turn_stones(), [&](const ConnectTurn& turn) {
      const bool common = hits_alone(threats, turn.first) || hits_alone(threats, turn.second);
      all = all && (replies.answer(turn) || !(Hazards::kPairsHitTogether || common));
    });
    return all;
  }

  // Some of the threats that are more than p, none of which can be left out.
  std::span<const Threat> least_winning(std::span<const Threat> threats, int p) {
    kept_.assign(threats.begin(), threats.end());
    for (std::size_t i = kept_.size(); i-- > 0;) {
      const Threat left_out = kept_[i];
      kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(i));
      if (hitting_number(kept_, p) <= p) {
        kept_.insert(kept_.begin() + static_cast<std::ptrdiff_t>(i), left_out);
      }
    }
    return kept_;
  }

  std::optional<ConnectThreats<W>> position_;
  int attacker_ = 0;
  const RaceProof* proof_ = nullptr;
  Visitor visitor_;
  std::vector<Threat> kept_;
};

}  // namespace playproof
