// Patterns beside a tree (host/zone/patterns.h): what the zones of nodes leave that their children
// have decided. They are asked about every leaf that is selected, before it is expanded, and with
// that about all its replies:
//   - one decides the leaf, with at most one move of who wins: it gets no children;
//   - one says of the replies outside its zone that they are lost: the first of them that no other
//     pattern has told of is decided so, and solves the rest as every lost reply does
//     (host/tree/tree_zones.h).
// A leaf that a pattern has decided cites the node that left it, which is decided for good: the
// proof of that node, turned by a map of the board, is the leaf's (host/proof/tree_proof.h).
//
// No proof rests on itself. A leaf is decided so while all nodes above it are open, the node that
// it cites is decided by then: so all citations below a node are older than any of the node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "games/core/connection.h"
#include "games/core/game.h"
#include "host/knowledge/kept_patterns.h"
#include "host/question/search_options.h"
#include "host/tree/tree.h"
#include "host/zone/patterns.h"

namespace playproof {

// The pattern that a node left, as a map of the board turns it.
struct PatternSource {
  NodeIndex node = kNoNode;
  std::uint32_t map = 0;  // BoardMaps<G>::Map
};
// A leaf that it has decided.
struct Citation {
  NodeIndex leaf;
  PatternSource source;
};

template <class G>
class TreePatterns {  // of a game without zones
 public:
  struct Match {};
  TreePatterns(const auto& /*rules*/, const SearchOptions& /*options*/) {}
  static constexpr bool on() { return false; }
  static std::uint64_t used_bytes() { return 0; }
  static std::uint64_t most_bytes(std::uint32_t /*nodes*/) { return 0; }
  void clear() {}
  void add(NodeIndex /*node*/, const auto& /*state*/, Player /*winner*/, const Zone<G>& /*zone*/) {}
  static bool is_decided(const auto& /*state*/, Match* /*match*/) { return false; }
  static void find_refutations(const auto& /*state*/, std::vector<Match>* /*found*/) {}
  static bool refutes(const Match& /*match*/, Move /*move*/) { return false; }
  void cite(NodeIndex /*leaf*/, const Match& /*match*/) {}
  static Player winner(const Match& /*match*/) { return Player::kFirst; }
  static Zone<G> zone(const Match& /*match*/) { return {}; }
  void serialize(auto& /*archive*/, const auto& /*tree*/) {}
};

template <ConnectionGame G>
class TreePatterns<G> {
 public:
  using Rules = typename G::Rules;
  using State = typename G::State;
  using Kept = Patterns<G>;
  using Cells = Zone<G>;
  // What is found for a position that is looked at: a pattern that decides it or replies to it.
  struct Match {
    typename Kept::Place place;
    Player winner;
    Cells zone;
  };

  TreePatterns(const Rules& rules, const SearchOptions& options)
      : rules_(rules), kept_(kept_patterns<G>(rules, options)) {
    if (!on()) return;
    sources_.assign(Kept::kRings, std::vector<PatternSource>(kept_->ring(0).capacity()));
  }

  bool on() const { return kept_.has_value(); }
  std::uint64_t used_bytes() const {
    if (!on()) return 0;
    std::uint64_t sources = 0;
    for (const auto& ring : sources_) sources += ring.size() * sizeof(PatternSource);
    return kept_->bytes() + sources + citations_.size() * sizeof(Citation);
  }
  // The bytes in use once there are so many nodes more, should patterns have told of all of them.
  std::uint64_t most_bytes(std::uint32_t nodes) const {
    return on() ? used_bytes() + (nodes + 1u) * sizeof(Citation) : 0;
  }
  void clear() {
    if (!on()) return;
    kept_->clear();
    citations_.clear();
  }

