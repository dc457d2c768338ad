#include "host/archive/chunks.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "games/core/error.h"

namespace playproof {
namespace {

constexpr std::string_view kFormat = "playproof-checkpoint ";
constexpr std::string_view kVersion = "9\n";
constexpr std::size_t kMostBytes = 1 << 20;  // of a payload

// A head stands before each payload.
struct Head {
  ChunkKind kind;
  std::uint32_t length;
};
static_assert(sizeof(Head) == 8);

std::string_view bytes_of(const auto& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

// The sum covers number, head and payload, since a chunk in the wrong place is damage too.
std::uint64_t checksum(std::uint64_t number, const Head& head, std::string_view payload) {
  Crc64 crc;
  crc.add(bytes_of(number));
  crc.add(bytes_of(head));
  crc.add(payload);
  return crc.value();
}

}  // namespace

ChunkWriter::ChunkWriter(ByteSink& out) : out_(out) {
  out_.write(kFormat);
  out_.write(kVersion);
}

void ChunkWriter::begin(ChunkKind kind) {
  flush();
  kind_ = kind;
}

void ChunkWriter::write(std::string_view bytes) {
  if (waiting_.size() + bytes.size() > kMostBytes) flush();
  while (bytes.size() > kMostBytes) {
    put(bytes.substr(0, kMostBytes));
    bytes.remove_prefix(kMostBytes);
  }
  waiting_ += bytes;
}

void ChunkWriter::finish() {
  begin(ChunkKind::kEnd);
  put({});
}

void ChunkWriter::flush() {
  if (!waiting_.empty()) put(waiting_);
  waiting_.clear();
}

void ChunkWriter::put(std::string_view payload) {
  const Head head{kind_, static_cast<std::uint32_t>(payload.size())};
  const std::uint64_t sum = checksum(number_++, head, payload);
  out_.write(bytes_of(head));
  out_.write(payload);
  out_.write(bytes_of(sum));
}

ChunkReader::ChunkReader(std::FILE* file, std::string name) : file_(file), name_(std::move(name)) {
  struct stat status {};
  if (fstat(fileno(file), &status) == 0) size_ = static_cast<std::uint64_t>(status.st_size);
  char format[kFormat.size()];
  if (size_ < kFormat.size() + kVersion.size()) fail("not a checkpoint: too short");
  take(format, sizeof format);
  if (std::string_view(format, sizeof format) != kFormat) fail("not a checkpoint");
  char version[kVersion.size()];
  take(version, sizeof version);
  if (std::string_view(version, sizeof version) != kVersion) {
    fail("a checkpoint of another version than " +
         std::string(kVersion.substr(0, kVersion.size() - 1)));
  }
}

void ChunkReader::begin(ChunkKind kind) {
  if (used_ != chunk_.size()) fail("more bytes than expected");
  kind_ = kind;
}

void ChunkReader::read(void* out, std::uint64_t count) {
  char* to = static_cast<char*>(out);
  while (count > 0) {
    if (used_ == chunk_.size()) next_chunk();
    const std::uint64_t part = std::min<std::uint64_t>(count, chunk_.size() - used_);
    if (part == 0) fail("fewer bytes than expected");
    std::memcpy(to, chunk_.data() + used_, part);
    to += part;
    used_ += part;
    count -= part;
  }
}

void ChunkReader::finish() {
  begin(ChunkKind::kEnd);
  next_chunk();
  if (!chunk_.empty()) fail("an end with something in it");
  if (offset_ != size_) fail("something follows the end");
}

void ChunkReader::next_chunk() {
  chunk_begin_ = offset_;
  chunk_.clear();
  used_ = 0;
  Head head{};
  take(&head, sizeof head);
  if (head.length > kMostBytes) fail("damaged: a chunk of an impossible length");
  if (head.length > size_ - offset_) fail("damaged: the file ends within a chunk");
  std::string payload(head.length, '\0');
  take(payload.data(), payload.size());
  std::uint64_t sum = 0;
  take(&sum, sizeof sum);
  if (sum != checksum(number_++, head, payload)) fail("damaged: the checksum is wrong");
  if (head.kind != kind_) fail("a chunk of another kind than expected");
  chunk_ = std::move(payload);
}

void ChunkReader::take(void* out, std::uint64_t count) {
  if (count > 0 && std::fread(out, 1, count, file_) != count) {
    const bool error = std::ferror(file_) != 0;
    fail(error ? std::string("cannot read: ") + strerror(errno)
               : "damaged: the file ends too soon");
  }
  offset_ += count;
}

void ChunkReader::fail(const std::string& what) const {
  throw Error(ErrorCode::kData,
              name_ + ": " + what + ", at offset " +
                  std::to_string(chunk_.empty() ? offset_ : chunk_begin_ + used_));
}

}  // namespace playproof
