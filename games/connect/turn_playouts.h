// The playouts of a proof search on turns (games/connect/rzop.h), a leaf at a time and in parts of
// some hundredths of a second: whoever drives the search can look at clock and signals in between,
// and save it. What they have said is kept in order, so that a search that is resumed has it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace playproof {

template <class State>
class TurnPlayouts {
 public:
  // How many the attacker wins of so many playouts of a position, from the first-th on, which is a
  // multiple of kGroup.
  using Play = std::function<std::uint32_t(const State&, std::uint32_t first, std::uint32_t count)>;
  static constexpr std::uint32_t kGroup = 1024;
  // A leaf that has its playouts.
  struct Ended {
    std::uint32_t node;
    std::uint32_t wins;
  };

  // So many a leaf; 0: none.
  void begin(int count, Play play) {
    count_ = static_cast<std::uint32_t>(count);
    play_ = std::move(play);
    wins_.clear();
    used_ = 0;
    leaf_.reset();
  }
  bool none() const { return count_ == 0; }
  void start(std::uint32_t node, const State& state) { leaf_ = Leaf{node, state}; }
  bool under_way() const { return leaf_.has_value(); }
  // Plays some of those that are under way; the leaf, if it has all. Nothing has changed if that
  // fails.
  std::optional<Ended> play() {
    using Clock = std::chrono::steady_clock;
    const std::uint32_t part = std::min(count_ - leaf_->played, part_);
    const Clock::time_point begin = Clock::now();
    leaf_->wins += play_(leaf_->state, leaf_->played, part);
    leaf_->played += part;
    const Clock::duration taken = Clock::now() - begin;
    if (taken < kShortPart && part_ < kMostPart) part_ *= 2;
    if (taken > kLongPart && part_ > kGroup) part_ /= 2;
    if (leaf_->played < count_) return std::nullopt;
    wins_.push_back(leaf_->wins);
    return end();
  }
  // Takes those that are under way from what was loaded, if it has them.
  std::optional<Ended> recall() {
    if (used_ == wins_.size()) return std::nullopt;
    return end();
  }

  std::uint64_t leaves() const { return used_; }
  std::uint64_t playouts() const { return used_ * count_; }
  std::uint64_t bytes() const { return wins_.capacity() * sizeof(std::uint32_t); }

  // Saves or loads what leaves have got (host/archive/archive.h), then, once the search has been
  // done again up to there, what the one under way has.
  template <class Archive>
  void serialize_leaves(Archive& archive) {
    std::uint64_t leaves = wins_.size();
    archive(leaves);
    for (std::uint64_t i = 0; i < leaves; ++i) {
      if constexpr (Archive::kLoading) wins_.emplace_back();
      archive(wins_[i]);
      archive.check(wins_[i] <= count_, "more playouts won than were played");
    }
  }
  template <class Archive>
  void serialize_leaf(Archive& archive) {
    archive.check(used_ == wins_.size(), "playouts of no leaf");
    bool given = leaf_.has_value();
    archive(given);
    archive.check(given == leaf_.has_value(), "a leaf that is not under way");
    if (!given) return;
    archive(leaf_->played, leaf_->wins);
    archive.check(
        leaf_->played < count_ && leaf_->played % kGroup == 0 && leaf_->wins <= leaf_->played,
        "playouts that nobody plays");
  }

 private:
  static constexpr std::uint32_t kMostPart = std::uint32_t{1} << 24;
  static constexpr std::chrono::milliseconds kShortPart{10};
  static constexpr std::chrono::milliseconds kLongPart{40};

  struct Leaf {
    std::uint32_t node;
    State state;
    std::uint32_t played = 0;
    std::uint32_t wins = 0;
  };

  Ended end() {
    const Ended ended{leaf_->node, wins_[used_++]};
    leaf_.reset();
    return ended;
  }

  std::uint32_t count_ = 0;
  Play play_;
  std::vector<std::uint32_t> wins_;  // a leaf
  std::uint64_t used_ = 0;           // of these
  std::optional<Leaf> leaf_;
  std::uint32_t part_ = kGroup;  // playouts at a time
};

}  // namespace playproof
