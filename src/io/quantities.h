// Numbers as people read them.
#pragma once

#include <cstdint>
#include <string>

namespace playproof {

std::string grouped(std::uint64_t number);    // "4,921"
std::string bytes_text(std::uint64_t bytes);  // "79.0 MiB"

}  // namespace playproof
