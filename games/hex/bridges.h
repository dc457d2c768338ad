// Chains of bridges in Hex: stones of a player and pairs of empty cells, no cell in two pairs, that
// join his edges whichever cell of each pair he gets. He wins even if the opponent is to move, by
// answering each stone in a pair with the other cell of it. (Bridges and their like: Anshelevich
// 2002; pairing strategies.) Its ends may be edge templates (games/hex/edge_templates.h), if they
// are asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "games/core/cell_set.h"
#include "games/hex/edge_templates.h"
#include "games/hex/neighbours.h"
#include "games/hex/rules.h"

namespace playproof {

template <int W>
class HexBridges {
 public:
  using Cells = CellSet<W>;
  using Rules = typename Hex<W>::Rules;
  using State = typename Hex<W>::State;
  using Pair = std::pair<Move, Move>;

  struct Chain {
    Cells stones;
    std::vector<Pair> pairs;
    Cells templates;  // cells of edge templates at its ends
    Cells zone() const {
      Cells zone = stones | templates;
      for (const auto& [a, b] : pairs) {
        zone.add(a);
        zone.add(b);
      }
      return zone;
    }
  };

  HexBridges(const Rules& rules, int player)
      : rules_(rules),
        edges_{hex_edge<W>(rules, player, 0), hex_edge<W>(rules, player, 1)},
        templates_(rules, player) {
    for (int row = 0; row + 1 < rules.length[player]; ++row) {
      gaps_.push_back(hex_row<W>(rules, player, row) | hex_row<W>(rules, player, row + 1));
    }
  }

  // Finds one by a breadth-first walk over the groups of `own` stones, which are linked by two
  // common empty cells that the walk to them has not used; not always where there is one. Its
  // stones are as few as leaving out one after the other makes them, where it needs no template.
  bool find(const Cells& own, const Cells& other, Chain* chain, bool templates = false) {
    if (has_gap(own, templates)) return false;
    return templates ? walk<true>(own, other, chain) : walk<false>(own, other, chain);
  }
  // Is it a chain? Cells that are sure to be joined to the first edge: stones that touch one of
  // them, or both cells of a pair that does.
  bool joins(const Cells& stones, const std::vector<Pair>& pairs) const {
    Cells joined = stones & edges_[0];
    while (true) {
      Cells reached = hex_neighbours<W>(rules_, joined) | edges_[0];
      Cells more = joined | (reached & stones);
      for (const auto& [a, b] : pairs) {
        if (!reached.has(a) || !reached.has(b)) continue;
        if (edges_[1].has(a) && edges_[1].has(b)) return true;
        more |= hex_neighbours<W>(rules_, Cells::one(a)) &
                hex_neighbours<W>(rules_, Cells::one(b)) & stones;
      }
      if (!(more & edges_[1]).empty()) return true;
      if (more == joined) return false;
      joined = more;
    }
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};
  struct Group {
    Cells stones;
    Cells around;  // empty cells that touch it
    bool reached = false;
  };
  struct Step {
    std::size_t group;
    std::size_t before;
    Cells link;  // no cell, two, or those of a template
    Cells used;  // on the way here
  };

  // Are two rows beside each other without a stone of his? Two common cells, and those between a
  // stone and an edge, reach over one row only, a template over two.
  bool has_gap(const Cells& own, bool templates) const {
    const std::size_t ends = templates ? 1 : 0;
    for (std::size_t i = ends; i + ends < gaps_.size(); ++i) {
      if ((own & gaps_[i]).empty()) return true;
    }
    return false;
  }
  template <bool kTemplates>
  bool walk(const Cells& own, const Cells& other, Chain* chain) {
    empty_ = Cells::all(rules_.cells) - own - other;
    make_groups(own);
    steps_.clear();
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const Group& group = groups_[g];
      if (!(group.stones & edges_[0]).empty()) {
        reach(g, kNone, {});
      } else {
        link(g, kNone, group.around & edges_[0]);
        if (kTemplates && !group.reached) {
          const Cells cells = templates_.find(0, group.stones, empty_);
          if (!cells.empty()) reach(g, kNone, cells);
        }
      }
    }
    for (std::size_t at = 0; at < steps_.size(); ++at) {
      const Group& group = groups_[steps_[at].group];
      if (!(group.stones & edges_[1]).empty()) return take(at, {}, chain);
      const Cells last = (group.around & edges_[1]) - steps_[at].used;
      if (last.size() >= 2) return take(at, two_of(last), chain);
      if constexpr (kTemplates) {
        const Cells cells = templates_.find(1, group.stones, empty_ - steps_[at].used);
        if (!cells.empty()) return take(at, cells, chain);
      }
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        link(g, at, (group.around & groups_[g].around) - steps_[at].used);
      }
    }
    return false;
  }
  void make_groups(Cells left) {
    groups_.clear();
    while (!left.empty()) {
      const Cells group = hex_group<W>(rules_, Cells::one(left.lowest()), left);
      left = left - group;
      groups_.push_back({group, hex_neighbours<W>(rules_, group) & empty_});
    }
  }
  void reach(std::size_t group, std::size_t before, const Cells& pair) {
    groups_[group].reached = true;
    const Cells used = before == kNone ? pair : steps_[before].used | pair;
    steps_.push_back({group, before, pair, used});
  }
  static Cells two_of(const Cells& cells) {
    const Cells first = Cells::one(cells.lowest());
    return first | Cells::one((cells - first).lowest());
  }
  void link(std::size_t group, std::size_t before, const Cells& common) {
    if (!groups_[group].reached && common.size() >= 2) reach(group, before, two_of(common));
  }
  bool take(std::size_t at, const Cells& last, Chain* chain) const {
    *chain = {};
    const auto add = [&](const Cells& pair) {
      if (pair.empty()) return;
      if (pair.size() > 2) {
        chain->templates |= pair;
        return;
      }
      const int first = pair.lowest();
      const int second = (pair - Cells::one(first)).lowest();
      chain->pairs.emplace_back(static_cast<Move>(first), static_cast<Move>(second));
    };
    add(last);
    for (; at != kNone; at = steps_[at].before) {
      chain->stones |= groups_[steps_[at].group].stones;
      add(steps_[at].link);
    }
    if (!chain->templates.empty()) return true;
    for_each_cell(Cells(chain->stones), [&](int stone) {
      Cells fewer = chain->stones;
      fewer.remove(stone);
      if (joins(fewer, chain->pairs)) chain->stones = fewer;
    });
    return true;
  }

  Rules rules_;
  Cells edges_[2];
  std::vector<Cells> gaps_;  // each two rows beside each other
  HexEdgeTemplates<W> templates_;
  Cells empty_;
  std::vector<Group> groups_;
  std::vector<Step> steps_;
};

}  // namespace playproof
