// Connect on CUDA: a thread is a word of 32 games, a block a warp. Its units (connect_device.h)
// have their part of the block's memory behind that of the threads.
#include <string>

#include "kernels/connect/device.h"
#include "kernels/device/device_launch.cuh"
#include "kernels/device/work_items.cuh"

namespace playproof {
namespace {

// Which threads of the warp are this one's unit.
struct UnitPlace {
  unsigned number = 0;  // of the warp's units
  bool leader = false;
  std::uint32_t members = 0;
};

template <class G>
__device__ UnitPlace find_unit(const WorkItem& item) {
  const unsigned lane = threadIdx.x % kWarp;
  const std::uint32_t group = item.word / kConnectGroupWords;
  const std::uint32_t request_before = __shfl_up_sync(kWholeWarp, item.request, 1);
  const std::uint32_t group_before = __shfl_up_sync(kWholeWarp, group, 1);
  UnitPlace place;
  place.leader = lane == 0 || request_before != item.request || group_before != group;
  const std::uint32_t heads = __ballot_sync(kWholeWarp, place.leader);
  const std::uint32_t up_to_here = lane_mask(lane + 1);
  place.number = static_cast<unsigned>(__popc(heads & up_to_here)) - 1;
  const unsigned begin = 31 - static_cast<unsigned>(__clz(static_cast<int>(heads & up_to_here)));
  const std::uint32_t later = heads & ~up_to_here;
  const unsigned end =
      later == 0 ? kWarp : static_cast<unsigned>(__ffs(static_cast<int>(later))) - 1;
  place.members = lane_mask(end) & ~(lane_mask(begin + 1) >> 1);
  return place;
}

template <int W>
__global__ __launch_bounds__(kWarp) void play_connect(typename Connect<W>::Rules rules,
                                                      const ConnectLines* lines, unsigned units,
                                                      DeviceBatch<Connect<W>> batch) {
  using G = Connect<W>;
  using Planes = ThreadWords<kWarp>;
  std::uint32_t* const memory = block_memory();
  const ConnectBoard board = ConnectBoard::of<W>(rules, lines);
  const WorkItem item = find_item(batch, std::uint64_t{blockIdx.x} * kWarp + threadIdx.x);
  const LeafRequest<G>& leaf = batch.requests[item.request];
  const UnitPlace place = find_unit<G>(item);
  if (place.number >= units) __trap();  // the host counts them: most_connect_units()
  std::uint32_t* shared = memory + kWarp * board.thread_words() + place.number * board.unit_words();
  const ConnectUnit unit(board, reinterpret_cast<std::byte*>(shared));
  if (place.leader) unit.template begin<W>(board, leaf.state);
  const auto m = static_cast<std::uint32_t>(rules.cells - leaf.state.count);
  const bool black = G::to_move(rules, leaf.state) == Player::kFirst;
  const RandomKey key = leaf.key;
  RollingWords random(key, kGroupFlag | (item.word / kConnectGroupWords));
  ConnectWord<Planes> games(key, item.word, item.lanes, black, Planes(memory + threadIdx.x));
  const auto left = static_cast<std::uint32_t>(G::stones_left_in_turn(rules, leaf.state));
  ConnectBlock block = ConnectBlock::make(0, left, board.stones, m, 0);
  for (;; block = block.next(board.stones, m)) {
    const bool playing = games.playing() && block.at < m;
    const std::uint32_t all = __ballot_sync(kWholeWarp, playing);
    if (all == 0) break;
    if (place.leader && (all & place.members) != 0) unit.draw(board, block, m, black, random);
    __syncwarp();
    if (playing) games.play(board, unit, block);
    __syncwarp();
  }
  add_outcomes(batch.counts, item.request, games.outcome());
  finish_batch(batch);
}

template <int W>
struct ConnectLaunch {
  typename Connect<W>::Rules rules;
  std::shared_ptr<ConnectLines> lines;  // on the device

  DeviceError operator()(const DeviceBatch<Connect<W>>& batch,
                         const LeafRequest<Connect<W>>* requests, const std::uint64_t* ends,
                         cudaStream_t stream) const {
    const ConnectBoard board = ConnectBoard::of<W>(rules, lines.get());
    const unsigned units = most_connect_units(batch.size, [&](std::size_t i) {
      return ConnectRun{requests[i].first / kLanes, ends[i] - (i == 0 ? 0 : ends[i - 1])};
    });
    const std::size_t bytes =
        (kWarp * board.thread_words() + units * board.unit_words()) * sizeof(std::uint32_t);
    return launch_kernel("play_connect<<<>>>", play_connect<W>, blocks_of(batch.words, kWarp),
                         kWarp, bytes, stream, rules, lines.get(), units, batch);
  }
};

template <int W>
DeviceError open_connect(int ordinal, const typename Connect<W>::Rules& rules,
                         std::unique_ptr<PlayoutDevice<Connect<W>>>* device) {
  device->reset();
  std::string name;
  DeviceError error = select_device(ordinal, &name);
  if (!error) error = allow_memory(ordinal, play_connect<W>);
  if (error) return error;
  const ConnectLines lines = ConnectLines::of(rules.rows, rules.columns, rules.connect);
  void* copy = nullptr;
  error = cuda_error(cudaMalloc(&copy, sizeof lines), "cudaMalloc");
  if (error) return error;
  const ConnectLaunch<W> launch = {rules, {static_cast<ConnectLines*>(copy), FreeDevice{}}};
  error = cuda_error(cudaMemcpy(copy, &lines, sizeof lines, cudaMemcpyHostToDevice), "cudaMemcpy");
  // It may still be on its way when cudaMemcpy() returns, and kernels on other streams would not
  // wait for it.
  if (!error) error = cuda_error(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
  if (!error) make_batches<Connect<W>>(ordinal, name, rules, launch, device);
  return error;
}

}  // namespace

template <>
DeviceError open_playout_device<Connect<1>>(int ordinal, const Connect<1>::Rules& rules,
                                            std::unique_ptr<PlayoutDevice<Connect<1>>>* device) {
  return open_connect<1>(ordinal, rules, device);
}

template <>
DeviceError open_playout_device<Connect<6>>(int ordinal, const Connect<6>::Rules& rules,
                                            std::unique_ptr<PlayoutDevice<Connect<6>>>* device) {
  return open_connect<6>(ordinal, rules, device);
}

}  // namespace playproof
