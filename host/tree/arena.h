// A growing array that never moves and never holds more than its limit: address space is reserved
// at once, memory is used as it is touched. Elements are trivially copyable and live until the end.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "games/core/error.h"

namespace playproof {

// Has the caches fetch an object, or its first half kilobyte.
inline void prefetch_lines(const void* object, std::size_t bytes) {
  const auto* at = static_cast<const char*>(object);
  const std::size_t end = std::min<std::size_t>(bytes, 512);
  for (std::size_t line = 0; line < end; line += 64) __builtin_prefetch(at + line);
  if (end > 0) __builtin_prefetch(at + end - 1);  // where it does not begin with a line
}

// All of an arena but the type of its elements.
class ArenaMemory {
 public:
  // Makes room for `capacity` elements; less if the machine has not even the addresses.
  [[gnu::noinline]] ArenaMemory(std::uint64_t capacity, std::size_t element_bytes)
      : element_bytes_(element_bytes), capacity_(std::max<std::uint64_t>(capacity, 1)) {
    while (true) {
      void* memory = mmap(nullptr, bytes(capacity_), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (memory != MAP_FAILED) {
        data_ = static_cast<std::byte*>(memory);
        // Small trees stay on small pages: clearing a huge one costs more than such a search.
        constexpr std::uint64_t kSmall = std::uint64_t{4} << 20;
        if (bytes(capacity_) > kSmall) {
          madvise(data_ + kSmall, bytes(capacity_) - kSmall, MADV_HUGEPAGE);
        }
        return;
      }
      if (bytes(capacity_) < (std::uint64_t{1} << 20)) {
        throw Error(ErrorCode::kInternal, "out of memory: not even 1 MiB of address space is left");
      }
      capacity_ /= 2;
    }
  }
  [[gnu::noinline]] ~ArenaMemory() {
    if (data_ != nullptr) munmap(data_, bytes(capacity_));
  }
  ArenaMemory(const ArenaMemory&) = delete;
  ArenaMemory& operator=(const ArenaMemory&) = delete;

  bool has_room(std::uint64_t count) const { return count <= capacity_ - size_; }
  // Room must have been checked. Returns the index of the first of `count` uninitialised elements.
  std::uint32_t allocate(std::uint32_t count) {
    const std::uint64_t first = size_;
    size_ += count;
    return static_cast<std::uint32_t>(first);
  }
  // Gives back what many elements took.
  void clear() {
    if (is_large()) give_back();
    size_ = 0;
  }
  // Removes all elements, and makes all memory zero again, as it was at first.
  void clear_to_zero() {
    if (!is_large() || !give_back()) std::memset(data_, 0, bytes(size_));
    size_ = 0;
  }
  // Replaces all elements when loading (host/archive/archive.h). No more are read than there is
  // room for.
  template <class Archive>
  void serialize(Archive& archive) {
    std::uint64_t count = size_;
    archive(count);
    if constexpr (Archive::kLoading) {
      archive.check(count <= archive.source().most_left() / element_bytes_,
                    "more elements than bytes are left");
      size_ = 0;
      if (!has_room(count)) {
        throw Error(ErrorCode::kUsage,
                    "--max-memory leaves no room for the search that is to be resumed");
      }
      size_ = count;
    }
    archive.bytes(data_, bytes(count));
  }

  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  std::size_t element_bytes() const { return element_bytes_; }
  std::uint64_t size() const { return size_; }
  std::uint64_t used_bytes() const { return bytes(size_); }

 private:
  std::uint64_t bytes(std::uint64_t count) const { return count * element_bytes_; }
  bool is_large() const { return bytes(size_) > std::uint64_t{1} << 20; }
  bool give_back() { return madvise(data_, bytes(size_), MADV_DONTNEED) == 0; }

  std::byte* data_ = nullptr;
  std::size_t element_bytes_;
  std::uint64_t capacity_ = 0;
  std::uint64_t size_ = 0;
};

template <class T>
class Arena : public ArenaMemory {
  static_assert(std::is_trivially_destructible_v<T> && std::is_trivially_copyable_v<T>);

 public:
  explicit Arena(std::uint64_t capacity) : ArenaMemory(capacity, sizeof(T)) {}

  T& operator[](std::uint32_t i) { return reinterpret_cast<T*>(data())[i]; }
  const T& operator[](std::uint32_t i) const { return reinterpret_cast<const T*>(data())[i]; }
};

}  // namespace playproof
