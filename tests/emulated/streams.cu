// The host's side of the emulated device: memory, streams, events, launches. What is given to a
// stream runs when somebody waits for it, or when chance has it: some of it at once, what is in
// other streams before or after it. So who reads or changes memory too early, or relies on an order
// between streams that nobody asked for, sees wrong results.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "tests/emulated/cuda/cuda_runtime.h"

struct EmulatedEvent {
  std::uint64_t recorded = 0;
  std::uint64_t reached = 0;
  std::uint64_t time = 0;
};
struct EmulatedTask {
  std::function<void()> run;
  cudaEvent_t event = nullptr;  // which has to reach `target` before
  std::uint64_t target = 0;
};
struct EmulatedStream {
  std::deque<EmulatedTask> tasks;
};

namespace {

using emulated::fault;
using emulated::Kind;

constexpr unsigned kMostThreads = 1024;

// All that is called by several threads of the host is done under this.
std::mutex mutex;
using Lock = std::lock_guard<std::mutex>;

struct Host {
  EmulatedStream null_stream;
  std::vector<EmulatedStream*> streams = {&null_stream};
  std::uint64_t tasks = 0;                    // that have run
  std::uint64_t calls = 0;                    // of the host
  std::map<const void*, std::size_t> shared;  // of a block, that a kernel may have
};
Host host;
struct Call {
  Call() { ++host.calls; }
  Lock lock{mutex};
};
thread_local cudaError_t last_error = cudaSuccess;

cudaError_t answer(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

extern "C" const char __executable_start;

// Kernels that were launched, as addresses in the program's file: test_instances.py asks for them
// in PLAYPROOF_LAUNCHED, a file.
class Launched {
 public:
  void note(const void* kernel) {
    if (path_ != nullptr) kernels_.insert(static_cast<const char*>(kernel) - &__executable_start);
  }
  ~Launched() {
    if (path_ == nullptr) return;
    std::FILE* const file = std::fopen(path_, "w");
    if (file == nullptr) std::abort();
    for (const std::ptrdiff_t kernel : kernels_) std::fprintf(file, "%tx\n", kernel);
    std::fclose(file);
  }

 private:
  const char* const path_ = std::getenv("PLAYPROOF_LAUNCHED");
  std::set<std::ptrdiff_t> kernels_;
};
Launched launched;

EmulatedStream& known(cudaStream_t stream) {
  if (stream == nullptr) return host.null_stream;
  if (std::find(host.streams.begin(), host.streams.end(), stream) == host.streams.end()) {
    fault("a stream that does not exist");
  }
  return *stream;
}

bool runs(const EmulatedStream& stream) {
  if (stream.tasks.empty()) return false;
  const EmulatedTask& task = stream.tasks.front();
  return task.event == nullptr || task.event->reached >= task.target;
}

// Runs the next task of some stream; false if there is none that can run.
bool run_one() {
  std::vector<EmulatedStream*> streams;
  std::copy_if(host.streams.begin(), host.streams.end(), std::back_inserter(streams),
               [](const EmulatedStream* stream) { return runs(*stream); });
  if (streams.empty()) return false;
  EmulatedStream& stream = *streams[emulated::random()() % streams.size()];
  const EmulatedTask task = std::move(stream.tasks.front());
  stream.tasks.pop_front();
  ++host.tasks;
  task.run();
  return true;
}

template <class Done>
void run_until(const Done& done) {
  while (!done()) {
    if (!run_one())
      fault("waits for what is in no stream, or for streams that wait for each other");
  }
}
void finish(const EmulatedStream& stream) {
  run_until([&] { return stream.tasks.empty(); });
}
void finish_all() {
  while (run_one()) {
  }
}
void some_at_once() {
  constexpr unsigned kHalf = 2;
  constexpr unsigned kMost = 4;
  if (emulated::random()() % kHalf == 0) return;
  for (auto count = emulated::random()() % kMost; count > 0 && run_one(); --count) {
  }
}

void enqueue(cudaStream_t stream, EmulatedTask task) {
  known(stream).tasks.push_back(std::move(task));
  some_at_once();
}

void copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const bool in = kind == cudaMemcpyHostToDevice;
  emulated::use(in ? to : from, bytes, Kind::kDevice, in);
  std::copy_n(static_cast<const std::byte*>(from), bytes, static_cast<std::byte*>(to));
}

cudaError_t get_memory(void** memory, std::size_t bytes, Kind kind) {
  const Call call;
  *memory = nullptr;
  if (bytes == 0) return cudaSuccess;
  *memory = emulated::allocate(bytes, kind);
  return *memory != nullptr ? cudaSuccess : answer(cudaErrorMemoryAllocation);
}
cudaError_t give_back(void* memory, Kind kind) {
  const Call call;
  if (memory == nullptr) return cudaSuccess;
  finish_all();  // as the real ones
  emulated::release(memory, kind);
  return cudaSuccess;
}

cudaDeviceProp properties() {
  cudaDeviceProp properties = {};
  std::string("emulated").copy(properties.name, sizeof properties.name - 1);
  properties.major = 8;
  properties.multiProcessorCount = 2;
  properties.warpSize = 32;
  properties.maxThreadsPerBlock = kMostThreads;
  properties.sharedMemPerBlock = emulated::kSharedBytes;
  properties.sharedMemPerBlockOptin = emulated::kMostSharedBytes;
  properties.totalGlobalMem = emulated::kDeviceBytes;
  return properties;
}

}  // namespace

// ---- Devices and errors ----

