// Certificates changed on purpose, with checksum and grammar in order: what a checker must refuse,
// unless what it then says is true all the same.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tests/certificates/support.h"

namespace playproof {

// A stream of numbers from a seed.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(mix64(seed)) {}
  std::size_t below(std::size_t n) {
    state_ = mix64(state_);
    return static_cast<std::size_t>(state_ % n);
  }

 private:
  std::uint64_t state_;
};

// A certificate as words; the checksum line left out.
using Sheet = std::vector<std::vector<std::string>>;
Sheet sheet_of(const std::string& certificate);
std::string text_of(const Sheet& sheet);

// Changes a certificate in one place; false if it has no such place.
using Mutation = std::function<bool(Sheet&, Draw&)>;
struct MutationClass {
  const char* name;
  Mutation apply;
  bool never_a_proof;  // whatever the certificate
};
const std::vector<MutationClass>& mutation_classes();

// What became of the mutants of one class.
struct MutantTally {
  int made = 0;
  int rejected = 0;    // exit 1
  int unreadable = 0;  // exit 2
  int true_anyway = 0;
  int false_ones = 0;  // accepted, and not true: a fault of the checker
};
using Judge = std::function<check::Report(const std::string&)>;
// `count` different mutants of the certificates under `judge`; less if there are not so many.
MutantTally judge_mutants(const MutationClass& mutation, const std::vector<Sheet>& certificates,
                          int count, const Judge& judge);

}  // namespace playproof
