// The one loop around searches: they propose, an evaluator plays, they absorb
// (host/drive/search.h). Searches of a team share loads: while the load of one team is at the
// evaluator the searches of the others work. One search is a team of one. Only the driver
// and its limits know of time, and no count depends on it.
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

  // One search; leaves of very many playouts are cut into loads, so that a run may pause in the
  // middle of them. `evaluator` may be null if the search needs no playouts. Both must outlive the
  // driver.
  Driver(Search<G>& search, PlayoutEvaluator<G>* evaluator)
      : lone_(&search),
        evaluator_(evaluator),
        overlaps_(evaluator != nullptr && evaluator->overlaps()),
        teams_(1) {
    teams_[0].places.resize(1);
  }
  // So many searches at a time, `team` of them (>= 1) to a load.
  Driver(Roster<G>& roster, std::size_t places, std::size_t team, PlayoutEvaluator<G>& evaluator)
      : roster_(&roster), evaluator_(&evaluator), teams_((places + team - 1) / team) {
    for (std::size_t i = 0; i < teams_.size(); ++i) {
      teams_[i].first = i * team;
      teams_[i].places.resize(std::min(team, places - i * team));
    }
  }

  // Until every search has stopped or `limits` says so. Then nothing is at the evaluator, and all
  // tallies are absorbed but those of leaves that are cut: see within_leaf(). Throws what the
  // evaluator throws; the driver must not be used then.
  template <class Limits>
  void run(Limits&& limits) {
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
  // until a run without new iterations has finished them.
  bool within_leaf() const {
    return std::any_of(teams_.begin(), teams_.end(), [](const Team& team) { return team.open; });
  }
  // What was proposed is never absorbed: the search is given up.
  void abandon() {
    for (Team& team : teams_) team.open = false;
  }
  const Stats& stats() const { return stats_; }

 private:
  using Clock = std::chrono::steady_clock;
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
    std::size_t requests = 0;  // its share of the load
  };
  struct Team {
    std::size_t first = 0;  // number of its first place
    std::vector<Place> places;
    std::vector<LeafRequest<G>> requests;
    LeafLoads<G> loads;  // of the requests
    Clock::time_point submitted;
    bool open = false;  // something was proposed and is not absorbed
    Turn turn;
  };

  void begin(Team& team, std::uint64_t most) {
    if (!team.open && most > 0) {
      for (std::size_t i = 0; i < team.places.size(); ++i) {
        Place& place = team.places[i];
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
    std::span<const Tally> rest = team.loads.tallies();
    for (std::size_t i = 0; i < team.places.size(); ++i) {
      if (team.places.size() > 1) prefetch(team.places, i);
      Place& place = team.places[i];
      const std::size_t size = std::exchange(place.requests, 0);
      if (size > 0) {
        const StopReason reason = place.search->absorb(rest.first(size));
        rest = rest.subspan(size);
        if (reason != StopReason::kRunning) replace(team, i, most > 0);
      }
      if (place.search != nullptr) propose(team, i, most);
    }
    team.open = team.turn.iterations > 0;
    team.loads.begin(team.requests);
    team.turn.playouts = team.loads.playouts();
  }

  void propose(Team& team, std::size_t i, std::uint64_t most) {
    Place& place = team.places[i];
    std::uint64_t taken = 0;
    while (place.search != nullptr && place.requests == 0 && taken < most) {
      taken += propose_part(team, place, most - taken);
      while (place.search->more() && (!overlaps_ || place.requests == 0)) {
        taken += propose_part(team, place, 1);
      }
      // The rules decided all there was, or a limit is met.
      if (place.requests == 0 && place.search->absorb({}) != StopReason::kRunning) {
        replace(team, i, true);
      }
    }
    team.turn.iterations += taken;
  }
  std::uint64_t propose_part(Team& team, Place& place, std::uint64_t most) {
    const std::size_t before = team.requests.size();
    const std::uint64_t taken = place.search->propose(most, team.requests);
    place.requests += team.requests.size() - before;
    return std::max<std::uint64_t>(taken, 1);
  }

  void replace(Team& team, std::size_t i, bool goes_on) {
    Place& place = team.places[i];
    place.search = nullptr;
    if (roster_ == nullptr) return;
    roster_->ended(team.first + i);
    if (goes_on) place.search = roster_->next(team.first + i);
  }

  static void prefetch(const std::vector<Place>& places, std::size_t i) {
    constexpr std::size_t kApart = 2;  // searches between two steps of one search's way to here
    for (int step = 0; step < kPrefetchSteps; ++step) {
      const std::size_t ahead = i + kApart * static_cast<std::size_t>(kPrefetchSteps - step);
      if (ahead < places.size() && places[ahead].search) places[ahead].search->prefetch(step);
    }
  }

  // The load that is next. A lone search goes on with its batch meanwhile, if there are parts of it
  // to come.
  void submit(Team& team) {
    while (!team.loads.done()) {
      if (overlaps_ && !team.turn.cut) propose_while(team, kPart);
      if (lone_ != nullptr && team.loads.playouts() > kUncut) {
        // Cut from here: the whole batch, so that a run may pause in the middle of what is left.
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
    Place& place = team.places[0];
    while (team.loads.rest() < playouts && place.search->more()) {
      team.turn.iterations += propose_part(team, place, 1);
      team.loads.extend(team.requests);
    }
    team.turn.playouts = team.loads.playouts();
  }
  void submit_load(Team& team) {
    const bool timed = team.turn.cut || roster_ != nullptr;
    if (timed) team.submitted = Clock::now();
    if (out_++ == 0) busy_since_ = team.submitted;
    stats_.leaves += team.loads.submit(
        *evaluator_, team.turn.cut ? load_ : std::numeric_limits<std::uint64_t>::max());
    ++stats_.loads;
  }

  void collect(Team& team) {
    const auto out = static_cast<int>(team.loads.out());
    if (out == 0) return;
    team.loads.collect(*evaluator_);
    out_ -= out;
    if (team.loads.done()) stats_.playouts += team.turn.playouts;
    if (!team.turn.cut && roster_ == nullptr) return;  // a clock costs as much as a few playouts
    const Clock::time_point now = Clock::now();
    const auto seconds_since = [now](Clock::time_point begin) {
      return std::chrono::duration<double>(now - begin).count();
    };
    if (roster_ != nullptr && out_ == 0) stats_.busy_seconds += seconds_since(busy_since_);
    if (!team.turn.cut) return;
    const double seconds = seconds_since(team.submitted);
    if (seconds < kShortLoad && load_ < kMostLoad) load_ *= 2;
    if (seconds > kLongLoad && load_ > kLeastLoad) load_ /= 2;
  }

  Search<G>* lone_ = nullptr;
  Roster<G>* roster_ = nullptr;
  PlayoutEvaluator<G>* evaluator_;
  bool overlaps_ = false;  // parts of a lone search's batch are proposed while others are played
  std::vector<Team> teams_;
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
