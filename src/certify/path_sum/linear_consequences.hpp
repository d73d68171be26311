#pragma once

#include <vector>

#include "certify/path_sum/boolean_polynomial.hpp"
#include "certify/problem/comparison.hpp"

namespace quartz::certify {

/// Returns equations f = 0 with f of degree at most 1 that follow from these equations: their
/// combinations over GF(2), found by eliminating the longest monomials first, where each monomial
/// is treated as an unknown (linearisation). They are linearly independent and may include the
/// contradiction 1 = 0. Returns none if the elimination takes too much memory. Throws OutOfBudget.
[[nodiscard]] std::vector<BooleanPolynomial> linear_consequences(
    const std::vector<BooleanPolynomial>& equations, const Budget& budget);

/// Returns the equations and the multiples of the short ones by each variable, up to degree 3,
/// whose combinations imply more (the XL method: Courtois, Klimov, Patarin and Shamir, Eurocrypt
/// 2000). Returns the equations alone if there are too many multiples. Throws OutOfBudget.
[[nodiscard]] std::vector<BooleanPolynomial> with_multiples(
    const std::vector<BooleanPolynomial>& equations, const Budget& budget);

}  // namespace quartz::certify
