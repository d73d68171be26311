#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "certify/field/prime_field.hpp"
#include "certify/problem/instance.hpp"
#include "certify/problem/problem.hpp"

/// Unitaries over a prime field: exact identity testing at a random point.
///
/// Entries of a circuit's unitary are Laurent polynomials, with coefficients in Z[zeta, 1/2] for a
/// root of unity zeta, in one variable e^{i s/d} for each free parameter s and one variable e^{i/d}
/// for the angles given in radians: by the Lindemann-Weierstrass theorem e^{i/d} is transcendental,
/// so that an identity holds for these angles only if it holds for the variable. Two polynomials
/// that differ agree at a random point with a probability of at most degree / p (Schwartz, J. ACM
/// 27, 1980), and vanish modulo a random prime ideal with a probability that is bounded by their
/// norm.
namespace quartz::certify {

/// The denominators of all angles that a comparison evaluates.
class AngleDenominators {
 public:
  using Integer = PrimeField::Integer;

  void include(const Angle& angle);

  /// Returns the order of the root of unity of which all multiples of pi are powers; a multiple of
  /// 8.
  [[nodiscard]] const Integer& order() const { return order_; }
  [[nodiscard]] const Integer& of_radians() const { return radians_; }
  [[nodiscard]] const std::map<std::string, Integer>& of_symbols() const { return symbols_; }

 private:
  Integer order_ = 8;
  Integer radians_ = 1;
  std::map<std::string, Integer> symbols_;
};

/// Data for the bound on the probability that different circuits look equal.
struct Degree {
  double width = 0;         ///< sum over all gates of the range of exponents that they add
  double coefficients = 0;  ///< base-2 logarithm of a bound on the coefficients
};

/// A prime field with a value for every variable.
class RandomPoint {
 public:
  using Element = PrimeField::Element;

  RandomPoint(AngleDenominators denominators, RandomBits& random);

  [[nodiscard]] const PrimeField& field() const { return field_; }
  [[nodiscard]] const AngleDenominators& denominators() const { return denominators_; }
  /// Returns e^{i angle}. Values are cached, since circuits have few different angles.
  [[nodiscard]] Element exponential(const Angle& angle) const;
  /// Returns the complex conjugate of exponential(angle).
  [[nodiscard]] Element conjugate_exponential(const Angle& angle) const {
    return exponential(-angle);
  }
  /// Returns coefficient / sqrt(2)^power.
  [[nodiscard]] Element scaled(int coefficient, int sqrt2_power) const;
  /// Returns the root of unity of which multiples of pi are powers.
  [[nodiscard]] Element root_of_unity() const { return field_.root_of_unity(); }

  /// Draws new values for these symbols.
  void redraw(const std::set<std::string>& symbols, RandomBits& random);

  /// Returns the sum over all variables of the largest absolute exponent that the angle has.
  [[nodiscard]] double degree(const Angle& angle) const;
  /// Returns log2 of an upper bound on the probability that two different families of this degree
  /// are considered equal.
  [[nodiscard]] double log2_failure(const Degree& degree) const;

 private:
  [[nodiscard]] Element compute_exponential(const Angle& angle) const;

  AngleDenominators denominators_;
  PrimeField field_;
  mutable std::unordered_map<Angle, Element> exponentials_;
  Element inverse_sqrt2_ = 0;
  Element radian_ = 0;
  std::map<std::string, Element> symbols_;
};

/// Assigns a random invertible matrix to each opaque operation, by its name and exact angles.
class OpaqueMatrices {
 public:
  explicit OpaqueMatrices(std::uint64_t seed) : seed_(seed) {}
  /// Returns the matrix in row-major order. For the conjugate operation it is the transposed
  /// inverse, as for unitaries.
  [[nodiscard]] std::vector<PrimeField::Element> of(const Operation& operation,
                                                    const PrimeField& field, bool conjugate) const;

 private:
  std::uint64_t seed_;
};

/// Returns the matrix of an operation over the field, or its complex conjugate, in row-major order.
[[nodiscard]] std::vector<PrimeField::Element> field_matrix(const Operation& operation,
                                                            const RandomPoint& point,
                                                            const OpaqueMatrices& opaque,
                                                            bool conjugate = false);

/// Includes all angles in the exponents of the operation's matrix.
void include_angles(const Operation& operation, AngleDenominators& denominators);
/// Returns what the operation adds to the degree of the entries of a circuit's unitary.
[[nodiscard]] Degree degree_of(const Operation& operation, const RandomPoint& point);

}  // namespace quartz::certify
