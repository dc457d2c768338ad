// Numbers as people read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace playproof {

// "1 node", "2 nodes"; `more` where it is not `one` with an s: "0 batches".
std::string counted(std::uint64_t number, std::string_view one, std::string_view more = {});

std::string grouped(std::uint64_t number);    // "4,921"
std::string bytes_text(std::uint64_t bytes);  // "79.0 MiB"

}  // namespace playproof
