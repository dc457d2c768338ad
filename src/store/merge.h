// Several result stores become one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "src/store/store.h"

namespace playproof {

// A plan of the store that the others were added to, and its runs there.
struct MergedPlan {
  std::string name, hash;
  std::int64_t stored = 0;
  std::int64_t planned = 0;
};

// A run of a plan, to be found in stores that have it under other names.
struct NamedRun {
  std::string key;
  std::string plan, series, problem, algorithm;  // its names, which stand in the key
  std::string game, position, goal;              // what stands between them
  bool wanted = true;                            // false: it only belongs to the plan
};

// A plan that takes over the runs that it asks for, whatever they were called.
struct TakingPlan {
  PlanRow plan;
  std::vector<NamedRun> runs;  // all of the plan, in its order
};

struct MergeResult {
  std::size_t added = 0;          // runs that the store lacked
  std::size_t known = 0;          // runs that it had, or another source had brought
  std::size_t left = 0;           // runs that the plan does not ask for, which takes what it does
  std::vector<MergedPlan> plans;  // all, in the order of their first use
};

// Adds plans, runs with their error curves, and invocations of the sources, in this order, to the
// store at `path`, which is made if it is not there. The sources are only read.
//
// A run that is there already stays as it is. It must be the same but for what differs when a run
// is made again (times, machine, program, backend, peak_bytes); a counter that one of the two
// lacks, from a store of version 1, is taken from the other. Of a plan the newest list of runs
// counts, by `last_used`. Invocations that are equal are one.
//
// All or nothing, also if the program is killed. Throws Error: kData for a source that is no store
// or is damaged, and for two results of one run (the text has key and column); kData and kOutput
// for `path` as Store does; kOutput if another program writes it.
MergeResult merge_stores(const std::vector<std::string>& sources, const std::string& path);
// Adds of the sources the runs that `plan` wants, under its names, and the plan. Two runs are the
// same where all that decides their result is (the key without names). One run of a source may
// serve several of the plan's. What is told of merge_stores() holds of the rest.
MergeResult merge_stores(const std::vector<std::string>& sources, const std::string& path,
                         const TakingPlan& plan);

// Ends of the names of the files that merge_stores() has beside `path`, besides store_companions().
std::vector<std::string> merge_companions();

}  // namespace playproof