cudaError_t cudaGetLastError() { return std::exchange(last_error, cudaSuccess); }

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "no error";
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorInvalidConfiguration:
      return "invalid configuration argument";
    case cudaErrorInvalidDevice:
      return "invalid device ordinal";
    case cudaErrorNotReady:
      return "device not ready";
    default:
      return "invalid argument";
  }
}

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* found, int ordinal) {
  if (ordinal != 0) return answer(cudaErrorInvalidDevice);
  *found = properties();
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int ordinal) {
  if (ordinal != 0) return answer(cudaErrorInvalidDevice);
  *value = 0;  // it has no clock
  if (attribute == cudaDevAttrMultiProcessorCount) *value = properties().multiProcessorCount;
  if (attribute == cudaDevAttrMaxSharedMemoryPerBlockOptin) {
    *value = static_cast<int>(emulated::kMostSharedBytes);
  }
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int ordinal) {
  const Call call;
  return ordinal == 0 ? cudaSuccess : answer(cudaErrorInvalidDevice);
}

// ---- Memory ----

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  return get_memory(memory, bytes, Kind::kDevice);
}
cudaError_t cudaMallocHost(void** memory, std::size_t bytes) {
  return get_memory(memory, bytes, Kind::kLocked);
}
cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned) {
  return get_memory(memory, bytes, Kind::kLocked);
}
cudaError_t cudaFree(void* memory) { return give_back(memory, Kind::kDevice); }
cudaError_t cudaFreeHost(void* memory) { return give_back(memory, Kind::kLocked); }
cudaError_t cudaHostGetDevicePointer(void** device, void* memory, unsigned) {
  *device = memory;
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const Call call;
  finish(host.null_stream);
  copy(to, from, bytes, kind);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  const Call call;
  const bool in = kind == cudaMemcpyHostToDevice;
  emulated::use(in ? from : to, bytes, Kind::kLocked, !in);
  enqueue(stream, {[=] { copy(to, from, bytes, kind); }});
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* to, int byte, std::size_t bytes, cudaStream_t stream) {
  const Call call;
  enqueue(stream, {[=] {
            emulated::use(to, bytes, Kind::kDevice, true);
            std::fill_n(static_cast<std::byte*>(to), bytes, static_cast<std::byte>(byte));
          }});
  return cudaSuccess;
}

// ---- Streams and events ----

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  const Call call;
  if (flags != cudaStreamNonBlocking) fault("a stream that waits for the null stream");
  *stream = std::make_unique<EmulatedStream>().release();
  host.streams.push_back(*stream);
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  const Call call;
  finish(known(stream));
  std::erase(host.streams, stream);
  const std::unique_ptr<EmulatedStream> last(stream);
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  const Call call;
  finish(known(stream));
  return cudaSuccess;
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  const Call call;
  run_one();
  return known(stream).tasks.empty() ? cudaSuccess : cudaErrorNotReady;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  const Call call;
  enqueue(stream, {[] {}, event, event->recorded});
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() {
  const Call call;
  finish_all();
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  const Call call;
  *event = std::make_unique<EmulatedEvent>().release();
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const Call call;
  run_until([&] { return event->reached == event->recorded; });
  const std::unique_ptr<EmulatedEvent> last(event);
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  const Call call;
  const std::uint64_t number = ++event->recorded;
  enqueue(stream, {[=] {
            event->reached = std::max(event->reached, number);
            event->time = host.tasks;
          }});
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  const Call call;
  run_until([&] { return event->reached == event->recorded; });
  return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  const Call call;
  run_one();
  return event->reached == event->recorded ? cudaSuccess : cudaErrorNotReady;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  const Call call;
  if (begin->reached != begin->recorded || end->reached != end->recorded) {
    return answer(cudaErrorNotReady);
  }
  constexpr float kTask = 1e-3f;
  *milliseconds = kTask * (static_cast<float>(end->time) - static_cast<float>(begin->time));
  return cudaSuccess;
}

// ---- Launches ----

namespace emulated {

std::uint64_t host_calls() {
  const Lock lock(mutex);
  return host.calls;
}

cudaError_t allow_shared(const void* kernel, int bytes) {
  const Call call;
  const auto size = static_cast<std::size_t>(bytes);
  if (bytes < 0 || size > kMostSharedBytes) return answer(cudaErrorInvalidValue);
  host.shared[kernel] = size;
  return cudaSuccess;
}

cudaError_t launch(const cudaLaunchConfig_t& config, const void* kernel, const char* name,
                   std::function<void()> thread) {
  const Call call;
  constexpr unsigned kMostBlocks = 0x7fffffff;
  const dim3& grid = config.gridDim;
  const dim3& block = config.blockDim;
  if (grid.y != 1 || grid.z != 1 || block.y != 1 || block.z != 1) fault("more than one dimension");
  if (grid.x == 0 || grid.x > kMostBlocks || block.x == 0 || block.x > kMostThreads) {
    return answer(cudaErrorInvalidConfiguration);
  }
  const auto allowed = host.shared.find(kernel);
  const std::size_t most =
      std::max(kSharedBytes, allowed == host.shared.end() ? 0 : allowed->second);
  if (config.dynamicSmemBytes > most) return answer(cudaErrorInvalidValue);
  launched.note(kernel);
  const Launch start = {name, std::move(thread), grid.x, block.x, config.dynamicSmemBytes};
  enqueue(config.stream, {[start] { run(start); }});
  return cudaSuccess;
}

}  // namespace emulated
