// The cards of a proof that may still be cited. Their lines are held back until something that is
// written cites them, so that what turns out needless is never listed; ids are freed as soon as
// nothing can cite them any more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "games/core/connection.h"
#include "host/proof/card.h"
#include "host/proof/proof_writer.h"

namespace playproof {

template <ConnectionGame G>
class CardPool {
 public:
  using Pattern = Card<Connection<G>::kWords>;
  using Index = std::uint32_t;  // of a card; its owner holds it
  using Links = typename LinksOf<G>::Type::Proof;

  explicit CardPool(ProofLines<G>& lines) : lines_(lines) {}

  const Pattern& card(Index i) const { return nodes_[i].card; }
  // Held until release(). It rests on `cites`, which it holds itself until it is written, or on
  // `pairs` of cells, or on `links`; `move` leads to the first if the prover moves. On one card and
  // `pairs` of cells: with these filled.
  Index make(Pattern card, Move move, std::vector<Index> cites, std::vector<Move> pairs = {},
             std::unique_ptr<Links> links = nullptr) {
    for (const Index below : cites) hold(below);
    auto i = static_cast<Index>(nodes_.size());
    if (unused_.empty()) {
      nodes_.emplace_back();
    } else {
      i = unused_.back();
      unused_.pop_back();
    }
    nodes_[i] = {card, std::move(cites), std::move(pairs), std::move(links), 0, 1, move};
    held_back_ += lines_of(nodes_[i]);
    return i;
  }
  void hold(Index i) { ++nodes_[i].holds; }
  void release(Index i) {
    drop(i);
    free_dead();
  }
  // The id of the card, whose lines are written if they were held back.
  std::uint64_t id(Index root) {
    walk_.assign(1, {root, 0});
    while (!walk_.empty()) {
      auto& [i, next] = walk_.back();
      Node& node = nodes_[i];
      if (node.id == 0 && next < node.cites.size()) {
        const Index below = node.cites[next++];
        if (nodes_[below].id == 0) walk_.emplace_back(below, 0);
        continue;
      }
      if (node.id == 0) write(node);
      walk_.pop_back();
    }
    return nodes_[root].id;
  }
  bool is_written(Index i) const { return nodes_[i].id != 0; }
  // Lines that are held back: a card's, and those of its links.
  std::size_t held_back() const { return held_back_; }

 private:
  struct Node {
    Pattern card;
    std::vector<Index> cites;  // until it is written
    std::vector<Move> pairs;   // the same
    std::unique_ptr<Links> links;
    std::uint64_t id = 0;  // 0: held back
    std::uint32_t holds = 0;
    Move move = kNoMove;
  };

  static std::size_t lines_of(const Node& node) {
    if constexpr (HasLinks<G>) {
      if (node.links) return 1 + node.links->lines.size();
    }
    return 1;
  }
  void write(Node& node) {
    held_back_ -= lines_of(node);
    ids_.clear();
    for (const Index below : node.cites) ids_.push_back(nodes_[below].id);
    if constexpr (HasLinks<G>) {
      const std::unique_ptr<Links> links = std::move(node.links);
      node.id = links ? lines_.links(node.card, *links) : 0;
    }
    if (node.id == 0) {
      node.id = lines_.card(node.card, node.move, ids_, std::exchange(node.pairs, {}));
    }
    for (const Index below : std::exchange(node.cites, {})) drop(below);
    free_dead();
  }
  void drop(Index first) {
    dropped_.assign(1, first);
    while (!dropped_.empty()) {
      const Index i = dropped_.back();
      dropped_.pop_back();
      Node& node = nodes_[i];
      if (--node.holds > 0) continue;
      if (node.id != 0) dead_.push_back(node.id);
      held_back_ -= node.id == 0 ? lines_of(node) : 0;
      dropped_.insert(dropped_.end(), node.cites.begin(), node.cites.end());
      node.cites.clear();
      node.links.reset();
      unused_.push_back(i);
    }
  }
  void free_dead() {
    lines_.free(dead_);
    dead_.clear();
  }

  ProofLines<G>& lines_;
  std::vector<Node> nodes_;
  std::vector<Index> unused_;
  std::size_t held_back_ = 0;
  std::vector<std::pair<Index, std::size_t>> walk_;
  std::vector<Index> dropped_;
  std::vector<std::uint64_t> ids_;
  std::vector<std::uint64_t> dead_;
};

}  // namespace playproof
