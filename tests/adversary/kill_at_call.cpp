// Ends a program at a chosen moment between two changes of its folder: loaded before it
// (LD_PRELOAD), it counts the calls that rename, link or remove a file, and sends SIGKILL instead
// of making the one with number KILL_AT_CALL. File systems that lack something: with NO_EXCHANGE
// set, two files cannot change names at once; with NO_TMPFILE, every file has a name; with
// NO_LINKAT, a file without a name cannot be given one.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace {

std::atomic<long> calls{0};

void count_call() {
  const char* text = std::getenv("KILL_AT_CALL");
  if (text != nullptr && ++calls == std::strtol(text, nullptr, 10)) kill(getpid(), SIGKILL);
}

template <class Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

// The names of glibc cannot be taken: one is `new`.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
int rename(const char* old, const char* now) noexcept {
  count_call();
  return real<int (*)(const char*, const char*)>("rename")(old, now);
}

int renameat2(int old_folder, const char* old, int folder, const char* now,
              unsigned int flags) noexcept {
  count_call();
  if (std::getenv("NO_EXCHANGE") != nullptr) {
    errno = EINVAL;
    return -1;
  }
  using Function = int (*)(int, const char*, int, const char*, unsigned int);
  return real<Function>("renameat2")(old_folder, old, folder, now, flags);
}

int link(const char* old, const char* now) noexcept {
  count_call();
  return real<int (*)(const char*, const char*)>("link")(old, now);
}

int linkat(int old_folder, const char* old, int folder, const char* now, int flags) noexcept {
  count_call();
  if (std::getenv("NO_LINKAT") != nullptr) {
    errno = EPERM;
    return -1;
  }
  using Function = int (*)(int, const char*, int, const char*, int);
  return real<Function>("linkat")(old_folder, old, folder, now, flags);
}

int open(const char* name, int flags, ...) {
  mode_t mode = 0;
  if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE) {
    va_list more;
    va_start(more, flags);
    mode = va_arg(more, mode_t);
    va_end(more);
  }
  if ((flags & O_TMPFILE) == O_TMPFILE && std::getenv("NO_TMPFILE") != nullptr) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return real<int (*)(const char*, int, ...)>("open")(name, flags, mode);
}

int unlink(const char* name) noexcept {
  count_call();
  return real<int (*)(const char*)>("unlink")(name);
}
// NOLINTEND(readability-inconsistent-declaration-parameter-name)

}  // extern "C"
