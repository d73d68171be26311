#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <string_view>

#include "algebra/laurent.hpp"
#include "quartz/algebra/angle.hpp"

namespace quartz::verify {

/// Writes e^{i angle/2} as monomials for all angles of a claim. Each free parameter s with the
/// common denominator d of its coefficients gives one symbol, e^{i s/(2d)}. The radian parts give
/// the symbol e^{i/(2d)}, and each long literal v gives e^{i v/(2d)}.
///
/// The symbols of parameters are independent functions. The radian symbol is a number, but a
/// transcendental one (Lindemann-Weierstrass), so no polynomial relation with algebraic
/// coefficients holds for it: if it is the only numeric symbol, it behaves like a free symbol. With
/// two or more numeric symbols this is not known; then everything that is proved holds, and a claim
/// that is not proved may still be true.
class AngleLattice {
 public:
  /// First pass: registers an angle that half_angle will be called with, and the largest multiple
  /// of angle/2 in which it occurs. The angle must outlive the first pass.
  void collect(const Angle& angle, int largest_multiple);
  /// First pass: registers a constant phase pi * multiple that pi_phase will be called with.
  void collect_pi(const Rational& multiple);
  /// Ends the first pass. Throws OverflowError if the angles do not fit.
  void close();

  [[nodiscard]] const algebra::LaurentRing& ring() const noexcept { return ring_; }
  /// Returns e^{i angle/2}.
  [[nodiscard]] algebra::Monomial half_angle(const Angle& angle) const;
  /// Returns e^{i pi multiple}.
  [[nodiscard]] algebra::Monomial pi_phase(const Rational& multiple) const;
  /// Returns the angle whose e^{i angle} equals the monomial, with its pi part in (-pi, pi].
  [[nodiscard]] Angle angle_of(const algebra::Monomial& monomial) const;
  /// Returns whether two or more symbols are numbers, so that a claim may be true without a proof.
  [[nodiscard]] bool has_related_constants() const noexcept;

 private:
  struct Symbol {
    std::string_view name;         ///< empty for the radian symbol
    std::int64_t denominator = 1;  ///< d in e^{i s/(2d)}
    std::int64_t bound = 0;        ///< greatest exponent in any monomial of the claim
  };
  struct Use {
    const Angle* angle = nullptr;
    int largest_multiple = 0;
  };

  void collect_symbol(std::string_view name, const Rational& coefficient);
  void bound_symbol(std::string_view name, const Rational& coefficient, int largest_multiple);
  [[nodiscard]] std::size_t index_of(std::string_view name) const;

  boost::container::small_vector<Use, 16> uses_;
  boost::container::small_vector<Symbol, 4> symbols_;
  std::uint64_t order_ = 8;
  algebra::LaurentRing ring_{algebra::CyclotomicRing(8)};
  algebra::ExponentPacking packing_{std::span<const std::int64_t>()};
};

}  // namespace quartz::verify
