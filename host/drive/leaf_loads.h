// The playouts that searches wait for, cut into loads, so that whoever drives them
// (host/drive/driver.h) can look at clock and signals in between. A tally is a sum over the
// playouts of a position's list, so it is the same wherever the list is cut.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "host/playouts/evaluator.h"
#include "kernels/common/random_words.h"

namespace playproof {

template <class G>
class LeafLoads {
 public:
  // Makes loads of these requests, which must stay where they are until all loads are submitted.
  void begin(std::span<const LeafRequest<G>> requests) {
    tallies_.clear();
    next_ = 0;
    played_ = 0;
    out_.clear();
    playouts_ = 0;
    rest_ = 0;
    extend(requests);
  }
  // Takes more of them: all requests, the old ones first, wherever they are now.
  void extend(std::span<const LeafRequest<G>> requests) {
    for (const LeafRequest<G>& request : requests.subspan(tallies_.size())) {
      rest_ += request.playouts;
      playouts_ += request.playouts;
    }
    requests_ = requests;
    tallies_.resize(requests.size());
  }
  std::uint64_t playouts() const { return playouts_; }
  // The playouts that are not submitted yet.
  std::uint64_t rest() const { return rest_; }
  bool done() const { return next_ == requests_.size(); }
  // One tally a request, once all are done and collected.
  std::span<const Tally> tallies() const { return tallies_; }

  // Submits the next load, of about `most` playouts; returns the leaves that it ends. Of loads that
  // are out at the same time only the last may be cut out of the rest.
  std::size_t submit(PlayoutEvaluator<G>& evaluator, std::uint64_t most) {
    Out out{next_};
    if (rest_ <= most && played_ == 0) {
      out.size = requests_.size() - next_;
      out.ticket = evaluator.submit(requests_.subspan(next_));
      next_ = requests_.size();
      rest_ = 0;
    } else {
      cut(most);
      out.pieces = true;
      out.ticket = evaluator.submit(pieces_);
    }
    out_.push_back(out);
    return next_ - out.first;
  }
  // Waits for all loads that are out.
  void collect(PlayoutEvaluator<G>& evaluator) {
    const std::span<Tally> tallies = tallies_;
    for (const Out& out : out_) {
      if (!out.pieces) {
        evaluator.collect(out.ticket, tallies.subspan(out.first, out.size));
        continue;
      }
      piece_tallies_.resize(pieces_.size());
      evaluator.collect(out.ticket, piece_tallies_);
      for (std::size_t i = 0; i < pieces_.size(); ++i) tallies_[out.first + i] += piece_tallies_[i];
    }
    out_.clear();
  }
  std::size_t out() const { return out_.size(); }

 private:
  // A load at the evaluator.
  struct Out {
    std::size_t first;     // its first request
    std::size_t size = 0;  // requests
    bool pieces = false;   // it is pieces_ instead
    typename PlayoutEvaluator<G>::Ticket ticket = 0;
  };
  // Engines draw the order of the cells for so many playouts at once.
  static constexpr std::uint64_t kGroup =
      std::uint64_t{std::max(kHexGroupWords, kConnectGroupWords)} * kLanes;

  // The next parts of the requests: at least one, at most one of each, whole groups where a request
  // is cut.
  void cut(std::uint64_t most) {
    pieces_.clear();
    for (std::uint64_t left = most; !done() && (left > 0 || pieces_.empty());) {
      LeafRequest<G> piece = requests_[next_];
      const std::uint64_t rest = piece.playouts - played_;
      std::uint64_t size = rest;
      if (rest > left) {
        size = left / kGroup * kGroup;
        if (size == 0 && !pieces_.empty()) return;
        size = std::min(rest, std::max(size, kGroup));
      }
      piece.first += played_;
      piece.playouts = static_cast<std::uint32_t>(size);
      pieces_.push_back(piece);
      played_ = size == rest ? 0 : played_ + piece.playouts;
      next_ += size == rest;
      left -= std::min(left, size);
      rest_ -= size;
    }
  }

  std::span<const LeafRequest<G>> requests_;
  std::vector<Tally> tallies_;
  std::uint64_t playouts_ = 0;
  std::size_t next_ = 0;      // the first request that is not wholly played,
  std::uint32_t played_ = 0;  // and how many of its playouts are
  std::uint64_t rest_ = 0;
  std::vector<Out> out_;
  std::vector<LeafRequest<G>> pieces_;
  std::vector<Tally> piece_tallies_;
};

}  // namespace playproof
