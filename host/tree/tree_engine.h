// What an engine that keeps a tree offers: best-first search (host/tree/best_first.h), MCTS
// (host/tree/mcts.h). Solver, certificates, checks and checkpoints know no more of it than this.
// tests/host/tree_engine_conformance_test.cpp holds engines to what a compiler cannot check.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "games/core/game.h"
#include "host/archive/archive.h"
#include "host/probe/leaf_probe.h"
#include "host/question/counters.h"
#include "host/question/events.h"
#include "host/question/search_options.h"
#include "host/tree/tree.h"
#include "host/tree/tree_zones.h"
#include "kernels/numbers/bounds.h"

namespace playproof {

// clang-format off
template <class E, class G>
concept TreeEngine = requires(E& engine, const E& asked, std::uint32_t batch, std::uint32_t part, std::size_t i,
                              std::vector<LeafRequest<G>>& requests,
                              std::span<const Tally> tallies, NodeIndex node,
                              const typename G::State& state, std::uint32_t depth, bool or_node,
                              std::vector<int>& ties, SearchListener* listener, Saver& saver,
                              Loader& loader) {
  // The numbers of a node.
  typename E::Label;
  // Takes up to `part` leaves of a batch of `batch` and appends what must be evaluated; returns how
  // many, 0 when it has stopped.
  { engine.propose(batch, requests, part) } -> std::same_as<std::uint32_t>;
  // The batch can be gone on with before it is absorbed. Its parts change no count.
  { asked.may_go_on(batch) } -> std::same_as<bool>;
  // Takes the tallies of the whole batch, in the order of their requests, and backs up; of several
  // batches that are out, of the oldest.
  { engine.absorb(tallies) };
  // Where several may be out (SearchOptions::pipeline), the batch under way is one of them, unless
  // it has leaves and none of them waits, and the next propose() begins another.
  { engine.send() };
  { asked.out() } -> std::same_as<std::size_t>;
  // Appends once more what batch `i` of those that are out, or the one under way behind them, has
  // asked for: they are saved, the tallies are not.
  { asked.ask_again(i, requests) };
  // The leaves of all of these, in ascending order. They are pending, and so is an open node of
  // which nothing is open below: one that is closed.
  { asked.waiting() } -> std::same_as<std::vector<NodeIndex>>;
  { asked.closed(node) } -> std::same_as<bool>;
  { asked.stopped() } -> std::same_as<StopReason>;
  // No limit has cut the last batch short: a search that is saved now goes on as if nothing had been.
  { asked.resumable() } -> std::same_as<bool>;
  { engine.serialize(saver) };
  { engine.serialize(loader) };

  { asked.tree() } -> std::same_as<const Tree<typename E::Label>&>;
  { asked.zones() } -> std::same_as<const TreeZones<G>&>;
  { asked.bounds() } -> std::same_as<Bounds>;  // of the root
  { asked.counters() } -> std::same_as<Counters>;
  { asked.claim() } -> std::same_as<const Claim&>;
  { asked.options() } -> std::convertible_to<const SearchOptions&>;
  // Who decides leaves before they are searched.
  requires LeafProbe<std::remove_cvref_t<decltype(asked.probe())>, G>;
  // Is the label of a node what its children, or its place as a leaf, say? Between two batches.
  { asked.label_agrees(node, state, depth, or_node) } -> std::same_as<bool>;
  // Are the counts such as a search can have that has this tree? Nodes, depth and what probes took
  // are for others to see (host/tree/check.h).
  { asked.counts_stand() } -> std::same_as<bool>;
  // The child that the search would go on with; -1: none.
  { asked.preferred_child(node, or_node) } -> std::same_as<int>;
  // The children of the root that it would play now, and whether the last batch may have changed
  // them.
  { asked.root_ties(ties) };
  { asked.root_changed() } -> std::same_as<bool>;
  // Who is told of nodes that are expanded and decided; null: nobody.
  { engine.listen(listener) };
};
// clang-format on

}  // namespace playproof
