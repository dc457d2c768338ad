#include "src/bench/playout_tallies.h"

#include <cmath>

namespace playproof {

void PlayoutTallies::add_uncut(const Tally& tally) {
  wins_ += tally.wins;
  draws_ += tally.draws;
  losses_ += tally.losses;
}

void PlayoutTallies::add(const Tally& tally) {
  add_uncut(tally);
  if (!measure_blocks_) return;
  block_playouts_ += tally.wins + tally.draws + tally.losses;
  block_wins_ += tally.wins;
  if (block_playouts_ < kBlock) return;
  ++blocks_;
  blocks_wins_ += block_wins_;
  sum_of_squares_ += block_wins_ * block_wins_;
  block_playouts_ = 0;
  block_wins_ = 0;
}

double PlayoutTallies::share(std::uint64_t count) const {
  return playouts() > 0 ? static_cast<double>(count) / static_cast<double>(playouts()) : 0;
}

// The variance of the win rate of one block.
std::optional<double> PlayoutTallies::block_variance() const {
  if (blocks_ < kFewestBlocks) return std::nullopt;
  const auto n = static_cast<double>(blocks_);
  const double mean = static_cast<double>(blocks_wins_) / n;
  const double variance = (static_cast<double>(sum_of_squares_) / n - mean * mean) * n / (n - 1);
  return variance / (static_cast<double>(kBlock) * static_cast<double>(kBlock));
}

double PlayoutTallies::standard_error() const {
  if (playouts() == 0) return 0;
  const double p = win_rate();
  const double independent = std::sqrt(p * (1 - p) / static_cast<double>(playouts()));
  const std::optional<double> variance = block_variance();
  if (!variance) return independent;
  return std::sqrt(*variance * static_cast<double>(kBlock) / static_cast<double>(playouts()));
}

std::optional<double> PlayoutTallies::effective_sample_ratio() const {
  const std::optional<double> variance = block_variance();
  const double p = win_rate();
  if (!variance || !(*variance > 0)) return std::nullopt;
  return p * (1 - p) / static_cast<double>(kBlock) / *variance;
}

}  // namespace playproof
