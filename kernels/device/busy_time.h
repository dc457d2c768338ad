// How long at least one batch was on a device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace playproof {

// When a batch was on the device: seconds of the device's clock.
struct BatchTime {
  double begin = 0;
  double end = 0;
};

// The length of the union of times that overlap and come in almost any order. Only the last
// kGaps + 1 pieces of the union are kept: what a batch adds before them is not counted.
class BusyTime {
 public:
  static constexpr std::size_t kGaps = 63;

  void add(BatchTime time) {
    time.begin = std::max(time.begin, horizon_);
    if (time.end <= time.begin) return;
    // Those that it touches become one.
    const auto first = std::ranges::lower_bound(pieces_, time.begin, {}, &BatchTime::end);
    auto last = first;
    for (; last != pieces_.end() && last->begin <= time.end; ++last) {
      seconds_ -= last->end - last->begin;
      time = {std::min(time.begin, last->begin), std::max(time.end, last->end)};
    }
    seconds_ += time.end - time.begin;
    pieces_.insert(pieces_.erase(first, last), time);
    if (pieces_.size() <= kGaps + 1) return;
    horizon_ = pieces_.front().end;
    pieces_.erase(pieces_.begin());
  }
  double seconds() const { return seconds_; }

 private:
  std::vector<BatchTime> pieces_;  // disjoint, in order
  // All that is before is counted, or never will be.
  double horizon_ = -std::numeric_limits<double>::infinity();
  double seconds_ = 0;
};

}  // namespace playproof
