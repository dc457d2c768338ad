// Makes a proof of cards smaller before it is written. Cards are found on the way down, each for
// one position; once they are all there, a card that was found for another position, earlier or
// later, may serve as well. Two passes over cards that come after what they rest on:
//   up     each card rests anew on those of all cards before it that leave the smallest pattern;
//   one
//          that says no more than a card before it gives way to that one. Patterns only shrink, and
//          so whatever rested on a card may still.
//   down   from the roots: each card that is needed rests on cards that are needed anyhow, as far
//          as they will do, else on those that bring few others with them. Patterns stay.
// Both choose greedily; where that gains nothing the cards stay as they were. The rules are those
// of the checker (docs/certificate.md, "Cards"), for patterns alone: no position is asked about.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "games/core/game.h"
#include "host/proof/card.h"
#include "host/zone/patterns.h"
#include "host/zone/zone.h"

namespace playproof {

template <int W>
class CardMinimiser {
 public:
  using Cells = CellSet<W>;
  using Pattern = Card<W>;
  using Index = std::uint32_t;  // of an item

  struct Item {
    enum class Kind : std::uint8_t {
      kGiven,    // rests on no card, or in another way than the next two: its pattern stays
      kOne,      // by a move to the one card that it cites
      kAll,      // by cards after replies
      kWritten,  // listed already
    };
    Pattern card;
    Kind kind = Kind::kGiven;
    Move move = kNoMove;
    std::vector<Index> cites;  // items before it
    std::uint32_t lines = 1;   // that it takes itself
  };

  // The board has so many cells. Items come after those they cite.
  CardMinimiser(int cells, std::vector<Item> items)
      : board_(Cells::all(cells)),
        items_(std::move(items)),
        instead_(items_.size()),
        known_{Known(items_.size(), cells), Known(items_.size(), cells)} {
    std::iota(instead_.begin(), instead_.end(), Index{0});
  }

  // Afterwards the items that are needed for the roots have their new patterns and cites, and take
  // no more lines than before.
  void run(const std::vector<Index>& roots) {
    const std::vector<Item> given = items_;
    const std::uint64_t given_lines = mark(roots);
    for (Index i = 0; i < items_.size(); ++i) shrink(i);
    std::uint64_t least = mark(roots);
    for (int round = 0; round < kRounds; ++round) {
      std::vector<Item> before = items_;
      choose_again();
      const std::uint64_t lines = mark(roots);
      if (lines >= least) {
        items_ = std::move(before);
        break;
      }
      least = lines;
    }
    if (least > given_lines) {
      items_ = given;
      std::iota(instead_.begin(), instead_.end(), Index{0});
    }
    mark(roots);
  }
  const std::vector<Item>& items() const { return items_; }
  // The item that stands for this one; itself, unless another one says as much.
  Index instead_of(Index i) const { return instead_[i]; }
  bool is_needed(Index i) const { return needed_[i] != 0; }

 private:
  static constexpr int kRounds = 4;
  static constexpr std::size_t kMostCandidates = 4096;  // of one card, the first ones

  // Cards by what they need, those that are good only with the prover to move or the others.
  struct Known {
    Known(std::size_t most, int cells) : patterns(most, cells) {}
    PatternRing<W> patterns;
    std::vector<Index> items;
  };
  Known& known(bool provers) { return known_[provers ? 1 : 0]; }
  // Calls f(item) -> stop with cards before `end` that a pattern covers, or would with one needed
  // stone more on a free cell of its zone (`short_of` 1).
  template <class F>
  void for_each_covered(bool provers, const Pattern& by, int short_of, Index end, F&& f) {
    const Known& cards = known(provers);
    cards.patterns.for_each_match(by.needed, board_ - by.zone, short_of, [&](std::size_t place) {
      const Index i = cards.items[place];
      return i >= end || f(i);
    });
  }
  static int size_of(const Pattern& card) { return card.zone.size() + card.needed.size(); }

