// What depth-first searches with a table have in common, whatever their numbers are: an explicit
// stack, a table, symmetry, probes, limits, what is saved. A two-stroke engine like the trees
// (host/tree/best_first.h): propose() goes on until a node's children need playouts, absorb()
// numbers them. `Self` has the numbers: host/table/depth_first.h (phi and delta),
// host/table/depth_first_scheme.h (labels of a scheme).
//
//   call(requests)             enters the child that was chosen last, or the root
//   go_on()                    leaves what is to be left, and chooses
//   entered(frame, child)      a new frame, of that child; null: the root
//   made(frame, child)         a new child of it that is not finished
//   number_solved(frame, child)  the child's bounds decide the claim: its numbers say so
//   serialize_frame(archive, frame), serialize_child(archive, frame, child)
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "games/core/connection.h"
#include "games/core/symmetry.h"
#include "host/probe/endings.h"
#include "host/probe/filled_sides.h"
#include "host/probe/leaf_probe.h"
#include "host/question/counters.h"
#include "host/question/events.h"
#include "host/table/call_stack.h"
#include "host/table/position_table.h"
#include "host/table/shallow_choices.h"
#include "host/zone/patterns.h"
#include "host/zone/zone.h"

namespace playproof {

template <class Self, AcyclicGame G, class C, class F, TablePayload Payload, class O>
class TableSearch {
 public:
  using State = typename G::State;
  using Rules = typename G::Rules;
  using Child = C;
  using Frame = F;
  using Options = O;
  using Stack = CallStack<G, C, F>;
  using Table = PositionTable<PositionId<G>, Payload, Zone<G>>;
  using Entry = typename Table::Entry;

  // Of a game without zones: nothing.
  using PatternsOf = decltype([] {
    if constexpr (ConnectionGame<G>) {
      return std::type_identity<Patterns<G>>{};
    } else {
      return std::type_identity<NoZone<G>>{};
    }
  }());

  // Asks another question; what the table holds stays. The position must not be finished; the
  // attacker must be that of the first question.
  void begin(const State& position, const Claim& claim,
             std::uint64_t max_nodes = SearchLimits::kNone) {
    claim_ = claim;
    options_.max_nodes = max_nodes;
    counters_ = {};
    table_before_ = table_.counters();
    shallow_.clear();
    position_ = position;
    stack_.clear();
    waiting_ = false;
    bounds_ = unknown_;
    best_ = kNoMove;
    stop_reason_ = StopReason::kRunning;
  }

  // Makes up to `calls` node entries; fewer when children need playouts (then their requests are
  // appended, all children of one node) or when the root was looked at (so that whoever listens
  // misses nothing). Returns the entries made; 0 when stopped() tells why.
  std::uint32_t propose(std::uint32_t calls, std::vector<LeafRequest<G>>& requests) {
    root_changed_ = false;
    std::uint32_t made = 0;
    while (made < calls && !waiting_ && !root_changed_ && room_for_call()) {
      self().call(requests);
      ++made;
      if (!waiting_) self().go_on();
    }
    return made;
  }

  // Who is told of nodes that are entered for the first time, decided, and lost by the table; null:
  // nobody.
  void listen(SearchListener* listener) {
    listener_ = listener;
    table_.listen(listener);
  }

  StopReason stopped() const { return stop_reason_; }
  // Waits for tallies.
  bool waiting() const { return waiting_; }
  // Of the position that the question is about, as far as they are proven.
  Bounds bounds() const { return bounds_; }
  // Once decided: a move of the root that holds what is proven, else its first one.
  Move best_move() const { return best_; }
  const Claim& claim() const { return claim_; }
  const Options& options() const { return options_; }
  Counters counters() const {
    Counters c = counters_;
    c.nodes_created = c.iterations;
    c.peak_bytes = table_.bytes() + peak_stack_ + pattern_bytes();
    const TableCounters table = table_.counters() - table_before_;
    c.table_lookups = table.lookups;
    c.table_hits = table.hits;
    c.table_useful_hits = table.useful;
    c.table_stored = table.stored;
    c.table_replaced = table.replaced;
    c.table_discarded = table.discarded;
    return c;
  }
  const Table& table() const { return table_; }
  // For another search; this one is over.
  Table&& take_table() { return std::move(table_); }
  const Stack& stack() const { return stack_; }

