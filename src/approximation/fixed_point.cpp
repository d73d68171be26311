#include "approximation/fixed_point.hpp"

#include "algebra/exact_radians.hpp"

namespace quartz::approximation {
namespace {

/// Additional bits of intermediate results. Their rounding errors are counted in units of the last
/// of these bits, and there are far fewer than 2^kGuardBits of them.
constexpr unsigned kGuardBits = 64;

/// Returns arctan(1 / inverse) by its series, with an error of at most two units for each term.
Integer arctangent_of_inverse(unsigned inverse, unsigned bits) {
  Integer power = (Integer(1) << bits) / inverse;
  Integer sum = power;
  const unsigned square = inverse * inverse;
  for (unsigned n = 1; power != 0; ++n) {
    power /= square;
    const Integer term = power / (2 * n + 1);
    sum += n % 2 == 0 ? term : Integer(-term);
  }
  return sum;
}

/// Returns Machin's 16 arctan(1/5) - 4 arctan(1/239) with the guard bits.
Integer guarded_pi(unsigned bits) {
  return 16 * arctangent_of_inverse(5, bits + kGuardBits) -
         4 * arctangent_of_inverse(239, bits + kGuardBits);
}

/// Returns the cosine and the sine of x, |x| < 1, by their series. Each of fewer than `bits` terms
/// adds an error of at most two units.
CirclePoint point_by_series(const Integer& x, unsigned bits) {
  const Integer square = (x * x) >> bits;
  CirclePoint point{Integer(1) << bits, abs(x)};
  Integer cosine_term = point.cosine;
  Integer sine_term = point.sine;
  for (unsigned n = 1; cosine_term != 0 || sine_term != 0; ++n) {
    cosine_term = ((cosine_term * square) >> bits) / ((2 * n - 1) * (2 * n));
    sine_term = ((sine_term * square) >> bits) / ((2 * n) * (2 * n + 1));
    point.cosine += n % 2 == 0 ? cosine_term : Integer(-cosine_term);
    point.sine += n % 2 == 0 ? sine_term : Integer(-sine_term);
  }
  if (x < 0) point.sine = -point.sine;
  return point;
}

/// Returns the point turned by `quarters` times pi/2.
CirclePoint turned_by_quarters(const CirclePoint& point, unsigned quarters) {
  switch (quarters % 4) {
    case 0:
      return point;
    case 1:
      return {-point.sine, point.cosine};
    case 2:
      return {-point.cosine, -point.sine};
    default:
      return {point.sine, -point.cosine};
  }
}

}  // namespace

Integer root_two(unsigned bits) { return sqrt(Integer(Integer(2) << (2 * bits))); }

Integer pi(unsigned bits) { return floor_shift(guarded_pi(bits), kGuardBits); }

CirclePoint product(const CirclePoint& a, const CirclePoint& b, unsigned bits) {
  return {floor_shift(a.cosine * b.cosine - a.sine * b.sine, bits),
          floor_shift(a.cosine * b.sine + a.sine * b.cosine, bits)};
}

CirclePoint half_angle_point(const Angle& angle, unsigned bits, const Rational& pi_multiple) {
  const boost::multiprecision::cpp_rational radians = algebra::exact_radians(angle);
  const Integer numerator(boost::multiprecision::numerator(radians));
  const Integer denominator(boost::multiprecision::denominator(radians));
  // A number of radians needs as many more bits of pi as it has bits before its point.
  const Integer whole = abs(numerator) / denominator;
  const unsigned size = whole == 0 ? 0 : msb(whole) + 1;
  const unsigned working = bits + size;
  const unsigned guarded = working + kGuardBits;
  const Integer pi_value = guarded_pi(working);

  const boost::multiprecision::cpp_rational turns =
      algebra::exact_pi_multiple(angle) + algebra::exact_value(pi_multiple);
  const Integer turn_denominator(boost::multiprecision::denominator(turns));
  const Integer turn_numerator =
      Integer(boost::multiprecision::numerator(turns)) % (4 * turn_denominator);
  Integer half = rounded_quotient(numerator << guarded, 2 * denominator);
  half += rounded_quotient(pi_value * turn_numerator, 2 * turn_denominator);
  const Integer quarters = rounded_quotient(2 * half, pi_value);
  half -= rounded_quotient(quarters * pi_value, 2);

  const CirclePoint point = point_by_series(half, guarded);
  const unsigned dropped = guarded - bits;
  const Integer remainder = ((quarters % 4) + 4) % 4;
  return turned_by_quarters({floor_shift(point.cosine, dropped), floor_shift(point.sine, dropped)},
                            static_cast<unsigned>(remainder));
}

}  // namespace quartz::approximation
