// Reads a certificate line by line: splits lines into words, checks the checksum, knows the place.
// Holds one line, its words and a buffer in memory; hands out at most kMostTextPerByte bytes of
// text for each byte of a compressed file.
#pragma once

#include <zstd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace playproof::check {

// Exit statuses: valid; not a proof, or not of what was asked; damaged or not a certificate; a
// wrong command line; output that cannot be written.
enum Status : int { kValid = 0, kNotProof = 1, kUnreadable = 2, kUsage = 64, kNoOutput = 74 };

struct Failure : std::runtime_error {
  Failure(Status why, const std::string& text) : std::runtime_error(text), status(why) {}
  Status status;
};
[[noreturn]] inline void unreadable(const std::string& text) { throw Failure(kUnreadable, text); }
[[noreturn]] inline void reject(const std::string& text) { throw Failure(kNotProof, text); }
// Is the number of words of a line right?
inline void expect(bool good) {
  if (!good) unreadable("a line with too many or too few words");
}

// The text as messages show it: printable ASCII, also within JSON.
inline std::string plain(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= ' ' && c <= '~' && c != '"' && c != '\\' ? c : '?';
  return out;
}
// A word as messages show it: short, in quotes.
inline std::string shown(std::string_view word) {
  std::string quoted = "'";
  quoted += plain(word.substr(0, 60));
  return quoted += word.size() > 60 ? "...'" : "'";
}

class Reader {
 public:
  // `compressed`: the file is one zstd frame.
  Reader(std::FILE* file, bool compressed) : file_(file) {
    if (!compressed) return;
    zstd_.reset(ZSTD_createDCtx());
    ZSTD_DCtx_setParameter(zstd_.get(), ZSTD_d_windowLogMax, 23);  // at most 8 MiB
  }

  // Goes to the next line; false at the end, when the checksum is right. Failure(kUnreadable).
  bool next() {
    if (ended_) return false;
    ++line_number_;
    if (!read_line()) unreadable("the file ends before its checksum");
    if (line_.starts_with("checksum")) {
      std::array<char, 32> right{};
      std::snprintf(right.data(), right.size(), "checksum %016llx", ~crc_);
      if (line_ != right.data()) unreadable("the checksum is wrong: the file is damaged");
      if (!rest_.empty() || fill()) unreadable("something follows the checksum");
      ended_ = true;
      return false;
    }
    add_to_checksum();
    split();
    return true;
  }
  void advance() {
    if (!next()) unreadable("the file ends within its header");
  }
  // Printable ASCII, one blank between two words; at least one. Valid until the next call.
  const std::vector<std::string_view>& words() const { return words_; }
  std::uint64_t line_number() const { return line_number_; }
  std::uint64_t text_bytes() const { return text_bytes_; }  // so far

 private:
  bool fill() {
    rest_ = {buffer_.data(), zstd_ ? decompress() : read_into(buffer_)};
    text_bytes_ += rest_.size();
    if (text_bytes_ > kFreeText + kMostTextPerByte * file_bytes_) {
      unreadable("the compressed data grows beyond 256 times its size");
    }
    return !rest_.empty();
  }
  std::size_t read_into(std::array<char, 1 << 16>& bytes) {
    const std::size_t count = std::fread(bytes.data(), 1, bytes.size(), file_);
    file_bytes_ += count;
    if (std::ferror(file_) != 0) unreadable("the file cannot be read");
    return count;
  }
  std::size_t decompress() {
    ZSTD_outBuffer out{buffer_.data(), buffer_.size(), 0};
    while (out.pos == 0) {
      if (in_.pos == in_.size) in_ = {packed_.data(), read_into(packed_), 0};
      if (frame_left_ == 0 && in_.size == 0) return 0;
      if (frame_left_ == 0) unreadable("something follows the compressed data");
      frame_left_ = ZSTD_decompressStream(zstd_.get(), &out, &in_);
      if (ZSTD_isError(frame_left_) != 0) unreadable(ZSTD_getErrorName(frame_left_));
      const bool stuck = out.pos == 0 && in_.size == 0 && frame_left_ != 0;  // zstd holds nothing
      if (stuck) unreadable("the compressed data ends too early");
    }
    return out.pos;
  }

  bool read_line() {
    line_.clear();
    while (!rest_.empty() || fill()) {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      line_ += rest_.substr(0, end);
      if (line_.size() > kLongestLine) unreadable("the line is too long");
      const bool complete = end < rest_.size();
      rest_.remove_prefix(complete ? end + 1 : end);
      if (complete) return true;
    }
    if (!line_.empty()) unreadable("the file ends within a line");
    return false;
  }
  void split() {
    words_.clear();
    const std::string_view line = line_;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= line.size(); ++i) {
      const char c = i < line.size() ? line[i] : ' ';
      if (c < ' ' || c > '~') unreadable("column " + std::to_string(i + 1) + " is not ASCII text");
      if (c != ' ') continue;
      if (i == begin) unreadable("an empty line, or a blank too many");
      words_.push_back(line.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  // CRC-64/XZ of the line and its end.
  void add_to_checksum() {
    static const std::array<unsigned long long, 256> kTable = [] {
      std::array<unsigned long long, 256> table{};
      for (unsigned i = 0; i < 256; ++i) {
        table[i] = i;
        for (int bit = 0; bit < 8; ++bit) {
          table[i] = (table[i] >> 1) ^ ((table[i] & 1) != 0 ? 0xc96c5795d7870f42ull : 0);
        }
      }
      return table;
    }();
    line_ += '\n';
    for (const char c : line_) {
      crc_ = (crc_ >> 8) ^ kTable[(crc_ ^ static_cast<unsigned char>(c)) & 0xff];
    }
    line_.pop_back();
  }

  static constexpr std::size_t kLongestLine = 1 << 20;
  static constexpr std::uint64_t kMostTextPerByte = 256;
  static constexpr std::uint64_t kFreeText = 1 << 20;
  std::FILE* file_;
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> zstd_{nullptr, &ZSTD_freeDCtx};  // or plain
  std::array<char, 1 << 16> packed_{};
  ZSTD_inBuffer in_{nullptr, 0, 0};
  std::size_t frame_left_ = 1;
  std::array<char, 1 << 16> buffer_{};
  std::string_view rest_;  // of the buffer
  std::string line_;
  std::vector<std::string_view> words_;
  std::uint64_t line_number_ = 0;
  std::uint64_t text_bytes_ = 0;
  std::uint64_t file_bytes_ = 0;
  unsigned long long crc_ = ~0ull;
  bool ended_ = false;
};

}  // namespace playproof::check
