// Playouts that fail: a device that is lost, memory that there is not.
#pragma once

#include <memory>
#include <new>
#include <span>
#include <string>

#include "games/core/error.h"
#include "host/playouts/evaluator.h"

namespace playproof {

enum class EvaluatorFault { kSubmit, kCollect, kMemory };

// The cpu engine, whose n-th batch fails, counted from 1.
template <class G>
class Failing final : public PlayoutEvaluator<G> {
 public:
  using typename PlayoutEvaluator<G>::Ticket;

  Failing(const typename G::Rules& rules, EvaluatorFault fault, int n)
      : of_(make_evaluator<G>(rules, "cpu", 1)), fault_(fault), left_(n) {}

  Ticket submit(std::span<const LeafRequest<G>> requests) override {
    --left_;
    if (left_ == 0 && fault_ == EvaluatorFault::kSubmit) fail();
    return of_->submit(requests);
  }
  void collect(Ticket ticket, std::span<Tally> tallies) override {
    if (left_ == 0 && fault_ == EvaluatorFault::kMemory) throw std::bad_alloc();
    if (left_ == 0 && fault_ == EvaluatorFault::kCollect) fail();
    of_->collect(ticket, tallies);
  }
  bool overlaps() const override { return true; }  // a batch goes on while its parts are out
  std::string name() const override { return "failing"; }

 private:
  [[noreturn]] static void fail() { throw Error(ErrorCode::kUnavailable, "the device is lost"); }

  std::unique_ptr<PlayoutEvaluator<G>> of_;
  EvaluatorFault fault_;
  int left_;
};

}  // namespace playproof
