// The boundary between the search and the playouts: one virtual call a batch, asynchronous, no
// globals. Whatever the backend, a tally is the same pure function of (seed, stream, state, n).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "games/core/own_lines.h"
#include "games/core/spec.h"
#include "kernels/common/playout.h"

namespace playproof {

template <class G>
class alignas(kOwnLines) PlayoutEvaluator {
 public:
  using Ticket = std::uint64_t;
  virtual ~PlayoutEvaluator() = default;
  // Takes a batch (it may be empty) and returns at once. The requests are copied or consumed before
  // it returns. Throws Error(kUnavailable) if the backend fails.
  virtual Ticket submit(std::span<const LeafRequest<G>> requests) = 0;
  // Waits for a batch and writes one tally a request, in request order. Each ticket is collected
  // exactly once; tickets may be collected in any order. tallies.size() = size of the batch.
  virtual void collect(Ticket ticket, std::span<Tally> tallies) = 0;
  // Another search begins. False if it must have an evaluator of its own, as where something is in
  // flight: then this one is of no use any more.
  virtual bool begin_search() { return false; }
  // Canonical name with every parameter, e.g. "check:of=cpu,against=reference,every=1".
  virtual std::string name() const = 0;
  // "cpu", or the name of the accelerator.
  virtual std::string device() const { return "cpu"; }
  // The vector instructions that it plays with, "baseline" if it does not ask for any.
  virtual std::string simd() const { return "baseline"; }
  // May playouts go on after submit() has returned?
  virtual bool overlaps() const { return false; }
  // Its playouts take the cores of whoever calls and nothing else: several of them side by side,
  // each with a share of the threads, do as much as one with all.
  virtual bool on_callers_cores() const { return false; }
  // Says that so many evaluators like this one, of one device, are used side by side; must come
  // before the first batch. A device sees to that itself; one that is simulated gives each its
  // part.
  virtual void share_among(int /*evaluators*/) {}
  // Seconds with at least one batch submitted and not finished; negative where nobody measures it.
  virtual double busy_seconds() const { return -1; }
  // Seconds that have passed and would not beside the device that it simulates, less those that
  // would and have not: callers leave them out of the times they report. May be negative, and fall.
  virtual double simulation_seconds() const { return 0; }
  // CPU seconds of the threads that call, spent on simulating that device: those of its clock.
  virtual double simulation_cpu_seconds() const { return 0; }
};

// Of the threads of a search, one each.
template <class G>
using PlayoutEvaluators = std::vector<std::shared_ptr<PlayoutEvaluator<G>>>;

// The backends of this build (host/playouts/backends.h), as `playproof version` and error texts
// list them; the engines are those that play, rather than wrap what plays.
const Catalogue& backend_catalogue();
const Catalogue& engine_catalogue();
// The backend that an engine is, by name or alias. Throws Error(kUsage).
std::string engine_backend(const std::string& engine);

// Whose tallies a backend gives: "" if they are those of games/PLAYOUTS.md, which many engines play
// bit for bit, or if it plays nothing ("none"); "scalar" and "fake" have their own. A wrapper gives
// those of the backend in it. Takes specs and what name() says; of any other text: "".
std::string own_tallies(std::string_view backend);
// The accelerator that a backend's spec names, of several the first; nothing if the backend is none
// itself. Throws Error(kUsage) if its options are wrong.
std::optional<int> named_device(const std::string& backend);
// Does it idle unless many searches wait for it at a time (host/solve/fleet.h)? Takes specs.
bool wants_many_searches(std::string_view backend);

// Makes a backend by its spec ("auto", "cpu", "reference", "fake", "check:of=cpu,against=reference,
// every=50"). Throws kUsage for an unknown name or key, kUnavailable for a known one that this
// build or machine lacks. threads >= 1 changes time, never a count.
template <class G>
std::unique_ptr<PlayoutEvaluator<G>> make_evaluator(const typename G::Rules& rules,
                                                    const std::string& backend, int threads);

}  // namespace playproof
