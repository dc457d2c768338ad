// One search from its beginning, or from where it was saved, to its answer: what `playproof solve`
// and the Python package do for a position, with certificate, checkpoints and checks of itself.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "games/core/error.h"
#include "host/solve/solver.h"
#include "src/io/atomic_file.h"
#include "src/io/certificate_file.h"
#include "src/io/checkpoint.h"
#include "src/io/file_lock.h"
#include "src/io/files_apart.h"
#include "src/io/solve_result.h"
#include "src/solve/self_check.h"

namespace playproof {

struct SolveJob {
  SolveRequest request;
  std::optional<RecordNames> names;        // of the record that `request` was read from
  Repeated repeated;                       // what of the question is said beside `resume`
  std::optional<std::string> certificate;  // files; none: not asked for
  std::optional<std::string> checkpoint;
  std::optional<std::string> resume;
  std::optional<std::string> svg;
  bool board = false;  // it will be drawn: an error of a game without one
  double checkpoint_seconds = 60;
  std::uint64_t self_check = 0;
  bool keep_proof = false;  // the certificate will be asked for after run()
};

// The files of a job, as keep_apart() (src/io/files_apart.h) takes them.
std::vector<UsedFile> files_of(const SolveJob& job);

// Who watches a search; both may be empty.
struct SolveWatch {
  std::function<bool()> stopped;                       // asked between two steps; true ends it
  std::function<void(const Solver&, double)> between;  // after a step, with the seconds so far
};

class SolveRun {
 public:
  SolveRun(const SolveJob& job, const std::string& position);

  // Throws Error as make_solver(), resume(), Checkpoints and Solver do.
  SolveAnswer run(const SolveWatch& watch);
  const SolveJob& job() const { return job_; }
  // What run() has searched; it knows the certificate if the question is decided.
  Solver& solver() { return *solver_; }
  // What it was asked, also what came from the checkpoint.
  const SolveRequest& request() const { return request_; }
  // The last checkpoint, or the picture, could not be written, and what is known is known all the
  // same.
  const std::optional<Error>& failure() const { return failure_; }

 private:
  StopReason search(const SolveWatch& watch);
  void begin();
  void look_for_board() const;
  void draw(const SolveAnswer& answer);
  void look();
  void save_end(StopReason reason);

  const SolveJob& job_;
  SolveRequest request_;
  std::optional<FileLock> lock_;  // of the checkpoint
  std::unique_ptr<Solver> solver_;
  std::optional<CertificateFile> file_;
  std::optional<AtomicFile> svg_;
  std::optional<Checkpoints> checkpoints_;
  std::optional<Error> failure_;
  TreeGuard guard_;
};

}  // namespace playproof