  // What rules and table know of a position.
  Bounds known(const State& state) const {
    if (G::finished(rules_, state)) {
      return Bounds::exact(value_for(claim_.attacker, G::value(rules_, state)));
    }
    const Entry* entry = entry_of(state);
    return entry == nullptr ? unknown_ : entry->bounds();
  }
  // Does it keep zones (host/zone/zone.h)? In connection games, if they are asked for.
  bool zones_on() const { return ConnectionGame<G> && options_.zones; }
  // Of a position that is known to be decided, as its board lies; empty if it is not kept.
  Zone<G> known_zone(const State& state) const {
    if constexpr (ConnectionGame<G>) {
      if (G::finished(rules_, state)) return Connection<G>::winning_set(rules_, state);
      State image = state;
      symmetry_.to_canonical(image);
      const Entry* entry = entry_of(state);
      if (entry != nullptr) return symmetry_.turned(image, state, table_.beside(entry));
    }
    return {};
  }
  // Of the position that the question is about, once it is decided.
  Zone<G> zone() const {
    if constexpr (ConnectionGame<G>) {
      if (zones_on() && !stack_.empty()) return zone_of(stack_.root(), bounds_);
    }
    return {};
  }
  const Symmetry<G>& symmetry() const { return symmetry_; }
  const Entry* entry_of(State state) const {
    symmetry_.to_canonical(state);
    const PositionId<G> wanted = id(state);
    return table_.find(wanted.hash(), wanted);
  }

  // What decides leaves before they are searched.
  const EndingProbe<G>& probe() const { return probe_; }

  bool root_changed() const { return root_changed_; }

 protected:
  TableSearch(const Rules& rules, const State& position, const Claim& claim, const Options& options,
              Table&& table)
      : rules_(rules),
        options_(options),
        unknown_(unknown_bounds<G>(rules, claim.attacker)),
        probe_(rules, options.endings),
        fill_(rules, options),
        table_(std::move(table)) {
    if (options.symmetry) symmetry_ = Symmetry<G>(rules);
    if constexpr (ConnectionGame<G>) {
      if (options.zones) stack_.keep_zones();
      if (options.zones && options.patterns > 0) {
        patterns_.emplace(rules, static_cast<std::size_t>(options.patterns));
      }
    }
    if constexpr (requires { typename Connection<G>::Pairs; }) {
      for (int player = 0; player < 2 && options.bridges; ++player) {
        pairs_.emplace_back(rules, player);
      }
    }
    if constexpr (HasLinks<G>) {
      for (int player = 0; player < 2 && options.links; ++player) {
        links_.emplace_back(rules, player);
      }
    }
    begin(position, claim, options.max_nodes);
  }

  static PositionId<G> id(const State& state) { return position_id(G{}, state); }
  bool is_attackers(const State& state) const {
    return G::to_move(rules_, state) == claim_.attacker;
  }
  bool decided(const Bounds& bounds) const { return bounds.decides(claim_.threshold); }

  // Puts the child that was chosen last, or the root, on the stack, with its children.
  Frame& enter() {
    if (stack_.empty()) {
      State image = position_;
      stack_.push(position_, id(position_).hash());
      stack_.top().symmetric = symmetry_.to_canonical(image);
      self().entered(stack_.top(), nullptr);
    } else {
      const Child child = stack_.chosen_child(stack_.top());
      stack_.push(child.state, child.hash);
      stack_.top().symmetric = child.symmetric;
      self().entered(stack_.top(), &child);
    }
    stack_.top().attackers = is_attackers(stack_.top().state);
    make_children();
    return stack_.top();
  }
  // A call that enters: counts it, and puts its frame on the stack.
  Frame& count_and_enter(bool again) {
    counters_.re_entries += again;
    counters_.nodes_expanded += !again;
    Frame& frame = enter();
    if (!again && listener_ != nullptr) listener_->expanded(frame.hash);
    counters_.max_depth = std::max<std::uint64_t>(counters_.max_depth, stack_.size());
    return frame;
  }
  void note_stack() { peak_stack_ = std::max(peak_stack_, stack_.bytes()); }

