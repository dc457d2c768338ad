// Connect on CUDA: four threads are a word of 32 games, a block a warp. Its units (device.h) have
// their part of the block's memory behind that of the words.
#include <string>

#include "kernels/connect/device.h"
#include "kernels/device/device_launch.cuh"
#include "kernels/device/work_items.cuh"

namespace playproof {
namespace {

struct DeviceAtomics {
  __device__ static std::uint32_t add(std::uint32_t* to, std::uint32_t value) {
    return atomicAdd(to, value);
  }
  __device__ static std::uint32_t set(std::uint32_t* in, std::uint32_t bits) {
    return atomicOr(in, bits);
  }
};

// Which threads of the warp are this one's unit.
struct UnitPlace {
  unsigned number = 0;  // of the warp's units
  unsigned first = 0;   // thread of the unit
  std::uint32_t members = 0;
};

__device__ UnitPlace find_unit(const WorkItem& item) {
  const unsigned lane = threadIdx.x % kWarp;
  const std::uint32_t group = item.word / kConnectGroupWords;
  const std::uint32_t request_before = __shfl_up_sync(kWholeWarp, item.request, 1);
  const std::uint32_t group_before = __shfl_up_sync(kWholeWarp, group, 1);
  const bool head = lane == 0 || request_before != item.request || group_before != group;
  const std::uint32_t heads = __ballot_sync(kWholeWarp, head);
  const std::uint32_t up_to_here = lane_mask(lane + 1);
  UnitPlace place;
  place.number = static_cast<unsigned>(__popc(heads & up_to_here)) - 1;
  place.first = 31 - static_cast<unsigned>(__clz(static_cast<int>(heads & up_to_here)));
  const std::uint32_t later = heads & ~up_to_here;
  const unsigned end =
      later == 0 ? kWarp : static_cast<unsigned>(__ffs(static_cast<int>(later))) - 1;
  place.members = lane_mask(end) & ~(lane_mask(place.first + 1) >> 1);
  return place;
}

// Takes the cells of a round and ends the games that lines through them decide. The threads of a
// unit that does not play keep the others company.
template <int kLine, class Unit>
__device__ void take_round(const ConnectBoard& board, const ConnectRound& round, bool playing,
                           const Unit& unit, ConnectWord& games) {
  bool found = playing && unit.take(board, round.first, 0);
  __syncwarp();
  if (playing) found |= unit.take(board, round.second, 1);
  if (!__any_sync(kWholeWarp, found)) return;
  __syncwarp();
  ConnectLanes lanes[2];
  if (playing) unit.template look<kLine>(board, games.planes(), lanes);
#pragma unroll
  for (ConnectLanes& block : lanes) {
#pragma unroll
    for (unsigned with = 1; with < kConnectThreads; with *= 2) {
      block.black |= __shfl_xor_sync(kWholeWarp, block.black, with);
      block.white |= __shfl_xor_sync(kWholeWarp, block.white, with);
    }
    games.settle(block);
  }
}

// Where what is in a block's memory begins.
struct MemoryLayout {
  unsigned planes = kWarp * kConnectAhead;
  unsigned units;

