// The one loop around searches: they propose, an evaluator plays, they absorb
// (host/drive/search.h). Searches of a team share loads: while the load of one team is at the
// evaluator the searches of the others work. One search is a team of one. Where a search has
// several batches out it is in so many teams, in each with one batch, and they take turns: batch
// i + D is proposed when batch i has been absorbed, before batch i + 1 is. Only the driver and its
// limits know of time, and no count depends on it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "host/drive/leaf_loads.h"
#include "host/drive/search.h"
#include "host/playouts/evaluator.h"

namespace playproof {

// Where the searches of a driver with many places come from.
template <class G>
class Roster {
 public:
  virtual ~Roster() = default;
  // The search that takes this place; null: none is left for it.
  virtual Search<G>* next(std::size_t place) = 0;
  // The search at this place has stopped.
  virtual void ended(std::size_t place) = 0;
};

// What a team has done since it was last looked at.
struct Turn {
  std::uint64_t iterations = 0;  // begun
  std::uint64_t playouts = 0;    // of the leaves under way
  bool cut = false;              // they are played in several loads, of which one has been
};

// Reading the clock costs as much as some playouts: it is due once per 64 iterations, or per 1,024
// playouts if that is sooner.
class ClockLooks {
 public:
  bool due(const Turn& turn) {
    work_ += 16 * turn.iterations + turn.playouts;
    if (work_ < 1024) return false;
    work_ = 0;
    return true;
  }

 private:
  std::uint64_t work_ = 1024;  // since the last one: the first turn looks
};

// What a run goes by. A team's turn ends when its load is back from the evaluator.
//   struct Limits {
//     std::uint64_t most();            iterations that a search may now take; 0: only what was
//                                      begun is finished
//     bool pause(const Turn& turn);    the run ends, after each turn
//   };

// Goes on to the end.
struct NoLimits {
  std::uint64_t most() const { return std::numeric_limits<std::uint64_t>::max(); }
  bool pause(const Turn& /*turn*/) const { return false; }
};

template <class G>
class Driver {
 public:
  struct Stats {
    std::uint64_t loads = 0;     // submitted
    std::uint64_t leaves = 0;    // evaluated
    std::uint64_t playouts = 0;  // of them
    double busy_seconds = 0;     // with at least one load at the evaluator; only of a roster
  };

  // One search, which may have so many batches out; leaves of very many playouts are cut into
  // loads, so that a run may pause in the middle of them. `evaluator` may be null if the search
  // needs no playouts. Both must outlive the driver.
  Driver(Search<G>& search, PlayoutEvaluator<G>* evaluator, std::uint32_t batches = 1)
      : lone_(&search),
        evaluator_(evaluator),
        overlaps_(evaluator != nullptr && evaluator->overlaps()),
        several_(batches > 1),
        places_(1),
        teams_(batches) {
    for (Team& team : teams_) team.shares.resize(1);
  }
  // Runs `places` searches at a time, `team` of them (>= 1) to a load, each with up to `batches`
  // out.
  Driver(Roster<G>& roster, std::size_t places, std::size_t team, PlayoutEvaluator<G>& evaluator,
         std::uint32_t batches = 1)
      : roster_(&roster),
        evaluator_(&evaluator),
        several_(batches > 1),
        places_(places),
        teams_((places + team - 1) / team * batches) {
    const std::size_t groups = teams_.size() / batches;
    for (std::size_t i = 0; i < teams_.size(); ++i) {
      teams_[i].first = i % groups * team;
      teams_[i].shares.resize(std::min(team, places - teams_[i].first));
    }
  }

  // Runs until every search has stopped or `limits` says so. Then nothing is at the evaluator, and
  // all tallies are absorbed but those of leaves that are cut, see within_leaf(), and of a lone
  // search with several batches, which stay out. Throws what the evaluator throws; the driver must
  // not be used then.
  template <class Limits>
  void run(Limits&& limits) {
    if (takes_turns()) return run_in_turn(limits);
    for (Team& team : teams_) begin(team, limits.most());
    bool paused = false;
    for (bool working = true; working && !paused;) {
      working = false;
      for (Team& team : teams_) {
        if (!team.open) continue;
        working = true;
        collect(team);
        paused = limits.pause(team.turn);
        team.turn.iterations = 0;
        if (paused) break;
        if (team.loads.done()) advance(team, limits.most());
        submit(team);
      }
    }
    for (Team& team : teams_) {
      collect(team);
      if (team.open && team.loads.done()) advance(team, 0);
    }
  }

  // Some of the playouts that a search waits for are not played: it cannot be looked at or saved
  // until a run without new iterations has finished them. What is out of several batches can be.
  bool within_leaf() const {
    if (takes_turns()) return false;
    return std::any_of(teams_.begin(), teams_.end(), [](const Team& team) { return team.open; });
  }
  // What was proposed is never absorbed: the search is given up.
  void abandon() {
    for (Team& team : teams_) team.open = false;
  }
  const Stats& stats() const { return stats_; }

