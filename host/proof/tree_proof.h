// The proof that stands in a tree. It rests on bounds alone, so that a tree serves every claim that
// its bounds decide, also one that was not searched for. Below leaves that a probe has decided
// there is no tree: an ending or a connection says there what to play (host/proof/probed_moves.h),
// and what a second level found is searched for once more, beside the tree, one leaf at a time.
//
// With proof zones (host/tree/tree_zones.h) a reply that a sibling has solved has no subtree. The
// prover answers it as he would that sibling: from there on the position proven is another than the
// one on the board, and agrees with it in the zone. A move of his that is not legal any more has
// become needless; then any legal one is as good. Where the opponent may reply what was not to be
// foreseen, a reply whose zone he stays out of says what to do; a reply that the prover has
// captured he answers with the cell beside it, and the position before it is still proven. The same
// holds of a leaf that a pattern has decided (host/tree/tree_patterns.h): what is proven is the
// position of the node that it cites, as a map of the board turns it, perhaps with the other
// colours.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "host/knowledge/knowledge.h"
#include "host/path/line.h"
#include "host/proof/cited_nodes.h"
#include "host/proof/probed_moves.h"
#include "host/proof/proof_writer.h"
#include "host/proof/strategy.h"
#include "host/tree/any_engine.h"
#include "host/tree/second_level.h"
#include "host/tree/tree.h"
#include "host/tree/tree_patterns.h"
#include "host/tree/tree_zones.h"

namespace playproof {

template <Game G>
class TreeProof {
 public:
  using State = typename G::State;
  using Rules = typename G::Rules;
  struct NoShadow {};
  struct Shadow {
    bool apart = false;
    // The other position that was proven, and what turns it to what is on the board
    // (BoardMaps<G>::Map).
    State position{};
    std::uint32_t map = 0;
    Move answer = kNoMove;  // what the prover plays on the board before that goes on
  };
  // A handle whose node is kNoNode is below all trees. A node of the tree beside is known until a
  // leaf is searched for that another one has decided: walks go down, so they are through with it.
  struct Handle {
    NodeIndex node = 0;
    bool beside = false;
    [[no_unique_address]] std::conditional_t<ZonedGame<G>, Shadow, NoShadow> shadow = {};
  };
  using Replies = std::vector<std::pair<Move, Handle>>;

  // `cited`: what cite() made of this tree, which may be kept for all proofs that stand in it.
  TreeProof(const Rules& rules, const AnyEngine<G>& engine, const ProofClaim& proof_claim,
            std::shared_ptr<const CitedNodes<G>> cited)
      : claim(proof_claim),
        rules_(rules),
        engine_(engine),
        probed_(rules, proof_claim, engine.options()),
        knowledge_(rules, engine.options(), Moment::kEntered),
        cited_(std::move(cited)) {}
  // Null if no leaf cites any node. `position` is that of the root.
  static std::shared_ptr<const CitedNodes<G>> cite(const Rules& rules, const AnyEngine<G>& engine,
                                                   const State& position) {
    if constexpr (ConnectionGame<G>) {
      if (engine.patterns() == nullptr || engine.patterns()->citations() == 0) return nullptr;
      return std::make_shared<const CitedNodes<G>>(rules, engine.tree(), *engine.patterns(),
                                                   position);
    }
    return nullptr;
  }

  const ProofClaim claim;

  // Positions near the end are left to the checker of the proof.
  bool recheck() const { return engine_.probe().has_endings(); }
  // Is it left to the ending? (host/proof/strategy.h)
  bool is_probed(const State& state) { return probed_.applies_to(state); }

  // Where positions can come again: it is at a position below this one, or has left it.
  void enter(const State& state) requires(!AcyclicGame<G>) { before_.push_back(state); }
  void leave() requires(!AcyclicGame<G>) { before_.pop_back(); }

