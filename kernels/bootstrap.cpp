#include "kernels/bootstrap.h"

#include <vector>

#include "kernels/bootstrap_core.h"

namespace playproof {
namespace {

// Draws that were made before: all columns of a sample share them.
class WrittenDraws {
 public:
  explicit WrittenDraws(const std::vector<std::uint32_t>& units) : at_(units.data()) {}
  std::uint32_t next() { return *at_++; }

 private:
  const std::uint32_t* at_;
};

// As many columns from `column` on as blocks of kColumns reach. Returns the first that is left.
template <std::uint32_t kColumns>
std::uint32_t add_blocks(const BootstrapData& data, std::uint32_t column,
                         const std::vector<std::uint32_t>& drawn, double* means) {
  for (; data.columns - column >= kColumns; column += kColumns) {
    WrittenDraws draws(drawn);
    mean_of_draws<kColumns>(data, column, draws, means + column);
  }
  return column;
}

}  // namespace

void bootstrap_means(const BootstrapData& data, std::uint32_t first, std::uint32_t samples,
                     double* means) {
  std::vector<std::uint32_t> drawn(data.units);
  for (std::uint32_t i = 0; i < samples; ++i) {
    UnitDraws<RandomWords> draws(data, first + i);
    for (std::uint32_t& unit : drawn) unit = draws.next();
    double* row = means + std::size_t{i} * data.columns;
    std::uint32_t column = add_blocks<16>(data, 0, drawn, row);  // eight registers of SSE2
    column = add_blocks<2>(data, column, drawn, row);
    add_blocks<1>(data, column, drawn, row);
  }
}

}  // namespace playproof
