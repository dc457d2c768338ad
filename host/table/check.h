// Holds a table and the stack above it against the rules of the game: whatever is proven must
// follow from what is known of the next positions, as far as the table still knows them. It stands
// behind --selfcheck and behind every table that was read from a file.
//
// What bridges, inferior cells and virtual connections said is asked once more for --selfcheck,
// which may take as long as the search, and not of a file: so a table is loaded in seconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "games/core/error.h"
#include "games/core/game.h"
#include "host/probe/leaf_probe.h"
#include "host/question/search_options.h"
#include "host/table/any_table_search.h"
#include "host/table/zone_check.h"

namespace playproof {

// It is used between two strokes of the search.
template <AcyclicGame G>
class TableCheck {
 public:
  using State = typename G::State;
  using Rules = typename G::Rules;

  enum class Ask : bool { kNothing, kProbes };

  TableCheck(const Rules& rules, const Claim& claim, const AnyTableSearch<G>& search,
             Ask ask = Ask::kProbes)
      : rules_(rules),
        claim_(claim),
        search_(search),
        any_(unknown_bounds<G>(rules, claim.attacker)),
        zones_(rules, search, ask == Ask::kProbes) {}

  // Looks at every position of the table that the root leads to over others of it, and at those on
  // the stack.
  // Throws Error(kInternal) naming the first that is wrong.
  void run(const State& position) {
    seen_.assign(search_.places(), false);
    check_stack();
    check_root(position);
    visit(position);
    while (!waiting_.empty()) {
      const State state = waiting_.back();
      waiting_.pop_back();
      check_position(state);
    }
  }

 private:
  void expect(bool good, const State& state, const char* what) const {
    if (good) return;
    throw Error(ErrorCode::kInternal,
                "node " + std::to_string(G::key(rules_, state)) + " of the table: " + what);
  }

  void check_stack() {
    search_.for_each_held([&](const AnyCallChild<G>& child) {
      const Bounds known = search_.known(child.state);
      expect(agree(known, child.bounds), child.state, "stack and table contradict each other");
      if (!child.finished) visit(child.state);
    });
  }
  bool decided(const Bounds& bounds) const { return bounds.decides(claim_.threshold); }
  // The position itself stands in the table as it lies, where visit() may not find it.
  void check_root(const State& position) {
    const Bounds known = search_.bounds();
    if (search_.root_children() == 0 || !search_.zones_on() || !decided(known)) return;
    check_zone(position, known,
               [&](bool mover_wins) { return zones_.wrong_at_root(position, mover_wins); });
  }
  template <class F>
  void check_zone(const State& state, const Bounds& known, F&& wrong) const {
    const bool attackers = G::to_move(rules_, state) == claim_.attacker;
    const char* what = wrong(attackers == known.proves(claim_.threshold));
    expect(what == nullptr, state, what);
  }
  static bool agree(const Bounds& a, const Bounds& b) {
    return a.lower() <= b.upper() && b.lower() <= a.upper();
  }

  // Visits each once.
  void visit(const State& state) {
    const std::optional<std::uint64_t> place = search_.place_of(state);
    if (!place || seen_[*place]) return;
    seen_[*place] = true;
    waiting_.push_back(state);
  }

  // What a probe decided follows from the probe alone.
  bool is_probed(const State& state, const Bounds& claimed) const {
    bool true_claims = true;
    if (claimed.lower() > any_.lower()) {
      const Value least = claimed.lower();
      true_claims = probed(state, least).proves(least);
    }
    if (claimed.upper() < any_.upper()) {
      const auto above = static_cast<Value>(claimed.upper() + 1);
      true_claims = true_claims && probed(state, above).disproves(above);
    }
    return true_claims;
  }
  Bounds probed(const State& state, Value threshold) const {
    auto probe = search_.probe();
    return ask(probe, state, Claim{claim_.attacker, threshold}).bounds;
  }
  void check_position(const State& state) {
    const Bounds claimed = search_.known(state);
    const bool taken = search_.probe().applies_to(state);
    if (taken && search_.probe().kDecides) {
      expect(is_probed(state, claimed), state, "the ending of the game contradicts what it claims");
      return;
    }
    const bool attackers = G::to_move(rules_, state) == claim_.attacker;
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, state, moves);
    // Another claim may have decided it before.
    const bool zones = search_.zones_on() && claimed != any_;
    if (zones && decided(claimed)) {
      check_zone(state, claimed, [&](bool mover_wins) { return zones_.wrong(state, mover_wins); });
    }
    Bounds follows = any_;
    for (int i = 0; i < count; ++i) {
      State child = state;
      G::play(rules_, child, moves[i]);
      const Bounds bounds = search_.known(child);
      follows = i == 0      ? bounds
                : attackers ? Bounds::best(follows, bounds)
                            : Bounds::worst(follows, bounds);
      if (!G::finished(rules_, child)) visit(child);
    }
    expect(agree(claimed, follows), state, "what it claims contradicts the positions after it");
    if (search_.question().table_may_have_lost() || zones) return;
    const bool implied = claimed.lower() <= follows.lower() && claimed.upper() >= follows.upper();
    expect(implied || (taken && is_probed(state, claimed)), state,
           "what it claims does not follow from the positions after it");
  }

  Rules rules_;
  Claim claim_;
  const AnyTableSearch<G>& search_;
  Bounds any_;
  TableZoneCheck<G> zones_;
  std::vector<bool> seen_;
  std::vector<State> waiting_;
};

}  // namespace playproof
