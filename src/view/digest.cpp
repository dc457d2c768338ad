#include "src/view/digest.h"

#include <nettle/base16.h>
#include <nettle/base64.h>
#include <nettle/sha2.h>

#include <array>
#include <cstdint>

namespace playproof {
namespace {

using Digest = std::array<std::uint8_t, SHA256_DIGEST_SIZE>;

Digest sha256(std::string_view bytes) {
  sha256_ctx context{};
  sha256_init(&context);
  // Bytes are bytes, whatever the sign of char.
  sha256_update(&context, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  Digest digest{};
  sha256_digest(&context, digest.size(), digest.data());
  return digest;
}

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  const Digest digest = sha256(bytes);
  std::string text(BASE16_ENCODE_LENGTH(SHA256_DIGEST_SIZE), '\0');
  base16_encode_update(text.data(), digest.size(), digest.data());
  return text;
}

std::string sha256_source(std::string_view bytes) {
  const Digest digest = sha256(bytes);
  std::string text(BASE64_ENCODE_RAW_LENGTH(SHA256_DIGEST_SIZE), '\0');
  base64_encode_raw(text.data(), digest.size(), digest.data());
  return "sha256-" + text;
}

}  // namespace playproof
