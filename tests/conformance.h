// Every sentence of the concept Game (games/core/game.h), checked on random games of any game: a
// new game joins by one call. The fast rules are compared ply by ply with the reference rules.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "games/core/connection.h"
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
    if constexpr (AcyclicGame<G>) {
      expect(G::max_plies_left(rules_, state_) <= G::kMaxPlies, "kMaxPlies bounds whole games");
    }
  }

  // Everything that one position promises.
  bool check_position() {
    const State before = state_;
    const bool over = G::finished(rules_, state_);
    bool ok = expect(ReferenceOf<G>::state(rules_, state_) == ref_, "same position as reference") &&
              expect(over == Ref::finished(ref_rules_, ref_), "finished as reference") &&
              check_left(over);
    ok = ok && (over ? check_value() : check_moves()) && check_copy();
    if (over || path_.size() % static_cast<std::size_t>(text_every_) == 0) ok = ok && check_text();
    return ok && expect(state_ == before, "asking changes nothing");
  }

  // max_plies_left falls with every ply and is 0 just at the end: so it bounds the rest of the
  // game, and no position can come again.
  bool check_left(bool over) {
    if constexpr (AcyclicGame<G>) {
      const int left = G::max_plies_left(rules_, state_);
      const int before = std::exchange(left_before_, left);
      return expect((left == 0) == over && left >= 0, "max_plies_left is 0 just when finished") &&
             expect(path_.empty() || left < before, "no position can come again");
    }
    return true;
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
           expect(!AcyclicGame<G> || !(before == state_), "a move leads to another state") &&
           check_position();
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
    if constexpr (AcyclicGame<G>) {
      const auto plies = static_cast<int>(path_.size());
      expect(plies <= G::max_plies_left(rules_, G::initial(rules_)),
             "no path is longer than it says");
    }
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

// Every sentence about a connection game (games/core/connection.h), on random games of one rule
// set.
template <ConnectionGame G>
class ConnectionConformance {
  using State = typename G::State;
  using Board = Connection<G>;
  using Cells = CellSet<Board::kWords>;
  using Moves = std::vector<Move>;

 public:
  explicit ConnectionConformance(const typename G::Rules& rules)
      : rules_(rules), cells_(Board::cells(rules)) {}

  void play_game(std::uint64_t seed) {
    Draws draws(seed);
    const Moves all = shuffled(draws, cells_of(Cells::all(cells_)));
    State end = G::initial(rules_);
    Moves played;
    for (const Move cell : all) {
      if (G::finished(rules_, end)) break;
      if (!check_move(end, cell)) return;
      played.push_back(cell);
    }
    if (!expect(G::finished(rules_, end) && G::value(rules_, end) != 0, "full boards are won"))
      return;
    check_order(draws, all, winner(end));
    const Cells set = Board::winning_set(rules_, end);
    check_set(draws, set, Board::stones(end, winner(end)), winner(end));
    if (played.size() % 2 == 0) check_exchanges(played, winner(end));
  }

 private:
  Player winner(const State& end) const {
    return G::value(rules_, end) > 0 ? Player::kFirst : Player::kSecond;
  }
  static Moves cells_of(const Cells& set) {
    Moves cells;
    for_each_cell(set, [&](int cell) { cells.push_back(static_cast<Move>(cell)); });
    return cells;
  }
  static Moves shuffled(Draws& draws, Moves cells) {
    for (std::size_t i = cells.size(); i > 1; --i) {
      std::swap(cells[i - 1], cells[static_cast<std::size_t>(draws.below(static_cast<int>(i)))]);
    }
    return cells;
  }

  bool check_move(State& state, Move cell) const {
    const Player mover = G::to_move(rules_, state);
    std::array<Cells, 2> stones = {Board::stones(state, Player::kFirst),
                                   Board::stones(state, Player::kSecond)};
    G::play(rules_, state, cell);
    stones[static_cast<std::size_t>(mover)].add(cell);
    return expect(Board::stones(state, Player::kFirst) == stones[0] &&
                      Board::stones(state, Player::kSecond) == stones[1],
                  "a move is the empty cell that gets a stone of the mover") &&
           expect(G::finished(rules_, state) || G::to_move(rules_, state) == opponent(mover),
                  "sides alternate");
  }
  // Each player's cells of a full board in another order: one winner, whatever was there first.
  void check_order(Draws& draws, const Moves& all, Player won) const {
    std::array<Moves, 2> of;
    for (std::size_t i = 0; i < all.size(); ++i) of[i % 2].push_back(all[i]);
    for (Moves& cells : of) cells = shuffled(draws, cells);
    State state = G::initial(rules_);
    for (std::size_t i = 0; i < all.size() && !G::finished(rules_, state); ++i) {
      G::play(rules_, state, of[i % 2][i / 2]);
    }
    expect(G::finished(rules_, state) && winner(state) == won,
           "one winner of a full board, more stones never hurt");
  }
  // The player has won once he has these cells, whatever the other one has, and not before. On
  // small boards no fewer of his stones do.
  void check_set(Draws& draws, const Cells& set, const Cells& stones, Player won) const {
    if (!expect(!set.empty() && set.within(stones), "a winning set is of the winner's stones"))
      return;
    if (!leaves_enough(set, won)) return;
    expect(wins_with(draws, set, won), "a winning set wins just when it is complete");
    const Moves own = cells_of(stones);
    if (own.size() > 8) return;
    for (std::uint32_t some = 0; some < std::uint32_t{1} << own.size(); ++some) {
      Cells fewer;
      for (std::size_t i = 0; i < own.size(); ++i) {
        if ((some >> i & 1) != 0) fewer.add(own[i]);
      }
      if (fewer.size() >= set.size() || !leaves_enough(fewer, won)) continue;
      expect(!wins_with(draws, fewer, won), "no winning set has fewer cells");
    }
  }
  // So many cells for the other one that the player can have these.
  bool leaves_enough(const Cells& set, Player player) const {
    return cells_ - set.size() >= set.size() - (player == Player::kFirst ? 1 : 0);
  }
  // Does the player win by these cells, just when he has the last of them? The other one plays in
  // the rest of the board.
  bool wins_with(Draws& draws, const Cells& set, Player player) const {
    const Moves own = shuffled(draws, cells_of(set));
    const Moves rest = shuffled(draws, cells_of(Cells::all(cells_) - set));
    State state = G::initial(rules_);
    std::size_t placed = 0;
    std::size_t answers = 0;
    while (!G::finished(rules_, state) && placed < own.size()) {
      const bool his = G::to_move(rules_, state) == player;
      G::play(rules_, state, his ? own[placed++] : rest[answers++]);
    }
    return G::finished(rules_, state) && winner(state) == player && placed == own.size();
  }
  // A game of as many moves of each, which the second player won with the last: where the cells go,
  // each player plays what the other one played, so that the first player wins.
  void check_exchanges(const Moves& played, Player won) const {
    for (const auto& exchange : Board::exchanges(rules_)) {
      State state = G::initial(rules_);
      for (std::size_t i = 0; i < played.size() && !G::finished(rules_, state); ++i) {
        Cells cell = Cells::one(played[i ^ 1]);
        exchange.apply(cell.words);
        G::play(rules_, state, static_cast<Move>(cell.lowest()));
      }
      expect(G::finished(rules_, state) && winner(state) == opponent(won),
             "an exchange makes each player's wins the other's");
    }
  }
  bool expect(bool holds, const char* sentence) const {
    if (!holds) ADD_FAILURE() << "not so: " << sentence << "\n" << GameText<G>::canonical(rules_);
    return holds;
  }

  typename G::Rules rules_;
  int cells_;
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