  // The pass up: `i` takes the smallest pattern, or gives way.
  void shrink(Index i) {
    Item& item = items_[i];
    for (Index& below : item.cites) below = instead_[below];
    if (item.kind != Item::Kind::kWritten) {
      if (item.kind == Item::Kind::kAll) choose_smallest(i);
      if (item.kind == Item::Kind::kOne) choose_smallest_move(i);
      const std::optional<Index> other = substitute(i);
      if (other) {
        instead_[i] = *other;
        return;
      }
    }
    Known& cards = known(item.card.provers);
    cards.patterns.add(item.card.needed, item.card.zone);
    cards.items.push_back(i);
  }
  // A card before it that holds wherever it does, the smallest.
  std::optional<Index> substitute(Index i) {
    const Pattern& card = items_[i].card;
    std::optional<Index> best;
    for (const bool provers : {false, true}) {
      if (provers && !card.provers) continue;
      for_each_covered(provers, card, 0, i, [&](Index other) {
        if (!best || size_of(items_[other].card) < size_of(items_[*best].card)) best = other;
        return false;
      });
    }
    return best;
  }
  // What cards after replies leave.
  template <class Cites>
  Pattern all_of(const Cites& cites) const {
    Pattern card;
    Cells in_all = board_;
    for (const Index below : cites) {
      card.needed |= items_[below].card.needed;
      card.zone |= items_[below].card.zone;
      in_all &= items_[below].card.zone;
    }
    card.needed |= in_all;
    return card;
  }
  // Lists cards that the pattern covers, with those that it rests on now: these will do.
  void candidates_of(Index i) {
    candidates_.clear();
    for (const bool provers : {false, true}) {
      for_each_covered(provers, items_[i].card, 0, i, [&](Index other) {
        candidates_.push_back(other);
        return candidates_.size() >= kMostCandidates;
      });
    }
    candidates_.insert(candidates_.end(), items_[i].cites.begin(), items_[i].cites.end());
  }
  // Chooses twice: a smaller pattern covers less to choose from, and greed may do better with that.
  void choose_smallest(Index i) {
    Item& item = items_[i];
    item.card = all_of(item.cites);
    for (int again = 0; again < 2; ++again) {
      candidates_of(i);
      zones_.clear();
      for (const Index c : candidates_) zones_.push_back(items_[c].card.zone);
      std::vector<Index> cites;
      for (const std::size_t c : choose_few<W>(zones_, item.card.zone - item.card.needed)) {
        cites.push_back(candidates_[c]);
      }
      if (cites.empty()) return;
      const Pattern card = all_of(cites);
      if (size_of(card) >= size_of(item.card)) return;
      item.card = card;
      item.cites = std::move(cites);
    }
  }
  void choose_smallest_move(Index i) {
    Item& item = items_[i];
    const auto before = [&](Index below, Move move) {
      Pattern card = items_[below].card;
      card.needed.remove(move);
      card.provers = true;
      return card;
    };
    // A move that is needless now leads to a card that says as much: substitute() finds that.
    item.card = before(item.cites.front(), item.move);
    const Pattern widest = item.card;
    for_each_covered(false, widest, 1, i, [&](Index other) {
      const Cells missing = items_[other].card.needed - widest.needed;
      if (missing.empty()) return false;
      const auto move = static_cast<Move>(missing.lowest());
      const Pattern card = before(other, move);
      if (size_of(card) < size_of(item.card)) {
        item.card = card;
        item.move = move;
        item.cites.front() = other;
      }
      return false;
    });
  }

