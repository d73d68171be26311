#pragma once

#include <map>

#include "certify/path_sum/boolean_polynomial.hpp"
#include "quartz/algebra/angle.hpp"

namespace quartz::certify {

/// Returns true only if a sum of angle * f(bits) has the same value for all bits, modulo 2 pi.
///
/// Different Boolean functions may have a constant sum, as a + b + c = (a ^ b ^ c) + 2 majority(a,
/// b, c) in a full adder. Linear functions of the sum become variables in place of others, since a
/// change of variables does not change whether a sum is constant: the other functions are then
/// short, and as polynomials over the integers they are unique. Returns false for functions that
/// stay long, and throws OverflowError for sums of angles that have no exact value.
[[nodiscard]] bool is_constant_sum(const std::map<BooleanPolynomial, Angle>& terms);

}  // namespace quartz::certify
