// What both sides play once a line of play has come to a position that a probe says is won by
// threats (host/probe/races.h): the moves of that win, as long as the line follows them.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "games/core/game.h"
#include "games/core/race.h"
#include "host/proof/race_guide.h"
#include "host/question/search_options.h"

namespace playproof {

template <class G>
class RacePlay {  // of a game without races
 public:
  RacePlay(const auto& /*rules*/, const SearchOptions& /*options*/) {}
  static constexpr bool on() { return false; }
};

template <HasRaces G>
class RacePlay<G> {
 public:
  using State = typename G::State;
  using Rules = typename G::Rules;
  using Search = typename Races<G>::Search;
  using Proof = typename Races<G>::Proof;

  RacePlay(const Rules& rules, const SearchOptions& options)
      : rules_(rules),
        on_(options.races.on() && Search::supports(rules)),
        search_(rules, options.races) {}

  bool on() const { return on_; }
  // The win of who is to move, as the probe finds it; none if it does not.
  std::optional<Proof> proof(const State& state) {
    return on_ ? search_.proof(state) : std::nullopt;
  }
  // The same of a position that the probe has seen another image of, so that it may look longer.
  std::optional<Proof> proof_of_image(const State& state) {
    return on_ ? search_.proof_at_length(state) : std::nullopt;
  }
  // Goes on with the win under way, or begins one if there is one: its move; else kNoMove.
  Move move(const State& state) {
    if (!is_under_way(state)) {
      begin(state);
      if (guide_ == nullptr) return kNoMove;
    }
    return guide_->guide.move(state);
  }
  // What the other side plays in a longest game while a win is under way; else kNoMove.
  Move reply(const State& state) const {
    return is_under_way(state) ? guide_->guide.longest_reply(state).front() : kNoMove;
  }
  // Somebody plays it in `state`.
  void follow(const State& state, Move move) {
    if (!is_under_way(state)) return;
    const bool left =
        G::to_move(rules_, state) == guide_->winner && guide_->guide.move(state) != move;
    guide_->guide.follow(state, move);
    G::play(rules_, at_, move);
    if (left || G::finished(rules_, at_)) guide_ = nullptr;
  }

 private:
  static constexpr int kWords = Races<G>::kWords;
  struct Win {
    Win(Search& search, const State& state, Player mover, int stones, Proof found)
        : winner(mover),
          proof(std::move(found)),
          guide(ConnectThreats<kWords>(search.windows(), state), proof, static_cast<int>(mover),
                stones) {}
    Player winner;
    Proof proof;
    RaceGuide<kWords> guide;
  };

  bool is_under_way(const State& state) const { return guide_ != nullptr && at_ == state; }
  void begin(const State& state) {
    guide_ = nullptr;
    auto found = proof(state);
    if (!found) return;
    guide_ = std::make_unique<Win>(search_, state, G::to_move(rules_, state),
                                   G::stones_left_in_turn(rules_, state), std::move(*found));
    at_ = state;
  }

  Rules rules_;
  bool on_;
  Search search_;
  State at_{};
  std::unique_ptr<Win> guide_;  // of the win that led to `at_`, if one did
};

}  // namespace playproof
