// A second PN-search as a probe (host/probe/leaf_probe.h): asked of a position, it searches below
// it until it has decided it, or keeps more nodes than it may, and says what its root says. Its
// tree is dropped when it is asked again, so a proof that it found is searched for once more when
// it is wanted (host/proof/tree_proof.h): as the search is a function of position and claim, it
// finds the same in as many nodes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "host/probe/leaf_probe.h"
#include "host/tree/best_first.h"
#include "kernels/schemes/pn.h"

namespace playproof {

template <Game G>
class SecondLevel {
 public:
  using State = typename G::State;
  using Search = BestFirst<G, Pn>;
  // What the next search may keep: it ends when it has more than `nodes` (S2: "when the number of
  // nodes stored in memory exceeds y"). The others are limits of the question, and what meets them
  // has no answer.
  struct Room {
    std::uint64_t nodes = SearchLimits::kNone;
    std::uint64_t max_nodes = SearchLimits::kNone;
    std::uint64_t max_bytes = SearchLimits::kNone;
  };

  // `position` is any that is not finished.
  SecondLevel(const typename G::Rules& rules, const State& position, const Claim& claim,
              const Pn& scheme, const SearchOptions& options)
      : unknown_(unknown_bounds<G>(rules, claim.attacker)),
        search_(rules, position, claim, scheme, {options}) {}

  void give_room(const Room& room) { room_ = room; }
  bool applies_to(const State& /*state*/) const { return true; }
  // Where positions can come again: those before the next position that it is asked about.
  void give_past(std::span<const State> before) requires(!AcyclicGame<G>) {
    search_.give_past(before);
  }
  void begin(const State& state, const Claim& claim) {
    search_.begin(state, claim, room_.max_nodes, room_.max_bytes);
  }
  bool run(std::uint64_t work) {
    const std::uint64_t pause =
        work > SearchLimits::kNone - nodes() ? SearchLimits::kNone : nodes() + work;
    const std::uint64_t before = probed();
    while (search_.stopped() == StopReason::kRunning && nodes() <= room_.nodes) {
      const bool probes =
          search_.probe().has_own() && work < kMostProbed && probed() - before >= kMostProbed;
      if (nodes() >= pause || probes) return false;
      search_.propose(1, no_requests_);
      search_.absorb({});
    }
    return true;
  }
  // Why the search has ended: a limit of the question means that there is no answer.
  StopReason stopped() const { return search_.stopped(); }
  ProbeAnswer<G> answer() const {
    const auto& root = search_.tree().node(0);
    if (root.decided) return {root.bounds};
    return {unknown_, {root.label.pn, root.label.dn}};
  }
  // All that the search created, its root too.
  void count(Counters& counters) const {
    const Counters search = search_.counters();
    ++counters.second_searches;
    counters.nodes_created += search.nodes_created;
    counters.nodes_expanded += search.nodes_expanded;
    counters.endings += search.endings;
    counters.ending_nodes += search.ending_nodes;
    counters.races += search.races;
    counters.race_nodes += search.race_nodes;
  }
  const Search& search() const { return search_; }

 private:
  // Positions that probes look at in a slice, which take as long as one of nodes.
  static constexpr std::uint64_t kMostProbed = 10'000;
  std::uint64_t probed() const {
    const Counters counters = search_.counters();
    return counters.ending_nodes + counters.race_nodes;
  }
  std::uint64_t nodes() const { return search_.tree().nodes(); }

  Bounds unknown_;
  Search search_;
  Room room_;
  std::vector<LeafRequest<G>> no_requests_;
};

}  // namespace playproof