  // Notes that the node on top of the stack goes on with a child.
  void note_choice(Frame& frame, std::int32_t best) {
    counters_.branch_switches += frame.before == best && frame.chosen != best;
    if (frame.chosen != best) {
      if (stack_.size() == 1) counters_.root_switches += frame.chosen >= 0;
      frame.before = frame.chosen;
      frame.chosen = best;
    }
    counters_.shallow_switches += shallow_.note(stack_, stack_.chosen_child(frame).move);
  }
  Bounds join(const Frame& frame, const Bounds& a, const Bounds& b) const {
    return frame.attackers ? Bounds::best(a, b) : Bounds::worst(a, b);
  }
  // What the children say of their parent.
  Bounds bounds_of(const Frame& frame) const {
    const auto children = stack_.children_of(frame);
    Bounds bounds = frame.broke ? unknown_ : children[0].bounds;
    for (const Child& child : children) bounds = join(frame, bounds, child.bounds);
    return bounds;
  }
  void end(const Frame& root, const Bounds& bounds) {
    best_ = best_of(root, bounds);
    stop_reason_ = StopReason::kDecided;
  }

  bool mover_wins(const Frame& frame, const Bounds& bounds) const {
    return bounds.proves(claim_.threshold) == frame.attackers;
  }
  // A child of the frame is decided, with this zone as the board lies in the table. Its siblings
  // outside the zone are so with it if the side to move has lost by the child's move.
  void take_zone(const Frame& frame, Child& child, const Zone<G>& of_table) {
    if constexpr (ConnectionGame<G>) {
      State after = frame.state;
      G::play(rules_, after, child.move);
      const Zone<G> zone = symmetry_.turned(child.state, after, of_table);
      stack_.zone_of(child) = zone;
      open_moves(frame).remove(child.move);
      if (mover_wins(frame, child.bounds)) return;
      solve_outside(frame, child.bounds, zone);
      if (!frame.symmetric) return;
      symmetry_.for_each_twin(frame.state, zone, [&](const Zone<G>& twin) {
        solve_outside(frame, child.bounds, twin);
      });
    }
  }
  // Of a frame that is decided: what the table has already, as after another way to the position,
  // else by rules 2 and 3. What it leaves of the position is a pattern.
  Zone<G> zone_of(const Frame& frame, const Bounds& bounds) const {
    Zone<G> zone;
    if constexpr (ConnectionGame<G>) {
      const Entry* known = table_.find(frame.hash, id(frame.state));
      if (known != nullptr && decided(known->bounds())) return table_.beside(known);
      if (!mover_wins(frame, bounds)) return zone_of_loss(frame);
      int least = 0;
      for (const Child& child : stack_.children_of(frame)) {
        if (!decided(child.bounds) || !mover_wins(frame, child.bounds)) continue;
        const Zone<G>& of_child = stack_.zone_of(child);
        const int size = of_child.size();
        if (least > 0 && size >= least) continue;
        zone = of_child;
        least = size;
      }
      return ZoneRules<G>::won(zone);
    }
    return zone;
  }

