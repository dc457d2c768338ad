#include "host/zone/match.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "kernels/common/simd.h"

namespace playproof {
namespace {

// Where patterns and the position are: what all the loops below read.
struct Scan {
  const std::uint64_t* needed;
  const std::uint64_t* zones;
  std::size_t from;
  std::size_t count;
  std::uint64_t own;
  std::uint64_t other;
};
// Zero if pattern i matches. A word without its lowest bit is zero if at most one bit was missing.
template <bool kOneShort>
[[gnu::always_inline]] inline std::uint64_t wrong(const Scan& s, std::size_t i) {
  const std::uint64_t missing = s.needed[i] & ~s.own;
  return (kOneShort ? missing & (missing - 1) : missing) | (s.zones[i] & s.other);
}
// From pattern i on, in its block.
template <bool kOneShort>
[[gnu::always_inline]] inline std::size_t match_within(const Scan& s, std::size_t i) {
  while (wrong<kOneShort>(s, i) != 0) ++i;
  return i;
}
// The rest of the block that `from` lies in; what begins a block next is whole.
template <bool kOneShort>
[[gnu::always_inline]] inline bool match_before_block(const Scan& s, std::size_t* i) {
  for (; *i % kMatchBlock != 0 && *i < s.count; ++*i) {
    if (wrong<kOneShort>(s, *i) == 0) return true;
  }
  return false;
}

template <bool kOneShort>
std::size_t scan_baseline(const Scan& s) {
  for (std::size_t i = s.from; i < s.count; ++i) {
    if (wrong<kOneShort>(s, i) == 0) return i;
  }
  return s.count;
}

#if defined(__x86_64__)
template <bool kOneShort>
[[gnu::target("avx2")]] std::size_t scan_avx2(const Scan& s) {
  std::size_t i = s.from;
  if (match_before_block<kOneShort>(s, &i)) return i;
  const __m256i own = _mm256_set1_epi64x(static_cast<long long>(s.own));
  const __m256i other = _mm256_set1_epi64x(static_cast<long long>(s.other));
  const __m256i none = _mm256_setzero_si256();
  const __m256i one = _mm256_set1_epi64x(1);
  for (; i < s.count; i += kMatchBlock) {
    __m256i right = none;
    for (std::size_t j = i; j < i + kMatchBlock; j += 4) {
      const __m256i need = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(s.needed + j));
      const __m256i zone = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(s.zones + j));
      __m256i missing = _mm256_andnot_si256(own, need);
      if (kOneShort) missing = _mm256_and_si256(missing, _mm256_sub_epi64(missing, one));
      const __m256i bad = _mm256_or_si256(missing, _mm256_and_si256(zone, other));
      right = _mm256_or_si256(right, _mm256_cmpeq_epi64(bad, none));
    }
    if (_mm256_testz_si256(right, right) == 0) return match_within<kOneShort>(s, i);
  }
  return s.count;
}
template <bool kOneShort>
[[gnu::target("avx512f")]] std::size_t scan_avx512(const Scan& s) {
  std::size_t i = s.from;
  if (match_before_block<kOneShort>(s, &i)) return i;
  const __m512i own = _mm512_set1_epi64(static_cast<long long>(s.own));
  const __m512i other = _mm512_set1_epi64(static_cast<long long>(s.other));
  const __m512i one = _mm512_set1_epi64(1);
  for (; i < s.count; i += kMatchBlock) {
    unsigned right = 0;
    for (std::size_t j = i; j < i + kMatchBlock; j += 8) {
      const __m512i need = _mm512_loadu_si512(s.needed + j);
      const __m512i met = _mm512_and_si512(_mm512_loadu_si512(s.zones + j), other);
      __m512i bad;
      if (kOneShort) {
        const __m512i missing = _mm512_ternarylogic_epi64(own, need, need, 0x0c);  // ~own & need
        const __m512i less = _mm512_sub_epi64(missing, one);
        bad = _mm512_ternarylogic_epi64(missing, less, met, 0xea);  // (missing & less) | met
      } else {
        bad = _mm512_ternarylogic_epi64(own, need, met, 0xae);  // (~own & need) | met
      }
      right |= _mm512_testn_epi64_mask(bad, bad);
    }
    if (right != 0) return match_within<kOneShort>(s, i);
  }
  return s.count;
}
#endif

using Loop = std::size_t (*)(const Scan&);
template <bool kOneShort>
Loop choose() {
#if defined(__x86_64__)
  if (best_simd_level() == SimdLevel::kAvx512) return scan_avx512<kOneShort>;
  if (best_simd_level() == SimdLevel::kAvx2) return scan_avx2<kOneShort>;
#endif
  return scan_baseline<kOneShort>;
}

}  // namespace

std::size_t first_match_of_word(const std::uint64_t* needed, const std::uint64_t* zones,
                                std::size_t from, std::size_t count, std::uint64_t own,
                                std::uint64_t other, int short_of) {
  static const Loop all = choose<false>();
  static const Loop but_one = choose<true>();
  return (short_of == 0 ? all : but_one)({needed, zones, from, count, own, other});
}

}  // namespace playproof
