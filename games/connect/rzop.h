// Relevance-zone-oriented proof search on turns of Connect6 (Wu and Lin 2010; thesis, chapter 3):
// for wins that are not by threats all along.
//
// Positions where the attacker is to move are first asked for a win by double threats
// (games/connect/vcdt.h). Where there is none only his best turns are tried, so that a search
// which finds no win says nothing. After a turn that leaves the other side free stones it first
// has none of them (a null move, against which double threats must win) or one (a semi-null move);
// the zones of these wins (games/connect/race_zone.h) leave few whole replies, which are searched.
//
// It is a proof-number search: the most-proving position is expanded next. A turn has one open
// reply at a time (lazy) or all (eager, as in the thesis), and strong whole replies come before all
// others, since most turns that fail do so against one of them.
#pragma once

#include <algorithm>
#include <cmath>
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
#include "games/connect/vcdt.h"
#include "games/core/error.h"

namespace playproof {

// Two stones a turn.
template <int W>
class Rzop {
 public:
  using Settings = RzopOptions;
  static constexpr std::uint64_t kSlice = 16;  // searches that take tenths of a millisecond

  // `windows` must outlive it.
  explicit Rzop(const ConnectWindows<W>& windows)
      : windows_(&windows), search_(windows), position_(windows, {}) {}

  // As of Vcst; never exhausted, since not all turns are tried.
  void begin(const ConnectThreats<W>& position, int attacker, int stones,
             const RzopOptions& options) {
    position_ = position;
    attacker_ = attacker;
    stones_ = stones;
    options_ = options;
    answer_ = {};
    nodes_.clear();
    zones_.clear();
    known_.clear();
    asked_.clear();
    used_ = strokes_ = waiting_ = 0;
    history_.assign(static_cast<std::size_t>(windows_->rules.cells), 0);
    proof_.reset();
    path_ = {add_node({}, true)};
  }
  // Goes on, for about so many searches by double threats; true once it is answered.
  bool advance(std::uint64_t calls) {
    const std::uint64_t end = answer_.calls + std::min(calls, ~answer_.calls);
    while (!is_answered() && answer_.calls < end) stroke();
    if (is_answered()) conclude();
    return is_answered();
  }
  const VcdtAnswer& answer() const { return answer_; }
  RaceProof proof() const { return proof_.value_or(RaceProof{}); }

  // Saves a question under way, or loads it after the same begin() (host/archive/archive.h): what
  // the searches by double threats have said, in order. All else follows from that and is done
  // once more. A win that a file claims is found out when the proof is put together and walked.
  template <class Archive>
  void serialize(Archive& archive) {
    std::uint64_t strokes = strokes_;
    std::uint64_t answers = asked_.size();
    archive(strokes, answers);
    for (std::uint64_t i = 0; i < answers; ++i) {
      if constexpr (Archive::kLoading) asked_.emplace_back();
      Asked& asked = asked_[i];
      bool won = asked.zone != kNone;
      archive(asked.work, asked.nodes_by[0], asked.nodes_by[1], won);
      if (!won) continue;
      if constexpr (Archive::kLoading) asked.zone = add_zone({});
      for (CellSet<W>& place : zones_[asked.zone].places) {
        archive.bytes(&place, sizeof place);
        archive.check(place.within(CellSet<W>::all(windows_->rules.cells)),
                      "a zone beyond the board");
      }
    }
    if constexpr (Archive::kLoading) {
      loading_ = true;
      while (strokes_ < strokes && !is_answered()) stroke();
      loading_ = false;
      archive.check(strokes_ == strokes && used_ == asked_.size(), "answers that nobody asked for");
      if (is_answered()) conclude();
    }
  }
  std::uint64_t bytes() const {
    return search_.bytes() + nodes_.capacity() * sizeof(Node) +
           zones_.capacity() * sizeof(RaceZone<W>) + asked_.capacity() * sizeof(Asked) +
           known_.size() * kBytesKnown + waiting_ * kBytesWaiting;
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::uint32_t kInfinite = std::uint32_t{1} << 30;
  static constexpr std::size_t kCells = 24;        // whose pairs are the attacker's turns
  static constexpr int kMostTried = 60;            // turns, some of which null moves refute
  static constexpr std::size_t kStrongCells = 14;  // whose pairs are the strong replies
  static constexpr int kStrongScore = 6;           // of a stone beside one that hits a threat
  static constexpr int kMostHistory = 20;          // in scores
  static constexpr std::uint64_t kBytesKnown = 80;
  static constexpr std::uint64_t kBytesWaiting = 64;

  enum class State : std::uint8_t { kOpen, kWon, kFailed };

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
    State state = State::kOpen;
    std::uint8_t free = 0;  // stones that replies of the path have left free
    std::uint16_t depth = 0;
    std::uint32_t pn = 1;
    std::uint32_t dn = 1;
    std::uint32_t zone = kNone;  // in zones_: what is proven so far needs it
    // Of a position that is won: the turn, or another node of the same position. None: it is won by
    // double threats.
    std::uint32_t source = kNone;
    std::vector<std::uint32_t> children;  // open ones; of a turn that wins: all its replies
    std::unique_ptr<Replies> replies;     // of a turn that is open
  };
  struct Asked {
    std::uint64_t work = 0;
    std::uint64_t nodes_by[2] = {};
    std::uint32_t zone = kNone;  // of a win
  };
  using Key = std::tuple<std::uint64_t, std::uint64_t, int>;  // of the stones, and Node::free
  using Threats = std::vector<Threat>;

