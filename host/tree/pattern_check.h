// Holds the patterns beside a tree (host/tree/tree_patterns.h) against its nodes: what is kept, and
// what leaves cite. Part of host/tree/check.h.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "games/core/connection.h"
#include "host/question/question.h"
#include "host/tree/tree.h"
#include "host/tree/tree_patterns.h"
#include "host/tree/tree_zones.h"
#include "host/tree/zone_check.h"

namespace playproof {

template <ConnectionGame G>
class PatternCheck {
 public:
  using Cells = Zone<G>;
  using State = typename G::State;

  // `patterns` may be null.
  PatternCheck(const typename G::Rules& rules, const Claim& claim, const TreeStructure& tree,
               const TreeZones<G>& zones, const TreePatterns<G>* patterns)
      : rules_(rules), claim_(claim), tree_(tree), zones_(zones), patterns_(patterns) {
    if (!on()) return;
    pairs_.resize(patterns->citations());
    cited_.reserve(patterns->citations());
    sources_.reserve(patterns->citations());
    for (std::uint32_t i = 0; i < patterns->citations(); ++i) {
      const auto& [leaf, source] = patterns->citation(i);
      expect_at(leaf < tree.nodes(), leaf, "it cites, and is not there");
      cited_.emplace_back(leaf, i);
      expect_source(source);
      sources_.push_back({source.node, kCitation, i});
    }
    std::sort(cited_.begin(), cited_.end());
    for (std::size_t i = 1; i < cited_.size(); ++i) {
      expect_at(cited_[i - 1].first != cited_[i].first, cited_[i].first, "it cites twice");
    }
    for (std::size_t ring = 0; ring < TreePatterns<G>::Kept::kRings; ++ring) {
      for (std::size_t i = 0; i < patterns->kept().ring(ring).size(); ++i) {
        expect_source(patterns->source(ring, i));
        sources_.push_back({patterns->source(ring, i).node, ring, i});
      }
    }
    std::sort(sources_.begin(), sources_.end(), [](const Use& a, const Use& b) {
      return std::tie(a.node, a.ring, a.i) < std::tie(b.node, b.ring, b.i);
    });
  }

  // Has a pattern decided it?
  bool cites(NodeIndex node) const { return citation_of(node) != kNoCitation; }

  // Each node once.
  void see(NodeIndex index, const State& state) {
    if (!on()) return;
    const std::uint32_t citation = citation_of(index);
    if (citation != kNoCitation) pairs_[citation].leaf = state;
    const Use first{index, 0, 0};
    const auto before = [](const Use& a, const Use& b) { return a.node < b.node; };
    auto use = std::lower_bound(sources_.begin(), sources_.end(), first, before);
    for (; use != sources_.end() && use->node == index; ++use) see_source(*use, state);
  }
  // All nodes that there are were seen.
  void finish() const {
    if (!on()) return;
    for (std::uint32_t i = 0; i < patterns_->citations(); ++i) check_citation(i);
    check_order();
  }

 private:
  static constexpr std::size_t kCitation = ~std::size_t{0};
  static constexpr std::uint32_t kNoCitation = ~std::uint32_t{0};
  // A node whose pattern is kept in a ring, or cited by the i-th citation.
  struct Use {
    NodeIndex node;
    std::size_t ring;
    std::size_t i;
  };
  struct Pattern {
    Player winner = Player::kFirst;
    Player mover = Player::kFirst;
    Cells needed;
    Cells zone;
  };
  struct Pair {
    State leaf{};
    Pattern pattern;
  };

