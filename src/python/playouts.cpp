// playproof.playouts() without its defaults.
#include <nanobind/ndarray.h>

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "host/playouts/playouts.h"
#include "src/python/bindings.h"
#include "src/python/position.h"

namespace playproof::python {
namespace {

using Tallies = nb::ndarray<nb::numpy, std::uint32_t, nb::shape<-1, 4>, nb::c_contig>;

// A row of the array is a tally, where it lies.
constexpr std::size_t kColumns = 4;
static_assert(sizeof(Tally) == kColumns * sizeof(std::uint32_t));

std::vector<std::string> texts_of(const std::string& game, const nb::iterable& positions) {
  std::vector<std::string> texts;
  for (const nb::handle position : positions) {
    if (!nb::isinstance<Position>(position)) {
      texts.push_back(nb::cast<std::string>(position));
      continue;
    }
    const AnyPosition& given = nb::cast<const Position&>(position).get();
    texts.push_back(given.text());
    if (make_position(game, "")->game() != given.game()) {
      throw Error(ErrorCode::kUsage, "position " + std::to_string(texts.size() - 1) + " is of " +
                                         given.game() + ", not of " + game);
    }
  }
  return texts;
}

// The array, and whether KeyboardInterrupt has ended it.
nb::tuple play(const std::string& game, const nb::iterable& positions, std::uint32_t count,
               std::uint64_t seed, const std::string& backend, int threads) {
  PlayoutRequest request;
  request.game = game;
  request.positions = texts_of(game, positions);
  request.backend = backend;
  request.seed = seed;
  request.threads = threads;
  auto tallies = std::make_unique<std::vector<Tally>>(request.positions.size());
  LongCall call;
  {
    const nb::gil_scoped_release unlocked;
    make_playouts(request)->play(count, *tallies, [&] { return call.stopped(); });
  }
  const bool interrupted = call.interrupted();
  auto* counts = reinterpret_cast<std::uint32_t*>(tallies->data());
  const std::size_t rows = tallies->size();
  nb::capsule owner(tallies.release(),
                    [](void* owned) noexcept { delete static_cast<std::vector<Tally>*>(owned); });
  return nb::make_tuple(Tallies(counts, {rows, kColumns}, owner), interrupted);
}

}  // namespace

void define_playouts(nb::module_& module) {
  module.def(
      "play", &play, nb::arg("game"), nb::arg("positions"), nb::arg("count"), nb::arg("seed"),
      nb::arg("backend"), nb::arg("threads"),
      "playproof.playouts() with everything said: the array, and whether it was interrupted.");
}

}  // namespace playproof::python
