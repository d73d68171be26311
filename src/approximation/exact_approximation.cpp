#include "approximation/exact_approximation.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "quartz/base/errors.hpp"

namespace quartz::approximation {

RotationApproximation word_of(ExactApproximation found) {
  const std::optional<unsigned> power = phase_between(product(found.gates), found.unitary);
  ensure(power.has_value(), "the gates of an approximation are not its unitary");
  RotationApproximation word;
  word.gates = std::move(found.gates);
  word.phase = Angle::pi_times({2 * static_cast<int>(*power) - static_cast<int>(found.phase), 8});
  word.t_count = t_count(word.gates);
  word.distance = found.distance;
  return word;
}

unsigned bits_for(double epsilon) {
  return static_cast<unsigned>(std::ceil(-4 * std::log2(epsilon))) + 128;
}

Integer defect_of(double epsilon, unsigned bits) {
  const Integer scaled = scaled_to_integer(epsilon, bits);
  return scaled * scaled / 2;
}

double distance_of(const Integer& defect, unsigned bits) {
  // Each of the two roundings has a relative error of at most 2^-52.
  const double distance = std::sqrt(2 * scaled_to_double(defect, 2 * bits)) * (1 + 0x1p-50);
  return std::nextafter(distance, std::numeric_limits<double>::infinity());
}

Integer lower_bound_of_overlap(const CyclotomicInteger& u, unsigned k, const CirclePoint& z,
                               const Integer& root_two, unsigned bits) {
  // Twice u is (2 c0 + (c1 - c3) sqrt(2)) + i (2 c2 + (c1 + c3) sqrt(2)).
  const RootTwoInteger real = twice_real_part(u);
  const RootTwoInteger imaginary = twice_imaginary_part(u);
  const Integer x = (real.a << bits) + real.b * root_two;
  const Integer y = (imaginary.a << bits) + imaginary.b * root_two;
  Integer overlap = x * z.cosine + y * z.sine;
  // Errors of the last bit: up to 2 in the coordinates of z, up to 2 in sqrt(2).
  const Integer one = Integer(1) << bits;
  overlap -= 2 * (abs(x) + abs(y)) + 2 * (abs(real.b) + abs(imaginary.b)) * (one + 2);
  // overlap / 2^(2 bits + 1) / sqrt(2)^k
  if (k % 2 != 0) overlap = floor_shift(overlap * (overlap > 0 ? root_two : root_two + 1), bits);
  return floor_shift(overlap, 1 + (k + 1) / 2);
}

}  // namespace quartz::approximation