  void note_pattern(const Frame& frame, const Bounds& bounds, const Zone<G>& zone) {
    if constexpr (ConnectionGame<G>) {
      if (!patterns_) return;
      const State& state = frame.state;
      const Player winner =
          bounds.proves(claim_.threshold) ? claim_.attacker : opponent(claim_.attacker);
      patterns_->add(winner, G::to_move(rules_, state), Connection<G>::stones(state, winner) & zone,
                     zone);
    }
  }
  // Does a chain of bridges decide the child for who moved there?
  bool by_bridges(const Frame& frame, Child& child) {
    if constexpr (requires { typename Connection<G>::Pairs; }) {
      if (!options_.bridges) return false;
      const Player mover = G::to_move(rules_, frame.state);
      typename Connection<G>::Pairs::Chain chain;
      const auto own = Connection<G>::stones(child.state, mover);
      const auto other = Connection<G>::stones(child.state, opponent(mover));
      if (!pairs_[static_cast<std::size_t>(mover)].find(own, other, &chain)) return false;
      ++counters_.bridges;
      child.bounds = won_by(mover);
      self().number_solved(frame, child);
      take_zone(frame, child, chain.zone());
      return true;
    }
    return false;
  }
  // Lets virtual connections decide children of the frame, which is entered; true if the mover wins
  // by one.
  bool ask_links(const Frame& frame) {
    if constexpr (HasLinks<G>) {
      if (!options_.links || all_decided(frame)) return false;
      const Player mover = G::to_move(rules_, frame.state);
      // Below the root his threats were looked for where the opponent moved, who has met what was
      // found.
      if (stack_.size() == 1 && wins_by_link(frame)) return true;
      const Player waits = opponent(mover);
      const auto [own, other] = fill_.sides(frame.state, waits);
      const Bounds lost = won_by(waits);
      std::vector<Zone<G>> zones;
      const bool all = links_of(waits).threats(own, other, [&](const Zone<G>& found) {
        const Zone<G> zone = fill_.unfilled(frame.state, waits, found);
        solve_outside(frame, lost, zone);
        zones.push_back(zone);
      });
      if (!all) return false;
      ++counters_.connections;
      lose_all(frame, lost, zones.front());
    }
    return false;
  }
  // Of links, from now on.
  void want_currents() requires HasLinks<G> {
    for (auto& links : links_) links.want_currents();
  }
  // What the cells are worth to who waits at the frame, which links were asked about and left open.
  const std::vector<double>& currents(const Frame& frame) requires HasLinks<G> {
    return links_of(opponent(G::to_move(rules_, frame.state))).currents();
  }
  // Lets chains over cells that are filled in decide children of the frame, which is entered; true
  // if the mover wins by one.
  bool ask_fill(const Frame& frame) {
    if constexpr (ConnectionGame<G>) {
      if (!fills() || all_decided(frame)) return false;
      const Player mover = G::to_move(rules_, frame.state);
      for (const Player winner : {opponent(mover), mover}) {
        const Zone<G> zone = fill_.zone_of_chain(frame.state, winner);
        if (zone.empty()) continue;
        if (winner == mover) return win_by(frame, kNoMove, zone);
        lose_all(frame, won_by(winner), zone);
        return false;
      }
    }
    return false;
  }
  // Are inferior cells filled in?
  bool fills() const { return fill_.on(); }
  // Need the child not be tried yet? It is when all others are lost and their zones do not tell
  // that it is, too.
  bool is_put_off(const Frame& frame, const Child& child) const {
    if constexpr (ConnectionGame<G>) {
      if (!fills()) return false;
      return fill_.put_off(frame.state, opponent(G::to_move(rules_, frame.state))).has(child.move);
    }
    return false;
  }
  // Lets patterns decide children of the frame, which is entered; true if the mover wins by one.
  bool ask_patterns(const Frame& frame) {
    if constexpr (ConnectionGame<G>) {
      if (!patterns_) return false;
      const Player mover = G::to_move(rules_, frame.state);
      const auto own = Connection<G>::stones(frame.state, mover);
      const auto other = Connection<G>::stones(frame.state, opponent(mover));
      bool wins = false;
      patterns_->find_win(mover, own, other, [&](const Zone<G>& cells, const Zone<G>& zone) {
        for (Child& child : stack_.children_of(frame)) {
          if (decided(child.bounds) || !(cells.empty() || cells.has(child.move))) continue;
          decide_child(frame, child, won_by(mover), zone);
          wins = true;
          break;
        }
        return wins;
      });
      if (wins) {
        ++counters_.pattern_hits;
        return true;
      }
      patterns_->for_each_refutation(mover, own, other, [&](const Zone<G>& zone) {
        const std::uint64_t before = counters_.zone_solved;
        solve_outside(frame, won_by(opponent(mover)), zone);
        counters_.pattern_hits += counters_.zone_solved > before;
        return counters_.zone_solved > before;
      });
    }
    return false;
  }

