// The playouts of one stroke, cut into loads, so that whoever drives the search can look at clock
// and signals in between. A tally is a sum over the playouts of a position's list, so it is the
// same wherever the list is cut.
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
    playouts_ = 0;
    for (const LeafRequest<G>& request : requests) playouts_ += request.playouts;
  }
  std::uint64_t playouts() const { return playouts_; }
  bool done() const { return next_ == requests_.size(); }
  // Once done: one a request.
  std::span<const Tally> tallies() const { return tallies_; }

  // Plays the next load, of about `most` playouts.
  void play(PlayoutEvaluator<G>& evaluator, std::uint64_t most) {
    if (playouts_ <= most && next_ == 0 && played_ == 0) {
      evaluator.collect(evaluator.submit(requests_), tallies_);
      next_ = requests_.size();
      return;
    }
    const std::size_t first = next_;
    cut(most);
    piece_tallies_.resize(pieces_.size());
    evaluator.collect(evaluator.submit(pieces_), piece_tallies_);
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      tallies_[first + i] += piece_tallies_[i];
    }
  }

 private:
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
    }
  }

  std::span<const LeafRequest<G>> requests_;
  std::vector<Tally> tallies_;
  std::uint64_t playouts_ = 0;
  std::size_t next_ = 0;      // the first request that is not wholly played,
  std::uint32_t played_ = 0;  // and how many of its playouts are
  std::vector<LeafRequest<G>> pieces_;
  std::vector<Tally> piece_tallies_;
};

}  // namespace playproof
