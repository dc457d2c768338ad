// Victory by continuous single threats (VCST): as VCDT (games/connect/vcdt.h), but up to so many
// turns of a line may leave one threat alone (thesis, 3.3.2; lambda order 2 of Wu and Lin 2010).
//
// After such a turn the other side hits the threat with one stone and has the other free. It is
// first given the one stone alone (a semi-null move); the zone of the win that follows leaves few
// places for the free one, and these are searched as whole replies. So are pairs that hit the
// threat only together.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "games/connect/race_zone.h"
#include "games/connect/threat_options.h"
#include "games/connect/vcdt.h"

namespace playproof {

// A turn has two stones.
template <int W, class Hazards = SoundHazards>
class Vcst {
 public:
  using Settings = VcstOptions;
  static constexpr std::uint64_t kSlice = 32;  // searches that take milliseconds

  // `windows` must outlive it.
  explicit Vcst(const ConnectWindows<W>& windows)
      : windows_(&windows), search_(windows), position_(windows, {}) {}

  // Does what Vcdt::solve() does.
  VcdtAnswer solve(const ConnectThreats<W>& position, int attacker, int stones,
                   const VcstOptions& options) {
    begin(position, attacker, stones, options);
    while (!advance(std::numeric_limits<std::uint64_t>::max())) {
    }
    return answer();
  }
  // These are those of Vcdt; nothing is ever exhausted, since not all turns are tried.
  void begin(const ConnectThreats<W>& position, int attacker, int stones,
             const VcstOptions& options) {
    root_ = {position};
    attacker_ = attacker;
    stones_ = stones;
    options_ = options;
    answer_ = {};
    known_.clear();
    singles_ = 0;
    won_.reset();
  }
  // Goes on, for so many searches by double threats; true once it is answered. It begins at the
  // root each time, and passes over what it knows.
  bool advance(std::uint64_t calls) {
    if (is_answered()) return true;
    left_ = calls;
    paused_ = false;
    position_ = root_.front();
    std::optional<Won> won = win(stones_, singles_);
    if (won) {
      answer_.outcome = VcdtAnswer::Outcome::kWin;
      answer_.turns = won->proof.turns();
      answer_.first = won->proof.root().turn;
      won_ = std::move(won);
    } else if (!paused_) {
      ++singles_;
    }
    return is_answered();
  }
  const VcdtAnswer& answer() const { return answer_; }
  RaceProof proof() const { return won_ ? won_->proof : RaceProof{}; }
  // Saves a question under way, or loads it after the same begin() (host/archive/archive.h): what
  // is known of positions. A win that a file claims is found out when the proof that it goes into
  // is walked, and that of the root here.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(answer_.outcome, answer_.turns, answer_.first.first, answer_.first.second, answer_.work,
            answer_.calls, answer_.nodes, answer_.nodes_by[0], answer_.nodes_by[1], singles_);
    archive.check(0 <= singles_ && singles_ <= options_.singles + 1, "more turns than are tried");
    std::uint64_t positions = known_.size();
    archive(positions);
    if constexpr (Archive::kLoading) {
      known_.clear();
      for (std::uint64_t i = 0; i < positions; ++i) {
        Key key;
        archive(key.first, key.second);
        serialize_known(archive, known_[key]);
      }
      load_win(archive);
    } else {
      for (auto& [key, known] : known_) {
        Key copy = key;
        archive(copy.first, copy.second);
        serialize_known(archive, known);
      }
    }
  }
  // What is known of positions goes, and with it the proof.
  void forget() {
    known_.clear();
    won_.reset();
  }
  std::uint64_t bytes() const { return search_.bytes() + known_.size() * sizeof(Known); }

 private:
  struct Won {
    RaceProof proof;
    RaceZone<W> zone;
  };
  struct Known {
    std::optional<Won> won;
    int failed = -1;  // with so many turns of a single threat
  };
  using Key = std::pair<std::uint64_t, std::uint64_t>;

  template <class Archive>
  void serialize_known(Archive& archive, Known& known) {
    archive(known.failed);
    archive.check(-1 <= known.failed && known.failed <= options_.singles,
                  "turns that none fails with");
    bool won = known.won.has_value();
    archive(won);
    if (!won) return;
    if constexpr (Archive::kLoading) known.won.emplace();
    RaceProof& proof = known.won->proof;
    std::uint64_t nodes = proof.nodes.size();
    std::uint64_t children = proof.children.size();
    archive(nodes, children);
    for (std::uint64_t i = 0; i < nodes; ++i) {
      if constexpr (Archive::kLoading) proof.nodes.emplace_back();
      RaceNode& node = proof.nodes[i];
      archive(node.kind, node.turn.first, node.turn.second, node.first_child, node.children);
      archive.check(is_on_board(node.turn), "a stone beyond the board");
    }
    for (std::uint64_t i = 0; i < children; ++i) {
      if constexpr (Archive::kLoading) {
        proof.children.emplace_back();
        proof.replies.emplace_back();
      }
      ConnectTurn& reply = proof.replies[i];
      archive(proof.children[i], reply.first, reply.second);
      archive.check(is_on_board(reply), "a stone beyond the board");
    }
    archive.check(!proof.nodes.empty(), "a win without a proof");
    for (CellSet<W>& place : known.won->zone.places) {
      archive.bytes(&place, sizeof place);
      archive.check(place.within(CellSet<W>::all(windows_->rules.cells)),
                    "a zone beyond the board");
    }
  }
  bool is_on_board(const ConnectTurn& turn) const {
    const auto good = [&](Move cell) { return cell == kNoMove || cell < windows_->rules.cells; };
    return good(turn.first) && good(turn.second);
  }
  template <class Archive>
  void load_win(Archive& archive) {
    position_ = root_.front();
    won_.reset();
    const auto at_root = known_.find(key_of(stones_));
    const bool wins = at_root != known_.end() && at_root->second.won;
    archive.check(wins == (answer_.outcome == VcdtAnswer::Outcome::kWin),
                  "a win that was not found");
    if (!wins) return;
    won_ = walked(at_root->second.won->proof, stones_);
    archive.check(won_.has_value(), "the proof has a node that is wrong");
  }
  Key key_of(int stones) const {
    return {position_.key(0), position_.key(1) + static_cast<std::uint64_t>(stones)};
  }

  bool is_answered() const {
    return won_.has_value() || singles_ > options_.singles || answer_.work > options_.work;
  }

  // Does the attacker, to move in position_, win with so many turns of a single threat?
  std::optional<Won> win(int stones, int singles) {
    Known& known = known_[key_of(stones)];  // stays where it is while others come
    if (known.won || known.failed >= singles || paused_) return known.won;
    if (known.failed < 0) {
      if (left_ == 0 || answer_.work > options_.work) {
        paused_ = true;
        return std::nullopt;
      }
      --left_;
      ++answer_.calls;
      VcdtOptions options = options_.threats;
      const VcdtAnswer answer = search_.solve(position_, attacker_, stones, options);
      answer_.work += answer.work;
      answer_.nodes += answer.nodes;
      for (const int by : {0, 1}) answer_.nodes_by[by] += answer.nodes_by[by];
      known.failed = 0;
      if (answer.outcome == VcdtAnswer::Outcome::kWin) known.won = walked(search_.proof(), stones);
    }
    while (!known.won && !paused_ && known.failed < singles) {
      known.won = try_turns(stones, known.failed + 1);
      if (!known.won && !paused_) ++known.failed;
    }
    return known.won;
  }
  std::optional<Won> walked(RaceProof proof, int stones) {
    const auto zone = RaceWalk<W, Hazards>().walk(position_, attacker_, stones, proof);
    if (!zone) return std::nullopt;
    return Won{std::move(proof), *zone};
  }

  std::optional<Won> try_turns(int stones, int singles) {
    for (const ConnectTurn& turn : single_turns(stones)) {
      RaceProof proof;
      RaceNode node;
      node.kind = RaceNode::Kind::kQuiet;
      node.turn = turn;
      position_.add(attacker_, turn);
      std::vector<std::uint32_t> children;
      std::vector<ConnectTurn> replies;
      const bool good = answer_all(singles, &proof, &children, &replies);
      position_.remove(attacker_, turn);
      if (paused_) return std::nullopt;
      if (!good) continue;
      node.first_child = static_cast<std::uint32_t>(proof.children.size());
      node.children = static_cast<std::uint32_t>(children.size());
      proof.children.insert(proof.children.end(), children.begin(), children.end());
      proof.replies.insert(proof.replies.end(), replies.begin(), replies.end());
      proof.nodes.push_back(node);
      if (auto won = walked(std::move(proof), stones)) return won;
    }
    return std::nullopt;
  }

  // Tries all that hits the threat after a turn with a single one.
  bool answer_all(int singles, RaceProof* proof, std::vector<std::uint32_t>* children,
                  std::vector<ConnectTurn>* replies) {
    typename ConnectThreats<W>::List threats;
    position_.list(attacker_, &threats);
    FreeReplies<W> answered;
    const auto answer = [&](const ConnectTurn& reply) {
      const CellSet<W> cells = cells_of<W>(reply);
      for_each_cell(cells, [&](int cell) { position_.add(1 - attacker_, cell); });
      const std::optional<Won> won = position_.completed(1 - attacker_)
                                         ? std::nullopt
                                         : win(windows_->rules.stones, singles - 1);
      for_each_cell(cells, [&](int cell) { position_.remove(1 - attacker_, cell); });
      if (!won) return false;
      children->push_back(proof->append(won->proof));
      replies->push_back(reply);
      answered.add(reply, won->zone);
      return true;
    };
    const Threat first = threats.all().front();
    if (hits_alone(threats.all(), first.a) && !answer({first.a, kNoMove})) return false;
    if (first.b != first.a && hits_alone(threats.all(), first.b) && !answer({first.b, kNoMove})) {
      return false;
    }
    bool good = true;
    for_each_hit(
        position_.empty(), threats.all(), windows_->rules.stones, [&](const ConnectTurn& turn) {
          const bool common =
              hits_alone(threats.all(), turn.first) || hits_alone(threats.all(), turn.second);
          if (!common && !Hazards::kPairsHitTogether) return;
          good = good && (answered.answer(turn) || answer(turn));
        });
    return good;
  }

  // Turns that leave one threat and hit those of the other side, the best first; so many at most.
  std::vector<ConnectTurn> single_turns(int stones) {
    CellScores<W> scores;
    scores.read(position_, attacker_);
    std::vector<ForcingTurn> cells;
    CellSet<W> near;
    const int k = windows_->rules.connect;
    for_each_window(*windows_, position_.live_from(attacker_, k - 2 - windows_->rules.stones),
                    [&](int window) { near |= windows_->cells(window); });
    for_each_window(*windows_, position_.live_from(1 - attacker_, k - windows_->rules.stones),
                    [&](int window) { near |= windows_->cells(window); });
    for_each_cell(near & position_.empty(), [&](int cell) {
      cells.push_back({{static_cast<Move>(cell), kNoMove}, scores(cell)});
    });
    const auto better = [](const ForcingTurn& a, const ForcingTurn& b) {
      return a.score > b.score;
    };
    std::ranges::stable_sort(cells, better);
    if (cells.size() > kMostCells) cells.resize(kMostCells);
    std::vector<ForcingTurn> turns;
    typename ConnectThreats<W>::List threats;
    const auto try_turn = [&](const ConnectTurn& turn, int score) {
      position_.add(attacker_, turn);
      position_.list(attacker_, &threats);
      if (hitting_number(threats.all(), 2) == 1 &&
          !position_.can_complete(1 - attacker_, windows_->rules.stones)) {
        turns.push_back({turn, score});
      }
      position_.remove(attacker_, turn);
    };
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (stones == 1) try_turn(cells[i].turn, cells[i].score);
      for (std::size_t j = i + 1; stones == 2 && j < cells.size(); ++j) {
        const Move a = cells[i].turn.first;
        const Move b = cells[j].turn.first;
        try_turn({std::min(a, b), std::max(a, b)}, cells[i].score + cells[j].score);
      }
    }
    std::ranges::stable_sort(turns, better);
    std::vector<ConnectTurn> best;
    for (const ForcingTurn& turn : turns) {
      if (best.size() < static_cast<std::size_t>(options_.width)) best.push_back(turn.turn);
    }
    return best;
  }

  static constexpr std::size_t kMostCells = 24;

  const ConnectWindows<W>* windows_;
  Vcdt<W> search_;
  ConnectThreats<W> position_;
  std::vector<ConnectThreats<W>> root_;  // one
  int attacker_ = 0;
  int stones_ = 0;
  VcstOptions options_;
  VcdtAnswer answer_;
  std::map<Key, Known> known_;
  int singles_ = 0;
  std::optional<Won> won_;
  std::uint64_t left_ = 0;  // searches until it pauses
  bool paused_ = false;
};

}  // namespace playproof
