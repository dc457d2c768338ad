// Every sentence of the concept Game (games/core/game.h), checked on random games of any game: a
// new game joins by one call. The fast rules are compared ply by ply with the reference rules.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "games/core/game.h"
#include "games/core/identity.h"
#include "games/list.h"

namespace playproof {

// Uniform choices that are a pure function of the seed.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() { return mix64(state_ += kGoldenGamma); }
  int below(int n) {
    return static_cast<int>(((next() >> 32) * static_cast<std::uint64_t>(n)) >> 32);
  }

 private:
  std::uint64_t state_;
};

template <Game G>
class Conformance {
  using Rules = typename G::Rules;
  using State = typename G::State;
  using Ref = typename ReferenceOf<G>::Type;
  using Text = GameText<G>;

  static_assert(std::is_trivially_copyable_v<Rules> && std::is_trivially_copyable_v<State>);

 public:
  // Tests text forms at every `text_every`-th ply and at the end.
  Conformance(const Rules& rules, int text_every)
      : rules_(rules), ref_rules_(ReferenceOf<G>::rules(rules)), text_every_(text_every) {}

  // Plays one random game; returns its number of plies.
  int play_game(std::uint64_t seed) {
    Draws draws(seed);
    begin();
    bool going = check_position();
    while (going && !G::finished(rules_, state_)) {
      going = step(moves_[static_cast<std::size_t>(draws.below(static_cast<int>(moves_.size())))]);
    }
    return static_cast<int>(path_.size());
  }

 private:
  void begin() {
    state_ = G::initial(rules_);
    ref_ = Ref::initial(ref_rules_);
    path_.clear();
    expect(G::initial(rules_) == state_, "initial() gives one state");
    expect(G::min_value(rules_) <= G::max_value(rules_), "min_value <= max_value");
    expect(G::max_plies_left(rules_, state_) <= G::kMaxPlies, "kMaxPlies bounds whole games");
  }

  // Everything that one position promises. max_plies_left falls with every ply and is 0 just at the
  // end: so it bounds the rest of the game, and no position can come again.
  bool check_position() {
    const State before = state_;
    const bool over = G::finished(rules_, state_);
    const int left = G::max_plies_left(rules_, state_);
    bool ok = expect(ReferenceOf<G>::state(rules_, state_) == ref_, "same position as reference") &&
              expect(over == Ref::finished(ref_rules_, ref_), "finished as reference") &&
              expect((left == 0) == over && left >= 0, "max_plies_left is 0 just when finished") &&
              expect(!AcyclicGame<G> || path_.empty() || left < left_before_,
                     "no position can come again");
    left_before_ = left;
    ok = ok && (over ? check_value() : check_moves()) && check_copy();
    if (over || path_.size() % static_cast<std::size_t>(text_every_) == 0) ok = ok && check_text();
    return ok && expect(state_ == before, "asking changes nothing");
  }

  bool check_value() {
    const Value value = G::value(rules_, state_);
    return expect(value == Ref::value(ref_rules_, ref_), "value as reference") &&
           expect(value >= G::min_value(rules_) && value <= G::max_value(rules_),
                  "value within its bounds");
  }

  bool check_moves() {
    static constexpr Move kCanary = 0xabcd;
    moves_.assign(static_cast<std::size_t>(G::kMaxMoves) + 1, kCanary);
    const int count = G::moves(rules_, state_, moves_.data());
    if (!expect(count >= 1 && count <= G::kMaxMoves, "1..kMaxMoves moves")) return false;
    const bool tail = moves_[static_cast<std::size_t>(count)] == kCanary;
    moves_.resize(static_cast<std::size_t>(count));
    bool ascending = true;
    for (std::size_t i = 1; i < moves_.size(); ++i) ascending &= moves_[i - 1] < moves_[i];
    return expect(tail, "nothing is written behind the moves") &&
           expect(ascending, "moves ascend") &&
           expect(moves_ == Ref::moves(ref_rules_, ref_), "moves as reference") &&
           expect(G::to_move(rules_, state_) == Ref::to_move(ref_rules_, ref_),
                  "side to move as reference");
  }

  // A state copied byte by byte is the same position.
  bool check_copy() {
    unsigned char bytes[sizeof(State)];
    std::memcpy(bytes, &state_, sizeof bytes);
    State copy = G::initial(rules_);
    std::memcpy(&copy, bytes, sizeof bytes);
    return expect(copy == state_ && G::key(rules_, copy) == G::key(rules_, state_),
                  "byte copies are equal states with equal keys") &&
           expect(position_id(G{}, copy) == position_id(G{}, state_),
                  "equal states have equal identities");
  }