  // A source of host/proof/proof_writer.h.
  void replies(Handle at, const State& state, bool one, Replies& out) {
    if constexpr (ZonedGame<G>) {
      if (engine_.zones().on()) return zone_replies(at, state, one, out);
    }
    at = rooted(at, state);
    if (below(at)) {
      add_probed(state, one, out);
      return;
    }
    const auto children = children_of(at);
    for (int i = 0; i < children.size(); ++i) {
      if (!children.created(i) || !claim.holds(children[i].bounds)) continue;
      out.emplace_back(children.edge(i).move, Handle{children.edge(i).node, at.beside});
    }
    // Children may have been generated in another order.
    std::sort(out.begin(), out.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    if (one && out.size() > 1) out.resize(1);
  }
  // What the prover plays: of the moves that hold the claim the lowest.
  Move move(Handle at, const State& state) {
    Replies found;
    replies(at, state, true, found);
    if (found.empty()) refuse();
    return found.front().first;
  }
  // The win by threats that has decided a leaf; of other positions none.
  auto race(const Handle& at, const State& state) requires HasRaces<G> {
    using Race = decltype(probed_.race(state));
    return below(at) ? probed_.race(state) : Race{};
  }
  // Where a move leads.
  Handle after(Handle at, const State& state, Move move) {
    probed_.follow(state, move);
    if constexpr (ZonedGame<G>) {
      if (engine_.zones().on()) return zone_after(at, state, move);
    }
    at = rooted(at, state);
    if (below(at)) return {kNoNode};
    const auto children = children_of(at);
    for (int i = 0; i < children.size(); ++i) {
      if (!children.created(i) || children.edge(i).move != move) continue;
      return {children.edge(i).node, at.beside};
    }
    refuse();
  }
  // A source of host/proof/card_walk.h, of searches with zones.
  std::pair<Move, Handle> holding_move(const Handle& at, const State& state) {
    Replies found;
    zone_replies(at, state, true, found);
    return found.front();
  }
  // Lists those that were searched, small zones first.
  void replies(Handle at, const State& state, Replies& out) {
    if (const auto source = source_of(at)) at = *source;
    const State here = proven(at, state);
    at = rooted_at(at, here);
    if (below(at)) return;
    Move moves[G::kMaxMoves];
    const Move* end = moves + G::moves(rules_, state, moves);
    std::vector<std::pair<int, int>> sizes;  // of the zone; which child
    const auto children = children_of(at);
    for (int i = 0; i < children.size(); ++i) {
      const Move move = on_board(at, children.edge(i).move);
      if (!is_answered(at, i) || std::find<const Move*>(moves, end, move) == end) continue;
      sizes.emplace_back(zones_of(at).zone(children.edge(i).node).size(), i);
    }
    std::sort(sizes.begin(), sizes.end());
    for (const auto& [size, i] : sizes) {
      const Edge& edge = children.edge(i);
      out.emplace_back(on_board(at, edge.move), next(at, here, edge, at.shadow.apart));
    }
  }
  // Goes to the end: the prover's moves, and against them the first ones that were tried.
  std::vector<Move> line(State state) {
    std::vector<Move> moves;
    Handle at;
    for (LineEnd<G> end(rules_); !end.at(state);) {
      const bool one = G::to_move(rules_, state) == claim.prover();
      moves.push_back(one ? move(at, state) : first_move(at, state));
      at = after(at, state, moves.back());
      if constexpr (!AcyclicGame<G>) enter(state);
      G::play(rules_, state, moves.back());
    }
    before_.clear();
    return moves;
  }

 private:
  const TreeStructure& tree_of(Handle at) const {
    return at.beside ? beside_->search().tree() : engine_.tree();
  }
  const TreeZones<G>& zones_of(Handle at) const {
    return at.beside ? beside_->search().zones() : engine_.zones();
  }
  TreeStructure::Children children_of(Handle at) const {
    return tree_of(at).children(tree_of(at).node(at.node));
  }
  // Nothing was searched there.
  bool below(Handle at) const { return at.node == kNoNode || tree_of(at).node(at.node).edges == 0; }
  // A leaf that a second level has decided is the root of the tree beside, which is searched for.
  Handle rooted(Handle at, const State& state) {
    if (!engine_.has_second_level() || at.beside || !below(at) || at.node == kNoNode ||
        probed_.applies_to(state)) {
      return at;
    }
    if (beside_of_ != at.node) {
      if (!beside_) beside_ = engine_.second_level();
      if constexpr (!AcyclicGame<G>) beside_->give_past(before_);
      const Bounds found = ask(*beside_, state, engine_.claim()).bounds;
      if (!claim.holds(found)) refuse();
      beside_of_ = at.node;
    }
    return {0, true};
  }
  void add_probed(const State& state, bool one, Replies& out) {
    Move moves[G::kMaxMoves];
    int count = 1;
    if (one) {
      moves[0] = probed_.holding_move(state);
      if (moves[0] == kNoMove) refuse();
    } else {
      count = G::moves(rules_, state, moves);
    }
    for (int i = 0; i < count; ++i) out.emplace_back(moves[i], Handle{kNoNode});
  }

  // The position that was proven, where this one is on the board.
  static const State& proven(const Handle& at, const State& state) {
    return at.shadow.apart ? at.shadow.position : state;
  }
  void zone_replies(Handle at, const State& state, bool one, Replies& out) {
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, state, moves);
    if (one && at.shadow.answer != kNoMove) {
      const Move answer = std::exchange(at.shadow.answer, kNoMove);
      const bool legal = std::find(moves, moves + count, answer) != moves + count;
      out.emplace_back(legal ? answer : moves[0], at);
      return;
    }
    if (const auto source = source_of(at)) {
      at = *source;
      if (one && mover(at) != claim.prover()) {  // the move that he has more than the pattern
        const Move move = missing(at, state);
        out.emplace_back(move == kNoMove ? moves[0] : move, at);
        return;
      }
    }
    const State here = proven(at, state);
    at = rooted_at(at, here);
    if (below(at)) return add_probed(state, one, out);
    for (int i = 0; i < (one ? 1 : count); ++i) {
      const int child = one ? best_child(at) : answer_to(at, in_tree(at, moves[i]));
      if (child < 0) {  // no reply was searched that tells of it
        out.emplace_back(moves[i], without_child(at, here, moves[i]));
        continue;
      }
      const Edge& edge = children_of(at).edge(child);
      const Move proven_move = on_board(at, edge.move);
      const bool legal = one && std::find(moves, moves + count, proven_move) != moves + count;
      const Move move = legal ? proven_move : moves[i];
      out.emplace_back(move, next(at, here, edge, at.shadow.apart || move != proven_move));
    }
  }
  // Goes on after a reply of the opponent's that is lost for what the cells say
  // (host/knowledge/knowledge.h).
  Handle without_child(const Handle& at, const State& here, Move move) {
    const Move answer = knowledge_.answer(here, in_tree(at, move));
    if (answer == kNoMove) return {kNoNode};
    return {at.node, at.beside, {true, here, at.shadow.map, on_board(at, answer)}};
  }
  // The node that a leaf cites which a pattern has decided, in its place.
  std::optional<Handle> source_of(const Handle& at) const {
    if constexpr (ConnectionGame<G>) {
      const PatternSource* source = cited_ ? cited_->cited_by(at.node) : nullptr;
      if (source == nullptr) return std::nullopt;
      const auto map = cited_->maps().joined(source->map, at.shadow.map);
      return Handle{source->node, at.beside, {true, cited_->state_of(source->node), map}};
    }
    return std::nullopt;
  }
  // Who moves in a position that is apart, as the board has it.
  Player mover(const Handle& at) const {
    const Player player = G::to_move(rules_, at.shadow.position);
    if constexpr (ConnectionGame<G>) return cited_->maps().turned(at.shadow.map, player);
    return player;
  }
  // The stone of the prover that the board lacks for its pattern; kNoMove if there is none.
  Move missing(const Handle& at, const State& state) const {
    if constexpr (ConnectionGame<G>) {
      const Player there =
          cited_->maps().turned(at.shadow.map, claim.prover());  // each undoes itself
      const auto stones = Zoned<G>::stones(at.shadow.position, there);
      const auto needed = cited_->maps().turned(at.shadow.map, stones & zones_of(at).zone(at.node));
      const auto more = needed - Zoned<G>::stones(state, claim.prover());
      if (!more.empty()) return static_cast<Move>(more.lowest());
    }
    return kNoMove;
  }
  // A move that was proven, on the board; and the other way round.
  Move on_board(const Handle& at, Move move) const {
    if constexpr (ConnectionGame<G>) {
      if (cited_ && at.shadow.apart)
        return static_cast<Move>(cited_->maps().turned(at.shadow.map, move));
    }
    return move;
  }
  Move in_tree(const Handle& at, Move move) const {
    if constexpr (ConnectionGame<G>) {
      if (cited_ && at.shadow.apart) {
        return static_cast<Move>(
            cited_->maps().turned(cited_->maps().inverse(at.shadow.map), move));
      }
    }
    return move;
  }
  // Does the claim hold of a node with these bounds? Where the players are exchanged: that of the
  // other one.
  bool holds(const Handle& at, const Bounds& bounds) const {
    if constexpr (ConnectionGame<G>) {
      const bool exchanged = cited_ && at.shadow.apart && cited_->maps().exchanges(at.shadow.map);
      return ProofClaim{claim.claim, claim.proved != exchanged}.holds(bounds);
    }
    return claim.holds(bounds);
  }
  Handle rooted_at(const Handle& at, const State& here) {
    const Handle root = rooted(at, here);
    return {root.node, root.beside, at.shadow};
  }
  Handle next(const Handle& at, const State& here, const Edge& edge, bool apart) const {
    Handle next{edge.node, at.beside, {apart, here, at.shadow.map}};
    G::play(rules_, next.shadow.position, edge.move);
    return next;
  }
  Handle zone_after(Handle at, const State& state, Move move) {
    Replies found;
    zone_replies(at, state, G::to_move(rules_, state) == claim.prover(), found);
    for (const auto& [reply, handle] : found) {
      if (reply == move) return handle;
    }
    refuse();
  }
  // The lowest of the moves that hold the claim; where another position is on the board, only what
  // needs no more than the zone.
  int best_child(Handle at) const {
    const auto children = children_of(at);
    int best = -1;
    for (int i = 0; i < children.size(); ++i) {
      if (!children.created(i) || !holds(at, children[i].bounds)) continue;
      const auto& zones = zones_of(at);
      if (at.shadow.apart && !zones.zone(children.edge(i).node).within(zones.zone(at.node))) {
        continue;
      }
      if (best < 0 || children.edge(i).move < children.edge(best).move) best = i;
    }
    if (best < 0) refuse();
    return best;
  }
  // The reply whose proof answers a move of the opponent: the move itself, or one whose zone he
  // stays out of; -1: none does.
  int answer_to(Handle at, Move move) const {
    const auto children = children_of(at);
    const auto& zones = zones_of(at);
    int other = -1;
    for (int i = 0; i < children.size(); ++i) {
      if (!is_answered(at, i)) continue;
      if (children.edge(i).move == move) return i;
      const auto zone = zones.zone(children.edge(i).node);
      if (other < 0 && zone.within(zones.zone(at.node)) && !zone.has(move)) other = i;
    }
    // A reply may be lost for what the cells say, without a child (host/knowledge/knowledge.h).
    if (other < 0 && !knowledge_.any()) refuse();
    return other;
  }
  // A reply of the opponent that was searched. Where another position is on the board its zone must
  // be part of the node's.
  bool is_answered(Handle at, int i) const {
    const auto children = children_of(at);
    if (!children.created(i) || !holds(at, children[i].bounds)) return false;
    const auto& zones = zones_of(at);
    const NodeIndex child = children.edge(i).node;
    return !zones.by_sibling(child) &&
           (!at.shadow.apart || zones.zone(child).within(zones.zone(at.node)));
  }
  Move first_move(Handle at, const State& state) {
    Move moves[G::kMaxMoves];
    G::moves(rules_, state, moves);
    if constexpr (ZonedGame<G>) {
      if (const auto source = source_of(at)) at = *source;
      if (at.shadow.apart) {
        Replies searched;
        replies(at, state, searched);
        return searched.empty() ? moves[0] : searched.front().first;
      }
    }
    at = rooted(at, state);
    if (!below(at)) {
      const auto children = children_of(at);
      int i = 0;  // a line goes where something was searched
      while (zones_of(at).by_sibling(children.edge(i).node)) ++i;
      return children.edge(i).move;
    }
    const Move reply = probed_.reply(state);
    return reply == kNoMove ? moves[0] : reply;
  }
  [[noreturn]] static void refuse() {
    throw Error(ErrorCode::kInternal, "the search did not keep a proof of its verdict");
  }

  Rules rules_;
  const AnyEngine<G>& engine_;
  ProbedMoves<G> probed_;
  Knowledge<G> knowledge_;
  std::shared_ptr<const CitedNodes<G>> cited_;  // if any leaf cites any node
  std::unique_ptr<SecondLevel<G>> beside_;
  NodeIndex beside_of_ = kNoNode;  // the leaf whose tree it has
  std::vector<State> before_;      // the position; where positions can come again
};

// What the prover of a tree's proof plays.
template <Game G>
class TreeGuide final : public Guide<G> {
 public:
  using State = typename G::State;

  explicit TreeGuide(TreeProof<G> proof) : proof_(std::move(proof)) {}

  Move move(const State& state) override { return proof_.move(at_, state); }
  void follow(const State& state, Move move) override {
    at_ = proof_.after(at_, state, move);
    if constexpr (!AcyclicGame<G>) proof_.enter(state);
  }

 private:
  TreeProof<G> proof_;
  typename TreeProof<G>::Handle at_;
};

}  // namespace playproof
