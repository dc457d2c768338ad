// A search as whoever drives it (host/drive/driver.h) sees it: two strokes, and playouts between
// them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "host/question/question.h"
#include "kernels/common/playout.h"

namespace playproof {

inline constexpr int kPrefetchSteps = 4;

template <class G>
class Search {
 public:
  virtual ~Search() = default;
  // Selects and expands: at most `most` iterations (>= 1) or, of a search with a batch, the next
  // part of one, whatever `most` is; fewer where playouts are needed or the search stops. Appends
  // what must be evaluated. Returns the iterations taken; none exactly when the search has stopped
  // or, of one that has several batches out, when no leaf is free.
  virtual std::uint64_t propose(std::uint64_t most, std::vector<LeafRequest<G>>& requests) = 0;
  // May a batch be gone on with before its tallies are there? Then propose() may be called again,
  // and what is evaluated meanwhile is absorbed later, all together. It changes no count.
  virtual bool may_go_on() const { return false; }
  // Takes the tallies of what propose() has appended since the last time, in that order, and backs
  // up. It follows every propose(), also one that appended nothing, but for may_go_on(). kRunning
  // if the search can go on.
  virtual StopReason absorb(std::span<const Tally> tallies) = 0;
  // The most batches that may be out at a time, each of one propose(): absorb() then takes the
  // tallies of the oldest. One that was proposed without an iteration is out too, and takes its
  // turn; one of leaves of which none waits is not. Such a search may stop in propose(), and what
  // it has out is then given up.
  virtual std::uint32_t batches() const { return 1; }
  virtual StopReason reason() const { return StopReason::kRunning; }
  // Has the caches fetch what the next absorb() will touch: steps 0 .. kPrefetchSteps - 1 one by
  // one, some time apart, since each reads what the one before has fetched. Changes nothing.
  virtual void prefetch(int /*step*/) const {}
};

// An engine (a tree or a table) as a search with nothing around it: batches of `batch` leaves.
template <class G, class Engine>
class EngineSearch final : public Search<G> {
 public:
  explicit EngineSearch(Engine& engine, std::uint32_t batch = 1) : engine_(engine), batch_(batch) {}

  std::uint64_t propose(std::uint64_t /*most*/, std::vector<LeafRequest<G>>& requests) override {
    const std::uint64_t taken = engine_.propose(batch_, requests);
    if constexpr (requires { engine_.send(); }) {
      if (batches() > 1 && engine_.stopped() == StopReason::kRunning) engine_.send();
    }
    return taken;
  }
  StopReason absorb(std::span<const Tally> tallies) override {
    engine_.absorb(tallies);
    return engine_.stopped();
  }
  std::uint32_t batches() const override {
    if constexpr (requires { engine_.send(); }) return engine_.options().pipeline;
    return 1;
  }
  StopReason reason() const override { return engine_.stopped(); }

 private:
  Engine& engine_;
  std::uint32_t batch_;
};

}  // namespace playproof
