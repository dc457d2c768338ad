// Whole searches on CUDA: persistent threads, each of which takes one tree after the other from a
// queue, so that a long one holds nobody else's place.
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "kernels/device/device_launch.cuh"
#include "kernels/search/device_searches.h"
#include "kernels/search/growing_search.h"
#include "kernels/search/thread_mcts.h"
#include "kernels/search/thread_search.h"

namespace playproof {

inline constexpr unsigned kSearchThreads = 128;  // of a block
// An SM has so many blocks, at least: a bound on registers of which nothing is spilled (without one
// ptxas spills).
inline constexpr unsigned kSearchBlocks = 4;
inline constexpr std::uint32_t kBetweenLooks = 256;  // iterations: the host's memory is far away

// What one thread does.
template <Game G, class S>
struct ThreadSearchBy {
  using Type = ThreadSearch<G, S>;
};
template <Game G>
struct ThreadSearchBy<G, MctsRule> {
  using Type = ThreadMcts<G>;
};

// One round: what the threads share.
template <Game G, class S>
struct SearchRound {
  const TreeRequest<G>* requests = nullptr;
  TreeResult* results = nullptr;
  CurvePoint* points = nullptr;  // of each curve as many
  std::uint32_t curve = 0;
  const volatile std::uint32_t* stop = nullptr;    // of the host, whose memory it is; not 0: end
  SearchNode<typename S::Label>* nodes = nullptr;  // a share a thread
  std::uint32_t* next = nullptr;                   // of the queue; 0 at first
  unsigned long long* taken = nullptr;  // nodes: the shares at first, then what is added to them
  std::uint64_t room = 0;               // nodes in all
  std::uint32_t growth = 0;             // how many times as much a tree goes on with
  std::uint32_t count = 0;
  std::uint32_t share = 0;    // nodes
  std::uint32_t threads = 0;  // that have one
};

// Gives a search that has outgrown its memory more of it. False if there is none.
template <Game G, class S, class Search>
__device__ bool grow(const SearchRound<G, S>& round, Search& search) {
  const std::uint64_t more = std::uint64_t{search.room()} * round.growth;
  if (more > round.room || more > 0xffffffffu) return false;
  const std::uint64_t from = atomicAdd(round.taken, static_cast<unsigned long long>(more));
  if (from > round.room - more) return false;
  search.move_to(round.nodes + from, static_cast<std::uint32_t>(more));
  return true;
}

template <Game G, class S>
__global__ __launch_bounds__(kSearchThreads,
                             kSearchBlocks) void search_trees(typename G::Rules rules, S scheme,
                                                              TreeOptions options,
                                                              SearchRound<G, S> round) {
  const std::uint32_t thread = blockIdx.x * kSearchThreads + threadIdx.x;
  if (thread >= round.threads) return;
  auto* nodes = round.nodes + std::size_t{thread} * round.share;
  GrowingSearch<typename ThreadSearchBy<G, S>::Type> search(rules, scheme, options, nodes,
                                                            round.share);
  std::uint32_t tree = 0;
  bool busy = false;
  // One iteration of each thread's tree at a time, so that the threads of a warp stay in step.
  for (std::uint32_t turn = 0;; ++turn) {
    if (turn % kBetweenLooks == 0 && *round.stop != 0) return;
    if (!busy) {
      tree = atomicAdd(round.next, 1u);
      if (tree >= round.count) return;
      search.begin(round.requests[tree],
                   {round.points + std::size_t{tree} * round.curve, round.curve});
      busy = true;
    }
    const SearchEnd end = search.iterate();
    if (end == SearchEnd::kRunning) continue;
    if (end == SearchEnd::kOutgrown && grow(round, search)) continue;
    round.results[tree] = search.result();
    busy = false;
  }
}

// What goes to the device and comes back, kept from round to round.
template <Game G>
struct RoundBuffers {
  HostArray<TreeRequest<G>> requests;
  HostArray<TreeResult> results;
  HostArray<CurvePoint> points;
  DeviceArray<TreeRequest<G>> device_requests;
  DeviceArray<TreeResult> device_results;
  DeviceArray<CurvePoint> device_points;
  std::size_t count = 0;
  std::size_t point_count = 0;