  int p() const { return windows_->rules.stones; }
  int defender() const { return 1 - attacker_; }
  Key key(const Node& node) const { return {position_.key(0), position_.key(1), node.free}; }
  bool is_answered() const {
    return nodes_.front().state != State::kOpen || answer_.work > options_.work;
  }

  std::uint32_t add_zone(const RaceZone<W>& zone) {
    zones_.push_back(zone);
    return static_cast<std::uint32_t>(zones_.size() - 1);
  }
  std::uint32_t add_node(Node node, bool attacks) {
    node.attacks = attacks;
    node.pn = node.dn = first_number(node.depth);
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
  std::uint32_t first_number(int depth) const {
    if (depth >= options_.depth) return 1;
    const double number = std::pow(options_.base, options_.depth - depth);
    return static_cast<std::uint32_t>(std::clamp(number, 1.0, kInfinite / 16.0));
  }
  static std::uint32_t limited(std::uint64_t number) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(number, kInfinite - 1));
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

  // Does the attacker, to move, win by double threats? The zone of that win, else kNone.
  std::uint32_t ask(int stones) {
    ++answer_.calls;
    if (used_ == asked_.size()) {
      if (loading_) refuse();
      const VcdtAnswer answer = search_.solve(position_, attacker_, stones, options_.threats);
      Asked asked{answer.work, {answer.nodes_by[0], answer.nodes_by[1]}, kNone};
      if (answer.outcome == VcdtAnswer::Outcome::kWin) {
        const auto zone = RaceWalk<W>().walk(position_, attacker_, stones, search_.proof());
        if (zone) asked.zone = add_zone(*zone);
      }
      asked_.push_back(asked);
    }
    const Asked& asked = asked_[used_++];
    answer_.work += asked.work;
    for (const int by : {0, 1}) {
      answer_.nodes_by[by] += asked.nodes_by[by];
      answer_.nodes += asked.nodes_by[by];
    }
    return asked.zone;
  }
  // Only of what a file said is it not so.
  [[noreturn]] static void refuse() {
    throw Error(ErrorCode::kData, "the search that was resumed: a win of its answers is none");
  }

