// Streams of bytes, and their checksum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace playproof {

// Takes bytes, one run after the other. Throws Error(kOutput) if it cannot.
class ByteSink {
 public:
  ByteSink() = default;
  virtual ~ByteSink() = default;
  ByteSink(const ByteSink&) = delete;
  ByteSink& operator=(const ByteSink&) = delete;
  virtual void write(std::string_view bytes) = 0;
};

// Where saved bytes come from.
class ByteSource {
 public:
  ByteSource() = default;
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  // Exactly `count` bytes; fail() if there are fewer.
  virtual void read(void* out, std::uint64_t count) = 0;
  // Is never less than the bytes that are left: no honest count asks for more.
  virtual std::uint64_t most_left() const = 0;
  // Throws Error(kData) that names the source and the place.
  [[noreturn]] virtual void fail(const std::string& what) const = 0;
};

// CRC-64/XZ (ECMA-182, reflected) of a stream of bytes; "123456789" gives 995dc9bbdf1939fa.
class Crc64 {
 public:
  void add(std::string_view bytes);
  std::uint64_t value() const { return ~state_; }

 private:
  std::uint64_t state_ = ~std::uint64_t{0};
};

}  // namespace playproof
