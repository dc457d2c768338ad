// The descents whose leaves wait for playouts, batch by batch, and how they are saved.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "games/core/game.h"
#include "host/path/line.h"
#include "host/question/question.h"
#include "host/question/search_options.h"
#include "host/tree/descent.h"
#include "host/tree/tree.h"

namespace playproof {

// Goes from the end of a way to the child that a file names: all that it says is held against the
// rules first.
template <class Archive, class G, class Step>
void enter_loaded(Archive& archive, const typename G::Rules& rules, Player attacker,
                  const TreeStructure& tree, int child, Descent<G, Step>& way) {
  archive.check(way.end().node < tree.nodes(), "a path through no node");
  const auto& node = tree.node(way.end().node);
  archive.check(child >= 0 && child < node.edges &&
                    std::uint64_t{node.first_edge} + node.edges <= tree.edges(),
                "a path through no child");
  const Edge edge = tree.children(node).edge(child);
  const auto& state = way.end().state;
  Move moves[G::kMaxMoves];
  Move* end = moves + (G::finished(rules, state) ? 0 : G::moves(rules, state, moves));
  archive.check(std::find(moves, end, edge.move) != end, "a path with an illegal move");
  way.enter(rules, attacker, edge);
}

// Saves or loads what the next descent can still see of a path: the choices down to the node where
// it begins or, where ties stay on the path, down to the last leaf. States follow from the moves.
template <class Archive, Game G, class Step>
void serialize_path(Archive& archive, const typename G::Rules& rules, Player attacker,
                    const TreeStructure& tree, Descent<G, Step>& path, bool stays) {
  std::uint32_t entries = path.entries();
  std::uint32_t depth = path.depth();
  std::uint32_t used = stays ? std::max(depth, path.previous()) : depth;
  std::uint32_t previous = std::min(path.previous(), used);
  archive(entries, used, depth, previous);
  // Where positions can come again, no path is longer than the tree is large.
  const std::uint64_t most = AcyclicGame<G> ? most_plies<G>() : tree.nodes();
  archive.check(depth <= used && previous <= used && used < entries && entries <= most + 1,
                "a path of a wrong length");
  if constexpr (Archive::kLoading) path = Descent<G, Step>(path[0]);
  for (std::uint32_t d = 0; d < used; ++d) {
    archive(path[d].child);
    if constexpr (Archive::kLoading) {
      enter_loaded(archive, rules, attacker, tree, path[d].child, path);
    }
  }
  if constexpr (!Archive::kLoading) return;
  archive.check(path[used].node < tree.nodes(), "a path to no node");
  // The next descent goes on from its end.
  for (std::uint32_t d = 0; depth > 0 && d <= depth; ++d) {
    archive.check(tree.node(path[d].node).open(), "a path through a node that is closed");
  }
  path.restore(entries, depth, previous);
}

template <Game G, class Step>
class WaitingDescents {
 public:
  using Way = Descent<G, Step>;

  // Adds a way to the batch that is under way.
  [[gnu::noinline]] void add(const Way& way) {
    Batch& batch = at(out_);
    if (batch.size == batch.ways.size()) batch.ways.emplace_back(way[0]);
    batch.ways[batch.size++].follow(way);
    steps_ += way.steps().size();
  }
  // What comes now is of the next batch. The one under way, which has taken so many leaves, is out;
  // it is over if none of them waits.
  void send(std::uint32_t leaves) {
    if (leaves == 0 || at(out_).size > 0) ++out_;
  }
  // Batches that are out, the oldest first; behind them the one under way.
  std::size_t out() const { return out_; }
  std::span<const Way> batch(std::size_t i) const {
    if (i >= batches_.size()) return {};
    return {batches_[i].ways.data(), batches_[i].size};
  }
  // The nodes on all of them together, each as often as it is on one.
  std::uint64_t steps() const { return steps_; }
  bool none() const {
    return std::all_of(batches_.begin(), batches_.end(), [](const Batch& b) { return !b.size; });
  }
  // The descents of the oldest batch that is out or, if none is, of the one under way, in the order
  // in which they came; then these do not wait. Valid until the next add().
  std::span<Way> take() {
    Batch& oldest = at(0);
    const std::span<Way> ways{oldest.ways.data(), std::exchange(oldest.size, 0)};
    for (const Way& way : ways) steps_ -= way.steps().size();
    if (out_ > 0) drop_oldest();
    return ways;
  }
  void clear() {
    for (Batch& batch : batches_) batch.size = 0;
    out_ = 0;
    steps_ = 0;
  }
  // The leaves, in ascending order.
  std::vector<NodeIndex> leaves() const {
    std::vector<NodeIndex> leaves;
    for (std::size_t i = 0; i <= out_; ++i) {
      for (const Way& way : batch(i)) leaves.push_back(way.end().node);
    }
    std::sort(leaves.begin(), leaves.end());
    return leaves;
  }

