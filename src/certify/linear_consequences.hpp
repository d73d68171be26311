#pragma once

#include <vector>

#include "certify/boolean_polynomial.hpp"
#include "certify/comparison.hpp"

namespace quartz::certify {

/// Equations f = 0 with f of degree 1 or less that follow from these equations: their combinations
/// over GF(2), by elimination of the longest monomials first, where each monomial counts as an
/// unknown of its own (linearisation). Independent of each other; the contradiction 1 = 0 is one.
/// None where the elimination takes too much memory. Throws OutOfBudget.
[[nodiscard]] std::vector<BooleanPolynomial> linear_consequences(
    const std::vector<BooleanPolynomial>& equations, const Budget& budget);

/// The equations, and the short ones times each variable up to degree 3: more follows from these by
/// combinations (the XL method: Courtois, Klimov, Patarin and Shamir, Eurocrypt 2000). The
/// equations alone where the multiples are too many. Throws OutOfBudget.
[[nodiscard]] std::vector<BooleanPolynomial> with_multiples(
    const std::vector<BooleanPolynomial>& equations, const Budget& budget);

}  // namespace quartz::certify
