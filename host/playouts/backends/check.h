// `check`: two evaluators, one answer: every n-th batch is given to both, and any difference is an
// error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "host/playouts/backend.h"

namespace playproof {

// Where two backends disagree.
struct TallyDifference {
  std::size_t request = 0;
  std::uint64_t stream = 0;
  std::uint32_t first = 0;
  std::uint32_t playouts = 0;
  Tally of;
  Tally against;
};

// Throws Error(kInternal) that names the backends, the request and both tallies.
[[noreturn]] void throw_difference(const std::string& of, const std::string& against,
                                   const TallyDifference& difference);

template <class G>
class CheckEvaluator final : public PlayoutEvaluator<G> {
 public:
  using typename PlayoutEvaluator<G>::Ticket;
  using Inner = std::unique_ptr<PlayoutEvaluator<G>>;

  // Checks batches 0, every, 2 * every, ...; answers with the tallies of `of`.
  CheckEvaluator(Inner of, Inner against, std::uint64_t every)
      : of_(std::move(of)), against_(std::move(against)), every_(every) {}

  Ticket submit(std::span<const LeafRequest<G>> requests) override {
    const Ticket ticket = of_->submit(requests);
    if (batches_++ % every_ == 0) {
      Second second{against_->submit(requests), {requests.begin(), requests.end()}};
      checked_.emplace(ticket, std::move(second));
    }
    return ticket;
  }

  void collect(Ticket ticket, std::span<Tally> tallies) override {
    of_->collect(ticket, tallies);
    const auto found = checked_.find(ticket);
    if (found == checked_.end()) return;
    const Second second = std::move(found->second);
    checked_.erase(found);
    std::vector<Tally> others(second.requests.size());
    against_->collect(second.ticket, others);
    for (std::size_t i = 0; i < others.size(); ++i) {
      const LeafRequest<G>& request = second.requests[i];
      if (tallies[i] == others[i]) continue;
      throw_difference(
          of_->name(), against_->name(),
          {i, request.key.stream, request.first, request.playouts, tallies[i], others[i]});
    }
  }

  bool begin_search() override {
    batches_ = 0;
    return checked_.empty() && of_->begin_search() && against_->begin_search();
  }
  std::string name() const override {
    return "check:of=" + of_->name() + ",against=" + against_->name() +
           ",every=" + std::to_string(every_);
  }
  std::string device() const override { return of_->device(); }
  bool overlaps() const override { return of_->overlaps() || against_->overlaps(); }
  void share_among(int evaluators) override {
    of_->share_among(evaluators);
    against_->share_among(evaluators);
  }
  bool on_callers_cores() const override {
    return of_->on_callers_cores() && against_->on_callers_cores();
  }

 private:
  struct Second {
    Ticket ticket;
    std::vector<LeafRequest<G>> requests;
  };
  Inner of_;
  Inner against_;
  std::uint64_t every_;
  std::uint64_t batches_ = 0;
  std::map<Ticket, Second> checked_;
};

struct CheckBackend {
  static BackendInfo info() {
    BackendInfo info{
        {"check",
         "two backends, compared bit for bit",
         {engine_option("of", "cpu", "the backend whose tallies are used"),
          engine_option("against", "reference", "the backend that it is compared with"),
          integer_option("every", "50", 1, 1e9, "compares every n-th batch")}}};
    info.engine = false;
    return info;
  }
  template <Game G>
  static std::unique_ptr<PlayoutEvaluator<G>> make(const BackendParts<G>& parts) {
    return std::make_unique<CheckEvaluator<G>>(
        parts.make(parts.options.word("of")), parts.make(parts.options.word("against")),
        static_cast<std::uint64_t>(parts.options.integer("every")));
  }
};

}  // namespace playproof
