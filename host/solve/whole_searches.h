// Whole searches on an accelerator, a thread a tree (kernels/search), for programs. Counts,
// verdicts, best moves and error curves are those of the CPU, to the bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "host/solve/solver.h"
#include "kernels/search/thread_tree.h"

namespace playproof {

struct WholeQuestion {
  SolveRequest search;  // its backend is not looked at
  // What exhaustive search says of it, where its error curve is wanted; null: none is.
  const OracleAnswer* errors_by = nullptr;
};

struct WholeAnswer {
  std::size_t question = 0;  // its number
  // Is false where the question was too large for the device, asks what no kernel can do, or has
  // outgrown its memory: a CPU has to search it. Nothing below may be used then.
  bool ended = false;
  // The principal variation is missing. Peak bytes are those of the device; the times since answers
  // were told before are shared evenly by those that are told together.
  SolveResult result;
  std::vector<CurvePoint> errors;  // after the first iteration
};

// Answers as they come, while the device goes on with other questions.
using WholeListener = std::function<void(std::vector<WholeAnswer> answers)>;

class WholeSearches {
 public:
  virtual ~WholeSearches() = default;
  // One answer a question; those of another game (P-games: any tree) or algorithm than the first
  // are not ended. `answered` hears all of them on this thread, each once, unless `stopped`, which
  // is asked now and then, from another thread, says true: that ends the searches within some
  // milliseconds. Throws Error: kUnavailable (the device fails), what reading the requests throws,
  // what `answered` throws.
  virtual void search(std::span<const WholeQuestion> questions,
                      const std::function<bool()>& stopped, const WholeListener& answered) = 0;
  virtual std::string device() const = 0;
};

// Opens a device for searches like this one. Null if no kernel does what it does: another game or
// algorithm, zones, probes, several leaves at a time, an exact score, a position that is finished.
// Throws Error: kUsage, kData (the request), kUnavailable (no such device).
std::unique_ptr<WholeSearches> open_whole_searches(const SolveRequest& like, int device);

}  // namespace playproof
