// Whole searches on an accelerator, many trees at once: a thread a tree. Plain C++; CUDA is behind
// it (kernels/search/device.cuh).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "kernels/device/device_info.h"
#include "kernels/schemes/scheme.h"
#include "kernels/search/thread_search.h"

namespace playproof {

// How a fleet is laid out on a device.
struct FleetLayout {
  std::size_t bytes = std::size_t{1} << 30;  // for the nodes of all trees in flight
  std::uint32_t least_share = 1 << 12;       // nodes a tree may have at first
  std::uint32_t growth = 8;                  // how much larger the shares of the next round are
  std::uint32_t most_threads = 1 << 17;      // trees in flight
};

// Searches of one game, scheme and set-up. Not for several threads at once.
template <Game G, Scheme S>
class DeviceSearches {
 public:
  virtual ~DeviceSearches() = default;
  // Fills in one result a request. Trees that have outgrown their share are searched again with
  // larger ones, of which fewer fit in; where one tree alone is too large its result is kOutgrown,
  // and a CPU, which makes the same counts, has to search it. Refuses finished positions and
  // schemes of 0 playouts a leaf before it starts; what TreeOptions cannot say (zones, patterns,
  // probes, several leaves at a time) no kernel can do.
  virtual DeviceError search(std::span<const TreeRequest<G>> requests,
                             std::span<TreeResult> results) = 0;
};

// For each game and scheme that has kernels: kernels/GAME/searches.cu.
template <Game G, Scheme S>
DeviceError open_device_searches(int ordinal, const typename G::Rules& rules, const S& scheme,
                                 const TreeOptions& options, const FleetLayout& layout,
                                 std::unique_ptr<DeviceSearches<G, S>>* searches);

}  // namespace playproof
