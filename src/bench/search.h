// `bench search`: one search after the other for each batch size, or many at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/solve/solver.h"
#include "src/io/json.h"

namespace playproof {

struct BenchSearchOptions {
  SolveRequest request;                // of every search, but for its position
  std::vector<std::string> positions;  // at least one when a search starts
  std::vector<std::uint32_t> batches = {1};
  std::vector<std::uint32_t> pipelines = {1};
  std::uint64_t repeat = 3;
  std::vector<std::uint32_t> in_flight;  // empty: one search alone
  std::uint32_t batch_searches = 64;
  int feeders = 0;  // 0: FleetRequest chooses
  std::uint64_t searches = 1000;
  std::vector<std::string> ways = {"cores", "leaves", "whole"};  // of `bench fleet`
  bool json = false;
};

inline double per_second(std::uint64_t count, double seconds) {
  return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

// Search `i` of many: position i of the list, which is gone through again and again; seed and, in
// P-games, tree i further on.
SolveRequest numbered_search(const BenchSearchOptions& options, std::uint64_t i);

// What all say of their question.
Json bench_search_json(const BenchSearchOptions& options, const std::string& backend,
                       const std::string& device);

// Both print one row after the other and return the exit status.
int bench_batches(const BenchSearchOptions& options);
int bench_fleet(const BenchSearchOptions& options);

}  // namespace playproof
