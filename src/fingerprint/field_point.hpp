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

namespace quartz {

/// What all random choices follow from. Different streams of one seed are independent.
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

/// A random point at which unitaries are evaluated: e^{i angle} as a field element, for angles
/// built from pi, radians and symbols. Sums of angles become products of elements.
///
/// - Multiples of pi whose denominator divides (p - 1) / 2 = 2^31 * 3 * 5 * 17 * 257 * 65537 are
///   exact roots of unity.
/// - A symbol, a radian, and pi in multiples with any other denominator (pi/7, say) get a random
///   element for their finest fraction in use, so that their multiples are its powers.
///
/// An identity between unitaries holds at every point. In the other direction (Schwartz-Zippel),
/// two unitaries that differ as polynomials agree at a random point with probability at most their
/// degree / p. Relations that hold only because of the value of a constant that has no root here
/// (7 * pi/7 = pi, pi/7 + pi/8 = 15 pi/56, or a literal that happens to be pi/4) are not seen: a
/// fingerprint may then split a class, never join two.
class FieldPoint {
 public:
  /// A point at which each of these operations can be evaluated; they decide what the finest
  /// fraction of each symbol is. The element of a symbol depends on the seed and its name only.
  FieldPoint(std::span<const Operation> operations, const FieldSeed& seed);

  /// e^{i angle}. Throws UsageError for a fraction finer than those the point was made for.
  [[nodiscard]] Goldilocks phase(const Angle& angle) const;

 private:
  /// e^{i unit / denominator} = element.
  struct Unit {
    std::int64_t denominator = 1;
    Goldilocks element;
  };
  void require(const Angle& angle);
  void require(const std::string& unit, const Rational& multiple);
  [[nodiscard]] Goldilocks power_of(const std::string& unit, const Rational& multiple) const;

  std::map<std::string, Unit> units_;
};

}  // namespace quartz
