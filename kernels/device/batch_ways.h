// How the requests of a batch come to a device, and their counts back: by the size of the batch. Of
// a batch that is not copied the block that ends last writes the counts to the host's memory. (No
// device has measured these numbers yet: `device_bench --ways` does.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "kernels/common/playout.h"

namespace playproof {

enum class BatchWay : std::uint8_t {
  kMapped,      // threads read the requests in the host's memory
  kParameters,  // requests are parameters of a kernel, which puts them into the device's memory
  kCopied,      // copied before, as the counts are after
};

// With no more requests than this, if they have no more words than that, nothing is copied: a
// launch or two take less long than two copies, a memset and another copy would.
inline constexpr std::size_t kFewRequests = 1000;
inline constexpr std::uint64_t kFewWords = 1 << 14;

// What one launch can be given: CUDA allows 32,764 bytes of parameters, and there is an address and
// a number beside these.
inline constexpr std::size_t kParameterBytes = 32000;

// Where the second of two parts is, of which the first has so many bytes.
constexpr std::size_t second_part(std::size_t first_bytes) { return (first_bytes + 15) / 16 * 16; }

// Parameters are the requests, then for each the words up to it.
template <class G>
constexpr bool fits(BatchWay way, std::size_t requests) {
  if (way == BatchWay::kCopied) return true;
  const std::size_t bytes =
      second_part(requests * sizeof(LeafRequest<G>)) + requests * sizeof(std::uint64_t);
  return requests <= kFewRequests && (way == BatchWay::kMapped || bytes <= kParameterBytes);
}

// The way of a batch: the one that is told if it fits, else copied. If none is told, what threads
// would search in the host's memory, read after read over the bus, comes as parameters where it
// can.
template <class G>
constexpr BatchWay way_of(std::size_t requests, std::uint64_t words, std::optional<BatchWay> told) {
  if (told) return fits<G>(*told, requests) ? *told : BatchWay::kCopied;
  if (words > kFewWords) return BatchWay::kCopied;
  for (const BatchWay way : {BatchWay::kParameters, BatchWay::kMapped}) {
    if (fits<G>(way, requests)) return way;
  }
  return BatchWay::kCopied;
}

}  // namespace playproof
