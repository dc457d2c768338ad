// The proof that stands in a tree. It rests on bounds alone, so that a tree serves every claim that
// its bounds decide, also one that was not searched for. Below leaves that a probe has decided
// there is no tree: an ending says there what to play, and what a second level found is searched
// for once more, beside the tree, one leaf at a time.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "host/proof/probed_moves.h"
#include "host/proof/proof_writer.h"
#include "host/proof/strategy.h"
#include "host/tree/tree.h"

namespace playproof {

template <Game G, class Engine>
class TreeProof {
 public:
  using State = typename G::State;
  using Rules = typename G::Rules;
  using Label = typename Engine::Label;
  // kNoNode: below all trees. A node of the tree beside is known until a leaf is searched for that
  // another one has decided: walks go down, so that they are through with it.
  struct Handle {
    NodeIndex node = 0;
    bool beside = false;
  };
  using Replies = std::vector<std::pair<Move, Handle>>;

  TreeProof(const Rules& rules, const Engine& engine, const ProofClaim& proof_claim)
      : claim(proof_claim),
        rules_(rules),
        engine_(engine),
        probed_(rules, proof_claim, engine.probe()) {}

  const ProofClaim claim;

  // Positions near the end are left to the checker of the proof.
  bool recheck() const { return engine_.probe().on(); }
  // Is it left to the ending? (host/proof/strategy.h)
  bool is_probed(const State& state) const { return probed_.takes(state); }

  // A source of host/proof/proof_writer.h.
  void replies(Handle at, const State& state, bool one, Replies& out) {
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
  // Where a move leads.
  Handle after(Handle at, const State& state, Move move) {
    at = rooted(at, state);
    if (below(at)) return {kNoNode};
    const auto children = children_of(at);
    for (int i = 0; i < children.size(); ++i) {
      if (!children.created(i) || children.edge(i).move != move) continue;
      return {children.edge(i).node, at.beside};
    }
    refuse();
  }
  // To the end of the game: the prover's moves, and against them the first ones that were tried.
  std::vector<Move> line(State state) {
    std::vector<Move> moves;
    for (Handle at; !G::finished(rules_, state);) {
      const bool one = G::to_move(rules_, state) == claim.prover();
      moves.push_back(one ? move(at, state) : first_move(at, state));
      at = after(at, state, moves.back());
      G::play(rules_, state, moves.back());
    }
    return moves;
  }

 private:
  static constexpr bool kTwoLevels = requires(const Engine& engine) { engine.second_level(); };
  struct NoSecondLevel {};
  template <class E>
  struct SecondLevelOf {
    using Type = NoSecondLevel;
  };
  template <class E>
  requires requires(const E& engine) { engine.second_level(); }
  struct SecondLevelOf<E> {
    using Type = typename decltype(std::declval<const E&>().second_level())::element_type;
  };

  const Tree<Label>& tree_of(Handle at) const {
    if constexpr (kTwoLevels) {
      if (at.beside) return beside_->search().tree();
    }
    return engine_.tree();
  }
  typename Tree<Label>::Children children_of(Handle at) const {
    return tree_of(at).children(tree_of(at).node(at.node));
  }
  // Nothing was searched there.
  bool below(Handle at) const { return at.node == kNoNode || tree_of(at).node(at.node).edges == 0; }
  // Of a leaf that a second level has decided the root of the tree beside, which is searched for.
  Handle rooted(Handle at, const State& state) {
    if constexpr (kTwoLevels) {
      if (at.beside || !below(at) || at.node == kNoNode || probed_.takes(state)) return at;
      if (beside_of_ != at.node) {
        if (!beside_) beside_ = engine_.second_level();
        const Bounds found = ask(*beside_, state, engine_.claim()).bounds;
        if (!claim.holds(found)) refuse();
        beside_of_ = at.node;
      }
      return {0, true};
    }
    return at;
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
  Move first_move(Handle at, const State& state) {
    at = rooted(at, state);
    if (!below(at)) return children_of(at).edge(0).move;
    Move moves[G::kMaxMoves];
    G::moves(rules_, state, moves);
    return moves[0];
  }
  [[noreturn]] static void refuse() {
    throw Error(ErrorCode::kInternal, "the search did not keep a proof of its verdict");
  }

  Rules rules_;
  const Engine& engine_;
  ProbedMoves<G> probed_;
  std::unique_ptr<typename SecondLevelOf<Engine>::Type> beside_;
  NodeIndex beside_of_ = kNoNode;  // the leaf whose tree it has
};

// What the prover of a tree's proof plays.
template <Game G, class Engine>
class TreeGuide final : public Guide<G> {
 public:
  using State = typename G::State;

  explicit TreeGuide(TreeProof<G, Engine> proof) : proof_(std::move(proof)) {}

  Move move(const State& state) override { return proof_.move(at_, state); }
  void follow(const State& state, Move move) override { at_ = proof_.after(at_, state, move); }

 private:
  TreeProof<G, Engine> proof_;
  typename TreeProof<G, Engine>::Handle at_;
};

}  // namespace playproof
