// Relevance-zone-oriented proof search on turns of Connect6 (Wu and Lin 2010; thesis, chapter 3):
// for wins that are not by threats all along.
//
// Positions where the attacker is to move are first asked for a win by double threats
// (games/connect/vcdt.h), on request also for one with single threats (games/connect/vcst.h). Where
// there is none only his best turns are tried, so that a search which finds no win says nothing.
// After a turn that leaves the other side free stones it first has none of them (a null move,
// against which threats must win) or one (a semi-null move); the zones of these wins
// (games/connect/race_zone.h) leave few whole replies, which are searched.
//
// A turn has one open reply at a time (lazy) or all (eager, as in the thesis), and strong whole
// replies come before all others, since most turns that fail do so against one of them.
//
// The steps are here, the formulas are not: numbers of nodes, which child is next and when it is
// left are those of the searches of other games (Numbers; host/solve/turn_numbers.h), best-first
// (PN, PPN) or with thresholds (df-pn and its family). It has a tree of its own, since here the
// list of replies grows by the zones of those that are won, which are sequences of places, and
// what is proven is kept as a race.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "games/connect/race_zone.h"
#include "games/connect/rzop_options.h"
#include "games/connect/scored_turns.h"
#include "games/connect/turn_playouts.h"
#include "games/connect/turn_threats.h"
#include "games/connect/window_value.h"

namespace playproof {

// Two stones a turn. Numbers:
//   Label, Threshold             the numbers of a node; how far a child is searched
//   won(), failed()              the labels of decided nodes
//   first(depth, value)          of an open leaf where he is to move, so many turns below the root
//   playouts()                   so many a leaf, 0: none
//   needs_windows()              is its value that of live windows?
//   waiting(first, beside)       what the replies that wait add to a turn, `first` being that of a
//                                leaf; `beside`: some reply is open
//   back_up(attacks, children)   of an open node, from its open children, and what waits
//   choose(attacks, children, last)  which of them is next; the one that was chosen last, or -1
//   has_thresholds()             if not, a path is left where numbers have changed
//   of_root(), of_root_again(label), met(threshold, attacks, label)
//   of_child(threshold, attacks, label, children, chosen)
template <int W, class Numbers>
class Rzop {
 public:
  using State = typename Connect<W>::State;
  using Label = typename Numbers::Label;
  using Threshold = typename Numbers::Threshold;
  using Playouts = TurnPlayouts<State>;
  struct Settings : RzopOptions {
    Numbers numbers = {};
    typename Playouts::Play play = {};  // if numbers ask for playouts
  };
  static constexpr std::uint64_t kSlice = 16;  // searches that take tenths of a millisecond

  // `windows` must outlive it.
  explicit Rzop(const ConnectWindows<W>& windows)
      : windows_(&windows), threats_(windows), position_(windows, {}) {}

  // As of Vcst; never exhausted, since not all turns are tried.
  void begin(const ConnectThreats<W>& position, int attacker, int stones, const Settings& options) {
    position_ = position;
    attacker_ = attacker;
    stones_ = stones;
    options_ = options;
    answer_ = {};
    nodes_.clear();
    zones_.clear();
    known_.clear();
    if (leaves_out(Without::kMacros)) options_.threats.replies = VcdtOptions::Replies::kAll;
    threats_.begin(options_.threats, options_.singles);
    playouts_.begin(options.numbers.playouts(), options.play);
    ways_ = {};
    strokes_ = waiting_ = open_ = partners_ = peak_bytes_ = 0;
    turns_.clear();
    next_turn_ = 0;
    turns_tried_ = ranks_ = false;
    looks_ = false;
    scored_.begin(windows_->rules.cells);
    proof_.reset();
    path_ = {{add_node({}, true), options_.numbers.of_root()}};
    number_leaf(0);
  }
  // Goes on, for at most so many searches by threats, or less if other things take as long;
  // true once it is answered. What follows does not depend on where it is left.
  bool advance(std::uint64_t calls) {
    // One with single threats takes as long as many by double threats.
    if (options_.singles) calls = 1;
    const std::uint64_t end = answer_.calls + std::min(calls, ~answer_.calls);
    std::uint64_t left = kStrokesACall * std::min(calls, kSlice);  // of what is no such search
    while (!is_answered() && answer_.calls < end && left > 0) {
      if (playouts_.under_way()) {
        if (const auto ended = playouts_.play()) set_numbers(ended->node, {ended->wins});
        left = 0;
      } else {
        stroke();
        --left;
      }
    }
    if (is_answered()) conclude();
    return is_answered();
  }
  // Are playouts of a leaf under way?
  bool within_leaf() const { return playouts_.under_way(); }
  const VcdtAnswer& answer() const { return answer_; }
  RaceProof proof() const { return proof_.value_or(RaceProof{}); }
  // How it went to and fro (docs/numbers.md): how often a node was gone to, and one that had been
  // gone to before; choices A-B-A of a node's child; choices of another child than the last one, at
  // the root, and there and up to two turns below it.
  struct Ways {
    std::uint64_t entries = 0, re_entries = 0, branch = 0, root = 0, shallow = 0;
  };
  const Ways& ways() const { return ways_; }
  // Leaves that got playouts, and these.
  std::uint64_t evaluations() const { return playouts_.leaves(); }
  std::uint64_t playouts() const { return playouts_.playouts(); }