  // The pass down.
  void choose_again() {
    weigh();
    needed_ = roots_;
    for (auto i = static_cast<Index>(items_.size()); i-- > 0;) {
      if (needed_[i] == 0) continue;
      if (items_[i].kind == Item::Kind::kAll) choose_cheapest(i);
      if (items_[i].kind == Item::Kind::kOne) choose_cheapest_move(i);
      for (const Index below : items_[i].cites) needed_[below] = 1;
    }
  }
  // What each item brings with it, in 256ths of a line: its own lines and its part of those that it
  // rests on.
  void weigh() {
    std::vector<std::uint32_t> cited(items_.size());
    for (Index i = 0; i < items_.size(); ++i) {
      if (instead_[i] != i) continue;
      for (const Index below : items_[i].cites) ++cited[below];
    }
    weights_.assign(items_.size(), 0);
    for (Index i = 0; i < items_.size(); ++i) {
      if (items_[i].kind == Item::Kind::kWritten) continue;
      std::uint64_t weight = std::uint64_t{256} * items_[i].lines;
      for (const Index below : items_[i].cites) {
        weight += weights_[below] / std::max<std::uint32_t>(cited[below], 1);
      }
      weights_[i] = std::min(weight, std::uint64_t{1} << 32);
    }
  }
  std::uint64_t cost(Index i) const { return needed_[i] != 0 ? 0 : weights_[i]; }
  std::uint64_t cost_of(const std::vector<Index>& cites) const {
    std::uint64_t sum = 0;
    for (const Index below : cites) sum += cost(below);
    return sum;
  }
  void choose_cheapest_move(Index i) {
    Item& item = items_[i];
    for_each_covered(false, item.card, 1, i, [&](Index other) {
      const Cells missing = items_[other].card.needed - item.card.needed;
      if (missing.empty() || cost(other) >= cost(item.cites.front())) return false;
      item.move = static_cast<Move>(missing.lowest());
      item.cites.front() = other;
      return false;
    });
  }
  void choose_cheapest(Index i) {
    Item& item = items_[i];
    if (cost_of(item.cites) == 0) return;
    candidates_of(i);
    std::vector<Index> cites;
    Cells left = item.card.zone - item.card.needed;
    while (!left.empty()) {
      std::optional<Index> best;
      std::uint64_t least = 0;
      std::uint64_t most = 0;
      for (const Index c : candidates_) {
        const auto out = static_cast<std::uint64_t>((left - items_[c].card.zone).size());
        if (out == 0 || (best && out * (least + 1) <= most * (cost(c) + 1))) continue;
        best = c;
        least = cost(c);
        most = out;
      }
      if (!best) return;
      cites.push_back(*best);
      left &= items_[*best].card.zone;
    }
    drop_needless(&cites, item.card.zone - item.card.needed);
    std::sort(cites.begin(), cites.end());
    if (cost_of(cites) < cost_of(item.cites)) item.cites = std::move(cites);
  }
  // The dearest first.
  void drop_needless(std::vector<Index>* cites, const Cells& replies) const {
    std::stable_sort(cites->begin(), cites->end(),
                     [&](Index a, Index b) { return cost(a) > cost(b); });
    for (std::size_t k = 0; k < cites->size();) {
      Cells left = replies;
      for (std::size_t other = 0; other < cites->size(); ++other) {
        if (other != k) left &= items_[(*cites)[other]].card.zone;
      }
      if (left.empty() && cites->size() > 1) {
        cites->erase(cites->begin() + static_cast<std::ptrdiff_t>(k));
      } else {
        ++k;
      }
    }
  }

  // Marks what the roots need; returns the lines that are still to be written for that.
  std::uint64_t mark(const std::vector<Index>& roots) {
    roots_.assign(items_.size(), 0);
    for (const Index root : roots) roots_[instead_[root]] = 1;
    needed_ = roots_;
    std::uint64_t lines = 0;
    for (auto i = static_cast<Index>(items_.size()); i-- > 0;) {
      if (needed_[i] == 0) continue;
      if (items_[i].kind != Item::Kind::kWritten) lines += items_[i].lines;
      for (const Index below : items_[i].cites) needed_[below] = 1;
    }
    return lines;
  }

  Cells board_;
  std::vector<Item> items_;
  std::vector<Index> instead_;
  Known known_[2];
  std::vector<std::uint8_t> roots_;  // flags
  std::vector<std::uint8_t> needed_;
  std::vector<std::uint64_t> weights_;
  std::vector<Index> candidates_;  // of one card
  std::vector<Cells> zones_;       // theirs
};

}  // namespace playproof
