#include "host/solve/fleet.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "games/list.h"
#include "host/playouts/evaluator.h"
#include "host/solve/make_solver.h"
#include "host/solve/two_stroke.h"

namespace playproof {
namespace {

// The rules as far as playouts depend on them: the tree of a P-game is in its states.
template <Game G>
typename G::Rules playout_rules(typename G::Rules rules) {
  if constexpr (requires { G::playout_rules(rules); }) return G::playout_rules(rules);
  return rules;
}

// Wall time with at least one batch out; for evaluators that do not measure it themselves.
class BusyClock {
 public:
  void submitted() {
    if (out_++ == 0) begin_ = Clock::now();
  }
  void collected() {
    if (--out_ == 0) seconds_ += std::chrono::duration<double>(Clock::now() - begin_).count();
  }
  double seconds() const { return seconds_; }

 private:
  using Clock = std::chrono::steady_clock;
  int out_ = 0;
  Clock::time_point begin_;
  double seconds_ = 0;
};

// Places are filled with searches in order; the places of a section share batches. While the batch
// of one section is at the evaluator the others' searches work.
template <Game G>
class Fleet {
 public:
  Fleet(const typename G::Rules& rules, std::span<const SolveRequest> searches,
        const FleetRequest& request, const FleetListener& done)
      : canonical_(GameText<G>::canonical(playout_rules<G>(rules))),
        searches_(searches),
        done_(done),
        evaluator_(make_evaluator<G>(playout_rules<G>(rules), request.backend, request.seed,
                                     request.threads)) {
    stats_.backend = evaluator_->name();
    stats_.device = evaluator_->device();
    places_ = std::min<std::size_t>(request.in_flight, searches.size());
    for (std::size_t first = 0; first < places_; first += request.batch_searches) {
      sections_.emplace_back();
      sections_.back().places.resize(
          std::min<std::size_t>(request.batch_searches, places_ - first));
    }
  }

  FleetStats run(const std::function<bool()>& stop) {
    const auto begin = std::chrono::steady_clock::now();
    for (Section& section : sections_) {
      for (Place& place : section.places) fill(place);
      advance(section);
      submit(section);
    }
    bool stopped = false;
    bool working = true;
    while (working && !stopped) {
      working = false;
      for (Section& section : sections_) {
        if (section.requests.empty()) continue;
        working = true;
        collect(section);
        advance(section);
        submit(section);
        stopped = stopped || (stop && stop());
      }
    }
    for (Section& section : sections_) collect(section);
    stats_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() -
        evaluator_->simulation_seconds();
    const double measured = evaluator_->busy_seconds();
    stats_.busy_seconds = measured < 0 ? busy_.seconds() : measured;
    return stats_;
  }

 private:
  // Of two arenas a search (host/tree/arena.h); a process has four times as many. Thousands of
  // searches that could each fill the machine would want more.
  static constexpr std::uint64_t kMostAddresses = std::uint64_t{1} << 45;

  struct Place {
    std::size_t number = 0;
    std::unique_ptr<Solver> solver;  // null: no search is left for this place
    TwoStroke<G>* strokes = nullptr;
    std::size_t requests = 0;  // its share of the batch
  };
  struct Section {
    std::vector<Place> places;
    std::vector<LeafRequest<G>> requests;  // of the batch that is out; empty: nothing is out
    std::vector<Tally> tallies;
    typename PlayoutEvaluator<G>::Ticket ticket = 0;
  };

  // The next search, if there is one.
  void fill(Place& place) {
    place.solver.reset();
    if (next_ == searches_.size()) return;
    place.number = next_;
    SolveRequest search = searches_[next_++];
    search.backend = kShared;
    search.limits.max_memory = std::min(memory_limit(search.limits), kMostAddresses / places_);
    check(search);
    place.solver = make_any_solver(search);
    place.strokes = dynamic_cast<TwoStroke<G>*>(place.solver.get());
    if (place.strokes == nullptr || place.solver->backend() != kShared) {
      throw Error(ErrorCode::kUsage, "search " + std::to_string(place.number + 1) + ": " +
                                         place.solver->algorithm() + " for goal " + search.goal +
                                         " does not share playouts; win, draw and score>=N with "
                                         "mcpn, ppn, mcts or uct do");
    }
  }

