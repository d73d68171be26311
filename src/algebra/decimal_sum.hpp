#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "quartz/algebra/angle.hpp"

namespace quartz::algebra {

/// The exact sum of decimals of any size.
///
/// 128 bits suffice for the phases of most circuits and are ten times as fast as numbers of any
/// size, which are used only for what does not fit.
class DecimalSum {
 public:
  /// Adds a number `times` times, or returns false if it is no decimal, such as 1/3.
  [[nodiscard]] bool add(const Rational& number, std::int64_t times);
  /// Adds a literal in the normal form of Angle::decimal, "1.25e-7", multiplied by a coefficient
  /// and by `times`. Returns false if the coefficient is no decimal.
  [[nodiscard]] bool add(const std::string& literal, const Rational& coefficient,
                         std::int64_t times);

  /// Returns the sum in radians: a fraction of 64 bits, or one literal or its negative. Returns
  /// nullopt for a sum of more than 400 digits.
  [[nodiscard]] std::optional<Angle> radians() const;
  /// Returns the sum times pi in the same way, modulo `period` * pi if that is not zero.
  [[nodiscard]] std::optional<Angle> pi_multiple(unsigned period) const;

 private:
  __extension__ typedef __int128 Wide;
  /// The number units / 10^decimals.
  struct Short {
    Wide units = 0;
    unsigned decimals = 0;
  };

  [[nodiscard]] static std::optional<Short> read(const std::string& literal);
  [[nodiscard]] static bool multiply(Short& number, std::int64_t factor);
  [[nodiscard]] static bool rescale(Short& number, unsigned decimals);
  /// Adds a number to the short sum. Returns false, and adds nothing, if that needs more than 128
  /// bits.
  [[nodiscard]] bool add(Short number);
  /// Returns whether the sum is below 10^36 units; `rest_` is zero then.
  [[nodiscard]] bool is_short() const;
  /// Returns the number in lowest terms if it fits 64 bits; its units do not end with a zero.
  [[nodiscard]] static std::optional<Rational> fraction_of(const Short& number);
  /// Returns the magnitude of a number below 10^36 units, as text.
  [[nodiscard]] static std::string text_of(const Short& number);
  [[nodiscard]] boost::multiprecision::cpp_rational exact() const;

  Short short_;
  boost::multiprecision::cpp_rational rest_;
};

}  // namespace quartz::algebra
