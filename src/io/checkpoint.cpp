#include "src/io/checkpoint.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "games/core/error.h"
#include "host/archive/chunks.h"
#include "host/playouts/evaluator.h"
#include "src/io/atomic_file.h"
#include "src/io/machine.h"
#include "src/io/output.h"

namespace playproof {
namespace {

using Clock = std::chrono::steady_clock;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

File open_to_read(const std::string& path) {
  File file(std::fopen(path.c_str(), "rbe"));
  if (!file) {
    throw Error(ErrorCode::kData, fmt::format("{}: cannot read file: {}", path, strerror(errno)));
  }
  return file;
}

// The question of the file under limits, threads and backend of the command line. Throws Error:
// kUsage if there is no such algorithm.
SolveRequest request_of(const Question& question, SolveRequest request) {
  request.game = question.game;
  request.position = question.position;
  request.algorithm = algorithm_as_stored(question.algorithm);
  request.goal = question.goal;
  request.seed = question.seed;
  request.batch = question.batch;
  request.pipeline = question.pipeline;
  request.workers_before = static_cast<int>(question.workers);
  return request;
}

// One generation, read as far as its question.
class SavedSearch {
 public:
  // Throws Error: kData.
  explicit SavedSearch(const std::string& path)
      : path_(path), file_(open_to_read(path)), reader_(file_.get(), path) {
    reader_.begin(ChunkKind::kQuestion);
    Loader loader(reader_);
    loader(question_);
    question_.serialize_later(loader, [&](bool) { return reader_.more(); });
    reader_.begin(ChunkKind::kState);
  }
  const Question& question() const { return question_; }

  // Throws Error: kUsage if the command line asks something else than the file.
  void compare(const Repeated& repeated, const SolveRequest& request) const {
    if (repeated.game) same("GAME", question_.game, canonical_game(request));
    SolveRequest asked = request_of(question_, request);
    if (repeated.algorithm) asked.algorithm = request.algorithm;
    if (repeated.goal) asked.goal = request.goal;
    const std::unique_ptr<Solver> solver = make_solver(asked);
    same("--goal", question_.goal, solver->goal());
    if (repeated.algorithm) {  // what has no effect may differ: answers do not say it
      same("--algorithm", make(request)->algorithm_in_effect(), solver->algorithm_in_effect());
    }
    if (repeated.seed) same("--seed", question_.seed, request.seed);
    if (repeated.batch) same("--batch", question_.batch, request.batch);
    if (repeated.pipeline) same("--pipeline", question_.pipeline, request.pipeline);
    if (own_tallies(solver->backend()) != own_tallies(question_.backend)) {
      differ("--backend", question_.backend, solver->backend());
    }
    if (repeated.position && !same_position(asked.game, request.position, asked.position)) {
      differ("--position", question_.position, request.position);
    }
  }
  // Throws Error: kData; kUsage if the limits are too small.
  std::unique_ptr<Solver> load(const SolveRequest& request) {
    std::unique_ptr<Solver> solver = make(request);
    solver->load(reader_);
    reader_.finish();
    if (question_.version != version_text()) {
      print_error(fmt::format("{}: written by {}, this is {}: the counts may be those of neither",
                              path_, question_.version, version_text()));
    }
    return solver;
  }
  // A search that the file names wrongly is damage of the file, not wrong usage.
  std::unique_ptr<Solver> make(const SolveRequest& request) const {
    try {
      return make_solver(request_of(question_, request));
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kUsage && error.code() != ErrorCode::kData) throw;
      reader_.fail(error.what());
    }
  }

 private:
  // The canonical name of the game alone: position and goal may not fit it.
  static std::string canonical_game(SolveRequest request) {
    request.position.clear();
    request.algorithm = "minimax";
    request.goal = "win";
    return make_solver(request)->game();
  }
  template <class T>
  void same(const char* what, const T& file, const T& asked) const {
    if (file != asked) differ(what, file, asked);
  }
  template <class T>
  [[noreturn]] void differ(const char* what, const T& file, const T& asked) const {
    throw Error(ErrorCode::kUsage,
                fmt::format("--resume {}: {} is '{}' there, not '{}'", path_, what, file, asked));
  }

  std::string path_;
  File file_;
  ChunkReader reader_;
  Question question_;
};

// What `attempt` returns; nothing, and the text of the error in `damage`, if the file is bad.
template <class Attempt>
auto unless_damaged(std::string* damage, const Attempt& attempt) -> decltype(attempt()) {
  try {
    return attempt();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kData) throw;
    *damage += (damage->empty() ? "" : "; ") + std::string(error.what());
    return nullptr;
  }
}

// The former one stands beside what links lead to.
std::string former_of(const std::string& path) { return end_of_links(path) + kFormerEnd; }

bool is_file_with_content(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && status.st_size > 0 && S_ISREG(status.st_mode);
}

