// The rules of proof for cards (docs/certificate.md, "Cards"): patterns that the prover wins, of
// connection games. More stones never hurt their owner there, and a full board has one winner; so
// of a game's reference rules it needs the letters of the stones and who joins his edges.
#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "games/core/reference_text.h"
#include "src/check/fill.h"
#include "src/check/live_nodes.h"
#include "src/check/reader.h"

namespace playproof::check {

template <class R>
concept HasCards = requires(const typename R::Rules& rules, const typename R::State& state) {
  { R::joined(rules, state, R::letter(Player::kFirst)) } -> std::same_as<bool>;
};

// Games without cards: nodes stand for their positions alone.
template <class R>
class Cards {
 public:
  Cards(const typename R::Rules&, const Claim&, Player, const LiveNodes&, SearchBudget&) {}
  NodeText check(std::string_view, const RefWords&) const { reject("this game has no cards"); }
  bool proves(const LiveNode& node, const typename R::State& state) const {
    return node.position == R::packed(state);
  }
};

template <HasCards R>
class Cards<R> {
 public:
  using State = typename R::State;
  using Rules = typename R::Rules;

  // `live`: the nodes that may be cited.
  Cards(const Rules& rules, const Claim& claim, Player attacker, const LiveNodes& live,
        SearchBudget& budget)
      : rules_(rules),
        prover_(claim.proved ? attacker : opponent(attacker)),
        own_(R::letter(prover_)),
        other_(R::letter(opponent(prover_))),
        live_(live),
        budget_(budget) {
    const int win = (claim.proved ? 1 : -1) * R::greatest_value(rules);  // of the prover
    settles_ = (win >= claim.threshold) == claim.proved;
  }

  // The card of a line of three words or more, which must be good.
  NodeText check(std::string_view kind, const RefWords& words) const {
    const State card = pattern(words[2]);
    NodeKind result = kind == "card-one" ? NodeKind::kProversCard : NodeKind::kCard;
    if (kind == "card-leaf") {
      check_leaf(card, words);
    } else if (kind == "card-pairs") {
      check_pairs(card, words);
    } else if (kind == "card-one") {
      check_one(card, words);
    } else if (kind == "card-all") {
      check_all(card, words);
    } else if (kind == "card-fill") {
      result = check_fill(card, words);
    } else {
      unreadable("unknown kind of line: " + shown(kind));
    }
    return {ref_packed(card.cells, '.', '-'), result};
  }
  // Is the claim true of the position by what the node says?
  bool proves(const LiveNode& card, const State& state) const {
    if (!card.is_card()) return card.position == R::packed(state);
    if (card.kind == NodeKind::kProversCard && R::to_move(rules_, state) != prover_) return false;
    for (std::size_t i = 0; i < state.cells.size(); ++i) {
      const int cell = at(card, i);
      if (cell == kNeeded && state.cells[i] != own_) return false;
      if (cell == kFree && state.cells[i] == other_) return false;
    }
    return true;
  }

  // What the pattern of a card or a link says of a cell, as ref_packed() numbers it: nothing, not
  // the opponent's, needed. Each says more than the one before.
  static constexpr int kFree = 1;
  static constexpr int kNeeded = 2;

  static int at(const LiveNode& card, std::size_t cell) {
    return card.position[cell / 4] >> cell % 4 * 2 & 3;
  }
  char own() const { return own_; }
  State pattern(std::string_view word) const {
    if (!settles_) reject("that the prover wins does not settle the claim");
    State card = R::initial(rules_);
    const std::string alphabet = std::string(".-") + own_;
    if (!ref_cells(word, static_cast<int>(card.cells.size()), alphabet, &card.cells)) {
      reject("not a pattern of '.', '-' and '" + std::string(1, own_) + "': " + shown(word));
    }
    return card;
  }
  // The pattern is a case of the one below, of which `name` tells: its needed stones are needed
  // here, its free cells are free or needed here.
  void expect_covered(const State& card, const LiveNode& below, const std::string& name) const {
    for (std::size_t i = 0; i < card.cells.size(); ++i) {
      const int here = card.cells[i] == own_ ? kNeeded : card.cells[i] == '-' ? kFree : 0;
      if (at(below, i) > here) reject(name + " asks for more on cell " + std::to_string(i + 1));
    }
  }

