// Playouts of positions of any game, without templates: what programs and Python see of the
// engines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/common/playout.h"

namespace playproof {

struct PlayoutRequest {
  std::string game;                    // spec: "hex:size=11"
  std::vector<std::string> positions;  // texts
  std::string backend = "auto";
  std::uint64_t seed = 1;
  int threads = 1;  // changes no count
};

class AnyPlayouts {
 public:
  virtual ~AnyPlayouts() = default;
  virtual std::size_t size() const = 0;  // positions
  // Adds playouts 0 .. count - 1 of every position to its tally, in order; a finished position's
  // are all its result. Between two batches of some milliseconds `stopped` is asked: true ends it,
  // with what there is, and false is returned. Throws Error(kUnavailable) if the backend fails.
  virtual bool play(std::uint32_t count, std::span<Tally> tallies,
                    const std::function<bool()>& stopped) = 0;
  virtual std::string backend() const = 0;  // canonical
  virtual std::string device() const = 0;
};

// Throws Error: kUsage (game, backend, threads), kData (a position; says which), kUnavailable.
std::unique_ptr<AnyPlayouts> make_playouts(const PlayoutRequest& request);

}  // namespace playproof
