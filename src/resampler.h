// Bootstrap samples on threads or on an accelerator; for the report, through `bench bootstrap
// --serve`.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "host/thread_pool.h"
#include "kernels/bootstrap.h"
#include "kernels/device_info.h"

namespace playproof {

class Resampler {
 public:
  // backend: "cpu", "cuda" or "auto": the first device where the work is worth starting it, else
  // the CPU. Throws Error(kUsage) for other names.
  Resampler(const std::string& backend, int threads);

  // The means of samples 0 .. samples - 1, row by row: the same on every backend, with any number
  // of threads. Throws Error(kUnavailable) if "cuda" was asked for and cannot do it.
  std::vector<double> means(const BootstrapData& data, std::uint32_t samples);

  // Where the last samples were made: "cpu" or the accelerator's name.
  const std::string& device() const { return device_; }

 private:
  DeviceError try_device(const BootstrapData& data, std::uint32_t samples, double* means);
  void on_threads(const BootstrapData& data, std::uint32_t samples, double* means);

  bool may_use_device_;
  bool must_use_device_;
  int threads_;
  std::unique_ptr<ThreadPool> pool_;  // none: the caller's thread alone
  std::string device_ = "cpu";
};

}  // namespace playproof
