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
  // Of these requests, which must stay where they are until all loads are played.
  void begin(std::span<const LeafRequest<G>> requests) {
    requests_ = requests;
    tallies_.assign(requests.size(), Tally{});
    next_ = 0;
    played_ = 0;
    out_ = false;
    playouts_ = 0;
    for (const LeafRequest<G>& request : requests) playouts_ += request.playouts;
  }
  std::uint64_t playouts() const { return playouts_; }
  // Every load was submitted.
  bool done() const { return next_ == requests_.size(); }
  // Once done and collected: one a request.
  std::span<const Tally> tallies() const { return tallies_; }

  // Of a load that was submitted and is not collected.
  bool out() const { return out_; }

  struct Load {
    std::size_t leaves = 0;  // whole ones, or the last part of one
    std::uint64_t playouts = 0;
  };
  // Submits the next load, of about `most` playouts; returns what it holds.
  Load submit(PlayoutEvaluator<G>& evaluator, std::uint64_t most) {
    first_ = next_;
    Load load{0, playouts_};
    whole_ = playouts_ <= most && next_ == 0 && played_ == 0;
    if (whole_) {
      ticket_ = evaluator.submit(requests_);
      next_ = requests_.size();
    } else {
      load.playouts = cut(most);
      ticket_ = evaluator.submit(pieces_);
    }
    load.leaves = next_ - first_;
    out_ = true;
    return load;
  }
  void collect(PlayoutEvaluator<G>& evaluator) {
    out_ = false;
    if (whole_) {
      evaluator.collect(ticket_, tallies_);
      return;
    }
    piece_tallies_.resize(pieces_.size());
    evaluator.collect(ticket_, piece_tallies_);
    for (std::size_t i = 0; i < pieces_.size(); ++i) tallies_[first_ + i] += piece_tallies_[i];
  }

 private:
  // Engines draw the order of the cells for so many playouts at once.
  static constexpr std::uint64_t kGroup =
      std::uint64_t{std::max(kHexGroupWords, kConnectGroupWords)} * kLanes;

  // The next parts of the requests: at least one, at most one of each, whole groups where a request
  // is cut. Returns their playouts.
  std::uint64_t cut(std::uint64_t most) {
    pieces_.clear();
    std::uint64_t sum = 0;
    for (std::uint64_t left = most; !done() && (left > 0 || pieces_.empty());) {
      LeafRequest<G> piece = requests_[next_];
      const std::uint64_t rest = piece.playouts - played_;
      std::uint64_t size = rest;
      if (rest > left) {
        size = left / kGroup * kGroup;
        if (size == 0 && !pieces_.empty()) return sum;
        size = std::min(rest, std::max(size, kGroup));
      }
      piece.first += played_;
      piece.playouts = static_cast<std::uint32_t>(size);
      pieces_.push_back(piece);
      played_ = size == rest ? 0 : played_ + piece.playouts;
      next_ += size == rest;
      sum += size;
      left -= std::min(left, size);
    }
    return sum;
  }

  std::span<const LeafRequest<G>> requests_;
  std::vector<Tally> tallies_;
  std::uint64_t playouts_ = 0;
  std::size_t next_ = 0;      // the first request that is not wholly played,
  std::uint32_t played_ = 0;  // and how many of its playouts are
  // Of the load that is out.
  typename PlayoutEvaluator<G>::Ticket ticket_ = 0;
  std::size_t first_ = 0;  // its first request
  bool whole_ = false;     // it is all there is
  bool out_ = false;
  std::vector<LeafRequest<G>> pieces_;
  std::vector<Tally> piece_tallies_;
};

}  // namespace playproof