  bool on() const { return patterns_ != nullptr && patterns_->on(); }
  void expect_source(const PatternSource& source) const {
    expect_at(source.node < tree_.nodes() && source.map < patterns_->kept().maps().size(),
              source.node, "it has left a pattern, and is not there, or nowhere turned so");
  }
  std::uint32_t citation_of(NodeIndex leaf) const {
    const auto found = std::lower_bound(cited_.begin(), cited_.end(), std::pair{leaf, 0u});
    return found == cited_.end() || found->first != leaf ? kNoCitation : found->second;
  }
  // What the node has left.
  Pattern pattern_of(NodeIndex index, const State& state, std::uint32_t map) const {
    const auto& node = tree_.node(index);
    expect_at(node.decided && node.edges != 0 && !zones_.by_sibling(index), index,
              "it has left a pattern, and its children have not decided it");
    const Player winner =
        node.bounds.proves(claim_.threshold) ? claim_.attacker : opponent(claim_.attacker);
    const Cells zone = zones_.zone(index);
    const auto& maps = patterns_->kept().maps();
    return {maps.turned(map, winner), maps.turned(map, G::to_move(rules_, state)),
            maps.turned(map, zone & Connection<G>::stones(state, winner)), maps.turned(map, zone)};
  }
  void see_source(const Use& use, const State& state) {
    if (use.ring == kCitation) {
      const auto& source = patterns_->citation(static_cast<std::uint32_t>(use.i)).source;
      pairs_[use.i].pattern = pattern_of(use.node, state, source.map);
      return;
    }
    const Pattern pattern = pattern_of(use.node, state, patterns_->source(use.ring, use.i).map);
    const auto& ring = patterns_->kept().ring(use.ring);
    expect_at(TreePatterns<G>::Kept::ring_of(pattern.winner, pattern.mover) == use.ring &&
                  ring.needed(use.i) == pattern.needed && ring.zone(use.i) == pattern.zone,
              use.node, "a pattern that is kept is not the one that it has left");
  }
  void check_citation(std::uint32_t i) const {
    const NodeIndex index = patterns_->citation(i).leaf;
    const auto& node = tree_.node(index);
    const auto& [state, pattern] = pairs_[i];
    expect_at(index != 0 && node.decided && node.edges == 0 && !zones_.by_sibling(index) &&
                  !G::finished(rules_, state),
              index, "it cites, and no pattern can have decided it");
    const bool proved = node.bounds.proves(claim_.threshold);
    expect_at(proved == (pattern.winner == claim_.attacker) && zones_.zone(index) == pattern.zone,
              index, "it does not say what the pattern says that it cites");
    const Cells own = Connection<G>::stones(state, pattern.winner);
    const Cells other = Connection<G>::stones(state, opponent(pattern.winner));
    const Player mover = G::to_move(rules_, state);
    const bool has_more = mover == pattern.winner && pattern.mover != pattern.winner;
    expect_at((mover == pattern.mover || has_more) && (pattern.zone & other).empty() &&
                  (pattern.needed - own).size() <= (has_more ? 1 : 0),
              index, "the pattern that it cites does not match");
  }
  // All citations below a node are older than those of it.
  void check_order() const {
    std::vector<std::uint32_t> newest(tree_.nodes(), 0);  // its number, from 1
    for (const auto& [leaf, i] : cited_) newest[leaf] = i + 1;
    for (auto index = static_cast<NodeIndex>(tree_.nodes()); index-- > 0;) {
      const auto children = tree_.children(tree_.node(index));  // come after it
      for (int i = 0; i < children.size(); ++i) {
        if (!children.created(i)) continue;
        newest[index] = std::max(newest[index], newest[children.edge(i).node]);
      }
    }
    for (std::uint32_t i = 0; i < patterns_->citations(); ++i) {
      const auto& [leaf, source] = patterns_->citation(i);
      expect_at(newest[source.node] < i + 1, leaf,
                "the node that it cites rests on what came later");
    }
  }

  typename G::Rules rules_;
  Claim claim_;
  const TreeStructure& tree_;
  const TreeZones<G>& zones_;
  const TreePatterns<G>* patterns_;
  std::vector<std::pair<NodeIndex, std::uint32_t>> cited_;  // citations by their leaves
  std::vector<Use> sources_;                                // by node
  std::vector<Pair> pairs_;                                 // of the citations
};

// Games without zones have no patterns.
struct NoPatternCheck {
  explicit NoPatternCheck(const auto&... /*all*/) {}
  static bool cites(NodeIndex /*node*/) { return false; }
  void see(NodeIndex /*node*/, const auto& /*state*/) {}
  void finish() const {}
};

}  // namespace playproof