  bool check_text() {
    bool ok = true;
    if constexpr (requires { requires G::kTree; }) {  // a state does not know its path
      std::string path;
      for (const Move move : path_) path += Text::move_text(rules_, move) + " ";
      ok = expect(Text::parse(rules_, path) == state_, "the path reads back");
    } else {
      const State back = Text::parse(rules_, Text::format(rules_, state_));
      ok = expect(back == state_, "format() reads back to an equal state") &&
           expect(G::key(rules_, back) == G::key(rules_, state_), "equal states, equal keys") &&
           expect(G::finished(rules_, back) == G::finished(rules_, state_), "read back, finished");
    }
    if (G::finished(rules_, state_)) return ok;
    for (const Move move : moves_) {
      ok = ok && expect(Text::parse_move(rules_, Text::move_text(rules_, move)) == move,
                        "move text reads back");
    }
    return ok;
  }

  bool step(Move move) {
    const State before = state_;
    State twin = state_;
    G::play(rules_, state_, move);
    G::play(rules_, twin, move);
    Ref::play(ref_rules_, ref_, move);
    path_.push_back(move);
    return expect(twin == state_ && G::key(rules_, twin) == G::key(rules_, state_),
                  "play() is a function of state and move") &&
           expect(!(before == state_), "a move leads to another state") && check_position();
  }

  bool expect(bool holds, const char* sentence) {
    if (holds) return true;
    std::string path;
    for (const Move move : path_) path += Text::move_text(rules_, move) + " ";
    ADD_FAILURE() << "not so: " << sentence << "\n"
                  << Text::canonical(rules_) << " after: " << path;
    return false;
  }

  Rules rules_;
  typename Ref::Rules ref_rules_;
  int text_every_;
  State state_{};
  typename Ref::State ref_;
  std::vector<Move> moves_;  // of state_, if it is not finished
  std::vector<Move> path_;   // from the initial position to state_
  int left_before_ = 0;      // max_plies_left one ply ago
};

// Walks the positions of small rules, depth first, until it has seen so many of them: one identity
// (games/core/identity.h) is one position, so it tells who moves and how many stones are left in
// the turn; no path meets a position twice, unless the game has a rule for that; and no path is
// longer than max_plies_left() of its beginning.
template <Game G>
class Walk {
  using State = typename G::State;

 public:
  Walk(const typename G::Rules& rules, std::size_t most) : rules_(rules), most_(most) {}

  // Returns how many positions it saw.
  std::size_t run() {
    enter(G::initial(rules_));
    while (!path_.empty() && good_) {
      Step& step = path_.back();
      if (step.next == step.moves.size()) {
        seen_.find(position_id(G{}, step.state))->second.on_path = false;
        path_.pop_back();
        continue;
      }
      State child = step.state;
      G::play(rules_, child, step.moves[step.next++]);
      enter(child);
    }
    return seen_.size();
  }
  bool repeats() const { return repeats_; }

 private:
  struct Seen {
    State state;
    bool on_path;
  };
  struct Step {
    State state;
    std::vector<Move> moves;
    std::size_t next = 0;
  };

  void enter(const State& state) {
    const auto [place, fresh] = seen_.try_emplace(position_id(G{}, state), Seen{state, true});
    const Seen& seen = place->second;
    if (!fresh) {
      expect(seen.state == state, "one identity is one position");
      repeats_ = repeats_ || seen.on_path;
      expect(!AcyclicGame<G> || !seen.on_path, "no path meets a position twice");
      return;
    }
    const auto plies = static_cast<int>(path_.size());
    expect(plies <= G::max_plies_left(rules_, G::initial(rules_)),
           "no path is longer than it says");
    path_.push_back({state, {}});
    if (G::finished(rules_, state) || seen_.size() >= most_) return;
    std::vector<Move>& moves = path_.back().moves;
    moves.resize(static_cast<std::size_t>(G::kMaxMoves));
    moves.resize(static_cast<std::size_t>(G::moves(rules_, state, moves.data())));
  }
  void expect(bool holds, const char* sentence) {
    if (!holds && good_) ADD_FAILURE() << "not so: " << sentence;
    good_ = good_ && holds;
  }

  typename G::Rules rules_;
  std::size_t most_;
  std::map<PositionId<G>, Seen> seen_;
  std::vector<Step> path_;
  bool repeats_ = false;
  bool good_ = true;
};

// Random games of every rule set in turn, until `plies` plies are played; returns how many were.
template <Game G>
std::int64_t conformance(const std::vector<typename G::Rules>& all_rules, std::int64_t plies,
                         std::uint64_t seed, int text_every) {
  std::vector<Conformance<G>> suites;
  suites.reserve(all_rules.size());
  for (const auto& rules : all_rules) suites.emplace_back(rules, text_every);
  std::int64_t played = 0;
  for (std::uint64_t game = 0; played < plies && !::testing::Test::HasFailure(); ++game) {
    played += suites[game % suites.size()].play_game(mix64(seed ^ mix64(game)));
    if (played == 0 && game > suites.size()) break;  // games that never begin
  }
  return played;
}

}  // namespace playproof
