// Layer by layer down to the leaves, and their values up again: a transformation, then a reduction
// by segments. nvcc builds this for CUDA, g++ for one of Thrust's CPU systems (tests/thrust).
#include "kernels/pgame/values.h"

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>

#include <algorithm>

#include "kernels/device/thrust_result.cuh"

namespace playproof {
namespace {

using Index = std::uint64_t;
using Layer = thrust::device_vector<PGame::State>;
using Values = thrust::device_vector<Value>;

// Child i of a layer: child i mod B of its position i / B.
struct ChildOf {
  PGame::Rules rules;
  const PGame::State* parents;
  PP_HD PGame::State operator()(Index i) const {
    PGame::State s = parents[i / rules.branching];
    PGame::play(rules, s, static_cast<Move>(i % rules.branching));
    return s;
  }
};
struct ParentOf {
  Index branching;
  PP_HD Index operator()(Index i) const { return i / branching; }
};
struct ValueOf {
  PGame::Rules rules;
  PP_HD Value operator()(const PGame::State& s) const { return PGame::value(rules, s); }
};
// What the side to move picks.
struct Best {
  bool max_moves;
  PP_HD Value operator()(Value a, Value b) const { return (a > b) == max_moves ? a : b; }
};

class Solver {
 public:
  Solver(const PGame::Rules& rules, std::size_t width)
      : rules_(rules), step_(std::max<std::size_t>(1, width / rules.branching)) {}

  // The values of positions of ply `ply`.
  Values solve(const Layer& layer, std::uint32_t ply) const {
    Values values(layer.size());
    if (ply >= rules_.depth) {
      thrust::transform(layer.begin(), layer.end(), values.begin(), ValueOf{rules_});
      return values;
    }
    for (std::size_t at = 0; at < layer.size(); at += step_) {
      const std::size_t count = std::min(step_, layer.size() - at);
      Layer children(count * rules_.branching);
      const thrust::counting_iterator<Index> first(0);
      const auto end = first + static_cast<std::ptrdiff_t>(children.size());
      thrust::transform(first, end, children.begin(),
                        ChildOf{rules_, thrust::raw_pointer_cast(layer.data()) + at});
      const Values of_children = solve(children, ply + 1);
      const ParentOf parent = {rules_.branching};
      thrust::reduce_by_key(thrust::make_transform_iterator(first, parent),
                            thrust::make_transform_iterator(end, parent), of_children.begin(),
                            thrust::make_discard_iterator(),
                            values.begin() + static_cast<std::ptrdiff_t>(at),
                            thrust::equal_to<Index>(), Best{ply % 2 == 0});
    }
    return values;
  }

 private:
  PGame::Rules rules_;
  std::size_t step_;  // positions whose children are made at a time
};

}  // namespace

DeviceError pgame_values(int ordinal, const PGame::Rules& rules,
                         std::span<const PGame::State> positions, Value* values,
                         std::size_t width) {
  if (positions.empty()) return {};
  return run_thrust(ordinal, "pgame_values", [&] {
    const Layer layer(positions.begin(), positions.end());
    const Values found = Solver(rules, width).solve(layer, positions.front().ply);
    thrust::copy(found.begin(), found.end(), values);
  });
}

}  // namespace playproof
