#include "kernels/bootstrap.h"

#include <algorithm>
#include <vector>

#include "kernels/bootstrap_core.h"

namespace playproof {
namespace {

// Samples that are made together: what they read of a block of columns stays in the cache.
constexpr std::uint32_t kTogether = 32;
constexpr std::uint32_t kMostDraws = 1 << 20;  // in memory, if there are several samples

// Draws that were made before: all columns of a sample share them.
class WrittenDraws {
 public:
  explicit WrittenDraws(const std::uint32_t* units) : at_(units) {}
  std::uint32_t next() { return *at_++; }

 private:
  const std::uint32_t* at_;
};

// The means of as many columns from `column` on as blocks of kColumns reach, of all samples whose
// draws are given. Returns the first column that is left.
template <std::uint32_t kColumns>
std::uint32_t mean_blocks(const BootstrapData& data, std::uint32_t column,
                          const std::vector<std::uint32_t>& drawn, double* means) {
  for (; data.columns - column >= kColumns; column += kColumns) {
    for (std::size_t at = 0; at < drawn.size(); at += data.units) {
      WrittenDraws draws(&drawn[at]);
      mean_of_draws<kColumns>(data, column, draws, means + at / data.units * data.columns + column);
    }
  }
  return column;
}

}  // namespace

void bootstrap_means(const BootstrapData& data, std::uint32_t first, std::uint32_t samples,
                     double* means) {
  const std::uint32_t most = std::clamp(kMostDraws / data.units, 1u, kTogether);
  std::vector<std::uint32_t> drawn;
  while (samples > 0) {
    const std::uint32_t together = std::min(samples, most);
    drawn.resize(std::size_t{together} * data.units);
    for (std::uint32_t i = 0; i < together; ++i) {
      UnitDraws<RandomWords> draws(data, first + i);
      std::uint32_t* units = &drawn[std::size_t{i} * data.units];
      for (std::uint32_t draw = 0; draw < data.units; ++draw) units[draw] = draws.next();
    }
    std::uint32_t column = mean_blocks<16>(data, 0, drawn, means);  // eight registers of SSE2
    column = mean_blocks<2>(data, column, drawn, means);
    mean_blocks<1>(data, column, drawn, means);
    first += together;
    samples -= together;
    means += std::size_t{together} * data.columns;
  }
}

}  // namespace playproof
