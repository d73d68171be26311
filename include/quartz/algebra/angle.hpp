#pragma once

#include <atomic>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quartz/algebra/rational.hpp"

namespace quartz {

/// An exact angle: a*pi + b + c1*s1 + c2*s2 + ... with rational a, b, ci.
///
/// a is in multiples of pi and b in radians. Each s is either a free parameter ("theta", "p0") or a
/// numeric literal with more digits than a Rational holds, in radians ("7.8539816339744830962e-1")
/// or times pi ("1.2345678901234567891e-1*pi"). Nothing is ever rounded: sums and rational
/// multiples are exact or throw OverflowError. Angles are not reduced modulo 2*pi, because gates
/// differ in their period and the global phase matters.
class Angle {
 public:
  /// A symbol with its coefficient, which is never zero.
  struct Term {
    std::string symbol;
    Rational coefficient;
    friend bool operator==(const Term&, const Term&) = default;
    friend std::strong_ordering operator<=>(const Term&, const Term&) = default;
  };

  /// Constructs the angle zero.
  Angle() = default;
  Angle(const Angle& other) noexcept : words_(other.words_) {
    if (is_sum()) share();
  }
  Angle(Angle&& other) noexcept : words_(std::exchange(other.words_, {})) {}
  Angle& operator=(const Angle& other) noexcept {
    Angle copy = other;
    std::swap(words_, copy.words_);
    return *this;
  }
  Angle& operator=(Angle&& other) noexcept {
    std::swap(words_, other.words_);
    return *this;
  }
  ~Angle() {
    if (is_sum()) release();
  }

  /// Returns the angle multiple * pi.
  [[nodiscard]] static Angle pi_times(const Rational& multiple);
  /// Returns the angle of `value` radians.
  [[nodiscard]] static Angle radians(const Rational& value);
  /// Returns a free parameter. The name must be an identifier (a letter or underscore, then
  /// letters, digits and underscores; bytes beyond ASCII count as letters) other than "pi". Throws
  /// UsageError for any other name.
  [[nodiscard]] static Angle symbol(std::string name);
  /// Returns the value of a non-negative decimal literal of any length, in radians, exactly. A
  /// number that fits the 64 bits of a Rational becomes one; a longer number becomes a literal
  /// term. Throws InputError if the text is not a decimal number.
  [[nodiscard]] static Angle decimal(std::string_view digits);
  /// Returns such a number times pi, as a literal term whatever its length.
  [[nodiscard]] static Angle pi_literal(std::string_view digits);

  /// Returns a, in multiples of pi.
  [[nodiscard]] Rational pi_part() const noexcept {
    if (is_pi_multiple()) return own_fraction();
    return is_sum() ? sum().pi : Rational();
  }
  /// Returns b, in radians.
  [[nodiscard]] Rational radian_part() const noexcept {
    if (is_pi_multiple()) return {};
    return is_sum() ? sum().radians : own_fraction();
  }
  /// Returns the terms, sorted by symbol. They are valid as long as the angle does not change.
  [[nodiscard]] std::span<const Term> terms() const noexcept {
    return is_sum() ? std::span<const Term>(sum().terms) : std::span<const Term>();
  }

  [[nodiscard]] bool is_zero() const noexcept { return words_ == Words(); }
  /// Returns whether the angle has no free parameter (literals are constants).
  [[nodiscard]] bool is_constant() const noexcept;
  /// Returns whether the angle is a rational multiple of pi and nothing else.
  [[nodiscard]] bool is_pi_multiple() const noexcept { return words_.denominator > 0; }
  /// Returns whether every decimal literal, times its coefficient, is at most 1e300 in magnitude.
  /// Sums of such angles over any circuit stay finite in double precision; the readers reject all
  /// other angles.
  [[nodiscard]] bool in_range() const;
  /// Returns the free parameters, sorted.
  [[nodiscard]] std::vector<std::string> symbols() const;

  /// Returns the value in radians. `bindings` gives a value for every free parameter. Throws
  /// UsageError for an unbound parameter.
  [[nodiscard]] double value(const std::map<std::string, double>& bindings = {}) const;
  /// Returns the value modulo `period` * pi, in radians, in [-period/2 * pi, period/2 * pi] up to
  /// rounding. Angles of any size are reduced exactly before they are rounded; bound parameters
  /// count as the exact numbers that their doubles represent. An angle whose parts have magnitudes
  /// that add up to at most 32 radians is rounded as `value` rounds it and is not reduced, so the
  /// result may then lie outside of the interval. Throws UsageError for an unbound parameter.
  [[nodiscard]] double value_modulo(unsigned period,
                                    const std::map<std::string, double>& bindings = {}) const;
  /// Returns an upper bound on the rounding error of `value_modulo` with these bindings, in
  /// radians.
  [[nodiscard]] double value_modulo_error(const std::map<std::string, double>& bindings = {}) const;
  /// Replaces free parameters; parameters that are not in the map stay.
  [[nodiscard]] Angle substitute(const std::map<std::string, Angle>& replacements) const;
  /// Returns the same angle, its multiple of pi reduced to [0, period) (period in multiples of pi).
  [[nodiscard]] Angle reduced_modulo(const Rational& period) const;
  /// Returns the same angle, its multiple of pi reduced to (-period/2, period/2].
  [[nodiscard]] Angle reduced_symmetric(const Rational& period) const;

