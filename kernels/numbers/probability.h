// Probabilities that neither underflow nor round to 0 or 1 (E19): the smaller of p and 1 - p
// is kept as mantissa and exponent, the other follows from it without loss. Holds what the pair
// (log p, log(1-p)) holds, with products instead of sums: only multiplication and addition, so a
// search counts the same nodes on every machine (library logarithms differ in the last bit).
#pragma once

#include <cmath>
#include <cstdint>

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

  PP_HD WideDouble p() const { return complemented() ? large() : small(); }
  PP_HD WideDouble q() const { return complemented() ? small() : large(); }  // 1 - p
  PP_HD double value() const { return p().value(); }
  // Natural logarithms, for people; no search reads them.
  double log_p() const { return complemented() ? std::log1p(-small().value()) : log_of(small()); }
  double log_q() const { return complemented() ? log_of(small()) : std::log1p(-small().value()); }

  // What it is made of, for those who keep it in other bytes.
  struct Parts {
    double m;
    std::int32_t e;
    bool complement;
  };
  PP_HD Parts parts() const { return {m(), static_cast<std::int32_t>(e_), complemented()}; }
  // What comes of a negative m is not valid().
  PP_HD static Probability of(const Parts& parts) {
    Probability p{parts.m, parts.e, parts.complement};
    if (bits_as<std::uint64_t>(parts.m) >> 63 != 0) p.e_ = 1;
    return p;
  }

  // Are the bytes of this object a probability? For what was read from a file.
  bool valid() const {
    if (e_ == 0) return m() >= 0 && (complemented() ? m() < 0.5 : m() <= 0.5);
    return e_ <= -500 && e_ >= WideDouble::kLeastExponent && m() >= 0.5 && m() <= 1;
  }

  // 1 - p. Of one half: itself, so that equal numbers look equal.
  PP_HD Probability complement() const {
    Probability other = *this;
    if (e_ != 0 || m() != 0.5) other.bits_ ^= kComplement;
    return other;
  }
  bool operator==(const Probability&) const = default;
  PP_HD friend bool operator<(const Probability& a, const Probability& b) {
    return precedes(a, b, false);
  }
  // a < b or, if `downwards`, b < a: of both orders one comparison.
  PP_HD static bool precedes(const Probability& a, const Probability& b, bool downwards) {
    const std::uint64_t turn = downwards ? ~std::uint64_t{0} : 0;
    if (!a.wide() && !b.wide()) [[likely]]
      return (a.rank() ^ turn) < (b.rank() ^ turn);
    return precedes_wide(a, b, downwards);
  }

  // The probability that at least one of independent events happens, thesis (5.1) with the brackets
  // of E17: 1 - prod (1 - p_i). Events come one by one; the order enters only by rounding.
  class AnyOf {
   public:
    PP_HD void add(const Probability& event) { add(event, false); }
    // The same of event.complement() if `turned`.
    PP_HD void add(const Probability& event, bool turned) {
      if (wide_ || event.wide()) [[unlikely]]
        return add_wide(turned ? event.complement() : event);
      const double small = event.m();
      const double large = 1 - small;
      const bool complement = event.complemented() != turned;
      any_ += none_ * (complement ? large : small);
      none_ *= complement ? small : large;
      if (none_ < kTiny && none_ > 0) [[unlikely]]
        widen();
    }
    // Whichever of the two is at most one half is kept, so neither loses digits to the other. Where
    // none is one half, rounding may have lifted any above it. The complement of all this if
    // `turned`.
    PP_HD Probability result(bool turned = false) const {
      if (wide_) [[unlikely]]
        return turned ? wide_result().complement() : wide_result();
      const bool less = none_ < 0.5;
      const double smaller = less ? none_ : lesser(any_, 0.5);
      return of(smaller, less != turned && smaller != 0.5);
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
    PP_HD Probability wide_result() const {
      constexpr WideDouble kHalf{0.5, 0};
      if (wide_none_ < kHalf) return of(wide_none_, true);
      return of(wide_any_ < kHalf ? wide_any_ : kHalf, false);
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

  static constexpr std::uint64_t kComplement = std::uint64_t{1} << 63;

  PP_HD Probability(double m, std::int32_t e, bool complement)
      : bits_(bits_as<std::uint64_t>(m) | (complement ? kComplement : 0)), e_(e) {}
  PP_HD static Probability of(double smaller, bool complement) {
    if (smaller >= kTiny || smaller == 0) [[likely]]
      return {smaller, 0, complement};
    const WideDouble wide = WideDouble::from(smaller);
    return {wide.m, wide.e, complement};
  }
  PP_HD static Probability of(WideDouble smaller, bool complement) {
    if (smaller.e > -500) return of(smaller.value(), complement);
    return {smaller.m, smaller.e, complement};
  }
  PP_HD double m() const { return bits_as<double>(bits_ & ~kComplement); }
  PP_HD bool complemented() const { return (bits_ & kComplement) != 0; }
  PP_HD bool wide() const { return static_cast<std::int32_t>(e_) != 0; }
  // Of two that are not wide, the less one has the lesser of these: doubles that are not negative
  // stand in the order of their bits, and complements the other way round, above them.
  PP_HD std::uint64_t rank() const { return complemented() ? ~bits_ : bits_; }
  // The case stands apart, so that the common one is inlined where children are compared.
  [[gnu::noinline]] PP_HD static bool precedes_wide(Probability a, Probability b, bool downwards) {
    if (a.complemented() != b.complemented()) return b.complemented() != downwards;
    return a.complemented() != downwards ? b.small() < a.small() : a.small() < b.small();
  }
  PP_HD WideDouble small() const {
    return e_ == 0 ? WideDouble::from(m()) : WideDouble{m(), static_cast<std::int32_t>(e_)};
  }
  PP_HD WideDouble large() const { return WideDouble::from(1 - small().value()); }
  static double log_of(WideDouble x) { return std::log(x.m) + x.e * 0.6931471805599453; }

  // The smaller of p and 1 - p, at most 1/2: m if e = 0, else m * 2^e with m in [1/2, 1] (below
  // kTiny). These are the bits of m; its sign says that it is 1 - p, which then is less than 1/2.
  std::uint64_t bits_ = 0;
  std::int64_t e_ = 0;
};

}  // namespace playproof
