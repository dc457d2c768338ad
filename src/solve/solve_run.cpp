#include "src/solve/solve_run.h"

#include <vector>

#include "host/solve/position.h"
#include "src/io/answer_board.h"
#include "src/io/drive.h"
#include "src/io/output.h"

namespace playproof {
namespace {

constexpr int kSvgWidth = 480;  // pixels

// The checkpoint goes on in the file that it came from, however that is written.
bool goes_on_in_its_file(const SolveJob& job) {
  return job.checkpoint && job.resume && same_place(*job.checkpoint, *job.resume);
}

// Writes the proof, if there is one.
void write_certificate(Solver& solver, CertificateFile& file, const std::string& path,
                       SolveAnswer& answer) {
  if (!decided(answer)) {
    print_error(path + ": not written: there is no certificate of an undecided question");
    return;
  }
  solver.write_certificate(file);
  file.commit();
  answer.certificate = path;
  answer.proof_nodes = file.nodes();
}

}  // namespace

std::vector<UsedFile> files_of(const SolveJob& job) {
  std::vector<UsedFile> files;
  if (job.certificate) files.push_back({"--certificate", *job.certificate, FileUse::kWritten, {}});
  if (job.svg) files.push_back({"--svg", *job.svg, FileUse::kWritten, {}});
  if (job.checkpoint) {
    files.push_back({"--checkpoint",
                     *job.checkpoint,
                     FileUse::kWritten,
                     {kFormerEnd, kTemporaryEnd, kLockEnd}});
  }
  if (job.resume && !goes_on_in_its_file(job)) {
    files.push_back({"--resume", *job.resume, FileUse::kRead, {kFormerEnd}});
  }
  return files;
}

SolveRun::SolveRun(const SolveJob& job, const std::string& position)
    : job_(job), request_(job.request) {
  request_.position = position;
  request_.certificate = job.certificate || job.self_check > 0 || job.keep_proof;
}

SolveAnswer SolveRun::run(const SolveWatch& watch) {
  const StopReason reason = search(watch);
  SolveAnswer answer = make_answer(*solver_, request_, reason);
  answer.names = job_.names;
  if (job_.self_check > 0 && decided(answer)) {
    check_certificate(*solver_, request_.position, verdict_text(answer));
  }
  if (file_) write_certificate(*solver_, *file_, *job_.certificate, answer);
  if (svg_) draw(answer);
  return answer;
}

StopReason SolveRun::search(const SolveWatch& watch) {
  begin();
  const StopReason reason = drive(*solver_, request_.batch, watch.stopped, [&](double seconds) {
    if (watch.between) watch.between(*solver_, seconds);
    look();
  });
  const bool whole = (!checkpoints_ && job_.self_check < 2) || solver_->finish_leaf(kLeafSeconds);
  // The check comes first: nothing is read from a bad tree.
  if (job_.self_check > 1 && whole) solver_->self_check();
  if (!checkpoints_ || !solver_->resumable()) return reason;
  if (!whole) {
    print_error(*job_.checkpoint +
                ": stopped within a leaf of many playouts; what was saved last stays");
    return reason;
  }
  const bool decided = solver_->result().reason == StopReason::kDecided;  // by that leaf
  save_end(decided ? StopReason::kDecided : reason);
  return decided ? StopReason::kDecided : reason;
}

void SolveRun::begin() {
  const bool fresh = job_.checkpoint && !goes_on_in_its_file(job_);
  if (job_.checkpoint) {
    refuse_to_replace(*job_.checkpoint);
    lock_.emplace(end_of_links(*job_.checkpoint));  // before anything of it is read
  }
  if (fresh) look_before_overwriting(*job_.checkpoint);
  bool from_former = false;
  solver_ = job_.resume ? resume(*job_.resume, job_.repeated, &request_, &from_former)
                        : make_solver(request_);
  look_for_board();
  // Files are opened before the search: that they cannot be written is better known at once.
  if (job_.certificate) file_.emplace(*job_.certificate);
  if (job_.svg) svg_.emplace(*job_.svg);
  if (!job_.checkpoint) return;
  checkpoints_.emplace(*job_.checkpoint, job_.checkpoint_seconds, *solver_, request_);
  if (from_former && !fresh) checkpoints_->drop_damaged();
  if (fresh) checkpoints_->save(*solver_);
}

void SolveRun::look_for_board() const {
  if (!job_.svg && !job_.board) return;
  if (make_position(solver_->game(), request_.position)->board()) return;
  throw Error(ErrorCode::kUsage, std::string(job_.svg ? "--svg: " : "--board: ") + solver_->game() +
                                     " has no board to draw");
}

void SolveRun::draw(const SolveAnswer& answer) {
  try {
    svg_->write(answer_svg(answer, kSvgWidth) + '\n');
    svg_->commit();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kOutput) throw;
    failure_ = error;
  }
}

void SolveRun::look() {
  if (job_.self_check > 2 && solver_->finish_leaf(0)) guard_.look(*solver_);
  if (checkpoints_) checkpoints_->save_if_due(*solver_);
}

void SolveRun::save_end(StopReason reason) {
  try {
    checkpoints_->save(*solver_);
  } catch (const Error& error) {
    if (reason != StopReason::kDecided) throw;
    failure_ = error;
  }
}

}  // namespace playproof