  // Saves a question under way, or loads it after the same begin() (host/archive/archive.h): what
  // the searches by threats have said, in order, and the playouts, those of a leaf under way
  // too. All else follows from that and is done once more. A win that a file claims is found out
  // when the proof is put together and walked.
  template <class Archive>
  void serialize(Archive& archive) {
    std::uint64_t strokes = strokes_;
    archive(strokes);
    playouts_.serialize_leaves(archive);
    threats_.serialize(archive, &zones_);
    if constexpr (Archive::kLoading) {
      loading_ = true;
      while (!is_answered()) {
        if (playouts_.under_way()) {
          const auto ended = playouts_.recall();
          if (!ended) break;
          set_numbers(ended->node, {ended->wins});
        } else if (strokes_ < strokes) {
          stroke();
        } else {
          break;
        }
      }
      loading_ = false;
      archive.check(strokes_ == strokes && threats_.all_used(), "answers that nobody asked for");
    }
    playouts_.serialize_leaf(archive);
    if constexpr (Archive::kLoading) {
      if (is_answered()) conclude();
    }
  }
  std::uint64_t bytes() const {
    return threats_.bytes() + nodes_.capacity() * sizeof(Node) + nodes_.size() * kBytesLinks +
           zones_.capacity() * sizeof(RaceZone<W>) + known_.size() * kBytesKnown +
           waiting_ * kBytesWaiting + open_ * kBytesReplies + partners_ * kBytesPartners +
           turns_.capacity() * sizeof(TurnCandidate) + playouts_.bytes();
  }
  // The most that it has taken.
  std::uint64_t peak_bytes() const { return std::max(peak_bytes_, bytes()); }

 private:
  static constexpr std::uint32_t kNone = TurnThreats<W>::kNone;
  static constexpr std::size_t kShallow = 2;     // turns below the root, of switches
  static constexpr std::size_t kCells = 24;      // whose pairs are the attacker's turns
  static constexpr std::size_t kMostTried = 60;  // of them, some of which null moves refute
  // Good turns that are ranked, for each that is tried; what a cell of a free stone counts in
  // scores; what a single threat, each cell that hits it and two threats count in cells.
  static constexpr std::size_t kRanked = 3;
  static constexpr int kCellsCount = 8;
  static constexpr int kSingleThreat = 14;
  static constexpr int kHitsCount = 6;
  static constexpr int kFewReplies = 20;
  static constexpr std::size_t kStrongCells = 14;    // whose pairs are the strong replies
  static constexpr int kStrongScore = 6;             // of a stone beside one that hits a threat
  static constexpr std::uint64_t kStrokesACall = 8;  // that take as long, if they ask for none
  // On the heap, of a node of known_, a reply that waits or did, a turn that is open, a stone whose
  // partners are known, and a node in the list of its parent.
  static constexpr std::uint64_t kBytesKnown = 80;
  static constexpr std::uint64_t kBytesWaiting = 64;
  static constexpr std::uint64_t kBytesReplies = 800;
  static constexpr std::uint64_t kBytesPartners = 64 + sizeof(CellSet<W>);
  static constexpr std::uint64_t kBytesLinks = 24;