  DeviceError reserve(std::size_t wanted, std::size_t wanted_points) {
    DeviceError error;
    if (wanted > count) {
      count = 0;
      error = allocate(wanted, &requests);
      if (!error) error = allocate(wanted, &results);
      if (!error) error = allocate(wanted, &device_requests);
      if (!error) error = allocate(wanted, &device_results);
      if (!error) count = wanted;
    }
    if (!error && wanted_points > point_count) {
      point_count = 0;
      error = allocate(wanted_points, &points);
      if (!error) error = allocate(wanted_points, &device_points);
      if (!error) point_count = wanted_points;
    }
    return error;
  }
  DeviceError send(std::size_t wanted, std::size_t wanted_points) {
    DeviceError error =
        cuda_error(cudaMemcpy(device_requests.get(), requests.get(),
                              wanted * sizeof(TreeRequest<G>), cudaMemcpyHostToDevice),
                   "cudaMemcpy");
    // What is not begun has not ended.
    if (!error) {
      error =
          cuda_error(cudaMemsetAsync(device_results.get(), 0, wanted * sizeof(TreeResult), nullptr),
                     "cudaMemsetAsync");
    }
    if (error || wanted_points == 0) return error;
    return cuda_error(
        cudaMemsetAsync(device_points.get(), 0, wanted_points * sizeof(CurvePoint), nullptr),
        "cudaMemsetAsync");
  }
  DeviceError receive(std::size_t wanted, std::size_t wanted_points) {
    const DeviceError error =
        cuda_error(cudaMemcpy(results.get(), device_results.get(), wanted * sizeof(TreeResult),
                              cudaMemcpyDeviceToHost),
                   "cudaMemcpy");
    if (error || wanted_points == 0) return error;
    return cuda_error(cudaMemcpy(points.get(), device_points.get(),
                                 wanted_points * sizeof(CurvePoint), cudaMemcpyDeviceToHost),
                      "cudaMemcpy");
  }
};

template <Game G, class S>
class CudaSearches : public DeviceSearches<G> {
 public:
  using Node = SearchNode<typename S::Label>;

  CudaSearches(int ordinal, std::string device, const typename G::Rules& rules, const S& scheme,
               const TreeOptions& options, const FleetLayout& layout)
      : ordinal_(ordinal),
        device_(std::move(device)),
        rules_(rules),
        scheme_(scheme),
        options_(options),
        layout_(layout) {}

  // Before it is used. The memory of the trees is had when the first ones are searched.
  DeviceError reserve() {
    DeviceError error = make_current(ordinal_);
    if (!error) error = allocate(1, &next_);
    if (!error) error = allocate(1, &taken_);
    if (!error) error = allocate(1, &stop_);
    if (!error) *stop_flag() = 0;
    return error;
  }
  DeviceError search(std::span<const TreeRequest<G>> requests, std::span<TreeResult> results,
                     std::span<CurvePoint> points) override {
    if (const DeviceError refused = refuse(requests)) return refused;
    DeviceError error = make_current(ordinal_);
    if (!error && nodes_ == nullptr) error = reserve_nodes();
    std::vector<std::size_t> left(requests.size());
    std::iota(left.begin(), left.end(), std::size_t{0});
    const std::uint64_t most = std::min<std::uint64_t>(room_, 0xffffffffu);
    std::uint64_t share = std::min<std::uint64_t>(layout_.least_share, most);
    while (!error && !left.empty()) {
      error = run(requests, left, static_cast<std::uint32_t>(share), results, points);
      std::erase_if(left, [&](std::size_t i) { return results[i].end != SearchEnd::kOutgrown; });
      if (share == most || left.size() < layout_.least_again || *stop_flag() != 0) break;
      share = std::min<std::uint64_t>(share * layout_.growth, most);
    }
    *stop_flag() = 0;
    return error;
  }
  void interrupt() override { *stop_flag() = 1; }
  std::string device() const override { return device_; }
  std::size_t node_bytes() const override { return sizeof(Node); }

