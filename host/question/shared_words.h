// Plain values that several threads read and write at once, without locks: word by word, relaxed.
// So whoever reads one may see words of two of them. Such a value is torn, and a check word beside
// it tells (Hyatt and Mann 2002, A lock-less transposition table implementation): of a value it is
// a function of all its words, which two values that differ in one word never share, and others by
// an accident in 2^64. What is torn counts as not known.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "games/core/game.h"

namespace playproof {

// How words are read, written and checked. Tests take turns between two words, and plant faults.
struct RelaxedWords {
  using Word [[gnu::may_alias]] = std::uint64_t;
  static std::uint64_t load(const Word* from) { return __atomic_load_n(from, __ATOMIC_RELAXED); }
  static void store(Word* to, std::uint64_t word) {  // NOLINT(*-non-const-parameter): it is stored
    __atomic_store_n(to, word, __ATOMIC_RELAXED);
  }
  // Of the words of a value.
  static std::uint64_t check(std::span<const std::uint64_t> words) {
    std::uint64_t sum = kGoldenGamma;
    for (const std::uint64_t word : words) {  // each step is one to one in either
      sum = (sum ^ word) * kOdd;
      sum ^= sum >> 32;
    }
    return sum;
  }
  // Of the words of what lies beside a value, where there may be nothing: then 0.
  static std::uint64_t check_beside(std::span<const std::uint64_t> words) {
    std::uint64_t any = 0;
    for (const std::uint64_t word : words) any |= word;
    return any == 0 ? 0 : check(words) * kOdd;
  }

 private:
  static constexpr std::uint64_t kOdd = 0xd6e8feb86659fd93;
};

template <class T>
inline constexpr std::size_t kWordsOf = std::is_empty_v<T> ? 0 : sizeof(T) / sizeof(std::uint64_t);
template <class T>
using WordsOf = std::array<std::uint64_t, kWordsOf<T>>;

template <class T>
WordsOf<T> words_of(const T& value) {
  if constexpr (!std::is_empty_v<T>) {
    return std::bit_cast<WordsOf<T>>(value);
  } else {
    return {};
  }
}
template <class T>
T value_of(const WordsOf<T>& words) {
  if constexpr (!std::is_empty_v<T>) {
    return std::bit_cast<T>(words);
  } else {
    return {};
  }
}
template <class Words, class T>
WordsOf<T> load_words(const T* from) {
  WordsOf<T> words;
  const auto* word = reinterpret_cast<const typename Words::Word*>(from);
  for (std::uint64_t& one : words) one = Words::load(word++);
  return words;
}
template <class Words, class T>
void store_words(T* to, const WordsOf<T>& words) {
  auto* word = reinterpret_cast<typename Words::Word*>(to);
  for (const std::uint64_t one : words) Words::store(word++, one);
}

}  // namespace playproof
