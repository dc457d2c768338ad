// How fast playouts and whole searches can be on an accelerator at most: what its arithmetic
// allows.
#pragma once

#include <optional>
#include <string>

#include "kernels/device/device_info.h"

namespace playproof {

// The accelerator with this name; none for "cpu".
std::optional<DeviceInfo> find_device(const std::string& name);

// Playouts a second from the start of the game, if every multiprocessor executed 64 integer
// instructions a cycle at its highest clock; none for games whose instructions were not counted.
// `game` is a canonical name.
std::optional<double> playout_bound(const std::string& game, const DeviceInfo& device);

// Iterations a second of whole searches, a thread a tree, if every multiprocessor issued 4
// instructions of warps a cycle at its highest clock, at those counted of 32 trees in lockstep
// (tests/golden/search-resources.txt); none where they were not counted. `algorithm` is a canonical
// name.
std::optional<double> search_bound(const std::string& game, const std::string& algorithm,
                                   const DeviceInfo& device);

}  // namespace playproof