  // What was loaded of a search that ended, or goes on.
  template <class Archive>
  void loaded(Archive& archive) {
    archive.check(counts_stand(), "counts that a search with its stack and its table has not");
    const bool ended = stop_reason_ == StopReason::kDecided;
    bounds_ = stack_.empty() ? unknown_ : bounds_of(stack_.root());
    archive.check(ended == (decided(bounds_) && stack_.size() == 1),
                  "the search ended for another reason than it says");
    if (ended) best_ = best_of(stack_.root(), bounds_);
    if (!ended) stop_reason_ = StopReason::kRunning;  // the limits may be others now
  }
  // Can a search have counted so that has this stack and this table?
  bool counts_stand() const {
    std::uint64_t left = counters_.iterations;  // entries, each of one frame or below it
    for (std::size_t depth = 0; depth < stack_.size(); ++depth) {
      if (stack_.frame(depth).work > left) return false;
      left -= stack_.frame(depth).work;
    }
    const Counters& c = counters_;
    const bool kept_elsewhere = c.nodes_created == 0 && c.peak_bytes == 0 && c.of_tree();
    return left == 0 && kept_elsewhere && c.second_searches == 0 && c.second_decided == 0 &&
           c.nodes_expanded <= c.iterations && c.re_entries <= c.iterations - c.nodes_expanded &&
           stack_.size() <= c.max_depth && c.max_depth <= G::kMaxPlies + std::uint64_t{1} &&
           c.branch_switches <= c.iterations && c.root_switches <= c.iterations &&
           c.shallow_switches <= c.iterations && c.playouts == c.evaluations * self().playouts() &&
           peak_stack_ <= Stack::most_bytes() && table_.counters().has_grown_from(table_before_) &&
           shallow_.all_of(
               [&](const std::vector<Move>& moves, Move last) { return are_legal(moves, last); });
  }
  // From the position asked about, each in the position as the search looks at it.
  bool are_legal(const std::vector<Move>& moves, Move last) const {
    State state = position_;
    for (const Move move : moves) {
      if (!is_legal(state, move)) return false;
      G::play(rules_, state, move);
      symmetry_.to_canonical(state);
    }
    return is_legal(state, last);
  }
  bool is_legal(const State& state, Move move) const {
    if (G::finished(rules_, state)) return false;
    Move moves[G::kMaxMoves];
    Move* const end = moves + G::moves(rules_, state, moves);
    return std::find(moves, end, move) != end;
  }
  template <class Archive>
  void serialize_table(Archive& archive) {
    table_.serialize(archive, unknown_, options_.max_bytes);
    if constexpr (Archive::kLoading && ConnectionGame<G>) {
      for (std::uint64_t i = 0; i < table_.size() && zones_on(); ++i) {
        const Entry& entry = table_.entry(i);
        if (!entry.used()) continue;
        const Zone<G> zone = table_.beside(&entry);
        const bool known = entry.bounds().lower() == entry.bounds().upper();
        archive.check(zone.within(board()) && zone.empty() != known, "a zone that no position has");
      }
    }
  }
  // Positions and moves follow from the choices, so only numbers are kept.
  template <class Archive>
  void serialize_stack(Archive& archive) {
    if constexpr (ConnectionGame<G>) {
      if (patterns_) patterns_->serialize(archive);
    }
    auto size = static_cast<std::uint32_t>(stack_.size());
    archive(size);
    if constexpr (Archive::kLoading) stack_.clear();
    for (std::uint32_t depth = 0; depth < size; ++depth) {
      if constexpr (Archive::kLoading) {
        const bool goes_on = depth == 0 || (stack_.top().chosen >= 0 && can_enter());
        archive.check(goes_on, "a path through no child");
        enter();
      }
      Frame& frame = stack_.frame(depth);
      std::uint64_t position = frame.hash;
      std::uint32_t children = frame.count;
      archive(position, children);
      archive.check(position == frame.hash && children == frame.count, "another position");
      self().serialize_frame(archive, frame);
      serialize_children(archive, frame);
      const auto count = static_cast<std::int32_t>(frame.count);
      archive.check(
          -1 <= frame.chosen && frame.chosen < count && -1 <= frame.before && frame.before < count,
          "a choice of no child");
    }
    if (!Archive::kLoading || size == 0) return;
    archive.check(stop_reason_ == StopReason::kDecided || (stack_.top().chosen >= 0 && can_enter()),
                  "a path that does not go on");
  }

