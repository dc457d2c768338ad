// Probabilities that neither underflow nor round to 0 or 1 (E19): the smaller of p and 1 - p
// is kept as mantissa and exponent, the other follows from it without loss. Holds what the pair
// (log p, log(1-p)) holds, with products instead of sums: only multiplication and addition, so a
// search counts the same nodes on every machine (library logarithms differ in the last bit).
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "kernels/numbers/arithmetic.h"

namespace playproof {

// A non-negative number m * 2^e with m in [1/2, 1], or 0: a double with a wide exponent.
struct WideDouble {
  // Products that would be smaller stay there: exponents never overflow.
  static constexpr std::int32_t kLeastExponent = -(1 << 29);

  double m = 0;
  std::int32_t e = 0;

  // x must be 0 or a normal number in (0, 1].
  PP_HD static WideDouble from(double x) {
    if (x == 0) return {};
    const auto bits = bits_as<std::uint64_t>(x);
    const auto exponent = static_cast<std::int32_t>(bits >> 52) - 1022;
    const std::uint64_t mantissa = (bits & 0x000fffffffffffffull) | 0x3fe0000000000000ull;
    return {bits_as<double>(mantissa), exponent};
  }
  // 2^power as a double, 0 below the normal range; power <= 0.
  PP_HD static double power_of_two(std::int32_t power) {
    if (power < -1022) return 0;
    return bits_as<double>(static_cast<std::uint64_t>(power + 1023) << 52);
  }
  // Nearest double; numbers below the normal range become 0.
  PP_HD double value() const { return m * power_of_two(e); }

  PP_HD friend WideDouble operator*(WideDouble a, WideDouble b) {
    WideDouble r{a.m * b.m, a.e + b.e};
    if (r.m < 0.5 && r.m != 0) {
      r.m *= 2;
      --r.e;
    }
    r.e = greater(r.e, kLeastExponent);
    return r;
  }
  PP_HD friend WideDouble operator+(WideDouble a, WideDouble b) {
    if (a.m == 0) return b;
    if (b.m == 0) return a;
    if (a.e < b.e) {
      const WideDouble t = a;
      a = b;
      b = t;
    }
    a.m += b.m * power_of_two(b.e - a.e);
    if (a.m > 1) {
      a.m *= 0.5;
      ++a.e;
    }
    return a;
  }
  // Order of values. (m = 1 is 2 * 1/2: compare after bringing both to m < 1.)
  PP_HD friend bool operator<(WideDouble a, WideDouble b) {
    a.reduce();
    b.reduce();
    if (a.m == 0 || b.m == 0) return a.m < b.m;
    return a.e != b.e ? a.e < b.e : a.m < b.m;
  }
  PP_HD void reduce() {
    if (m == 1) {
      m = 0.5;
      ++e;
    }
  }
};

class Probability {
 public:
  Probability() = default;
  PP_HD static Probability zero() { return {0, 0, false}; }
  PP_HD static Probability one() { return {0, 0, true}; }
  // p in [0, 1].
  PP_HD static Probability from(double p) { return p <= 0.5 ? of(p, false) : of(1 - p, true); }

  PP_HD WideDouble p() const { return complement_ ? large() : small(); }
  PP_HD WideDouble q() const { return complement_ ? small() : large(); }  // 1 - p
  PP_HD double value() const { return p().value(); }
  // Natural logarithms, for people; no search reads them.
  double log_p() const { return complement_ ? std::log1p(-small().value()) : log_of(small()); }
  double log_q() const { return complement_ ? log_of(small()) : std::log1p(-small().value()); }

  // What it is made of, for those who keep it in other bytes.
  struct Parts {
    double m;
    std::int32_t e;
    bool complement;
  };
  PP_HD Parts parts() const { return {m_, e_, complement_}; }
  PP_HD static Probability of(const Parts& parts) { return {parts.m, parts.e, parts.complement}; }

  // Are the bytes of this object a probability? For what was read from a file.
  bool valid() const {
    std::uint8_t complement = 0;  // a bool that is neither may not be looked at
    std::memcpy(&complement, &complement_, sizeof complement);
    if (complement > 1) return false;
    if (e_ == 0) return m_ >= 0 && m_ <= 0.5;
    return e_ <= -500 && e_ >= WideDouble::kLeastExponent && m_ >= 0.5 && m_ <= 1;
  }

