// Saves searches into memory and files, for tests.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "games/core/error.h"
#include "host/archive/archive.h"
#include "host/archive/chunks.h"
#include "host/solve/solver.h"
#include "support.h"

namespace playproof {

class StringSink final : public ByteSink {
 public:
  void write(std::string_view bytes) override { text.append(bytes); }
  std::string text;
};

// The bytes of a state, without chunks around them.
class StringSource final : public ByteSource {
 public:
  explicit StringSource(std::string_view text) : left_(text) {}
  void read(void* out, std::uint64_t count) override {
    if (count > left_.size()) fail("fewer bytes than expected");
    left_.copy(static_cast<char*>(out), count);
    left_.remove_prefix(count);
  }
  std::uint64_t most_left() const override { return left_.size(); }
  [[noreturn]] void fail(const std::string& what) const override {
    throw Error(ErrorCode::kData, what + ", " + std::to_string(left_.size()) + " bytes left");
  }

 private:
  std::string_view left_;
};

inline std::string saved(Solver& solver) {
  StringSink sink;
  solver.save(sink);
  return std::move(sink.text);
}
inline std::string certificate(Solver& solver) {
  StringSink sink;
  solver.write_certificate(sink);
  return std::move(sink.text);
}
// A solver of the request that goes on where the other was saved.
inline std::unique_ptr<Solver> resumed(const SolveRequest& request, const std::string& state) {
  std::unique_ptr<Solver> solver = make_solver(request);
  StringSource source(state);
  solver->load(source);
  if (source.most_left() != 0) source.fail("something is left");
  return solver;
}

// Loads a state that somebody may have made up, and finishes. An Error of bad data is an answer
// too; what is accepted has the right verdict.
inline bool accepts_state(const SolveRequest& request, const std::string& state, Verdict right) {
  try {
    const auto solver = resumed(request, state);
    const SolveResult result = finish(*solver);
    if (result.reason == StopReason::kDecided) {
      EXPECT_EQ(result.verdict, right);
    }
    solver->self_check();
    return true;
  } catch (const Error& error) {
    EXPECT_TRUE(error.code() == ErrorCode::kData || error.code() == ErrorCode::kUsage)
        << error.what();
    return false;
  }
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

// A temporary file with this content.
inline File file_of(std::string_view content) {
  File file(std::tmpfile());
  std::fwrite(content.data(), 1, content.size(), file.get());
  std::rewind(file.get());
  return file;
}

}  // namespace playproof
