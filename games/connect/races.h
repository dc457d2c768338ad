// Wins by threats of the Connect family, as leaves of any search are asked about them
// (games/core/race.h; games/connect/vcdt.h, vcst.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "games/connect/race_proof.h"
#include "games/connect/rules.h"
#include "games/connect/windows.h"
#include "games/core/race.h"

namespace playproof {

// Equal positions have equal answers; the latest ones are kept, for searches that come back to a
// position. Copies share what they search with, so that only one of them may be asked at a time.
template <int W>
class ConnectRaces {
 public:
  using Game = Connect<W>;
  using Rules = typename Game::Rules;
  using State = typename Game::State;

  // Turns of more than two stones have no races (ConnectThreats::supports).
  static bool supports(const Rules& rules) { return rules.stones <= 2; }

  ConnectRaces(const Rules& rules, const RaceOptions& options);

  // Can who is to move have a threat after his turn at all?
  bool applies_to(const State& state) const;
  RaceAnswer ask(const State& state);
  // The win of who is to move, walked by the rules of threats (games/connect/race_zone.h); none if
  // there is none within the limits.
  std::optional<RaceProof> proof(const State& state);
  // The same without limits of work, and with more turns that are tried.
  std::optional<RaceProof> proof_at_length(const State& state);
  // The windows of the board live as long as any copy.
  const ConnectWindows<W>& windows();

 private:
  struct Searches;
  Searches& searches();
  std::optional<RaceProof> proof(const State& state, const RaceOptions& options);
  RaceAnswer ask(const State& state, const RaceOptions& options);
  RaceProof found() const;

  Rules rules_;
  RaceOptions options_;
  std::shared_ptr<Searches> searches_;  // made when the first position is asked about
};

extern template class ConnectRaces<1>;
extern template class ConnectRaces<6>;

template <int W>
struct Races<Connect<W>> {
  static constexpr int kWords = W;
  using Search = ConnectRaces<W>;
  using Proof = RaceProof;
};
static_assert(HasRaces<Connect<1>> && HasRaces<Connect<6>>);

}  // namespace playproof
