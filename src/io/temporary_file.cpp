#include "src/io/temporary_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "src/io/output_place.h"

namespace playproof {
namespace {

// 64 random bits follow: nobody else calls a file so, and what is called so may be removed.
constexpr std::string_view kEnd = ".playproof-";
constexpr std::size_t kLetters = 16;
constexpr std::string_view kAlphabet = "0123456789abcdef";

// What the names of temporary files for this place begin with, as far as a name may be long.
std::string stem_of(const std::string& place) {
  const std::size_t slash = place.rfind('/');
  const std::size_t first = slash == std::string::npos ? 0 : slash + 1;
  const std::size_t most = NAME_MAX - kEnd.size() - kLetters;
  return place.substr(0, first) + place.substr(first, most) + std::string(kEnd);
}

bool same_file(const struct stat& a, const struct stat& b) {
  return a.st_ino == b.st_ino && a.st_dev == b.st_dev;
}
// Does the name still lead to the open file?
bool is_named(int descriptor, const std::string& name) {
  struct stat open {};
  struct stat there {};
  return fstat(descriptor, &open) == 0 && lstat(name.c_str(), &there) == 0 &&
         same_file(open, there);
}

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};

// Removes a file of ours that no running program holds. Where there are no locks nobody can tell.
void remove_if_left(const std::string& name) {
  const int descriptor = open(name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return;
  struct stat status {};
  if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
      flock(descriptor, LOCK_EX | LOCK_NB) == 0 && is_named(descriptor, name)) {
    unlink(name.c_str());
  }
  close(descriptor);
}

void remove_left_behind(const std::string& place) {
  const std::string stem = stem_of(place);
  const std::size_t slash = stem.rfind('/');
  const std::string begin = slash == std::string::npos ? stem : stem.substr(slash + 1);
  const std::unique_ptr<DIR, CloseFolder> folder(opendir(folder_of(place).c_str()));
  std::vector<std::string> found;
  while (const dirent* entry = folder ? readdir(folder.get()) : nullptr) {
    const std::string_view name = entry->d_name;
    if (name.size() != begin.size() + kLetters || !name.starts_with(begin)) continue;
    const std::string_view letters = name.substr(begin.size());
    const bool ours = letters.find_first_not_of(kAlphabet) == std::string_view::npos;
    if (ours) found.push_back(stem + std::string(letters));
  }
  for (const std::string& name : found) remove_if_left(name);
}

// Copies from the beginning of each. Returns false if it fails: errno says why.
bool copy_all(int from, int to) {
  std::vector<char> chunk(1 << 16);
  for (off_t at = 0;;) {
    const ssize_t read = pread(from, chunk.data(), chunk.size(), at);
    if (read <= 0) return read == 0;
    const off_t end = at + read;
    for (const char* next = chunk.data(); at < end;) {
      const ssize_t written = pwrite(to, next, static_cast<std::size_t>(end - at), at);
      if (written < 0) return false;
      at += written;
      next += written;
    }
  }
}

// What is created is not more open than the file that it replaces.
mode_t mode_at(const std::string& place) {
  struct stat status {};
  return stat(place.c_str(), &status) == 0 ? status.st_mode & 0777 : 0666;
}

}  // namespace

TemporaryFile::TemporaryFile(std::string place, std::string own_name)
    : place_(std::move(place)), own_name_(std::move(own_name)) {
  if (own_name_.empty()) {
    remove_left_behind(place_);
  } else {
    unlink(own_name_.c_str());  // perhaps with a second name
  }
  descriptor_ = open(folder_of(place_).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, mode_at(place_));
  if (descriptor_ < 0) open_named();
}

TemporaryFile::~TemporaryFile() { discard(); }

void TemporaryFile::discard() {
  if (!name_.empty()) unlink(name_.c_str());
  name_.clear();
  if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
}

std::string TemporaryFile::new_name() const {
  if (!own_name_.empty()) return own_name_;
  std::string name = stem_of(place_);
  std::uint8_t draws[kLetters] = {};
  if (getrandom(draws, sizeof draws, 0) < 0) std::fill_n(draws, kLetters, std::uint8_t{0});
  for (const std::uint8_t draw : draws) name += kAlphabet[draw % kAlphabet.size()];
  return name;
}

