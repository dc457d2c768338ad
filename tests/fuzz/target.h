// What the targets share. A target is one reader: LLVMFuzzerTestOneInput() hands it bytes. With
// clang's libFuzzer (`make fuzz`) the bytes are searched for, with replay.cpp (ctest) they are
// seeds and systematic damage of them. A reader may refuse its input, with the errors of bad input;
// whatever else it does wrong ends the process.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "games/core/error.h"

namespace playproof::fuzz {

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

// A reader contradicts itself.
[[noreturn]] inline void broken(const std::string& what) {
  std::fprintf(stderr, "broken: %s\n", what.c_str());
  std::abort();
}

// Runs `read`; false if it refused. Other errors than those of bad input are ours.
template <class Read>
bool reads(const Read& read) {
  try {
    read();
    return true;
  } catch (const Error& error) {
    const bool refused = error.code() == ErrorCode::kUsage || error.code() == ErrorCode::kData;
    if (!refused) broken(error.what());
    const std::string_view text = error.what();
    if (text.empty()) broken("an error without a text");
    for (const char c : text) {
      if (static_cast<unsigned char>(c) < ' ')
        broken("an error of several lines: " + std::string(text));
    }
    return false;
  }
}

// For readers of named files: one of this process, where nothing needs a disk.
inline std::string fresh_path(const char* ending) {
  const std::filesystem::path memory = "/dev/shm";
  const auto folder =
      std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
  return (folder / ("playproof-fuzz-" + std::to_string(getpid()) + ending)).string();
}

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace playproof::fuzz