 private:
  using Clock = std::chrono::steady_clock;
  bool takes_turns() const { return lone_ != nullptr && several_; }
  // Leaves of more playouts than this are cut. The first loads are small; they grow until one lasts
  // kShortLoad seconds.
  static constexpr std::uint64_t kUncut = 1 << 14;
  // What is worth a load of its own while the rest of a batch is proposed.
  static constexpr std::uint64_t kPart = 1 << 12;
  static constexpr std::uint64_t kLeastLoad = 1 << 10;
  static constexpr std::uint64_t kMostLoad = std::uint64_t{1} << 40;
  static constexpr double kShortLoad = 0.01;
  static constexpr double kLongLoad = 0.04;

  struct Place {
    Search<G>* search = nullptr;
    std::uint64_t number = 0;  // of the search among those that this place has had
    std::uint32_t out = 0;     // batches of it
  };
  // What a search has in the load of a team.
  struct Share {
    std::size_t requests = 0;
    std::uint64_t number = 0;  // of the search
    bool out = false;          // a batch, maybe without requests
  };
  struct Team {
    std::size_t first = 0;  // number of its first place
    std::vector<Share> shares;
    std::vector<LeafRequest<G>> requests;
    LeafLoads<G> loads;  // of the requests
    double seconds = 0;  // that the submission of the last load took, if it is one of a leaf cut
    bool open = false;   // something was proposed and is not absorbed; of several: a search goes on
    bool settled = true;  // no search of it has to go on proposing before the next team's turn
    Turn turn;
  };

  // One search with several batches: each team that has had its turn is followed by the next, and
  // only a batch that has all its tallies is absorbed.
  template <class Limits>
  void run_in_turn(Limits& limits) {
    places_[0].search = lone_;
    for (bool begun = false; places_[0].search != nullptr; begun = true) {
      Team& team = teams_[at_];
      collect(team);
      const bool paused = begun && limits.pause(team.turn);
      team.turn.iterations = 0;
      if (paused) break;
      const bool turn = team.loads.done();  // else only the next part of its batch goes out
      if (turn) advance(team, limits.most());
      submit(team);
      if (turn && team.settled) at_ = (at_ + 1) % teams_.size();
    }
    for (Team& team : teams_) collect(team);
  }

  void begin(Team& team, std::uint64_t most) {
    if (!team.open && most > 0) {
      for (std::size_t i = 0; i < team.shares.size(); ++i) {
        Place& place = places_[team.first + i];
        if (place.search == nullptr) place.search = roster_ ? roster_->next(team.first + i) : lone_;
      }
      advance(team, most);
    }
    submit(team);
  }

  // Each search takes its tallies and goes on until it waits for playouts again, `most` iterations
  // are taken, or none is left for its place. While one works the trees of the next ones come from
  // memory.
  void advance(Team& team, std::uint64_t most) {
    team.requests.clear();
    team.turn = {};
    team.open = false;
    team.settled = true;
    std::span<const Tally> rest = team.loads.tallies();
    for (std::size_t i = 0; i < team.shares.size(); ++i) {
      if (team.shares.size() > 1) prefetch(team, i);
      Place& place = places_[team.first + i];
      const Share share = std::exchange(team.shares[i], {});
      const std::span<const Tally> tallies = rest.first(share.requests);
      rest = rest.subspan(share.requests);
      if (share.out && share.number == place.number) {  // else its search has ended meanwhile
        --place.out;
        if (place.search->absorb(tallies) != StopReason::kRunning) replace(team, i, most > 0);
      }
      if (place.search != nullptr) propose(team, i, most);
      team.open = team.open || (several_ && place.search != nullptr);
    }
    team.open = team.open || team.turn.iterations > 0;
    team.loads.begin(team.requests);
    team.turn.playouts = team.loads.playouts();
  }

  void propose(Team& team, std::size_t i, std::uint64_t most) {
    Place& place = places_[team.first + i];
    Share& share = team.shares[i];
    if (several_ && place.out == place.search->batches()) return;
    std::uint64_t taken = 0;
    while (place.search != nullptr && !share.out && taken < most) {
      if (several_ && place.search->batches() > 1) {
        taken += propose_batch(team, i);
        continue;
      }
      taken += propose_part(team, i, most - taken);
      while (place.search->may_go_on() && (!overlaps_ || share.requests == 0)) {
        taken += propose_part(team, i, 1);
      }
      share.out = share.requests > 0;
      // The rules decided all there was, or a limit is met.
      if (!share.out && place.search->absorb({}) != StopReason::kRunning) replace(team, i, true);
    }
    team.settled = share.out || place.search == nullptr;
    team.turn.iterations += taken;
    if (!share.out) return;
    share.number = place.number;
    ++place.out;
  }
  std::uint64_t propose_part(Team& team, std::size_t i, std::uint64_t most) {
    const std::size_t before = team.requests.size();
    const std::uint64_t taken = places_[team.first + i].search->propose(most, team.requests);
    team.shares[i].requests += team.requests.size() - before;
    return std::max<std::uint64_t>(taken, 1);
  }
  // Proposes one batch of a search that may have several out.
  std::uint64_t propose_batch(Team& team, std::size_t i) {
    Search<G>& search = *places_[team.first + i].search;
    Share& share = team.shares[i];
    const std::size_t before = team.requests.size();
    const std::uint64_t taken = search.propose(1, team.requests);
    if (search.reason() != StopReason::kRunning) {
      team.requests.resize(before);
      replace(team, i, true);
    } else {
      share.requests = team.requests.size() - before;
      share.out = share.requests > 0 || taken == 0;
    }
    return taken;
  }