  void check(const SolveRequest& search) const {
    const std::string number = "search " + std::to_string(next_) + ": ";
    if (search.limits.max_seconds > 0) {
      throw Error(ErrorCode::kUsage, number + "searches in flight have no limit in seconds");
    }
    visit_game(search.game, [&]<class Other>(const typename Other::Rules& rules) {
      const std::string canonical = GameText<Other>::canonical(playout_rules<Other>(rules));
      if (canonical == canonical_) return;
      throw Error(ErrorCode::kUsage, number + "searches in flight must be of one game, but " +
                                         canonical + " is not " + canonical_);
    });
  }

  // Each search of a section takes its tallies and goes on until it waits for playouts again, or
  // none is left. While one works the trees of the next ones come from memory.
  void advance(Section& section) {
    section.requests.clear();
    std::span<const Tally> rest = section.tallies;
    for (std::size_t i = 0; i < section.places.size(); ++i) {
      prefetch(section.places, i);
      Place& place = section.places[i];
      if (place.requests > 0) {
        const StopReason reason = place.strokes->absorb(rest.first(place.requests));
        rest = rest.subspan(place.requests);
        if (reason != StopReason::kRunning) finish(place);
      }
      const std::size_t before = section.requests.size();
      while (place.solver && section.requests.size() == before) {
        place.strokes->propose(section.requests);
        if (section.requests.size() == before) finish(place);
      }
      place.requests = section.requests.size() - before;
    }
    section.tallies.clear();
  }

  static void prefetch(const std::vector<Place>& places, std::size_t i) {
    constexpr std::size_t kApart = 2;  // searches between two steps of one search's way to here
    for (int step = 0; step < kPrefetchSteps; ++step) {
      const std::size_t ahead = i + kApart * static_cast<std::size_t>(kPrefetchSteps - step);
      if (ahead < places.size() && places[ahead].solver) places[ahead].strokes->prefetch(step);
    }
  }

  void submit(Section& section) {
    if (section.requests.empty()) return;
    busy_.submitted();
    section.ticket = evaluator_->submit(section.requests);
    ++stats_.batches;
    stats_.leaves += section.requests.size();
    for (const LeafRequest<G>& request : section.requests) stats_.playouts += request.playouts;
  }

  void collect(Section& section) {
    if (section.requests.empty()) return;
    section.tallies.resize(section.requests.size());
    evaluator_->collect(section.ticket, section.tallies);
    busy_.collected();
  }

  void finish(Place& place) {
    ++stats_.finished;
    if (done_) done_(place.number, *place.solver);
    fill(place);
  }

  std::string canonical_;
  std::span<const SolveRequest> searches_;
  const FleetListener& done_;
  std::size_t places_ = 0;  // searches in flight
  std::unique_ptr<PlayoutEvaluator<G>> evaluator_;
  std::deque<Section> sections_;
  std::size_t next_ = 0;
  BusyClock busy_;
  FleetStats stats_;
};

}  // namespace

FleetStats run_fleet(std::span<const SolveRequest> searches, const FleetRequest& request,
                     const FleetListener& done, const std::function<bool()>& stop) {
  if (request.in_flight < 1) throw Error(ErrorCode::kUsage, "in_flight must be at least 1");
  if (request.batch_searches < 1) {
    throw Error(ErrorCode::kUsage, "batch_searches must be at least 1");
  }
  if (searches.empty()) return {};
  return visit_game(searches[0].game, [&]<class G>(const typename G::Rules& rules) {
    return Fleet<G>(rules, searches, request, done).run(stop);
  });
}

}  // namespace playproof