  // How many leaves the batch under way has taken; of each descent the children that it chose:
  // states follow from the moves. What is loaded is to be held against the tree
  // (host/tree/check.h). `ended`: the search, not by a limit.
  template <class Archive>
  void serialize(Archive& archive, const typename G::Rules& rules, Player attacker,
                 const TreeStructure& tree, const Step& root, const SearchOptions& options,
                 bool ended, std::uint32_t* taken) {  // NOLINT(readability-non-const-parameter)
    const std::uint32_t most = options.pipeline;
    archive(*taken);
    auto out = static_cast<std::uint32_t>(out_);
    archive(out);
    archive.check(out <= most, "more batches than may be out");
    if constexpr (Archive::kLoading) clear();
    for (std::uint32_t i = 0; i <= out; ++i) {
      auto size = static_cast<std::uint32_t>(batch(i).size());
      archive(size);
      archive.check(size <= options.batch && size <= tree.nodes() && (i < most || size == 0),
                    "more descents than there can be");
      for (std::uint32_t w = 0; w < size; ++w) {
        Way way = Archive::kLoading ? Way(root) : batch(i)[w];
        serialize_way(archive, rules, attacker, tree, way);
        if constexpr (Archive::kLoading) add(way);
      }
      if (Archive::kLoading && i < out) send(0);
    }
    archive.check(batch(out).size() <= *taken && *taken <= options.batch,
                  "fewer leaves under way than descents, or more than a batch has");
    if (*taken > 0 && !ended) check_cut(archive, *taken, tree, options);
  }

 private:
  struct Batch {
    std::vector<Way> ways;  // those beyond `size` are used again
    std::size_t size = 0;
  };

  // A limit has cut the batch under way, before a leaf that it can go on with. (Leaves that need no
  // playouts do not wait, so it may have taken more than there are descents.)
  template <class Archive>
  void check_cut(Archive& archive, std::uint32_t taken, const TreeStructure& tree,
                 const SearchOptions& options) const {
    archive.check(taken < options.batch && out_ < options.pipeline && tree.nodes() > 0 &&
                      !tree.node(0).pending,
                  "leaves under way of a batch that cannot go on");
  }

  [[gnu::noinline]] void drop_oldest() {
    --out_;
    std::rotate(batches_.begin(), batches_.begin() + 1, batches_.end());
  }
  Batch& at(std::size_t i) {
    while (i >= batches_.size()) batches_.emplace_back();
    return batches_[i];
  }
  template <class Archive>
  static void serialize_way(Archive& archive, const typename G::Rules& rules, Player attacker,
                            const TreeStructure& tree, Way& way) {
    std::uint32_t depth = way.depth();
    archive(depth);
    archive.check(depth <= most_plies<G>(), "a path of a wrong length");
    for (std::uint32_t d = 0; d < depth; ++d) {
      int child = 0;
      if constexpr (!Archive::kLoading) child = child_on(tree, way, d);
      archive(child);
      if constexpr (!Archive::kLoading) continue;
      enter_loaded(archive, rules, attacker, tree, child, way);
      if constexpr (requires { way[d].child; }) way[d].child = child;
    }
    archive.check(way.end().node < tree.nodes(), "a path to no node");
  }
  static int child_on(const TreeStructure& tree, const Way& way, std::uint32_t d) {
    const auto children = tree.children(tree.node(way[d].node));
    int child = 0;
    while (children.edge(child).node != way[d + 1].node) ++child;
    return child;
  }

  std::vector<Batch> batches_;
  std::size_t out_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace playproof
