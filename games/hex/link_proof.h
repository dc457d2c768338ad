// What a link between the edges of a player rests on (games/hex/links.h): the stones that it needs,
// and the links that it is made of, as a certificate lists them (docs/certificate.md, "Links").
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "games/core/cell_set.h"
#include "games/core/game.h"
#include "games/hex/links.h"
#include "games/hex/neighbours.h"
#include "games/hex/resistance.h"

namespace playproof {

template <int W>
struct LinkProof {
  using Cells = CellSet<W>;

  // The edges as ends; others are cells, of a group one of its stones.
  static constexpr int kFirstEdge = -1;
  static constexpr int kSecondEdge = -2;
  static constexpr int kTouch = -1;  // as a half

  struct Line {
    Cells carrier;
    int ends[2];
    int over;                // AND: a cell; OR: kFirstEdge
    std::vector<int> parts;  // numbers of lines before this one; AND: or kTouch
    bool is_and() const { return over >= 0; }
  };
  std::vector<Line> lines;  // the last one joins the edges
  Cells needed;             // stones; with the key, if it has been played
  Cells carrier;
  int key = -1;  // of a semi link: the move that makes it full; else none

  Cells zone() const { return needed | carrier; }
};

// The proofs of links between the edges, until the next search.
template <int W>
class LinkProofs {
 public:
  using Cells = CellSet<W>;
  using Links = HexLinks<W>;
  using Index = typename Links::Index;
  using End = typename Links::End;
  using Proof = LinkProof<W>;

  explicit LinkProofs(Links links) : links_(std::move(links)) {}

  Links& links() { return links_; }
  const Links& links() const { return links_; }

  // Stones that the link needs; few: each in turn is left out if the others do.
  Cells needed(Index root) {
    collect(root);
    Cells kept = stones_;
    for_each_cell(Cells(stones_), [&](int stone) {
      Cells fewer = kept;
      fewer.remove(stone);
      if (joins(fewer)) kept = fewer;
    });
    return kept;
  }
  // A semi link as the full one that it is once its key is played.
  Proof proof(Index root) {
    Proof proof;
    proof.needed = needed(root);
    proof.carrier = links_.link(root).carrier;
    if (!links_.link(root).full) {
      proof.key = links_.cells(links_.link(root).over).lowest();
      proof.carrier.remove(proof.key);  // a stone in all lines
    }
    std::vector<int> numbers(links_.size(), Proof::kTouch);
    for (const Index i : order_) {
      const auto& link = links_.link(i);
      if (link.parts == 0) continue;
      typename Proof::Line line;
      line.carrier = link.carrier;
      if (proof.key >= 0) line.carrier.remove(proof.key);
      line.over = link.over == Links::kNoEnd ? Proof::kFirstEdge : name(link.over, proof.needed);
      for (int e = 0; e < 2; ++e) line.ends[e] = name(link.ends[e], proof.needed);
      for (Index k = 0; k < link.parts; ++k) line.parts.push_back(numbers[links_.part(link, k)]);
      numbers[i] = static_cast<int>(proof.lines.size());
      proof.lines.push_back(std::move(line));
    }
    if (proof.key >= 0) proof.needed.add(proof.key);
    return proof;
  }

 private:
  struct Touch {
    End a;
    End b;
  };
  // An end as a certificate names it.
  int name(End end, const Cells& needed) const {
    if (end == 0) return Proof::kFirstEdge;
    if (end == 1) return Proof::kSecondEdge;
    return (links_.is_cell(end) ? links_.cells(end) : links_.cells(end) & needed).lowest();
  }

  // The links below the root, each after its parts; where they touch, and with which stones.
  void collect(Index root) {
    order_.clear();
    touches_.clear();
    stones_ = {};
    groups_.clear();
    seen_.assign(links_.size(), false);
    visit(root);
  }
  void visit(Index i) {
    if (seen_[i]) return;
    seen_[i] = true;
    const auto& link = links_.link(i);
    for (Index k = 0; k < link.parts; ++k) visit(links_.part(link, k));
    if (link.parts == 0) touches_.push_back({link.ends[0], link.ends[1]});
    for (const End end : link.ends) use(end);
    order_.push_back(i);
  }
  void use(End end) {
    if (links_.is_cell(end)) return;
    stones_ |= links_.cells(end);
    if (Links::is_edge(end) || std::find(groups_.begin(), groups_.end(), end) != groups_.end()) {
      return;
    }
    groups_.push_back(end);
  }
  // Do these stones do for all links that were collected?
  bool joins(const Cells& stones) const {
    for (const End group : groups_) {
      const Cells left = links_.cells(group) & stones;
      if (left.empty()) return false;
      const Cells together = hex_group<W>(links_.rules(), Cells::one(left.lowest()), left);
      if (!(together == left)) return false;
    }
    return std::ranges::all_of(touches_,
                               [&](const Touch& touch) { return still_touch(touch, stones); });
  }
  bool still_touch(const Touch& touch, const Cells& stones) const {
    return !(reach(touch.a, stones) & place(touch.b, stones)).empty() ||
           !(place(touch.a, stones) & reach(touch.b, stones)).empty();
  }
  // Cells of the end; cells that touch it.
  Cells place(End end, const Cells& stones) const {
    if (links_.is_cell(end)) return links_.cells(end);
    const Cells left = links_.cells(end) & stones;
    if (!Links::is_edge(end)) return left;
    return hex_group<W>(links_.rules(), links_.edge(end) & left, left);
  }
  Cells reach(End end, const Cells& stones) const {
    const Cells around = hex_neighbours<W>(links_.rules(), place(end, stones));
    return Links::is_edge(end) ? around | links_.edge(end) : around;
  }

