// SHA-256, by Nettle.
#pragma once

#include <string>
#include <string_view>

namespace playproof {

std::string sha256_hex(std::string_view bytes);
// A script as a content security policy names it: "sha256-" and base64.
std::string sha256_source(std::string_view bytes);

}  // namespace playproof