  void replace(Team& team, std::size_t i, bool goes_on) {
    Place& place = places_[team.first + i];
    place.search = nullptr;
    place.out = 0;
    ++place.number;
    if (roster_ == nullptr) return;
    roster_->ended(team.first + i);
    if (goes_on) place.search = roster_->next(team.first + i);
  }

  void prefetch(const Team& team, std::size_t i) const {
    constexpr std::size_t kApart = 2;  // searches between two steps of one search's way to here
    for (int step = 0; step < kPrefetchSteps; ++step) {
      const std::size_t ahead = i + kApart * static_cast<std::size_t>(kPrefetchSteps - step);
      if (ahead >= team.shares.size()) continue;
      const Place& place = places_[team.first + ahead];
      if (place.search != nullptr) place.search->prefetch(step);
    }
  }

  // The load that is next. A lone search goes on with its batch meanwhile, if there are parts of it
  // to come.
  void submit(Team& team) {
    while (!team.loads.done()) {
      if (overlaps_ && !team.turn.cut) propose_while(team, kPart);
      if (lone_ != nullptr && team.loads.playouts() > kUncut) {
        // The whole batch is cut from here, so that a run may pause in the middle of what is left.
        if (overlaps_) propose_while(team, std::numeric_limits<std::uint64_t>::max());
        team.turn.cut = true;
      }
      submit_load(team);
      if (!overlaps_ || team.turn.cut) return;
      propose_while(team, 1);
    }
  }
  // Goes on with the batch of a lone search until so many playouts wait.
  void propose_while(Team& team, std::uint64_t playouts) {
    const Place& place = places_[team.first];
    while (team.loads.rest() < playouts && place.search->may_go_on()) {
      team.turn.iterations += propose_part(team, 0, 1);
      team.loads.extend(team.requests);
    }
    team.turn.playouts = team.loads.playouts();
  }
  void submit_load(Team& team) {
    const bool timed = team.turn.cut || roster_ != nullptr;
    const Clock::time_point begin = timed ? Clock::now() : Clock::time_point();
    if (out_++ == 0) busy_since_ = begin;
    stats_.leaves += team.loads.submit(
        *evaluator_, team.turn.cut ? load_ : std::numeric_limits<std::uint64_t>::max());
    ++stats_.loads;
    if (team.turn.cut) team.seconds = seconds_since(begin);
  }

  void collect(Team& team) {
    const auto out = static_cast<int>(team.loads.out());
    if (out == 0) return;
    // A clock costs as much as a few playouts.
    const Clock::time_point begin = team.turn.cut ? Clock::now() : Clock::time_point();
    team.loads.collect(*evaluator_);
    out_ -= out;
    if (team.loads.done()) stats_.playouts += team.turn.playouts;
    if (roster_ != nullptr && out_ == 0) stats_.busy_seconds += seconds_since(busy_since_);
    if (!team.turn.cut) return;
    const double seconds = team.seconds + seconds_since(begin);
    if (seconds < kShortLoad && load_ < kMostLoad) load_ *= 2;
    if (seconds > kLongLoad && load_ > kLeastLoad) load_ /= 2;
  }

  static double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }

  Search<G>* lone_ = nullptr;
  Roster<G>* roster_ = nullptr;
  PlayoutEvaluator<G>* evaluator_;
  bool overlaps_ = false;  // parts of a lone search's batch are proposed while others are played
  bool several_ = false;   // some searches may have more than one batch out
  std::vector<Place> places_;
  std::vector<Team> teams_;  // first all with the first batch of their searches, then the second
  std::size_t at_ = 0;       // of a lone search with several batches: whose turn it is
  std::uint64_t load_ = kLeastLoad;  // playouts
  int out_ = 0;                      // loads at the evaluator
  Clock::time_point busy_since_;
  Stats stats_;
};

// A search to its end, on the spot.
template <class G>
void run_to_end(Search<G>& search, PlayoutEvaluator<G>* evaluator) {
  Driver<G>(search, evaluator).run(NoLimits{});
}

}  // namespace playproof
