// A transformation from parents to children, a search from each position of the last layer, a
// reduction by segments from children to parents. nvcc builds this for CUDA, g++ for one of
// Thrust's CPU systems (tests/thrust).
#include "kernels/pgame/values.h"

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>

#include "kernels/device/thrust_memory.cuh"
#include "kernels/device/thrust_result.cuh"
#include "kernels/pgame/search.h"

namespace playproof {
namespace {

using Index = std::uint64_t;
using Layer = PooledVector<PGame::State>;
using Values = PooledVector<Value>;

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
  PP_HD Value operator()(const PGame::State& s) const {
    PGameSearch search(rules, s, -1, 1);
    search.run(~std::uint64_t{0});
    return search.value();
  }
};
// What the side to move picks.
struct Best {
  bool max_moves;
  PP_HD Value operator()(Value a, Value b) const { return (a > b) == max_moves ? a : b; }
};

class Solver {
 public:
  Solver(const PGame::Rules& rules, std::size_t width, MemoryPool& pool)
      : rules_(rules), width_(width), memory_(&pool) {}

  // The values of positions of ply `ply`.
  Values solve(const Layer& layer, std::uint32_t ply) const {
    const auto policy = thrust::device(memory_);
    Values values(layer.size(), memory_);
    if (ply >= rules_.depth || layer.size() > width_ / rules_.branching) {
      thrust::transform(policy, layer.begin(), layer.end(), values.begin(), ValueOf{rules_});
      return values;
    }
    Layer children(layer.size() * rules_.branching, memory_);
    const thrust::counting_iterator<Index> first(0);
    const auto end = first + static_cast<std::ptrdiff_t>(children.size());
    thrust::transform(policy, first, end, children.begin(),
                      ChildOf{rules_, thrust::raw_pointer_cast(layer.data())});
    const Values of_children = solve(children, ply + 1);
    const ParentOf parent = {rules_.branching};
    thrust::reduce_by_key(policy, thrust::make_transform_iterator(first, parent),
                          thrust::make_transform_iterator(end, parent), of_children.begin(),
                          thrust::make_discard_iterator(), values.begin(),
                          thrust::equal_to<Index>(), Best{ply % 2 == 0});
    return values;
  }

 private:
  PGame::Rules rules_;
  std::size_t width_;
  PooledAllocator<char> memory_;
};

}  // namespace

DeviceError pgame_values(int ordinal, const PGame::Rules& rules,
                         std::span<const PGame::State> positions, Value* values,
                         std::size_t width) {
  if (positions.empty()) return {};
  return run_thrust(ordinal, "pgame_values", [&] {
    MemoryPool& pool = memory_pool(ordinal);
    const Layer layer(positions.begin(), positions.end(), PooledAllocator<char>(&pool));
    const Values found = Solver(rules, width, pool).solve(layer, positions.front().ply);
    thrust::copy(found.begin(), found.end(), values);
  });
}

}  // namespace playproof
