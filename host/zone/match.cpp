#include "host/zone/match.h"

#include <bit>
#include <cstddef>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace playproof {
namespace {

constexpr std::size_t kWords = kMatchPatterns / 64;
constexpr unsigned kStep = 4;  // rows between two looks at whether any pattern is left

using Rows = const MatchRow*;

// All the loops below: `bad` has the patterns whose zone has a stone of the other; with kOneShort
// `once` has those that miss one needed stone, and `bad` those that miss a second one.
template <bool kOneShort>
bool match_baseline(Rows needed, Rows zones, const MatchQuestion& question, MatchRow* mask) {
  MatchRow bad;
  MatchRow once;
  for (std::size_t w = 0; w < kWords; ++w) bad.words[w] = ~mask->words[w];
  const auto none_left = [&] {
    std::uint64_t all = ~std::uint64_t{0};
    for (const std::uint64_t word : bad.words) all &= word;
    return all == ~std::uint64_t{0};
  };
  unsigned seen = 0;
  for (int i = 0; i < question.words; ++i) {
    for (std::uint64_t rest = question.other[i]; rest != 0; rest &= rest - 1) {
      const MatchRow& row = zones[64 * i + std::countr_zero(rest)];
      for (std::size_t w = 0; w < kWords; ++w) bad.words[w] |= row.words[w];
      if (++seen % kStep == 0 && none_left()) return false;
    }
  }
  for (int i = 0; i < question.words; ++i) {
    for (std::uint64_t rest = question.empty[i]; rest != 0; rest &= rest - 1) {
      const MatchRow& row = needed[64 * i + std::countr_zero(rest)];
      for (std::size_t w = 0; w < kWords; ++w) {
        bad.words[w] |= kOneShort ? once.words[w] & row.words[w] : row.words[w];
        once.words[w] |= row.words[w];
      }
      if (++seen % kStep == 0 && none_left()) return false;
    }
  }
  for (std::size_t w = 0; w < kWords; ++w) mask->words[w] = ~bad.words[w];
  return !none_left();
}

#if defined(__x86_64__)
constexpr int kQuarters = kMatchPatterns / 256;

[[gnu::target("avx2"), gnu::always_inline]] inline bool all_bad(const __m256i (&bad)[kQuarters]) {
  const __m256i both =
      _mm256_and_si256(_mm256_and_si256(bad[0], bad[1]), _mm256_and_si256(bad[2], bad[3]));
  return _mm256_testc_si256(both, _mm256_set1_epi64x(-1)) != 0;
}
template <bool kOneShort>
[[gnu::target("avx2")]] bool match_avx2(Rows needed, Rows zones, const MatchQuestion& question,
                                        MatchRow* mask) {
  static_assert(kQuarters == 4);
  const __m256i all = _mm256_set1_epi64x(-1);
  auto* out = reinterpret_cast<__m256i*>(mask->words);
  __m256i bad[kQuarters];
  __m256i once[kQuarters] = {};
  for (int q = 0; q < kQuarters; ++q) bad[q] = _mm256_xor_si256(_mm256_load_si256(out + q), all);
  unsigned seen = 0;
  for (int i = 0; i < question.words; ++i) {
    for (std::uint64_t rest = question.other[i]; rest != 0; rest &= rest - 1) {
      const MatchRow& found = zones[64 * i + std::countr_zero(rest)];
      const auto* row = reinterpret_cast<const __m256i*>(found.words);
      for (int q = 0; q < kQuarters; ++q) {
        bad[q] = _mm256_or_si256(bad[q], _mm256_load_si256(row + q));
      }
      if (++seen % kStep == 0 && all_bad(bad)) return false;
    }
  }
  for (int i = 0; i < question.words; ++i) {
    for (std::uint64_t rest = question.empty[i]; rest != 0; rest &= rest - 1) {
      const MatchRow& found = needed[64 * i + std::countr_zero(rest)];
      const auto* row = reinterpret_cast<const __m256i*>(found.words);
      for (int q = 0; q < kQuarters; ++q) {
        const __m256i here = _mm256_load_si256(row + q);
        bad[q] = _mm256_or_si256(bad[q], kOneShort ? _mm256_and_si256(once[q], here) : here);
        if (kOneShort) once[q] = _mm256_or_si256(once[q], here);
      }
      if (++seen % kStep == 0 && all_bad(bad)) return false;
    }
  }
  for (int q = 0; q < kQuarters; ++q) _mm256_store_si256(out + q, _mm256_xor_si256(bad[q], all));
  return !all_bad(bad);
}

// A MatchRow. Four rows of cells are taken at a time, the last ones filled up with rows of nothing:
// a loop over each cell ends where no branch predictor foresees it, and a look-up is short.
struct Row512 {
  __m512i low;
  __m512i high;
};
alignas(64) constexpr MatchRow kNoPattern = {};

[[gnu::target("avx512f,bmi"), gnu::always_inline]] inline Row512 take_row(std::uint64_t* cells,
                                                                          Rows rows) {
  const MatchRow* const row = *cells != 0 ? rows + std::countr_zero(*cells) : &kNoPattern;
  *cells &= *cells - 1;
  return {_mm512_load_si512(row->words), _mm512_load_si512(row->words + 8)};
}
[[gnu::target("avx512f"), gnu::always_inline]] inline bool all_bad(const Row512& bad) {
  const __m512i both = _mm512_and_si512(bad.low, bad.high);
  return _mm512_cmpneq_epi64_mask(both, _mm512_set1_epi64(-1)) == 0;
}
// sum |= a | b
[[gnu::target("avx512f"), gnu::always_inline]] inline void add_two(const Row512& a, const Row512& b,
                                                                   Row512* sum) {
  sum->low = _mm512_ternarylogic_epi64(sum->low, a.low, b.low, 0xfe);
  sum->high = _mm512_ternarylogic_epi64(sum->high, a.high, b.high, 0xfe);
}
// twice |= once & row, once |= row
[[gnu::target("avx512f"), gnu::always_inline]] inline void add_again(const Row512& row,
                                                                     Row512* once, Row512* twice) {
  twice->low = _mm512_ternarylogic_epi64(twice->low, once->low, row.low, 0xf8);
  twice->high = _mm512_ternarylogic_epi64(twice->high, once->high, row.high, 0xf8);
  once->low = _mm512_or_si512(once->low, row.low);
  once->high = _mm512_or_si512(once->high, row.high);
}
template <bool kOneShort>
[[gnu::target("avx512f,bmi")]] bool match_avx512(Rows needed, Rows zones,
                                                 const MatchQuestion& question, MatchRow* mask) {
  static_assert(kMatchPatterns == 1024 && kStep == 4);
  const __m512i all = _mm512_set1_epi64(-1);
  Row512 bad = {_mm512_xor_si512(_mm512_load_si512(mask->words), all),
                _mm512_xor_si512(_mm512_load_si512(mask->words + 8), all)};
  Row512 once = {_mm512_setzero_si512(), _mm512_setzero_si512()};
  for (int i = 0; i < question.words; ++i) {
    const Rows of_word = zones + std::ptrdiff_t{64} * i;
    for (std::uint64_t rest = question.other[i]; rest != 0;) {
      const Row512 a = take_row(&rest, of_word);
      const Row512 b = take_row(&rest, of_word);
      const Row512 c = take_row(&rest, of_word);
      const Row512 d = take_row(&rest, of_word);
      add_two(a, b, &bad);
      add_two(c, d, &bad);
      if (all_bad(bad)) return false;
    }
  }
  for (int i = 0; i < question.words; ++i) {
    const Rows of_word = needed + std::ptrdiff_t{64} * i;
    for (std::uint64_t rest = question.empty[i]; rest != 0;) {
      const Row512 a = take_row(&rest, of_word);
      const Row512 b = take_row(&rest, of_word);
      const Row512 c = take_row(&rest, of_word);
      const Row512 d = take_row(&rest, of_word);
      if (kOneShort) {
        add_again(a, &once, &bad);
        add_again(b, &once, &bad);
        add_again(c, &once, &bad);
        add_again(d, &once, &bad);
      } else {
        add_two(a, b, &bad);
        add_two(c, d, &bad);
      }
      if (all_bad(bad)) return false;
    }
  }
  _mm512_store_si512(mask->words, _mm512_xor_si512(bad.low, all));
  _mm512_store_si512(mask->words + 8, _mm512_xor_si512(bad.high, all));
  return !all_bad(bad);
}
#endif

using Loop = bool (*)(Rows, Rows, const MatchQuestion&, MatchRow*);
template <bool kOneShort>
Loop loop_of(SimdLevel level) {
#if defined(__x86_64__)
  if (level == SimdLevel::kAvx512) return match_avx512<kOneShort>;
  if (level == SimdLevel::kAvx2) return match_avx2<kOneShort>;
#endif
  return match_baseline<kOneShort>;
}

}  // namespace

bool match_rows(const MatchRow* needed, const MatchRow* zones, const MatchQuestion& question,
                MatchRow* mask) {
  static const Loop all = loop_of<false>(best_simd_level());
  static const Loop but_one = loop_of<true>(best_simd_level());
  return (question.short_of == 0 ? all : but_one)(needed, zones, question, mask);
}

bool match_rows(SimdLevel level, const MatchRow* needed, const MatchRow* zones,
                const MatchQuestion& question, MatchRow* mask) {
  const Loop loop = question.short_of == 0 ? loop_of<false>(level) : loop_of<true>(level);
  return loop(needed, zones, question, mask);
}

}  // namespace playproof
