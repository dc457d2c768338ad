#include "games/connect/races.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "games/connect/race_zone.h"
#include "games/connect/vcdt.h"
#include "games/connect/vcst.h"

namespace playproof {

namespace {

// What was said of the latest positions.
template <class State, class Answer>
class Latest {
 public:
  const Answer* find(std::uint64_t key, const State& state) const {
    const Entry& entry = entries_[key % kSize];
    return entry.used && entry.state == state ? &entry.answer : nullptr;
  }
  const Answer& keep(std::uint64_t key, const State& state, const Answer& answer) {
    Entry& entry = entries_[key % kSize];
    entry = {state, answer, true};
    return entry.answer;
  }

 private:
  static constexpr std::size_t kSize = 4096;
  struct Entry {
    State state{};
    Answer answer{};
    bool used = false;
  };
  std::vector<Entry> entries_ = std::vector<Entry>(kSize);
};

}  // namespace

template <int W>
struct ConnectRaces<W>::Searches {
  explicit Searches(const Rules& rules) : windows(rules), vcdt(windows), vcst(windows) {}

  ConnectWindows<W> windows;
  Vcdt<W> vcdt;
  Vcst<W> vcst;
  Latest<State, RaceAnswer> answers;
};

template <int W>
ConnectRaces<W>::ConnectRaces(const Rules& rules, const RaceOptions& options)
    : rules_(rules), options_(options) {
  // A stone that is free is one of two.
  if (rules.stones == 1 && options_.on()) options_.threats = RaceOptions::Threats::kDouble;
}

template <int W>
auto ConnectRaces<W>::searches() -> Searches& {
  if (!searches_) searches_ = std::make_shared<Searches>(rules_);
  return *searches_;
}

template <int W>
const ConnectWindows<W>& ConnectRaces<W>::windows() {
  return searches().windows;
}

template <int W>
bool ConnectRaces<W>::applies_to(const State& state) const {
  const auto mover = static_cast<std::size_t>(Game::to_move(rules_, state));
  int own = Game::stones_left_in_turn(rules_, state);
  for (const std::uint64_t word : state.stones[mover]) own += popcount64(word);
  return own >= rules_.connect - rules_.stones;
}

template <int W>
RaceAnswer ConnectRaces<W>::ask(const State& state) {
  auto& answers = searches().answers;
  const std::uint64_t key = Game::key(rules_, state);
  if (const RaceAnswer* known = answers.find(key, state)) return *known;
  return answers.keep(key, state, ask(state, options_));
}

template <int W>
RaceAnswer ConnectRaces<W>::ask(const State& state, const RaceOptions& options) {
  Searches& by = searches();
  const ConnectThreats<W> position(by.windows, state);
  const int attacker = static_cast<int>(Game::to_move(rules_, state));
  const int stones = Game::stones_left_in_turn(rules_, state);
  VcdtOptions doubles;
  doubles.turns = options.turns;
  doubles.work = options.vcdt_work;
  constexpr auto kWin = VcdtAnswer::Outcome::kWin;
  if (options.threats == RaceOptions::Threats::kDouble) {
    const VcdtAnswer answer = by.vcdt.solve(position, attacker, stones, doubles);
    return {answer.outcome == kWin, answer.calls};
  }
  VcstOptions singles;
  singles.threats = doubles;
  singles.singles = options.singles;
  singles.work = options.work;
  const VcdtAnswer answer = by.vcst.solve(position, attacker, stones, singles);
  return {answer.outcome == kWin, answer.calls + answer.nodes};
}

template <int W>
std::optional<RaceProof> ConnectRaces<W>::proof(const State& state) {
  return proof(state, options_);
}

template <int W>
std::optional<RaceProof> ConnectRaces<W>::proof_at_length(const State& state) {
  RaceOptions options = options_;
  options.work = options.vcdt_work = std::numeric_limits<std::uint64_t>::max() / 4;
  return proof(state, options);
}

template <int W>
std::optional<RaceProof> ConnectRaces<W>::proof(const State& state, const RaceOptions& options) {
  if (!applies_to(state) || !ask(state, options).won) return std::nullopt;
  RaceProof proof = found();
  const ConnectThreats<W> position(searches_->windows, state);
  const auto zone = RaceWalk<W>().walk(position, static_cast<int>(Game::to_move(rules_, state)),
                                       Game::stones_left_in_turn(rules_, state), proof);
  if (!zone) return std::nullopt;
  return proof;
}

template <int W>
RaceProof ConnectRaces<W>::found() const {
  return options_.threats == RaceOptions::Threats::kDouble ? searches_->vcdt.proof()
                                                           : searches_->vcst.proof();
}

template class ConnectRaces<1>;
template class ConnectRaces<6>;

}  // namespace playproof
