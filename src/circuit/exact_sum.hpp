#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "quartz/circuit/gate.hpp"

namespace quartz {

/// An entry of a unitary, exactly: a sum of e^{i angle} with whole coefficients, over a power of
/// sqrt(2). Angles are linear in symbols, plus a rational multiple of pi.
///
/// Kept in lowest terms. Where all multiples of pi are dyadic that form is unique: the powers of a
/// 2^m-th root of unity up to the half turn are independent. Elsewhere is_zero() knows the further
/// relations between roots of unity. Throws OverflowError for coefficients beyond 64 bits, roots
/// of unity of an order above 2^31, and sums of thousands of terms.
class ExactSum {
 public:
  /// Zero.
  ExactSum() = default;
  explicit ExactSum(std::span<const PhaseTerm> terms);
  [[nodiscard]] static ExactSum integer(std::int64_t value);
  /// e^{i angle}.
  [[nodiscard]] static ExactSum phase(const Angle& angle);

  [[nodiscard]] bool is_zero() const;
  [[nodiscard]] ExactSum conjugate() const;
  /// Where it is e^{i angle} times a power of sqrt(2): what all other sums are no multiple of.
  [[nodiscard]] std::optional<ExactSum> inverse() const;
  [[nodiscard]] ExactSum substitute(const std::map<std::string, Angle>& replacements) const;
  /// Angles with their pi part in [0, pi). Throws OverflowError where a coefficient is no int.
  [[nodiscard]] std::vector<PhaseTerm> terms() const;
  /// The angles by which this may have been turned to give the other: one of them, if any.
  [[nodiscard]] std::vector<Angle> turns_to(const ExactSum& other) const;

  [[nodiscard]] ExactSum operator-() const;
  ExactSum& operator+=(const ExactSum& other);
  friend ExactSum operator+(ExactSum a, const ExactSum& b) { return a += b; }
  friend ExactSum operator-(ExactSum a, const ExactSum& b) { return a += -b; }
  friend ExactSum operator*(const ExactSum& a, const ExactSum& b);
  /// As numbers, for all values of the symbols.
  friend bool operator==(const ExactSum& a, const ExactSum& b) { return (a - b).is_zero(); }

 private:
  void add(const Angle& angle, std::int64_t coefficient);
  void multiply_by_sqrt2();
  void reduce();

  std::map<Angle, std::int64_t> terms_;  ///< by angle, its pi part in [0, pi)
  int sqrt2_power_ = 0;                  ///< of the denominator; not negative
};

}  // namespace quartz