  using Without = RzopOptions::Without;
  enum class Status : std::uint8_t { kOpen, kWon, kFailed };

  // What is still to be tried after a turn, and what is answered.
  struct Replies {
    std::deque<ConnectTurn> waiting;
    std::set<ConnectTurn> listed;            // whole replies that wait, or did
    std::optional<std::uint32_t> null_zone;  // of the win after a null move
    std::map<Move, CellSet<W>> partners;     // of a lone stone: place 1 of the win that follows
    std::vector<std::uint32_t> won;          // nodes
  };
  // A position where the attacker is to move (`attacks`), or one after a turn of his.
  struct Node {
    ConnectTurn turn;  // that led to it; a reply may have fewer stones than a turn
    bool attacks = true;
    Status state = Status::kOpen;
    std::uint8_t free = 0;  // stones that replies of the path have left free
    bool entered = false;
    std::uint16_t depth = 0;
    Label label{};
    TurnLeafValue value;
    std::uint32_t last = kNone;  // the child that was gone to last, and another one before that
    std::uint32_t before = kNone;
    std::uint32_t zone = kNone;  // in zones_: what is proven so far needs it
    // Of a position that is won: the turn, or another node of the same position. None: it is won by
    // threats.
    std::uint32_t source = kNone;
    std::vector<std::uint32_t> children;  // open ones; of a turn that wins: all its replies
    std::unique_ptr<Replies> replies;     // of a turn that is open
  };
  // The open children of a node, and of a turn what its replies that wait add, as Numbers look at
  // them.
  struct Children {
    struct One {
      const Label& label;
      bool waits;
      bool decided = false;
      bool open() const { return !waits; }
    };
    const std::vector<Node>& nodes;
    const std::vector<std::uint32_t>& ids;
    std::optional<Label> waiting;

    int size() const { return static_cast<int>(ids.size()) + (waiting ? 1 : 0); }
    One operator[](int i) const {
      const auto at = static_cast<std::size_t>(i);
      if (at == ids.size()) return {*waiting, true};
      return {nodes[ids[at]].label, false};
    }
  };
  struct Step {
    std::uint32_t node;
    Threshold threshold;
  };
  using Key = std::tuple<std::uint64_t, std::uint64_t, int>;  // of the stones, and Node::free
  using Threats = std::vector<Threat>;

  int p() const { return windows_->rules.stones; }
  int defender() const { return 1 - attacker_; }
  bool leaves_out(Without what) const { return options_.without == what; }
  Key key(const Node& node) const { return {position_.key(0), position_.key(1), node.free}; }
  bool is_answered() const {
    return nodes_.front().state != Status::kOpen || answer_.work > options_.work;
  }

  std::uint32_t add_zone(const RaceZone<W>& zone) {
    zones_.push_back(zone);
    return static_cast<std::uint32_t>(zones_.size() - 1);
  }
  std::uint32_t add_node(Node node, bool attacks) {
    node.attacks = attacks;
    answer_.depth = std::max<std::uint64_t>(answer_.depth, node.depth / 2 + 1);
    nodes_.push_back(std::move(node));
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }
  std::uint32_t add_child(std::uint32_t parent, const ConnectTurn& turn) {
    const Node& above = nodes_[parent];
    Node node;
    node.turn = turn;
    node.depth = static_cast<std::uint16_t>(above.depth + 1);
    const int free = above.attacks ? 0 : p() - cells_of<W>(turn).size();
    node.free = static_cast<std::uint8_t>(above.free + free);
    return add_node(std::move(node), !above.attacks);
  }
  // An open leaf, whose position is on the board, gets its first numbers, a turn those of the
  // replies that wait: now or, if they are of playouts, when these have been played.
  void number_leaf(std::uint32_t id) {
    if (options_.numbers.needs_windows()) {
      return set_numbers(id, {static_cast<std::uint32_t>(window_value(position_, attacker_)),
                              static_cast<std::uint32_t>(window_value(position_, defender()))});
    }
    if (playouts_.none() || position_.empty().empty()) return set_numbers(id, {});
    State state{};
    for (const int player : {0, 1}) {
      std::ranges::copy(position_.stones(player).words, std::begin(state.stones[player]));
    }
    // Who moves in what playouts begin with follows from the number of stones there: where stones
    // of a reply are free it may be the other side. It is but an estimate.
    const int stones = windows_->rules.cells - position_.empty().size();
    state.count = static_cast<std::uint16_t>(stones);
    playouts_.start(id, state);
  }
  void set_numbers(std::uint32_t id, const TurnLeafValue& value) {
    Node& node = nodes_[id];
    node.value = value;
    if (node.attacks) {
      node.label = options_.numbers.first(node.depth, node.value);
    } else {
      settle(id);
    }
  }
  Threats threats_of(int player) {
    position_.list(player, &list_);
    return {list_.all().begin(), list_.all().end()};
  }
  // The stones that led to a node come, or go again.
  void play(const Node& node, bool back = false) {
    const int player = node.attacks ? defender() : attacker_;
    for_each_cell(cells_of<W>(node.turn), [&](int cell) {
      if (back) {
        position_.remove(player, cell);
      } else {
        position_.add(player, cell);
      }
    });
  }

