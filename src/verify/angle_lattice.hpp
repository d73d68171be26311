#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <string_view>

#include "algebra/laurent.hpp"
#include "quartz/algebra/angle.hpp"

namespace quartz {

/// Writes e^{i angle/2} as monomials for all the angles of a claim. Each free parameter s with the
/// common denominator d of its coefficients gives one symbol, e^{i s/(2d)}; the radian parts give
/// e^{i/(2d)}, and each long literal v likewise e^{i v/(2d)}.
///
/// The symbols of parameters are independent functions. The radian symbol is a number, but a
/// transcendental one (Lindemann-Weierstrass), so no polynomial relation with algebraic
/// coefficients holds for it: alone, it is as good as a free symbol. Of two or more numeric
/// symbols that is not so; then what is proved holds, and what is not proved may still be true.
class AngleLattice {
 public:
  /// First pass: every angle that will be asked for, with the largest multiple of angle/2 in which
  /// it occurs. The angle must outlive the first pass.
  void collect(const Angle& angle, int largest_multiple);
  /// First pass: every constant phase pi * multiple that will be asked for.
  void collect_pi(const Rational& multiple);
  /// Ends the first pass. Throws OverflowError if the angles do not fit.
  void close();

  [[nodiscard]] const LaurentRing& ring() const noexcept { return ring_; }
  /// e^{i angle/2}.
  [[nodiscard]] Monomial half_angle(const Angle& angle) const;
  /// e^{i pi multiple}.
  [[nodiscard]] Monomial pi_phase(const Rational& multiple) const;
  /// The angle with e^{i angle} equal to the monomial, its pi part in (-pi, pi].
  [[nodiscard]] Angle angle_of(const Monomial& monomial) const;
  /// Whether two of the symbols are numbers, see above.
  [[nodiscard]] bool has_related_constants() const noexcept;

 private:
  struct Symbol {
    std::string_view name;         ///< empty for radians
    std::int64_t denominator = 1;  ///< d above
    std::int64_t bound = 0;        ///< of its exponents in any monomial of the claim
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
  LaurentRing ring_{CyclotomicRing(8)};
  ExponentPacking packing_{std::span<const std::int64_t>()};
};

}  // namespace quartz