  // 1 - p. Of one half: itself, so that equal numbers look equal.
  PP_HD Probability complement() const {
    return {m_, e_, e_ == 0 && m_ == 0.5 ? false : !complement_};
  }
  bool operator==(const Probability&) const = default;
  PP_HD friend bool operator<(const Probability& a, const Probability& b) {
    if (a.complement_ != b.complement_) return b.complement_;
    const Probability& less = a.complement_ ? b : a;  // complements stand the other way round
    const Probability& more = a.complement_ ? a : b;
    if (less.e_ == 0 && more.e_ == 0) [[likely]]
      return less.m_ < more.m_;
    return less_wide(less, more);
  }

  // The probability that at least one of independent events happens, thesis (5.1) with the brackets
  // of E17: 1 - prod (1 - p_i). Events come one by one; the order enters only by rounding.
  class AnyOf {
   public:
    PP_HD void add(const Probability& event) {
      if (wide_ || event.e_ != 0) return add_wide(event);
      const double small = event.m_;
      const double large = 1 - small;
      any_ += none_ * (event.complement_ ? large : small);
      none_ *= event.complement_ ? small : large;
      if (none_ < kTiny && none_ > 0) widen();
    }
    // Whichever of the two is at most one half is kept, so neither loses digits to the other. Where
    // none is one half, rounding may have lifted any above it.
    PP_HD Probability result() const {
      if (wide_) {
        constexpr WideDouble kHalf{0.5, 0};
        if (wide_none_ < kHalf) return of(wide_none_, true);
        return of(wide_any_ < kHalf ? wide_any_ : kHalf, false);
      }
      return none_ < 0.5 ? of(none_, true) : of(lesser(any_, 0.5), false);
    }

   private:
    PP_HD void widen() {
      wide_ = true;
      wide_none_ = WideDouble::from(none_);
      wide_any_ = WideDouble::from(any_);
    }
    PP_HD void add_wide(const Probability& event) {
      if (!wide_) widen();
      wide_any_ = wide_any_ + wide_none_ * event.p();
      wide_none_ = wide_none_ * event.q();
    }

    double none_ = 1;  // prod (1 - p_i)
    double any_ = 0;   // sum p_i prod_{j<i} (1 - p_j) = 1 - none, without cancellation
    // The same once a number leaves the range of a double; scaling by powers of two is exact, so
    // both ways round alike.
    bool wide_ = false;
    WideDouble wide_none_;
    WideDouble wide_any_;
  };

 private:
  // Products of two numbers above it are normal doubles.
  static constexpr double kTiny = 0x1p-500;

  PP_HD Probability(double m, std::int32_t e, bool complement)
      : m_(m), e_(e), complement_(complement) {}
  PP_HD static Probability of(double smaller, bool complement) {
    if (smaller >= kTiny || smaller == 0) return {smaller, 0, complement};
    const WideDouble wide = WideDouble::from(smaller);
    return {wide.m, wide.e, complement};
  }
  PP_HD static Probability of(WideDouble smaller, bool complement) {
    if (smaller.e > -500) return of(smaller.value(), complement);
    return {smaller.m, smaller.e, complement};
  }
  // The case stands apart, so that the common one is inlined where children are compared.
  [[gnu::noinline]] PP_HD static bool less_wide(const Probability& a, const Probability& b) {
    return a.small() < b.small();
  }
  PP_HD WideDouble small() const { return e_ == 0 ? WideDouble::from(m_) : WideDouble{m_, e_}; }
  PP_HD WideDouble large() const { return WideDouble::from(1 - small().value()); }
  static double log_of(WideDouble x) { return std::log(x.m) + x.e * 0.6931471805599453; }

  // The smaller of p and 1 - p, at most 1/2: m if e = 0, else m * 2^e with m in [1/2, 1] (below
  // kTiny).
  double m_ = 0;
  std::int32_t e_ = 0;
  bool complement_ = false;  // the smaller one is 1 - p, which then is less than 1/2
};

}  // namespace playproof
