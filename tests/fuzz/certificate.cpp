// Certificates, plain and compressed (told apart by zstd's magic number).
#include <cstring>
#include <memory>

#include "src/check/check.h"
#include "tests/fuzz/target.h"

namespace playproof::fuzz {

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static constexpr std::uint8_t kMagic[] = {0x28, 0xb5, 0x2f, 0xfd};
  const bool compressed = size >= sizeof kMagic && std::memcmp(data, kMagic, sizeof kMagic) == 0;
  std::uint8_t nothing = 0;
  // fmemopen() refuses a size of 0; a file of one byte that is no line serves as well.
  std::uint8_t* bytes = size > 0 ? const_cast<std::uint8_t*>(data) : &nothing;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
      fmemopen(bytes, size > 0 ? size : 1, "rb"), std::fclose);
  if (!file) std::abort();
  const check::Report report = check::check(file.get(), compressed, {});
  const bool known = report.status == check::kValid || report.status == check::kNotProof ||
                     report.status == check::kUnreadable;
  if (!known) broken("status " + std::to_string(report.status));
  if (report.status != check::kValid && (report.error.empty() || report.line_number == 0)) {
    broken("refused without reason or place");
  }
  return 0;
}

}  // namespace playproof::fuzz
