#include "host/playouts/thread_pool.h"

#include <system_error>
#include <utility>

namespace playproof {

ThreadPool::ThreadPool(int workers) {
  threads_.reserve(static_cast<std::size_t>(workers));
  try {
    for (int i = 0; i < workers; ++i) threads_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    // The machine allows no more threads. Those there are, and whoever waits, do the work.
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    end_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

std::shared_ptr<ThreadPool::Job> ThreadPool::start(std::size_t count,
                                                   std::function<void(std::size_t)> task) {
  auto job = std::make_shared<Job>(count, std::move(task));
  if (count == 0) return job;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    jobs_.push_back(job);
  }
  wake_.notify_all();
  return job;
}

void ThreadPool::wait(Job& job) {
  std::unique_lock<std::mutex> lock(mutex_);
  while (run_one(job, lock)) {
  }
  done_.wait(lock, [&] { return job.left_ == 0; });
  if (job.error_) std::rethrow_exception(job.error_);
}

void ThreadPool::work() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    wake_.wait(lock, [&] { return end_ || !jobs_.empty(); });
    if (end_) return;
    const std::shared_ptr<Job> job = jobs_.front();
    if (!run_one(*job, lock) && !jobs_.empty() && jobs_.front() == job) jobs_.pop_front();
  }
}

bool ThreadPool::run_one(Job& job, std::unique_lock<std::mutex>& lock) {
  if (job.next_ == job.count_) return false;
  const std::size_t number = job.next_++;
  lock.unlock();
  std::exception_ptr error;
  try {
    job.task_(number);
  } catch (...) {
    error = std::current_exception();
  }
  lock.lock();
  if (error && (!job.error_ || number < job.failed_)) {
    job.error_ = error;
    job.failed_ = number;
  }
  if (--job.left_ == 0) done_.notify_all();
  return true;
}

}  // namespace playproof