  // To the most-proving node, one look there, and back as far as numbers change.
  void stroke() {
    ++strokes_;
    while (const auto next = next_child()) {
      play(nodes_[*next]);
      path_.push_back(*next);
    }
    if (nodes_[path_.back()].attacks) {
      expand(path_.back());
    } else {
      try_reply(path_.back());
    }
    for (;;) {
      const std::uint32_t id = path_.back();
      const std::uint32_t pn = nodes_[id].pn;
      const std::uint32_t dn = nodes_[id].dn;
      settle(id);
      const Node& at = nodes_[id];
      const bool open = at.state == State::kOpen;
      const bool same = at.pn == pn && at.dn == dn;
      const bool goes_on = !at.attacks && at.children.empty();  // with its next reply
      if (path_.size() == 1 || (open && (same || goes_on))) return;
      play(at, true);
      path_.pop_back();
    }
  }
  std::optional<std::uint32_t> next_child() const {
    const Node& at = nodes_[path_.back()];
    const bool waits = !at.attacks && !options_.lazy && !at.replies->waiting.empty();
    if (at.children.empty() || waits) return std::nullopt;
    return *std::ranges::min_element(at.children, [&](std::uint32_t a, std::uint32_t b) {
      return at.attacks ? nodes_[a].pn < nodes_[b].pn : nodes_[a].dn < nodes_[b].dn;
    });
  }

  void set_won(std::uint32_t id, std::uint32_t zone, std::uint32_t source) {
    Node& node = nodes_[id];
    node.state = State::kWon;
    node.pn = 0;
    node.dn = kInfinite;
    node.zone = zone;
    node.source = source;
    node.children.clear();
    if (node.attacks) {
      known_.emplace(key(node), id);
    } else {
      node.children = std::move(node.replies->won);
      drop_replies(&node);
    }
  }
  void set_failed(std::uint32_t id) {
    Node& node = nodes_[id];
    node.state = State::kFailed;
    node.pn = kInfinite;
    node.dn = 0;
    node.children.clear();
    if (node.attacks) {
      known_.emplace(key(node), id);
    } else {
      drop_replies(&node);
    }
  }
  void drop_replies(Node* node) {
    waiting_ -= node->replies->listed.size();
    node->replies.reset();
  }
  // What another node of the same position says, if that is decided.
  bool is_known(std::uint32_t id) {
    const auto known = known_.find(key(nodes_[id]));
    if (known == known_.end()) return false;
    const Node& same = nodes_[known->second];
    if (same.state == State::kWon) {
      set_won(id, same.zone, known->second);
    } else {
      set_failed(id);
    }
    return true;
  }

  // Takes in what is decided of the children, and has their numbers.
  void settle(std::uint32_t id) {
    if (nodes_[id].state != State::kOpen) return;
    if (nodes_[id].attacks) {
      settle_position(id);
    } else {
      settle_turn(id);
    }
  }
  void settle_position(std::uint32_t id) {
    Node& node = nodes_[id];
    for (const std::uint32_t child : node.children) {
      if (nodes_[child].state == State::kWon) return set_won(id, nodes_[child].zone, child);
    }
    std::erase_if(node.children, [&](auto child) { return nodes_[child].state != State::kOpen; });
    if (node.children.empty()) return set_failed(id);
    std::uint64_t dn = 0;
    node.pn = kInfinite;
    for (const std::uint32_t child : node.children) {
      node.pn = std::min(node.pn, nodes_[child].pn);
      dn += nodes_[child].dn;
    }
    node.dn = limited(dn);
  }
  void settle_turn(std::uint32_t id) {
    std::vector<std::uint32_t> open;
    std::uint64_t pn = 0;
    std::uint32_t dn = kInfinite;
    for (const std::uint32_t child : nodes_[id].children) {
      if (nodes_[child].state == State::kFailed) return set_failed(id);
      if (nodes_[child].state == State::kWon) {
        take(id, child);
      } else {
        open.push_back(child);
        pn += nodes_[child].pn;
        dn = std::min(dn, nodes_[child].dn);
      }
    }
    Node& node = nodes_[id];
    node.children = open;
    if (!node.replies->waiting.empty()) {  // one more at least
      ++pn;
      if (open.empty()) dn = first_number(node.depth + 1);
    } else if (open.empty()) {
      return set_won(id, node.zone, kNone);
    }
    node.pn = limited(pn);
    node.dn = std::max<std::uint32_t>(dn, 1);
  }