 private:
  // Whoever moves: the prover has won.
  void check_leaf(const State& card, const RefWords& words) const {
    expect(words.size() == 3);
    if (!R::joined(rules_, card, own_)) reject("the needed stones do not hold a winning set");
  }
  static constexpr std::size_t kMostPairs = 10;
  // Whoever moves: when the opponent takes a cell of a pair, the prover takes the other one. So he
  // has one of each in the end, and whichever they are, he has won.
  void check_pairs(const State& card, const RefWords& words) const {
    expect(words.size() > 4 && words.size() % 2 == 1);
    const std::size_t pairs = (words.size() - 3) / 2;
    if (pairs > kMostPairs) reject("more than " + std::to_string(kMostPairs) + " pairs");
    State left = card;  // whose '-' are in no pair yet
    std::vector<Move> cells;
    for (std::size_t k = 3; k < words.size(); ++k) {
      cells.push_back(R::move_named(rules_, words[k]));
      if (cells.back() == kNoMove || left.cells[cells.back()] != '-') {
        reject("pairs must be of '-' of the pattern, each in one pair, not " + shown(words[k]));
      }
      left.cells[cells.back()] = '.';
    }
    for (std::size_t choice = 0; choice < std::size_t{1} << pairs; ++choice) {
      budget_.spend();
      State end = card;
      for (std::size_t k = 0; k < pairs; ++k) end.cells[cells[2 * k + (choice >> k & 1)]] = own_;
      if (!R::joined(rules_, end, own_)) reject("the prover may get cells that do not win");
    }
  }
  // The prover plays the move, or it is his already, and then he need not move.
  void check_one(State card, const RefWords& words) const {
    expect(words.size() == 5);
    const Move move = R::move_named(rules_, words[3]);
    if (move == kNoMove || card.cells[move] != '-') {
      reject("the move must be a '-' of the pattern, not " + shown(words[3]));
    }
    card.cells[move] = own_;
    if (cited(card, words[4]).kind != NodeKind::kCard) {
      reject("card " + std::string(words[4]) + " is good only with the prover to move");
    }
  }
  // Each free cell that the opponent may take lies outside some card that is cited, which says
  // nothing else of what he leaves behind.
  void check_all(const State& card, const RefWords& words) const {
    expect(words.size() > 3);
    std::vector<bool> in_all(card.cells.size(), true);
    for (std::size_t k = 3; k < words.size(); ++k) {
      const LiveNode below = cited(card, words[k]);
      for (std::size_t i = 0; i < in_all.size(); ++i) {
        in_all[i] = in_all[i] && at(below, i) >= kFree;
      }
    }
    for (std::size_t i = 0; i < in_all.size(); ++i) {
      if (in_all[i] && card.cells[i] != own_) {
        reject("no card is cited against a reply on cell " + std::to_string(i + 1));
      }
    }
  }
  // What is filled, one set after the other, is as good as the prover's. Who is to move stays.
  NodeKind check_fill(State card, const RefWords& words) const {
    expect(words.size() > 4);
    const Fill<R> cells(rules_, own_, budget_);
    for (std::size_t k = 4; k < words.size(); ++k) cells.fill(card, words[k]);
    return cited(card, words[3]).kind;
  }
  LiveNode cited(const State& card, std::string_view id) const {
    const LiveNode below = live_.find(id);
    if (!below.is_card()) reject("node " + std::string(id) + " is no card");
    expect_covered(card, below, "card " + std::string(id));
    return below;
  }

  const Rules& rules_;
  Player prover_;
  char own_;
  char other_;
  const LiveNodes& live_;
  SearchBudget& budget_;
  bool settles_ = false;
};

}  // namespace playproof::check
