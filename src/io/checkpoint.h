// Checkpoints of `solve` (docs/checkpoint.md): the state of a search in a file, every now and then,
// and the search that goes on from there.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "host/solve/solver.h"

namespace playproof {

// What a search is asked, as its checkpoint states it; names are canonical.
struct Question {
  std::string version;  // of the program that wrote it
  std::string game;
  std::string position;  // as given
  std::string algorithm;
  std::string goal;
  std::string backend;
  std::uint64_t seed = 1;
  std::uint32_t batch = 1;
  std::uint32_t pipeline = 1;
  std::uint32_t workers = 1;
  template <class Archive>
  void serialize(Archive& archive) {  // host/archive/archive.h
    archive(version, game, position, algorithm, goal, backend, seed, batch);
  }
  // What came later, up to the last that is not 1: there were formats without. more(needed): does
  // it go on, as it must be written or as is read?
  template <class Archive, class More>
  void serialize_later(Archive& archive, const More& more) {
    if (!more(pipeline > 1 || workers > 1)) return;
    archive(pipeline);
    const bool last = !more(workers > 1);
    archive.check(pipeline >= (last ? 2 : 1) && pipeline <= kMostPipeline,
                  "a pipeline that there cannot be");
    if (last) return;
    archive(workers);
    archive.check(workers > 1 && workers <= kMostWorkers, "workers that there cannot be");
  }
};

// How long a checkpoint waits for the leaf in flight; signals wait no longer.
inline constexpr double kLeafSeconds = 0.5;

// Two generations of one file: PATH, and PATH.old, which it replaced. A new one is PATH.new for a
// moment. While it may be written PATH.lock is held (src/io/file_lock.h). If PATH is a link, all of
// them stand where it leads to.
inline constexpr const char* kFormerEnd = ".old";
inline constexpr const char* kTemporaryEnd = ".new";

class Checkpoints {
 public:
  // Checkpoints of the search `solver`, made of `request`, every so many seconds.
  Checkpoints(const std::string& path, double seconds, const Solver& solver,
              const SolveRequest& request);

  // Throws Error: kOutput, and then PATH and PATH.old are as they were; kUsage if the algorithm has
  // no checkpoints.
  void save(Solver& solver);
  // PATH is damaged, and the search came from PATH.old: the next one takes the place of PATH, and
  // PATH.old stays.
  void drop_damaged() { keeps_former_ = false; }
  // Saves if it is time, and the leaf in flight can be finished soon.
  void save_if_due(Solver& solver);
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  double seconds_;
  bool keeps_former_ = true;
  Question question_;
  std::chrono::steady_clock::time_point last_;
};

// Refuses to replace what is no checkpoint: Error(kUsage). Says on stderr if a checkpoint of an
// earlier search will be replaced.
void look_before_overwriting(const std::string& path);

// Which parts of the question the command line repeats.
struct Repeated {
  bool game = false;
  bool position = false;
  bool algorithm = false;
  bool goal = false;
  bool seed = false;
  bool batch = false;
  bool pipeline = false;
  bool workers = false;  // may differ; without it they are as many as before
};

// The search that goes on from PATH, or from PATH.old if that is damaged; stderr says so. `request`
// brings limits, threads, backend and what is repeated, and gets the question of the file. Throws
// Error: kUsage (what is repeated is something else; the memory limit is too small), kData (both
// generations are damaged or cannot be read; with the place). *from_former: it was PATH.old.
std::unique_ptr<Solver> resume(const std::string& path, const Repeated& repeated,
                               SolveRequest* request, bool* from_former);

// Does a checkpoint stand at PATH, or, where PATH is neither that nor a certificate, at PATH.old?
bool is_checkpoint(const std::string& path);

// The same search, to be looked at: of a backend with playouts of its own that one, else `cpu`.
// Takes limits from `request`. Throws Error as resume() does.
std::unique_ptr<Solver> load_to_look(const std::string& path, SolveRequest* request);

}  // namespace playproof
