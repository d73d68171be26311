#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "quartz/circuit/gate.hpp"

namespace quartz::circuit {

/// An exact entry of a unitary: a sum of e^{i angle} with integer coefficients, over a power of
/// sqrt(2). Angles are linear in symbols, plus a rational multiple of pi.
///
/// The sum is kept in lowest terms. If all multiples of pi are dyadic, this form is unique, because
/// the powers of a 2^m-th root of unity up to the half turn are independent. Otherwise is_zero()
/// applies the further relations between roots of unity. Throws OverflowError for coefficients of
/// more than 64 bits, roots of unity of an order above 2^31, and sums of thousands of terms.
class ExactSum {
 public:
  /// Constructs zero.
  ExactSum() = default;
  explicit ExactSum(std::span<const PhaseTerm> terms);
  [[nodiscard]] static ExactSum integer(std::int64_t value);
  /// Returns e^{i angle}.
  [[nodiscard]] static ExactSum phase(const Angle& angle);

  [[nodiscard]] bool is_zero() const;
  [[nodiscard]] ExactSum conjugate() const;
  /// Returns the inverse if the sum is e^{i angle} times a power of sqrt(2), and nullopt otherwise.
  [[nodiscard]] std::optional<ExactSum> inverse() const;
  [[nodiscard]] ExactSum substitute(const std::map<std::string, Angle>& replacements) const;
  /// Returns the terms, with the pi part of their angles in [0, pi). Throws OverflowError if a
  /// coefficient does not fit an int.
  [[nodiscard]] std::vector<PhaseTerm> terms() const;
  /// Returns candidates for the angle a with other = e^{i a} this; if there is such an angle, it is
  /// among them.
  [[nodiscard]] std::vector<Angle> turns_to(const ExactSum& other) const;

  [[nodiscard]] ExactSum operator-() const;
  ExactSum& operator+=(const ExactSum& other);
  friend ExactSum operator+(ExactSum a, const ExactSum& b) { return a += b; }
  friend ExactSum operator-(ExactSum a, const ExactSum& b) { return a += -b; }
  friend ExactSum operator*(const ExactSum& a, const ExactSum& b);
  /// Compares the values, for all values of the symbols.
  friend bool operator==(const ExactSum& a, const ExactSum& b) { return (a - b).is_zero(); }

 private:
  void add(const Angle& angle, std::int64_t coefficient);
  void multiply_by_sqrt2();
  void reduce();

  std::map<Angle, std::int64_t> terms_;  ///< keyed by angle, with its pi part in [0, pi)
  int sqrt2_power_ = 0;                  ///< power of the denominator; not negative
};

}  // namespace quartz::circuit