  Links links_;
  std::vector<Index> order_;
  std::vector<Touch> touches_;
  std::vector<End> groups_;
  Cells stones_;
  std::vector<bool> seen_;
};

// What was found of some positions that were asked about lately, each in the place that its cells
// name. A search by depth comes back to many.
template <int W>
class FoundThreats {
 public:
  using Cells = CellSet<W>;
  struct Found {
    Cells own;
    Cells other;
    bool known = false;
    bool wins = false;
    std::vector<Cells> zones;
    std::vector<double> currents;  // if they are wanted and he does not win
  };

  // Null if this position is not there.
  const Found* find(const Cells& own, const Cells& other) const {
    if (places_.empty()) return nullptr;
    const Found& found = places_[place(own, other)];
    return found.known && found.own == own && found.other == other ? &found : nullptr;
  }
  // Makes room for what is to be found of this position; not known until then, and without zones.
  Found& make_room(const Cells& own, const Cells& other) {
    if (places_.empty()) places_.resize(kPlaces);
    Found& found = places_[place(own, other)];
    found.own = own;
    found.other = other;
    found.known = false;
    found.zones.clear();
    return found;
  }

 private:
  static constexpr std::size_t kPlaces = 4096;
  static std::size_t place(const Cells& own, const Cells& other) {
    std::uint64_t mixed = 0;
    for (int i = 0; i < W; ++i) mixed = mix64(mix64(mixed ^ own.words[i]) ^ other.words[i]);
    return static_cast<std::size_t>(mixed) % kPlaces;
  }
  std::vector<Found> places_;
};

// What links say of a player in a position that is not finished.
template <int W>
class LinkSearch {
 public:
  using Cells = CellSet<W>;
  using Links = HexLinks<W>;
  using Proof = LinkProof<W>;

  LinkSearch(const typename Hex<W>::Rules& rules, int player) : proofs_(Links(rules, player)) {}

  // He is to move. Calls won(move, zone) if he wins by links, with this zone once he has moved;
  // a move of kNoMove: whatever he plays. False if he does not, as far as was found.
  template <class F>
  bool win(const Cells& own, const Cells& other, F&& won) {
    if (!links().search(own, other, Links::Goal::kSemi)) return false;
    const auto root = best();
    const auto& link = links().link(root);
    const Move move = link.full ? kNoMove : static_cast<Move>(links().cells(link.over).lowest());
    won(move, proofs_.needed(root) | link.carrier);
    return true;
  }
  // The other one is to move. Calls lost(zone): whatever he plays outside this zone he loses. True
  // if he loses wherever he plays, with the only zone that was said.
  template <class F>
  bool threats(const Cells& own, const Cells& other, F&& lost) {
    const auto* found = found_.find(own, other);
    if (found == nullptr) found = &look_for_threats(own, other);
    for (const Cells& zone : found->zones) lost(zone);
    asked_ = found;
    return found->wins;
  }
  // Makes threats() look for currents, too, from now on.
  void want_currents() { wants_currents_ = true; }
  // What the cells are worth to him where threats() was asked last and he did not win
  // (games/hex/resistance.h).
  const std::vector<double>& currents() const { return asked_->currents; }
  // The links by which he wins, whoever is to move; false if none are found.
  bool prove(const Cells& own, const Cells& other, bool to_move, Proof* proof) {
    if (!links().search(own, other, to_move ? Links::Goal::kSemi : Links::Goal::kFull))
      return false;
    *proof = proofs_.proof(best());
    return true;
  }

 private:
  const typename FoundThreats<W>::Found& look_for_threats(const Cells& own, const Cells& other) {
    auto& found = found_.make_room(own, other);
    found.wins = links().search(own, other, Links::Goal::kFull);
    const auto note = [&](typename Links::Index i) {
      found.zones.push_back(proofs_.needed(i) | links().link(i).carrier);
    };
    if (found.wins) {
      note(links().full());
    } else {
      for (const auto semi : links().semis()) note(semi);
      if (wants_currents_) found.currents = resistance_.currents(links());
    }
    found.known = true;
    return found;
  }
  Links& links() { return proofs_.links(); }
  typename Links::Index best() {
    return links().full() != Links::kNone ? links().full() : links().semis().front();
  }
  LinkProofs<W> proofs_;
  FoundThreats<W> found_;
  const typename FoundThreats<W>::Found* asked_ = nullptr;
  bool wants_currents_ = false;
  HexResistance<W> resistance_;
};

}  // namespace playproof