void TemporaryFile::open_named() {
  constexpr int kTries = 100;
  for (int i = 0; i < kTries; ++i) {
    name_ = new_name();
    descriptor_ =
        open(name_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_at(place_));
    if (descriptor_ < 0 && errno == EEXIST) continue;
    if (descriptor_ < 0) break;
    // Before it is locked another program may take it for one that was left behind.
    const bool locked = flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    if (locked && is_named(descriptor_, name_)) return;
    close(std::exchange(descriptor_, -1));
    errno = EEXIST;
  }
  name_.clear();
}

void TemporaryFile::keep_mode() const {
  struct stat there {};
  struct stat own {};
  if (stat(place_.c_str(), &there) != 0 || fstat(descriptor_, &own) != 0) return;
  constexpr auto kUnchanged = static_cast<uid_t>(-1);
  if (own.st_uid != there.st_uid && fchown(descriptor_, there.st_uid, kUnchanged) != 0) {
    errno = 0;  // only root may
  }
  mode_t mode = there.st_mode & 0777;
  if (own.st_gid != there.st_gid && fchown(descriptor_, kUnchanged, there.st_gid) != 0) {
    mode &= ~mode_t{070} | (mode & 07) << 3;  // another group may do what all others may
  }
  fchmod(descriptor_, mode);  // where there are modes
}

// Links over /proc, or by the descriptor itself, which not every kernel lets everybody do.
bool TemporaryFile::link_to(const std::string& name) const {
  const std::string self = fmt::format("/proc/self/fd/{}", descriptor_);
  if (linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) return true;
  return errno == ENOENT && linkat(descriptor_, "", AT_FDCWD, name.c_str(), AT_EMPTY_PATH) == 0;
}

// A file without a name that cannot be given one: its content in another.
bool TemporaryFile::copy_to_name() {
  const int from = std::exchange(descriptor_, -1);
  open_named();
  const bool good = descriptor_ >= 0 && copy_all(from, descriptor_);
  const int error = errno;
  close(from);
  errno = error;
  if (!good) return false;
  keep_mode();
  return fsync(descriptor_) == 0;
}

bool TemporaryFile::take_name() {
  if (!name_.empty()) return true;
  // Whoever looks for files that were left behind finds it locked.
  if (own_name_.empty()) flock(descriptor_, LOCK_EX | LOCK_NB);
  constexpr int kTries = 100;
  for (int i = 0; i < kTries; ++i) {
    const std::string name = new_name();
    if (!own_name_.empty()) unlink(name.c_str());
    if (link_to(name)) {
      name_ = name;
      return true;
    }
    if (errno != EEXIST) return copy_to_name();
  }
  return false;
}

// Where nothing is to be replaced the name is the place, and there is no other one at any moment.
bool TemporaryFile::take_place() { return name_.empty() && link_to(place_); }

bool TemporaryFile::replace() {
  if (take_place()) return true;
  if (!take_name() || rename(name_.c_str(), place_.c_str()) != 0) return false;
  name_.clear();
  return true;
}

// There is never a second name (a hard link) of the file: a kill would leave one file where two
// generations are wanted.
const char* TemporaryFile::replace_and_keep(const std::string& former) {
  if (access(place_.c_str(), F_OK) != 0 && errno == ENOENT && take_place()) return nullptr;
  if (!take_name()) return "create";
  const auto exchange = [this] {
    return renameat2(AT_FDCWD, name_.c_str(), AT_FDCWD, place_.c_str(), RENAME_EXCHANGE) == 0;
  };
  if (exchange()) {
    if (rename(name_.c_str(), former.c_str()) != 0) {
      const int error = errno;
      exchange();
      errno = error;
      return "keep the former";
    }
    unlink(name_.c_str());  // still there if both names were one file
    name_.clear();
    return nullptr;
  }
  // There is nothing yet, or the file system cannot exchange: for a moment only `former` is there.
  if (rename(place_.c_str(), former.c_str()) != 0 && errno != ENOENT) return "keep the former";
  return replace() ? nullptr : "rename";
}

}  // namespace playproof
