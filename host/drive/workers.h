// What the threads of one search do (host/jobs/shared_search.h), as who runs them sees it
// (host/drive/crew.h): worker i is driven by thread i alone, from begin_run() to end_run().
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "games/core/game.h"
#include "host/question/worker_times.h"
#include "kernels/common/playout.h"

namespace playproof {

template <Game G>
class Workers {
 public:
  virtual ~Workers() = default;
  virtual std::size_t workers() const = 0;

  // They may make so many node entries, all together. False if the search has stopped; else it
  // makes room in the table, which is what a run often ends for.
  virtual bool begin_run(std::uint64_t entries) = 0;
  // Makes up to `calls` node entries of worker i; fewer when children need playouts (then their
  // requests are appended). Waits while there is no job for him. 0: all are to rest.
  virtual std::uint32_t propose(std::size_t i, std::uint32_t calls,
                                std::vector<LeafRequest<G>>& requests) = 0;
  // Numbers the children that he proposed last.
  virtual void absorb(std::size_t i, std::span<const Tally> tallies) = 0;
  // From any thread: all are to rest soon. So they do before the first run and between two.
  virtual void rest() = 0;
  virtual bool resting() const = 0;
  // They rest: what each has counted is summed up.
  virtual void end_run() = 0;
  // While they rest: how long worker i has waited since this was last asked.
  virtual WorkerWaits take_waits(std::size_t i) = 0;
};

}  // namespace playproof
