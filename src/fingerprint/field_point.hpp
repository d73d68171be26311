#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <span>
#include <string>
#include <string_view>

#include "algebra/goldilocks.hpp"
#include "quartz/algebra/angle.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::fingerprint {

using algebra::Goldilocks;

/// The seed of all random choices. Different streams of one seed are independent.
struct FieldSeed {
  std::uint64_t seed = 0;
  unsigned stream = 0;
};

/// Independent random field elements, never zero, reproducible from a seed and a label on every
/// platform. Different labels give independent streams.
class FieldRandom {
 public:
  FieldRandom(const FieldSeed& seed, std::string_view label);
  [[nodiscard]] Goldilocks next();

 private:
  std::mt19937_64 engine_;
};

/// A random point at which unitaries are evaluated: maps e^{i angle} to a field element, for angles
/// built from pi, radians and symbols. Sums of angles become products of elements.
///
/// - Multiples of pi whose denominator divides (p - 1) / 2 = 2^31 * 3 * 5 * 17 * 257 * 65537 are
///   exact roots of unity.
/// - A symbol, a radian, and multiples of pi with any other denominator (such as pi/7) get a random
///   element for the finest fraction that occurs; their multiples are powers of that element.
///
/// An identity between unitaries holds at every point. In the other direction (Schwartz-Zippel),
/// Conversely (Schwartz-Zippel), two unitaries that differ as polynomials agree at a random point
/// with probability at most their degree / p. Relations that hold only because of the value of a
/// constant without a root in this field (7 * pi/7 = pi, pi/7 + pi/8 = 15 pi/56, or a literal that
/// happens to equal pi/4) are not recognized: a fingerprint may then split a class, but it never
/// joins two.
class FieldPoint {
 public:
  /// Makes a point at which each of these operations can be evaluated; they determine the finest
  /// fraction of each symbol. A symbol's element depends only on the seed and the symbol's name.
  FieldPoint(std::span<const Operation> operations, const FieldSeed& seed);

  /// Returns the element for e^{i angle}. Throws UsageError for a fraction finer than those the
  /// point was made for.
  [[nodiscard]] Goldilocks phase(const Angle& angle) const;

 private:
  /// States that e^{i unit / denominator} = element.
  struct Unit {
    std::int64_t denominator = 1;
    Goldilocks element;
  };
  void require(const Angle& angle);
  void require(const std::string& unit, const Rational& multiple);
  [[nodiscard]] Goldilocks power_of(const std::string& unit, const Rational& multiple) const;

  std::map<std::string, Unit> units_;
};

}  // namespace quartz::fingerprint
