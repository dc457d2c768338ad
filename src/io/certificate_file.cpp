#include "src/io/certificate_file.h"

#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "games/core/error.h"

namespace playproof {
namespace {

// Every other line is a node.
constexpr std::array<std::string_view, 11> kOtherLines = {"playproof-certificate",
                                                          "game",
                                                          "rules",
                                                          "graph",
                                                          "position",
                                                          "goal",
                                                          "attacker",
                                                          "claim",
                                                          "free",
                                                          "root",
                                                          "checksum"};

}  // namespace

void NodeCount::add(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find_first_of(in_first_word_ ? " \n" : "\n");
    if (in_first_word_) word_ += bytes.substr(0, end);
    if (end == std::string_view::npos) return;
    if (in_first_word_) {
      const bool node =
          std::find(kOtherLines.begin(), kOtherLines.end(), word_) == kOtherLines.end();
      nodes_ += node ? 1 : 0;
      word_.clear();
    }
    in_first_word_ = bytes[end] == '\n';
    bytes.remove_prefix(end + 1);
  }
}

// Compresses by zstd with a checksum of its own, and a window small enough for any reader.
class CertificateFile::Compressor {
 public:
  Compressor() : context_(ZSTD_createCCtx()), chunk_(ZSTD_CStreamOutSize(), '\0') {
    if (!context_) throw Error(ErrorCode::kInternal, "zstd: out of memory");
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_windowLog, kWindowLog);
  }
  void compress(std::string_view bytes, bool last, AtomicFile& file) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    while (true) {
      ZSTD_outBuffer out{chunk_.data(), chunk_.size(), 0};
      const std::size_t left =
          ZSTD_compressStream2(context_.get(), &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(left) != 0) {
        throw Error(ErrorCode::kInternal, std::string("zstd: ") + ZSTD_getErrorName(left));
      }
      file.write({chunk_.data(), out.pos});
      if (last ? left == 0 : in.pos == in.size) return;
    }
  }

 private:
  static constexpr int kWindowLog = 21;  // 2 MiB
  struct Free {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };
  std::unique_ptr<ZSTD_CCtx, Free> context_;
  std::string chunk_;
};

CertificateFile::CertificateFile(const std::string& path) : file_(path) {
  if (path.ends_with(".zst")) compressor_ = std::make_unique<Compressor>();
}

CertificateFile::~CertificateFile() = default;

void CertificateFile::write(std::string_view bytes) {
  count_.add(bytes);
  if (compressor_) {
    compressor_->compress(bytes, false, file_);
  } else {
    file_.write(bytes);
  }
}

void CertificateFile::commit() {
  if (compressor_) compressor_->compress({}, true, file_);
  file_.commit();
}

}  // namespace playproof
