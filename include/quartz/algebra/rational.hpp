#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace quartz {

/// An exact fraction in lowest terms with a positive denominator, 64 bits each. Every operation is
/// computed in 128 bits and throws OverflowError if the reduced result does not fit.
class Rational {
 public:
  constexpr Rational() = default;
  constexpr Rational(std::int64_t integer) : numerator_(integer) {}  // NOLINT: an integer is one
  /// Throws UsageError for a zero denominator.
  Rational(std::int64_t numerator, std::int64_t denominator);
  /// Returns a fraction that is in lowest terms and has a positive denominator already.
  [[nodiscard]] static constexpr Rational in_lowest_terms(std::int64_t numerator,
                                                          std::int64_t denominator) noexcept {
    Rational result(numerator);
    result.denominator_ = denominator;
    return result;
  }

  [[nodiscard]] constexpr std::int64_t numerator() const noexcept { return numerator_; }
  [[nodiscard]] constexpr std::int64_t denominator() const noexcept { return denominator_; }
  [[nodiscard]] constexpr bool is_zero() const noexcept { return numerator_ == 0; }
  [[nodiscard]] constexpr bool is_integer() const noexcept { return denominator_ == 1; }
  /// Returns the fraction in double precision.
  [[nodiscard]] double to_double() const noexcept;
  /// Returns "3/4", or "-2" for an integer.
  [[nodiscard]] std::string to_string() const;
  /// Returns the largest integer that is not larger than the fraction.
  [[nodiscard]] std::int64_t floor() const noexcept;
  /// Returns the fraction modulo a positive period, in [0, period).
  [[nodiscard]] Rational modulo(const Rational& period) const;
  /// Returns the fraction modulo a positive period, in (-period/2, period/2]. The result is never
  /// larger in magnitude than the fraction; for an integer period it fits 64 bits.
  [[nodiscard]] Rational symmetric_modulo(const Rational& period) const;

  [[nodiscard]] Rational operator-() const;
  friend Rational operator+(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a, const Rational& b);
  friend Rational operator*(const Rational& a, const Rational& b);
  /// Throws UsageError for division by zero.
  friend Rational operator/(const Rational& a, const Rational& b);
  friend constexpr bool operator==(const Rational& a, const Rational& b) noexcept = default;
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b) noexcept;

 private:
  __extension__ typedef __int128 Wide;
  static Rational reduced(Wide numerator, Wide denominator);

  std::int64_t numerator_ = 0;
  std::int64_t denominator_ = 1;
};

}  // namespace quartz
