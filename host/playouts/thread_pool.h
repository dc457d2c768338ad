// Threads that run numbered tasks. Which thread runs which task, and when, is left open: whoever
// starts a job gives every task a place of its own for its result.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace playproof {

class ThreadPool {
 public:
  // Tasks 0 .. count - 1 of one start().
  class Job {
   public:
    Job(std::size_t count, std::function<void(std::size_t)> task)
        : count_(count), left_(count), task_(std::move(task)) {}

   private:
    friend class ThreadPool;
    std::size_t count_;
    std::size_t next_ = 0;  // the first task that nobody has taken
    std::size_t left_;      // tasks that are not done
    std::size_t failed_ = 0;
    std::exception_ptr error_;  // of the failed task with the lowest number, failed_
    std::function<void(std::size_t)> task_;
  };

  // Starts `workers` (>= 1) threads besides the callers of wait().
  explicit ThreadPool(int workers);
  // Tasks that nobody has taken are dropped; running ones are waited for.
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // Returns at once. What the task refers to must live until wait() returns or the pool is gone.
  std::shared_ptr<Job> start(std::size_t count, std::function<void(std::size_t)> task);
  // Helps with the job's tasks until all are done. If tasks threw, throws what the one with the
  // lowest number threw.
  void wait(Job& job);

 private:
  void work();
  // Takes the next task of the job and runs it without the lock. False if none is left to take.
  bool run_one(Job& job, std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable wake_;  // a job came, or the end
  std::condition_variable done_;  // a job has no task left
  std::deque<std::shared_ptr<Job>> jobs_;
  bool end_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace playproof
