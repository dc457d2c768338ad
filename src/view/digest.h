// SHA-256, by Nettle.
#pragma once

#include <string>
#include <string_view>

namespace playproof {

std::string sha256_hex(std::string_view bytes);
// As a content security policy names a script: "sha256-" and base64.
std::string sha256_source(std::string_view bytes);

}  // namespace playproof
