// Whole searches on CUDA: persistent threads, each of which takes one tree after the other from a
// queue, so that a long one holds nobody else's place.
#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kernels/device/device_launch.cuh"
#include "kernels/numbers/phi_delta.h"
#include "kernels/search/device_searches.h"
#include "kernels/search/growing_search.h"
#include "kernels/search/leaf_pool.cuh"
#include "kernels/search/thread_mcts.h"
#include "kernels/search/thread_search.h"

namespace playproof {

inline constexpr unsigned kSearchThreads = 128;  // of a block
// An SM has so many blocks, at least: a bound on registers of which nothing is spilled (without one
// ptxas spills).
inline constexpr unsigned kSearchBlocks = 4;
inline constexpr std::uint32_t kBetweenLooks = 64;  // iterations: the host's memory is far away

// What one thread does.
template <Game G, class S>
struct ThreadSearchBy {
  using Type = ThreadSearch<G, S>;
};
template <Game G>
struct ThreadSearchBy<G, MctsRule> {
  using Type = ThreadMcts<G>;
};

// What a thread was at when its last launch ended.
template <class Label>
struct PausedThread {
  enum class State : std::uint32_t { kNew, kIdle, kBusy, kDone };
  State state;         // kDone: the queue is empty
  std::uint32_t tree;  // kBusy: that it searches
  SearchNode<Label>* nodes;
  std::uint32_t room;  // nodes
  PausedTree search;
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
  std::uint32_t share = 0;                            // nodes
  std::uint32_t threads = 0;                          // that have one
  std::uint32_t turns = 0;                            // iterations of a thread in this launch
  PausedThread<typename S::Label>* paused = nullptr;  // one a thread
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

// Do the threads of a warp play the leaves of their trees together?
template <Game G, class S>
inline constexpr bool kPlaysTogether = false;
template <Game G, Scheme S>
inline constexpr bool kPlaysTogether<G, S> = S::kPlayouts&& kPooled<G>;

// One iteration of each thread's tree that is `there`. All threads of a warp call it.
template <Game G, class S, class Search>
__device__ SearchEnd iterate(const typename G::Rules& rules, const S& scheme,
                             const SearchRound<G, S>& round, Search& search, bool there) {
  SearchEnd end = SearchEnd::kRunning;
  if constexpr (kPlaysTogether<G, S>) {
    bool expanded = false;
    if (there) {
      do {
        expanded = search.extend();
      } while (search.outgrown() && grow(round, search));
    }
    __shared__ LeafPool<G> pools[kSearchThreads / kWarp];
    pools[threadIdx.x / kWarp].play(rules, search, expanded,
                                    static_cast<std::uint32_t>(scheme.playouts));
    if (there) end = search.conclude(expanded);
  } else if (there) {
    do {
      end = search.iterate();
    } while (end == SearchEnd::kOutgrown && grow(round, search));
  }
  return end;
}

template <Game G, class S>
__global__ __launch_bounds__(kSearchThreads,
                             kSearchBlocks) void search_trees(typename G::Rules rules, S scheme,
                                                              TreeOptions options,
                                                              SearchRound<G, S> round) {
  using Paused = PausedThread<typename S::Label>;
  const std::uint32_t thread = blockIdx.x * kSearchThreads + threadIdx.x;
  Paused none{};
  none.state = Paused::State::kDone;
  Paused& paused = thread < round.threads ? round.paused[thread] : none;
  if (paused.state == Paused::State::kNew) {
    paused.nodes = round.nodes + std::size_t{thread} * round.share;
    paused.room = round.share;
  }
  GrowingSearch<typename ThreadSearchBy<G, S>::Type> search(rules, scheme, options, paused.nodes,
                                                            paused.room);
  const auto curve_of = [&](std::uint32_t tree) {
    return CurveRoom{round.points + std::size_t{tree} * round.curve, round.curve};
  };
  std::uint32_t tree = paused.tree;
  bool done = paused.state == Paused::State::kDone;
  bool busy = paused.state == Paused::State::kBusy;
  if (busy) search.resume(paused.search, round.requests[tree], curve_of(tree));
  // One iteration of each thread's tree at a time, so that the threads of a warp stay in step. The
  // last one of them that has a tree keeps the others.
  for (std::uint32_t turn = 0; turn < round.turns; ++turn) {
    if (turn % kBetweenLooks == 0 && __any_sync(kWholeWarp, *round.stop != 0)) return;
    if (!busy && !done) {
      tree = atomicAdd(round.next, 1u);
      done = tree >= round.count;
      busy = !done;
      if (busy) search.begin(round.requests[tree], curve_of(tree));
    }
    if (!__any_sync(kWholeWarp, busy)) break;
    const SearchEnd end = iterate<G, S>(rules, scheme, round, search, busy);
    if (end == SearchEnd::kRunning) continue;
    round.results[tree] = search.result();
    busy = false;
  }
  if (thread >= round.threads) return;
  paused.state = done ? Paused::State::kDone : busy ? Paused::State::kBusy : Paused::State::kIdle;
  if (done) return;
  paused.tree = tree;
  paused.nodes = search.nodes();
  paused.room = search.room();
  paused.search = search.pause();
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

// A scheme as kernels have it: what it looks numbers up in is the device's memory.
template <class S>
struct SchemeThere {
  using Type = S;
};
template <class S>
concept LooksUp = requires(const S& scheme) {
  scheme.with_table(nullptr);
};
template <LooksUp S>
struct SchemeThere<S> {
  using Type = decltype(std::declval<const S&>().with_table(nullptr));
};

template <Game G, class S>
class CudaSearches : public DeviceSearches<G> {
 public:
  using There = typename SchemeThere<S>::Type;
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
    if (!error) error = make_scheme();
    return error;
  }
  DeviceError search(std::span<const TreeRequest<G>> requests, std::span<TreeResult> results,
                     std::span<CurvePoint> points, const SearchesEnded& ended) override {
    if (const DeviceError refused = refuse(requests)) return refused;
    DeviceError error = make_current(ordinal_);
    if (!error && nodes_ == nullptr) error = reserve_nodes();
    std::ranges::fill(results, TreeResult{});
    std::vector<std::size_t> left(requests.size());
    std::iota(left.begin(), left.end(), std::size_t{0});
    const std::uint64_t most = std::min<std::uint64_t>(room_, 0xffffffffu);
    std::uint64_t share = std::min<std::uint64_t>(layout_.least_share, most);
    while (!error && !left.empty()) {
      error = run(requests, left, static_cast<std::uint32_t>(share), results, points, ended);
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
  static constexpr std::uint32_t kMostTurns = 1u << 30;

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
  DeviceError make_scheme() {
    DeviceError error;
    if constexpr (LooksUp<S>) {
      const std::span<const PhiDelta> table = scheme_.table();
      if (!table.empty()) error = allocate(table.size(), &table_);
      if (!error && !table.empty()) {
        error = cuda_error(
            cudaMemcpy(table_.get(), table.data(), table.size_bytes(), cudaMemcpyHostToDevice),
            "cudaMemcpy");
      }
      there_.emplace(scheme_.with_table(table_.get()));
    } else {
      there_.emplace(scheme_);
    }
    return error;
  }
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
                  std::uint32_t share, std::span<TreeResult> results, std::span<CurvePoint> points,
                  const SearchesEnded& ended) {
    const std::size_t count = which.size();
    const std::size_t curve = points.size() / requests.size();
    SearchRound<G, There> round;
    round.curve = static_cast<std::uint32_t>(curve);
    round.count = static_cast<std::uint32_t>(count);
    round.share = share;
    round.threads = static_cast<std::uint32_t>(
        std::min<std::size_t>({count, room_ / share, layout_.most_threads}));
    round.turns = layout_.least_turns;
    DeviceError error = prepare(&round);
    for (std::size_t i = 0; !error && i < count; ++i) buffers_.requests[i] = requests[which[i]];
    if (!error) error = buffers_.send(count, count * curve);
    std::size_t running = count;
    std::vector<std::size_t> told;
    while (!error) {
      error = launch(round);
      if (!error) tell(told, ended);  // while the device goes on
      const auto begin = std::chrono::steady_clock::now();
      if (!error) error = cuda_error(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
      round.turns = turns_of_next(round.turns, begin);
      if (!error) error = buffers_.receive(count, count * curve);
      if (error) break;
      told = take_over(which, curve, results, points, &running);
      if (running == 0 || *stop_flag() != 0) break;
    }
    if (!error) tell(told, ended);
    return error;
  }
  // What the threads share, apart from the requests. Nothing is asked of them yet.
  DeviceError prepare(SearchRound<G, There>* round) {
    DeviceError error = buffers_.reserve(round->count, std::size_t{round->count} * round->curve);
    if (!error && paused_count_ < round->threads) {
      error = allocate(round->threads, &paused_);
      paused_count_ = error ? 0 : round->threads;
    }
    round->requests = buffers_.device_requests.get();
    round->results = buffers_.device_results.get();
    round->points = buffers_.device_points.get();
    round->stop = stop_.get();
    round->nodes = nodes_.get();
    round->next = next_.get();
    round->taken = taken_.get();
    round->room = room_;
    round->growth = layout_.growth;
    round->paused = paused_.get();
    if (!error) {
      error = cuda_error(cudaMemsetAsync(next_.get(), 0, sizeof *round->next, nullptr),
                         "cudaMemsetAsync");
    }
    if (!error) {
      error = cuda_error(
          cudaMemsetAsync(paused_.get(), 0, round->threads * sizeof *round->paused, nullptr),
          "cudaMemsetAsync");
    }
    if (error) return error;
    const unsigned long long shares = std::uint64_t{round->threads} * round->share;
    return cuda_error(cudaMemcpy(taken_.get(), &shares, sizeof shares, cudaMemcpyHostToDevice),
                      "cudaMemcpy");
  }
  DeviceError launch(const SearchRound<G, There>& round) {
    return launch_kernel("search_trees<<<>>>", search_trees<G, There>,
                         blocks_of(round.threads, kSearchThreads), kSearchThreads, 0, nullptr,
                         rules_, *there_, options_, round);
  }
  // About as long as wanted: within a factor of 2.
  std::uint32_t turns_of_next(std::uint32_t turns,
                              std::chrono::steady_clock::time_point begin) const {
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    if (took.count() > layout_.slice_seconds) return std::max(turns / 2, layout_.least_turns);
    return took.count() < layout_.slice_seconds / 2 && turns < kMostTurns ? turns * 2 : turns;
  }
  // Which searches have ended since. Those that have outgrown their share go on in another round.
  std::vector<std::size_t> take_over(const std::vector<std::size_t>& which, std::size_t curve,
                                     std::span<TreeResult> results, std::span<CurvePoint> points,
                                     std::size_t* running) {
    std::vector<std::size_t> ended;
    *running = 0;
    for (std::size_t i = 0; i < which.size(); ++i) {
      const TreeResult& found = buffers_.results[i];
      TreeResult& result = results[which[i]];
      const bool known = result.end != SearchEnd::kRunning && result.end != SearchEnd::kOutgrown;
      *running += found.end == SearchEnd::kRunning;
      if (known || found.end == SearchEnd::kRunning) continue;
      result = found;
      if (found.end == SearchEnd::kOutgrown) continue;
      std::copy_n(buffers_.points.get() + i * curve, std::min<std::uint64_t>(curve, found.points),
                  points.data() + which[i] * curve);
      ended.push_back(which[i]);
    }
    return ended;
  }
  // The device must not use what is given back where this throws.
  void tell(std::span<const std::size_t> told, const SearchesEnded& ended) {
    if (told.empty() || !ended) return;
    try {
      ended(told);
    } catch (...) {
      interrupt();
      static_cast<void>(cudaDeviceSynchronize());
      *stop_flag() = 0;
      throw;
    }
  }

  int ordinal_;
  std::string device_;
  typename G::Rules rules_;
  S scheme_;
  DeviceArray<PhiDelta> table_;
  std::optional<There> there_;
  TreeOptions options_;
  FleetLayout layout_;
  std::size_t room_ = 0;  // nodes
  DeviceArray<Node> nodes_;
  DeviceArray<std::uint32_t> next_;
  DeviceArray<unsigned long long> taken_;
  DeviceArray<PausedThread<typename S::Label>> paused_;
  std::size_t paused_count_ = 0;
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