  // Does the attacker, to move, win by threats? The zone of that win, else kNone.
  std::uint32_t ask(int stones) {
    ++answer_.calls;
    const auto& said = threats_.ask(position_, attacker_, stones, loading_, &zones_);
    answer_.work += said.work;
    for (const int by : {0, 1}) {
      answer_.nodes_by[by] += said.nodes_by[by];
      answer_.nodes += said.nodes_by[by];
    }
    return said.zone;
  }

  // To a leaf, one look there, and back. A look at a position takes as many strokes as turns are
  // tried or ranked there, and each leaf that gets playouts ends a stroke.
  void stroke() {
    ++strokes_;
    if (looks_) {
      if (has_turns()) try_turn(path_.back().node);
    } else {
      descend();
      look();
    }
    looks_ = playouts_.under_way() || has_turns();
    if (looks_) return;
    const std::uint32_t id = path_.back().node;
    if (turns_tried_ && nodes_[id].children.empty()) set_failed(id);
    turns_.clear();
    turns_tried_ = false;
    peak_bytes_ = peak_bytes();  // what is decided next is let go
    climb();
  }
  void descend() {
    while (const auto next = next_step()) {
      Node& node = nodes_[next->node];
      play(node);
      ++ways_.entries;
      ways_.re_entries += node.entered;
      node.entered = true;
      note_choice(next->node);
      path_.push_back(*next);
    }
  }
  void note_choice(std::uint32_t child) {
    Node& at = nodes_[path_.back().node];
    if (at.last == child) return;
    if (at.last != kNone) {
      ways_.root += path_.size() == 1;
      ways_.shallow += path_.size() <= 1 + kShallow;
      ways_.branch += at.before == child;
    }
    at.before = std::exchange(at.last, child);
  }
  // As far as numbers change or, with thresholds, up to a node that has not met its own.
  void climb() {
    for (;;) {
      const auto [id, threshold] = path_.back();
      const Label before = nodes_[id].label;
      settle(id);
      const Node& at = nodes_[id];
      const bool open = at.state == Status::kOpen;
      const bool stays = options_.numbers.has_thresholds()
                             ? !options_.numbers.met(threshold, at.attacks, at.label)
                             : at.label == before;
      const bool goes_on = !at.attacks && at.children.empty();  // with its next reply
      if (path_.size() == 1 && open && !stays) {
        path_.back().threshold = options_.numbers.of_root_again(at.label);
      }
      if (path_.size() == 1 || (open && (stays || goes_on))) return;
      play(at, true);
      path_.pop_back();
    }
  }
  Children children_of(const Node& node) const {
    std::optional<Label> waiting;
    if (!node.attacks && !node.replies->waiting.empty()) {
      const Label first = options_.numbers.first(node.depth + 1, node.value);
      waiting = options_.numbers.waiting(first, !node.children.empty());
    }
    return {nodes_, node.children, waiting};
  }
  std::optional<Step> next_step() const {
    const auto& [id, threshold] = path_.back();
    const Node& at = nodes_[id];
    const bool waits = !at.attacks && !options_.lazy && !at.replies->waiting.empty();
    if (at.children.empty() || waits) return std::nullopt;
    const Children children = children_of(at);
    const auto last = std::ranges::find(at.children, at.last);
    const int held = last == at.children.end() ? -1 : static_cast<int>(last - at.children.begin());
    const int chosen = options_.numbers.choose(at.attacks, children, held);
    return Step{at.children[static_cast<std::size_t>(chosen)],
                options_.numbers.of_child(threshold, at.attacks, at.label, children, chosen)};
  }