  /// Returns the shortest exact OpenQASM expression: "pi/4", "-3*pi/4+0.25", "2*theta+pi". Radian
  /// parts that have no finite decimal representation are written as a fraction, "1/3".
  [[nodiscard]] std::string to_string() const;
  /// Returns the text for people: that of to_string(), with expressions that are not linear in the
  /// parameters, such as sin(t), as programs write them. The names of their symbols cannot be read.
  [[nodiscard]] std::string to_readable_string() const;
  [[nodiscard]] std::size_t hash() const noexcept;

  [[nodiscard]] Angle operator-() const;
  /// Adds exactly. Throws OverflowError if the sum does not fit 64-bit fractions; the angle is then
  /// unchanged.
  Angle& operator+=(const Angle& other);
  /// Adds an angle, `times` times, to a sum of phases: += modulo 2*pi, except that a sum that needs
  /// more than 64 bits has a literal term. The phases of any number of gates whose angles are long
  /// decimals, or long decimals times pi, therefore add up exactly. Throws OverflowError only for
  /// sums that need more than 64 bits without their decimals, such as pi/p + pi/q for large primes
  /// p and q.
  Angle& add_phase(const Angle& other, std::int64_t times = 1);
  friend Angle operator+(Angle a, const Angle& b) { return a += b; }
  friend Angle operator-(Angle a, const Angle& b) { return a += -b; }
  friend Angle operator*(const Angle& a, const Rational& factor);
  friend Angle operator*(const Rational& factor, const Angle& a) { return a * factor; }
  friend bool operator==(const Angle& a, const Angle& b) noexcept {
    return a.words_ == b.words_ || (a.is_sum() && b.is_sum() && is_equal_sum(a, b));
  }
  /// Total order without numeric meaning, for canonical forms.
  friend std::strong_ordering operator<=>(const Angle& a, const Angle& b) noexcept;

 private:
  /// Sum of the parts in double precision, and the sum of their magnitudes.
  struct Parts {
    double sum = 0;
    double magnitude = 0;
  };
  [[nodiscard]] Parts parts(const std::map<std::string, double>& bindings) const;

  /// The parts of an angle that is neither a multiple of pi nor a number of radians. Angles that
  /// are copies of each other share it, and it never changes.
  struct Sum {
    Rational pi;
    Rational radians;
    std::vector<Term> terms;
    mutable std::atomic<std::uint32_t> owners = 1;
  };
#pragma pack(push, 4)  // an operation has its angle in 20 bytes that way
  /// One fraction in lowest terms, in multiples of pi. If the denominator is negative, the fraction
  /// of its magnitude is in radians and not zero; if the denominator is zero, the numerator is the
  /// address of the Sum.
  struct Words {
    std::int64_t numerator = 0;
    std::int64_t denominator = 1;
    friend bool operator==(const Words&, const Words&) = default;
  };
#pragma pack(pop)

  /// Returns the angle of these parts.
  [[nodiscard]] static Angle of(const Rational& pi, const Rational& radians,
                                std::vector<Term> terms);
  /// Returns this angle with another part in multiples of pi, or in radians.
  [[nodiscard]] Angle with_pi_part(const Rational& pi) const;
  [[nodiscard]] Angle with_radian_part(const Rational& radians) const;
  [[nodiscard]] static bool is_equal_sum(const Angle& a, const Angle& b) noexcept;

  [[nodiscard]] bool is_sum() const noexcept { return words_.denominator == 0; }
  [[nodiscard]] const Sum& sum() const noexcept {
    return *std::bit_cast<const Sum*>(std::int64_t{words_.numerator});
  }
  /// Returns the fraction of an angle that is no sum.
  [[nodiscard]] Rational own_fraction() const noexcept {
    const std::int64_t denominator = words_.denominator;
    return Rational::in_lowest_terms(words_.numerator,
                                     denominator < 0 ? -denominator : denominator);
  }
  void share() const noexcept { sum().owners.fetch_add(1, std::memory_order_relaxed); }
  void release() noexcept;

  Words words_;
};

/// Parses a linear expression: numbers of any length, pi, parameters, + - * /, unary minus and
/// plus, and parentheses. It accepts everything that Angle::to_string writes, and more. The result
/// is exact. Throws InputError with what was found and its column (from 1) for anything else: a
/// syntax error, a product of two parameters, over 1000 parameters, a number that is out of range.
[[nodiscard]] Angle parse_angle(std::string_view text);

/// Returns a + b, or nullopt if the exact sum does not fit 64-bit fractions.
[[nodiscard]] std::optional<Angle> try_add(const Angle& a, const Angle& b);

}  // namespace quartz

template <>
struct std::hash<quartz::Angle> {
  std::size_t operator()(const quartz::Angle& angle) const noexcept { return angle.hash(); }
};