 private:
  // Before anything starts.
  DeviceError refuse(std::span<const TreeRequest<G>> requests) const {
    DeviceError error;
    error.code = cudaErrorInvalidValue;
    error.call = "search_trees";
    error.text = "a position that is finished: nothing is to be searched";
    for (const TreeRequest<G>& request : requests) {
      if (G::finished(rules_, request.position)) return error;
    }
    if constexpr (S::kPlayouts) {
      error.text = "leaves without playouts: at least 1 is needed";
      if (scheme_.playouts < 1) return error;
    }
    return {};
  }
  volatile std::uint32_t* stop_flag() const { return stop_.get(); }
  // Reserves as much as is wanted, or what there is.
  DeviceError reserve_nodes() {
    std::size_t bytes = layout_.bytes;
    for (const DeviceInfo& device : list_devices()) {
      if (layout_.bytes == 0 && device.ordinal == ordinal_) bytes = device.memory_bytes / 2;
    }
    DeviceError error;
    for (room_ = std::max<std::size_t>(bytes / sizeof(Node), 1); room_ > 0; room_ /= 2) {
      error = allocate(room_, &nodes_);
      if (!error.out_of_memory) break;
    }
    return error;
  }
  // The searches `which`, with so many nodes each.
  DeviceError run(std::span<const TreeRequest<G>> requests, const std::vector<std::size_t>& which,
                  std::uint32_t share, std::span<TreeResult> results,
                  std::span<CurvePoint> points) {
    const std::size_t count = which.size();
    const std::size_t curve = points.size() / requests.size();
    DeviceError error = buffers_.reserve(count, count * curve);
    if (error) return error;
    for (std::size_t i = 0; i < count; ++i) buffers_.requests[i] = requests[which[i]];
    SearchRound<G, S> round;
    round.requests = buffers_.device_requests.get();
    round.results = buffers_.device_results.get();
    round.points = buffers_.device_points.get();
    round.curve = static_cast<std::uint32_t>(curve);
    round.stop = stop_.get();
    round.nodes = nodes_.get();
    round.next = next_.get();
    round.taken = taken_.get();
    round.room = room_;
    round.growth = layout_.growth;
    round.count = static_cast<std::uint32_t>(count);
    round.share = share;
    round.threads = static_cast<std::uint32_t>(
        std::min<std::size_t>({count, room_ / share, layout_.most_threads}));
    error = buffers_.send(count, count * curve);
    if (!error) {
      error = cuda_error(cudaMemsetAsync(next_.get(), 0, sizeof *round.next, nullptr),
                         "cudaMemsetAsync");
    }
    const unsigned long long shares = std::uint64_t{round.threads} * share;
    if (!error) {
      error = cuda_error(cudaMemcpy(taken_.get(), &shares, sizeof shares, cudaMemcpyHostToDevice),
                         "cudaMemcpy");
    }
    if (!error) {
      error = launch_kernel("search_trees<<<>>>", search_trees<G, S>,
                            blocks_of(round.threads, kSearchThreads), kSearchThreads, 0, nullptr,
                            rules_, scheme_, options_, round);
    }
    if (!error) error = cuda_error(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    if (!error) error = buffers_.receive(count, count * curve);
    for (std::size_t i = 0; !error && i < count; ++i) {
      results[which[i]] = buffers_.results[i];
      std::copy_n(buffers_.points.get() + i * curve,
                  std::min<std::uint64_t>(curve, buffers_.results[i].points),
                  points.data() + which[i] * curve);
    }
    return error;
  }

  int ordinal_;
  std::string device_;
  typename G::Rules rules_;
  S scheme_;
  TreeOptions options_;
  FleetLayout layout_;
  std::size_t room_ = 0;  // nodes
  DeviceArray<Node> nodes_;
  DeviceArray<std::uint32_t> next_;
  DeviceArray<unsigned long long> taken_;
  HostArray<std::uint32_t> stop_;
  RoundBuffers<G> buffers_;
};

template <Game G, class S>
DeviceError SearchesBy<G, S>::open(int ordinal, const typename G::Rules& rules, const S& scheme,
                                   const TreeOptions& options, const FleetLayout& layout,
                                   std::unique_ptr<DeviceSearches<G>>* searches) {
  searches->reset();
  std::string name;
  DeviceError error = select_device(ordinal, &name);
  if (error) return error;
  auto opened = std::make_unique<CudaSearches<G, S>>(ordinal, name, rules, scheme, options, layout);
  error = opened->reserve();
  if (!error) *searches = std::move(opened);
  return error;
}

}  // namespace playproof
