// Many searches at a time: what fills the batches of a device, and all cores. Each search is the
// same as alone, move for move, whatever the number in flight, because a tally is a pure function
// of (seed, stream, state, n).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "host/solve/solver.h"

namespace playproof {

struct FleetRequest {
  std::string backend = "auto";
  // Neither changes a count. A feeder is a thread with its share of the searches and an evaluator
  // of its own; on a device that is a stream of its own. 0: where playouts take the caller's cores,
  // as many as threads, each of which plays its own playouts; else one. The threads that are left
  // are the evaluators'.
  int threads = 1;
  int feeders = 0;
  std::uint32_t in_flight = 1024;     // searches begun and not finished
  std::uint32_t batch_searches = 64;  // searches whose leaves go into one batch
  // Is told of each search that is about to begin, in no order, from any thread, also of several at
  // a time; may be empty. What it throws ends the run.
  std::function<void(std::size_t search)> begins = {};
  // The same with the search itself, before its first iteration: for who listens to it.
  std::function<void(std::size_t search, Solver& solver)> made = {};
};

struct FleetStats {
  double seconds = 0;       // wall time, without what only simulates a device
  double busy_seconds = 0;  // of it, with at least one batch at an evaluator; mean of the feeders
  std::uint64_t feeders = 0;
  std::uint64_t batches = 0;  // submitted
  std::uint64_t leaves = 0;   // evaluated
  std::uint64_t playouts = 0;
  std::uint64_t finished = 0;  // searches
  std::string backend;         // canonical names
  std::string device;
};

// Searches of games with the same text can go in one fleet: the tree of a P-game is left out.
// Throws Error(kUsage).
std::string fleet_game(const std::string& game);

// Can this search go in a fleet? It asks for one claim, and whoever drives its strokes can play its
// playouts. A search that plays some has them to itself if it has no strokes.
bool shares_playouts(Solver& search);

// Is told of each search that has ended, in the order of their ends and one at a time, from any
// thread: its number and the search. The number in flight and the threads change this order and the
// times, nothing else. The times of a search are its share of those of its feeder's thread, which
// the searches in flight there divide among them at every moment. Wall time leaves out what only
// simulates a device.
using FleetListener = std::function<void(std::size_t search, const Solver& solver)>;

// Runs all searches, beginning them in order. `stop` is asked from the calling thread, once a batch
// of its own or now and then while it waits for the others, which may be told of a search
// meanwhile; true ends the run, and searches that are not finished are not told of. What `stop` or
// `done` throws ends the run too. The backends of the requests are not looked at.
// Searches may have several batches out (SolveRequest::pipeline): each goes with another load.
//
// Throws Error(kUsage) unless all searches have the same game and size (P-games: any tree), one
// claim (not `value` or `score`), an algorithm with playouts, no limit in seconds, no keeper, and
// unless in_flight, batch_searches and threads are at least 1; and what make_solver() and the
// evaluator throw.
FleetStats run_fleet(std::span<const SolveRequest> searches, const FleetRequest& request,
                     const FleetListener& done, const std::function<bool()>& stop = {});

}  // namespace playproof
