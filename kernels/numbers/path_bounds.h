// What is proven of a node where positions can come again: some of it holds only on the path that
// led there. A position that repeats one before it on the path is a draw there, and maybe not after
// another path (the graph-history interaction: Campbell 1985; Kishimoto and Müller 2004).
#pragma once

#include "games/core/game.h"
#include "kernels/numbers/bounds.h"

namespace playproof {

// Two pairs of bounds, each backed up from those of the children: the pair that holds on this path,
// and the pair that holds whatever the path, which is never the tighter one. Whatever the path
// holds only what follows from finished positions by play that needs no repetition. A table keeps
// Bounds, so it takes whatever_the_path(); nothing turns the other pair into Bounds that a table
// would take for more than they are.
class PathBounds {
 public:
  // What rules and tables say.
  PP_HD static PathBounds whatever_the_path(Bounds bounds) { return {bounds, bounds}; }
  // The position ends the game by what came before it, with this value. `any`: what holds of every
  // position.
  PP_HD static PathBounds on_this_path(Value value, Bounds any) {
    return {Bounds::exact(value), any};
  }
  // These are as those of Bounds.
  PP_HD static PathBounds best(PathBounds a, PathBounds b) {
    return {Bounds::best(a.here_, b.here_), Bounds::best(a.whatever_, b.whatever_)};
  }
  PP_HD static PathBounds worst(PathBounds a, PathBounds b) {
    return {Bounds::worst(a.here_, b.here_), Bounds::worst(a.whatever_, b.whatever_)};
  }
  PP_HD static PathBounds both(PathBounds a, PathBounds b) {
    return {Bounds::both(a.here_, b.here_), Bounds::both(a.whatever_, b.whatever_)};
  }

  PP_HD Bounds whatever_the_path() const { return whatever_; }
  // These decide a claim where they stand, and nowhere else.
  PP_HD Value lower() const { return here_.lower(); }
  PP_HD Value upper() const { return here_.upper(); }
  PP_HD bool proves(Value threshold) const { return here_.proves(threshold); }
  PP_HD bool disproves(Value threshold) const { return here_.disproves(threshold); }
  PP_HD bool decides(Value threshold) const { return here_.decides(threshold); }
  // Is the claim decided here, but not whatever the path?
  PP_HD bool rests_on_path(Value threshold) const {
    return decides(threshold) && !whatever_.decides(threshold);
  }
  bool operator==(const PathBounds&) const = default;

 private:
  PP_HD PathBounds(Bounds here, Bounds whatever) : here_(here), whatever_(whatever) {}
  Bounds here_;
  Bounds whatever_;
};

// What is proven of the nodes of a game.
template <Game G>
struct BoundsOf {
  using Type = PathBounds;
};
template <AcyclicGame G>
struct BoundsOf<G> {
  using Type = Bounds;
};

}  // namespace playproof
