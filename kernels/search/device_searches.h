// Whole searches on an accelerator, many trees at once: a thread a tree. Plain C++; CUDA is behind
// it (kernels/search/device.cuh).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "kernels/device/device_info.h"
#include "kernels/schemes/scheme.h"
#include "kernels/search/thread_tree.h"

namespace playproof {

// How a fleet is laid out on a device.
struct FleetLayout {
  std::size_t bytes = 0;  // for the nodes of all trees in flight; 0: half of the device's
  std::uint32_t least_share = 1 << 12;   // nodes a tree may have at first
  std::uint32_t growth = 8;              // how much larger the shares of the next round are
  std::uint32_t most_threads = 1 << 17;  // trees in flight
  std::uint32_t least_again = 1;  // fewer trees that have outgrown their share are handed back
  // A launch ends after so many iterations of each thread at least, and about so many seconds; the
  // next one goes on.
  std::uint32_t least_turns = 256;
  double slice_seconds = 0.25;
};

// Told now and then which requests have ended since, by number: their results and points stand.
using SearchesEnded = std::function<void(std::span<const std::size_t> requests)>;

// Searches of one game, scheme and set-up. Not for several threads at once.
template <Game G>
class DeviceSearches {
 public:
  virtual ~DeviceSearches() = default;
  // Fills in one result a request. Trees that have outgrown their share are searched again with
  // larger ones, of which fewer fit in; where one tree alone is too large, or few are left, the
  // result is kOutgrown, and a CPU, which makes the same counts, has to search it. Refuses finished
  // positions and schemes of 0 playouts a leaf before it starts; what TreeOptions cannot say
  // (zones, patterns, probes, several leaves at a time) no kernel can do.
  // `points`: room for the error curves, as much for each request; each has TreeResult::points, of
  // which those without room are lost.
  // `ended` is told, on this thread, while the device goes on with others, of each request that is
  // not kOutgrown or kRunning in the end; what it throws ends the searches.
  virtual DeviceError search(std::span<const TreeRequest<G>> requests,
                             std::span<TreeResult> results, std::span<CurvePoint> points = {},
                             const SearchesEnded& ended = {}) = 0;
  // May be called from any thread: search() ends soon, and what it has not ended is kRunning.
  virtual void interrupt() = 0;
  virtual std::string device() const = 0;
  virtual std::size_t node_bytes() const = 0;
};

// A type, so that an instance is a line (kernels/GAME/searches.cu).
template <Game G, class S>
struct SearchesBy {
  static DeviceError open(int ordinal, const typename G::Rules& rules, const S& scheme,
                          const TreeOptions& options, const FleetLayout& layout,
                          std::unique_ptr<DeviceSearches<G>>* searches);
};

// Which games and schemes have kernels: those of kernels/GAME/searches*.cu, each scheme of each
// game.
struct PGame;
struct Nim;
struct Othello;
template <int W>
struct Connect;
template <int W>
struct Hex;
template <class G>
inline constexpr bool kSearchedGame = false;
template <>
inline constexpr bool kSearchedGame<PGame> = true;
template <>
inline constexpr bool kSearchedGame<Nim> = true;
template <>
inline constexpr bool kSearchedGame<Othello> = true;
template <>
inline constexpr bool kSearchedGame<Connect<1>> = true;
template <>
inline constexpr bool kSearchedGame<Hex<1>> = true;

struct Pn;
struct Wpns;
struct DeepPn;
struct Mcpn;
struct Ppn;
struct MctsRule;
class LeafNumbers;
template <class Numbers>
struct EwsBy;
template <class Numbers>
struct PlayoutPnBy;
template <Scheme Base>
struct Deepest;
template <class S>
inline constexpr bool kSearchedScheme = false;
template <>
inline constexpr bool kSearchedScheme<Pn> = true;
template <>
inline constexpr bool kSearchedScheme<Wpns> = true;
template <>
inline constexpr bool kSearchedScheme<DeepPn> = true;
template <>
inline constexpr bool kSearchedScheme<Mcpn> = true;
template <>
inline constexpr bool kSearchedScheme<Ppn> = true;
template <>
inline constexpr bool kSearchedScheme<MctsRule> = true;
template <>
inline constexpr bool kSearchedScheme<EwsBy<LeafNumbers>> = true;
template <>
inline constexpr bool kSearchedScheme<PlayoutPnBy<LeafNumbers>> = true;
template <Scheme Base>
inline constexpr bool kSearchedScheme<Deepest<Base>> = kSearchedScheme<Base>;

template <class G, class S>
inline constexpr bool kSearchedOnDevice = kSearchedGame<G>&& kSearchedScheme<S>;

}  // namespace playproof