  void set_won(std::uint32_t id, std::uint32_t zone, std::uint32_t source) {
    Node& node = nodes_[id];
    node.state = Status::kWon;
    node.label = options_.numbers.won();
    node.zone = zone;
    node.source = source;
    node.children.clear();
    if (node.attacks) {
      known_.emplace(key(node), id);
    } else {
      node.children = std::move(node.replies->won);
      if (const auto null = node.replies->null_zone; null && leaves_out(Without::kZones)) {
        std::erase_if(node.children, [&](std::uint32_t child) {  // what the null move answers
          const ConnectTurn& turn = nodes_[child].turn;
          return turn.second != kNoMove && zones_[*null].leaves_out(turn);
        });
      }
      drop_replies(&node);
    }
  }
  void set_failed(std::uint32_t id) {
    Node& node = nodes_[id];
    node.state = Status::kFailed;
    node.label = options_.numbers.failed();
    node.children.clear();
    if (node.attacks) {
      known_.emplace(key(node), id);
    } else {
      drop_replies(&node);
    }
  }
  void drop_replies(Node* node) {
    waiting_ -= node->replies->listed.size();
    partners_ -= node->replies->partners.size();
    --open_;
    node->replies.reset();
  }
  // What another node of the same position says, if decided.
  bool is_known(std::uint32_t id) {
    const auto known = known_.find(key(nodes_[id]));
    if (known == known_.end() || leaves_out(Without::kTable)) return false;
    const Node& same = nodes_[known->second];
    if (same.state == Status::kWon) {
      set_won(id, same.zone, known->second);
    } else {
      set_failed(id);
    }
    return true;
  }

  // Takes in what is decided of the children, and has their numbers.
  void settle(std::uint32_t id) {
    if (nodes_[id].state != Status::kOpen) return;
    nodes_[id].attacks ? settle_position(id) : settle_turn(id);
  }
  void settle_position(std::uint32_t id) {
    Node& node = nodes_[id];
    for (const std::uint32_t child : node.children) {
      if (nodes_[child].state == Status::kWon) return set_won(id, nodes_[child].zone, child);
    }
    std::erase_if(node.children, [&](auto child) { return nodes_[child].state != Status::kOpen; });
    if (node.children.empty()) return set_failed(id);
    node.label = options_.numbers.back_up(true, children_of(node));
  }
  void settle_turn(std::uint32_t id) {
    std::vector<std::uint32_t> open;
    for (const std::uint32_t child : nodes_[id].children) {
      if (nodes_[child].state == Status::kFailed) return set_failed(id);
      if (nodes_[child].state == Status::kWon) {
        take(id, child);
      } else {
        open.push_back(child);
      }
    }
    Node& node = nodes_[id];
    node.children = open;
    if (open.empty() && node.replies->waiting.empty()) return set_won(id, node.zone, kNone);
    node.label = options_.numbers.back_up(false, children_of(node));
  }

