// xxh64 (seed 0) over a stream of bytes.
#pragma once

#include <xxhash.h>

#include <cstdint>
#include <memory>
#include <string_view>

namespace playproof {

class Checksum {
 public:
  Checksum() : state_(XXH64_createState()) { XXH64_reset(state_.get(), 0); }

  Checksum& add(std::string_view bytes) {
    XXH64_update(state_.get(), bytes.data(), bytes.size());
    return *this;
  }
  std::uint64_t value() const { return XXH64_digest(state_.get()); }

 private:
  struct Free {
    void operator()(XXH64_state_t* state) const { XXH64_freeState(state); }
  };
  std::unique_ptr<XXH64_state_t, Free> state_;
};

}  // namespace playproof