  __host__ __device__ explicit MemoryLayout(const ConnectBoard& board)
      : units(planes + kConnectWarpWords * board.word_words()) {}
};

// kLine is how many stones in a row win, or 0 if any number.
template <int W, int kLine>
__global__ __launch_bounds__(kWarp) void play_connect(typename Connect<W>::Rules rules,
                                                      ConnectBoard board, unsigned units,
                                                      DeviceBatch<Connect<W>> batch) {
  using G = Connect<W>;
  std::uint32_t* const memory = block_memory();
  const MemoryLayout at(board);
  const unsigned word = threadIdx.x / kConnectThreads;  // of the warp
  const WorkItem item = find_item(batch, std::uint64_t{blockIdx.x} * kConnectWarpWords + word);
  const LeafRequest<G>& leaf = batch.requests[item.request];
  const UnitPlace place = find_unit(item);
  if (place.number >= units) __trap();  // the host counts them: most_connect_units()
  const auto thread = ConnectThread::of(threadIdx.x - place.first,
                                        static_cast<std::uint32_t>(__popc(place.members)));
  const RandomKey& key = leaf.key;
  ConnectUnit<DeviceAtomics> unit(board, memory + at.units + place.number * board.unit_words(),
                                  memory + kConnectAhead * place.first, thread, key,
                                  item.word / kConnectGroupWords);
  const auto m = static_cast<std::uint32_t>(rules.cells - leaf.state.count);
  const bool black = G::to_move(rules, leaf.state) == Player::kFirst;
  ConnectWord games(thread, key, item.word, item.lanes, black,
                    ConnectPlanes(memory + at.planes + word));
  unit.template begin<W>(board, leaf.state);
  __syncwarp();
  unit.template begin_order<W>(board, leaf.state, m);
  __syncwarp();
  unit.begin_lines(board, m);
  const auto left = static_cast<std::uint32_t>(G::stones_left_in_turn(rules, leaf.state));
  const auto first = ConnectBlock::make(0, left, board.stones, m, 0);
  for (auto round = ConnectRound::make(board, first, m);; round = round.next(board, m)) {
    const std::uint32_t all = __ballot_sync(kWholeWarp, games.playing() && round.at() < m);
    if (all == 0) break;
    const bool playing = (all & place.members) != 0;
    if (playing) {
      unit.prepare(round);
      games.prepare(board, round);
    }
    __syncwarp();
    if (playing) unit.draw(round, m);
    __syncwarp();
    if (playing) unit.own(round, black);
    take_round<kLine>(board, round, playing, unit, games);
  }
  const bool counts = thread.part == 0;
  add_outcomes(batch.counts, item.request, counts ? games.outcome() : WordOutcome{});
  finish_batch(batch);
}

template <int W, int kLine>
struct ConnectLaunch {
  typename Connect<W>::Rules rules;

  DeviceError operator()(const DeviceBatch<Connect<W>>& batch,
                         const LeafRequest<Connect<W>>* requests, const std::uint64_t* ends,
                         cudaStream_t stream) const {
    const ConnectBoard board = ConnectBoard::of<W>(rules);
    const unsigned units = most_connect_units(batch.size, [&](std::size_t i) {
      return ConnectRun{requests[i].first / kLanes, ends[i] - (i == 0 ? 0 : ends[i - 1])};
    });
    const std::size_t bytes =
        (MemoryLayout(board).units + units * board.unit_words()) * sizeof(std::uint32_t);
    return launch_kernel("play_connect<<<>>>", play_connect<W, kLine>,
                         blocks_of(batch.words, kConnectWarpWords), kWarp, bytes, stream, rules,
                         board, units, batch);
  }
};

template <int W, int kLine>
DeviceError open_connect(int ordinal, const typename Connect<W>::Rules& rules,
                         std::unique_ptr<PlayoutDevice<Connect<W>>>* device) {
  device->reset();
  std::string name;
  DeviceError error = select_device(ordinal, &name);
  if (!error) error = allow_memory(ordinal, play_connect<W, kLine>);
  if (error) return error;
  make_batches<Connect<W>>(ordinal, name, rules, ConnectLaunch<W, kLine>{rules}, device);
  return error;
}

}  // namespace

template <>
DeviceError open_playout_device<Connect<1>>(int ordinal, const Connect<1>::Rules& rules,
                                            std::unique_ptr<PlayoutDevice<Connect<1>>>* device) {
  return open_connect<1, 0>(ordinal, rules, device);
}

template <>
DeviceError open_playout_device<Connect<6>>(int ordinal, const Connect<6>::Rules& rules,
                                            std::unique_ptr<PlayoutDevice<Connect<6>>>* device) {
  if (rules.connect == 6) return open_connect<6, 6>(ordinal, rules, device);
  return open_connect<6, 0>(ordinal, rules, device);
}

}  // namespace playproof
