// One program at a time: what two programs that write the same files must not do.
#pragma once

#include <string>

namespace playproof {

inline constexpr const char* kLockEnd = ".lock";

// Holds PATH.lock. The kernel frees it however the program ends; what SIGKILL leaves behind is an
// empty file that the next program takes over.
class FileLock {
 public:
  // Throws Error(kOutput): another program holds the lock, or its file cannot be made.
  explicit FileLock(const std::string& path);
  ~FileLock();  // and removes the file
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  bool take();  // false: the file was removed on the way

  std::string path_;  // of what is locked
  std::string name_;  // of the lock
  int descriptor_ = -1;
};

}  // namespace playproof