  Rules rules_;
  Claim claim_;
  Options options_;
  Bounds unknown_;
  State position_;
  Symmetry<G> symmetry_;
  EndingProbe<G> probe_;
  mutable FilledSides<G> fill_;  // keeps what it said last
  Table table_;
  TableCounters table_before_;  // this question
  ShallowChoices<Stack> shallow_;
  Stack stack_;
  std::optional<typename PatternsOf::type> patterns_;  // if there may be any
  std::vector<typename PairsOf<G>::Type> pairs_;       // with bridges: of each player
  std::vector<typename LinksOf<G>::Type> links_;       // with virtual connections: the same
  Bounds bounds_ = unknown_;
  Move best_ = kNoMove;
  bool waiting_ = false;  // for the tallies of the top's children
  bool root_changed_ = false;
  StopReason stop_reason_ = StopReason::kRunning;
  std::uint64_t peak_stack_ = 0;  // bytes
  SearchListener* listener_ = nullptr;
  Counters counters_;

 private:
  Self& self() { return static_cast<Self&>(*this); }
  const Self& self() const { return static_cast<const Self&>(*this); }

  std::uint64_t pattern_bytes() const {
    if constexpr (ConnectionGame<G>) return patterns_ ? patterns_->bytes() : 0;
    return 0;
  }
  bool room_for_call() {
    if (stop_reason_ != StopReason::kRunning) return false;
    const bool grows = table_.wants_to_grow();
    const std::uint64_t table = grows ? 2 * table_.bytes() : table_.bytes();
    if (counters_.iterations >= options_.max_nodes) {
      stop_reason_ = StopReason::kNodes;
    } else if (table + stack_.bytes() + pattern_bytes() > options_.max_bytes) {
      stop_reason_ = StopReason::kMemory;
    } else if (grows) {
      table_.grow();
    }
    return stop_reason_ == StopReason::kRunning;
  }