// The first of the two generations that can be read. Of each, `prepare` is told first; the one that
// is good so far goes through `compare`, whose errors are final.
template <class Prepare, class Compare>
std::unique_ptr<Solver> load_first(const std::string& path, SolveRequest* request,
                                   bool* from_former, const Prepare& prepare,
                                   const Compare& compare) {
  std::string damage;
  for (const std::string& generation : {path, former_of(path)}) {
    if (!damage.empty() && access(generation.c_str(), F_OK) != 0) break;  // there is no second one
    const std::string before = damage;
    const auto search = unless_damaged(&damage, [&] {
      auto opened = std::make_unique<SavedSearch>(generation);
      prepare(*opened);
      opened->make(*request);
      return opened;
    });
    if (!search) continue;
    compare(*search);
    auto solver = unless_damaged(&damage, [&] { return search->load(*request); });
    if (!solver) continue;
    if (!before.empty()) print_error(fmt::format("{}; going on from {}", before, generation));
    *request = request_of(search->question(), *request);
    *from_former = generation != path;
    return solver;
  }
  throw Error(ErrorCode::kData, damage);
}

// Only a file that can be read again is looked at: what comes through a pipe is left alone.
bool begins_with(const std::string& path, std::string_view text) {
  if (!is_file_with_content(path)) return false;
  std::string read(text.size(), '\0');
  const File file(std::fopen(path.c_str(), "rbe"));
  if (!file) return false;
  return std::fread(read.data(), 1, read.size(), file.get()) == read.size() && read == text;
}

}  // namespace

Checkpoints::Checkpoints(const std::string& path, double seconds, const Solver& solver,
                         const SolveRequest& request)
    : path_(end_of_links(path)), seconds_(seconds), last_(Clock::now()) {
  question_ = {
      version_text(), solver.game(), request.position, solver.algorithm(), solver.goal(),
      solver.backend(), request.seed, request.batch, request.pipeline,
      // Who has had several goes on as one of several (host/jobs/shared_search.h).
      static_cast<std::uint32_t>(request.workers > 1 ? request.workers : request.workers_before)};
}

void Checkpoints::save(Solver& solver) {
  AtomicFile file(path_, path_ + kTemporaryEnd, keeps_former_ ? path_ + kFormerEnd : "");
  ChunkWriter writer(file);
  writer.begin(ChunkKind::kQuestion);
  Saver saver(writer);
  saver(question_);
  question_.serialize_later(saver, [](bool needed) { return needed; });
  writer.begin(ChunkKind::kState);
  solver.save(writer);
  writer.finish();
  file.commit();
  keeps_former_ = true;
  last_ = Clock::now();
}

void Checkpoints::save_if_due(Solver& solver) {
  const bool due = std::chrono::duration<double>(Clock::now() - last_).count() >= seconds_;
  if (due && solver.finish_leaf(kLeafSeconds)) save(solver);
}

void look_before_overwriting(const std::string& path) {
  const std::string former = former_of(path);
  if (!is_file_with_content(path)) {
    if (!is_file_with_content(former)) return;
    print_error(
        fmt::format("{} of an earlier search is gone with the second checkpoint of this "
                    "one; --resume {} would go on with it",
                    former, path));
    return;
  }
  try {
    const File file = open_to_read(path);
    const ChunkReader reader(file.get(), path);
  } catch (const Error& error) {
    throw Error(ErrorCode::kUsage,
                fmt::format("--checkpoint: {}; it is not overwritten", error.what()));
  }
  print_error(
      fmt::format("{}: the checkpoint of an earlier search moves to {} and is gone with the next "
                  "one; --resume {} would go on with it",
                  path, former, path));
}

std::unique_ptr<Solver> resume(const std::string& path, const Repeated& repeated,
                               SolveRequest* request, bool* from_former) {
  return load_first(
      path, request, from_former,
      [&](const SavedSearch& search) {
        if (!repeated.workers) request->workers = static_cast<int>(search.question().workers);
      },
      [&](const SavedSearch& search) { search.compare(repeated, *request); });
}

bool is_checkpoint(const std::string& path) {
  constexpr std::string_view kCheckpoint = "playproof-checkpoint ";
  if (begins_with(path, kCheckpoint)) return true;
  if (begins_with(path, "playproof-certificate") || begins_with(path, "\x28\xb5\x2f\xfd")) {
    return false;
  }
  return begins_with(former_of(path), kCheckpoint);
}

std::unique_ptr<Solver> load_to_look(const std::string& path, SolveRequest* request) {
  bool from_former = false;
  return load_first(
      path, request, &from_former,
      [&](const SavedSearch& search) {
        const std::string& backend = search.question().backend;
        request->backend = own_tallies(backend).empty() ? "cpu" : backend;
      },
      [](const SavedSearch&) {});
}

}  // namespace playproof
