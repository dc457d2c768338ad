// Adds up tallies of playouts, and says how far the mean of the first player's wins can be trusted.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/common/playout.h"

namespace playproof {

// Words that share an order of cells are not independent, so the spread of the mean is measured
// over blocks of 512 playouts of one position: no group of words is longer.
class PlayoutTallies {
 public:
  static constexpr std::uint64_t kBlock = 512;
  static constexpr std::uint64_t kFewestBlocks = 64;  // for a spread worth reporting

  // With `blocks`, tallies of consecutive playouts of one position are added up to blocks, which
  // they must fill exactly.
  explicit PlayoutTallies(bool blocks) : measure_blocks_(blocks) {}
  void add(const Tally& tally);
  // Counts a tally, but not for the spread.
  void add_uncut(const Tally& tally);

  std::uint64_t playouts() const { return wins_ + draws_ + losses_; }
  double win_rate() const { return share(wins_); }
  double draw_rate() const { return share(draws_); }
  // The standard error of win_rate(): from the blocks where there are enough, else as of
  // independent games.
  double standard_error() const;
  // Variance that 512 independent games would have over the variance of the blocks; none without
  // blocks, with too few, or without any spread.
  std::optional<double> effective_sample_ratio() const;

 private:
  double share(std::uint64_t count) const;
  std::optional<double> block_variance() const;

  bool measure_blocks_;
  std::uint64_t wins_ = 0;
  std::uint64_t draws_ = 0;
  std::uint64_t losses_ = 0;
  std::uint64_t block_playouts_ = 0;  // of the block being filled
  std::uint64_t block_wins_ = 0;
  std::uint64_t blocks_ = 0;
  std::uint64_t blocks_wins_ = 0;  // over whole blocks
  std::uint64_t sum_of_squares_ = 0;
};

}  // namespace playproof
