// The bytes of a checkpoint file (docs/checkpoint.md): chunks with kind, length and checksum, so
// that no byte is used before it is known to be the one that was written.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "host/archive/archive.h"

namespace playproof {

enum class ChunkKind : std::uint32_t {
  kQuestion = 0x54534551,  // "QEST": what is searched for
  kState = 0x54415453,     // "STAT": the search
  kEnd = 0x2e444e45,       // "END.": nothing follows
};

// Writes chunks. Holds at most one in memory; long runs of bytes are not copied.
class ChunkWriter final : public ByteSink {
 public:
  // Begins with the line of the format.
  explicit ChunkWriter(ByteSink& out);
  // What is written from now on is of this kind.
  void begin(ChunkKind kind);
  void write(std::string_view bytes) override;
  void finish();  // the end; nothing may be written after it

 private:
  void flush();
  void put(std::string_view payload);

  ByteSink& out_;
  ChunkKind kind_ = ChunkKind::kQuestion;
  std::uint64_t number_ = 0;  // of the next chunk
  std::string waiting_;
};

// Reads what ChunkWriter wrote. Throws Error(kData) that names file and offset.
class ChunkReader final : public ByteSource {
 public:
  // `name` is for messages. The file stays the caller's. Reads the line of the format.
  ChunkReader(std::FILE* file, std::string name);
  // What is read from now on is of this kind; all of what came before was read.
  void begin(ChunkKind kind);
  void read(void* out, std::uint64_t count) override;
  void finish();  // the end, and nothing after it
  // Is something of the chunk left that was read last?
  bool more() const { return used_ != chunk_.size(); }
  std::uint64_t most_left() const override { return size_ - offset_ + (chunk_.size() - used_); }
  [[noreturn]] void fail(const std::string& what) const override;

 private:
  void next_chunk();
  void take(void* out, std::uint64_t count);

  std::FILE* file_;
  std::string name_;
  ChunkKind kind_ = ChunkKind::kQuestion;
  std::uint64_t size_ = 0;         // of the file
  std::uint64_t offset_ = 0;       // of what is read next from the file
  std::uint64_t chunk_begin_ = 0;  // where the chunk in memory stands
  std::uint64_t number_ = 0;       // of the next chunk
  std::string chunk_;
  std::size_t used_ = 0;  // of the chunk
};

}  // namespace playproof