  // The children of a node have decided it, with this zone.
  void add(NodeIndex node, const State& state, Player winner, const Cells& zone) {
    if (!on()) return;
    kept_->add(winner, G::to_move(rules_, state), Connection<G>::stones(state, winner) & zone, zone,
               [&](typename Kept::Place place, std::uint32_t map) {
                 sources_[place.ring][place.i] = {node, map};
               });
  }
  // Is the position, which is not finished, decided by a pattern? Then by which.
  bool is_decided(const State& state, Match* match) const {
    const Player mover = G::to_move(rules_, state);
    // He moves, and if it is the other's turn then the pattern has it.
    return find(state, mover, opponent(mover), 1, match) || find(state, mover, mover, 0, match) ||
           find(state, opponent(mover), mover, 0, match);
  }
  // Patterns that say that all replies outside their zone are lost, each of at least one of which
  // those before it do not tell.
  void find_refutations(const State& state, std::vector<Match>* found) const {
    const Player winner = opponent(G::to_move(rules_, state));
    const auto [own, other] = sides(state, winner);
    found->clear();
    Cells left = Cells::all(Connection<G>::cells(rules_)) - own - other;
    kept_->for_each_match(winner, winner, own, other, 0, [&](typename Kept::Place place) {
      const Cells zone = kept_->ring(place.ring).zone(place.i);
      if (left.within(zone)) return false;
      left &= zone;
      found->push_back({place, winner, zone});
      return left.empty();
    });
  }
  static bool refutes(const Match& match, Move move) { return !match.zone.has(move); }
  // The match has decided this leaf.
  void cite(NodeIndex leaf, const Match& match) {
    kept_->note_useful(match.place);
    citations_.push_back({leaf, sources_[match.place.ring][match.place.i]});
  }
  static Player winner(const Match& match) { return match.winner; }
  static const Cells& zone(const Match& match) { return match.zone; }

  // Citations have numbers in the order in which they came.
  std::uint64_t citations() const { return citations_.size(); }
  const Citation& citation(std::uint32_t i) const { return citations_[i]; }
  // What is kept, and which node has left pattern i of a ring.
  const Kept& kept() const { return *kept_; }
  const PatternSource& source(std::size_t ring, std::size_t i) const { return sources_[ring][i]; }

  // Saves or loads beside that tree; nothing if there are none. What is loaded is to be held
  // against the tree (host/tree/pattern_check.h).
  template <class Archive>
  void serialize(Archive& archive, const TreeStructure& tree) {
    if (!on()) return;
    std::uint64_t count = citations_.size();
    archive(*kept_, count);
    archive.check(count <= tree.nodes(), "more leaves that cite than nodes");
    if constexpr (Archive::kLoading) citations_.clear();
    for (std::uint64_t i = 0; i < count; ++i) {
      if constexpr (Archive::kLoading) citations_.emplace_back();
      Citation& citation = citations_[i];
      archive(citation.leaf);
      archive.check(citation.leaf < tree.nodes(), "a citation by no node");
      serialize_source(archive, tree, citation.source);
    }
    for (std::size_t ring = 0; ring < sources_.size(); ++ring) {
      for (std::size_t i = 0; i < kept_->ring(ring).size(); ++i) {
        serialize_source(archive, tree, sources_[ring][i]);
      }
    }
  }

 private:
  void serialize_source(auto& archive, const auto& tree, PatternSource& source) const {
    archive(source.node, source.map);
    archive.check(source.node < tree.nodes() && source.map < kept_->maps().size(),
                  "a pattern of no node");
  }
  std::pair<Cells, Cells> sides(const State& state, Player winner) const {
    return {Connection<G>::stones(state, winner), Connection<G>::stones(state, opponent(winner))};
  }
  // The first pattern with this winner and side to move.
  bool find(const State& state, Player winner, Player mover, int short_of, Match* match) const {
    const auto [own, other] = sides(state, winner);
    bool found = false;
    kept_->for_each_match(winner, mover, own, other, short_of, [&](typename Kept::Place place) {
      *match = {place, winner, kept_->ring(place.ring).zone(place.i)};
      return found = true;
    });
    return found;
  }

  Rules rules_;
  std::optional<Kept> kept_;
  std::vector<std::vector<PatternSource>> sources_;  // by ring and place
  std::deque<Citation> citations_;
};

}  // namespace playproof