  void solve_outside(const Frame& frame, const Bounds& bounds, const Zone<G>& zone) {
    Zone<G>& open = open_moves(frame);
    const Zone<G> outside = ZoneRules<G>::outside(zone, board()) & open;
    if (outside.empty()) return;
    open = open - outside;
    for (Child& sibling : stack_.children_of(frame)) {
      if (decided(sibling.bounds) || !outside.has(sibling.move)) continue;
      decide_child(frame, sibling, bounds, zone);
      ++counters_.zone_solved;
    }
  }
  // Of the frame that was asked about last: the moves of its open children, and maybe others. So a
  // zone that leaves none of them outside costs no look at all children. No decided child opens
  // again, and each frame comes through make_children().
  Zone<G>& open_moves(const Frame& frame) requires ConnectionGame<G> {
    if (open_of_ != frame.hash) {
      using Cells = Connection<G>;
      open_of_ = frame.hash;
      open_ = board() - Cells::stones(frame.state, Player::kFirst) -
              Cells::stones(frame.state, Player::kSecond);
    }
    return open_;
  }
  void decide_child(const Frame& frame, Child& child, const Bounds& bounds, const Zone<G>& zone) {
    child.bounds = bounds;
    child.needs_playouts = false;
    stack_.zone_of(child) = zone;
    self().number_solved(frame, child);
  }
  // In games without draws.
  Bounds won_by(Player winner) const {
    return Bounds::exact(static_cast<Value>(winner == claim_.attacker ? 1 : -1));
  }
  bool wins_by_link(const Frame& frame) requires HasLinks<G> {
    const Player mover = G::to_move(rules_, frame.state);
    const auto [own, other] = fill_.sides(frame.state, mover);
    bool wins = false;
    links_of(mover).win(own, other, [&](Move move, const Zone<G>& zone) {
      wins = win_by(frame, move, fill_.unfilled(frame.state, mover, zone));
    });
    counters_.connections += wins;
    return wins;
  }
  // The mover wins by this move, or by any: the child is decided. False if it is so already.
  bool win_by(const Frame& frame, Move move, const Zone<G>& zone) {
    for (Child& child : stack_.children_of(frame)) {
      if (decided(child.bounds) || (move != kNoMove && child.move != move)) continue;
      decide_child(frame, child, won_by(G::to_move(rules_, frame.state)), zone);
      return true;
    }
    return false;
  }
  // The mover has lost whatever he plays.
  void lose_all(const Frame& frame, const Bounds& lost, const Zone<G>& zone_of_all) {
    for (Child& child : stack_.children_of(frame)) {
      if (decided(child.bounds)) continue;
      Zone<G> zone = zone_of_all;  // the move is answered inside it
      zone.remove(child.move);
      decide_child(frame, child, lost, zone);
    }
  }
  bool all_decided(const Frame& frame) const {
    const auto children = stack_.children_of(frame);
    return std::all_of(children.begin(), children.end(),
                       [&](const Child& child) { return decided(child.bounds); });
  }
  auto& links_of(Player player) { return links_[static_cast<std::size_t>(player)]; }
  Zone<G> zone_of_loss(const Frame& frame) const {
    std::vector<Zone<G>> zones;
    zones.reserve(frame.count);
    const auto add = [&](const Zone<G>& zone) {
      if (std::find(zones.begin(), zones.end(), zone) == zones.end()) zones.push_back(zone);
    };
    for (const Child& child : stack_.children_of(frame)) {
      const Zone<G>& zone = stack_.zone_of(child);
      add(zone);
      if (frame.symmetric) symmetry_.for_each_twin(frame.state, zone, add);
    }
    using Cells = Connection<G>;
    const auto stones =
        Cells::stones(frame.state, Player::kFirst) | Cells::stones(frame.state, Player::kSecond);
    const Zone<G> replies = board() - stones;
    if (fills()) return zone_of_filled_loss(frame, zones, replies);
    return ZoneRules<G>::lost(zones, replies);
  }
  // Where some replies were left out: those that are in all zones are captured.
  Zone<G> zone_of_filled_loss(const Frame& frame, const std::vector<Zone<G>>& zones,
                              const Zone<G>& replies) const {
    const Player winner = opponent(G::to_move(rules_, frame.state));
    const Zone<G> left_out = fill_.left_out(frame.state, winner);
    Zone<G> zone;
    Zone<G> left = replies;
    for (const std::size_t i : choose_few<Connection<G>::kWords>(zones, replies - left_out)) {
      zone |= zones[i];
      left &= zones[i];
    }
    return zone | fill_.unfilled(frame.state, winner, left);
  }