  // At the end of the path: a turn gets its next reply, of a position the turns are listed that
  // become its children.
  void look() {
    const std::uint32_t id = path_.back().node;
    if (!nodes_[id].attacks) return try_reply(id);
    const bool root = path_.size() == 1;
    const int stones = root ? stones_ : p();
    if (root) {
      const std::uint32_t zone = ask(stones);
      if (zone != kNone) return set_won(id, zone, kNone);
    } else if (is_known(id)) {
      return;
    }
    for (const ForcingTurn& turn : turns(stones)) turns_.push_back({turn});
    next_turn_ = 0;
    ranks_ = options_.by_zones;
    good_ = 0;
    if (turns_.size() > kMostTried && !options_.all()) turns_.resize(kMostTried);
    turns_tried_ = !turns_.empty();
    if (turns_.empty()) set_failed(id);
  }
  // Are turns of the position at the end of the path still to be tried? Not if one wins.
  bool has_turns() const {
    const auto& children = nodes_[path_.back().node].children;
    if (!children.empty() && nodes_[children.back()].state == Status::kWon) return false;
    return next_turn_ < turns_.size() && children.size() < static_cast<std::size_t>(options_.width);
  }
  // The next of them becomes a child if null moves do not refute it. Turns that are ranked are
  // first asked about that, until enough are good.
  void try_turn(std::uint32_t id) {
    TurnCandidate& turn = turns_[next_turn_++];
    if (!turn.tested) test(id, &turn);
    if (!ranks_) {
      if (turn.good) add_turn(id, turn);
      return;
    }
    good_ += turn.good;
    const bool enough = good_ == kRanked * static_cast<std::size_t>(options_.width);
    if (enough || next_turn_ == turns_.size()) {
      rank_turns(&turns_);
      next_turn_ = 0;
      ranks_ = false;
    }
  }
  // Those that hit all threats, by what their stones are worth, the best first.
  std::vector<ForcingTurn> turns(int stones) {
    const Threats against = threats_of(defender());
    if (hitting_number(against, stones) > stones) return {};
    const CellSet<W> hits = hits_of<W>(against, false);
    std::vector<ForcingTurn> cells = scored(position_.empty(), attacker_);
    std::size_t count = 0;
    std::erase_if(cells, [&](const ForcingTurn& cell) {
      return count++ >= kCells && !options_.all() && !hits.has(cell.turn.first);
    });
    if (stones == 2) return pairs(cells, against, attacker_);
    std::erase_if(cells,
                  [&](const ForcingTurn& cell) { return !hits_alone(against, cell.turn.first); });
    return cells;
  }
  // Cells as turns of one stone, and pairs of them that hit all threats, the best first.
  std::vector<ForcingTurn> scored(const CellSet<W>& cells, int player) {
    return scored_.stones(position_, cells, player);
  }
  std::vector<ForcingTurn> pairs(const std::vector<ForcingTurn>& cells, const Threats& against,
                                 int player) {
    return scored_.pairs(&position_, cells, against, player, player != attacker_);
  }

