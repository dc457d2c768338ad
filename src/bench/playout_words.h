// Playouts by the word: 32 playouts of one position, counted together (games/PLAYOUTS.md). What
// `bench playouts` times, adds up, hashes and dumps.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/common/playout.h"

namespace playproof {

// Which playouts: `leaves` positions with `playouts_per_leaf` playouts each. One leaf is the
// position given; more are that many different unfinished positions of random games from there.
struct PlayoutPlan {
  std::string game;
  std::string position;
  std::string backend = "auto";
  std::uint64_t seed = 1;
  int threads = 1;
  std::uint32_t leaves = 1;
  std::uint64_t playouts_per_leaf = 512;  // up to 2^32
};

inline constexpr std::uint64_t kPlayoutsPerWord = 32;
inline constexpr std::uint64_t kMostPlayoutsPerLeaf = std::uint64_t{1} << 32;

// The words of a plan, numbered leaf after leaf, for whatever game it names.
class PlayoutWords {
 public:
  virtual ~PlayoutWords() = default;

  // Submits words first_word .. first_word + words - 1 in requests that end where the leaf ends or
  // the number of the word in it is a multiple of `words_per_request`. Numbers go on after size(),
  // with other random bits.
  virtual void submit(std::uint64_t first_word, std::uint64_t words,
                      std::uint64_t words_per_request) = 0;
  // The tallies of the oldest batch not collected yet, one a request.
  virtual std::vector<Tally> collect() = 0;

  // Words of all leaves. The last word of a leaf may count fewer than 32 playouts.
  virtual std::uint64_t size() const = 0;
  virtual std::string game() const = 0;
  // Stones or discs laid in one playout, mean over the leaves; none where playouts of a leaf differ
  // in length (Othello, Connect).
  virtual std::optional<double> plies_per_playout() const = 0;
  // Stones or discs laid in the first playouts of those that submit(first_word, words) asks for, as
  // the engine `cpu` plays them on one core; for games whose playouts differ in length.
  struct Plies {
    std::uint64_t plies = 0;
    std::uint64_t playouts = 0;
  };
  virtual Plies count_plies(std::uint64_t first_word, std::uint64_t words) const = 0;
  virtual std::string backend() const = 0;
  virtual std::string device() const = 0;
  // Vector instructions that the engine uses: "baseline" (those of the build), "avx2", "avx512";
  // none for engines that are not the CPU's.
  virtual std::optional<std::string> simd() const = 0;
};

// Throws Error: kUsage (names; fewer different positions than leaves), kData (position, also a
// finished one), kUnavailable (backend).
std::unique_ptr<PlayoutWords> make_playout_words(const PlayoutPlan& plan);

// What is hashed and dumped of one word: its number, the first player's wins, draws and losses, as
// four 32-bit little-endian integers.
std::string word_bytes(std::uint64_t word, const Tally& tally);

// xxh64 over word_bytes() of all words in order.
std::uint64_t tally_checksum(const PlayoutPlan& plan);

}  // namespace playproof
