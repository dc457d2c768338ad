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
#include "host/proof/card_minimiser.h"
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
  // Lets these cards, which the caller holds, rest on fewer others, of all that are held back; each
  // becomes one that says no less (host/proof/card_minimiser.h).
  void minimise(int cells, std::vector<Index*> roots) {
    using Minimiser = CardMinimiser<Connection<G>::kWords>;
    const std::vector<Index> order = in_order();
    std::vector<Index> place(nodes_.size());
    std::vector<typename Minimiser::Item> items;
    for (const Index i : order) {
      place[i] = static_cast<Index>(items.size());
      items.push_back(item_of(nodes_[i], place));
    }
    Minimiser minimiser(cells, std::move(items));
    std::vector<Index> wanted;
    std::erase_if(roots, [&](const Index* root) { return is_written(*root); });
    wanted.reserve(roots.size());
    for (const Index* root : roots) wanted.push_back(place[*root]);
    minimiser.run(wanted);
    for (const Index i : order) hold(i);
    for (Index* root : roots) {
      const Index other = order[minimiser.instead_of(place[*root])];
      hold(other);
      release(std::exchange(*root, other));
    }
    for (const Index i : order) {
      if (minimiser.is_needed(place[i])) take(nodes_[i], minimiser.items()[place[i]], order);
    }
    for (const Index i : order) release(i);
  }
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

  // All cards that somebody holds and that are not written, after those they rest on, which may be.
  std::vector<Index> in_order() {
    std::vector<Index> order;
    std::vector<std::uint8_t> seen(nodes_.size());
    for (Index i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].holds == 0 || nodes_[i].id != 0 || seen[i] != 0) continue;
      seen[i] = 1;
      walk_.assign(1, {i, 0});
      while (!walk_.empty()) {
        auto& [top, next] = walk_.back();
        if (next == nodes_[top].cites.size()) {
          order.push_back(top);
          walk_.pop_back();
          continue;
        }
        const Index below = nodes_[top].cites[next++];
        if (seen[below] == 0) walk_.emplace_back(below, 0);
        seen[below] = 1;
      }
    }
    return order;
  }
  static auto item_of(const Node& node, const std::vector<Index>& place) {
    using Item = typename CardMinimiser<Connection<G>::kWords>::Item;
    Item item{
        node.card, Item::Kind::kGiven, node.move, {}, static_cast<std::uint32_t>(lines_of(node))};
    for (const Index below : node.cites) item.cites.push_back(place[below]);
    if (node.id != 0) {
      item.kind = Item::Kind::kWritten;
    } else if (!node.cites.empty() && node.pairs.empty()) {
      item.kind = node.move == kNoMove ? Item::Kind::kAll : Item::Kind::kOne;
    }
    return item;
  }
  // The node, which is not written, becomes what the item says.
  void take(Node& node, const auto& item, const std::vector<Index>& order) {
    if (node.id != 0) return;
    node.card = item.card;
    node.move = item.move;
    const std::vector<Index> before = std::exchange(node.cites, {});
    for (const Index below : item.cites) {
      node.cites.push_back(order[below]);
      hold(order[below]);
    }
    for (const Index below : before) drop(below);
  }
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
