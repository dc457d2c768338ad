// Lets memory run out at a chosen moment: loaded before a program (LD_PRELOAD), it makes the
// allocations FAIL_ALLOCATION to FAIL_ALLOCATION + FAIL_ALLOCATIONS - 1 of main() fail, counted
// over all threads. What is allocated before main() (by the loader, for constants) is not counted.
#include <dlfcn.h>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

// The allocator of glibc under its own names, and the start of a program: reserved, and meant.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
}
// NOLINTEND(bugprone-reserved-identifier)

namespace {

using Main = int (*)(int, char**, char**);
using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);

std::atomic<long> allocations{0};
std::atomic<bool> counting{false};
long first = 0;
long failures = 0;
Main real_main = nullptr;

bool fails() {
  if (!counting.load(std::memory_order_relaxed)) return false;
  const long number = ++allocations;
  if (number < first || number - first >= failures) return false;
  errno = ENOMEM;
  return true;
}

long number_of(const char* name, long otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtol(text, nullptr, 10);
}

int counted_main(int argc, char** argv, char** environment) {
  first = number_of("FAIL_ALLOCATION", 0);
  failures = first > 0 ? number_of("FAIL_ALLOCATIONS", 1) : 0;
  counting = true;
  const int status = real_main(argc, argv, environment);
  counting = false;
  return status;
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) { return fails() ? nullptr : __libc_malloc(size); }
void* calloc(std::size_t nmemb, std::size_t size) {
  return fails() ? nullptr : __libc_calloc(nmemb, size);
}
void* realloc(void* ptr, std::size_t size) { return fails() ? nullptr : __libc_realloc(ptr, size); }

// NOLINTNEXTLINE(bugprone-reserved-identifier)
int __libc_start_main(Main main, int argc, char** argv, void (*init)(), void (*fini)(),
                      void (*loader_fini)(), void* stack_end) {
  real_main = main;
  const auto start = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  return start(counted_main, argc, argv, init, fini, loader_fini, stack_end);
}

}  // extern "C"
