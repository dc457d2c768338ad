// Saves and loads the state of a search. A class lists its members once,
//   template <class Archive> void serialize(Archive& archive) { archive(a_, b_);
//   archive.check(...); }
// and a Saver writes them while a Loader reads them: little-endian, in order, no names. Whatever is
// read is checked before it is used; a wrong count allocates nothing.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "host/archive/bytes.h"

namespace playproof {

static_assert(std::endian::native == std::endian::little, "saved states are little-endian");

inline constexpr std::uint64_t kMostListed = 1 << 20;  // elements of a text or list

class Saver {
 public:
  static constexpr bool kLoading = false;
  explicit Saver(ByteSink& out) : out_(out) {}

  template <class... T>
  void operator()(T&... values) {
    (write(values), ...);
  }
  void bytes(const void* data, std::uint64_t count) {
    out_.write({static_cast<const char*>(data), count});
  }
  void check(bool /*good*/, const char* /*what*/) {}
  ByteSink& sink() { return out_; }

 private:
  template <class T>
  void write(T& value) {
    if constexpr (requires { value.serialize(*this); }) {
      value.serialize(*this);
    } else {
      static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
      bytes(&value, sizeof value);
    }
  }
  void write(std::string& text) {
    count(text.size());
    bytes(text.data(), text.size());
  }
  template <class T>
  void write(std::vector<T>& list) {
    count(list.size());
    for (T& element : list) write(element);
  }
  template <class T>
  void write(std::optional<T>& value) {
    std::uint8_t given = value.has_value() ? 1 : 0;
    write(given);
    if (value) write(*value);
  }
  void count(std::uint64_t n) { write(n); }

  ByteSink& out_;
};

class Loader {
 public:
  static constexpr bool kLoading = true;
  explicit Loader(ByteSource& in) : in_(in) {}

  template <class... T>
  void operator()(T&... values) {
    (read(values), ...);
  }
  void bytes(void* data, std::uint64_t count) { in_.read(data, count); }
  void check(bool good, const char* what) {
    if (!good) in_.fail(what);
  }
  ByteSource& source() { return in_; }

 private:
  template <class T>
  void read(T& value) {
    if constexpr (requires { value.serialize(*this); }) {
      value.serialize(*this);
    } else {
      static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
      read_plain(value);
    }
  }
  void read(bool& value) {
    std::uint8_t byte = 0;
    bytes(&byte, sizeof byte);
    check(byte <= 1, "neither yes nor no");
    value = byte != 0;
  }
  void read(double& value) {
    read_plain(value);
    check(std::isfinite(value), "not a number");
  }
  void read(std::string& text) {
    text.resize(count());
    bytes(text.data(), text.size());
  }
  template <class T>
  void read(std::vector<T>& list) {
    const std::uint64_t size = count();
    list.clear();
    for (std::uint64_t i = 0; i < size; ++i) read(list.emplace_back());
  }
  template <class T>
  void read(std::optional<T>& value) {
    bool given = false;
    read(given);
    value.reset();
    if (given) read(value.emplace());
  }
  // The enumerations that are saved end in kLast.
  template <class T>
  void read_plain(T& value) {
    bytes(&value, sizeof value);
    if constexpr (std::is_enum_v<T>) check(value <= T::kLast, "a choice that does not exist");
  }
  std::uint64_t count() {
    std::uint64_t n = 0;
    read(n);
    check(n <= kMostListed && n <= in_.most_left(), "a list longer than what is left");
    return n;
  }

  ByteSource& in_;
};

}  // namespace playproof
