// How the searchers of one question share out its tree of jobs (host/jobs/job_tree.h): who takes
// which leaf, what a leaf under way counts as, when a job ends. Survey S2 section 8 has them all.
//
//   likely   SPDFPN (Pawlewicz and Hayward 2013), JL-PNS' greedy policy: a leaf under way counts
//            as what it will likely be
//   win, loss  JL-PNS (Wu et al. 2013): as proven, as disproven
//   flag     JL-PNS' virtual equivalence: as what it is, but nobody else takes it; nor a node
//            below which nothing is left to take. (Its postponed siblings: here all wait until they
//            are chosen.)
//   plus, times  Kaneko 2010: the proof number where the attacker moves, the disproof number where
//            the opponent does, plus, or times one plus, the number of jobs below
//   random   RP-PNS (Saito, Winands and van den Herik 2010): the first searcher takes the most
//            proving leaf, the others that or one of its siblings, whichever is drawn
//   depth    ParaPDS (Kishimoto and Kotani 1999): leaves are so many plies below the root as is
//            said, else kFixedDepth, and a job has thresholds and no budget
//   all      the checkers manager (Schaeffer et al. 2007): of the side that is nearer to what it
//            wants the best moves, of the other side all moves; the leaves below these are jobs,
//            with a budget and no thresholds
//   seed     dovetailing: each searches the whole question, all but the first with an order of
//            children drawn anew. They have one table: what one has found is found by all
//
// Numbers of leaves under way are seen by those who choose. None enters the table, a proof or an
// answer.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "games/core/error.h"
#include "games/core/game.h"
#include "kernels/numbers/phi_delta.h"

namespace playproof {

struct JobPolicy {
  enum class UnderWay : std::uint8_t { kLikely, kWin, kLoss, kFlag };
  enum class Virtual : std::uint8_t { kNone, kPlus, kTimes };
  enum class Choice : std::uint8_t { kBest, kSibling, kSolutionTree, kRoot };

  static constexpr std::uint32_t kFixedDepth = 2;
  static constexpr std::size_t kMostQueued = 200;  // leaves of the checkers manager

  const char* name;
  UnderWay under_way = UnderWay::kFlag;
  Virtual numbers = Virtual::kNone;
  Choice choice = Choice::kBest;
  std::uint32_t depth = 0;  // of the leaves; 0: they grow with their work

  // Is a leaf under way passed by, whatever it counts as?
  bool flags() const { return under_way == UnderWay::kFlag; }
  // Does it matter how many jobs are below a node?
  bool counts_jobs() const { return numbers != Virtual::kNone; }
  // Do nodes show other numbers when there are jobs below?
  bool shows_jobs() const { return !flags() || counts_jobs(); }
  // What a leaf under way shows, as the side to move sees it; `attackers`: that is the attacker.
  PhiDeltaPair shown(const PhiDeltaPair& own, bool attackers) const {
    switch (under_way) {
      case UnderWay::kLikely:
        return own.phi <= own.delta ? kMoverWins : kMoverLoses;
      case UnderWay::kWin:
        return attackers ? kMoverWins : kMoverLoses;
      case UnderWay::kLoss:
        return attackers ? kMoverLoses : kMoverWins;
      default:
        return with_jobs(own, 1);
    }
  }
  // What a node shows with so many jobs at it and below it.
  PhiDeltaPair with_jobs(const PhiDeltaPair& own, std::uint32_t jobs) const {
    switch (numbers) {
      case Virtual::kPlus:
        return own.open() ? PhiDeltaPair{capped(own.phi + jobs), own.delta} : own;
      case Virtual::kTimes:
        return own.open() ? PhiDeltaPair{capped(own.phi * (PhiDelta{1} + jobs)), own.delta} : own;
      default:
        return own;
    }
  }
  // Does a leaf so deep become a node with children?
  bool grows(std::uint32_t at) const { return depth == 0 || at < depth; }
  // May a job there use up a budget of `most`?
  std::uint64_t entries(std::uint32_t at, std::uint64_t most, std::uint64_t unbounded) const {
    if (depth == 0) return most;
    return at < depth ? 1 : unbounded;
  }
  // Does a searcher take what is drawn, and not what is best?
  bool draws(std::size_t searcher) const { return choice == Choice::kSibling && searcher > 0; }
};

inline constexpr std::array kJobPolicies = {
    JobPolicy{.name = "likely", .under_way = JobPolicy::UnderWay::kLikely},
    JobPolicy{.name = "win", .under_way = JobPolicy::UnderWay::kWin},
    JobPolicy{.name = "loss", .under_way = JobPolicy::UnderWay::kLoss},
    JobPolicy{.name = "flag"},
    JobPolicy{.name = "plus", .numbers = JobPolicy::Virtual::kPlus},
    JobPolicy{.name = "times", .numbers = JobPolicy::Virtual::kTimes},
    JobPolicy{.name = "random", .choice = JobPolicy::Choice::kSibling},
    JobPolicy{.name = "depth", .depth = JobPolicy::kFixedDepth},
    JobPolicy{.name = "all", .choice = JobPolicy::Choice::kSolutionTree},
    JobPolicy{.name = "seed", .choice = JobPolicy::Choice::kRoot}};

inline std::vector<std::string> job_policy_names() {
  std::vector<std::string> names;
  for (const JobPolicy& policy : kJobPolicies) names.emplace_back(policy.name);  // NOLINT: ten
  return names;
}
inline const JobPolicy& job_policy(std::string_view name) {
  const auto found = std::find_if(kJobPolicies.begin(), kJobPolicies.end(),
                                  [&](const JobPolicy& policy) { return policy.name == name; });
  if (found == kJobPolicies.end()) throw Error(ErrorCode::kInternal, "no such policy of jobs");
  return *found;
}
// The same with leaves at this depth, if it is one whose leaves have a depth.
inline JobPolicy job_policy(std::string_view name, std::uint32_t depth) {
  JobPolicy policy = job_policy(name);
  if (policy.depth > 0) policy.depth = depth;
  return policy;
}

// What `random` draws, job by job.
class JobDraws {
 public:
  void begin(std::uint64_t seed) { state_ = mix64(seed); }
  // 0 .. count - 1; the bias is of no account here.
  std::size_t below(std::size_t count) { return (state_ = mix64(state_)) % count; }

 private:
  std::uint64_t state_ = 0;
};

}  // namespace playproof