  // Does a turn neither lose at once, nor is a null move enough against it?
  void test(std::uint32_t id, TurnCandidate* turn) {
    position_.add(attacker_, turn->turn);
    const Threats threats = threats_of(attacker_);
    const int number = hitting_number(threats, p());
    const int free = std::max(0, p() - number);
    turn->tested = true;
    turn->good =
        nodes_[id].free + free < RaceZone<W>::kPlaces && !position_.can_complete(defender(), p());
    if (turn->good && number == 0) {
      turn->null_zone = ask(p());
      turn->good = turn->null_zone != kNone;
    }
    if (turn->good && options_.by_zones) turn->rest = left_over(*turn, threats, number);
    position_.remove(attacker_, turn->turn);
  }
  // How much a turn leaves to be looked at: cells of a reply's free stones, a constant where it has
  // few or none; its stones count against that.
  int left_over(const TurnCandidate& turn, const Threats& threats, int number) const {
    int cells = kFewReplies;
    if (number == 0) {
      cells = (zones_[turn.null_zone].places[2] & position_.empty()).size();
    } else if (number < p()) {
      cells = kSingleThreat + kHitsCount * hits_of<W>(threats, true).size();
    }
    return kCellsCount * cells - turn.score;
  }
  // A turn becomes a child.
  void add_turn(std::uint32_t id, const TurnCandidate& turn) {
    position_.add(attacker_, turn.turn);
    const Threats threats = threats_of(attacker_);
    const std::uint32_t child = add_child(id, turn.turn);
    nodes_[id].children.push_back(child);
    begin_turn(child, threats, hitting_number(threats, p()), turn.null_zone);
    if (nodes_[child].replies->waiting.empty()) {
      settle(child);
    } else {
      number_leaf(child);
    }
    position_.remove(attacker_, turn.turn);
  }
  void begin_turn(std::uint32_t id, const Threats& threats, int number, std::uint32_t null_zone) {
    RaceZone<W> zone;
    add_hazards<W>(position_, attacker_, &zone);
    const CellSet<W> hits = hits_of<W>(threats, false);
    zone |= hits | cells_of<W>(nodes_[id].turn);
    nodes_[id].zone = add_zone(zone);
    nodes_[id].replies = std::make_unique<Replies>();
    ++open_;
    if (number > p()) return;
    if (number == p()) {
      const ConnectReplies hitting = hitting_replies(threats, p());
      wait(id, scored_.of(position_, hitting.all(), defender()));
      return;
    }
    const CellSet<W> alone =  // hit all threats
        number == 0 ? zones_[null_zone].places[2] & position_.empty() : hits_of<W>(threats, true);
    wait(id, strong(alone, threats, number));
    if (number == 0) {
      const std::uint32_t null_move = add_child(id, {});
      Node& node = nodes_[null_move];
      node.state = Status::kWon;
      node.zone = null_zone;
      take(id, null_move);
    } else if (!tries_all()) {
      wait(id, scored(alone, defender()));
      wait(id, pairs(scored(hits - alone, defender()), threats, defender()));
    }
    if (tries_all()) wait(id, pairs(scored(position_.empty(), defender()), threats, defender()));
  }
  // Are all whole replies tried, and no others? On a board that has none left there are others.
  bool tries_all() const { return leaves_out(Without::kZones) && position_.empty().size() >= p(); }
  // Whole replies that are likely to refute. `alone`: the cells of replies of one stone.
  std::vector<ForcingTurn> strong(const CellSet<W>& alone, const Threats& threats, int number) {
    std::vector<ForcingTurn> cells = scored(number == 0 ? alone : position_.empty(), defender());
    if (number > 0) {
      std::erase_if(cells, [](const ForcingTurn& cell) { return cell.score < kStrongScore; });
    }
    for (ForcingTurn& cell : cells) cell.score += scored_.past(cell.turn.first);
    scored_.sort(&cells);
    std::size_t count = 0;
    std::erase_if(cells, [&](const ForcingTurn& cell) {
      return count++ >= kStrongCells && (number == 0 || !alone.has(cell.turn.first));
    });
    std::vector<ForcingTurn> replies = pairs(cells, threats, defender());
    if (replies.size() > static_cast<std::size_t>(options_.strong)) {
      replies.resize(static_cast<std::size_t>(options_.strong));
    }
    return replies;
  }
  // They are tried after those that wait already, once each.
  void wait(std::uint32_t id, const std::vector<ForcingTurn>& replies) {
    Replies& all = *nodes_[id].replies;
    for (const ForcingTurn& each : replies) {
      if (!all.listed.insert(each.turn).second) continue;
      all.waiting.push_back(each.turn);
      ++waiting_;
    }
  }
  // Is a whole reply answered by what is won against fewer stones?
  bool is_covered(const Replies& replies, const ConnectTurn& turn) const {
    const auto alone = [&](Move one, Move other) {
      const auto partners = replies.partners.find(one);
      return partners != replies.partners.end() && !partners->second.has(other);
    };
    return !tries_all() && ((replies.null_zone && zones_[*replies.null_zone].leaves_out(turn)) ||
                            alone(turn.first, turn.second) || alone(turn.second, turn.first));
  }

  // A reply of the turn is won: what it needs, and what its free stones leave to try.
  void take(std::uint32_t id, std::uint32_t child) {
    const ConnectTurn reply = nodes_[child].turn;
    const RaceZone<W> zone = zones_[nodes_[child].zone];
    const int free = p() - cells_of<W>(reply).size();
    zones_[nodes_[id].zone] |= zone.after_free_stones(free, windows_->rules.cells);
    Replies& replies = *nodes_[id].replies;
    replies.won.push_back(child);
    if (reply.first == kNoMove) {
      replies.null_zone = nodes_[child].zone;
      if (!tries_all()) wait(id, scored(zone.places[2] & position_.empty(), defender()));
    } else if (reply.second == kNoMove) {
      replies.partners[reply.first] = zone.places[1];
      ++partners_;
      CellSet<W> partners = zone.places[1] & position_.empty();
      partners.remove(reply.first);
      std::vector<ForcingTurn> pairs;
      for (const ForcingTurn& each : scored(partners, defender())) {
        const Move other = each.turn.first;
        const ConnectTurn pair{std::min(reply.first, other), std::max(reply.first, other)};
        if (!is_covered(replies, pair)) pairs.push_back({pair, each.score});
      }
      wait(id, pairs);
    }
  }