  // A position gets its best turns as children.
  void expand(std::uint32_t id) {
    const bool root = path_.size() == 1;
    const int stones = root ? stones_ : p();
    if (root) {
      const std::uint32_t zone = ask(stones);
      if (zone != kNone) return set_won(id, zone, kNone);
    } else if (is_known(id)) {
      return;
    }
    int tried = 0;
    for (const ForcingTurn& each : turns(stones)) {
      if (nodes_[id].children.size() == static_cast<std::size_t>(options_.width)) break;
      if (++tried > kMostTried) break;
      add_turn(id, each.turn);
    }
    if (nodes_[id].children.empty()) set_failed(id);
  }
  // Those that hit all threats, by what their stones are worth, the best first.
  std::vector<ForcingTurn> turns(int stones) {
    const Threats against = threats_of(defender());
    if (hitting_number(against, stones) > stones) return {};
    CellSet<W> hits;
    for (const Threat& threat : against) {
      hits.add(threat.a);
      hits.add(threat.b);
    }
    std::vector<ForcingTurn> cells = scored(position_.empty(), attacker_);
    std::size_t count = 0;
    std::erase_if(cells, [&](const ForcingTurn& cell) {
      return count++ >= kCells && !hits.has(cell.turn.first);
    });
    if (stones == 2) return pairs(cells, against, attacker_);
    std::erase_if(cells,
                  [&](const ForcingTurn& cell) { return !hits_alone(against, cell.turn.first); });
    return cells;
  }
  // Cells, each as a turn of one stone, by what a stone of the player is worth there.
  std::vector<ForcingTurn> scored(const CellSet<W>& cells, int player) {
    scores_.read(position_, player);
    std::vector<ForcingTurn> scored;
    for_each_cell(cells, [&](int cell) {
      scored.push_back({{static_cast<Move>(cell), kNoMove}, scores_(cell)});
    });
    sort(&scored);
    return scored;
  }
  static void sort(std::vector<ForcingTurn>* turns) {
    std::ranges::stable_sort(*turns,
                             [](const auto& a, const auto& b) { return a.score > b.score; });
  }
  // Pairs of these cells that hit all threats. The second stone is worth what it is worth after
  // the first one.
  std::vector<ForcingTurn> pairs(const std::vector<ForcingTurn>& cells, const Threats& against,
                                 int player) {
    std::vector<ForcingTurn> pairs;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const Move a = cells[i].turn.first;
      position_.add(player, a);
      scores_.read(position_, player);
      for (std::size_t j = i + 1; j < cells.size(); ++j) {
        const Move b = cells[j].turn.first;
        const bool hit = std::ranges::all_of(
            against, [&](const Threat& threat) { return threat.has(a) || threat.has(b); });
        if (!hit) continue;
        const int score = cells[i].score + scores_(b) + (player == attacker_ ? 0 : past(b));
        pairs.push_back({{std::min(a, b), std::max(a, b)}, score});
      }
      position_.remove(player, a);
    }
    sort(&pairs);
    return pairs;
  }
  // How often a reply there was not lost at once.
  int past(Move cell) const { return std::min(history_[cell], kMostHistory); }

