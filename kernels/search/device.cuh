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

namespace playproof {

inline constexpr unsigned kSearchThreads = 128;  // of a block
// Of an SM, at least: a bound on registers of which nothing is spilled (without one ptxas spills).
inline constexpr unsigned kSearchBlocks = 4;

// One round: what the threads share.
template <Game G, Scheme S>
struct SearchRound {
  const TreeRequest<G>* requests = nullptr;
  TreeResult* results = nullptr;
  SearchNode<typename S::Label>* nodes = nullptr;  // a share a thread
  std::uint32_t* next = nullptr;                   // of the queue; 0 at first
  std::uint32_t count = 0;
  std::uint32_t share = 0;    // nodes
  std::uint32_t threads = 0;  // that have one
};

template <Game G, Scheme S>
__global__ __launch_bounds__(kSearchThreads,
                             kSearchBlocks) void search_trees(typename G::Rules rules, S scheme,
                                                              TreeOptions options,
                                                              SearchRound<G, S> round) {
  const std::uint32_t thread = blockIdx.x * kSearchThreads + threadIdx.x;
  if (thread >= round.threads) return;
  auto* nodes = round.nodes + std::size_t{thread} * round.share;
  ThreadSearch<G, S> search(rules, scheme, options, nodes, round.share);
  std::uint32_t tree = 0;
  bool busy = false;
  // One iteration of each thread's tree at a time, so that the threads of a warp stay in step.
  while (true) {
    if (!busy) {
      tree = atomicAdd(round.next, 1u);
      if (tree >= round.count) return;
      search.begin(round.requests[tree]);
      busy = true;
    }
    if (search.iterate() == SearchEnd::kRunning) continue;
    round.results[tree] = search.result();
    busy = false;
  }
}

template <Game G, Scheme S>
class CudaSearches : public DeviceSearches<G, S> {
 public:
  using Node = SearchNode<typename S::Label>;

  CudaSearches(int ordinal, const typename G::Rules& rules, const S& scheme,
               const TreeOptions& options, const FleetLayout& layout)
      : ordinal_(ordinal), rules_(rules), scheme_(scheme), options_(options), layout_(layout) {}

  DeviceError search(std::span<const TreeRequest<G>> requests,
                     std::span<TreeResult> results) override {
    if (const DeviceError refused = refuse(requests)) return refused;
    DeviceError error = make_current(ordinal_);
    if (!error && nodes_ == nullptr) error = allocate(room(), &nodes_);
    if (!error && next_ == nullptr) error = allocate(1, &next_);
    std::vector<std::size_t> left(requests.size());
    std::iota(left.begin(), left.end(), std::size_t{0});
    std::uint64_t share = std::min<std::uint64_t>(layout_.least_share, room());
    while (!error && !left.empty()) {
      error = run(requests, left, static_cast<std::uint32_t>(share), results);
      std::erase_if(left, [&](std::size_t i) { return results[i].end != SearchEnd::kOutgrown; });
      if (share == room()) break;
      share = std::min<std::uint64_t>(share * layout_.growth, room());
    }
    return error;
  }

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
  std::size_t room() const {  // nodes of all trees together; indices have 32 bits
    return std::clamp<std::size_t>(layout_.bytes / sizeof(Node), 1, 0xffffffffu);
  }
  // The searches `which`, with so many nodes each.
  DeviceError run(std::span<const TreeRequest<G>> requests, const std::vector<std::size_t>& which,
                  std::uint32_t share, std::span<TreeResult> results) {
    HostArray<TreeRequest<G>> staged;
    HostArray<TreeResult> answers;
    DeviceArray<TreeRequest<G>> device_requests;
    DeviceArray<TreeResult> device_results;
    DeviceError error = allocate(which.size(), &staged);
    if (!error) error = allocate(which.size(), &answers);
    if (!error) error = allocate(which.size(), &device_requests);
    if (!error) error = allocate(which.size(), &device_results);
    if (error) return error;
    for (std::size_t i = 0; i < which.size(); ++i) staged[i] = requests[which[i]];
    SearchRound<G, S> round;
    round.requests = device_requests.get();
    round.results = device_results.get();
    round.nodes = nodes_.get();
    round.next = next_.get();
    round.count = static_cast<std::uint32_t>(which.size());
    round.share = share;
    round.threads = static_cast<std::uint32_t>(
        std::min<std::size_t>({which.size(), room() / share, layout_.most_threads}));
    error = cuda_error(cudaMemcpy(device_requests.get(), staged.get(),
                                  which.size() * sizeof(TreeRequest<G>), cudaMemcpyHostToDevice),
                       "cudaMemcpy");
    if (!error) {
      error =
          cuda_error(cudaMemsetAsync(next_.get(), 0, sizeof *round.next, nullptr), "cudaMemset");
    }
    if (!error) {
      error = launch_kernel("search_trees<<<>>>", search_trees<G, S>,
                            blocks_of(round.threads, kSearchThreads), kSearchThreads, 0, nullptr,
                            rules_, scheme_, options_, round);
    }
    if (!error) error = cuda_error(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    if (!error) {
      error = cuda_error(cudaMemcpy(answers.get(), device_results.get(),
                                    which.size() * sizeof(TreeResult), cudaMemcpyDeviceToHost),
                         "cudaMemcpy");
    }
    for (std::size_t i = 0; !error && i < which.size(); ++i) results[which[i]] = answers[i];
    return error;
  }

  int ordinal_;
  typename G::Rules rules_;
  S scheme_;
  TreeOptions options_;
  FleetLayout layout_;
  DeviceArray<Node> nodes_;
  DeviceArray<std::uint32_t> next_;
};

template <Game G, Scheme S>
DeviceError open_device_searches(int ordinal, const typename G::Rules& rules, const S& scheme,
                                 const TreeOptions& options, const FleetLayout& layout,
                                 std::unique_ptr<DeviceSearches<G, S>>* searches) {
  searches->reset();
  std::string name;
  const DeviceError error = select_device(ordinal, &name);
  if (error) return error;
  *searches = std::make_unique<CudaSearches<G, S>>(ordinal, rules, scheme, options, layout);
  return error;
}

}  // namespace playproof