  // The next reply that waits: lost, won by threats, or open.
  void try_reply(std::uint32_t id) {
    Replies& replies = *nodes_[id].replies;
    const ConnectTurn turn = replies.waiting.front();
    replies.waiting.pop_front();
    if (turn.second != kNoMove && is_covered(replies, turn)) return;
    const std::uint32_t child = add_child(id, turn);
    play(nodes_[child]);
    if (position_.completed(defender())) {
      set_failed(child);
    } else if (!is_known(child)) {
      const std::uint32_t zone = ask(p());
      if (zone != kNone) {
        set_won(child, zone, kNone);
      } else {
        number_leaf(child);
      }
    }
    play(nodes_[child], true);
    if (nodes_[child].state == Status::kWon) {
      take(id, child);
      return;
    }
    scored_.note(cells_of<W>(turn));
    nodes_[id].children.push_back(child);
  }

  void conclude() {
    if (nodes_.front().state != Status::kWon || proof_) return;
    proof_.emplace();
    append(0, stones_, &*proof_);
    answer_.outcome = VcdtAnswer::Outcome::kWin;
    answer_.turns = proof_->turns();
    answer_.first = proof_->root().turn;
  }
  // Appends the proof of a position that is won; its number.
  std::uint32_t append(std::uint32_t id, int stones, RaceProof* proof) {
    while (nodes_[id].source != kNone && nodes_[nodes_[id].source].attacks) id = nodes_[id].source;
    if (nodes_[id].source == kNone) {
      return proof->append(threats_.prove(position_, attacker_, stones));
    }
    const Node& turn = nodes_[nodes_[id].source];
    RaceNode node;
    node.turn = turn.turn;
    play(turn);
    const Threats threats = threats_of(attacker_);
    const int number = hitting_number(threats, p());
    std::vector<std::uint32_t> replies = turn.children;
    if (number > p()) {
      node.kind = RaceNode::Kind::kWins;
    } else if (number == p()) {
      node.kind = RaceNode::Kind::kForces;
      std::ranges::sort(replies, {}, [&](std::uint32_t reply) { return nodes_[reply].turn; });
    } else {
      node.kind = RaceNode::Kind::kQuiet;
    }
    std::vector<std::uint32_t> children;
    for (const std::uint32_t reply : replies) {
      play(nodes_[reply]);
      children.push_back(append(reply, p(), proof));
      play(nodes_[reply], true);
    }
    play(turn, true);
    node.first_child = static_cast<std::uint32_t>(proof->children.size());
    node.children = static_cast<std::uint32_t>(children.size());
    for (std::size_t i = 0; i < children.size(); ++i) {
      const bool quiet = node.kind == RaceNode::Kind::kQuiet;
      proof->children.push_back(children[i]);
      proof->replies.push_back(quiet ? nodes_[replies[i]].turn : ConnectTurn{});
    }
    proof->nodes.push_back(node);
    return static_cast<std::uint32_t>(proof->nodes.size() - 1);
  }

  const ConnectWindows<W>* windows_;
  std::vector<RaceZone<W>> zones_;
  TurnThreats<W> threats_;
  ConnectThreats<W> position_;  // at the end of path_
  typename ConnectThreats<W>::List list_;
  ScoredTurns<W> scored_;
  int attacker_ = 0;
  int stones_ = 0;
  Settings options_;
  VcdtAnswer answer_;
  std::vector<Node> nodes_;             // the first one is the root
  std::map<Key, std::uint32_t> known_;  // decided positions where the attacker is to move
  std::vector<Step> path_;              // from the root
  Ways ways_;
  std::uint64_t strokes_ = 0;
  bool looks_ = false;  // the look at the end of the path goes on with the next stroke
  std::vector<TurnCandidate> turns_;  // of the position there
  std::size_t next_turn_ = 0;         // of these
  bool turns_tried_ = false;          // were there any?
  bool ranks_ = false;                // they are tested first, until enough are good
  std::size_t good_ = 0;              // so many
  Playouts playouts_;
  std::uint64_t waiting_ = 0;   // replies that were listed, of the turns that are open,
  std::uint64_t open_ = 0;      // how many these are,
  std::uint64_t partners_ = 0;  // and stones whose partners they know
  std::uint64_t peak_bytes_ = 0;
  bool loading_ = false;
  std::optional<RaceProof> proof_;
};

}  // namespace playproof