  // A turn becomes a child, unless it loses at once or a null move is enough against it.
  void add_turn(std::uint32_t id, const ConnectTurn& turn) {
    position_.add(attacker_, turn);
    const Threats threats = threats_of(attacker_);
    const int number = hitting_number(threats, p());
    const int free = std::max(0, p() - number);
    std::uint32_t null_zone = kNone;
    bool good =
        nodes_[id].free + free < RaceZone<W>::kPlaces && !position_.can_complete(defender(), p());
    if (good && number == 0) {
      null_zone = ask(p());
      good = null_zone != kNone;
    }
    if (good) {
      const std::uint32_t child = add_child(id, turn);
      nodes_[id].children.push_back(child);
      begin_turn(child, threats, number, null_zone);
      settle(child);
    }
    position_.remove(attacker_, turn);
  }
  void begin_turn(std::uint32_t id, const Threats& threats, int number, std::uint32_t null_zone) {
    RaceZone<W> zone;
    add_hazards<W>(position_, attacker_, &zone);
    CellSet<W> hits;
    for (const Threat& threat : threats) {
      hits.add(threat.a);
      hits.add(threat.b);
    }
    zone |= hits | cells_of<W>(nodes_[id].turn);
    nodes_[id].zone = add_zone(zone);
    nodes_[id].replies = std::make_unique<Replies>();
    if (number > p()) return;
    if (number == p()) {
      std::vector<ForcingTurn> replies;
      scores_.read(position_, defender());
      const ConnectReplies hitting = hitting_replies(threats, p());
      for (const ConnectTurn& reply : hitting.all()) {
        replies.push_back({reply, scores_(reply.first) + scores_(reply.second)});
      }
      wait(id, replies);
      return;
    }
    CellSet<W> alone;  // hit all threats
    for_each_cell(hits, [&](int cell) {
      if (hits_alone(threats, static_cast<Move>(cell))) alone.add(cell);
    });
    if (number == 0) alone = zones_[null_zone].places[2] & position_.empty();
    wait(id, strong(alone, threats, number));
    if (number == 0) {
      const std::uint32_t null_move = add_child(id, {});
      Node& node = nodes_[null_move];
      node.state = State::kWon;
      node.zone = null_zone;
      take(id, null_move);
    } else {
      wait(id, scored(alone, defender()));
      wait(id, pairs(scored(hits - alone, defender()), threats, defender()));
    }
  }
  // Whole replies that are likely to refute. `alone`: the cells of replies of one stone.
  std::vector<ForcingTurn> strong(const CellSet<W>& alone, const Threats& threats, int number) {
    std::vector<ForcingTurn> cells = scored(number == 0 ? alone : position_.empty(), defender());
    if (number > 0) {
      std::erase_if(cells, [](const ForcingTurn& cell) { return cell.score < kStrongScore; });
    }
    for (ForcingTurn& cell : cells) cell.score += past(cell.turn.first);
    sort(&cells);
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
    return (replies.null_zone && zones_[*replies.null_zone].leaves_out(turn)) ||
           alone(turn.first, turn.second) || alone(turn.second, turn.first);
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
      wait(id, scored(zone.places[2] & position_.empty(), defender()));
    } else if (reply.second == kNoMove) {
      replies.partners[reply.first] = zone.places[1];
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

  // The next reply that waits: lost, won by double threats, or open.
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
      if (zone != kNone) set_won(child, zone, kNone);
    }
    play(nodes_[child], true);
    if (nodes_[child].state == State::kWon) {
      take(id, child);
      return;
    }
    for_each_cell(cells_of<W>(turn), [&](int cell) { ++history_[static_cast<Move>(cell)]; });
    nodes_[id].children.push_back(child);
  }

  void conclude() {
    if (nodes_.front().state != State::kWon || proof_) return;
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
      const VcdtAnswer answer = search_.solve(position_, attacker_, stones, options_.threats);
      if (answer.outcome != VcdtAnswer::Outcome::kWin) refuse();
      return proof->append(search_.proof());
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
  Vcdt<W> search_;
  ConnectThreats<W> position_;  // at the end of path_
  typename ConnectThreats<W>::List list_;
  CellScores<W> scores_;
  int attacker_ = 0;
  int stones_ = 0;
  RzopOptions options_;
  VcdtAnswer answer_;
  std::vector<Node> nodes_;  // the first one is the root
  std::vector<RaceZone<W>> zones_;
  std::map<Key, std::uint32_t> known_;  // decided positions where the attacker is to move
  std::vector<int> history_;            // of cells
  std::vector<std::uint32_t> path_;     // from the root
  std::vector<Asked> asked_;            // of searches by double threats
  std::uint64_t used_ = 0;              // of these
  std::uint64_t strokes_ = 0;
  std::uint64_t waiting_ = 0;  // replies that were listed
  bool loading_ = false;
  std::optional<RaceProof> proof_;
};

}  // namespace playproof