  // Of the top of the stack: states, and what the rules say of them.
  void make_children() {
    Frame& frame = stack_.top();
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, frame.state, moves);
    const Player mover = G::to_move(rules_, frame.state);
    const std::vector<State> images = symmetry_.images(frame.state);
    Zone<G> left_out;
    if constexpr (ConnectionGame<G>) left_out = fill_.left_out(frame.state, opponent(mover));
    if (options_.random_order) order_moves(options_, G::key(rules_, frame.state), moves, count);
    open_of_.reset();
    stack_.make_zones(static_cast<std::size_t>(count));
    for (int i = 0; i < count && !frame.broke; ++i) {
      if constexpr (ConnectionGame<G>) {
        if (left_out.has(moves[i])) continue;
      }
      Child& child = stack_.add_child(frame.state, moves[i], unknown_);
      G::play(rules_, child.state, child.move);
      child.finished = G::finished(rules_, child.state);
      if (child.finished) {
        child.bounds = Bounds::exact(value_for(claim_.attacker, G::value(rules_, child.state)));
        self().number_solved(frame, child);
        if constexpr (ConnectionGame<G>) {
          if (zones_on()) stack_.zone_of(child) = ZoneRules<G>::finished(rules_, child.state);
        }
        frame.broke =
            options_.early_break && child.bounds.proves(claim_.threshold) == frame.attackers;
      } else {
        child.symmetric = symmetry_.to_canonical(child.state, images, mover, child.move);
        child.hash = id(child.state).hash();
        table_.prefetch(child.hash);
        self().made(frame, child);
        if (frame.symmetric && has_twin(frame)) stack_.drop_last_child();
      }
    }
  }
  // Is the last child the same position as one before it?
  bool has_twin(const Frame& frame) const {
    const auto children = stack_.children_of(frame);
    return std::any_of(children.begin(), children.end() - 1, [&](const Child& child) {
      return child.hash == children.back().hash && id(child.state) == id(children.back().state);
    });
  }
  // A move of the side to move that holds its bound: the lower one of the attacker, else the upper.
  Move best_of(const Frame& frame, const Bounds& bounds) const {
    for (const Child& child : stack_.children_of(frame)) {
      const bool holds = frame.attackers ? child.bounds.lower() >= bounds.lower()
                                         : child.bounds.upper() <= bounds.upper();
      if (holds) return child.move;
    }
    return kNoMove;
  }
  template <class Archive>
  void serialize_zone(Archive& archive, const Child& child) {
    if constexpr (ConnectionGame<G>) {
      Zone<G> zone = decided(child.bounds) ? stack_.zone_of(child) : Zone<G>{};
      archive.bytes(&zone, sizeof zone);
      archive.check(zone.within(board()), "a zone beyond the board");
      stack_.zone_of(child) = zone;
    }
  }
  Zone<G> board() const requires ConnectionGame<G> {
    return Zone<G>::all(Connection<G>::cells(rules_));
  }
  template <class Archive>
  void serialize_children(Archive& archive, const Frame& frame) {
    for (Child& child : stack_.children_of(frame)) {
      if (child.finished) continue;
      self().serialize_child(archive, child);
      Value lower = child.bounds.lower();
      Value upper = child.bounds.upper();
      archive(lower, upper, child.entered);
      if (zones_on()) serialize_zone(archive, child);
      if constexpr (!Archive::kLoading) continue;
      archive.check(unknown_.lower() <= lower && lower <= upper && upper <= unknown_.upper(),
                    "bounds that no position has");
      child.bounds = Bounds::unknown(lower, upper);
      archive.check(self().number_stands(frame, child), "numbers that no node has");
      if constexpr (ConnectionGame<G>) {
        const bool known = !zones_on() || decided(child.bounds) || stack_.zone_of(child).empty();
        archive.check(known, "a zone of what is not decided");
      }
    }
  }
  bool can_enter() {
    const Child& child = stack_.chosen_child(stack_.top());
    return !child.finished && !decided(child.bounds);
  }

  std::optional<std::uint64_t> open_of_;  // the hash of a frame
  [[no_unique_address]] Zone<G> open_;
};

}  // namespace playproof
